package bench

import (
	"cmp"
	"metalconform/suite"
	"time"

	"metalconform/metalrun"
	"metalconform/metalrun/timing"
)

// Effort is how cases are timed.
type Effort struct {
	timing.Effort
	Cold bool // with caches that hold nothing of the case
}

// Measurement is how long a case takes. A kernel that fails has no
// times.
type Measurement struct {
	suite.Result
	Cost      suite.Cost
	Times     []timing.Time       // of a run of the case, with all its launches
	Clock     metalrun.Clock      // of the times
	Condition *metalrun.Condition // the worst that the device was in; nil if it does not tell
}

// Meter times cases on a device. It is for one goroutine.
type Meter struct {
	runner  metalrun.Runner
	opts    suite.Options
	effort  Effort
	evictor *timing.Evictor // of a device that keeps buffers; made when it is first needed
	canary  *timing.Canary  // of a device with a clock
}

// NewMeter is a meter that Close frees. It looks at the clock of a device that has one, unless the effort has
// somebody who does: a device on which that fails is timed without.
func NewMeter(runner metalrun.Runner, opts suite.Options, e Effort) *Meter {
	m := &Meter{runner: runner, opts: opts, effort: e}
	if e.Clock != nil {
		return m
	}
	if m.canary, _ = timing.NewCanary(runner); m.canary != nil {
		m.effort.Clock = m.canary
	}
	return m
}

func (m *Meter) Close() {
	m.canary.Release()
	if m.evictor != nil {
		m.evictor.Release()
	}
}

// Measure judges cases and takes their times, in turns if there are several: one run of
// each is judged before the first sample, and one after the last.
//
// On a device that keeps buffers, the launches of a sample find there what those before
// have left, and the run that is judged in the end is one on fresh buffers. On any other
// device every sample starts from the same buffers; what it takes to restore them is not
// in its time.
func (m *Meter) Measure(cases ...suite.Case) []Measurement {
	s := &session{Meter: m, measured: make([]Measurement, len(cases))}
	for _, c := range cases {
		s.versions = append(s.versions, Version{c, m.opts.Shaders, m.opts.Declared})
	}
	s.take = s.times
	s.from(0)
	return s.measured
}

// session is some cases that are timed together.
type session struct {
	*Meter
	versions []Version
	measured []Measurement
	watches  []*timedCase // of the cases that conform
	take     func()       // what is wanted of them
}

// from takes case i and those after it up to their times and back, each within its own
// verdict. After the last of them the times are taken.
func (s *session) from(i int) {
	if i == len(s.versions) {
		s.take()
		return
	}
	v, opts, nested := s.versions[i], s.opts, false
	opts.Today, opts.Repeat = time.Time{}, 0 // one run is judged, and no remedy is looked for
	opts.Shaders, opts.Declared = v.Shaders, v.Declared
	m := &s.measured[i]
	w := &timedCase{session: s, m: m, CaseRun: suite.NewCaseRun(s.runner, opts, v.Case)}
	defer w.release()
	m.Result = suite.Verdict(opts, v.Case, func(r *suite.Result) {
		w.result = r
		if !w.BindKernel(opts.Shaders, r) || !w.prepare() {
			return
		}
		s.watches = append(s.watches, w)
		nested = true
		s.from(i + 1)
		w.finish()
	})
	if m.Status != suite.Pass {
		*m = Measurement{Result: m.Result}
	}
	if !nested {
		s.from(i + 1)
	}
}

// times has the times of all that conform.
func (s *session) times() {
	condition := s.condition()
	times := timing.Take(s.effort.Effort, s.samples()...)
	if after := s.condition(); condition != nil && after != nil {
		*condition = condition.Worse(*after)
	}
	for i, w := range s.watches {
		w.m.Cost, w.m.Times, w.m.Condition = w.Kernel.Cost(w.Shape), times[i], condition
		w.m.Clock = cmp.Or(w.Clock(), s.runner.Device().Clock)
	}
}

// samples take one of each case that conforms.
func (s *session) samples() []timing.Sample {
	var list []timing.Sample
	for _, w := range s.watches {
		list = append(list, w.sample)
	}
	return list
}

// condition is that of the device, nil if it does not tell.
func (s *session) condition() *metalrun.Condition {
	monitor, ok := s.runner.(metalrun.Monitor)
	if !ok {
		return nil
	}
	c, err := monitor.Condition()
	if err != nil {
		return nil
	}
	return &c
}

// timedCase is a case that is timed.
type timedCase struct {
	*session
	*suite.CaseRun
	m      *Measurement
	result *suite.Result
	before suite.Contents // of the writable buffers as the first launch finds them
	evict  []byte         // of a device without an evictor
	pair   *timing.Pair
	kept   []metalrun.Bound
}

const evicted = 64 << 20 // bytes written by the host before a cold sample: more than most last-level caches

// prepare judges a run, and readies what samples take. It reports false where the case
// ends here.
func (w *timedCase) prepare() bool {
	if err := w.FillBuffers(); err != nil {
		w.result.Because(suite.Error, "%v", err)
		return false
	}
	w.before = w.Contents()
	if w.Conduct(w.result); w.result.Status != suite.Pass {
		return false
	}
	if k, ok := w.Entry().(metalrun.Binder); ok {
		return w.Survives(w.result, w.bindPair(k))
	}
	if w.effort.Cold {
		w.evict = make([]byte, evicted)
	}
	return true
}

// sample takes one.
func (w *timedCase) sample() (ns float64, ok bool) {
	if w.pair == nil {
		w.Restore(w.before)
		for i := 0; i < len(w.evict); i += 64 { // a line of a cache
			w.evict[i]++
		}
		n, ok := w.Run(w.result)
		return float64(n), ok
	}
	ns, clock, err := w.pair.Sample()
	w.SetClock(clock)
	return ns, w.Survives(w.result, err)
}

// finish judges the last run.
func (w *timedCase) finish() {
	if w.result.Status != suite.Pass {
		return
	}
	if k, ok := w.Entry().(metalrun.Binder); ok && !w.Survives(w.result, w.runBound(k)) {
		return
	}
	w.Compare(w.result)
}
