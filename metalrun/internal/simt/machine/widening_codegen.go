package machine

import (
	"slices"

	"metalconform/metalrun/internal/ir"
)

// wideLoop recognises such a loop, n, whose parts are compiled, or gives nil. Its body was compiled with the scratch
// slots taken; otherwise is what does the loop as it is.
func (c *Compiler) wideLoop(l *Loop, n *ir.Loop, taken []int, otherwise Node) *WideLoop {
	o := &c.P.Options
	if !c.Does(passWideLoop) || l.step < 0 || !l.following || len(l.Body) != 1 || o.Open || o.Schedule != 0 {
		return nil
	}
	code, ok := l.Body[0].(Straight)
	if !ok {
		return nil
	}
	b := &wideBody{c: c, loop: n, counter: c.testOf(n).Args[0], sets: map[ir.Reg]bool{}, reads: map[ir.Reg]int{}}
	w := &WideLoop{Loop: l, otherwise: otherwise, counter: c.P.Slots[b.counter].Index, indexed: true}
	if !b.scan(w) || !b.steps(w, code) {
		return nil
	}
	c.P.widen(append(slices.Concat(taken, b.slots(w)), w.counter))
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
		return in.Op == ir.Load && wideningOf(c.t, in.From) != nil && !c.Changeable(in.Dst[0])
	case in.Op == ir.Load:
		return c.U.Reads(in.Dst[0]) == 1 && c.defers(in.Dst[0])
	}
	return true
}
