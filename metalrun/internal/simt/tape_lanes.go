package simt

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// Of most lanes little has to be recorded. A lane matters if it stores what the element is sensitive
// to, or if the element is sensitive to what its registers and its memory hold where the records end.
// Of all others only those operations matter that may lead to what another lane reads.

// crossing is which operations do: all.
type crossing struct {
	x    *exactness
	read map[place]bool // objects that threads share and read
	regs []bool         // registers whose values may reach another lane
	own  map[place]bool // objects of a thread that hold such values
	all  map[*ir.Instr]bool
}

// crossings starts from operations of several lanes, and goes back until nothing changes.
func crossings(x *exactness) *crossing {
	c := &crossing{x: x, read: map[place]bool{}, regs: make([]bool, len(x.has)), own: map[place]bool{}, all: map[*ir.Instr]bool{}}
	for in := range ir.Instrs(x.u.k.Body...) {
		if in.Mem != nil && in.Mem.Space != syntax.Thread && in.Op.Info().Effects.Has(ir.Reads) {
			for _, at := range x.places(in.Mem) {
				c.read[at] = true
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for in := range ir.Instrs(x.u.k.Body...) {
			if c.all[in] || !c.leads(in) {
				continue
			}
			c.all[in], changed = true, true
			for _, a := range in.Args {
				if a != ir.None {
					c.regs[a] = true
				}
			}
			if in.Op != ir.Load || in.Mem.Space != syntax.Thread {
				continue
			}
			for _, at := range x.places(in.Mem) {
				c.own[at] = true
			}
		}
	}
	return c
}

// leads reports whether what an instruction does may reach another lane.
func (c *crossing) leads(in *ir.Instr) bool {
	info := in.Op.Info()
	if info.Effects.Has(ir.Collective) || slices.ContainsFunc(in.Dst, func(r ir.Reg) bool { return c.regs[r] }) {
		return true
	}
	if in.Mem == nil || !info.Effects.Has(ir.Writes) {
		return false
	}
	return slices.ContainsFunc(c.x.places(in.Mem), func(at place) bool { return c.read[at] || c.own[at] })
}

// storing is a threadgroup that stores what the element is sensitive to, and the lanes that do.
type storing struct {
	group int
	lanes []bool
}

// stored notes that a lane does.
func (t *tape) stored(group, lane int) {
	if len(t.stores) == 0 || t.stores[len(t.stores)-1].group != group {
		t.stores = append(t.stores, storing{group, make([]bool, t.n)})
	}
	t.stores[len(t.stores)-1].lanes[lane] = true
}

// want finds the lanes that matter in the records of a run.
func (t *tape) want(ownEnd int) {
	t.wants = make([]bool, t.n)
	copy(t.wants, t.storing)
	for _, of := range [][2]int{{t.narrow, t.uni}, {t.own, ownEnd}} {
		for i, a := range t.adjoint[of[0]:of[1]] {
			if a != 0 {
				t.wants[i%t.n] = true
			}
		}
	}
}
