package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"

	"metalconform/internal/budget"
	"metalconform/internal/config"
	"metalconform/internal/exit"
	"metalconform/internal/gate"
	"metalconform/internal/regular"
	"metalconform/internal/session"
	"metalconform/internal/terminal"
	"metalconform/reports"
	"metalconform/reports/html"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// compareFlags are the flags of conform compare.
type compareFlags struct {
	session.Selection
	policy  config.PolicyFlags
	times   gate.Times
	all     bool
	quiet   bool
	reports session.ReportFlag
	memory  session.ResultsMemory
	judging []string // names of the flags that are about kernels, not about results
}

func newCompare() *cobra.Command {
	f := &compareFlags{Selection: session.NewSelection(),
		reports: session.ReportFlag{Formats: append(reports.ComparisonFormatNames(), site), Folders: []string{site}}}
	cmd := &cobra.Command{
		Use:   "compare [flags] BASE HEAD",
		Short: "compare two runs, or two versions of the kernels",
		Long: `Compare says how HEAD differs from BASE: which cases fail that did not fail before, how the
errors of each kernel are distributed as fractions of their bounds, and how fast the kernels are. Each row is
improved, regressed, unchanged or inconclusive. An inconclusive row says how many more samples would decide
it.

BASE and HEAD are two results of conform run -o. Times are compared if conform bench -o has written into the
same directories.

BASE and HEAD can also be two directories with kernels. Then both are judged on one device. On a GPU they are
timed in turn, in an order drawn from the seed: first BASE against itself, which shows the noise, then HEAD
against BASE. A difference below the noise is no change. On the simulator, whose times say nothing about a
GPU, counted work is compared instead. Only a large growth of work fails.

The exit status is 0 if nothing regressed that the policy names, 1 if something did, 2 if BASE or HEAD cannot
be read, and 3 if the comparison could not be completed.`,
		Example: `conform compare last out                     two results
conform compare last out -fail verdicts      fail for verdicts alone
conform compare last out -report html=site   see site/compare.html
conform compare ~/main/kernels kernels       two directories with kernels
conform compare old new -run 'attn|mla' -count 40
conform compare old new -forecast m1pro      with likely times of a GPU`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return exit.Usagef("want BASE and HEAD: two results of conform run -o, or two directories with kernels")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if haveResults(args[0]) || haveResults(args[1]) {
				if err := f.resultsOnly(cmd.Flags()); err != nil {
					return err
				}
				return compare(*f, args[0], args[1], cmd.OutOrStdout())
			}
			return f.compareKernels(cmd.Context(), args[0], args[1], cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	f.reports.Add(flags)
	f.policy.Add(flags)
	f.memory.Add(flags)
	both := map[string]bool{}
	flags.VisitAll(func(flag *pflag.Flag) { both[flag.Name] = true })
	f.addJudging(flags)
	flags.VisitAll(func(flag *pflag.Flag) {
		if !both[flag.Name] && flag.Name != "budget" {
			f.judging = append(f.judging, flag.Name)
		}
	})
	return cmd
}

// addJudging defines the flags that are about directories with kernels.
func (f *compareFlags) addJudging(flags *pflag.FlagSet) {
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.Selection.Add(own)
	own.VisitAll(func(flag *pflag.Flag) {
		if flag.Name != "shaders" && flag.Name != "config" { // both versions have their own
			flags.AddFlag(flag)
		}
	})
	f.Checks.Add(flags)
	f.AddJudging(flags)
	f.AddForecast(flags)
	flags.BoolVar(&f.all, "all-cases", false, "time every selected case, not one of each kernel")
	f.times.Add(flags)
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print no progress")
}

// haveResults reports whether a name is that of results: a file, or a directory that a run has written.
func haveResults(name string) bool {
	info, err := os.Stat(name)
	if err != nil || !info.IsDir() {
		return true // reading it says what is wrong
	}
	_, err = os.Lstat(session.ResultsFile(name))
	return err == nil
}

// resultsOnly refuses flags that say how kernels are judged: results have been judged.
func (f *compareFlags) resultsOnly(flags *pflag.FlagSet) error {
	for _, name := range f.judging {
		if flag := flags.Lookup(name); flag.Changed {
			return exit.Usagef("-%s is about directories with kernels, and BASE or HEAD is a result", spelling(flag))
		}
	}
	return nil
}

// compare reads everything before it writes.
func compare(f compareFlags, base, head string, stdout io.Writer) error {
	from := sources{f.memory.Room(), f.Spec.Budget}
	was, err := from.read(base)
	if err != nil {
		return err
	}
	is, err := from.read(head)
	if err != nil {
		return err
	}
	policy, err := f.policy.Policy(is.Run)
	if err != nil {
		return err
	}
	return f.conclude(reports.Compare(was, is, policy), was.Run, is.Run, stdout)
}

// compareKernels judges both versions and says what differs.
func (f *compareFlags) compareKernels(ctx context.Context, base, head string, stdout, stderr io.Writer) error {
	if f.quiet {
		stderr = io.Discard
	}
	v := gate.Versions{Selection: f.Selection, Policy: f.policy, Times: f.times, AllCases: f.all}
	c, was, is, err := v.Compare(ctx, base, head, stderr)
	if err != nil {
		return err
	}
	c.Crashed = session.Crashes(nil, slices.Concat(was.Results, is.Results))
	return f.conclude(c, was, is, stdout)
}

// conclude writes the reports, and fails for what regressed.
func (f *compareFlags) conclude(c *reports.Comparison, was, is reports.Run, stdout io.Writer) error {
	for _, r := range f.reports.OrText() {
		if err := f.write(r, c, was, is, stdout); err != nil {
			return exit.With(exit.Device, err)
		}
	}
	return verdictStatus(c.Verdict(), c.Crashed)
}

// write writes one report of a comparison.
func (f *compareFlags) write(r session.Report, c *reports.Comparison, was, is reports.Run, stdout io.Writer) error {
	if r.Format == site {
		figures, err := plotFlags{}.figures(is, &was)
		if err != nil {
			return err
		}
		return html.Write(r.File, html.Site{View: reports.View{Run: is, Against: c}, Figures: figures})
	}
	var b bytes.Buffer
	if err := reports.WriteComparison(&b, r.Format, c, r.File == "" && terminal.Coloured(stdout)); err != nil {
		return err
	}
	return writeFile(r.File, b.Bytes(), stdout)
}

// writeFile writes a file, whose directory is made, or to standard output if there is no
// name.
func writeFile(name string, text []byte, stdout io.Writer) error {
	if name == "" {
		_, err := stdout.Write(text)
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return regular.Write(name, text)
}

// sources are where results are read from together: the memory that they may take, and the budget of their times.
type sources struct {
	room   *reports.Room
	budget *budget.Budget
}

// read reads results, and the times that conform bench has written beside them, if it
// has: the single times of a run could never tell a change.
func (s sources) read(name string) (reports.Set, error) {
	run, err := session.ReadRun([]string{name}, true, s.room)
	switch {
	case err != nil:
		return reports.Set{}, err
	case len(run.Flaws) > 0:
		return reports.Set{}, exit.Usagef("%s is not whole: %w\n(conform report -partial shows what is sound, and "+
			"conform report -report json=FILE joins parts)", name, session.FlawsError(run.Flaws))
	}
	set := reports.Set{Run: run}
	dir := name
	if info, err := os.Stat(name); err == nil && !info.IsDir() {
		dir = filepath.Dir(name)
	}
	bench := filepath.Join(dir, "bench.txt")
	if _, err := os.Stat(bench); err != nil {
		return set, nil // there are none
	}
	times, err := readBench(bench, s.budget)
	if err != nil {
		return set, exit.Usagef("%v", err)
	}
	set.Times = times
	return set, nil
}
