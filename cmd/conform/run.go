package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"metalconform/internal/cputime"
	"metalconform/internal/exit"
	"metalconform/internal/printable"
	"metalconform/internal/session"
	"metalconform/internal/terminal"
	"metalconform/metalrun"
	"metalconform/metalrun/record"
	"metalconform/metalrun/sim"
	"metalconform/reports"
	"metalconform/reports/html"
	"metalconform/reports/plot"
	"metalconform/suite"
	"metalconform/suite/explain"
	"metalconform/suite/metrics"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// runFlags are the flags of conform run.
type runFlags struct {
	session.Selection
	session.VerdictFlags
	repeat  int
	vsPlain bool
	blame   bool
	out     string
	json    bool
	verbose bool
	quiet   bool
	session.Partition
	record    string
	threeWays bool
	commit    string
	reports   session.ReportFlag
	whole     time.Duration
	force     bool
	resumes   bool
	noSources bool
	noClocks  bool

	lastFailed bool
	failFast   bool
	most       int // failures that are shown
}

func newRun() *cobra.Command {
	f := &runFlags{Selection: session.NewSelection(), reports: newReportFlag()}
	cmd := &cobra.Command{
		Use:   "run [flags] [DIR | FILE...]",
		Short: "judge kernels",
		Long: `Run launches kernels over a sweep of shapes and inputs. It judges every element of their outputs
against the definition in float64.

DIR has the kernels, and what they are judged by: conform.toml and specifications (*.star). FILE is a .metal
file or a specification. Without them Run takes the working directory. If that has no kernels, it judges
Conform's own kernels.

Failures come with the command that repeats them. The exit status is 0 for PASS; 1 for FAIL: a case fails, a
file does not compile, nothing is judged, or a required kernel is not judged; 2 for a mistake on the command
line; and 3 if there is no such device, a case could not be judged, or the run could not be completed.`,
		Annotations: map[string]string{afterFlags: metricsHelp()},
		Example: `conform run                              the kernels of this directory
conform run kernels -o out               results in out/results.jsonl
conform run fused.metal -last-failed     what failed before, of one file
conform run -run rms_norm -sweep full    all cases of some kernels
conform run -repeat 10                   the same bits every time?
conform run -backend metal -record rec   keep what the GPU writes
conform run -replay rec                  judge it on another machine
conform run -baseline last -new          fail for new failures alone
conform run -shard 2/8 -o part2          an eighth of the cases
conform run -o out -resume               go on after an interrupt`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.FindProject(args); err != nil {
				return err
			}
			if cmd.Flags().NFlag() == 0 && f.Shaders == "" {
				if err := session.NotOfProjects("."); err != nil {
					return err
				}
			}
			return runCases(cmd.Context(), *f, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f.define(cmd.Flags())
	return cmd
}

// define defines the flags.
func (f *runFlags) define(flags *pflag.FlagSet) {
	f.Selection.Add(flags)
	f.Checks.Add(flags)
	f.VerdictFlags.Add(flags)
	f.AddJudging(flags)
	f.AddForecast(flags)
	flags.BoolVar(&f.lastFailed, "last-failed", false,
		"only cases that failed when they were last judged from this directory; all cases if none failed")
	flags.BoolVar(&f.failFast, "fail-fast", false, "stop at the first case that fails")
	flags.IntVarP(&f.most, "show", "n", reports.DefaultStyle.MaxFailures,
		fmt.Sprintf("show at most `N` causes of failures, and as many warnings; 0 for all; %d if not given",
			reports.DefaultStyle.MaxFailures))
	flags.IntVar(&f.repeat, "repeat", 1, "launch each case `N` times from the same inputs and compare all bits")
	flags.BoolVar(&f.Work, "work", false,
		"on the simulator, count the work of kernels, such as operations, bytes and barriers, for conform "+
			"compare")
	flags.BoolVar(&f.vsPlain, "vs-plain", false,
		"also give errors as multiples of those of the plain implementation, our own kernels on the simulator")
	flags.BoolVar(&f.blame, "blame", false,
		"also find which lines the worst error of the first case of each kernel and pipeline comes "+
			"from, for the pages of -report html")
	flags.StringVarP(&f.out, "o", "o", "",
		"write `DIR`/results.jsonl, a line per case as it ends, for conform report; until the end it is called "+
			"results.partial.jsonl")
	flags.BoolVar(&f.force, "force", false,
		"with -o, overwrite the results of an earlier run, which are otherwise kept as results-1.jsonl")
	flags.BoolVar(&f.resumes, "resume", false,
		"with -o, continue the same run where it broke off; a complete run is not judged again")
	flags.BoolVar(&f.noClocks, "no-clocks", false,
		"write no times into results; then a repeated run writes the same bytes")
	flags.BoolVar(&f.noSources, "no-sources", false,
		"leave the sources of judged kernels out of results and reports")
	flags.StringVar(&f.record, "record", "",
		"keep in `DIR` the inputs and outputs of launches, for -replay: the first 192 KiB of each kernel and "+
			"pipeline, and the launches of cases that fail")
	f.AddReplay(flags)
	flags.BoolVar(&f.threeWays, "three-ways", false,
		"also run everything on the simulator, and end with a table of elements as the oracle, the simulator "+
			"and the device have them; -replay always does")
	f.Partition.Add(flags, "conform report joins the results")
	flags.StringArrayVar(&f.Costs, "costs", nil,
		"distribute cases by the time that they took in `RESULTS`, which has to be the same for all parts; in "+
			"turn if not given")
	flags.StringVar(&f.commit, "commit", "",
		"record in the results that the kernels are those of commit `HASH`; if not given, the one that CI, git or "+
			"the build names")
	flags.BoolVar(&f.json, "json", false, "print the lines of results.jsonl instead of the table")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "print every case with the metrics of its outputs")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print only the verdict and the failures")
	flags.DurationVar(&f.whole, "run-timeout", 0, "stop after `DURATION` of CPU time, on a GPU of wall time")
	f.reports.Add(flags)
}

// metricsHelp lists the metrics of outputs.
func metricsHelp() string {
	var b strings.Builder
	b.WriteString("Metrics of outputs, by their keys in results, with what tables and -v call them:")
	for _, m := range metrics.All() {
		name := ""
		if m.Name != m.Key {
			name = m.Name + ": "
		}
		fmt.Fprintf(&b, "\n  %-11s  %s%s", m.Key, name, m.Means)
	}
	return b.String()
}

// check refuses what no flag can refuse by itself.
func (f runFlags) check() error {
	switch {
	case f.quiet && f.verbose:
		return exit.Usagef("-q and -v exclude each other")
	case f.Replay != "" && (f.record != "" || f.repeat > 1):
		return exit.Usagef("-replay launches nothing: it excludes -record and -repeat")
	case f.blame && !f.Exact.On() && !f.Spec.Given():
		return exit.Usagef("-blame goes back over exact execution: it excludes -exact=false")
	case f.resumes && (f.out == "" || f.force):
		return exit.Usagef("-resume goes on with the results in -o DIR, which -force writes over")
	case f.lastFailed && (f.Divided() || f.resumes):
		return exit.Usagef("-last-failed: shards and -resume need the same cases each time")
	case f.resumes && f.record != "":
		return exit.Usagef("-resume: a recording has to be whole: it excludes -record")
	case f.repeat < 1:
		return exit.Usagef("-repeat %d: want at least 1", f.repeat)
	}
	return nil
}

// runCases validates everything that it can before it starts, so that a
// mistake leaves nothing behind.
func runCases(ctx context.Context, f runFlags, stdout, stderr io.Writer) error {
	if err := f.check(); err != nil {
		return err
	}
	if err := f.FromEnvironment(); err != nil {
		return err
	}
	f.Narrow = !f.Require.Given && len(f.BaselineFiles) == 0
	w, err := f.Start()
	if err != nil {
		return err
	}
	defer w.Close()
	f.Selection = w.Selection
	s := &judging{runFlags: f, stdout: stdout, stderr: stderr, style: reports.DefaultStyle, stale: w.Expired}
	s.style.Colour, s.style.Verbose = terminal.Coloured(stdout), f.verbose
	if s.style.MaxFailures = f.most; f.most == 0 {
		s.style.MaxFailures = math.MaxInt
	}
	if s.baseline, err = f.VerdictFlags.Baseline(false); err != nil {
		return err
	}
	if err := w.LoadCases(ctx); err != nil {
		return err
	}
	if err := f.judgesSome(w.Cases, w.Source, w.Declared); err != nil {
		return err
	}
	if f.lastFailed {
		var some bool
		if w.Cases, some = session.LastFailed(w.Cases); !some && !f.quiet {
			fmt.Fprintln(stderr, "conform run: no case failed last time: judging all")
		}
	}
	runner, opts, err := f.devices(ctx, w)
	if err != nil {
		return err
	}
	if opts.Plain != nil {
		defer opts.Plain.Runner.Close()
	}
	header, err := f.header(w, runner)
	if err != nil {
		return err
	}
	if w.Declared != nil && !w.Source.Narrowed() {
		catalogue := f.Spec.Cases(suite.Quick)
		s.stale = slices.Concat(s.stale, w.Declared.Present(w.Source, catalogue),
			w.Source.Idle(w.Declared, runner, catalogue))
	}
	var cases []suite.Case
	if cases, s.indices, err = s.Take(w.Cases); err != nil {
		return err
	}
	if s.Divided() {
		header.Shard = &s.Shard.Shard
	}
	if f.noSources {
		header.WithoutSources()
	}
	opts.Forecast = f.Forecast.Of(cases, f.Portable)
	if err := s.open(header, cases); err != nil {
		return err
	}
	defer s.file.Close()
	opts.Judged, opts.Hung = len(s.results), hung(s.results)
	s.announce(runner.Device(), w.Why, cases)
	if s.Run.Regexp == nil && !s.Divided() {
		s.pairs = suite.PairsIn(cases)
	}
	err = s.judge(ctx, runner, opts, header, cases)
	if !f.quiet && !f.json && !w.Source.Narrowed() {
		f.Spec.PrintCoverage(stdout, w.Source)
	}
	var ended *exit.Error
	if err != nil && !(errors.As(err, &ended) && ended.Status == exit.Fails) {
		return err
	}
	return cmp.Or(s.answered(runner), s.compared(), err)
}

// devices are the device of the run, which a recorder may stand before, and options with those that are asked beside
// it.
func (f runFlags) devices(ctx context.Context, w *session.Session) (runner metalrun.Runner, opts suite.Options,
	err error) {
	runner = w.Runner
	if f.record != "" {
		if runner, err = record.New(w.Runner, f.record); err != nil {
			return nil, opts, exit.Usagef("-record: %w", err)
		}
	}
	opts = f.options(w.Source, w.Declared)
	opts.Adversaries = f.AdversaryRunners(runner.Device())
	if opts.Simulator, err = f.beside(runner); err != nil {
		return nil, opts, err
	}
	if f.vsPlain {
		opts.Plain, err = f.plain(ctx, runner, w.Source)
	}
	return runner, opts, err
}

// header is the header of the results.
func (f runFlags) header(w *session.Session, runner metalrun.Runner) (h reports.Header, err error) {
	h = f.Header(f.judgement(), runner.Device(), time.Now(), w.Cases, w.Source)
	if h.Rules, err = f.RulesDigest(w.Declared); err != nil {
		return h, err
	}
	if err := f.Requirements(&h, f.Require, w.Declared, w.Source); err != nil {
		return h, err
	}
	return h, session.Examine(&h, runner, w.Source, w.Cases)
}

// hung are the indices of the results of cases that hung.
func hung(results []suite.Result) (list []int) {
	for i, r := range results {
		if r.Hung {
			list = append(list, i)
		}
	}
	return list
}

// judgement is what the flags say of the header.
func (f runFlags) judgement() session.RunFacts {
	j := session.RunFacts{Commit: f.commit}
	if f.repeat > 1 {
		j.Repeat = f.repeat
	}
	return j
}

// options are those of a run of the cases.
func (f runFlags) options(source *suite.Shaders, declared *suite.Declarations) suite.Options {
	opts := f.Selection.Options(source, declared)
	if opts.Repeat = f.repeat; f.repeat > 1 {
		opts.ReplayFlags = strings.TrimSpace(fmt.Sprintf("%s -repeat %d", opts.ReplayFlags, f.repeat))
	}
	if f.blame {
		opts.Blame = explain.Errors{}
	}
	if f.out != "" {
		opts.Explain = explain.BackgroundOf
	}
	return opts
}

// plain is the plain implementation that -vs-plain compares with: our own kernels on
// the simulator with its reference semantics, unless they are what runs.
func (f runFlags) plain(ctx context.Context, r metalrun.Runner, source *suite.Shaders) (*suite.Plain, error) {
	if r.Device().Clock == metalrun.HostClock && f.Shaders == "" && f.Semantics.Name == "reference" {
		return nil,
			exit.Usagef("-vs-plain: our own kernels on the simulator are the plain implementation (-shaders, " +
				"-semantics or -backend metal runs something else)")
	}
	if f.Shaders != "" {
		var err error
		if source, err = session.OpenOwnShaders(ctx); err != nil {
			return nil, err
		}
	}
	return &suite.Plain{Runner: sim.New(sim.Semantics{Portable: f.Portable}), Shaders: source}, nil
}

// judging is one run on its way.
type judging struct {
	runFlags
	stdout, stderr io.Writer
	file           session.Output
	log            *reports.Log // into the file, and with -json to stdout
	indices        []int        // of the cases among those of all shards
	style          reports.Style
	results        []suite.Result
	stale          []suite.Outdated // what is wrong with declarations
	baseline       *reports.Run     // nil if there is none
	pairs          []suite.Pairs    // of sizes, that whole sweeps have
}

// open opens the log, with a header unless it goes on.
func (s *judging) open(header reports.Header, cases []suite.Case) (err error) {
	if s.noClocks {
		header.Started = time.Time{}
	}
	if s.resumes {
		s.file, s.results, err = session.Resume(s.out, header, cases, s.indices)
	} else {
		s.file, err = session.OpenOutput(s.out, session.ResultsName, s.force)
	}
	if err != nil {
		return err
	}
	switch {
	case s.json:
		s.log = reports.NewLog(io.MultiWriter(s.file, s.stdout))
	case s.out == "":
		s.log = reports.NewLog(io.Discard)
	default:
		s.log = reports.NewLog(s.file)
	}
	switch {
	case len(s.results) == 0:
		err = s.log.Begin(header)
	case s.json:
		err = reports.JSON(s.stdout, reports.NewRun(header, s.results, s.indices[:len(s.results)], nil))
	}
	if err != nil {
		s.file.Close()
		return exit.With(exit.Device, fmt.Errorf("stopped after %d of %s: %w", len(s.results),
			printable.Count(len(cases), "case"), err))
	}
	return nil
}

// announce says what is about to run on what.
func (s *judging) announce(d metalrun.Device, why string, cases []suite.Case) {
	if s.quiet {
		return
	}
	w := s.stdout
	if s.json {
		w = s.stderr
	}
	device := d.Name
	if d.Detail != "" {
		device += " (" + d.Detail + ")"
	}
	if why != "" {
		why = "; " + why
	}
	fmt.Fprintf(w, "%s: %s%s\n", d.Backend, device, why)
	judged := ""
	if n := len(s.results); n > 0 {
		judged = fmt.Sprintf(", of which %d have been judged", n)
	}
	fmt.Fprintf(w, "%s sweep, seed %d, %s%s%s\n%s\n\n", s.Sweep.Value, s.Seed, printable.Count(len(cases), "case"),
		s.Partition.String(), judged, s.Asked(d, cases))
}

// judgesSome fails if there is nothing to judge, and no other reason to fail: a run of a
// directory with none of the kernels must not look like one that passed.
func (f runFlags) judgesSome(cases []suite.Case, source *suite.Shaders, declared *suite.Declarations) error {
	if f.Require.Given || len(f.BaselineFiles) > 0 || declared != nil && len(declared.Required) > 0 ||
		len(source.Broken()) > 0 {
		return nil
	}
	return session.RequireOne(source, cases, f.Shaders)
}

// judge judges the cases and reports them.
func (s *judging) judge(ctx context.Context, runner metalrun.Runner, opts suite.Options, header reports.Header,
	cases []suite.Case) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if s.whole > 0 {
		ctx, stop = cputime.WithLimit(ctx, s.whole, runClock(runner.Device()))
		defer stop()
	}
	begin := time.Now()
	bar := terminal.NewProgress(s.stderr, len(cases)-len(s.results))
	if s.quiet {
		bar = terminal.NewProgress(io.Discard, len(cases))
	}
	var broken error // what keeps the results from being written
	failed := false
	err := suite.Run(ctx, runner, opts, cases, func(r suite.Result) {
		if failed {
			return // it was under way already
		}
		if s.noClocks {
			r.NS, r.CostNS = 0, 0
		}
		bar.Step(r.Case, r.Status == suite.Fail || r.Status == suite.Error)
		if broken == nil {
			if broken = cmp.Or(settle(runner, r.Case), s.record(r, bar)); broken != nil {
				stop()
			}
		}
		s.results = append(s.results, s.shortened(r))
		if s.failFast && (r.Status == suite.Fail || r.Status == suite.Error) {
			failed = true
			stop()
		}
	})
	bar.Clear()
	if failed {
		err = nil // the run ends as it was asked to
	}
	session.KeepLastRun(s.results, s.out)
	if err == nil {
		err = s.keepFailures(ctx, runner, opts, cases)
	}
	if err == nil {
		err = session.CheckDevice(runner)
	}
	if opts.Declared != nil {
		s.stale = append(s.stale, opts.Declared.Unneeded(s.VariedCatalogue(opts.Shaders, opts.Declared), s.results)...)
	}
	run := reports.NewRun(header, s.results, s.indices[:len(s.results)], nil)
	if len(s.results) == len(cases) && err == nil {
		run.Ending = &reports.Ending{Ended: len(cases), ElapsedNS: time.Since(begin).Nanoseconds(), Stale: s.stale}
		if s.noClocks {
			run.Ending.ElapsedNS = 0
		}
	}
	view, wrong := s.View(run, s.baseline, s.Config)
	if wrong != nil {
		return wrong
	}
	if broken == nil {
		broken = s.conclude(view, time.Since(begin))
	}
	switch {
	case broken != nil:
		return exit.With(exit.Device,
			fmt.Errorf("stopped after %d of %s: %w", len(s.results), printable.Count(len(cases), "case"), broken))
	case errors.Is(err, metalrun.ErrUnusable): // what such a device has found says nothing for sure
		return exit.With(exit.Device, fmt.Errorf("stopped after %d of %s%s: %w", len(s.results),
			printable.Count(len(cases), "case"), s.kept(), err))
	case err != nil:
		err = fmt.Errorf("interrupted after %d of %s%s", len(s.results), printable.Count(len(cases), "case"), s.kept())
	default:
		err = session.Crashes(opts.Shaders.Broken(), s.results)
	}
	return verdictStatus(view.Verdict(), err)
}

