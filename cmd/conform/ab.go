package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"metalconform/metalrun"
	"metalconform/metalrun/timing"
	"metalconform/reports"
	"metalconform/suite"

	"github.com/spf13/cobra"
)

// abFlags are the flags of conform ab.
type abFlags struct {
	selection
	policy policyFlags
	base   string
	head   string
	all    bool
	count  int
	limit  time.Duration
	cold   bool
	format choice
	out    string
	quiet  bool
}

func newAB() *cobra.Command {
	f := &abFlags{selection: newSelection(), format: choice{value: "text", of: reports.ComparisonFormatNames()}}
	cmd := &cobra.Command{
		Use:   "ab -base DIR -head DIR [flags]",
		Short: "compare two versions of the kernels side by side",
		Long: `Ab judges two versions of the kernels on one device and compares them: verdicts and
accuracy as conform compare does, and how fast they are. On a GPU both are launched in
turns, in an order drawn from the seed, of each kernel the case that moves the most
bytes: first BASE against itself, which shows how far times differ for no reason, then
HEAD against BASE. What is less than that noise is no change. On the simulator, whose
times say nothing of a GPU, the work that it counts is compared instead, and only a
gross growth fails.

The exit status is 0 if nothing regressed that the policy names, 1 if something did, 2
for a mistake on the command line, and 3 if the comparison could not be completed.`,
		Example: `conform ab -base ~/main/kernels -head kernels                both, on what there is here
conform ab -base old -head new -run 'attn|mla' -count 40     some kernels, more samples
conform ab -base old -head new -format markdown >> "$GITHUB_STEP_SUMMARY"
conform ab -base old -head new -backend simulator -grow 1.2  counted work, a fifth more fails`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.compare(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	f.selection.add(flags)
	f.checks.add(flags)
	f.addJudging(flags)
	flags.StringVar(&f.base, "base", "", "take one version from the .metal files under `DIR`")
	flags.StringVar(&f.head, "head", "", "take the other from those under `DIR`, and the policy from its conform.toml")
	f.policy.addLeast(flags)
	flags.BoolVar(&f.all, "all", false, "time every selected case, not one of each kernel")
	flags.IntVar(&f.count, "count", 20, "take `N` samples of each version, and of BASE against itself; 20 if not given")
	flags.DurationVar(&f.limit, "limit", 5*time.Second, "sample a version of a case for `DURATION` at most; 5s if not given")
	flags.BoolVar(&f.cold, "cold", false, "take each sample with caches that hold nothing of the case")
	flags.Var(&f.format, "format", "write `FORMAT`: "+strings.Join(f.format.of, ", ")+"; text if not given")
	flags.StringVarP(&f.out, "output", "o", "", "write `FILE` instead of standard output")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "do not tell how far it is")
	for _, name := range []string{"shaders", "config"} { // both versions have their own
		if err := flags.MarkHidden(name); err != nil {
			panic(err)
		}
	}
	return cmd
}

// check refuses what no flag can refuse by itself.
func (f *abFlags) check() error {
	switch {
	case f.base == "" || f.head == "":
		return usageError("name both versions: -base DIR -head DIR")
	case f.shaders != "":
		return usageError("-shaders: the versions are named by -base and -head")
	case f.config != "":
		return usageError("-config: each version has its own conform.toml, and HEAD's has the policy")
	case f.count < 1:
		return usageError("-count %d: want at least 1", f.count)
	case f.limit <= 0:
		return usageError("-limit %v: want more than 0s", f.limit)
	}
	return nil
}

// compare judges both versions, takes their times where there is a GPU, and says what
// differs.
func (f *abFlags) compare(ctx context.Context, stdout, stderr io.Writer) error {
	if err := f.check(); err != nil {
		return err
	}
	if f.quiet {
		stderr = io.Discard
	}
	f.work = true
	was, err := f.version(ctx, "base", f.base)
	if err != nil {
		return err
	}
	is, err := f.version(ctx, "head", f.head)
	if err != nil {
		return err
	}
	runner, _, err := f.runner()
	if err != nil {
		return err
	}
	defer runner.Close()
	there := func(cases []suite.Case) []suite.Case {
		return slices.DeleteFunc(cases, func(c suite.Case) bool { return was.lacks(c) && is.lacks(c) })
	}
	before, err := was.judge(ctx, runner, required{}, there, stderr)
	if err != nil {
		return err
	}
	if len(was.cases) == 0 {
		return usageError("neither %s nor %s exports any of the kernels to be judged (conform list names them)", f.base, f.head)
	}
	after, err := is.judge(ctx, runner, required{}, there, stderr)
	if err != nil {
		return err
	}
	before.Options.Flags, after.Options.Flags = f.common(), f.common()
	policy, err := f.policy.policy(after)
	if err != nil {
		return err
	}
	base, head := reports.Set{Run: before}, reports.Set{Run: after}
	if runner.Device().Clock == metalrun.GPUClock {
		if err := f.time(ctx, runner, was, is, &base, &head, stderr); err != nil {
			return err
		}
	}
	c := reports.Compare(base, head, policy)
	c.Together = true
	var b bytes.Buffer
	if err := reports.WriteComparison(&b, f.format.value, c, f.out == "" && coloured(stdout)); err != nil {
		return err
	}
	if err := writeFile(f.out, b.Bytes(), stdout); err != nil {
		return &exit{exitDevice, err}
	}
	if len(c.Regressions()) > 0 {
		return &exit{status: exitFails}
	}
	return nil
}

// common are the flags of both versions.
func (f *abFlags) common() string { return f.selection.options(nil, nil).ReplayFlags }

// version opens the kernels of a directory.
func (f *abFlags) version(ctx context.Context, name, dir string) (*side, error) {
	s := &side{runFlags: runFlags{selection: f.selection, repeat: 1}, name: name, root: dir}
	s.shaders = dir
	declared, _, err := s.declarations()
	if err != nil {
		return s, err
	}
	s.source, err = s.openShaders(ctx, "-"+name, dir, declared)
	return s, err
}

// time takes the times of the cases that both versions pass.
func (f *abFlags) time(ctx context.Context, runner metalrun.Runner, was, is *side, base, head *reports.Set, stderr io.Writer) error {
	cases := suite.Measurable(is.cases)
	if !f.all {
		cases = suite.Largest(cases)
	}
	passed := func(s *reports.Set, name string) bool {
		return slices.ContainsFunc(s.Results, func(r suite.Result) bool { return r.Case == name && r.Status == suite.Pass })
	}
	cases = slices.DeleteFunc(cases, func(c suite.Case) bool { return !passed(base, c.Name) || !passed(head, c.Name) })
	base.Times, head.Times = reports.NewTimes(), reports.NewTimes()
	meter := suite.NewMeter(runner, is.options(is.source, is.declared), suite.Effort{
		Effort: timing.Effort{Times: f.count, Confidence: 0.95, Within: 0.02, Limit: f.limit}, Cold: f.cold,
	})
	defer meter.Close()
	bar := newProgress(stderr, len(cases))
	for i, c := range cases {
		if ctx.Err() != nil {
			bar.clear()
			return &exit{exitDevice, fmt.Errorf("interrupted after the times of %d of %d cases", i, len(cases))}
		}
		before := was.cases[slices.IndexFunc(was.cases, func(o suite.Case) bool { return o.Name == c.Name })]
		got := meter.Compare(suite.Version{Case: before, Shaders: was.source, Declared: was.declared}, suite.Version{Case: c, Shaders: is.source, Declared: is.declared},
			rand.New(rand.NewPCG(uint64(f.seed), uint64(i))))
		bar.step("times: "+c.Name, got.Failed != nil)
		if r := got.Failed; r != nil {
			bar.clear()
			return &exit{exitDevice, fmt.Errorf("%s passed, and does not while it is timed: %s", c.Name, r.Headline())}
		}
		base.Times.Take(c.Name, got.Base, got.Self)
		head.Times.Take(c.Name, got.Head, [2][]float64{})
	}
	bar.clear()
	if err := sound(runner); err != nil {
		return &exit{exitDevice, err}
	}
	return nil
}
