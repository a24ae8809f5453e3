package sim

import (
	"math"

	"metalconform/metalrun"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt"
	"metalconform/metalrun/internal/syntax"
)

// noLink marks an instruction that nothing on the longest path waits for.
const noLink = metalrun.Links

// steps are latencies by which the longest path through a run is found, in cycles: about
// those of Apple 7 (philipturner/metal-benchmarks; memory: of the order that others
// measured). The model has latencies of its own for what lies on the path.
var steps = [metalrun.Links]int{metalrun.PrivateLink: 100, metalrun.ArithmeticLink: 4, metalrun.FunctionLink: 10,
	metalrun.SimdgroupLink: 10, metalrun.SharedLink: 30, metalrun.DeviceLink: 200, metalrun.AtomicLink: 200}

// chain says which instructions of a run lie on the longest path of dependences, and what
// those that read them wait for; carried takes the longest of those that begin with a
// variable and end where it is set. Who reads what was loaded before waits for the first load.
func (p *planner) chain(run simt.Run, guards []ir.Reg, first []int, taken []bool, carried bool) []metalrun.Link {
	path := make([]metalrun.Link, len(run))
	for i := range path {
		path[i] = noLink
	}
	best, longest, from := 0, -1, []int(nil)
	try := func(of ir.Reg) {
		end, prev, last := p.paths(run, guards, first, taken, of)
		if last >= 0 && end[last] > best {
			best, longest, from = end[last], last, prev
		}
	}
	if !carried {
		try(ir.None)
	} else {
		seen := map[ir.Reg]bool{}
		for _, in := range run {
			for _, r := range in.Dst {
				if p.k.Regs[r].Kind == ir.Variable && !seen[r] {
					seen[r] = true
					try(r)
				}
			}
		}
	}
	for i := longest; i >= 0; i = from[i] {
		if taken[i] {
			path[i], _ = p.link(run[i])
		}
	}
	return path
}

// paths gives when the result of each instruction is there, which one it waits for, and the
// one that ends the longest path. Paths begin anywhere, or, if of is not None, where it is
// read, and then end where it is set last.
func (p *planner) paths(run simt.Run, guards []ir.Reg, first []int, taken []bool, of ir.Reg) (end, from []int,
	last int) {
	const never = -1
	end, from = make([]int, len(run)), make([]int, len(run))
	setter := map[ir.Reg]int{}
	floor := -1 // the last instruction that everything after it waits for
	arm := arm{guard: ir.None, load: -1}
	last = -1
	for i, in := range run {
		start := 0
		if of != ir.None {
			start = never
		}
		from[i] = -1
		if guards[i] != arm.guard {
			if arm.load >= 0 && (floor < 0 || end[arm.load] > end[floor]) {
				floor = arm.load
			}
			arm.enter(guards[i])
		}
		if floor >= 0 && end[floor] > start {
			from[i], start = floor, end[floor]
		}
		depend := func(r ir.Reg) {
			j, ok := setter[r]
			switch {
			case ok && end[j] > start:
				from[i], start = j, end[j]
			case !ok && r == of && r != ir.None:
				start = max(start, 0)
			}
		}
		for _, r := range in.Args {
			depend(r)
		}
		if in.Mem != nil {
			depend(in.Mem.Base)
			depend(in.Mem.Index)
		}
		depend(guards[i])
		if in.Op == ir.Barrier && last >= 0 && end[last] > start {
			from[i], start = last, end[last]
		}
		if taken[i] {
			arm.pass(run, i, end)
		}
		end[i] = start
		if taken[i] && start != never {
			l, times := p.link(in)
			end[i] += steps[l] * times
		}
		for _, r := range in.Dst {
			setter[r] = i
			if first[i] >= 0 {
				setter[r] = first[i]
			}
		}
		if in.Op == ir.Barrier {
			floor = i
		}
		if of == ir.None && (last < 0 || end[i] > end[last]) {
			last = i
		}
	}
	if j, ok := setter[of]; of != ir.None && ok {
		last = j
	}
	return end, from, last
}

// arm is what is under a condition, while it is gone through: a compiler does not move anything out of it, so
// that what is loaded and used in it is waited for before it ends.
type arm struct {
	guard  ir.Reg
	loaded map[ir.Reg]int // by the load
	load   int            // the one that is waited for the longest; -1 for none
}

