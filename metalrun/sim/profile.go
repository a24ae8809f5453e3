package sim

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"metalconform/metalrun"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt"
	"metalconform/metalrun/internal/syntax"
)

// profile is what one launch asked of a device.
func (k *kernel) profile(l *simt.Launch) *metalrun.Profile {
	b := &profiler{k: k, facts: k.facts(), lines: map[place]*metalrun.ProfileLine{}, sites: map[*ir.Instr]*site{}}
	for _, s := range l.Traffic.Sites() {
		at := &site{Site: s}
		b.sites[s.Access], b.order = at, append(b.order, at)
	}
	for _, s := range stretches(k.lowered, l.Work.Counts()) {
		b.stretch(s)
	}
	p := &metalrun.Profile{Kernel: k.name, Threads: l.PerGroup[0] * l.PerGroup[1] * l.PerGroup[2], Registers: b.registers, Limit: k.lowered.MaxThreads, Memory: k.program.StaticThreadgroupMemory()}
	p.Threadgroups = threadgroups(l)
	for _, bytes := range l.Threadgroup {
		p.Memory += bytes
	}
	for _, o := range k.lowered.Objects {
		if o.Space == syntax.Thread && o.Size > simt.PromotedArray {
			p.Private += o.Size
		}
	}
	b.sampled(p, l)
	for _, line := range b.lines {
		p.Lines = append(p.Lines, *line)
	}
	slices.SortFunc(p.Lines, func(a, b metalrun.ProfileLine) int { return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line) })
	return p
}

// threadgroups are those that ran.
func threadgroups(l *simt.Launch) int {
	n := 1
	for a := range 3 {
		if l.Groups[a] > 0 {
			n *= l.Groups[a]
		} else {
			n *= (l.Threads[a] + l.PerGroup[a] - 1) / l.PerGroup[a]
		}
	}
	return n - l.Skip
}

// sampled fills in what the sampled threadgroups say about all of them, which make more or fewer
// requests.
func (b *profiler) sampled(p *metalrun.Profile, l *simt.Launch) {
	groups := l.Traffic.Groups()
	p.Sampled, p.Waiting, p.Uneven = len(groups), 1, 1
	var issued, waited, longest, most float64
	// What a threadgroup touches that none of the sample before it does is new to the
	// launch; the first half of the sample only says what is not new.
	known := map[uint64]simt.Touched{}
	read, written := b.fresh(), b.fresh()
	half := len(groups) / 2
	if p.Threadgroups == len(groups) {
		half = 0
	}
	for i, g := range groups {
		issued += float64(g.Issued)
		longest += float64(g.Longest)
		waited += float64(g.Longest * g.Simdgroups)
		most = max(most, float64(g.Longest))
		for _, t := range g.Lines {
			old := known[t.At]
			if i >= half && t.Read > 0 && old.Read == 0 {
				read.add(t.Object(), t.Read)
			}
			if i >= half && t.Written > 0 && old.Written == 0 {
				written.add(t.Object(), t.Written)
			}
			old.Read, old.Written = max(old.Read, t.Read), max(old.Written, t.Written)
			known[t.At] = old
		}
	}
	if issued > 0 {
		p.Waiting = max(1, waited/issued)
		p.Uneven = max(1, float64(most*float64(len(groups)))/longest)
	}
	sizes := map[int]float64{}
	bound := 0.0
	for _, b := range l.Buffers {
		sizes[b.Index] = float64(len(b.Bytes))
		bound += float64(len(b.Bytes))
	}
	part := float64(len(groups)) / float64(max(1, len(groups)-half))
	p.Read = min(read.bytes(sizes, part)+float64(simt.CacheLine*b.unseenRead), bound)
	p.Written = min(written.bytes(sizes, part)+float64(simt.CacheLine*b.unseenWritten), bound)
}

// fresh are lines that were not touched before, by object and by the access that touches them.
type fresh struct {
	b     *profiler
	lines map[int]float64 // by object, as many as all threadgroups touch if each access is as in the sample
}

