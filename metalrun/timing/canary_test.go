package timing

import (
	"math/rand/v2"
	"testing"
	"time"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
)

// scriptedClock has the ticks that f says, by their number; 0 ends it.
type scriptedClock struct {
	f    func(n int) float64
	n    int
	best float64
}

func (c *scriptedClock) Tick() (float64, bool) {
	ns := c.f(c.n)
	c.n++
	if ns > 0 && (c.best == 0 || ns < c.best) {
		c.best = ns
	}
	return ns, ns > 0
}

func (c *scriptedClock) Best() float64 { return c.best }

// TestClock: samples around which the clock moves do not count, and a clock that moves around most of them leaves no
// time steady.
func TestClock(t *testing.T) {
	for _, test := range []struct {
		name             string
		clock            func(n int) float64
		relative         float64
		dropped, samples int
		steady           bool
	}{
		{"still", func(int) float64 { return 500 }, 1, 0, 7, true},
		{"trembling", func(n int) float64 { return 500 + float64(n%2)*10 }, 500. / 505, 0, 7, true},
		{"slow from the second tick on", func(n int) float64 { return 500 + 1000*float64(min(n, 1)) }, 1. / 3, 0, 7,
			true},
		{"slow for one tick of those that count", func(n int) float64 {
			if n == 2*window+3 {
				return 1500
			}
			return 500
		}, 1, 2, 7, true},
		{"gone", func(n int) float64 { return 500 * float64(1-min(n/3, 1)) }, 0, 0, 7, true},
	} {
		var order []byte
		e := effort(1)
		clock := &scriptedClock{f: test.clock}
		e.Clock = clock
		got := Take(e, scripted('a', &order, func(int) float64 { return 100 }))[0][0]
		if got.Dropped != test.dropped || got.Samples != test.samples || got.Steady != test.steady ||
			got.Clock < test.relative*0.999 || got.Clock > test.relative*1.001 || got.Median != 100 {
			t.Errorf("%s: %+v after %d ticks", test.name, got, clock.n)
		}
	}
	e := effort(1)
	e.Limit = 20 * time.Millisecond
	n := 0
	e.Clock = &scriptedClock{f: func(n int) float64 { return 500 + float64(n%2)*500 }}
	got := Take(e, func() (float64, bool) {
		time.Sleep(50 * time.Microsecond)
		n++
		return 100, true
	})[0][0]
	if got.Steady || got.Samples != 0 || got.Dropped < 10 || got.Close {
		t.Errorf("a clock that never rests: %+v of %d samples", got, n)
	}
}

// TestMixedClock: of two halves by two clocks that stay for long, the lesser is left out.
func TestMixedClock(t *testing.T) {
	s := &subject{samples: []float64{1, 1, 1, 3, 3}, clocks: []float64{500, 500, 501, 1500, 1500}, moved: 1,
		steady: true}
	g := &group{Effort: effort(1)}
	g.Clock = &scriptedClock{best: 500}
	if got := g.summary(s); got.Median != 1 || got.Samples != 3 || got.Dropped != 3 || got.Clock != 500./501 &&
		got.Clock != 1 || !got.Steady {
		t.Errorf("%+v", got)
	}
}

// TestInterleavedClock: a round during which the clock moves is taken again.
func TestInterleavedClock(t *testing.T) {
	var order []byte
	e := effort(10)
	e.Clock = &scriptedClock{f: func(n int) float64 {
		if n > 33 && n%5 == 0 {
			return 1000
		}
		return 500
	}}
	got := Interleave(e, rand.New(rand.NewPCG(1, 0)), scripted('a', &order, func(int) float64 { return 100 }),
		scripted('b', &order, func(int) float64 { return 200 }))
	if len(got[0]) != 10 || len(got[1]) != 10 {
		t.Errorf("%d and %d samples", len(got[0]), len(got[1]))
	}
	if taken := len(order) - 2*10; taken <= 4*window {
		t.Errorf("no round was taken again: %d samples", len(order))
	}
}

// TestNoCanary: a device without a clock has no canary, and neither has one that falls back to that of the host.
func TestNoCanary(t *testing.T) {
	for _, r := range []metalrun.Runner{sim.New(sim.Semantics{}), gpu{sim.New(sim.Semantics{})}} {
		if c, err := NewCanary(r); c != nil || err != nil {
			t.Errorf("%+v, %v", c, err)
		}
	}
	(*Canary)(nil).Release()
}

// gpu claims a clock, and keeps no buffers.
type gpu struct{ metalrun.Runner }

func (g gpu) Device() metalrun.Device {
	d := g.Runner.Device()
	d.Clock = metalrun.GPUClock
	return d
}
