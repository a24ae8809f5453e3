package analysis

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/fixpoint"
	"metalconform/metalrun/internal/syntax"
)

// FloatDependence says which registers and objects hold values that depend on floats, whose rounding other devices may
// do otherwise. It starts from the assumption that nothing but the floats themselves does, and adds what follows from
// them: by computing, by memory, and by decisions that devices may take otherwise (the least fixpoint). The objects
// that pointers may lead to come first, because memory is followed by object.
type FloatDependence struct {
	k        *ir.Kernel
	depends  []bool                   // by register
	points   []objects                // by register that instructions set: what it may lead to, if it is a pointer
	pointers map[MemoryObject]objects // what pointers kept in objects of a thread and of a threadgroup lead to
	contents map[MemoryObject]*Contents
}

// DependsOnFloats analyses a kernel. carried are buffers, a bit for each index, that depend on floats when a launch
// begins.
func DependsOnFloats(k *ir.Kernel, carried uint32) *FloatDependence {
	n := len(k.Regs)
	x := &FloatDependence{k: k, depends: make([]bool, n), points: make([]objects, n),
		pointers: map[MemoryObject]objects{}, contents: map[MemoryObject]*Contents{}}
	for r, info := range k.Regs {
		x.depends[r] = info.Type.IsFloat()
	}
	fixpoint.Iterate(x.follow)
	for in := range ir.Instrs(k.Body...) {
		if in.Mem == nil {
			continue
		}
		for _, at := range x.Objects(in.Mem) {
			if x.contents[at] == nil {
				of := at.Space == syntax.Device && at.Object < FirstThreadgroup && carried>>at.Object&1 != 0
				x.contents[at] = &Contents{Depends: of, Types: map[ir.Scalar]bool{}}
			}
			x.contents[at].Types[in.From] = true
		}
	}
	fixpoint.Iterate(func(p *fixpoint.Pass) { x.propagate(p, k.Body, false) })
	return x
}

// Depends reports whether a register may hold a value that depends on floats.
func (x *FloatDependence) Depends(r ir.Reg) bool { return x.depends[r] }

// At is how an object is used, nil if nothing accesses it.
func (x *FloatDependence) At(at MemoryObject) *Contents { return x.contents[at] }

// Objects are where an access may go.
func (x *FloatDependence) Objects(mem *ir.Mem) []MemoryObject {
	return x.target(mem.Base).inSpace(x.k, mem.Space)
}

// Of is how the objects that an access may go to are used, taken together.
func (x *FloatDependence) Of(mem *ir.Mem) Contents {
	var all Contents
	for _, at := range x.Objects(mem) {
		all.join(x.contents[at])
	}
	return all
}

// target is what a pointer may lead to.
func (x *FloatDependence) target(r ir.Reg) objects {
	switch info := x.k.Regs[r]; info.Kind {
	case ir.Address:
		return static(info.Index)
	case ir.Input:
		return objects{low: 1 << info.Index}
	}
	return x.points[r]
}

// follow is one pass over pointers.
func (x *FloatDependence) follow(p *fixpoint.Pass) {
	for in := range ir.Instrs(x.k.Body...) {
		if in.Op != ir.Load && in.Mem != nil {
			x.keep(p, in)
		}
		for _, d := range in.Dst {
			if x.k.Regs[d].Type == ir.Ptr {
				fixpoint.Move(p, &x.points[d], x.points[d].with(x.pointer(in)))
			}
		}
	}
}

// pointer is what the pointers that an instruction gives may lead to.
func (x *FloatDependence) pointer(in *ir.Instr) (all objects) {
	switch in.Op {
	case ir.Load:
		return x.kept(in.Mem)
	case ir.Copy, ir.PtrAdd, ir.Select, ir.Poison, ir.Simd:
		for _, a := range in.Args {
			if x.k.Regs[a].Type == ir.Ptr {
				all = all.with(x.target(a))
			}
		}
		return all
	}
	return anywhere // it comes from an integer
}

// keep notes the pointers that an instruction writes to memory. Anything else that it writes could be read as a
// pointer to anywhere.
func (x *FloatDependence) keep(p *fixpoint.Pass, in *ir.Instr) {
	all := objects{}
	for _, a := range in.Args {
		if x.k.Regs[a].Type != ir.Ptr {
			all = anywhere
			break
		}
		all = all.with(x.target(a))
	}
	for _, at := range x.Objects(in.Mem) {
		fixpoint.MoveIn(p, x.pointers, at, x.pointers[at].with(all))
	}
}

// kept is what a pointer in memory may lead to. Pointers in buffers come from outside.
func (x *FloatDependence) kept(mem *ir.Mem) (all objects) {
	if mem.Space != syntax.Thread && mem.Space != syntax.Threadgroup {
		return anywhere
	}
	for _, at := range x.Objects(mem) {
		all = all.with(x.pointers[at])
	}
	return all
}

// propagate is one pass over nodes. doubt says that a decision which other devices may take otherwise leads to them.
func (x *FloatDependence) propagate(p *fixpoint.Pass, nodes []ir.Node, doubt bool) {
	for _, n := range nodes {
		inside := doubt
		switch n := n.(type) {
		case *ir.Instr:
			x.instr(p, n, doubt)
		case *ir.If:
			inside = doubt || x.depends[n.Cond]
		case *ir.Loop:
			inside = doubt || n.Cond != ir.None && x.depends[n.Cond] || x.LeftInDoubt(n)
		case *ir.Block:
			inside = doubt || x.LeftInDoubt(n)
		}
		for _, part := range ir.Parts(n) {
			x.propagate(p, *part, inside)
		}
	}
}

// LeftInDoubt reports whether an exit from a loop or a block depends on a decision that other devices may take
// otherwise.
func (x *FloatDependence) LeftInDoubt(from ir.Node) bool {
	leaves := func(n ir.Node) bool {
		e, ok := n.(*ir.Exit)
		return ok && (e.Loop != nil && ir.Node(e.Loop) == from || e.Block != nil && ir.Node(e.Block) == from)
	}
	return ir.Contains([]ir.Node{from}, func(n ir.Node) bool {
		branch, ok := n.(*ir.If)
		return ok && x.depends[branch.Cond] && ir.Contains([]ir.Node{branch}, leaves)
	})
}

// instr is propagate for an instruction.
func (x *FloatDependence) instr(p *fixpoint.Pass, in *ir.Instr, doubt bool) {
	from := doubt || SumsFloats(in)
	for _, r := range in.Reads() {
		from = from || r != ir.None && x.depends[r] && x.k.Regs[r].Kind != ir.Literal
	}
	if in.Mem != nil {
		stores := in.Op.Info().Effects.Has(ir.Writes)
		for _, at := range x.Objects(in.Mem) {
			c := x.contents[at]
			if stores && from {
				p.Raise(&c.Depends)
			}
			from = from || c.Depends
		}
	}
	for _, r := range in.Dst {
		if from {
			p.Raise(&x.depends[r])
		}
	}
}

// SumsFloats reports whether an instruction is an atomic sum of floats, whose order shows even where no term has an
// error.
func SumsFloats(in *ir.Instr) bool {
	return in.Op == ir.Atomic && in.From == ir.R32 && (in.Fn == "add" || in.Fn == "sub")
}