func (b *profiler) fresh() fresh { return fresh{b, map[int]float64{}} }

// add takes in a line for a number of an access and 1. The accesses that the sample does not show make as many of
// them as it does.
func (f fresh) add(object, access int) {
	scale := 1.0
	if f.b.seen > 0 {
		scale = f.b.requests / f.b.seen
	}
	if s := f.b.order[access-1]; s.asked > 0 {
		scale = s.asked / float64(s.Requests)
	}
	f.lines[object] += scale
}

// bytes are those of all objects, none more than it has, if the sample shows one part of the lines.
func (f fresh) bytes(sizes map[int]float64, part float64) (sum float64) {
	for _, object := range slices.Sorted(maps.Keys(f.lines)) {
		bytes := float64(simt.CacheLine * part * f.lines[object])
		if size, ok := sizes[object]; ok {
			bytes = min(bytes, size)
		}
		sum += bytes
	}
	return sum
}

type place struct {
	file string
	line int
}

// profiler collects the costs of a launch by line.
type profiler struct {
	k *kernel
	facts
	lines map[place]*metalrun.ProfileLine
	sites map[*ir.Instr]*site
	order []*site // likewise, in the order of the source

	requests, seen            float64 // to device memory at the sites that the sample has been at: of all, and of the sample
	unseenRead, unseenWritten float64 // lines at the other sites
}

// site is an access that the sample may show.
type site struct {
	simt.Site
	asked float64 // requests in the whole launch
}

// facts are what profiles need to know of a kernel.
type facts struct {
	registers int                // of 32 bits that a thread needs at once
	constant  []bool             // registers that hold the same value in the whole launch
	varying   []bool             // registers that may differ within a simdgroup
	readers   []int32            // of each register
	stepped   map[*ir.Instr]bool // what all bodies of a loop in a row have from the first
}

func factsOf(k *ir.Kernel, p *simt.Program) facts {
	f := facts{registers: p.Registers(), varying: simt.Varying(k), readers: ir.Readers(k)}
	f.constant, f.stepped = invariants(k)
	return f
}

// invariants are the registers that depend on nothing but arguments, the grid and how often a
// loop went round that is nothing but bodies: Apple's compilers compute them once, before the
// threads begin. stepped are instructions whose results differ by a constant from one body of
// a loop to the next in the row.
func invariants(k *ir.Kernel) (constant []bool, stepped map[*ir.Instr]bool) {
	all, known := counters(k)
	constant, stepped = make([]bool, len(k.Regs)), map[*ir.Instr]bool{}
	step := make([]bool, len(k.Regs))
	for r, info := range k.Regs {
		constant[r] = known[ir.Reg(r)] || info.Kind == ir.Literal || info.Kind == ir.Address || info.Kind == ir.Input && launchInput(info.Input)
		step[r] = all[ir.Reg(r)]
	}
	for in := range ir.Instrs(k.Body...) {
		if follows(k, in, func(r ir.Reg) (bool, bool) { return step[r], constant[r] }) {
			step[in.Dst[0]], stepped[in] = true, true
		}
		e := in.Op.Info().Effects
		load := in.Op == ir.Load && in.Mem.Space == syntax.Constant && constant[in.Mem.Base] && (in.Mem.Index == ir.None || constant[in.Mem.Index])
		if e != 0 && !load || in.Op == ir.Simd {
			continue
		}
		for _, d := range in.Dst {
			constant[d] = known[d] || k.Regs[d].Kind == ir.Temp && !slices.ContainsFunc(in.Args, func(r ir.Reg) bool { return !constant[r] })
		}
	}
	return constant, stepped
}

