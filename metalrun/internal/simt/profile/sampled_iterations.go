package profile

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/machine"
)

// Accesses of the first iterations of a loop are sampled. Then a copy of the loop without samples goes on, in which
// more loops are one call. The sample is scaled to all iterations.

// loopSampling is the state of a loop whose first iterations are sampled.
type loopSampling struct {
	entered    int   // how often the loop was entered
	left       int   // number of iterations that are still to be sampled
	begun      int64 // the window in which the loop began, and the one in which sampling ended
	enough     int64
	fetched    int64 // misses of the cache when the loop began
	lines, per int64 // misses of the iterations that were sampled last, and the number of their windows
}

// A threadgroup samples a loop the first firstTimes times that it enters it, and then once in timesApart times. With 1
// first time, the forecast of attn_online_f32 rises by 2 %. With 2 or 8, or if all times are sampled, no forecast of
// the catalogue changes by 0.2 % (conform bench -forecast m1pro -run .); if none are later, one rises by 0.4 %.
const firstTimes, timesApart = 4, 8

// samplingOp compiles a SamplingOp.
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

// sampleLoop begins a loop, or counts an iteration and reports whether enough iterations are sampled, or ends the loop.
// At the end, the cache ages as if the other iterations had missed as often as the sampled ones.
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
