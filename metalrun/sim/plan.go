package sim

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"metalconform/metalrun"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt"
	"metalconform/metalrun/internal/syntax"
)

// The cost of an instruction and the longest path follow from the kernel and from the arms that most simdgroups take. A
// plan is therefore made once for all launches that take the same arms. A launch only adds how often each run is
// executed.

// plan is how profiles are made from the counts of launches of a kernel.
type plan struct {
	questions []question
	lines     []sourceLine // of the source, in order
	regions   []planned
}

// planned is a region with its costs.
type planned struct {
	main   int     // number of the run that tells how often threads execute the region
	line   int     // of the jump to the region
	bodies float64 // number of unrolled bodies of a loop
	joined bool    // one jump leads to all unrolled bodies
	rows   float64 // the number of bodies if they wait for each other only for carried values; else 1
	taken  []taken
	chain  []wait
	later  []wait // of the bodies in a row but for the first
}

// taken is an instruction that costs something.
type taken struct {
	in    *ir.Instr
	line  int
	run   int     // by number
	share float64 // of the times that the run is taken: one in so many

	access *planAccess // nil: an operation
	class  metalrun.Class
	times  float64
}

// planAccess is an access to memory.
type planAccess struct {
	site  int     // number of the access
	bytes float64 // of a thread
	short bool    // of an array of a thread that the cache of the core holds
}

// wait is an instruction on the longest path.
type wait struct {
	line  int
	link  metalrun.Link
	times float64
}

// sourceLine is a line of a source.
type sourceLine struct {
	file string
	line int
}

// planner makes plans of a kernel.
type planner struct {
	k         *ir.Kernel
	registers int          // of 32 bits that a thread needs at once
	private   int          // bytes of arrays of a thread that are not registers
	constant  []bool       // registers that hold the same value in the whole launch
	indexed   map[int]bool // arrays of a thread that lie in memory because of their indices
	// registers that the source decides, and the counters of loops with a known trip count
	fixed    []bool
	varying  []bool             // registers that may differ within a simdgroup
	readers  []int32            // of each register
	choosing []int32            // of these, selections by it
	extended []bool             // registers of 64 bits that hold a number of 32
	moved    []bool             // registers that one instruction reads, of bits moved down as far as the source says
	stepped  map[*ir.Instr]bool // what all bodies of a loop in a row have from the first
	computed map[*ir.Instr]int  // in how many bodies of a loop in a row an instruction is left
	sites    map[*ir.Instr]int  // number of each access that a sample may show

	mu    sync.Mutex
	plans []*plan // the last is the latest
}

// mostPlans are kept of a kernel: few have more than two or three.
const mostPlans = 16

func newPlanner(k *ir.Kernel, program *simt.Program) *planner {
	p := &planner{k: k, registers: analysis.RegisterPressure(k), varying: analysis.InSimdgroup(k).VaryingRegisters(),
		readers: ir.Readers(k), choosing: make([]int32, len(k.Regs)), extended: make([]bool, len(k.Regs)),
		moved: make([]bool, len(k.Regs)), sites: map[*ir.Instr]int{}}
	p.constant, p.fixed, p.stepped = invariants(k)
	for i, in := range program.Accesses() {
		p.sites[in] = i
	}
	for in := range ir.Instrs(k.Body...) {
		switch {
		case in.Op == ir.Select:
			p.choosing[in.Args[0]]++
		case in.Op == ir.Convert && k.Regs[in.Args[0]].Type == ir.I32 && k.Regs[in.Dst[0]].Kind == ir.Temp:
			p.extended[in.Dst[0]] = true
		case in.Op == ir.LShr && k.Regs[in.Args[1]].Kind == ir.Literal && k.Regs[in.Dst[0]].Type == ir.I32 &&
			k.Regs[in.Dst[0]].Kind == ir.Temp:
			p.moved[in.Dst[0]] = p.readers[in.Dst[0]] == 1
		}
	}
	p.computed = computed(k)
	p.indexed = indexed(k, p.fixed)
	for i, o := range k.Objects {
		switch {
		case o.Space == syntax.Thread && o.Size > analysis.PromotedArray:
			p.private += o.Size
		case p.indexed[i]:
			p.private += o.Size
			p.registers -= (o.Size + 3) / 4
		}
	}
	return p
}

// of is the plan for what a launch has counted.
func (p *planner) of(counts []simt.Counted) *plan {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, known := range p.plans {
		if known.fits(counts) {
			return known
		}
	}
	made := p.plan(counts)
	if len(p.plans) == mostPlans {
		p.plans = slices.Delete(p.plans, 0, 1)
	}
	p.plans = append(p.plans, made)
	return made
}