// launchInput reports whether an input is the same in all threads of a launch.
func launchInput(s ir.Source) bool {
	switch s {
	case ir.BufferPointer, ir.ThreadgroupPointer, ir.ThreadsPerGridX, ir.ThreadsPerGridY, ir.ThreadsPerGridZ,
		ir.DispatchThreadsPerThreadgroupX, ir.DispatchThreadsPerThreadgroupY, ir.DispatchThreadsPerThreadgroupZ,
		ir.ThreadgroupsPerGridX, ir.ThreadgroupsPerGridY, ir.ThreadgroupsPerGridZ, ir.ThreadsPerSimdgroup,
		ir.DispatchSimdgroupsPerThreadgroup, ir.DispatchQuadgroupsPerThreadgroup,
		ir.ThreadsPerThreadgroupX, ir.ThreadsPerThreadgroupY, ir.ThreadsPerThreadgroupZ, ir.SimdgroupsPerThreadgroup, ir.QuadgroupsPerThreadgroup:
		return true
	}
	return false
}

func (b *profiler) at(pos syntax.Pos) *metalrun.Costs {
	p := place{pos.File, int(pos.Line)}
	l := b.lines[p]
	if l == nil {
		l = &metalrun.ProfileLine{File: p.file, Line: p.line}
		b.lines[p] = l
	}
	return &l.Costs
}

// stretch counts what threads go through without a jump, and the jump to it.
func (b *profiler) stretch(s stretch) {
	c := s.parts[s.main]
	if c.Simdgroups == 0 {
		return
	}
	bodies, rows := float64(s.bodies), 1.0
	n := float64(c.Simdgroups)
	if s.joined {
		b.at(c.Run[0].Pos).Jumps += n / bodies
	} else {
		b.at(c.Run[0].Pos).Jumps += n
	}
	var run ir.Run
	var guards []ir.Reg
	for _, p := range s.parts {
		run = append(run, p.Run...)
		guards = append(guards, slices.Repeat([]ir.Reg{p.guard}, len(p.Run))...)
	}
	first := repeats(b.k.lowered, run, guards)
	taken := b.taken(run, first)
	i := 0
	for _, p := range s.parts {
		for _, in := range p.Run {
			share := 1.0
			if p.shared || b.stepped[in] {
				share = bodies
			}
			if taken[i] {
				b.instruction(in, float64(p.Simdgroups)/share, float64(p.Threads)/share, fuses(run, taken, i))
			}
			i++
		}
	}
	if s.independent {
		rows = bodies
	}
	b.wait(run, b.chain(run, guards, first, taken, false), n/rows)
	if rows > 1 {
		b.wait(run, b.chain(run, guards, first, taken, true), n-n/rows)
	}
}

// wait adds a chain that was gone through so many times.
func (b *profiler) wait(run ir.Run, chain []metalrun.Link, times float64) {
	for i, link := range chain {
		if link != noLink {
			b.at(run[i].Pos).Chain[link] += times
		}
	}
}

// taken says which instructions of a run cost anything: not copies, not what is the same in
// the whole launch, not what an earlier load has, and not products that a sum takes in.
func (b *profiler) taken(run ir.Run, first []int) []bool {
	taken := make([]bool, len(run))
	for i, in := range run {
		switch in.Op {
		case ir.Nop, ir.Copy, ir.Poison, ir.Bitcast, ir.Pack, ir.Unpack, ir.Fence, ir.Converge, ir.Neg:
		case ir.Load:
			taken[i] = !b.constant[in.Dst[0]] && !b.promoted(in.Mem) && b.wanted(in) && first[i] < 0
		case ir.Store:
			taken[i] = !b.promoted(in.Mem)
		default:
			taken[i] = len(in.Dst) == 0 || !b.constant[in.Dst[0]]
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
			if j := product(b.k.lowered, run, taken, readers, i); j >= 0 {
				taken[j] = false
			}
		}
	}
	return taken
}

// wanted reports whether anything reads what is loaded: of loads of the same, one is left.
func (b *profiler) wanted(load *ir.Instr) bool {
	return load.Mem.Volatile || slices.ContainsFunc(load.Dst, func(r ir.Reg) bool { return b.readers[r] > 0 })
}

// promoted reports whether memory is an array of a thread that is likely to be kept in
// registers.
func (b *profiler) promoted(m *ir.Mem) bool {
	base := b.k.lowered.Regs[m.Base]
	return m.Space == syntax.Thread && base.Kind == ir.Address && b.k.lowered.Objects[base.Index].Size <= simt.PromotedArray
}

