package metalrun

import (
	"slices"

	"metalconform/metalrun/internal/ir"
)

// A kernel that multiplies the position of a threadgroup by a literal, and adds where its threads stand, is made for as
// many threads as that literal has room for.

// mostPlaced is the largest threadgroup.
const mostPlaced = 1024

// linear is a register as a sum: multiples of a threadgroup's position along x and of where a thread, or a simdgroup,
// stands there, and a literal.
type linear struct {
	group, thread, simdgroup, literal int
}

func (a linear) plus(b linear) linear {
	return linear{a.group + b.group, a.thread + b.thread, a.simdgroup + b.simdgroup, a.literal + b.literal}
}

func (a linear) times(n int) linear {
	return linear{a.group * n, a.thread * n, a.simdgroup * n, a.literal * n}
}

// places is where the threads of a threadgroup stand, as a sum says.
type places struct {
	linear     // without its literal
	next   int // the least literal above zero with which the sum is met, 0 if there is none
}

// placedThreads is the number of threads of a threadgroup by where they stand in the data, 0 if nothing says it, or not
// all that does agrees. A kernel that asks how many threads there are does its share with any number.
func (s *stepping) placedThreads() int {
	asks := slices.ContainsFunc(s.kernel.Regs, func(r ir.RegInfo) bool {
		sizes := r.Input >= ir.ThreadsPerThreadgroupX && r.Input <= ir.DispatchThreadsPerThreadgroupZ
		return r.Kind == ir.Input && (sizes || r.Input == ir.SimdgroupsPerThreadgroup)
	})
	if s.several || asks {
		return 0
	}
	found := map[linear]*places{}
	known := map[ir.Reg]*linear{}
	for in := range ir.Instrs(s.kernel.Body...) {
		if in.Op != ir.Add || len(in.Dst) != 1 {
			continue
		}
		sum := s.linear(in.Dst[0], known)
		if sum == nil || sum.group <= 0 || (sum.thread > 0) == (sum.simdgroup > 0) {
			continue
		}
		at := *sum
		at.literal = 0
		p := found[at]
		if p == nil {
			p = &places{linear: at}
			found[at] = p
		}
		if n := sum.literal; n >= threadsOfSimdgroup*max(sum.thread, 1) && (p.next == 0 || n < p.next) {
			p.next = n
		}
	}
	threads := 0
	for _, p := range found {
		n := p.threads()
		if n == 0 || threads != 0 && n != threads {
			return 0
		}
		threads = n
	}
	return threads
}

// threads is how many threads there is room for, 0 if that is no number of whole simdgroups.
func (p *places) threads() int {
	room, apart, each := p.group, p.thread, 1
	if p.next > 0 {
		room = min(room, p.next)
	}
	if p.simdgroup > 0 {
		apart, each = p.simdgroup, threadsOfSimdgroup
	}
	n := room / apart * each
	if room%apart != 0 || n%threadsOfSimdgroup != 0 || n > mostPlaced {
		return 0
	}
	return n
}

// linear is a register as a sum; nil if it is none.
func (s *stepping) linear(r ir.Reg, known map[ir.Reg]*linear) *linear {
	if sum, found := known[r]; found {
		return sum
	}
	known[r] = nil // until it is known: a variable may depend on itself
	known[r] = s.sum(r, known)
	return known[r]
}

func (s *stepping) sum(r ir.Reg, known map[ir.Reg]*linear) *linear {
	info := s.kernel.Regs[r]
	switch {
	case info.Kind == ir.Literal && info.Bits < 1<<16:
		return &linear{literal: int(info.Bits)}
	case info.Kind == ir.Input && info.Input == ir.ThreadgroupPositionInGridX:
		return &linear{group: 1}
	case info.Kind == ir.Input &&
		(info.Input == ir.ThreadIndexInThreadgroup || info.Input == ir.ThreadPositionInThreadgroupX):
		return &linear{thread: 1}
	case info.Kind == ir.Input && info.Input == ir.SimdgroupIndexInThreadgroup:
		return &linear{simdgroup: 1}
	case info.Kind == ir.Input || info.Kind == ir.Literal || len(s.sets[r]) != 1:
		return nil
	}
	in := s.sets[r][0]
	var args []*linear
	for _, a := range in.Args {
		args = append(args, s.linear(a, known))
	}
	switch {
	case len(args) == 0 || args[0] == nil || len(args) > 1 && args[1] == nil:
	case in.Op == ir.Copy, in.Op == ir.Convert && !in.From.Type().IsFloat() && !in.To.Type().IsFloat():
		return args[0]
	case in.Op == ir.Add:
		sum := args[0].plus(*args[1])
		return &sum
	case in.Op == ir.Mul && *args[1] == linear{literal: args[1].literal}:
		sum := args[0].times(args[1].literal)
		return &sum
	case in.Op == ir.Shl && *args[1] == linear{literal: args[1].literal} && args[1].literal < 16:
		sum := args[0].times(1 << args[1].literal)
		return &sum
	}
	return nil
}