// fits reports whether the counts give the same answers to the questions of a plan.
func (p *plan) fits(counts []simt.Counted) bool {
	return !slices.ContainsFunc(p.questions, func(q question) bool { return q.mostly(counts) != q.yes })
}

func (p *planner) plan(counts []simt.Counted) *plan {
	out := &plan{}
	list, questions := regions(p.k, counts)
	out.questions = questions
	lines := map[sourceLine]int{}
	for _, s := range list {
		for _, part := range s.parts {
			for _, in := range part.run {
				lines[sourceLine{in.Pos.File, int(in.Pos.Line)}] = 0
			}
		}
	}
	for at := range lines {
		out.lines = append(out.lines, at)
	}
	slices.SortFunc(out.lines, func(a, b sourceLine) int {
		return cmp.Or(strings.Compare(a.file, b.file), a.line-b.line)
	})
	for i, at := range out.lines {
		lines[at] = i
	}
	for _, s := range list {
		out.regions = append(out.regions,
			p.planRegion(s, func(in *ir.Instr) int { return lines[sourceLine{in.Pos.File, int(in.Pos.Line)}] }))
	}
	return out
}

// planRegion plans what threads go through without a jump.
func (p *planner) planRegion(s region, line func(*ir.Instr) int) planned {
	main := s.parts[s.main]
	out := planned{main: main.number, line: line(main.run[0]), bodies: float64(s.bodies), joined: s.joined, rows: 1}
	var run simt.Run
	var guards []ir.Reg
	for _, part := range s.parts {
		run = append(run, part.run...)
		guards = append(guards, slices.Repeat([]ir.Reg{part.guard}, len(part.run))...)
	}
	first := repeats(p.k, run, guards)
	costs := p.taken(run, first)
	i := 0
	for _, part := range s.parts {
		for _, in := range part.run {
			if costs[i] {
				t := p.cost(in, fuses(run, costs, i))
				t.line, t.run, t.share = line(in), part.number, 1
				if t.class == metalrun.Circular && reduced(run, costs, i) {
					t.times *= reducedCircular
				}
				times, few := p.computed[in]
				switch {
				case part.shared || p.stepped[in]:
					t.share = out.bodies
				case few:
					t.share = out.bodies / float64(times)
				}
				out.taken = append(out.taken, t)
			}
			i++
		}
	}
	waits := func(carried bool) (list []wait) {
		for i, link := range p.chain(run, guards, first, costs, carried) {
			if link != noLink {
				_, times := p.link(run[i])
				list = append(list, wait{line(run[i]), link, float64(times)})
			}
		}
		return list
	}
	out.chain = waits(false)
	if s.independent && s.bodies > 1 {
		out.rows, out.later = out.bodies, waits(true)
	}
	return out
}

// reducedCircular is what a sine or cosine takes of an angle whose turns are taken off already, by one that takes them
// off: 14.3 cycles but for 4 of a fraction and 1 of an fma (philipturner/metal-benchmarks, SIN32 and TRIG_REDUCE).
const reducedCircular = .65

// reduced reports whether another function of angles has the angle of instruction i, earlier in the run.
func reduced(run simt.Run, taken []bool, i int) bool {
	for j, in := range run[:i] {
		if taken[j] && in.Op == ir.Math && in.Fast && functions[in.Fn] == metalrun.Circular &&
			in.Args[0] == run[i].Args[0] {
			return true
		}
	}
	return false
}

// cost is what an instruction costs each time.
func (p *planner) cost(in *ir.Instr, fused bool) taken {
	switch in.Op {
	case ir.Load, ir.Store, ir.Atomic:
		bytes := (len(in.Dst) + len(in.Args)) * in.From.Size()
		if in.Op == ir.Atomic {
			bytes = in.From.Size()
		}
		return taken{in: in, access: &planAccess{p.sites[in], float64(bytes), p.short(in.Mem)}}
	case ir.Barrier:
		return taken{in: in}
	}
	class, times := p.class(in, fused)
	return taken{in: in, class: class, times: times}
}

// taken says which instructions of a run cost anything: not copies, not what is the same in
// the whole launch, not what an earlier load has, and not products that a sum takes in.
func (p *planner) taken(run simt.Run, first []int) []bool {
	taken := make([]bool, len(run))
	for i, in := range run {
		switch in.Op {
		case ir.Nop, ir.Copy, ir.Poison, ir.Bitcast, ir.Pack, ir.Unpack, ir.Fence, ir.Converge, ir.Cover, ir.Neg:
		case ir.Load:
			taken[i] = !p.constant[in.Dst[0]] && !p.promoted(in.Mem) && p.wanted(in) && first[i] < 0
		case ir.Store:
			taken[i] = !p.promoted(in.Mem)
		default:
			taken[i] = (len(in.Dst) == 0 || !p.constant[in.Dst[0]]) && !p.free(in)
		}
		if times, few := p.computed[in]; few && times == 0 {
			taken[i] = false
		}
	}
	readers := map[ir.Reg]int{}
	for _, in := range run {
		for _, r := range in.Args {
			readers[r]++
		}
	}
	for i, in := range run {
		if in.Op == ir.Add || in.Op == ir.Sub {
			if j := product(p.k, run, taken, readers, i); j >= 0 {
				taken[j] = false
			}
		}
	}
	return taken
}

