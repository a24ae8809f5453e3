package analysis

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/fixpoint"
	"metalconform/metalrun/internal/syntax"
)

// Uniformity says which registers hold the same value in all threads of a group that can read them. It starts from the
// assumption that all registers do and takes it back until nothing contradicts it (the greatest fixpoint):
//
//   - thread positions vary, and whatever is computed from a varying value;
//   - private memory, atomics and simdgroup functions give varying values;
//   - a variable set under divergent control flow varies, unless every mention of it lies inside the same divergent
//     region, after it is set at that region's top. A loop that threads leave in different iterations counts as
//     divergent only for variables that are read after the loop or set before it in another list: the threads still
//     in the loop have all made the same iterations;
//   - a temporary that is read after a loop whose threads leave in different iterations varies, because each thread
//     saw another iteration.
//
// Threads that left the entry point do not count: they read nothing any more.
type Uniformity struct {
	k        *ir.Kernel
	varying  []bool
	defs     []definition
	exits    []departure
	home     []*region   // per register: innermost region around all mentions
	readers  []*region   // per register: innermost region around all reads
	top      []bool      // per register: the first mention sets it, directly in home
	local    []bool      // per register: all mentions are in one list
	reads    []int       // per register: number of reads
	indices  []int       // per register: number of reads as the index of an access outside private memory
	setter   []*ir.Instr // per temporary: what sets it
	apart    map[any]bool
	together map[*ir.Exit]bool // exits that all active threads take at once
	skips    map[*ir.Loop]bool // some threads may skip the rest of an iteration
}

// InThreadgroup is the uniformity of the threads of a threadgroup.
func InThreadgroup(k *ir.Kernel) *Uniformity { return analyse(k, variesInThreadgroup) }

// InSimdgroup is the uniformity of the threads of a simdgroup.
func InSimdgroup(k *ir.Kernel) *Uniformity { return analyse(k, variesInSimdgroup) }

// analyse is the uniformity of any threads that run together: varies says which inputs differ between them.
func analyse(k *ir.Kernel, varies func(ir.Source) bool) *Uniformity {
	n := len(k.Regs)
	u := &Uniformity{k: k,
		varying: make([]bool, n), home: make([]*region, n), readers: make([]*region, n), top: make([]bool, n),
		local: make([]bool, n), reads: make([]int, n), indices: make([]int, n), setter: make([]*ir.Instr, n),
		apart: map[any]bool{}, skips: map[*ir.Loop]bool{}, together: map[*ir.Exit]bool{}}
	for i, r := range k.Regs {
		u.varying[i] = r.Kind == ir.Input && varies(r.Input)
	}
	first := make([]*region, n) // region of the first mention, if that sets the register
	u.scan(k.Body, &region{}, first)
	for i := range first {
		u.top[i] = first[i] != nil && first[i] == u.home[i]
	}
	fixpoint.Iterate(u.propagate)
	for _, d := range u.exits {
		u.together[d.exit] = !u.divergent(d.at, target(d.exit))
	}
	return u
}

// variesInThreadgroup reports whether an input differs between the threads of a threadgroup.
func variesInThreadgroup(s ir.Source) bool {
	switch s {
	case ir.ThreadPositionInGridX, ir.ThreadPositionInGridY, ir.ThreadPositionInGridZ,
		ir.ThreadPositionInThreadgroupX, ir.ThreadPositionInThreadgroupY, ir.ThreadPositionInThreadgroupZ,
		ir.ThreadIndexInThreadgroup, ir.ThreadIndexInSimdgroup, ir.ThreadIndexInQuadgroup,
		ir.SimdgroupIndexInThreadgroup, ir.QuadgroupIndexInThreadgroup:
		return true
	}
	return false
}

// variesInSimdgroup reports whether an input differs between the threads of a simdgroup.
func variesInSimdgroup(s ir.Source) bool {
	return s != ir.SimdgroupIndexInThreadgroup && variesInThreadgroup(s)
}

// Varying reports whether a register may hold different values in threads that can read it.
func (u *Uniformity) Varying(r ir.Reg) bool { return u.varying[r] }

// VaryingRegisters says it of every register.
func (u *Uniformity) VaryingRegisters() []bool { return slices.Clone(u.varying) }

// Reads is how many instructions and conditions read a register.
func (u *Uniformity) Reads(r ir.Reg) int { return u.reads[r] }

// AllReads is that number for every register.
func (u *Uniformity) AllReads() []int { return slices.Clone(u.reads) }

// IndexReads is how many of these reads are the index of an access outside private memory that is not atomic.
func (u *Uniformity) IndexReads(r ir.Reg) int { return u.indices[r] }

// Setter is the instruction that sets a temporary. For a variable it is the last one in the order of the source.
func (u *Uniformity) Setter(r ir.Reg) *ir.Instr { return u.setter[r] }

// Local reports whether all mentions of a register are in one list of nodes.
func (u *Uniformity) Local(r ir.Reg) bool { return u.local[r] }

// SetFirst reports whether the first mention of a register sets it, in the innermost list that contains all mentions:
// then no thread reads what a former iteration left.
func (u *Uniformity) SetFirst(r ir.Reg) bool { return u.top[r] }