// verdictStatus ends the command with the status of a verdict, and says what else there is to say: why not all was
// judged, or nil.
func verdictStatus(v reports.Verdict, why error) error {
	status := map[reports.Outcome]int{reports.Failed: exit.Fails, reports.NotJudged: exit.Device}[v.Outcome]
	if status == exit.Conforms {
		return nil
	}
	return exit.With(status, why)
}

// runClock is what a run is limited by: CPU time, or the time on the wall if a GPU works for it, which may hang.
func runClock(d metalrun.Device) cputime.Clock {
	if d.Clock != metalrun.GPUClock {
		return cputime.Process
	}
	begin := time.Now()
	return func() time.Duration { return time.Since(begin) }
}

// shortened is a result without what only pages and other reports show of a case that passes. It has been written, and
// of many cases it would be most of what the collector has to look at.
func (s *judging) shortened(r suite.Result) suite.Result {
	if len(s.reports.Given) > 0 || r.Status != suite.Pass {
		return r
	}
	r.Outputs = slices.Clone(r.Outputs)
	for i := range r.Outputs {
		o := &r.Outputs[i]
		o.Slices, o.Histogram, o.Map = nil, nil, nil
	}
	return r
}

// kept says where the results of an interrupted run are.
func (s *judging) kept() string {
	if s.out == "" {
		return ""
	}
	return fmt.Sprintf("; their results are in %s, and -resume goes on",
		session.PartialName(filepath.Join(s.out, session.ResultsName)))
}

