package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"metalconform/metalrun"
	"metalconform/reports"
	"metalconform/suite"

	"github.com/spf13/cobra"
)

// runFlags are the flags of conform run.
type runFlags struct {
	run     pattern
	sweep   choice
	backend choice
	seed    seed
	shaders string
	out     string
	json    bool
	verbose bool
	quiet   bool
}

func newRun() *cobra.Command {
	f := &runFlags{sweep: sweepFlag(), backend: choice{"auto", []string{"auto", "metal", "simulator"}}, seed: 1}
	cmd := &cobra.Command{
		Use:   "run [flags]",
		Short: "judge kernels",
		Long: `Run executes kernels over a sweep of shapes and inputs and judges every element of
their outputs against a float64 oracle. It prints the failures, each with the
command that repeats it, and a table by kernel. The exit status is 0 if everything
conforms, 1 if not, 2 for a mistake on the command line, and 3 if there is no such
device or the run could not be completed.`,
		Example: `conform run                                every kernel, the quick sweep
conform run -run rms_norm -sweep full      all cases of some kernels
conform run -shaders ~/kernels -o out      your kernels; results in out/results.jsonl
conform run -seed random -q                other inputs than always`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runCases(cmd.Context(), *f, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.Var(&f.run, "run", "only cases whose name matches `REGEX`")
	flags.Var(&f.sweep, "sweep", "the `quick|full` sweep; quick if not given")
	flags.Var(&f.seed, "seed", "draw all inputs from seed `N`, or from a random one; 1 if not given")
	flags.StringVar(&f.shaders, "shaders", "", "judge the kernels in the .metal files of `DIR` in place of ours")
	flags.StringVarP(&f.out, "output", "o", "", "write `DIR`/results.jsonl, a line per case as it ends")
	flags.Var(&f.backend, "backend", "run on `auto|metal|simulator`; auto is Metal where there is a device")
	flags.BoolVar(&f.json, "json", false, "print a line of JSON per case in place of the table")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "print every case")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print only failures and the verdict")
	return cmd
}

// runCases validates everything that it can before it starts, so that a
// mistake leaves nothing behind.
func runCases(ctx context.Context, f runFlags, stdout, stderr io.Writer) error {
	if f.quiet && f.verbose {
		return usageError("-q and -v exclude each other")
	}
	cases, err := selectCases(f.run, f.sweep)
	if err != nil {
		return err
	}
	source, err := openShaders(f.shaders)
	if err != nil {
		return err
	}
	if err := requireOne(source, cases, f.shaders); err != nil {
		return err
	}
	runner, why, err := openRunner(f.backend.value)
	if err != nil {
		return err
	}
	defer runner.Close()
	log, err := openLog(f.out)
	if err != nil {
		return err
	}
	defer log.Close()

	s := &session{runFlags: f, stdout: stdout, stderr: stderr, log: log, style: reports.DefaultStyle}
	s.style.Colour = isTerminal(stdout) && os.Getenv("NO_COLOR") == ""
	s.announce(runner.Device(), why, cases)
	opts := suite.Options{Shaders: source, Seed: uint64(f.seed), ReplayFlags: f.replayFlags()}
	return s.run(ctx, runner, opts, cases)
}

// replayFlags are the flags that a command which repeats a case needs besides
// its name, seed and sweep.
func (f runFlags) replayFlags() string {
	var flags []string
	if f.shaders != "" {
		flags = append(flags, "-shaders "+quote(f.shaders))
	}
	if f.backend.value != "auto" {
		flags = append(flags, "-backend "+f.backend.value)
	}
	return strings.Join(flags, " ")
}

// quote spells s for a shell.
func quote(s string) string {
	if !strings.ContainsAny(s, " \t\n'\"\\$&|;<>()*?[]{}~#!`") {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// openLog makes the output directory and the file in it, in place of one that
// an earlier run left; without a directory the log goes nowhere.
func openLog(dir string) (io.WriteCloser, error) {
	if dir == "" {
		return nowhere{}, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, usageError("-o: %v", err)
	}
	file, err := os.Create(filepath.Join(dir, "results.jsonl"))
	if err != nil {
		return nil, usageError("-o: %v", err)
	}
	return file, nil
}

type nowhere struct{}

func (nowhere) Write(b []byte) (int, error) { return len(b), nil }
func (nowhere) Close() error                { return nil }

// session is one run on its way.
type session struct {
	runFlags
	stdout, stderr io.Writer
	log            io.WriteCloser
	style          reports.Style
	results        []suite.Result
}

// announce says what is about to run on what.
func (s *session) announce(d metalrun.Device, why string, cases []suite.Case) {
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
	fmt.Fprintf(w, "%s sweep, seed %d, %d cases\n\n", s.sweep.value, s.seed, len(cases))
}

// run judges the cases and reports them.
func (s *session) run(ctx context.Context, runner metalrun.Runner, opts suite.Options, cases []suite.Case) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	begin := time.Now()
	bar := newProgress(s.stderr, len(cases))
	if s.quiet {
		bar = newProgress(io.Discard, len(cases))
	}
	var broken error // what keeps the results from being written
	err := suite.Run(ctx, runner, opts, cases, func(r suite.Result) {
		s.results = append(s.results, r)
		bar.step(r.Case, r.Status == suite.Fail || r.Status == suite.Error)
		if broken == nil {
			if broken = s.record(r, bar); broken != nil {
				stop()
			}
		}
	})
	bar.clear()
	table := reports.NewTable(s.results)
	if broken == nil {
		broken = s.conclude(table, len(cases), time.Since(begin))
	}
	if broken == nil {
		broken = s.log.Close()
	}
	switch {
	case broken != nil:
		return &exit{exitDevice, fmt.Errorf("stopped after %d of %d cases: %w", len(s.results), len(cases), broken)}
	case err != nil:
		return &exit{exitDevice, fmt.Errorf("interrupted after %d of %d cases%s", len(s.results), len(cases), s.kept())}
	case table.Count(suite.Fail)+table.Count(suite.Error) > 0:
		return &exit{status: exitFails}
	}
	return nil
}

// kept says where the results of an interrupted run are.
func (s *session) kept() string {
	if s.out == "" {
		return ""
	}
	return "; their results are in " + filepath.Join(s.out, "results.jsonl")
}

// record writes one result as it comes.
func (s *session) record(r suite.Result, bar *progress) error {
	if err := reports.NewLog(s.log).Write(r); err != nil {
		return err
	}
	switch {
	case s.json:
		bar.clear()
		return reports.NewLog(s.stdout).Write(r)
	case s.verbose:
		bar.clear()
		return s.style.Line(s.stdout, r)
	}
	return nil
}

// conclude writes the failures and the table.
func (s *session) conclude(table reports.Table, planned int, elapsed time.Duration) error {
	if s.json {
		return nil
	}
	if s.verbose {
		fmt.Fprintln(s.stdout)
	}
	if err := s.style.Failures(s.stdout, table); err != nil {
		return err
	}
	if !s.quiet {
		if err := s.style.Rows(s.stdout, table); err != nil {
			return err
		}
	}
	return s.style.Verdict(s.stdout, table, planned, elapsed)
}
