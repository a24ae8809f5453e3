package metalrun

import (
	"maps"
	"slices"
	"strings"

	"metalconform/metalrun/internal/ir"
)

// Languages whose arrays know their lengths hand kernels the sizes of their buffers, in bytes. Such a size is divided
// by that of an element, and an index is compared with the quotient, or kept below it, before the element is accessed.

// measuring is what is known so far of such sizes.
type measuring struct {
	shares    map[ir.Reg]share
	bounds    map[ir.Reg]share             // of indices, where the last comparison was
	compared  map[ir.Reg]bound             // by condition
	offsets   map[ir.Reg]offset            // in bytes, of elements
	votes     map[bufferOffset]map[int]int // accesses, by size and buffer
	otherwise map[bufferOffset]bool        // sizes that are used undivided
}

// share is the quotient of an integer of an argument and a number, with other numbers added and subtracted.
type share struct {
	of bufferOffset
	by int64
}

// offset is an index times the size of an element.
type offset struct {
	index ir.Reg
	size  int64
}

// bound is an index that a condition compares, and what it was compared with before.
type bound struct {
	index  ir.Reg
	before share
}

func newMeasuring() measuring {
	return measuring{shares: map[ir.Reg]share{}, bounds: map[ir.Reg]share{}, compared: map[ir.Reg]bound{},
		offsets: map[ir.Reg]offset{},
		votes:   map[bufferOffset]map[int]int{}, otherwise: map[bufferOffset]bool{}}
}

// measure notes what instructions say about sizes of buffers. What a condition compares holds after it only if nothing
// else is known there: whoever leaves early does not come back.
func (u *tracing) measure(nodes []ir.Node) {
	for _, n := range nodes {
		if in, is := n.(*ir.Instr); is {
			u.measureInstr(in)
			continue
		}
		for _, part := range ir.Parts(n) {
			u.measure(*part)
		}
		if n, is := n.(*ir.If); is {
			if c := u.measured.compared[n.Cond]; c.before.by > 0 {
				u.measured.bounds[c.index] = c.before
			}
		}
	}
}

func (u *tracing) measureInstr(in *ir.Instr) {
	m := &u.measured
	switch {
	case in.Mem != nil:
		if in.Op == ir.Load {
			for _, d := range in.Dst {
				if t := u.regs[d]; t.direct && !t.varies && len(t.from) == 1 {
					m.shares[d] = share{t.from[0], 1}
				}
			}
		}
		if in.Mem.Index != ir.None {
			u.vote(in.Mem.Base, offset{in.Mem.Index, in.Mem.Scale})
		}
	case in.Op == ir.PtrAdd:
		u.vote(in.Args[0], m.offset(in.Args[1]))
	case len(in.Args) > 0 && len(in.Dst) == 1 && !u.divide(in):
		u.compare(in)
		for _, x := range in.Args {
			if q, some := m.shares[x]; some && q.by == 1 {
				m.otherwise[q.of] = true
			}
		}
	}
}

// divide follows an integer on its way to a quotient, and reports whether the instruction is a step of it.
func (u *tracing) divide(in *ir.Instr) bool {
	m, d, a := &u.measured, in.Dst[0], in.Args[0]
	q, some := m.shares[a]
	if in.Op == ir.Copy || in.Op == ir.Convert {
		if b, bounded := m.bounds[a]; bounded {
			m.bounds[d] = b
		}
		m.offsets[d] = m.offset(a)
		if some {
			m.shares[d] = q
		}
		return true
	}
	if len(in.Args) < 2 || !some || u.kernel.Regs[in.Args[1]].Kind != ir.Literal {
		return false
	}
	by := u.kernel.Regs[in.Args[1]].Bits
	switch {
	case in.Op == ir.Add || in.Op == ir.Sub:
	case in.Op == ir.UDiv:
		q.by *= int64(by)
	case in.Op == ir.LShr && by < 16:
		q.by <<= by
	default:
		return false
	}
	m.shares[d] = q
	return true
}

// compare notes what is compared with a quotient, and offsets of elements.
func (u *tracing) compare(in *ir.Instr) {
	m, d, a := &u.measured, in.Dst[0], in.Args[0]
	if len(in.Args) < 2 {
		return
	}
	b := in.Args[1]
	switch in.Op {
	case ir.Mul:
		if by := u.kernel.Regs[b]; by.Kind == ir.Literal {
			of := m.offset(a)
			m.offsets[d] = offset{of.index, of.size * int64(by.Bits)}
		}
	case ir.SLt, ir.SLe, ir.ULt, ir.ULe:
		for _, x := range [][2]ir.Reg{{a, b}, {b, a}} {
			if q := m.shares[x[0]]; q.by > 1 {
				index := m.offset(x[1]).index
				m.compared[d] = bound{index, m.bounds[index]}
				m.bounds[index] = q
			}
		}
	case ir.Math:
		if !strings.HasPrefix(in.Fn, "min_") {
			return
		}
		for _, x := range []ir.Reg{a, b} {
			if q := m.shares[x]; q.by > 1 {
				m.bounds[d] = q
			}
		}
	}
}

// offset is what a register is as one.
func (m *measuring) offset(r ir.Reg) offset {
	if of, some := m.offsets[r]; some {
		return of
	}
	return offset{r, 1}
}

// vote notes an access to an element at an index: what bounds the index is the size of the buffer.
func (u *tracing) vote(base ir.Reg, at offset) {
	m := &u.measured
	of := m.offset(at.index)
	size := of.size * at.size
	q, bounded := m.bounds[at.index]
	if !bounded {
		q, bounded = m.bounds[of.index]
	}
	if t := u.regs[base]; bounded && t.pointer && q.by == size {
		if m.votes[q.of] == nil {
			m.votes[q.of] = map[int]int{}
		}
		m.votes[q.of][t.buffer]++
	}
}

// measures is the buffer that an integer is the size of. Sizes come in arguments of their own.
func (u *tracing) measures(at bufferOffset) (buffer int, is bool) {
	for other := range u.uses {
		if m := u.measured; other.buffer == at.buffer && (len(m.votes[other]) == 0 || m.otherwise[other]) {
			return 0, false
		}
	}
	votes := u.measured.votes[at]
	buffers := slices.Sorted(maps.Keys(votes))
	return slices.MaxFunc(buffers, func(a, b int) int { return votes[a] - votes[b] }), true
}