// record writes one result as it comes.
func (s *judging) record(r suite.Result, bar *terminal.Progress) error {
	if s.json {
		bar.Clear()
	}
	if err := s.log.Write(s.indices[len(s.results)], r); err != nil || !s.verbose || s.json {
		return err
	}
	bar.Clear()
	if err := s.style.Line(s.stdout, r); err != nil {
		return err
	}
	return s.style.Metrics(s.stdout, r, nil)
}

// conclude ends the log, unless the run was cut short, and writes the failures,
// the table and the reports.
func (s *judging) conclude(view reports.View, elapsed time.Duration) error {
	if view.Ending != nil {
		if err := errors.Join(s.log.End(*view.Concluded()), s.file.Finish()); err != nil {
			return err
		}
	}
	if err := s.file.Close(); err != nil {
		return err
	}
	if err := s.summary(view, elapsed); err != nil {
		return err
	}
	if dir, pages := s.reports.Find(site); pages {
		if err := html.Write(dir, html.Site{View: view, Figures: plot.All(view.Run, nil)}); err != nil {
			return fmt.Errorf("-report %s: %w", site, err)
		}
	}
	view.Limit = reports.SummaryLimit
	return renderAll(s.reports.Given, s.stdout, view)
}

// summary writes what fails, what has changed, and the table; with -json, whose lines have
// the cases, what else fails.
func (s *judging) summary(view reports.View, elapsed time.Duration) error {
	table := view.Table()
	if s.json {
		return s.style.Problems(s.stderr, table)
	}
	if s.verbose {
		fmt.Fprintln(s.stdout)
	}
	if err := s.style.Verdict(s.stdout, table); err != nil {
		return err
	}
	if !s.quiet {
		if err := s.style.Scope(s.stdout, table, len(s.indices), elapsed); err != nil {
			return err
		}
		fmt.Fprintln(s.stdout)
	}
	if err := s.style.Failures(s.stdout, table); err != nil || s.quiet {
		return err
	}
	return cmp.Or(s.style.Warnings(s.stdout, table), s.style.Changes(s.stdout, view), s.style.Rows(s.stdout, table),
		s.style.Modes(s.stdout, table), s.sayPairs(), s.advise(table))
}

