package simt

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// uniformity decides which registers hold the same value in all threads that
// can read them. It starts from the assumption that all do and takes it back
// until nothing changes:
//
//   - thread positions vary, and whatever is computed from a varying value;
//   - private memory, atomics and simdgroup functions give varying values;
//   - a variable set under divergent control flow varies, unless every
//     mention of it lies inside the same divergent region, after it is set at
//     that region's top. A loop that threads leave at different turns counts as
//     such only for variables that are read after it or set before it in
//     another list: the threads still in it have all made the same turns;
//   - a temporary that is read after a loop whose threads leave at different
//     turns varies, because each thread saw another turn.
//
// Threads that left the entry point do not count: they read nothing any more.
type uniformity struct {
	k        *ir.Kernel
	varying  []bool
	defs     []definition
	exits    []departure
	home     []*region   // per register: innermost region around all mentions
	readers  []*region   // per register: innermost region around all reads
	top      []bool      // per register: the first mention sets it, directly in home
	local    []bool      // per register: all mentions are in one list
	uses     []int       // per register: number of reads
	indices  []int       // per register: how many of them are as the index of an access outside private memory
	setter   []*ir.Instr // per temporary: what sets it
	apart    map[any]bool
	together map[*ir.Exit]bool // exits that all active threads take at once
	skips    map[*ir.Loop]bool // some threads may skip the rest of a turn
	changed  bool
}

// region is a list of nodes: an arm of an If, or a part of a Loop or a Block.
// The three parts of a Loop lie in a region of their own.
type region struct {
	parent *region
	owner  any // *ir.If, *ir.Loop or *ir.Block; nil for the root
	depth  int
}

type definition struct {
	in *ir.Instr
	at *region
}

type departure struct {
	exit *ir.Exit
	at   *region
}

// target is the construct that an exit leaves, or whose turn it ends.
func (d departure) target() any {
	if d.exit.Kind == ir.Leave {
		return d.exit.Block
	}
	return d.exit.Loop
}

func analyseUniformity(k *ir.Kernel) *uniformity { return analyse(k, varyingInput) }

// analyse does so for any threads that go together: varies tells which inputs differ between them.
func analyse(k *ir.Kernel, varies func(ir.Source) bool) *uniformity {
	n := len(k.Regs)
	u := &uniformity{k: k, varying: make([]bool, n), home: make([]*region, n), readers: make([]*region, n), top: make([]bool, n),
		local: make([]bool, n), uses: make([]int, n), indices: make([]int, n), setter: make([]*ir.Instr, n), apart: map[any]bool{}, skips: map[*ir.Loop]bool{}, together: map[*ir.Exit]bool{}}
	for i, r := range k.Regs {
		u.varying[i] = r.Kind == ir.Input && varies(r.Input)
	}
	first := make([]*region, n) // region of the first mention, if that is a setting
	u.scan(k.Body, &region{}, first)
	for i := range first {
		u.top[i] = first[i] != nil && first[i] == u.home[i]
	}
	for u.changed = true; u.changed; {
		u.changed = false
		u.propagate()
	}
	for _, d := range u.exits {
		u.together[d.exit] = !u.divergent(d.at, d.target())
	}
	return u
}

func varyingInput(s ir.Source) bool {
	switch s {
	case ir.ThreadPositionInGridX, ir.ThreadPositionInGridY, ir.ThreadPositionInGridZ,
		ir.ThreadPositionInThreadgroupX, ir.ThreadPositionInThreadgroupY, ir.ThreadPositionInThreadgroupZ,
		ir.ThreadIndexInThreadgroup, ir.ThreadIndexInSimdgroup, ir.ThreadIndexInQuadgroup,
		ir.SimdgroupIndexInThreadgroup, ir.QuadgroupIndexInThreadgroup:
		return true
	}
	return false
}

