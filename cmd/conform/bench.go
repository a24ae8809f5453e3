package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"metalconform/internal/config"
	"metalconform/internal/exit"
	"metalconform/internal/printable"
	"metalconform/internal/session"
	"metalconform/internal/terminal"
	"metalconform/metalrun"
	"metalconform/metalrun/forecast"
	"metalconform/metalrun/timing"
	"metalconform/reports"
	"metalconform/reports/plot"
	"metalconform/suite"
	"metalconform/suite/bench"
	"metalconform/suite/kernels"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// mostRows is how many rows a case may have: benchstat does with ten.
const mostRows = 10_000

// benchFlags are the flags of conform bench.
type benchFlags struct {
	session.Selection
	launches   session.LaunchFiles
	lines      bool
	all        bool
	scaling    bool
	roof       bool
	plots      string
	count      int
	confidence config.Percent
	within     config.Percent
	limit      time.Duration
	cold       bool
	threads    processorCounts
	out        string
}

func newBench() *cobra.Command {
	f := &benchFlags{Selection: session.NewSelection(), confidence: 95, within: 2}
	cmd := &cobra.Command{
		Use:   "bench [flags]",
		Short: "time kernels",
		Long: `Bench times the launches of kernels. With Metal it reads the GPU's clock. On the simulator it
measures wall time, which says how long judging takes and nothing about a GPU. From each kernel it takes the
selected case that moves the most bytes. A case is judged before the first sample and after the last. A kernel
that fails gets no time, and the exit status is 1.

With Metal, buffers stay on the device. A sample is the difference between n and 2n launches in one command
buffer, divided by n. The first samples do not count until the times have become steady. Alternatives that are
compared are timed in turn. Every row says how hot the system was and whether it saved power.

Rows have the format of Go benchmarks, for benchstat. Iterations are samples and ns/op is their median.
ns/elem counts the elements of outputs. B/s counts once each byte that has to be read or written. op/s counts
the arithmetic of the definition. These counts do not depend on how the kernel works.

With -forecast nothing is timed. The simulator counts what each launch asks of the GPU. A model fitted to
times of an M1 Pro then forecasts the time among many other launches, at the full clock. It names the resource
that bounds the kernel, and says how long the kernel would take if that resource took half as long. For
kernels that the model had not seen, four of five times were in the interval. -launch FILE forecasts a kernel
without an oracle: FILE is a specification, as conform new writes it. The kernel is not judged then.`,
		Example: `conform bench                            every kernel, one case of each
conform bench -run 'mla|attn' -cold      some kernels, each time from memory
conform bench -run softmax -all-cases -sweep full
conform bench -run rms_norm -count 10 > old
conform bench -scaling -roof -plots plots
conform bench -cpu 1,2,4,8 -plots plots  the simulator, with more threads
conform bench -forecast m1pro            likely times of a GPU, without one
conform bench -forecast m1pro -launch k.star
conform bench -forecast m1pro -run sigmoid_gate -lines`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.launches.Given() {
				if f.Spec.Given() || f.scaling || f.Forecast.Model == nil {
					return exit.Usagef("-launch says how kernels are launched and not what they compute: it wants " +
						"-forecast, and excludes -spec, -pack and -scaling")
				}
				f.Spec = f.launches.Specifications
				f.Spec.Flag = "-launch"
			}
			if err := f.FindProject(nil); err != nil {
				return err
			}
			return benchCases(cmd.Context(), *f, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f.define(cmd.Flags())
	return cmd
}

// define defines the flags.
func (f *benchFlags) define(flags *pflag.FlagSet) {
	f.Add(flags)
	f.launches.Limits = f.Spec.Limits
	flags.Var(&f.launches, "launch",
		"with -forecast: launch kernels as the specification `FILE`.star says; it needs no oracle, since "+
			"nothing is judged; repeatable")
	flags.BoolVar(&f.all, "all-cases", false, "take every selected case, not one of each kernel")
	flags.BoolVar(&f.scaling, "scaling", false,
		"time alternatives for the same work, as one axis grows, instead of the selected cases: delta-net by tokens, "+
			"by chunks and by six stages of chunks, heads in blocks and in tiles, v3, v4 and v5 of a product")
	flags.Var(&f.Forecast, "forecast", "do not time, but forecast the times of a GPU: `DEVICE` is one of "+
		forecast.Names()+", or a file of conform device calibrate")
	flags.BoolVar(&f.lines, "lines", false, "with -forecast: also show the time of each resource and of the "+
		"lines of the source")
	flags.BoolVar(&f.roof, "roof", false, "also time a copy and multiply-adds, which show the peak rates of the "+
		"device")
	flags.StringVar(&f.plots, "plots", "",
		"write plots of the times into `DIR`; -roof adds the peak rates")
	flags.IntVar(&f.count, "count", 1, "print `N` rows of each case; 1 if not given")
	flags.Var(&f.confidence, "confidence", "sample until the median is known at `PERCENT` confidence; 95 if not given")
	flags.Var(&f.within, "within", "sample until the median is known to within `PERCENT`; 2 if not given")
	flags.DurationVar(&f.limit, "max-time", 2*time.Second, "sample a row for `DURATION` at most; 2s if not given")
	flags.BoolVar(&f.cold, "cold", false,
		"evict the caches before each sample by writing other memory; with Metal each launch also has buffers "+
			"of its own")
	flags.Var(&f.threads, "cpu",
		"simulate with `N` threads; several with commas between them, to compare their times; all processors if "+
			"not given")
	flags.StringVarP(&f.out, "o", "o", "",
		"write the rows to `DIR`/bench.txt as well, or to DIR/forecast.txt with -forecast")
}

// check refuses what no flag can refuse by itself.
func (f benchFlags) check() error {
	switch {
	case f.count < 1:
		return exit.Usagef("-count %d: want at least 1", f.count)
	case f.count > mostRows:
		return exit.Usagef("-count %d: want at most %d", f.count, mostRows)
	case f.limit <= 0:
		return exit.Usagef("-max-time %v: want more than 0s", f.limit)
	case f.scaling && f.all:
		return exit.Usagef("-scaling has cases of its own: it excludes -all-cases")
	case f.Forecast.Model != nil && (f.roof || f.cold || f.count > 1):
		return exit.Usagef("-forecast takes no samples: it excludes -roof, -cold and -count")
	case f.Forecast.Model == nil && f.lines:
		return exit.Usagef("-lines are of a forecast: give -forecast")
	case f.Forecast.Model != nil && f.threads.several():
		return exit.Usagef("-forecast is of a GPU, whatever the threads of the simulator: it excludes several of -cpu")
	case f.threads.several() && f.roof:
		return exit.Usagef("-roof is measured with one number of threads: it excludes several of -cpu")
	}
	return nil
}

// effort is how a case is to be timed.
func (f benchFlags) effort() bench.Effort {
	return bench.Effort{
		Effort: timing.Effort{Times: f.count, Confidence: float64(f.confidence) / 100, Within: float64(f.within) / 100,
			Limit: f.limit},
		Cold: f.cold,
	}
}

// timed are the selected cases that can be timed, in the groups that take turns.
func (f benchFlags) timed(selected []suite.Case) (groups [][]suite.Case, err error) {
	cases := suite.Measurable(selected)
	if !f.all {
		cases = suite.Largest(cases)
	}
	for _, c := range cases {
		groups = append(groups, []suite.Case{c})
	}
	if len(groups) == 0 {
		return nil, exit.Usagef("-run %q: no such case launches a kernel by itself (pipelines are not timed)",
			f.Run.String())
	}
	return groups, nil
}

// scaled are the cases of scalings, in groups of one shape.
func (f benchFlags) scaled(families []suite.Family) (groups [][]suite.Case, err error) {
	for _, s := range kernels.Scalings() {
		for _, group := range s.Cases(families) {
			group = slices.DeleteFunc(group,
				func(c suite.Case) bool { return f.Run.Regexp != nil && !f.Run.MatchString(c.Name) })
			if len(group) > 0 {
				groups = append(groups, group)
			}
		}
	}
	if len(groups) == 0 {
		return nil, exit.Usagef("-run %q: no such case of a scaling", f.Run.String())
	}
	return groups, nil
}

// settings are the configuration lines of the rows.
func (f benchFlags) settings(d metalrun.Device) []reports.Setting {
	loops := ""
	if d.Clock == metalrun.HostClock {
		loops = "native"
		if f.Portable {
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
	supply := ""
	if d.Clock == metalrun.GPUClock {
		supply = timing.Supply()
	}
	return []reports.Setting{
		{Key: "supply", Value: supply},
		{Key: "goos", Value: runtime.GOOS}, {Key: "goarch", Value: runtime.GOARCH},
		{Key: "device", Value: device}, {Key: "loops", Value: loops}, {Key: "caches", Value: caches},
		{Key: "seed", Value: f.Seed.String()}, {Key: "commit", Value: session.Commit()},
	}
}

// benchCases validates everything that it can before it starts.
func benchCases(ctx context.Context, f benchFlags, stdout, stderr io.Writer) error {
	if err := f.check(); err != nil {
		return err
	}
	w, err := f.Start() // that declarations have expired is for conform run to say
	if err != nil {
		return err
	}
	defer w.Close()
	f.Selection = w.Selection
	groups, source, err := f.groups(ctx, w.Declared)
	if err != nil {
		return err
	}
	rows := "bench.txt" // which conform compare takes for times
	if f.Forecast.Model != nil {
		rows = "forecast.txt"
	}
	file, err := session.OpenOutput(f.out, rows, false)
	if err != nil {
		return err
	}
	defer file.Close()

	device := w.Runner.Device()
	if f.threads.several() && device.Clock != metalrun.HostClock {
		return exit.Usagef("-cpu: %s takes no threads of the host: give one number, or -backend simulator", device.Name)
	}
	b := &benching{benchFlags: f, runner: w.Runner, opts: f.Options(source, w.Declared), groups: groups,
		times: plot.NewBench()}
	b.bar = terminal.NewProgress(stderr, b.planned())
	if f.Forecast.Model != nil {
		err = b.forecastCases(ctx, io.MultiWriter(stdout, file), stderr)
	} else {
		err = b.timeAll(ctx, io.MultiWriter(stdout, file))
	}
	b.bar.Clear()
	if err == nil {
		err = session.CheckDevice(w.Runner)
	}
	if err == nil {
		err = file.Finish()
	}
	if err == nil && f.plots != "" {
		err = b.plot(source)
	}
	return b.conclude(ctx, stderr, err)
}

// groups are what is timed, each in turns.
func (f benchFlags) groups(ctx context.Context, declared *suite.Declarations) ([][]suite.Case, *suite.Shaders, error) {
	var groups [][]suite.Case
	var selected []suite.Case
	var source *suite.Shaders
	var err error
	if f.scaling {
		if groups, err = f.scaled(f.Families(declared)); err != nil {
			return nil, nil, err
		}
		if source, err = f.OpenShaders(ctx, "-shaders", f.Shaders, declared); err != nil {
			return nil, nil, err
		}
		for i := range groups {
			groups[i] = source.InModes(groups[i], declared, f.Math.Modes)
		}
		selected = slices.Concat(groups...)
	} else {
		selected, source, err = f.Load(ctx, declared)
	}
	if err != nil {
		return nil, nil, err
	}
	if err := session.RequireOne(source, selected, f.Shaders); err != nil {
		return nil, nil, err
	}
	if !f.scaling {
		groups, err = f.timed(selected)
	}
	return groups, source, err
}

// benching is one run of conform bench on its way.
type benching struct {
	benchFlags
	runner  metalrun.Runner
	opts    suite.Options
	groups  [][]suite.Case
	bar     *terminal.Progress
	results []suite.Result
	times   plot.Bench // with the last number of threads
	// processors are the times with each number of threads.
	processors []plot.Processors
}

// planned is the number of cases, each counted as often as it is timed anew.
func (b *benching) planned() int {
	return len(slices.Concat(b.groups...)) * max(1, len(b.threads))
}

// timeAll times with each number of threads.
func (b *benching) timeAll(ctx context.Context, w io.Writer) error {
	device := b.runner.Device()
	if device.Clock != metalrun.HostClock {
		return b.time(ctx, reports.NewBench(w, device.Backend, 0, b.settings(device)...))
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	counts := b.threads
	if len(counts) == 0 {
		counts = processorCounts{0}
	}
	for _, n := range counts {
		runtime.GOMAXPROCS(n) // 0 changes nothing
		b.times = plot.NewBench()
		if err := b.time(ctx, reports.NewBench(w, device.Backend, runtime.GOMAXPROCS(0), b.settings(device)...)); err !=
			nil {
			return err
		}
		b.processors = append(b.processors, plot.Processors{Threads: runtime.GOMAXPROCS(0), Bench: b.times})
	}
	return nil
}

// time takes the groups one after the other, alone on the machine.
func (b *benching) time(ctx context.Context, rows *reports.Bench) error {
	if b.roof {
		if err := b.rates(rows); err != nil {
			return err
		}
	}
	meter := bench.NewMeter(b.runner, b.opts, b.effort())
	defer meter.Close()
	for _, group := range b.groups {
		if ctx.Err() != nil {
			return nil
		}
		for _, m := range meter.Measure(group...) {
			b.results = append(b.results, m.Result)
			b.times.Add(b.runner.Device().Backend, m)
			b.bar.Clear()
			if err := rows.Write(m); err != nil {
				return err
			}
			b.bar.Step(m.Case, m.Status == suite.Fail || m.Status == suite.Error)
		}
	}
	return nil
}

// rates times what the device can do at most.
func (b *benching) rates(rows *reports.Bench) error {
	effort := b.effort().Effort
	canary, _ := timing.NewCanary(b.runner) // a device on which it fails is timed without
	defer canary.Release()
	if canary != nil {
		effort.Clock = canary
	}
	roof, err := timing.MeasureRoof(b.runner, effort)
	if err != nil {
		return fmt.Errorf("the roof: %w", err)
	}
	b.times.AddRoof(b.runner.Device().Backend, roof)
	return errors.Join(rows.WriteRate(roof.Copy), rows.WriteRate(roof.FMA))
}

// plot writes the figures of times.
func (b *benching) plot(source *suite.Shaders) error {
	if len(b.times.Times) == 0 {
		return nil
	}
	h := reports.Header{Device: reports.NewDevice(b.runner.Device())}
	h.Describe(slices.Concat(b.groups...), source, b.Spec.Taken())
	d := plot.Data{Run: reports.NewRun(h, b.results, nil, nil), Bench: b.times, Cost: costs(), Scalings: scalings(),
		Processors: b.processors}
	return plotFlags{dir: b.plots}.write(d.TimeFigures())
}

// conclude says which cases have no rows. stopped is what kept them from being
// written.
func (b *benching) conclude(ctx context.Context, stderr io.Writer, stopped error) error {
	table := reports.NewTable(b.results, nil)
	style := reports.DefaultStyle
	style.Colour = terminal.Coloured(stderr)
	if err := style.Failures(stderr, table); err != nil {
		return err
	}
	broken := b.uncompiled(stderr)
	if n := table.Count(suite.Skip) - broken; n > 0 {
		fmt.Fprintf(stderr, "%d of %s skipped: -shaders %s has no such kernels\n", n, printable.Count(b.planned(),
			"case"), b.Shaders)
	}
	crashed := session.Crashes(nil, b.results)
	switch {
	case stopped != nil:
		return exit.With(exit.Device, fmt.Errorf("stopped after %d of %d cases: %w", len(b.results), b.planned(),
			stopped))
	case ctx.Err() != nil && len(b.results) < b.planned():
		return exit.With(exit.Device, fmt.Errorf("interrupted after %d of %d cases", len(b.results), b.planned()))
	case crashed != nil:
		return exit.With(exit.Device, crashed)
	case table.Count(suite.Fail)+table.Count(suite.Error)+broken > 0:
		return exit.Silently(exit.Fails)
	}
	return nil
}

// uncompiled says which files do not compile, and counts the cases that are skipped for that.
func (b *benching) uncompiled(w io.Writer) (cases int) {
	said := map[string]bool{}
	for _, r := range b.results {
		if r.Status != suite.Skip || r.Uncompiled == "" {
			continue
		}
		if cases++; !said[r.Reason] {
			said[r.Reason] = true
			fmt.Fprintln(w, r.Reason)
		}
	}
	return cases
}