// sayPairs says how many pairs of sizes the cases of a whole sweep bring together.
func (s *judging) sayPairs() error {
	have, of := 0, 0
	for _, p := range s.pairs {
		have, of = have+p.Have, of+p.Of
	}
	if have == of {
		return nil
	}
	_, err := fmt.Fprintf(s.stdout, "\npairs of sizes that are judged together: %d of %d (conform list -pairs names "+
		"the others)\n", have, of)
	return err
}

// advise names the commands that say more of a failure.
func (s *judging) advise(t reports.Table) error {
	i := slices.IndexFunc(t.Failures,
		func(f reports.Failure) bool { return len(f.Failures) > 0 && f.Failures[0].Index != nil })
	if i < 0 {
		return nil
	}
	words := []string{"conform explain"}
	if s.Seed != suite.DefaultSeed {
		words = append(words, "-seed "+s.Seed.String())
	}
	if flags := s.ReplayFlags(); flags != "" {
		words = append(words, flags)
	}
	pages := "conform open DIR, of a run with -o DIR"
	if s.out != "" {
		pages = "conform open " + session.Quote(s.out)
	}
	_, err := fmt.Fprintf(s.stdout, "\nexplain: %s %s\npages: %s\n", strings.Join(words, " "),
		session.Quote(t.Failures[i].Case), pages)
	return err
}
