package sim

import (
	"math/bits"

	"metalconform/metalrun"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt"
	"metalconform/metalrun/internal/syntax"
)

// profile is what one launch asked of a device.
func (k *kernel) profile(l *simt.Launch) *metalrun.Profile {
	planner, counts := k.planner(), l.Work.Counts()
	p := &metalrun.Profile{Kernel: k.name, Threads: l.PerGroup[0] * l.PerGroup[1] * l.PerGroup[2],
		Registers: planner.registers, Limit: k.lowered.MaxThreads, Memory: k.program.StaticThreadgroupMemory(),
		Private: planner.private}
	p.Threadgroups = threadgroups(l)
	for _, bytes := range l.Threadgroup {
		p.Memory += bytes
	}
	b := &profiler{counts: counts, sites: make([]accessSite, len(l.Traffic.Sites())),
		hotShares: newCrowds(l.Traffic.Groups(), p.Threadgroups, len(l.Traffic.Sites()))}
	for i := range b.sites {
		b.sites[i].AccessSite = &l.Traffic.Sites()[i]
	}
	if len(counts) > 0 {
		b.follow(planner.of(counts))
	}
	b.sampled(p, l)
	p.Lines = b.lines
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
	p.Sampled, p.Waiting = len(groups), 1
	p.Uneven, p.Typical = l.Work.Loads().Uneven()
	var issued, waited float64
	// What a threadgroup touches that none of the sample before it does is new to the
	// launch; the first half of the sample only says what is not new.
	known := newTouching(groups)
	read, written := fresh{b: b}, fresh{b: b}
	half := len(groups) / 2
	asked, later := 0.0, 0.0 // lines, by all of the sample and by its second half
	for i, g := range groups {
		asked += float64(g.Asked)
		if i >= half {
			later += float64(g.Asked)
		}
	}
	if p.Threadgroups == len(groups) || later == 0 {
		half, later = 0, asked
	}
	for i, g := range groups {
		issued += float64(g.Issued)
		waited += float64(g.Longest * g.Simdgroups)
		for _, t := range g.Lines {
			old := known.line(t.At)
			if i >= half && t.Read > 0 && !old.read {
				read.add(t.Object(), t.Read)
			}
			if i >= half && t.Written > 0 && !old.written {
				written.add(t.Object(), t.Written)
			}
			old.read, old.written = old.read || t.Read > 0, old.written || t.Written > 0
		}
	}
	if issued > 0 {
		p.Waiting = max(1, waited/issued)
	}
	bound := 0.0
	for _, b := range l.Buffers {
		bound += float64(len(b.Bytes))
	}
	part := asked / max(1, later)
	p.Read = min(read.bytes(l.Buffers, part)+float64(simt.CacheLine*b.unseenRead), bound)
	p.Written = min(written.bytes(l.Buffers, part)+float64(simt.CacheLine*b.unseenWritten), bound)
}

// touching are lines that threadgroups have touched, found by their numbers.
type touching struct {
	lines []touched // a power of two, of which at most half are taken
}

type touched struct {
	at            uint64 // number of the line, and 1; 0: none
	read, written bool
}

// newTouching has room for the lines of threadgroups.
func newTouching(groups []*simt.Sampled) touching {
	most := 0
	for _, g := range groups {
		most += len(g.Lines)
	}
	return touching{make([]touched, 1<<bits.Len(uint(2*most)))}
}

// line is what is known of a line.
func (t touching) line(at uint64) *touched {
	for i := (at * 0x9e3779b97f4a7c15) >> 32; ; i++ {
		switch l := &t.lines[i&uint64(len(t.lines)-1)]; l.at {
		case 0:
			l.at = at + 1
			return l
		case at + 1:
			return l
		}
	}
}

// fresh are lines that were not touched before, by object and by the access that touches them.
type fresh struct {
	b     *profiler
	lines []float64 // by object, as many as all threadgroups touch if each access is as in the sample
}

// add takes in a line for a number of an access and 1. The accesses that the sample does not show make as many of
// them as it does.
func (f *fresh) add(object, access int) {
	scale := 1.0
	if f.b.seen > 0 {
		scale = f.b.requests / f.b.seen
	}
	if s := &f.b.sites[access-1]; s.asked > 0 {
		scale = s.asked / float64(s.Requests)
	}
	if missing := object + 1 - len(f.lines); missing > 0 {
		f.lines = append(f.lines, make([]float64, missing)...)
	}
	f.lines[object] += scale
}

// bytes are those of all objects, no buffer's more than it has, if the sample shows one part of the lines.
func (f *fresh) bytes(buffers []simt.Buffer, part float64) (sum float64) {
	for object, lines := range f.lines {
		bytes := float64(simt.CacheLine * part * lines)
		for i := range buffers {
			if b := &buffers[i]; b.Index == object {
				bytes = min(bytes, float64(len(b.Bytes)))
			}
		}
		sum += bytes
	}
	return sum
}

// profiler collects the costs of a launch by line.
type profiler struct {
	lines     []metalrun.ProfileLine
	reached   []bool // of the lines
	counts    []simt.Counted
	sites     []accessSite // in the order of the source
	hotShares hotShares

	// to device memory at the sites that the sample has been at: of all, and of the sample
	requests, seen            float64
	unseenRead, unseenWritten float64 // lines at the other sites
}

