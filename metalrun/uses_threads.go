package metalrun

import (
	"slices"

	"metalconform/metalrun/internal/ir"
)

// A kernel that goes through its rows in steps of a literal, from where its thread stands, is made for as many
// threads: more of them do the same work twice, and less leave some undone.

// stepping finds the steps of a kernel's loops.
type stepping struct {
	kernel  *ir.Kernel
	sets    map[ir.Reg][]*ir.Instr
	several bool // the kernel tells threads apart along several axes
}

// steppedThreads is the number of threads of a threadgroup that the loops of a kernel step by, 0 if there are none
// that do, or they do not agree.
func steppedThreads(k *ir.Kernel) int {
	s := stepping{kernel: k, sets: map[ir.Reg][]*ir.Instr{}}
	for in := range ir.Instrs(k.Body...) {
		for _, d := range in.Dst {
			s.sets[d] = append(s.sets[d], in)
		}
	}
	for _, r := range k.Regs {
		s.several = s.several || r.Kind == ir.Input &&
			(r.Input == ir.ThreadPositionInThreadgroupY || r.Input == ir.ThreadPositionInThreadgroupZ)
	}
	threads := 0
	for r := range k.Regs {
		n, ok := s.stepped(ir.Reg(r))
		switch {
		case !ok:
		case threads != 0 && n != threads:
			return 0
		default:
			threads = n
		}
	}
	if threads == 0 {
		return s.placedThreads()
	}
	return threads
}

// stepped is how many threads a variable steps by, if it begins where its thread stands.
func (s *stepping) stepped(v ir.Reg) (threads int, ok bool) {
	if s.kernel.Regs[v].Kind != ir.Variable || len(s.sets[v]) < 2 {
		return 0, false
	}
	step, apart := 0, 0
	for _, in := range s.sets[v] {
		n, turns := s.step(in, v)
		if !turns {
			if n = s.begins(in); n == 0 || apart != 0 && n != apart {
				return 0, false
			}
			apart = n
			continue
		}
		if step != 0 && n != step {
			return 0, false
		}
		step = n
	}
	if step <= 0 || apart == 0 || step%apart != 0 {
		return 0, false
	}
	return step / apart, true
}

// step is the literal that an instruction adds to a variable.
func (s *stepping) step(in *ir.Instr, v ir.Reg) (n int, ok bool) {
	if in.Op != ir.Add || in.Args[0] != v {
		return 0, false
	}
	return s.literal(in.Args[1])
}

func (s *stepping) literal(r ir.Reg) (n int, ok bool) {
	info := s.kernel.Regs[r]
	return int(info.Bits), info.Kind == ir.Literal && info.Bits < 1<<16
}

// begins is how far apart the values of an instruction are in neighbouring threads, 0 if that is not known.
func (s *stepping) begins(in *ir.Instr) int {
	switch in.Op {
	case ir.Copy, ir.Convert:
		return s.apart(in.Args[0])
	case ir.Add:
		for i, a := range in.Args[:2] {
			if s.uniform(in.Args[1-i]) {
				return s.apart(a)
			}
		}
	case ir.Mul:
		if n, ok := s.literal(in.Args[1]); ok {
			return s.apart(in.Args[0]) * n
		}
	case ir.Shl:
		if n, ok := s.literal(in.Args[1]); ok && n < 8 {
			return s.apart(in.Args[0]) << n
		}
	}
	return 0
}

func (s *stepping) apart(r ir.Reg) int {
	info := s.kernel.Regs[r]
	switch {
	case info.Kind == ir.Input &&
		(info.Input == ir.ThreadIndexInThreadgroup || info.Input == ir.ThreadPositionInThreadgroupX && !s.several):
		return 1
	case info.Kind != ir.Input && info.Kind != ir.Literal && len(s.sets[r]) == 1:
		return s.begins(s.sets[r][0])
	}
	return 0
}

// uniform reports whether a register is the same in all threads of a threadgroup, as far as where its value comes from
// shows.
func (s *stepping) uniform(r ir.Reg) bool {
	info := s.kernel.Regs[r]
	switch {
	case info.Kind == ir.Literal:
		return true
	case info.Kind == ir.Input:
		return !perThread[info.Input]
	case len(s.sets[r]) != 1:
		return false
	}
	in := s.sets[r][0]
	return !in.Op.Info().Effects.Has(ir.Collective) &&
		!slices.ContainsFunc(sources(in), func(a ir.Reg) bool { return !s.uniform(a) })
}

// sources are the registers that an instruction reads.
func sources(in *ir.Instr) []ir.Reg {
	if in.Mem == nil {
		return in.Args
	}
	list := append(slices.Clone(in.Args), in.Mem.Base)
	if in.Mem.Index != ir.None {
		list = append(list, in.Mem.Index)
	}
	return list
}

// perThread are the inputs that tell the threads of a threadgroup apart.
var perThread = map[ir.Source]bool{
	ir.ThreadPositionInGridX: true, ir.ThreadPositionInGridY: true, ir.ThreadPositionInGridZ: true,
	ir.ThreadPositionInThreadgroupX: true, ir.ThreadPositionInThreadgroupY: true, ir.ThreadPositionInThreadgroupZ: true,
	ir.ThreadIndexInThreadgroup: true, ir.ThreadIndexInSimdgroup: true, ir.ThreadIndexInQuadgroup: true,
	ir.SimdgroupIndexInThreadgroup: true, ir.QuadgroupIndexInThreadgroup: true,
}

// firstOnly are the axes along which a kernel compares positions of threads with literals, and does nothing else with
// them: whoever asks for the first thread of all asks along each axis, however many threads there are along it.
func firstOnly(k *ir.Kernel) (only [3]bool) {
	axis := func(r ir.Reg) int {
		info := k.Regs[r]
		switch {
		case info.Kind != ir.Input:
		case info.Input >= ir.ThreadPositionInThreadgroupX && info.Input <= ir.ThreadPositionInThreadgroupZ:
			return int(info.Input - ir.ThreadPositionInThreadgroupX)
		case info.Input >= ir.ThreadPositionInGridX && info.Input <= ir.ThreadPositionInGridZ:
			return int(info.Input - ir.ThreadPositionInGridX)
		}
		return -1
	}
	var compared, used [3]bool
	for in := range ir.Instrs(k.Body...) {
		literal := (in.Op == ir.Eq || in.Op == ir.Ne) && k.Regs[in.Args[1]].Kind == ir.Literal
		for _, r := range sources(in) {
			if at := axis(r); at >= 0 {
				compared[at], used[at] = compared[at] || literal, used[at] || !literal
			}
		}
	}
	for at := range only {
		only[at] = compared[at] && !used[at]
	}
	return only
}
