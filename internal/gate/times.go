package gate

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"metalconform/internal/exit"
	"metalconform/internal/printable"
	"metalconform/internal/session"
	"metalconform/internal/terminal"
	"metalconform/metalrun"
	"metalconform/metalrun/timing"
	"metalconform/reports"
	"metalconform/suite"
	"metalconform/suite/bench"

	"github.com/spf13/pflag"
)

// Times are how the times of two sides are taken on a GPU.
type Times struct {
	count int
	limit time.Duration
	cold  bool
}

// Add defines the flags.
func (t *Times) Add(flags *pflag.FlagSet) {
	flags.IntVar(&t.count, "count", 20,
		"on a GPU, take `N` samples of each version, and of BASE against itself; 20 if not given")
	flags.DurationVar(&t.limit, "max-time", 5*time.Second,
		"on a GPU, sample a version of a case for `DURATION` at most; 5s if not given")
	flags.BoolVar(&t.cold, "cold", false, "on a GPU, evict the caches before each sample")
}

// Check refuses what no flag can refuse by itself.
func (t *Times) Check() error {
	switch {
	case t.count < 1:
		return exit.Usagef("-count %d: want at least 1", t.count)
	case t.limit <= 0:
		return exit.Usagef("-max-time %v: want more than 0s", t.limit)
	}
	return nil
}

// Take takes the times of those of the cases that both sides pass.
func (t *Times) Take(ctx context.Context, runner metalrun.Runner, was, is *Side, cases []suite.Case, base,
	head *reports.Set, stderr io.Writer) error {
	passed := func(s *reports.Set, name string) bool {
		return slices.ContainsFunc(s.Results, func(r suite.Result) bool {
			return r.Case == name &&
				r.Status == suite.Pass
		})
	}
	cases = slices.DeleteFunc(cases, func(c suite.Case) bool { return !passed(base, c.Name) || !passed(head, c.Name) })
	base.Times, head.Times = reports.NewTimes(), reports.NewTimes()
	meter := bench.NewMeter(runner, is.options(is.Source), bench.Effort{
		Effort: timing.Effort{Times: t.count, Confidence: 0.95, Within: 0.02, Limit: t.limit}, Cold: t.cold,
	})
	defer meter.Close()
	bar := terminal.NewProgress(stderr, len(cases))
	for i, c := range cases {
		if ctx.Err() != nil {
			bar.Clear()
			return exit.With(exit.Device, fmt.Errorf("interrupted after the times of %d of %s", i,
				printable.Count(len(cases), "case")))
		}
		before := was.Cases[slices.IndexFunc(was.Cases, func(o suite.Case) bool { return o.Name == c.Name })]
		got := meter.Compare(bench.Version{Case: before, Shaders: was.Source, Declared: was.declared},
			bench.Version{Case: c, Shaders: is.Source, Declared: is.declared},
			rand.New(rand.NewPCG(uint64(is.Seed), uint64(i))))
		bar.Step("times: "+c.Name, got.Failed != nil)
		if r := got.Failed; r != nil {
			bar.Clear()
			return exit.With(exit.Device, fmt.Errorf("%s passed, and does not while it is timed: %s", c.Name,
				r.Headline()))
		}
		base.Times.Take(c.Name, got.Base, got.Self)
		head.Times.Take(c.Name, got.Head, [2][]float64{})
	}
	bar.Clear()
	if err := session.CheckDevice(runner); err != nil {
		return exit.With(exit.Device, err)
	}
	return nil
}
