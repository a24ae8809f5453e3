package simt

import "metalconform/metalrun/internal/ir"

// reach is what an access of a loop comes to in all turns: elements one after the other, from the counter's number on,
// or one element for all threads.
type reach struct {
	a      *access
	single bool
	index  int     // of a single one: uniform register, or -1
	terms  []shift // what is added to the counter
}

// shift is a uniform register that is added or subtracted.
type shift struct {
	at       int
	subtract bool
}

// maxReaches bounds the accesses of a loop that are compared with each other.
const maxReaches = 16

// addressRange is a range of addresses.
type addressRange struct {
	from, to uintptr
	size     int64 // of an element
	single   bool
	written  bool
}

// span gives the range of an access in so many elements from the counter's number first on. ok is false unless all of it
// exists.
func (r *reach) span(m *machine, first uint32, count int64) (s addressRange, ok bool) {
	a := r.a
	mem, off, ok := a.whence(m)
	off += a.disp
	if !ok || off&(a.size-1) != 0 || a.write && mem.readOnly {
		return s, false
	}
	index := int64(0)
	switch {
	case !r.single:
		for _, t := range r.terms {
			if t.subtract {
				first -= m.uni32[t.at]
			} else {
				first += m.uni32[t.at]
			}
		}
		if index = wordIndex(first, a.sign); index < 0 || index+count > mostIndex {
			return s, false
		}
	case r.index >= 0:
		index, count = wordIndex(m.uni32[r.index], a.sign), 1
		if off += index * a.in.Mem.Scale; off&(a.size-1) != 0 {
			return s, false
		}
		index = 0
	default:
		count = 1
	}
	index += off >> a.log
	if index < 0 || index+count > min(mem.size>>a.log, mostElements) {
		return s, false
	}
	from := begin(*mem) + uintptr(index<<a.log)
	return addressRange{from: from, to: from + uintptr(count<<a.log), size: a.size, single: r.single, written: a.write}, true
}

// apart reports whether none of these ranges that are written shares bytes with another, unless both are the same
// elements in the same order: then each turn has its own.
func apart(spans []addressRange) bool {
	for i, s := range spans {
		for _, t := range spans[:i] {
			same := s.from == t.from && s.size == t.size && !s.single && !t.single
			if (s.written || t.written) && !same && s.from < t.to && t.from < s.to {
				return false
			}
		}
	}
	return true
}

// reach gives that of an access of a loop with the counter, or false if it is of another kind.
func (c *compiler) reach(in *ir.Instr, counter ir.Reg, n *ir.Loop) (r reach, ok bool) {
	mem := in.Mem
	if !c.uniform(mem.Base) || mem.Volatile || len(in.Dst)+len(in.Args) != 1 || ir.Sets(n.Body, mem.Base) {
		return r, false
	}
	a := &access{in: in, disp: mem.Disp, sign: mem.IndexSigned, size: int64(in.From.Size()), write: in.Op == ir.Store, base64: c.p.slots[mem.Base].index}
	if a.log, ok = log2(a.size); !ok {
		return r, false
	}
	if a.object = c.u.PointsInto(mem.Base, mem.Space); a.object >= 0 {
		a.origin = c.origin(a.object)
	}
	r = reach{a: a, index: -1}
	switch {
	case mem.Index == ir.None || c.uniform(mem.Index):
		if r.single = true; mem.Index != ir.None {
			r.index = c.p.slots[mem.Index].index
		}
		return r, !a.write && (mem.Index == ir.None || !c.p.slots[mem.Index].wide && !ir.Sets(n.Body, mem.Index))
	case mem.Scale != a.size || !c.following[mem.Index]:
		return r, false
	}
	r.terms, ok = c.shifts(mem.Index, counter, n)
	return r, ok
}

// shifts gives what is added to the counter of a loop for a register of its body, if that is known in front of the loop.
func (c *compiler) shifts(r, counter ir.Reg, n *ir.Loop) (terms []shift, ok bool) {
	for r != counter {
		in := c.u.Setter(r)
		if in == nil || c.p.kernel.Regs[r].Kind != ir.Temp || in.Op != ir.Add && in.Op != ir.Sub && in.Op != ir.Copy {
			return nil, false
		}
		if in.Op == ir.Copy {
			r = in.Args[0]
			continue
		}
		from, by := in.Args[0], in.Args[1]
		if c.uniform(from) && in.Op == ir.Add {
			from, by = by, from
		}
		if !c.uniform(by) || ir.Sets(n.Body, by) {
			return nil, false
		}
		terms, r = append(terms, shift{c.p.slots[by].index, in.Op == ir.Sub}), from
	}
	return terms, true
}
