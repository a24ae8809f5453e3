package redundancy

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/syntax"
)

// location is the memory of an access.
type location struct {
	mem   *ir.Mem
	from  ir.Scalar
	bytes int64
	known bool   // the address is a sum of values
	terms string // of the sum, without its constant
	disp  int64  // its constant
	any   bool   // elements that overlap those of any type
}

// cellKey is the address and type of an element. Of a vector it is the address of the vector.
type cellKey struct {
	terms  string
	disp   int64
	from   ir.Scalar
	vector bool
}

// cell is an element of memory that holds a known value, or a vector of which an access has a component.
type cell struct {
	at    location
	value *value
	by    *computation
}

// mostCells is the number of cells that are kept at a time. A kernel that uses more loses some redundancies.
const mostCells = 512

// location is the memory of an access in the order of the source.
func (n *numbering) location(in *ir.Instr) location {
	at := unknownLocation(in)
	at.known = true
	at.terms, at.disp = n.addressOf(in.Mem)
	return at
}

func unknownLocation(in *ir.Instr) location {
	elements := len(in.Dst) + len(in.Args)
	return location{mem: in.Mem, from: in.From, bytes: int64(elements * in.From.Size()),
		any: elements > 1 || in.Mem.VectorBytes > 0 || in.From == ir.S8 || in.From == ir.U8 || in.Op == ir.Atomic}
}

// element is the key of an element of a location.
func (at *location) element(i int) cellKey {
	return cellKey{terms: at.terms, disp: at.disp + int64(i*at.from.Size()), from: at.from}
}

// overlap reports whether a write to b may change a.
func (n *numbering) overlap(a, b *location) bool {
	switch {
	case a.mem.Space != b.mem.Space:
		return false
	case a.mem.Space != syntax.Device && analysis.Apart(n.k, a.mem, b.mem):
		return false
	case a.known && b.known && a.terms == b.terms:
		return a.disp < b.disp+b.bytes && b.disp < a.disp+a.bytes
	}
	return a.any || b.any || typeClass(a.from) == typeClass(b.from)
}

// typeClass is a type that stands for all that may be accessed as each other.
func typeClass(s ir.Scalar) ir.Scalar {
	switch s {
	case ir.S16:
		return ir.U16
	case ir.S32:
		return ir.U32
	case ir.S64:
		return ir.U64
	}
	return s
}

// written is what a loop may write, and whether it orders accesses.
func (n *numbering) written(l *ir.Loop) (list []location, fence bool) {
	for in := range ir.Instrs(l) {
		effects := in.Op.Info().Effects
		switch {
		case effects.Has(ir.Orders) || in.Op == ir.Atomic || in.Op >= ir.Extended || in.Mem != nil && in.Mem.Volatile:
			fence = true
		case effects.Has(ir.Writes):
			at := unknownLocation(in)
			if kind := n.k.Regs[in.Mem.Base].Kind; in.Mem.Index == ir.None && kind != ir.Temp && kind != ir.Variable {
				at = n.location(in)
			}
			list = append(list, at)
		}
	}
	return list, fence
}

// changes reports whether iterations of a loop may change a location.
func (n *numbering) changes(loop *construct, at *location) bool {
	if loop.fence && shared(at.mem) {
		return true
	}
	for i := range loop.writes {
		if n.overlap(at, &loop.writes[i]) {
			return true
		}
	}
	return false
}

// forgetChanged forgets the cells that a loop may change.
func (n *numbering) forgetChanged(loop *construct) {
	for key, c := range n.mem {
		if n.changes(loop, &c.at) {
			n.remember(key, nil)
		}
	}
}

// joinCells keeps the cells that hold the same on all ways.
func (n *numbering) joinCells(ways []*state) {
	for _, w := range ways {
		for key, c := range w.cells {
			if !n.agreed(ways, key, c) {
				c = nil
			}
			n.remember(key, c)
		}
	}
}

// agreed reports whether an element holds the same as a cell on all ways.
func (n *numbering) agreed(ways []*state, key cellKey, c *cell) bool {
	for _, w := range ways {
		other, changed := w.cells[key]
		if !changed {
			other = n.mem[key]
		}
		if c == nil || other == nil || other.value != c.value || other.by != c.by {
			return false
		}
	}
	return true
}

// remember lets an element of memory hold something, or nothing that is known.
func (n *numbering) remember(key cellKey, c *cell) {
	if c != nil && len(n.mem) >= mostCells {
		for other := range n.mem {
			n.remember(other, nil)
		}
	}
	n.cellTrail = append(n.cellTrail, cellChange{key, n.mem[key]})
	n.put(key, c)
}

func (n *numbering) put(key cellKey, c *cell) {
	if c == nil {
		delete(n.mem, key)
	} else {
		n.mem[key] = c
	}
}

// load numbers a load.
func (n *numbering) load(in *ir.Instr, s *scope) {
	at := n.location(in)
	held, all := make([]*value, len(in.Dst)), true
	for i := range in.Dst {
		if c := n.mem[at.element(i)]; c != nil {
			held[i] = c.value
			c.by.reuse()
		}
		all = all && held[i] != nil
	}
	if !all {
		n.access(in, s, &at, held)
	}
	for i, d := range in.Dst {
		n.set(d, held[i])
	}
}

