package simt

import (
	"maps"
	"math/bits"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// exactness is what a program with Options.Exact knows of its kernel: which registers and
// objects hold what follows from floats that devices may have otherwise.
type exactness struct {
	u            *uniformity
	has          []bool // by register: there is a row of balls
	points       []objects
	pointers     map[place]objects // what pointers kept in a thread's and a threadgroup's objects lead to
	held         map[place]*holding
	privateLog   uint
	privateCells int // of a thread
	crossing     *crossing
	snaps        bool // there are constants that may round sums
}

// place is an object of an address space.
type place struct {
	space  syntax.Space
	object int
}

// holding is how a kernel uses an object.
type holding struct {
	has   bool // it may hold values with balls of their own
	types map[ir.Scalar]bool
}

// mixed reports whether elements are accessed as different types, so that a value with a
// ball could be taken for something else.
func (h *holding) mixed() bool { return len(h.types) > 1 }

// log is that of the bytes of a cell: those of the smallest element.
func (h *holding) log() uint {
	size := 8
	for s := range h.types {
		size = min(size, s.Size())
	}
	return uint(bits.TrailingZeros(uint(size)))
}

// objects is a set of objects that a pointer may lead to: of the argument table in the low
// half, of the kernel in the high one.
type objects struct{ low, high uint64 }

// anywhere is every object.
var anywhere = objects{^uint64(0), ^uint64(0)}

func (o objects) with(p objects) objects { return objects{o.low | p.low, o.high | p.high} }

// analyseExactness starts from the assumption that nothing but floats follows from floats, and
// takes it back until nothing changes. carried are buffers that hold balls when a launch
// begins.
func analyseExactness(u *uniformity, carried uint32) *exactness {
	x := &exactness{u: u, has: make([]bool, len(u.k.Regs)), points: make([]objects, len(u.k.Regs)), pointers: map[place]objects{}, held: map[place]*holding{}}
	for r, info := range u.k.Regs {
		x.has[r] = info.Type.IsFloat()
	}
	for x.follow() {
	}
	for in := range ir.Instrs(u.k.Body...) {
		if in.Mem == nil {
			continue
		}
		for _, at := range x.places(in.Mem) {
			if x.held[at] == nil {
				of := at.space == syntax.Device && at.object < firstThreadgroup && carried>>at.object&1 != 0
				x.held[at] = &holding{has: of, types: map[ir.Scalar]bool{}}
			}
			x.held[at].types[in.From] = true
		}
	}
	for x.propagate(u.k.Body, false) {
	}
	x.layOut()
	return x
}

// layOut gives a thread's memory cells, if any of it holds balls.
func (x *exactness) layOut() {
	x.privateLog = 2
	holds := false
	for at, h := range x.held {
		if at.space == syntax.Thread && h.has {
			holds = true
			x.privateLog = min(x.privateLog, h.log())
		}
	}
	for _, o := range x.u.k.Objects {
		if holds && o.Space == syntax.Thread {
			x.privateCells += (o.Size + 3) / 4 * 4 >> x.privateLog
		}
	}
}

// follow makes one pass over pointers, and reports whether any leads to more than before.
func (x *exactness) follow() (changed bool) {
	for in := range ir.Instrs(x.u.k.Body...) {
		if in.Op != ir.Load && in.Mem != nil {
			changed = x.keep(in) || changed
		}
		for _, d := range in.Dst {
			if x.u.k.Regs[d].Type != ir.Ptr {
				continue
			}
			all := objects{}
			switch in.Op {
			case ir.Load:
				all = x.kept(in.Mem)
			case ir.Copy, ir.PtrAdd, ir.Select, ir.Poison, ir.Simd:
				for _, a := range in.Args {
					if x.u.k.Regs[a].Type == ir.Ptr {
						all = all.with(x.target(a))
					}
				}
			default: // from an integer
				all = anywhere
			}
			if now := x.points[d].with(all); now != x.points[d] {
				x.points[d], changed = now, true
			}
		}
	}
	return changed
}

// keep notes what pointers an instruction writes to memory, and reports whether any is new. What
// else it writes could be read as a pointer to anywhere.
func (x *exactness) keep(in *ir.Instr) (changed bool) {
	all := objects{}
	for _, a := range in.Args {
		if x.u.k.Regs[a].Type != ir.Ptr {
			all = anywhere
			break
		}
		all = all.with(x.target(a))
	}
	for _, at := range x.places(in.Mem) {
		if now := x.pointers[at].with(all); now != x.pointers[at] {
			x.pointers[at], changed = now, true
		}
	}
	return changed
}

// kept is what a pointer in memory may lead to. Those in buffers are from elsewhere.
func (x *exactness) kept(mem *ir.Mem) objects {
	if mem.Space != syntax.Thread && mem.Space != syntax.Threadgroup {
		return anywhere
	}
	all := objects{}
	for _, at := range x.places(mem) {
		all = all.with(x.pointers[at])
	}
	return all
}

// target is what a pointer may lead to. Kernels with more than 64 objects share the last.
func (x *exactness) target(r ir.Reg) objects {
	switch info := x.u.k.Regs[r]; {
	case info.Kind == ir.Address:
		return objects{high: 1 << min(info.Index, 63)}
	case info.Kind == ir.Input:
		return objects{low: 1 << info.Index}
	}
	return x.points[r]
}

// places are where an access may go.
func (x *exactness) places(mem *ir.Mem) (list []place) {
	set, space := x.target(mem.Base), mem.Space
	if space == syntax.Constant {
		space = syntax.Device // both reach the buffers
	}
	first := 0
	if space == syntax.Threadgroup {
		first = firstThreadgroup
	}
	if space != syntax.Thread {
		for _, a := range x.u.k.Args {
			if a.Threadgroup == (space == syntax.Threadgroup) && set.low>>a.Index&1 != 0 {
				list = append(list, place{space, first + a.Index})
			}
		}
	}
	for i, o := range x.u.k.Objects {
		if set.high>>min(i, 63)&1 == 0 {
			continue
		}
		switch {
		case o.Space == mem.Space && space == syntax.Thread:
			list = append(list, place{space, i})
		case o.Space == mem.Space || o.Space == syntax.Constant && space == syntax.Device:
			list = append(list, place{space, firstStatic + i})
		}
	}
	return list
}

// of is how the objects that an access may go to are used, taken together.
func (x *exactness) of(mem *ir.Mem) holding {
	var all holding
	for _, at := range x.places(mem) {
		h := x.held[at]
		if all.types == nil {
			all.types = maps.Clone(h.types)
		}
		maps.Copy(all.types, h.types)
		all.has = all.has || h.has
	}
	return all
}

// propagate makes one pass over nodes, and reports whether anything has changed. doubt
// says that a decision which other devices may take otherwise leads here.
func (x *exactness) propagate(nodes []ir.Node, doubt bool) (changed bool) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *ir.Instr:
			changed = x.instr(n, doubt) || changed
		case *ir.If:
			for _, part := range ir.Parts(n) {
				changed = x.propagate(*part, doubt || x.has[n.Cond]) || changed
			}
		case *ir.Loop:
			inside := doubt || n.Cond != ir.None && x.has[n.Cond] || x.leftInDoubt(n)
			for _, part := range ir.Parts(n) {
				changed = x.propagate(*part, inside) || changed
			}
		case *ir.Block:
			changed = x.propagate(n.Body, doubt || x.leftInDoubt(n)) || changed
		}
	}
	return changed
}