// ReadOutside reports whether some read of a register may lie outside a construct.
func (u *Uniformity) ReadOutside(r ir.Reg, owner ir.Node) bool {
	at := u.readers[r]
	return at != nil && !at.within(owner)
}

// Together reports whether all active threads take an exit at once.
func (u *Uniformity) Together(e *ir.Exit) bool { return u.together[e] }

// SomeLeave reports whether some threads can leave from within the nodes while others stay.
func (u *Uniformity) SomeLeave(nodes ...ir.Node) bool {
	return ir.Contains(nodes, func(n ir.Node) bool {
		e, ok := n.(*ir.Exit)
		return ok && !u.together[e]
	})
}

// EndsIn reports whether a variable is set before a loop, in the same list, and read in the loop and nowhere else.
func (u *Uniformity) EndsIn(r ir.Reg, n *ir.Loop) bool {
	at := u.readers[r]
	for at != nil && (at.owner != n || at.parent.owner == n) {
		at = at.parent
	}
	return at != nil && u.top[r] && at.parent == u.home[r]
}

// scan records where registers are set and mentioned, and where threads leave.
func (u *Uniformity) scan(list []ir.Node, at *region, first []*region) {
	for _, n := range list {
		switch n := n.(type) {
		case *ir.Instr:
			u.scanInstr(n, at, first)
		case *ir.If:
			u.mention(n.Cond, at, false, first)
			u.scan(n.Then, at.inside(n), first)
			u.scan(n.Else, at.inside(n), first)
		case *ir.Loop:
			whole := at.inside(n)
			u.scan(n.Head, whole.inside(n), first)
			u.mention(n.Cond, whole, false, first)
			u.scan(n.Body, whole.inside(n), first)
			u.scan(n.Post, whole.inside(n), first)
		case *ir.Block:
			u.scan(n.Body, at.inside(n), first)
		case *ir.Exit:
			u.exits = append(u.exits, departure{n, at})
		}
	}
}

func (u *Uniformity) scanInstr(in *ir.Instr, at *region, first []*region) {
	for _, r := range in.Reads() {
		u.mention(r, at, false, first)
	}
	if m := in.Mem; m != nil && m.Index != ir.None && m.Space != syntax.Thread && in.Op != ir.Atomic {
		u.indices[m.Index]++
	}
	for _, r := range in.Dst {
		u.mention(r, at, true, first)
		u.setter[r] = in
	}
	u.defs = append(u.defs, definition{in, at})
}

// mention records that a register is set or read in a region.
func (u *Uniformity) mention(r ir.Reg, at *region, set bool, first []*region) {
	if r == ir.None {
		return
	}
	if !set {
		u.reads[r]++
		u.readers[r] = common(u.readers[r], at)
	}
	if u.home[r] == nil {
		u.home[r], u.local[r] = at, true
		if set {
			first[r] = at
		}
		return
	}
	u.local[r] = u.local[r] && u.home[r] == at
	u.home[r] = common(u.home[r], at)
}

// propagate is one pass over all departures and definitions.
func (u *Uniformity) propagate(p *fixpoint.Pass) {
	for _, d := range u.exits {
		to := target(d.exit)
		if to == u.k.Body[0] || !u.divergent(d.at, to) {
			continue
		}
		fixpoint.MoveIn(p, u.apart, to, true)
		if d.exit.Kind == ir.Continue {
			fixpoint.MoveIn(p, u.skips, d.exit.Loop, true)
		}
	}
	for _, d := range u.defs {
		for _, r := range d.in.Dst {
			if !u.varying[r] && (u.variesByValue(d.in) || u.variesByRegion(r, d.at)) {
				p.Raise(&u.varying[r])
			}
		}
	}
}

// variesByValue reports whether the results of an instruction differ where all threads execute it.
func (u *Uniformity) variesByValue(in *ir.Instr) bool {
	if in.Op.Info().Varies || in.Op == ir.Load && in.Mem.Space == syntax.Thread {
		return true
	}
	for _, r := range in.Reads() {
		if r != ir.None && u.varying[r] {
			return true
		}
	}
	return false
}

// variesByRegion applies the rules for variables under divergence and for temporaries after loops.
func (u *Uniformity) variesByRegion(r ir.Reg, at *region) bool {
	home := u.home[r]
	temp := u.k.Regs[r].Kind == ir.Temp
	if !temp && !u.top[r] {
		home = nil
	}
	for ; at != home && at.owner != nil; at = at.parent {
		loop, isLoop := at.owner.(*ir.Loop)
		if !u.splits(at.owner) || temp && !isLoop || at.parent.owner == at.owner {
			continue
		}
		if temp || !isLoop || u.skips[loop] || at.parent != home || !u.readers[r].within(loop) {
			return true
		}
	}
	return false
}

// divergent reports whether threads may be apart between region at and the construct target around it.
func (u *Uniformity) divergent(at *region, target any) bool {
	for ; at.owner != nil && at.owner != target; at = at.parent {
		if u.splits(at.owner) {
			return true
		}
	}
	return false
}

// splits reports whether a construct runs its parts for some threads and not for others.
func (u *Uniformity) splits(owner any) bool {
	switch o := owner.(type) {
	case *ir.If:
		return u.varying[o.Cond]
	case *ir.Loop:
		return u.apart[o] || o.Cond != ir.None && u.varying[o.Cond]
	}
	return u.apart[owner]
}