// product is the place of the product of integers that sum i of a run alone reads, or -1: the
// device has an instruction for both. Of floats it is an fma already.
func product(k *ir.Kernel, run ir.Run, taken []bool, readers map[ir.Reg]int, i int) int {
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
func fuses(run ir.Run, taken []bool, i int) bool {
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

// instruction counts one that simdgroups took.
func (b *profiler) instruction(in *ir.Instr, n, threads float64, fused bool) {
	costs := b.at(in.Pos)
	switch in.Op {
	case ir.Load, ir.Store, ir.Atomic:
		b.access(costs, in, n, threads)
		return
	case ir.Barrier:
		costs.Barrier += n
		return
	}
	class, times := b.class(in, fused)
	costs.Issued[class] += float64(n * times)
	costs.Threads[class] += float64(threads * times)
}

// access counts requests to memory. One that no sampled threadgroup made is taken to be
// of neighbouring elements that no cache holds.
func (b *profiler) access(costs *metalrun.Costs, in *ir.Instr, n, threads float64) {
	bytes := float64((len(in.Dst) + len(in.Args)) * in.From.Size())
	if in.Op == ir.Atomic {
		bytes = float64(in.From.Size())
	}
	a := &costs.Device
	switch {
	case in.Mem.Space == syntax.Thread:
		a = &costs.Private
	case in.Op == ir.Atomic:
		a = &costs.Atomics
	case in.Mem.Space == syntax.Threadgroup:
		a = &costs.Shared
	}
	asked := metalrun.Accesses{Requests: n, Bytes: float64(threads * bytes)}
	if in.Mem.Space != syntax.Thread {
		b.asked(&asked, in, n, bytes)
	}
	a.Add(asked)
	if a == &costs.Device && in.Op == ir.Store {
		costs.Stored.Add(asked)
	}
}

// asked fills in what an access that so many simdgroups make asks of memory that threads share.
func (b *profiler) asked(a *metalrun.Accesses, in *ir.Instr, n, bytes float64) {
	s, device := simt.Site{Requests: 1, Turns: 1}, in.Mem.Space != syntax.Threadgroup
	switch seen := b.sites[in]; {
	case seen != nil && seen.Requests > 0:
		s, seen.asked = seen.Site, n
		if device {
			b.requests, b.seen = b.requests+n, b.seen+float64(s.Requests)
		}
	case device:
		s.Lines = int64(max(1, simt.Simdgroup*bytes/simt.CacheLine))
		for share := range s.Missed {
			s.Missed[share] = s.Lines
		}
		lines := float64(n * float64(s.Lines))
		if in.Op != ir.Store {
			b.unseenRead += lines
		}
		if in.Op != ir.Load {
			b.unseenWritten += lines
		}
	}
	each := n / float64(s.Requests)
	a.Lines = float64(each * float64(s.Lines))
	for share, missed := range s.Missed {
		a.Missed[share] = float64(each * float64(missed))
	}
	a.Turns = float64(each * float64(s.Turns))
}

// class is that of an operation, and how often it counts.
func (b *profiler) class(in *ir.Instr, fused bool) (c metalrun.Class, times float64) {
	t := b.operands(in)
	switch in.Op {
	case ir.MatMul:
		return metalrun.Matrix, 1
	case ir.Simd:
		switch f := in.Simd().Name; {
		case in.Fn == "simd_shuffle" && b.varying[in.Args[1]]:
			return metalrun.Permutation, 1
		case strings.HasPrefix(f, "shuffle"), strings.HasPrefix(f, "broadcast"):
			return metalrun.Shuffle, 1
		case strings.HasPrefix(f, "prefix"), f == "sum", f == "product", f == "min", f == "max", f == "and", f == "or", f == "xor":
			return metalrun.Reduction, 1
		}
		return metalrun.Integer, 1
	case ir.Convert:
		if t.IsFloat() != b.k.lowered.Regs[in.Dst[0]].Type.IsFloat() {
			return metalrun.Conversion, 1
		}
		if t.IsFloat() {
			return metalrun.FloatOther, 1
		}
		return metalrun.Integer, 1
	case ir.Div:
		return metalrun.Division, precisely(in, 5)
	case ir.Math:
		return function(in)
	case ir.SDiv, ir.UDiv, ir.SRem, ir.URem:
		return metalrun.IntegerDivision, 1
	}
	switch {
	case t == ir.F16:
		return metalrun.Half, 1
	case t.IsFloat():
		switch {
		case in.Op == ir.FMA:
			return metalrun.FloatFused, 1
		case in.Op == ir.Add || in.Op == ir.Sub:
			return metalrun.FloatAdd, 1
		case in.Op == ir.Mul:
			return metalrun.FloatMultiply, 1
		}
		return metalrun.FloatOther, 1
	case t == ir.I64 || t == ir.Ptr:
		return metalrun.Integer64, 1
	case fused || in.Op == ir.Mul || in.Op == ir.Shl || in.Op == ir.LShr || in.Op == ir.AShr:
		return metalrun.IntegerMultiply, 1
	}
	return metalrun.Integer, 1
}

// operands is the type that an operation computes with.
func (b *profiler) operands(in *ir.Instr) ir.Type {
	list := in.Args
	if in.Op == ir.Select {
		list = in.Args[1:]
	}
	if len(list) == 0 {
		list = in.Dst
	}
	if len(list) == 0 {
		return ir.I32
	}
	return b.k.lowered.Regs[list[0]].Type
}

// functions are the classes of those that are one instruction or a short sequence of them:
// philipturner/metal-benchmarks.
var functions = map[string]metalrun.Class{
	"exp": metalrun.Exponential, "exp2": metalrun.Exponential, "exp10": metalrun.Exponential,
	"log": metalrun.Exponential, "log2": metalrun.Exponential, "log10": metalrun.Exponential,
	"sqrt": metalrun.Root, "rsqrt": metalrun.Root,
	"sin": metalrun.Circular, "cos": metalrun.Circular, "tan": metalrun.Circular, "sincos": metalrun.Circular,
	"sinpi": metalrun.Circular, "cospi": metalrun.Circular, "tanpi": metalrun.Circular, // the fast build's sines are of turns
	"fmin": metalrun.FloatOther, "fmax": metalrun.FloatOther, "min": metalrun.FloatOther, "max": metalrun.FloatOther,
	"fabs": metalrun.FloatOther, "abs": metalrun.FloatOther, "copysign": metalrun.FloatOther, "sign": metalrun.FloatOther, "isnan": metalrun.FloatOther, "isinf": metalrun.FloatOther,
	"floor": metalrun.Conversion, "ceil": metalrun.Conversion, "rint": metalrun.Conversion, "round": metalrun.Conversion, "trunc": metalrun.Conversion, "fract": metalrun.Conversion,
}

// function is the class of a function of the standard library.
func function(in *ir.Instr) (metalrun.Class, float64) {
	if f, _ := in.Integer(); f != nil {
		switch {
		case strings.HasPrefix(in.Fn, "min_"), strings.HasPrefix(in.Fn, "max_"), strings.HasPrefix(in.Fn, "abs"):
			return metalrun.Integer, 1
		}
		return metalrun.IntegerMultiply, 1
	}
	switch c := functions[in.Fn]; c {
	case 0:
	case metalrun.Root:
		return c, precisely(in, 2)
	case metalrun.Circular:
		return c, precisely(in, 1.7)
	default:
		return c, 1
	}
	return metalrun.Function, 1
}

// precisely is how many times as long the precise form of a function takes as the fast one,
// whose rounding is not repaired: quotients 30.7 cycles by 6, square roots 15 by 8, sines 24.4
// by 14.3 (philipturner/metal-benchmarks).
func precisely(in *ir.Instr, times float64) float64 {
	if in.Fast {
		return 1
	}
	return times
}