// access adds the computation of a load, and gives values to the elements that have none.
func (n *numbering) access(in *ir.Instr, s *scope, at *location, held []*value) {
	address := n.reads(in.Mem)
	varies := n.home(s, address, false)
	for l := s.loop; l != nil && l.depth() > varies.depth(); l = l.loop {
		if n.changes(l, at) {
			varies = l
		}
	}
	c := n.compute(in, nil, s, varies)
	c.address, c.object = address, n.arrayOf(in.Mem)
	c.free = c.object >= 0 && n.arrays[c.object].promoted
	for i := range held {
		if held[i] == nil {
			held[i] = c.results[i]
			n.learn(at.element(i), &cell{at: *at, value: held[i], by: c}, s, varies)
		}
	}
	if bytes := int64(in.Mem.VectorBytes); bytes > 0 {
		key := cellKey{terms: at.terms, disp: at.disp &^ (bytes - 1), vector: true}
		if first := n.mem[key]; first != nil {
			c.vector = first.by
		} else {
			n.learn(key, &cell{at: *at, by: c}, s, varies)
		}
	}
	for key, w := range n.unread {
		if written := n.location(w.in); n.overlap(at, &written) {
			delete(n.unread, key)
		}
	}
}

// learn remembers a cell, also after the loops that its load was moved in front of.
func (n *numbering) learn(key cellKey, c *cell, s *scope, varies *construct) {
	n.remember(key, c)
	for l := s.loop; l != varies; l = l.loop {
		l.moved = append(l.moved, movedCell{key, c})
	}
}

// store numbers a store.
func (n *numbering) store(in *ir.Instr, s *scope) {
	at, args := n.location(in), n.operands(in)
	c := n.compute(in, args, s, s.loop)
	c.address, c.object, c.elements = n.reads(in.Mem), n.arrayOf(in.Mem), len(args)
	c.free = c.object >= 0 && n.arrays[c.object].promoted
	if c.object >= 0 {
		a := &n.arrays[c.object]
		a.stores = append(a.stores, c)
	}
	c.overwritten = true // by what memory holds already
	for i, v := range args {
		known := n.mem[at.element(i)]
		c.overwritten = c.overwritten && known != nil && known.value == v
	}
	if c.overwritten {
		return
	}
	n.effort += len(n.mem)
	for key, known := range n.mem {
		if n.overlap(&known.at, &at) {
			n.remember(key, nil)
		}
	}
	for i, v := range args {
		one := at
		one.disp, one.bytes = at.disp+int64(i*at.from.Size()), int64(at.from.Size())
		n.remember(at.element(i), &cell{at: one, value: v})
	}
	key := at.element(0)
	if before := n.unread[key]; before != nil && len(before.in.Args) == len(in.Args) {
		before.overwritten = true
	}
	n.unread[key] = c
}

// array is an object of the kernel.
type array struct {
	own      bool // of a thread, and accessed by nothing but its address
	promoted bool // its elements are registers
	stores   []*computation
}

// arrayOf is the number of an array of a thread that nothing but its address leads to, or -1.
func (n *numbering) arrayOf(m *ir.Mem) int {
	if base := n.k.Regs[m.Base]; m.Space == syntax.Thread && base.Kind == ir.Address && n.arrays[base.Index].own {
		return base.Index
	}
	return -1
}

// arraysOf finds the arrays of a thread that nothing but their addresses lead to. A short one is promoted if the source
// knows all its indices.
func arraysOf(k *ir.Kernel) []array {
	list := make([]array, len(k.Objects))
	for i, o := range k.Objects {
		list[i].own = o.Space == syntax.Thread
		list[i].promoted = list[i].own && o.Size <= analysis.PromotedArray
	}
	fixed := fixedIndices(k)
	lose := func(r ir.Reg) {
		if info := k.Regs[r]; info.Kind == ir.Address {
			list[info.Index] = array{}
		}
	}
	for in := range ir.Instrs(k.Body...) {
		for _, r := range in.Args {
			lose(r)
		}
		switch m := in.Mem; {
		case m == nil:
		case m.Volatile || in.Op != ir.Load && in.Op != ir.Store:
			lose(m.Base)
		case m.Index != ir.None && !fixed[m.Index]:
			if info := k.Regs[m.Base]; info.Kind == ir.Address {
				list[info.Index].promoted = false
			}
		}
	}
	return list
}

// fixedIndices are the registers that are literals after loops have been unrolled.
func fixedIndices(k *ir.Kernel) []bool {
	fixed := make([]bool, len(k.Regs))
	for r, info := range k.Regs {
		fixed[r] = info.Kind == ir.Literal
	}
	ir.Walk(k.Body, func(node ir.Node) bool {
		if l, ok := node.(*ir.Loop); ok {
			if trips := analysis.TripCount(k, l); trips > 0 && analysis.UnrolledBodies(k, l) == trips {
				for in := range ir.Instrs(l.Post...) {
					if in.Op == ir.Add && in.Args[0] == in.Dst[0] && fixed[in.Args[1]] && !ir.Sets(l.Body, in.Dst[0]) {
						fixed[in.Dst[0]] = true
					}
				}
			}
		}
		return true
	})
	for in := range ir.Instrs(k.Body...) {
		if in.Op.Info().Effects != 0 || len(in.Dst) != 1 || k.Regs[in.Dst[0]].Kind != ir.Temp || in.Op.Info().Varies {
			continue
		}
		known := len(in.Args) > 0
		for _, r := range in.Args {
			known = known && fixed[r]
		}
		fixed[in.Dst[0]] = known
	}
	return fixed
}