// free reports whether an operation is part of those that read it: a comparison of 32 bits or less that nothing but
// selections read, each of which is one instruction with it, a conversion between half and float, which operands and
// results take in, the lower half of 64 bits, and a mask of bits that are moved down, which are a field
// (dougallj/applegpu).
func (p *planner) free(in *ir.Instr) bool {
	switch in.Op {
	case ir.Eq, ir.Ne, ir.SLt, ir.SLe, ir.ULt, ir.ULe, ir.FLt, ir.FLe:
		d, t := in.Dst[0], p.operands(in)
		return p.readers[d] > 0 && p.readers[d] == p.choosing[d] && t != ir.I64 && t != ir.Ptr
	case ir.And:
		for i, r := range in.Args {
			mask := p.k.Regs[in.Args[1-i]]
			if p.moved[r] && mask.Kind == ir.Literal && mask.Bits&(mask.Bits+1) == 0 {
				return true
			}
		}
	case ir.Convert:
		from, to := p.operands(in), p.k.Regs[in.Dst[0]].Type
		return from == ir.F16 && to == ir.F32 || from == ir.F32 && to == ir.F16 || from == ir.I64 && to == ir.I32
	}
	return false
}

// wanted reports whether anything reads what is loaded: of loads of the same, one is left.
func (p *planner) wanted(load *ir.Instr) bool {
	return load.Mem.Volatile || slices.ContainsFunc(load.Dst, func(r ir.Reg) bool { return p.readers[r] > 0 })
}

// promoted reports whether memory is an array of a thread that is likely to be kept in
// registers.
func (p *planner) promoted(m *ir.Mem) bool {
	base := p.k.Regs[m.Base]
	return m.Space == syntax.Thread && base.Kind == ir.Address &&
		p.k.Objects[base.Index].Size <= analysis.PromotedArray && !p.indexed[base.Index]
}

// short reports whether memory is an array of a thread that would be registers, but for its indices: the cache of the
// core is likely to hold it.
func (p *planner) short(m *ir.Mem) bool {
	base := p.k.Regs[m.Base]
	return m.Space == syntax.Thread && base.Kind == ir.Address && p.indexed[base.Index]
}

// selected is the size in bytes up to which an element of an array that nobody knows is selected from registers: a
// vector's.
const selected = 16

// indexed are the arrays of a thread, by number, that would be registers, but for accesses to elements that the source
// does not know: registers have no index.
func indexed(k *ir.Kernel, fixed []bool) map[int]bool {
	list := map[int]bool{}
	for in := range ir.Instrs(k.Body...) {
		if in.Mem == nil || in.Mem.Space != syntax.Thread || in.Mem.Index == ir.None || fixed[in.Mem.Index] {
			continue
		}
		if base := k.Regs[in.Mem.Base]; base.Kind == ir.Address {
			if size := k.Objects[base.Index].Size; size > selected && size <= analysis.PromotedArray {
				list[base.Index] = true
			}
		}
	}
	return list
}

// product is the place of the product of integers that sum i of a run alone reads, or -1: the
// device has an instruction for both. Of floats it is an fma already.
func product(k *ir.Kernel, run simt.Run, taken []bool, readers map[ir.Reg]int, i int) int {
	if k.Regs[run[i].Dst[0]].Type != ir.I32 {
		return -1
	}
	for _, r := range run[i].Args {
		for j := i - 1; j >= 0; j-- {
			if len(run[j].Dst) == 1 && run[j].Dst[0] == r {
				if run[j].Op == ir.Mul && taken[j] && readers[r] == 1 && k.Regs[r].Kind == ir.Temp {
					return j
				}
				break
			}
		}
	}
	return -1
}

// fuses reports whether instruction i has taken in a product.
func fuses(run simt.Run, taken []bool, i int) bool {
	if run[i].Op != ir.Add && run[i].Op != ir.Sub {
		return false
	}
	for j := range i {
		if run[j].Op == ir.Mul && !taken[j] && slices.Contains(run[i].Args, run[j].Dst[0]) {
			return true
		}
	}
	return false
}
