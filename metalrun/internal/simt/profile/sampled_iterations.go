package profile

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/machine"
)

// Threads look at the accesses of the first turns of a loop, and then a loop without that goes on, in which more is
// one call (ir.Looked). What was seen is scaled to all that was asked.

// loopSampling is what is known of a loop whose first turns are looked at.
type loopSampling struct {
	entered    int   // how often
	left       int   // turns that are still to be seen
	begun      int64 // the stretch in which the loop began, and in which enough of it was seen
	enough     int64
	fetched    int64 // lines that the cache had taken in when it began
	lines, per int64 // that the turns that were seen last have taken in, and in how many stretches
}

// A threadgroup looks at a loop each of the first times that it comes to it, and then once in so many times.
const firstTimes, timesApart = 4, 8

// samplingOp compiles a samplingOp.
func (p *Profiler) samplingOp(c *codegen.Compiler, in *ir.Instr) {
	p.loops = max(p.loops, machine.NumberOf(in)+1)
	if len(in.Dst) == 0 {
		c.Do(func(m *machine.Machine) { samplerOf(m).sampleLoop(in.Fn, machine.NumberOf(in)) })
		return
	}
	at := c.Define(in.Dst[0]).Index
	c.Do(func(m *machine.Machine) {
		m.Uni32[at] = machine.Lane(samplerOf(m).sampleLoop(in.Fn, machine.NumberOf(in)))
	})
}

// sampleLoop begins a loop, counts a turn and says whether it is one too many to look at, or ends the loop. What
// the turns that were not looked at have left in the cache is taken to be as much as that of the others.
func (w *sampler) sampleLoop(fn string, loop int) (enough bool) {
	if !w.active() {
		return true
	}
	l := &w.loops[loop]
	switch fn {
	case "begin":
		if l.entered++; l.entered <= firstTimes || l.entered%timesApart == 0 {
			l.left = sampledIterations
		}
		l.begun, l.fetched = w.window, w.cache.fetched
	case "enough":
		if l.left > 0 {
			l.left--
			return false
		}
		l.enough = w.window
		if seen := l.enough - l.begun; seen > 0 {
			l.lines, l.per = w.cache.fetched-l.fetched, seen
		}
		return true
	case "end":
		if l.per > 0 {
			w.cache.age(l.lines * (w.window - l.enough) / l.per)
		}
	}
	return false
}
