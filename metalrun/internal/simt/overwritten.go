package simt

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// overwritten are the arrays of a thread of which nobody reads what they held before: the first that is done to them is a
// loop that stores to one element after another, to all, and nothing is done to them beside or behind the construct that
// has this loop. Launches with other contents would show nothing.
func overwritten(k *ir.Kernel) map[int]bool {
	f := &overwriting{kernel: k, zero: map[ir.Reg]bool{}, seen: map[int]bool{}, whole: map[int]bool{}}
	f.all = f.touches(k.Body)
	f.list(k.Body)
	return f.whole
}

// overwriting goes over the nodes of a body in their order.
type overwriting struct {
	kernel      *ir.Kernel
	zero        map[ir.Reg]bool // registers that hold 0 by now
	seen, whole map[int]bool    // objects that something has been done to, and those that were filled
	all         map[int]int     // how often something is done to each object
	depth       int             // of constructs
}

// mostNested bounds how deep loops that fill arrays are looked for.
const mostNested = 16

// list goes over nodes that run one after the other.
func (f *overwriting) list(nodes []ir.Node) {
	var here map[int]int
	for _, n := range nodes {
		if l, ok := n.(*ir.Loop); ok {
			for _, object := range f.filled(l) {
				if here == nil {
					here = f.touches(nodes)
				}
				f.whole[object] = here[object] == f.all[object]
			}
		}
		f.node(n)
	}
}

func (f *overwriting) node(n ir.Node) {
	for in := range ir.Instrs(n) {
		for _, r := range in.Dst {
			delete(f.zero, r)
		}
	}
	if in, ok := n.(*ir.Instr); ok {
		if in.Op == ir.Copy {
			f.zero[in.Dst[0]] = f.literal(in.Args[0], 0)
		}
	} else if f.depth < mostNested {
		f.depth++
		for _, part := range ir.Parts(n) {
			f.list(*part)
		}
		f.depth--
	}
	for in := range ir.Instrs(n) {
		for object := range f.touched(in) {
			f.seen[object] = true
		}
		if _, alone := n.(*ir.Instr); !alone {
			for _, r := range in.Dst {
				delete(f.zero, r)
			}
		}
	}
}

// touches is how often something is done to each object among nodes.
func (f *overwriting) touches(nodes []ir.Node) map[int]int {
	times := map[int]int{}
	for in := range ir.Instrs(nodes...) {
		for object, n := range f.touched(in) {
			times[object] += n
		}
	}
	return times
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

// filled are the objects that a loop fills: it counts from 0 to a literal, nothing leaves it, and a store that each turn makes is
// all that it does to the object.
func (f *overwriting) filled(l *ir.Loop) (objects []int) {
	test, step := onlyInstr(l.Head), onlyInstr(l.Post)
	if test == nil || step == nil || test.Op != ir.ULt && test.Op != ir.SLt || test.Dst[0] != l.Cond || step.Op != ir.Add {
		return nil
	}
	counter := step.Dst[0]
	if !f.zero[counter] || step.Args[0] != counter || !f.literal(step.Args[1], 1) || test.Args[0] != counter || ir.Sets(l.Body, counter) || exits(l.Body) {
		return nil
	}
	limit := f.kernel.Regs[test.Args[1]]
	if limit.Kind != ir.Literal {
		return nil
	}
	times := f.touches([]ir.Node{l})
	for _, n := range l.Body {
		in, ok := n.(*ir.Instr)
		if !ok || in.Op != ir.Store || in.Mem.Space != syntax.Thread || in.Mem.Index != counter || in.Mem.Disp != 0 || in.Mem.Scale != int64(len(in.Args)*in.From.Size()) {
			continue
		}
		base := f.kernel.Regs[in.Mem.Base]
		if base.Kind == ir.Address && times[base.Index] == 1 && !f.seen[base.Index] && uint64(f.kernel.Objects[base.Index].Size) == uint64(in.Mem.Scale)*limit.Bits {
			objects = append(objects, base.Index)
		}
	}
	return objects
}
