package machine

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// widen gives slots rows in wide machines.
func (p *Program) widen(slots []int) {
	p.wideSlots = slices.Compact(slices.Sorted(slices.Values(append(p.wideSlots, slots...))))
}

// scan looks at the instructions, and reports whether each lane of a turn does something of its own.
func (b *wideBody) scan(w *WideLoop) bool {
	_, nodes := tallies(b.loop.Body)
	for _, node := range nodes {
		in, ok := node.(*ir.Instr)
		if !ok || !b.elementwise(in) {
			return false
		}
		if in.Mem != nil {
			r, ok := b.c.reach(in, b.counter, b.loop)
			if w.reaches = append(w.reaches, r); !ok || len(w.reaches) > maxReaches {
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
				w.indexed = false
			}
		}
	}
	return true
}

// elementwise reports whether an instruction does for each lane what follows from the lane's operands, and sets
// nothing that another turn reads but lanes of a sum.
func (b *wideBody) elementwise(in *ir.Instr) bool {
	c := b.c
	switch in.Op {
	case ir.Load, ir.Store:
		if in.Mem.Space == syntax.Thread {
			return false
		}
	case ir.Poison, ObserveOp, SamplingOp, hitOp, CounterOp:
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
func (b *wideBody) steps(w *WideLoop, code Straight) bool {
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
		case in.do == nil && in.d.kind == inSlot && sums[in.d.At]:
			if !in.folds() {
				return false
			}
			delete(sums, in.d.At)
			w.steps = append(w.steps, wideStep{fold: *in})
		case in.do == nil && in.d.kind != inSlot && in.d.kind != isUniform:
			return false
		default:
			w.steps = append(w.steps, wideStep{do: in.direct()})
		}
	}
	return len(sums) == 0
}

// folds reports whether an instruction adds to its destination something that does not follow from it.
func (in *Instr) folds() bool {
	d := in.d
	switch in.Shape {
	case vectorVector:
		return (in.a == d) != (in.b == d)
	case vectorVectorVector:
		return in.e == d && in.a != d && in.b != d
	case vectorScalarVector:
		return in.e == d && in.a != d
	}
	return false
}

// slots are those that the body uses, and among them what it is given: that lanes have in front of the loop.
func (b *wideBody) slots(w *WideLoop) (all []int) {
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
			w.given = append(w.given, at.Index)
		}
	}
	slices.Sort(w.given)
	return all
}