// scan records where registers are set and mentioned, and where threads leave.
func (u *uniformity) scan(list []ir.Node, at *region, first []*region) {
	mention := func(r ir.Reg, set bool) { u.mention(r, at, set, first) }
	inside := func(owner any) *region { return at.inside(owner) }
	for _, n := range list {
		switch n := n.(type) {
		case *ir.Instr:
			for _, r := range reads(n) {
				mention(r, false)
			}
			if n.Mem != nil && n.Mem.Index != ir.None && n.Mem.Space != syntax.Thread && n.Op != ir.Atomic {
				u.indices[n.Mem.Index]++
			}
			for _, r := range n.Dst {
				mention(r, true)
				u.setter[r] = n
			}
			u.defs = append(u.defs, definition{n, at})
		case *ir.If:
			mention(n.Cond, false)
			u.scan(n.Then, inside(n), first)
			u.scan(n.Else, inside(n), first)
		case *ir.Loop:
			whole := inside(n)
			u.scan(n.Head, whole.inside(n), first)
			u.mention(n.Cond, whole, false, first)
			u.scan(n.Body, whole.inside(n), first)
			u.scan(n.Post, whole.inside(n), first)
		case *ir.Block:
			u.scan(n.Body, inside(n), first)
		case *ir.Exit:
			u.exits = append(u.exits, departure{n, at})
		}
	}
}

// mention records that a register is set or read in a region.
func (u *uniformity) mention(r ir.Reg, at *region, set bool, first []*region) {
	if r == ir.None {
		return
	}
	if !set {
		u.uses[r]++
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

func (at *region) inside(owner any) *region {
	return &region{parent: at, owner: owner, depth: at.depth + 1}
}

// reads lists the registers that an instruction reads.
func reads(in *ir.Instr) []ir.Reg {
	if in.Mem == nil {
		return in.Args
	}
	return append([]ir.Reg{in.Mem.Base, in.Mem.Index}, in.Args...)
}

// common is the innermost region around a and b; a may be nil.
func common(a, b *region) *region {
	if a == nil {
		return b
	}
	for a != b {
		if a.depth < b.depth {
			a, b = b, a
		}
		a = a.parent
	}
	return a
}

// propagate makes one pass over all definitions and departures.
func (u *uniformity) propagate() {
	for _, d := range u.exits {
		target := d.target()
		if target != u.k.Body[0] && u.divergent(d.at, target) {
			u.part(target)
			if d.exit.Kind == ir.Continue && !u.skips[d.exit.Loop] {
				u.skips[d.exit.Loop], u.changed = true, true
			}
		}
	}
	for _, d := range u.defs {
		for _, r := range d.in.Dst {
			if !u.varying[r] && (u.variesByValue(d.in) || u.variesByRegion(r, d.at)) {
				u.varying[r], u.changed = true, true
			}
		}
	}
}

func (u *uniformity) part(target any) {
	if !u.apart[target] {
		u.apart[target], u.changed = true, true
	}
}

func (u *uniformity) variesByValue(in *ir.Instr) bool {
	if in.Op.Info().Varies || in.Op == ir.Load && in.Mem.Space == syntax.Thread {
		return true
	}
	for _, r := range reads(in) {
		if r != ir.None && u.varying[r] {
			return true
		}
	}
	return false
}

// variesByRegion applies the rules for variables under divergence and for
// temporaries after loops.
func (u *uniformity) variesByRegion(r ir.Reg, at *region) bool {
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

// within reports whether a region lies in a construct.
func (at *region) within(owner any) bool {
	for ; at != nil; at = at.parent {
		if at.owner == owner {
			return true
		}
	}
	return false
}

// ends reports whether a variable is set in front of a loop, in the same list, and read in the loop alone.
func (u *uniformity) ends(r ir.Reg, n *ir.Loop) bool {
	at := u.readers[r]
	for at != nil && (at.owner != n || at.parent.owner == n) {
		at = at.parent
	}
	return at != nil && u.top[r] && at.parent == u.home[r]
}

// divergent reports whether threads may be apart between region at and the construct target around it.
func (u *uniformity) divergent(at *region, target any) bool {
	for ; at.owner != nil && at.owner != target; at = at.parent {
		if u.splits(at.owner) {
			return true
		}
	}
	return false
}

// splits reports whether a construct runs its parts for some threads and not for others.
func (u *uniformity) splits(owner any) bool {
	switch o := owner.(type) {
	case *ir.If:
		return u.varying[o.Cond]
	case *ir.Loop:
		return u.apart[o] || o.Cond != ir.None && u.varying[o.Cond]
	}
	return u.apart[owner]
}
