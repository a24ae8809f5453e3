package simt

import "metalconform/metalrun/internal/ir"

// A register is consecutive if its value is the thread's index in the
// threadgroup plus something that is the same for all threads that can read it.
// Accesses at such an index are runs of memory.

// consecutives finds these registers. Like uniformity it starts from the
// assumption that all are, and takes it back until nothing changes. Positions
// along x count as the thread's index: launches with more dimensions are told
// apart when they run.
func (u *uniformity) consecutives() []bool {
	is := make([]bool, len(u.k.Regs))
	for r, info := range u.k.Regs {
		switch info.Kind {
		case ir.Input:
			is[r] = info.Input == ir.ThreadIndexInThreadgroup || info.Input == ir.ThreadPositionInThreadgroupX || info.Input == ir.ThreadPositionInGridX
		case ir.Temp, ir.Variable:
			is[r] = info.Type == ir.I32 && u.varying[r]
		}
	}
	for changed := true; changed; {
		changed = false
		for _, d := range u.defs {
			for _, r := range d.in.Dst {
				if is[r] && (!u.staysConsecutive(d.in, is) || u.variesByPlace(r, d.at)) {
					is[r], changed = false, true
				}
			}
		}
	}
	return is
}

func (u *uniformity) staysConsecutive(in *ir.Instr, is []bool) bool {
	switch in.Op {
	case ir.Copy:
		return is[in.Args[0]]
	case ir.Add:
		a, b := in.Args[0], in.Args[1]
		return is[a] && !u.varying[b] || is[b] && !u.varying[a]
	case ir.Sub:
		return is[in.Args[0]] && !u.varying[in.Args[1]]
	}
	return false
}

// run is an access of words at consecutive indices from a uniform base.
type run struct {
	access *access
	slot   int // for what is no run when it comes to it
	gather op  // loads into slot
}

// words gives the run of memory that all threads of the threadgroup access, if
// they are active and it is one.
func (a *access) words(m *machine) (mem *memory, words []uint32, ok bool) {
	if !m.whole || m.size[0] != m.n {
		return nil, nil, false
	}
	mem, off, ok := a.whence(m)
	off += a.in.Mem.Disp
	if !ok || off&3 != 0 {
		return nil, nil, false
	}
	first := m.operand(&a.index)[0]
	if a.plus >= 0 {
		first += m.uni32[a.plus]
	}
	i := wordIndex(first, a.in.Mem.IndexSigned)
	if i+int64(m.n) > 1<<31 && !a.in.Mem.IndexSigned || i < 0 {
		return nil, nil, false
	}
	i += off >> 2
	if i < 0 || i > int64(len(mem.words)-m.n) {
		return nil, nil, false
	}
	return mem, mem.words[i : i+int64(m.n) : i+int64(m.n)], true
}

// consecutive reports whether an access is of words at consecutive indices from
// a uniform base.
func (c *compiler) consecutive(a *access) bool {
	mem := a.in.Mem
	return !a.uniform && a.base == nil && a.size == 4 && mem.Scale == 4 && a.index64 == nil && c.following[mem.Index]
}

func (r *run) lanes(m *machine) []uint32 {
	if _, words, ok := r.access.words(m); ok {
		return words
	}
	r.gather(m)
	return m.lanes(r.slot)
}
