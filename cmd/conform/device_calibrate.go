package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"metalconform/internal/exit"
	"metalconform/internal/regular"
	"metalconform/internal/session"
	"metalconform/internal/terminal"
	"metalconform/metalrun"
	"metalconform/metalrun/forecast"
	"metalconform/metalrun/sim"
	"metalconform/metalrun/timing"
	"metalconform/suite"
	"metalconform/suite/bench"

	"github.com/spf13/cobra"
)

// calibrateFlags are the flags of conform device calibrate.
type calibrateFlags struct {
	session.Selection
	device string
	limit  time.Duration
	out    string
}

func newDeviceCalibrate() *cobra.Command {
	f := &calibrateFlags{Selection: session.NewSelection()}
	cmd := &cobra.Command{
		Use:   "calibrate [flags]",
		Short: "fit forecasts of times to this GPU",
		Long: `Calibrate times microkernels on this GPU. They show its clock, its bandwidth, the cycles of each
class of instructions and the latencies. It also times the selected cases of every kernel. It counts on the
simulator what their launches ask of a GPU, and says how good the forecasts of conform bench -forecast DEVICE
have been. Then it fits the model to all these times. Each family is judged by a fit to the other families. -o
writes the fit and the times. conform bench -forecast FILE uses the fit.

The scores mean: rank is the correlation of the ranks of forecasts and times within a family; faster named
counts pairs of cases whose times differ by 1.5 times or more, and of which the forecast names the faster one;
ratios are those of the times of two cases; alike is the median difference of the times of two cases with the
same forecast.

The exit status is 0, or 2 for a mistake on the command line, and 3 if there is no GPU.`,
		Example: `conform device calibrate -o mine.json
conform device calibrate -run 'input=normal$' -max-time 200ms -o mine.json
conform bench -forecast mine.json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.calibrate(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	f.Selection.Add(flags)
	flags.StringVar(&f.device, "device", "", "use the published figures of `DEVICE`, one of "+
		forecast.Names()+"; those of this GPU's name if not given")
	flags.DurationVar(&f.limit, "max-time", time.Second, "sample a case for `DURATION` at most; 1s if not given")
	flags.StringVarP(&f.out, "o", "o", "", "write the fit to `FILE`, whose name ends in .json")
	return cmd
}

func (f *calibrateFlags) calibrate(ctx context.Context, stdout, stderr io.Writer) error {
	if f.out != "" && !strings.HasSuffix(f.out, ".json") {
		return exit.Usagef("-o %s: want a name that ends in .json, for -forecast", f.out)
	}
	w, err := f.Start()
	if err != nil {
		return err
	}
	defer w.Close()
	if w.Runner.Device().Clock != metalrun.GPUClock {
		return exit.With(exit.Device,
			fmt.Errorf("%s has no clock of a GPU: its times say nothing of one (-backend metal on a Mac)",
				w.Runner.Device().Name))
	}
	known, by, err := f.known(w.Runner.Device().Name)
	if err != nil {
		return err
	}
	if by != "" {
		fmt.Fprintln(stdout, by)
	}
	if err := w.LoadCases(ctx); err != nil {
		return err
	}
	c := &calibration{model: known, by: by, runner: w.Runner,
		effort: bench.Effort{Effort: timing.Effort{Times: 1, Confidence: .95, Within: .02, Limit: f.limit}}}
	canary, _ := timing.NewCanary(w.Runner) // a device on which it fails is timed without
	defer canary.Release()
	if canary != nil {
		c.effort.Clock = canary
	}
	if err := c.observe(ctx, w.Options(w.Source, w.Declared), suite.Measurable(w.Cases), stderr); err != nil {
		return err
	}
	return c.fit(f.out, stdout)
}

// known is the model of a GPU, by the row that is named or the nearest to its name. by says that it is the row of
// another chip.
func (f *calibrateFlags) known(gpu string) (m *forecast.Model, by string, err error) {
	row, same := forecast.RowOf(gpu)
	switch {
	case f.device != "":
		row = f.device
	case row == "":
		return nil, "", exit.Usagef("-device: no row is that of %s: name one whose GPU is most like it, of %s", gpu,
			forecast.Names())
	case !same:
		by = fmt.Sprintf("no row describes %s: that of %s is the nearest (-device names another)", gpu, row)
	}
	if m, err = forecast.Find(row); err != nil {
		return nil, "", exit.Usagef("-device: %v", err)
	}
	return m, by, nil
}

// calibration is the times of a GPU with what its launches ask of it.
type calibration struct {
	model    *forecast.Model
	by       string // whose row the model is, if it is not the GPU's own
	runner   metalrun.Runner
	effort   bench.Effort
	roof     timing.Roof
	measured forecast.Device // as microkernels show it
	list     []forecast.Observation
}

// show takes the times of microkernels.
func (c *calibration) show(profiler metalrun.Runner) (err error) {
	if c.roof, err = timing.MeasureRoof(c.runner, c.effort.Effort); err != nil {
		return fmt.Errorf("the roof: %w", err)
	}
	turns, err := timing.MeasureIterations(c.runner, profiler, c.effort.Effort, timing.Microkernels())
	if err != nil {
		return fmt.Errorf("microkernels: %w", err)
	}
	var list []forecast.Iteration
	for _, t := range turns {
		list = append(list, forecast.Iteration{Name: t.Name, Threadgroups: t.Threadgroups, Seconds: t.Seconds,
			Profile: t.Profile, Costs: t.Costs})
	}
	c.measured = c.model.Device.Measured(list, c.roof.Copy.PerSecond(c.roof.Copy.Times[0]))
	return nil
}

// observe takes the times of cases.
func (c *calibration) observe(ctx context.Context, opts suite.Options, cases []suite.Case, stderr io.Writer) error {
	counted := sim.New(sim.Semantics{Profile: true})
	if err := c.show(counted); err != nil {
		return err
	}
	bar := terminal.NewProgress(stderr, len(cases))
	defer bar.Clear()
	meter := bench.NewMeter(c.runner, opts, c.effort)
	defer meter.Close()
	seconds := map[string]float64{}
	for _, test := range cases {
		if ctx.Err() != nil {
			return exit.With(exit.Device, fmt.Errorf("interrupted after %d of %d cases", len(seconds), len(cases)))
		}
		for _, m := range meter.Measure(test) {
			if len(m.Times) > 0 && m.Clock == metalrun.GPUClock {
				seconds[test.Name] = m.Times[0].Median / 1e9
			}
			bar.Step(m.Case, m.Status == suite.Fail || m.Status == suite.Error)
		}
	}
	opts.Forecast = &suite.Forecasting{Runner: counted, Model: c.model, Cases: map[string]bool{}}
	for name := range seconds {
		opts.Forecast.Cases[name] = true
	}
	opts.Parallel = 1
	opts.Forecast.Keep = func(test suite.Case, launches []forecast.Launch) {
		c.list = append(c.list, forecast.Observation{Task: test.Family, Size: test.Kernel.Name, Kernel: test.Name,
			Launches: launches, Seconds: seconds[test.Name], Busy: true})
	}
	timed := slices.DeleteFunc(slices.Clone(cases), func(test suite.Case) bool { return seconds[test.Name] == 0 })
	return suite.Run(ctx, counted, opts, timed, func(suite.Result) {})
}

// calibrated is what scores are of.
var calibrated = [3]string{"family", "kernel", "cases"}

// fit says how good the forecasts have been, and makes better ones.
func (c *calibration) fit(out string, stdout io.Writer) error {
	for _, r := range []timing.Rate{c.roof.Copy, c.roof.FMA} {
		for _, t := range r.Times {
			fmt.Fprintf(stdout, "%s: %.4g G%s/s\n", r.Name, r.PerSecond(t)/1e9, r.Unit)
		}
	}
	c.writeKnown(stdout)
	var had []forecast.Expected
	for _, o := range c.list {
		had = append(had, c.model.Expect(o))
	}
	fmt.Fprintf(stdout, "\nforecasts for %s as they were:\n", c.model.Name)
	if err := forecast.WriteScores(stdout, calibrated, forecast.Scores(had)); err != nil {
		return err
	}
	m, err := forecast.Fit(c.measured, c.list)
	if err != nil {
		return exit.Usagef("%v", err)
	}
	left, err := forecast.LeaveOut(c.measured, c.list)
	if err != nil {
		return exit.Usagef("%v", err)
	}
	fmt.Fprintf(stdout, "\nfitted to this GPU, each family by the others:\n")
	if err := forecast.WriteScores(stdout, calibrated, forecast.Scores(left)); err != nil {
		return err
	}
	if out == "" {
		return nil
	}
	var times []forecast.Time
	for _, o := range c.list {
		times = append(times, forecast.Time{Case: o.Kernel, Seconds: o.Seconds})
	}
	how := "conform device calibrate on " + c.runner.Device().Name
	if c.by != "" {
		how += "; " + c.by
	}
	b, err := m.Encode(how, len(c.list), times...)
	if err == nil {
		err = regular.Write(out, b)
	}
	if err != nil {
		return exit.With(exit.Device, err)
	}
	return nil
}

// writeKnown is the table of what microkernels have shown.
func (c *calibration) writeKnown(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "\n%s\tpublished\tmeasured\n", c.model.Name)
	for _, k := range c.measured.Known {
		fmt.Fprintf(t, "%s\t%.4g\t%.4g\n", k.Name, k.Published, k.Measured)
	}
	t.Flush()
}
