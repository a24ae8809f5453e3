package suite

import (
	"bytes"
	"runtime"
	"time"

	"metalconform/metalrun"

	"golang.org/x/perf/benchmath"
)

// Effort is how a case is timed.
type Effort struct {
	Times      int           // how often, each time with samples of its own
	Confidence float64       // with which an interval holds the median, between 0 and 1
	Within     float64       // of the median, as a fraction, both ends of the interval are to lie
	Limit      time.Duration // of each time on the clock on the wall; then it ends with the samples that there are
	Cold       bool          // with caches that hold nothing of the case
}

const (
	evicted     = 64 << 20               // bytes written before a cold sample: more than most last-level caches
	mostSamples = 10_000                 // of one time
	longWarmUp  = 100 * time.Millisecond // the longest that is of use
)

// Measurement is how long a case takes. A kernel that does not conform has no
// times.
type Measurement struct {
	Result
	Cost  Cost
	Times []Time
}

// Time is the median of samples, each of which is one run of a case with all
// its launches, in nanoseconds.
type Time struct {
	Samples   int
	Median    float64
	Low, High float64 // ends of the interval of confidence; infinite with too few samples
	Close     bool    // the interval is as narrow as was asked
}

// Spread is how far from the median the interval reaches, as a fraction of it.
func (t Time) Spread() float64 {
	if t.Low == t.High {
		return 0
	}
	return max(t.High-t.Median, t.Median-t.Low) / t.Median
}

// Measure judges a case and takes its time: one run is judged before the first
// sample, and one after the last. Every sample starts from the same buffers;
// what it takes to restore them is not in its time.
func Measure(runner metalrun.Runner, opts Options, e Effort, c Case) Measurement {
	w := &watch{Effort: e, caseRun: &caseRun{Case: c, runner: runner, seed: opts.Seed, declared: opts.Declared}}
	m := Measurement{Result: verdict(opts, c, func(r *Result) {
		if w.find(opts.Shaders, r) {
			w.take(r)
		}
	})}
	if m.Status == Pass {
		m.Cost, m.Times = c.Kernel.Cost(c.Shape), w.times
	}
	return m
}

// watch is a case that is timed.
type watch struct {
	Effort
	*caseRun
	before [][]byte // the writable buffers as the first launch finds them, nil for the others
	evict  []byte
	times  []Time
}

// take judges, warms up and takes the times, and judges again.
func (w *watch) take(r *Result) {
	if err := w.allocate(); err != nil {
		r.because(Error, "%v", err)
		return
	}
	w.remember()
	if w.conduct(r); r.Status != Pass {
		return
	}
	if w.Cold {
		w.evict = make([]byte, evicted)
	}
	if !w.warmUp(r) {
		return
	}
	for range w.Times {
		if !w.sample(r) {
			return
		}
	}
	w.compare(r)
}

func (w *watch) remember() {
	w.before = make([][]byte, len(w.buffers))
	for i, b := range w.buffers {
		if b != nil && b.arg.Writable() {
			w.before[i] = bytes.Clone(b.data)
		}
	}
}

// warmUp runs the case at least once, up to a tenth of the limit, and leaves no
// garbage to be collected during the samples.
func (w *watch) warmUp(r *Result) bool {
	for begin := time.Now(); ; {
		if _, ok := w.once(r); !ok {
			return false
		}
		if time.Since(begin) >= min(w.Limit/10, longWarmUp) {
			runtime.GC()
			return true
		}
	}
}

// once runs the case from the buffers that it began with.
func (w *watch) once(r *Result) (ns int64, ok bool) {
	for i, before := range w.before {
		if before != nil {
			copy(w.buffers[i].data, before)
		}
	}
	for i := 0; i < len(w.evict); i += 64 { // a line of a cache
		w.evict[i]++
	}
	return w.run(r)
}

// sample takes one time. It looks at numbers of samples that grow by half
// whether they are enough: every look is a chance to stop at samples that agree
// by accident.
func (w *watch) sample(r *Result) bool {
	var samples []float64
	begin := time.Now()
	for look := 1; ; {
		ns, ok := w.once(r)
		if !ok {
			return false
		}
		samples = append(samples, float64(ns))
		late := len(samples) == mostSamples || time.Since(begin) >= w.Limit
		if len(samples) < look && !late {
			continue
		}
		look = len(samples) + len(samples)/2 + 1
		if t := w.summary(samples); t.Close || late {
			w.times = append(w.times, t)
			return true
		}
	}
}

// summary is the median of samples with its interval; it sorts them.
func (w *watch) summary(samples []float64) Time {
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(samples, &benchmath.DefaultThresholds), w.Confidence)
	t := Time{Samples: len(samples), Median: s.Center, Low: s.Lo, High: s.Hi}
	t.Close = t.Spread() <= w.Within
	return t
}
