package ir

import (
	"math"
	"testing"
)

// TestOpsAreComplete asks each operation for what no row can do without.
func TestOpsAreComplete(t *testing.T) {
	if len(ops) != int(Cover)+1 {
		t.Errorf("the table has %d rows, want %d", len(ops), Cover+1)
	}
	names := map[string]Op{}
	for i := range ops {
		op, info := Op(i), &ops[i]
		if info.Name == "" || info.form.check == nil {
			t.Errorf("operation %d %q has no name or no form", i, info.Name)
			continue
		}
		if other, ok := names[info.Name]; ok {
			t.Errorf("%s is the name of operations %d and %d", op, other, op)
		}
		names[info.Name] = op
		switch e := info.Effects; {
		case e.Has(Writes|Orders) && !info.Kept:
			t.Errorf("%s has effects and may be dropped", op)
		case (info.Shared == AlwaysShared || info.Shared == IntegersShared) &&
			(e != 0 || info.Varies || info.Freedom == Contents):
			t.Errorf("two of %s are taken for one", op)
		case info.Commutes && info.form.args < 2, info.Neutral != NoNeutral && info.form.args != 2:
			t.Errorf("%s has facts about operands that it lacks", op)
		case (info.Prints == AccessText) != e.Has(Reads|Writes):
			t.Errorf("%s shows an access, or hides it", op)
		}
	}
}

var sampleIntegers = []uint64{0, 1, 2, 3, 7, 31, math.MaxUint64, math.MaxUint64 - 6, 1 << 40}

// TestOpFacts computes what the table says about operands.
func TestOpFacts(t *testing.T) {
	for i := range ops {
		op, info := Op(i), &ops[i]
		if info.form.args != 2 || info.form.results != 1 {
			continue
		}
		for _, typ := range []Type{Bool, I32, I64} {
			commutes, computed := true, 0
			neutral := map[Neutral]bool{ZeroNeutral: true, OneNeutral: true, OnesNeutral: true}
			for _, x := range sampleIntegers {
				for _, y := range sampleIntegers {
					x, y := sampleLiteral(typ, x), sampleLiteral(typ, y)
					xy, ok := foldPair(op, typ, x, y)
					yx, turned := foldPair(op, typ, y, x)
					if !ok {
						continue
					}
					computed++
					commutes = commutes && turned && xy == yx
					for n := range neutral {
						neutral[n] = neutral[n] && (!n.is(typ, y) || xy == x)
					}
				}
			}
			if computed == 0 {
				continue
			}
			if commutes != info.Commutes {
				t.Errorf("%s of %s commutes: %t, the table says %t", op, typ, commutes, info.Commutes)
			}
			if info.Neutral != NoNeutral && !neutral[info.Neutral] {
				t.Errorf("%s of %s has another neutral operand than the table says", op, typ)
			}
		}
	}
}

func sampleLiteral(t Type, v uint64) uint64 {
	if t == Bool {
		return v & 1
	}
	return Canonical(t, v)
}

// foldPair computes an operation on two operands of one type, if it has them.
func foldPair(op Op, t Type, x, y uint64) (bits uint64, ok bool) {
	in := &Instr{Op: op}
	for _, result := range []Type{t, Bool} {
		if (signature{in: in, dst: []Type{result}, args: []Type{t, t}}).fits(op.Info().form) == "" {
			return Fold(in, t, []uint64{x, y})
		}
	}
	return 0, false
}