func (a *arm) enter(guard ir.Reg) {
	*a = arm{guard: guard, load: -1}
	if guard != ir.None {
		a.loaded = map[ir.Reg]int{}
	}
}

// pass goes through an instruction of a run; end is when results of those before it are there.
func (a *arm) pass(run simt.Run, i int, end []int) {
	if a.guard == ir.None {
		return
	}
	in := run[i]
	for _, r := range in.Args {
		if j, ok := a.loaded[r]; ok && (a.load < 0 || end[j] > end[a.load]) {
			a.load = j
		}
	}
	if in.Op == ir.Load && in.Mem.Space != syntax.Constant {
		for _, r := range in.Dst {
			a.loaded[r] = i
		}
	}
}

// link is what those that read the result of an instruction wait for, and how many times: for each instruction of a
// sequence that waits for the one before. Nobody waits for a store.
func (p *planner) link(in *ir.Instr) (l metalrun.Link, times int) {
	switch in.Op {
	case ir.Load:
		return p.loaded(in), 1
	case ir.Atomic:
		switch {
		case in.Fn == "load":
			return p.loaded(in), 1
		case in.Fn == "store":
			return metalrun.ArithmeticLink, 1
		}
		return p.exchanged(in)
	case ir.Simd, ir.MatMul:
		return metalrun.SimdgroupLink, p.together(in)
	case ir.Div:
		return metalrun.FunctionLink, int(precisely(in, 4))
	case ir.Math, ir.SDiv, ir.UDiv, ir.SRem, ir.URem:
		switch c, n := p.class(in, false); c {
		case metalrun.IntegerDivision, metalrun.Function:
			return metalrun.ArithmeticLink, sequence
		case metalrun.FloatOther, metalrun.FloatMultiply, metalrun.Integer, metalrun.Integer64,
			metalrun.IntegerMultiply:
			return metalrun.ArithmeticLink, int(n)
		case metalrun.Root:
			return metalrun.FunctionLink, int(precisely(in, 4))
		case metalrun.Circular:
			return metalrun.FunctionLink, 3
		}
		if _, ok := composed[in.Fn]; ok && in.Fast {
			return metalrun.FunctionLink, 2
		}
		return metalrun.FunctionLink, 1
	}
	if c, n := p.class(in, false); c == metalrun.IntegerMultiply {
		return metalrun.ArithmeticLink, int(n)
	}
	return metalrun.ArithmeticLink, 1
}

// together is how often those that read what threads of a simdgroup do together wait for a link of one shuffle, of
// about 6 cycles, by what is published of the latencies: of sums 29, of prefix sums 24, of both over four 15 and 7, of
// products of matrices 36, and from any lane to any 50 (philipturner/metal-benchmarks, intra-simd communication).
func (p *planner) together(in *ir.Instr) int {
	switch c, n := p.class(in, false); {
	case c == metalrun.Permutation:
		return 8
	case c == metalrun.Matrix:
		return 6
	case c == metalrun.Reduction:
		return int(math.Max(1, math.Round(5*n)))
	}
	return 1
}

// exchanged is what those that read the result of an atomic wait for. Nobody waits for one that is not read, but a sum
// that races, which loads before it exchanges and looks at what it has got.
func (p *planner) exchanged(in *ir.Instr) (l metalrun.Link, times int) {
	switch {
	case in.Races():
		return metalrun.AtomicLink, 2
	case len(in.Dst) == 0 || p.readers[in.Dst[0]] == 0:
		return metalrun.ArithmeticLink, 1
	case in.Mem.Space == syntax.Threadgroup:
		return metalrun.SharedLink, 1
	}
	return metalrun.AtomicLink, 1
}

// sequence is how many instructions of a long sequence, such as a quotient of integers, wait for each other: half of
// them.
const sequence = 15

// loaded is what those that read what is loaded wait for.
func (p *planner) loaded(in *ir.Instr) metalrun.Link {
	switch in.Mem.Space {
	case syntax.Threadgroup:
		return metalrun.SharedLink
	case syntax.Thread:
		if !p.short(in.Mem) {
			return metalrun.PrivateLink
		}
	}
	return metalrun.DeviceLink
}
