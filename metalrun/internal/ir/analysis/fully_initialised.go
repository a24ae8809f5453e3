package analysis

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// FullyInitialised are the arrays of a thread whose former contents nobody reads, by the number of the object. The
// first access to such an array is a loop that stores to one element after another, to all of them, and every other
// access lies in the same construct after that loop. Launches with other contents would show nothing.
func FullyInitialised(k *ir.Kernel) map[int]bool {
	f := &filling{kernel: k, zero: map[ir.Reg]bool{}, seen: map[int]bool{}, whole: map[int]bool{}}
	f.all = f.uses(k.Body)
	f.list(k.Body)
	return f.whole
}

// filling visits the nodes of a body in their order.
type filling struct {
	kernel      *ir.Kernel
	zero        map[ir.Reg]bool // registers that hold 0 by now
	seen, whole map[int]bool    // objects whose address has been used, and objects that were filled
	all         map[int]int     // number of uses of the address of each object
	depth       int             // of constructs
}

// mostNested bounds how deep loops that fill arrays are looked for.
const mostNested = 16

// list visits nodes that run one after the other.
func (f *filling) list(nodes []ir.Node) {
	var here map[int]int
	for _, n := range nodes {
		if l, ok := n.(*ir.Loop); ok {
			for _, object := range f.filled(l) {
				if here == nil {
					here = f.uses(nodes)
				}
				f.whole[object] = here[object] == f.all[object]
			}
		}
		f.node(n)
	}
}

func (f *filling) node(n ir.Node) {
	f.forget(n)
	if in, ok := n.(*ir.Instr); ok {
		if in.Op == ir.Copy {
			f.zero[in.Dst[0]] = f.literal(in.Args[0], 0)
		}
		f.see(n)
		return
	}
	if f.depth < mostNested {
		f.depth++
		for _, part := range ir.Parts(n) {
			f.list(*part)
		}
		f.depth--
	}
	f.see(n)
	f.forget(n)
}

// forget drops what is known of the registers that a node sets.
func (f *filling) forget(n ir.Node) {
	for in := range ir.Instrs(n) {
		for _, r := range in.Dst {
			delete(f.zero, r)
		}
	}
}

// see notes the objects whose addresses a node uses.
func (f *filling) see(n ir.Node) {
	for object := range f.uses([]ir.Node{n}) {
		f.seen[object] = true
	}
}

// uses is how often nodes use the address of each object.
func (f *filling) uses(nodes []ir.Node) map[int]int {
	times := map[int]int{}
	for in := range ir.Instrs(nodes...) {
		for _, r := range in.Reads() {
			if r == ir.None {
				continue
			}
			if info := f.kernel.Regs[r]; info.Kind == ir.Address {
				times[info.Index]++
			}
		}
	}
	return times
}

func (f *filling) literal(r ir.Reg, bits uint64) bool {
	info := f.kernel.Regs[r]
	return info.Kind == ir.Literal && info.Bits == bits
}

// filled are the objects that a loop fills: it counts from 0 to a literal, no thread leaves it early, and a store that
// each iteration makes is its only use of the object.
func (f *filling) filled(l *ir.Loop) (objects []int) {
	counter, limit, ok := f.counted(l)
	if !ok {
		return nil
	}
	times := f.uses([]ir.Node{l})
	for _, n := range l.Body {
		in, ok := n.(*ir.Instr)
		if !ok || in.Op != ir.Store || in.Mem.Space != syntax.Thread || in.Mem.Index != counter || in.Mem.Disp != 0 ||
			in.Mem.Scale != int64(len(in.Args)*in.From.Size()) {
			continue
		}
		base := f.kernel.Regs[in.Mem.Base]
		if base.Kind == ir.Address && times[base.Index] == 1 && !f.seen[base.Index] &&
			uint64(f.kernel.Objects[base.Index].Size) == uint64(in.Mem.Scale)*limit {
			objects = append(objects, base.Index)
		}
	}
	return objects
}

// counted is the counter of a loop that counts from 0 to a literal limit, one by one, and that no thread leaves early.
func (f *filling) counted(l *ir.Loop) (counter ir.Reg, limit uint64, ok bool) {
	test, step := onlyInstr(l.Head), onlyInstr(l.Post)
	if test == nil || step == nil || step.Op != ir.Add || len(test.Dst) != 1 || test.Dst[0] != l.Cond ||
		test.Op != ir.ULt && test.Op != ir.SLt {
		return 0, 0, false
	}
	counter = step.Dst[0]
	to := f.kernel.Regs[test.Args[1]]
	counts := f.zero[counter] && step.Args[0] == counter && f.literal(step.Args[1], 1) && test.Args[0] == counter
	return counter, to.Bits, counts && to.Kind == ir.Literal && !ir.Sets(l.Body, counter) && !HasExit(l.Body)
}

// onlyInstr is the instruction that a list consists of, or nil. Operations of other packages do not count.
func onlyInstr(nodes []ir.Node) (only *ir.Instr) {
	for _, n := range nodes {
		in, ok := n.(*ir.Instr)
		switch {
		case ok && in.Op >= ir.Extended:
		case !ok || only != nil:
			return nil
		default:
			only = in
		}
	}
	return only
}