// accessSite is an access that the sample may show.
type accessSite struct {
	*simt.AccessSite
	asked float64 // requests in the whole launch
}

// follow counts what a plan says, and leaves the lines that threads came to.
func (b *profiler) follow(p *plan) {
	b.lines, b.reached = make([]metalrun.ProfileLine, len(p.lines)), make([]bool, len(p.lines))
	for i := range p.regions {
		b.countRegion(&p.regions[i])
	}
	n := 0
	for i, at := range p.lines {
		if b.reached[i] {
			b.lines[i].File, b.lines[i].Line = at.file, at.line
			if n != i {
				b.lines[n] = b.lines[i]
			}
			n++
		}
	}
	b.lines = b.lines[:n:n]
}

// at are the costs of a line.
func (b *profiler) at(line int) *metalrun.Costs {
	b.reached[line] = true
	return &b.lines[line].Costs
}

// countRegion counts what threads go through without a jump, and the jump to it.
func (b *profiler) countRegion(s *planned) {
	n := float64(b.counts[s.main].Simdgroups)
	if n == 0 {
		return
	}
	if s.joined {
		b.at(s.line).Jumps += n / s.bodies
	} else {
		b.at(s.line).Jumps += n
	}
	for i := range s.taken {
		t := &s.taken[i]
		c := &b.counts[t.run]
		b.instruction(t, float64(c.Simdgroups)/t.share, float64(c.Threads)/t.share)
	}
	b.wait(s.chain, n/s.rows)
	if s.rows > 1 {
		b.wait(s.later, n-n/s.rows)
	}
}

// wait adds a chain that was gone through so many times.
func (b *profiler) wait(chain []wait, times float64) {
	for _, w := range chain {
		b.at(w.line).Chain[w.link] += float64(w.times * times)
	}
}

// instruction counts one that simdgroups took.
func (b *profiler) instruction(t *taken, n, threads float64) {
	costs := b.at(t.line)
	switch {
	case t.access != nil:
		b.access(costs, t, n, threads)
	case t.in.Op == ir.Barrier:
		costs.Barrier += n
	default:
		costs.Issued[t.class] += float64(n * t.times)
		costs.Threads[t.class] += float64(threads * t.times)
	}
}

// access counts requests to memory.
func (b *profiler) access(costs *metalrun.Costs, t *taken, n, threads float64) {
	in, a := t.in, &costs.Device
	switch {
	case t.access.short:
		a.Add(metalrun.Accesses{Requests: n, Lines: n, Transactions: n, Bytes: float64(threads * t.access.bytes)})
		return
	case in.Mem.Space == syntax.Thread:
		a = &costs.Private
	case in.Op == ir.Atomic && !in.Plain():
		a = &costs.Atomics
	case in.Mem.Space == syntax.Threadgroup:
		a = &costs.Shared
	}
	asked := metalrun.Accesses{Requests: n, Bytes: float64(threads * t.access.bytes)}
	if in.Mem.Space != syntax.Thread {
		b.asked(&asked, t, n)
	}
	a.Add(asked)
	switch {
	case a == &costs.Device && writes(in):
		costs.Stored.Add(asked)
	case a != &costs.Atomics:
	case in.Mem.Space == syntax.Threadgroup:
		costs.Local.Add(asked)
	default:
		costs.Hottest += float64(asked.Transactions * b.hotShares.of(t.access.site, false))
		if in.Races() {
			costs.Raced += float64(threads * b.hotShares.of(t.access.site, true))
			asked.Transactions = asked.Requests
			costs.Device.Add(asked)
		}
	}
}

// writes reports whether an access writes without a need of what was there.
func writes(in *ir.Instr) bool { return in.Op == ir.Store || in.Op == ir.Atomic && in.Fn == "store" }

// asked fills in what an access that so many simdgroups make asks of memory that threads share. One that no sampled
// threadgroup made is taken to be of neighbouring elements that no cache holds.
func (b *profiler) asked(a *metalrun.Accesses, t *taken, n float64) {
	s, device := &simt.AccessSite{Requests: 1, Transactions: 1}, t.in.Mem.Space != syntax.Threadgroup
	switch seen := b.seenAt(t.access.site); {
	case seen != nil:
		s, seen.asked = seen.AccessSite, n
		if device {
			b.requests, b.seen = b.requests+n, b.seen+float64(s.Requests)
		}
	case device:
		s.Lines = int64(max(1, simt.Simdgroup*t.access.bytes/simt.CacheLine))
		for share := range s.Missed {
			s.Missed[share] = s.Lines
		}
		lines := float64(n * float64(s.Lines))
		if !writes(t.in) {
			b.unseenRead += lines
		}
		if t.in.Op != ir.Load && t.in.Fn != "load" {
			b.unseenWritten += lines
		}
	}
	each := n / float64(s.Requests)
	a.Lines = float64(each * float64(s.Lines))
	for share, missed := range s.Missed {
		a.Missed[share] = float64(each * float64(missed))
	}
	a.Transactions = float64(each * float64(s.Transactions))
}

// seenAt is the site of an access that the sample has made; nil if it has not.
func (b *profiler) seenAt(access int) *accessSite {
	if access < len(b.sites) && b.sites[access].Requests > 0 {
		return &b.sites[access]
	}
	return nil
}
