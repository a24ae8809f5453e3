package simt

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// wideLoop recognises such a loop, n, whose parts are compiled, or gives nil. Its body was compiled with the scratch
// slots taken; otherwise is what does the loop as it is.
func (c *compiler) wideLoop(l *loop, n *ir.Loop, taken []int, otherwise node) *wideLoop {
	o := &c.p.options
	if !c.does(passWideLoop) || l.step < 0 || !l.following || len(l.body) != 1 || o.open || o.Schedule != 0 {
		return nil
	}
	code, ok := l.body[0].(straight)
	if !ok {
		return nil
	}
	b := &wideBody{c: c, loop: n, counter: c.testOf(n).Args[0], sets: map[ir.Reg]bool{}, reads: map[ir.Reg]int{}}
	w := &wideLoop{loop: l, otherwise: otherwise, counter: c.p.slots[b.counter].index, indexed: true}
	if !b.scan(w) || !b.steps(w, code) {
		return nil
	}
	c.p.widen(append(slices.Concat(taken, b.slots(w)), w.counter))
	return w
}

// widen gives slots rows in wide machines.
func (p *Program) widen(slots []int) {
	p.wideSlots = slices.Compact(slices.Sorted(slices.Values(append(p.wideSlots, slots...))))
}

// wideBody is the body of a loop that may be one.
type wideBody struct {
	c       *compiler
	loop    *ir.Loop
	counter ir.Reg
	sets    map[ir.Reg]bool // varying registers
	reads   map[ir.Reg]int  // likewise
}

// scan looks at the instructions, and reports whether each lane of a turn does something of its own.
func (b *wideBody) scan(w *wideLoop) bool {
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
			if r == ir.None || b.c.uniform(r) {
				continue
			}
			if b.c.p.slots[r].wide {
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

// startsRun reports whether an access at consecutive indices looks at the first one alone, if all lanes are active.
func (c *compiler) startsRun(in *ir.Instr) bool {
	switch {
	case in.From.Size() < 4:
		return c.does(passNarrowRuns) && in.Op == ir.Load && wideningOf(c.t, in.From) != nil && !c.changeable(in.Dst[0])
	case in.Op == ir.Load:
		return c.does(passLoadsInPlace) && c.u.Reads(in.Dst[0]) == 1 && c.defers(in.Dst[0])
	}
	return c.does(passStoresInPlace)
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
	case ir.Poison, observeOp, samplingOp, hitOp, counterOp:
		return false
	default:
		if in.Op.Info().Effects != 0 || in.Op.Info().Varies {
			return false
		}
	}
	for _, r := range in.Dst {
		at, variable := c.p.slots[r], c.changeable(r)
		if at.varying && (at.wide || !variable && !c.u.Local(r)) || !at.varying && variable || b.sets[r] {
			return false
		}
		if at.varying {
			b.sets[r] = true
		}
	}
	return true
}

// steps tells what a wide machine does from sums, and reports whether that is all.
func (b *wideBody) steps(w *wideLoop, code straight) bool {
	sums := map[int]bool{} // slots
	for r := range b.sets {
		if b.c.changeable(r) {
			if b.reads[r] != 1 {
				return false
			}
			sums[b.c.p.slots[r].index] = true
		}
	}
	for i := range code {
		in := &code[i]
		switch {
		case in.do == nil && in.d.kind == inSlot && sums[in.d.at]:
			if !in.folds() {
				return false
			}
			delete(sums, in.d.at)
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
func (in *instr) folds() bool {
	d := in.d
	switch in.shape {
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
func (b *wideBody) slots(w *wideLoop) (all []int) {
	for r := range b.sets {
		if at := b.c.p.slots[r]; at.index >= 0 {
			all = append(all, at.index)
		}
	}
	for r := range b.reads {
		at := b.c.p.slots[r]
		if at.index < 0 {
			continue
		}
		all = append(all, at.index)
		if r != b.counter && !b.sets[r] {
			w.given = append(w.given, at.index)
		}
	}
	slices.Sort(w.given)
	return all
}
