package codegen

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// wideLoop recognises such a loop, n, whose parts are compiled, or gives nil. Its body was compiled with the scratch
// slots taken; otherwise is what does the loop as it is.
func (c *Compiler) wideLoop(l *machine.Loop, n *ir.Loop, taken []int, otherwise machine.Node) *machine.WideLoop {
	o := &c.P.Options
	if !c.Does(machine.PassWideLoop) || l.Step < 0 || !l.ConsecutiveInLine || len(l.Body) != 1 || o.Open ||
		o.Schedule != 0 {
		return nil
	}
	code, ok := l.Body[0].(machine.Straight)
	if !ok {
		return nil
	}
	b := &wideBody{c: c, loop: n, counter: c.testOf(n).Args[0], sets: map[ir.Reg]bool{}, reads: map[ir.Reg]int{}}
	w := &machine.WideLoop{Loop: l, Otherwise: otherwise, Counter: c.P.Slots[b.counter].Index, Indexed: true}
	if !b.scan(w) || !b.steps(w, code) {
		return nil
	}
	widen(c.P, append(slices.Concat(taken, b.slots(w)), w.Counter))
	return w
}

// wideBody is the body of a loop that may be one.
type wideBody struct {
	c       *Compiler
	loop    *ir.Loop
	counter ir.Reg
	sets    map[ir.Reg]bool // varying registers
	reads   map[ir.Reg]int  // likewise
}

// startsRun reports whether an access at consecutive indices looks at the first one alone, if all lanes are active.
func (c *Compiler) startsRun(in *ir.Instr) bool {
	switch {
	case in.From.Size() < 4:
		return c.Does(machine.PassNarrowRuns) && in.Op == ir.Load && machine.WideningOf(c.t, in.From) != nil &&
			!c.Changeable(in.Dst[0])
	case in.Op == ir.Load:
		return c.Does(machine.PassLoadsInPlace) && c.U.Reads(in.Dst[0]) == 1 && c.defers(in.Dst[0])
	}
	return c.Does(machine.PassStoresInPlace)
}
