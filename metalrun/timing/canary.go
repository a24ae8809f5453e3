package timing

import (
	"math"
	"time"

	"metalconform/metalrun"
)

// Clock shows how fast a device's clock runs by a canary: pure arithmetic that is timed between samples. What the
// system says of its heat proves nothing: clocks fall to a third while it calls its state nominal.
type Clock interface {
	// Tick is the time of the canary now, in nanoseconds. After false there is no other.
	Tick() (ns float64, ok bool)
	// Best is the least that Tick has said.
	Best() float64
}

// moves is how far the canary's time may move, as a fraction, before samples beside it do not count.
const moves = 0.03

// moved reports whether the clock was another one for two ticks.
func moved(a, b float64) bool { return math.Abs(a-b) > moves*min(a, b) }

// Canary is the Clock of a device that keeps buffers and has a clock of its own.
type Canary struct {
	library metalrun.Library
	bound   metalrun.Bound
	best    float64
}

const (
	canaryThreads = 1 << 12
	canaryTime    = 500 * time.Microsecond // far above what the clock of a launch differs by
)

// NewCanary is one for a device; nil for a device whose clock no canary shows.
func NewCanary(r metalrun.Runner) (*Canary, error) {
	if r.Device().Clock != metalrun.GPUClock {
		return nil, nil
	}
	l, err := roofLibrary(r)
	if err != nil {
		return nil, err
	}
	c, err := newCanary(l)
	if c == nil {
		l.Release()
	}
	return c, err
}

func newCanary(l metalrun.Library) (*Canary, error) {
	k, err := l.Kernel("roof_fma")
	if err != nil {
		return nil, err
	}
	binder, ok := k.(metalrun.Binder)
	if !ok {
		return nil, nil
	}
	out := make([]byte, 4*canaryThreads)
	for n := 1; ; n *= 2 {
		b, err := binder.Bind(multiplyAdds(out, n))
		if err != nil {
			return nil, err
		}
		o, err := b.Run(1)
		switch {
		case err == nil && o.Clock == metalrun.HostClock: // as virtual devices do
			b.Release()
			return nil, nil
		case err == nil && (o.Duration >= canaryTime || n >= maxIterations):
			return &Canary{library: l, bound: b, best: math.Inf(1)}, nil
		}
		b.Release()
		if err != nil {
			return nil, err
		}
	}
}

// Tick launches the canary once.
func (c *Canary) Tick() (ns float64, ok bool) {
	o, err := c.bound.Run(1)
	if err != nil || o.Clock == metalrun.HostClock || o.Duration <= 0 {
		return 0, false
	}
	ns = float64(o.Duration)
	c.best = min(c.best, ns)
	return ns, true
}

// Best is the least time of all ticks.
func (c *Canary) Best() float64 { return c.best }

// Release frees the canary; nil is none.
func (c *Canary) Release() {
	if c != nil {
		c.bound.Release()
		c.library.Release()
	}
}

// watch ticks between samples.
type watch struct {
	Clock
	last float64
}

// begin is the tick before the first sample.
func (w *watch) begin() {
	if w.last == 0 {
		w.tick()
	}
}

// tick keeps the tick after a sample, and reports the clock during the sample and whether it moved. Without a clock
// nothing moves.
func (w *watch) tick() (ns float64, hasMoved bool) {
	if w.Clock == nil {
		return 0, false
	}
	before := w.last
	now, ok := w.Tick()
	if !ok {
		w.Clock, w.last = nil, 0
		return 0, false
	}
	w.last = now
	if before == 0 {
		return now, false
	}
	return (before + now) / 2, moved(before, now)
}