// leftInDoubt reports whether an exit from a loop or a block hangs on a decision that other
// devices may take otherwise.
func (x *exactness) leftInDoubt(from ir.Node) bool {
	leaves := func(n ir.Node) bool {
		e, ok := n.(*ir.Exit)
		return ok && (e.Loop != nil && ir.Node(e.Loop) == from || e.Block != nil && ir.Node(e.Block) == from)
	}
	return ir.Contains([]ir.Node{from}, func(n ir.Node) bool {
		branch, ok := n.(*ir.If)
		return ok && x.has[branch.Cond] && ir.Contains([]ir.Node{branch}, leaves)
	})
}

// instr is propagate for an instruction.
func (x *exactness) instr(in *ir.Instr, doubt bool) (changed bool) {
	from := doubt || sumsFloats(in)
	for _, r := range reads(in) {
		from = from || r != ir.None && x.has[r] && x.u.k.Regs[r].Kind != ir.Literal
	}
	if in.Mem != nil {
		stores := in.Op.Info().Effects.Has(ir.Writes)
		for _, at := range x.places(in.Mem) {
			h := x.held[at]
			if stores && !h.has && from {
				h.has, changed = true, true
			}
			from = from || h.has
		}
	}
	for _, r := range in.Dst {
		if from && !x.has[r] {
			x.has[r], changed = true, true
		}
	}
	return changed
}
