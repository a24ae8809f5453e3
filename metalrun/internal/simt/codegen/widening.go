package codegen

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// widen gives slots rows in wide machines.
func widen(p *machine.Program, slots []int) {
	p.WideSlots = slices.Compact(slices.Sorted(slices.Values(append(p.WideSlots, slots...))))
}

// scan looks at the instructions, and reports whether each lane of an iteration does something of its own.
func (b *wideBody) scan(w *machine.WideLoop) bool {
	_, nodes := machine.SplitCounters(b.loop.Body)
	for _, node := range nodes {
		in, ok := node.(*ir.Instr)
		if !ok || !b.elementwise(in) {
			return false
		}
		if in.Mem != nil {
			r, ok := b.c.reach(in, b.counter, b.loop)
			if w.Reaches = append(w.Reaches, r); !ok || len(w.Reaches) > machine.MaxReaches {
				return false
			}
		}
		for i, r := range in.Reads() {
			if r == ir.None || b.c.Uniform(r) {
				continue
			}
			if b.c.P.Slots[r].Wide {
				return false
			}
			b.reads[r]++
			if isIndex := in.Mem != nil && i == 1; r == b.counter && !(isIndex && b.c.startsRun(in)) {
				w.Indexed = false
			}
		}
	}
	return true
}

// elementwise reports whether an instruction does for each lane what follows from the lane's operands, and sets
// nothing that another iteration reads, except lanes of a sum.
func (b *wideBody) elementwise(in *ir.Instr) bool {
	c := b.c
	switch in.Op {
	case ir.Load, ir.Store:
		if in.Mem.Space == syntax.Thread {
			return false
		}
	case ir.Poison, machine.ObserveOp, machine.SamplingOp, machine.HitOp, machine.CounterOp:
		return false
	default:
		if in.Op.Info().Effects != 0 || in.Op.Info().Varies {
			return false
		}
	}
	for _, r := range in.Dst {
		at, variable := c.P.Slots[r], c.Changeable(r)
		if at.Varying && (at.Wide || !variable && !c.U.Local(r)) || !at.Varying && variable || b.sets[r] {
			return false
		}
		if at.Varying {
			b.sets[r] = true
		}
	}
	return true
}

// steps tells what a wide machine does from sums, and reports whether that is all.
func (b *wideBody) steps(w *machine.WideLoop, code machine.Straight) bool {
	sums := map[int]bool{} // slots
	for r := range b.sets {
		if b.c.Changeable(r) {
			if b.reads[r] != 1 {
				return false
			}
			sums[b.c.P.Slots[r].Index] = true
		}
	}
	for i := range code {
		in := &code[i]
		switch {
		case in.Do == nil && in.D.Kind == machine.InSlot && sums[in.D.At]:
			if !folds(in) {
				return false
			}
			delete(sums, in.D.At)
			w.Steps = append(w.Steps, machine.WideStep{Fold: *in})
		case in.Do == nil && in.D.Kind != machine.InSlot && in.D.Kind != machine.IsUniform:
			return false
		default:
			w.Steps = append(w.Steps, machine.WideStep{Do: in.Direct()})
		}
	}
	return len(sums) == 0
}

// folds reports whether an instruction adds to its destination something that does not follow from it.
func folds(in *machine.Instr) bool {
	d := in.D
	switch in.Shape {
	case machine.VectorVector:
		return (in.A == d) != (in.B == d)
	case machine.VectorVectorVector:
		return in.E == d && in.A != d && in.B != d
	case machine.VectorScalarVector:
		return in.E == d && in.A != d
	}
	return false
}

// slots are those that the body uses, and among them what it is given: that lanes have before the loop.
func (b *wideBody) slots(w *machine.WideLoop) (all []int) {
	for r := range b.sets {
		if at := b.c.P.Slots[r]; at.Index >= 0 {
			all = append(all, at.Index)
		}
	}
	for r := range b.reads {
		at := b.c.P.Slots[r]
		if at.Index < 0 {
			continue
		}
		all = append(all, at.Index)
		if r != b.counter && !b.sets[r] {
			w.Given = append(w.Given, at.Index)
		}
	}
	slices.Sort(w.Given)
	return all
}
