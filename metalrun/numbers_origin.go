package metalrun

import (
	"slices"

	"metalconform/metalrun/internal/ir"
)

// What a register is computed from, a bit each: an integer of an argument, positions along an axis of the grid, or
// threads of a threadgroup.
const (
	mostOrigins          = 48
	originX       uint64 = 1 << mostOrigins // and the next two
	originThreads uint64 = 1 << (mostOrigins + 3)
)

// origins says what registers are computed from. What is read of memory at an index is from nothing, because inputs
// decide it. A variable that a loop counts is also from what bounds it.
type origins struct {
	k      *ir.Kernel
	places []bufferOffset
	of     []uint64
	copies map[ir.Reg][]ir.Reg // what is copied to a variable
	grown  bool
}

func newOrigins(k *ir.Kernel) *origins {
	o := &origins{k: k, of: make([]uint64, len(k.Regs)), copies: map[ir.Reg][]ir.Reg{}}
	traced := traceArguments(k)
	for i, r := range k.Regs {
		o.of[i] = originOf(r)
	}
	for in := range ir.Instrs(k.Body...) {
		for _, d := range in.Dst {
			if in.Op == ir.Load && traced.regs[d].direct && len(traced.regs[d].from) == 1 {
				o.of[d] |= o.place(traced.regs[d].from[0])
			}
			if in.Op == ir.Copy && k.Regs[d].Kind == ir.Variable {
				o.copies[d] = append(o.copies[d], in.Args[0])
			}
		}
	}
	for o.grown = true; o.grown; {
		o.grown = false
		for in := range ir.Instrs(k.Body...) {
			o.flow(in)
		}
	}
	return o
}

// originOf is what an input is from.
func originOf(r ir.RegInfo) uint64 {
	if r.Kind != ir.Input {
		return 0
	}
	for _, x := range []ir.Source{ir.ThreadPositionInGridX, ir.ThreadgroupPositionInGridX, ir.ThreadsPerGridX,
		ir.ThreadgroupsPerGridX} {
		if axis := r.Input - x; r.Input >= x && axis < 3 {
			return originX << axis
		}
	}
	if r.Input >= ir.ThreadPositionInThreadgroupX && r.Input <= ir.ThreadPositionInThreadgroupZ ||
		r.Input >= ir.ThreadsPerThreadgroupX && r.Input <= ir.DispatchThreadsPerThreadgroupZ ||
		r.Input >= ir.ThreadIndexInThreadgroup && r.Input <= ir.DispatchQuadgroupsPerThreadgroup {
		return originThreads
	}
	return 0
}

// place is the bit of an integer of an argument; 0 if there are too many.
func (o *origins) place(at bufferOffset) uint64 {
	i := slices.Index(o.places, at)
	if i < 0 {
		if len(o.places) == mostOrigins {
			return 0
		}
		i, o.places = len(o.places), append(o.places, at)
	}
	return 1 << i
}

// flow takes origins from operands to results, and from bounds to what is compared with them.
func (o *origins) flow(in *ir.Instr) {
	if in.Op == ir.Load {
		return
	}
	var all uint64
	of := in.Args
	if in.Op == ir.UDiv || in.Op == ir.SDiv {
		of = of[:1] // a share does not grow with what it is a share of
	}
	for _, a := range of {
		all |= o.of[a]
	}
	for _, d := range in.Dst {
		o.add(d, all)
	}
	switch in.Op {
	case ir.Eq, ir.Ne, ir.SLt, ir.SLe, ir.ULt, ir.ULe:
		for i, a := range in.Args {
			if o.k.Regs[a].Kind == ir.Variable {
				o.add(a, o.of[in.Args[1-i]])
			}
		}
	}
}

func (o *origins) add(r ir.Reg, of uint64) {
	if o.of[r]|of != o.of[r] {
		o.of[r] |= of
		o.grown = true
	}
}

// sets reports whether a register is copied to a variable.
func (o *origins) sets(v, from ir.Reg) bool { return slices.Contains(o.copies[v], from) }
