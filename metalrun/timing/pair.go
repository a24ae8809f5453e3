package timing

import (
	"errors"
	"time"

	"metalconform/metalrun"
)

// Pair are two submissions that differ in so many runs. The difference of their times is
// the time of those, without what a submission costs by itself.
type Pair struct {
	Short, Long func() (metalrun.Outcome, error)
	Runs        int
}

const (
	leastDifference = time.Millisecond // between the submissions of a pair, far above what the clock of one differs by
	mostRuns        = 4096
	mostPairs       = 10 // until one has a single clock
)

// Warm is a pair of runs on the same buffers: n and 2n, where n is the least power of two
// for which they differ by a millisecond.
func Warm(b metalrun.Bound) (*Pair, error) {
	for n := 1; ; n *= 2 {
		run := func(n int) func() (metalrun.Outcome, error) {
			return func() (metalrun.Outcome, error) { return b.Run(n) }
		}
		p := &Pair{Short: run(n), Long: run(2 * n), Runs: n}
		ns, _, err := p.Sample()
		if err != nil || n == mostRuns || ns*float64(n) >= float64(leastDifference) {
			return p, err
		}
	}
}

// Sample is the time of one run in nanoseconds: short, long, long, short, so that a clock
// that drifts evenly cancels. clock is where the device did not say how long it took.
func (p *Pair) Sample() (ns float64, clock metalrun.Clock, err error) {
	for range mostPairs {
		var took time.Duration
		clocks := map[metalrun.Clock]bool{}
		for i, long := range []bool{false, true, true, false} {
			submit, sign := p.Short, time.Duration(-1)
			if long {
				submit, sign = p.Long, 1
			}
			o, err := submit()
			if err != nil {
				return 0, "", err
			}
			if i == 0 {
				clock = o.Clock
			}
			took += sign * o.Duration
			clocks[o.Clock] = true
		}
		if len(clocks) == 1 {
			return float64(took) / 2 / float64(p.Runs), clock, nil
		}
	}
	return 0, "", errors.New("the device's clock comes and goes: no two submissions in a row can be compared")
}
