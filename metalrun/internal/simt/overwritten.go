package simt

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// overwritten are the arrays of a thread of which nobody reads what they held before: the first that a kernel's body
// does to them is a loop that stores to one element after another, to all. Launches with other contents would show
// nothing.
func overwritten(k *ir.Kernel) map[int]bool {
	f := &overwriting{kernel: k, zero: map[ir.Reg]bool{}, seen: map[int]bool{}, whole: map[int]bool{}}
	body := k.Body
	if len(body) == 1 {
		if entry, ok := body[0].(*ir.Block); ok {
			body = entry.Body
		}
	}
	for _, n := range body {
		f.node(n)
	}
	return f.whole
}

// overwriting goes over the nodes of a body in their order.
type overwriting struct {
	kernel      *ir.Kernel
	zero        map[ir.Reg]bool // registers that hold 0 by now
	seen, whole map[int]bool    // objects that something has been done to, and those that were filled
}

func (f *overwriting) node(n ir.Node) {
	if l, ok := n.(*ir.Loop); ok {
		f.loop(l)
	}
	for in := range ir.Instrs(n) {
		for object := range f.touched(in) {
			f.seen[object] = true
		}
		for _, r := range in.Dst {
			delete(f.zero, r)
		}
	}
	if in, ok := n.(*ir.Instr); ok && in.Op == ir.Copy {
		f.zero[in.Dst[0]] = f.literal(in.Args[0], 0)
	}
}

func (f *overwriting) literal(r ir.Reg, bits uint64) bool {
	info := f.kernel.Regs[r]
	return info.Kind == ir.Literal && info.Bits == bits
}

// touched are the objects whose addresses an instruction takes.
func (f *overwriting) touched(in *ir.Instr) map[int]int {
	times := map[int]int{}
	note := func(r ir.Reg) {
		if r == ir.None {
			return
		}
		if info := f.kernel.Regs[r]; info.Kind == ir.Address {
			times[info.Index]++
		}
	}
	for _, r := range in.Args {
		note(r)
	}
	if in.Mem != nil {
		note(in.Mem.Base)
	}
	return times
}

// loop notes what a loop fills: it counts from 0 to a literal, nothing leaves it, and a store that each turn makes is
// all that it does to the object.
func (f *overwriting) loop(l *ir.Loop) {
	test, step := onlyInstr(l.Head), onlyInstr(l.Post)
	if test == nil || step == nil || test.Op != ir.ULt && test.Op != ir.SLt || test.Dst[0] != l.Cond || step.Op != ir.Add {
		return
	}
	counter := step.Dst[0]
	if !f.zero[counter] || step.Args[0] != counter || !f.literal(step.Args[1], 1) || test.Args[0] != counter || ir.Sets(l.Body, counter) || exits(l.Body) {
		return
	}
	limit := f.kernel.Regs[test.Args[1]]
	if limit.Kind != ir.Literal {
		return
	}
	times := map[int]int{}
	for in := range ir.Instrs(l) {
		for object, n := range f.touched(in) {
			times[object] += n
		}
	}
	for _, n := range l.Body {
		in, ok := n.(*ir.Instr)
		if !ok || in.Op != ir.Store || in.Mem.Space != syntax.Thread || in.Mem.Index != counter || in.Mem.Disp != 0 || in.Mem.Scale != int64(len(in.Args)*in.From.Size()) {
			continue
		}
		base := f.kernel.Regs[in.Mem.Base]
		if base.Kind == ir.Address && times[base.Index] == 1 && !f.seen[base.Index] && uint64(f.kernel.Objects[base.Index].Size) == uint64(in.Mem.Scale)*limit.Bits {
			f.whole[base.Index] = true
		}
	}
}
