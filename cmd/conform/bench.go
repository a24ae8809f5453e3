package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"time"

	"metalconform/metalrun"
	"metalconform/reports"
	"metalconform/suite"

	"github.com/spf13/cobra"
)

// benchFlags are the flags of conform bench.
type benchFlags struct {
	selection
	all        bool
	count      int
	confidence percent
	within     percent
	limit      time.Duration
	cold       bool
	threads    int
	out        string
}

func newBench() *cobra.Command {
	f := &benchFlags{selection: newSelection(), confidence: 95, within: 2}
	cmd := &cobra.Command{
		Use:   "bench [flags]",
		Short: "time kernels",
		Long: `Bench times the launches of kernels: by the GPU's clock with Metal, and as wall time
on the simulator, which says how long judging takes and nothing about a GPU. From
each kernel it takes the selected case that moves the most bytes. A case is judged
before the first sample and after the last: a kernel that does not conform gets no
number, and the exit status is 1.

Rows are Go benchmarks, for benchstat. Iterations are samples and ns/op is their
median. ns/elem counts the elements of outputs, B/s the bytes that have to be read or
written once, op/s the arithmetic of the definition, all as the catalogue declares
them, whatever the kernel does.`,
		Example: `conform bench                                   every kernel, one case of each
conform bench -run 'mla|attn' -cold             some kernels, each time from memory
conform bench -run softmax -all -sweep full     all their cases
conform bench -run rms_norm -count 10 > old     ten rows of each: for benchstat -col commit old new
conform bench -shaders ~/kernels -o out         your kernels; rows in out/bench.txt too`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return benchCases(cmd.Context(), *f, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	f.add(flags)
	flags.BoolVar(&f.all, "all", false, "take every selected case, not one of each kernel")
	flags.IntVar(&f.count, "count", 1, "print `N` rows of each case; 1 if not given")
	flags.Var(&f.confidence, "confidence", "sample until the median is known at `PERCENT` confidence; 95 if not given")
	flags.Var(&f.within, "within", "how well known: to within `PERCENT`; 2 if not given")
	flags.DurationVar(&f.limit, "limit", 2*time.Second, "sample a row for `DURATION` at most; 2s if not given")
	flags.BoolVar(&f.cold, "cold", false, "overwrite 64 MiB before each sample, so that caches hold nothing of the case")
	flags.IntVar(&f.threads, "cpu", 0, "simulate with `N` threads; all processors if not given")
	flags.StringVarP(&f.out, "output", "o", "", "write the rows to `DIR`/bench.txt as well")
	return cmd
}

// percent is a flag that holds a part of a hundred.
type percent float64

func (p *percent) String() string { return strconv.FormatFloat(float64(*p), 'g', -1, 64) }
func (p *percent) Type() string   { return "percent" }
func (p *percent) Set(s string) error {
	x, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
	if err != nil || !(0 < x && x < 100) {
		return errors.New("want a number above 0 and below 100")
	}
	*p = percent(x)
	return nil
}

// check refuses what no flag can refuse by itself.
func (f benchFlags) check() error {
	switch {
	case f.count < 1:
		return usageError("-count %d: want at least 1", f.count)
	case f.limit <= 0:
		return usageError("-limit %v: want more than 0s", f.limit)
	case f.threads < 0:
		return usageError("-cpu %d: want at least 1, or 0 for all processors", f.threads)
	}
	return nil
}

// effort is how a case is to be timed.
func (f benchFlags) effort() suite.Effort {
	return suite.Effort{
		Times: f.count, Confidence: float64(f.confidence) / 100, Within: float64(f.within) / 100, Limit: f.limit, Cold: f.cold,
	}
}

// timed are the selected cases that can be timed.
func (f benchFlags) timed(selected []suite.Case) ([]suite.Case, error) {
	cases := suite.Measurable(selected)
	if !f.all {
		cases = suite.Largest(cases)
	}
	if len(cases) == 0 {
		return nil, usageError("-run %q: no such case launches a kernel by itself (pipelines are not timed)", f.run.String())
	}
	return cases, nil
}

// settings are the configuration lines of the rows.
func (f benchFlags) settings(d metalrun.Device) []reports.Setting {
	backend, loops := d.Backend+" (GPU time)", ""
	if d.Clock == metalrun.HostClock {
		backend, loops = d.Backend+" (wall time on CPU)", "native"
		if f.portable {
			loops = "portable"
		}
	}
	caches := "warm"
	if f.cold {
		caches = "cold"
	}
	device := d.Name
	if d.Detail != "" {
		device += " (" + d.Detail + ")"
	}
	return []reports.Setting{
		{Key: "goos", Value: runtime.GOOS}, {Key: "goarch", Value: runtime.GOARCH}, {Key: "backend", Value: backend},
		{Key: "device", Value: device}, {Key: "loops", Value: loops}, {Key: "caches", Value: caches},
		{Key: "seed", Value: f.seed.String()}, {Key: "commit", Value: commit()},
	}
}

// benchCases validates everything that it can before it starts.
func benchCases(ctx context.Context, f benchFlags, stdout, stderr io.Writer) error {
	if err := f.check(); err != nil {
		return err
	}
	declared, _, err := f.declarations() // that they have expired is for conform run to say
	if err != nil {
		return err
	}
	selected, source, err := f.cases(ctx, declared)
	if err != nil {
		return err
	}
	if err := requireOne(source, selected, f.shaders); err != nil {
		return err
	}
	cases, err := f.timed(selected)
	if err != nil {
		return err
	}
	runner, _, err := f.runner()
	if err != nil {
		return err
	}
	defer runner.Close()
	file, err := openOutput(f.out, "bench.txt")
	if err != nil {
		return err
	}
	defer file.Close()

	device, threads := runner.Device(), 0
	if device.Clock == metalrun.HostClock {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(f.threads)) // 0 changes nothing
		threads = runtime.GOMAXPROCS(0)
	}
	b := &benching{benchFlags: f, runner: runner, opts: f.options(source, declared), cases: cases, bar: newProgress(stderr, len(cases))}
	err = b.time(ctx, reports.NewBench(io.MultiWriter(stdout, file), threads, f.settings(device)...))
	b.bar.clear()
	if err == nil {
		err = sound(runner)
	}
	if err == nil {
		err = file.Close()
	}
	return b.conclude(ctx, stderr, err)
}

// benching is one run of conform bench on its way.
type benching struct {
	benchFlags
	runner  metalrun.Runner
	opts    suite.Options
	cases   []suite.Case
	bar     *progress
	results []suite.Result
}

// time takes the cases one after the other, alone on the machine.
func (b *benching) time(ctx context.Context, rows *reports.Bench) error {
	for _, c := range b.cases {
		if ctx.Err() != nil {
			return nil
		}
		m := suite.Measure(b.runner, b.opts, b.effort(), c)
		b.results = append(b.results, m.Result)
		b.bar.clear()
		if err := rows.Write(m); err != nil {
			return err
		}
		b.bar.step(c.Name, m.Status == suite.Fail || m.Status == suite.Error)
	}
	return nil
}

// conclude says which cases have no rows. broken is what kept them from being
// written.
func (b *benching) conclude(ctx context.Context, stderr io.Writer, broken error) error {
	table := reports.NewTable(b.results, nil)
	style := reports.DefaultStyle
	style.Colour = coloured(stderr)
	if err := style.Failures(stderr, table); err != nil {
		return err
	}
	if n := table.Count(suite.Skip); n > 0 {
		fmt.Fprintf(stderr, "%d of %d cases skipped: -shaders %s has no such kernels\n", n, len(b.cases), b.shaders)
	}
	switch {
	case broken != nil:
		return &exit{exitDevice, fmt.Errorf("stopped after %d of %d cases: %w", len(b.results), len(b.cases), broken)}
	case ctx.Err() != nil && len(b.results) < len(b.cases):
		return &exit{exitDevice, fmt.Errorf("interrupted after %d of %d cases", len(b.results), len(b.cases))}
	case table.Count(suite.Fail)+table.Count(suite.Error) > 0:
		return &exit{status: exitFails}
	}
	return nil
}
