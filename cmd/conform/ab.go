package main

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"

	"metalconform/internal/config"
	"metalconform/internal/exit"
	"metalconform/internal/gate"
	"metalconform/internal/session"
	"metalconform/internal/terminal"
	"metalconform/metalrun"
	"metalconform/reports"
	"metalconform/suite"

	"github.com/spf13/cobra"
)

// abFlags are the flags of conform ab.
type abFlags struct {
	session.Selection
	policy config.PolicyFlags
	base   string
	head   string
	all    bool
	times  gate.Times
	format session.Choice
	out    string
	quiet  bool
}

func newAB() *cobra.Command {
	f := &abFlags{Selection: session.NewSelection(),
		format: session.Choice{Value: "text", Words: reports.ComparisonFormatNames()}}
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
conform ab -base old -head new -backend simulator -grow 1.2  counted work, a fifth more fails
conform ab -base old -head new -forecast m1pro               and how long a GPU is likely to take, without one`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.compare(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	f.Selection.Add(flags)
	f.Checks.Add(flags)
	f.AddJudging(flags)
	f.AddForecast(flags)
	flags.StringVar(&f.base, "base", "", "take one version from the .metal files under `DIR`")
	flags.StringVar(&f.head, "head", "", "take the other from those under `DIR`, and the policy from its conform.toml")
	f.policy.AddLeast(flags)
	flags.BoolVar(&f.all, "all", false, "time every selected case, not one of each kernel")
	f.times.Add(flags)
	flags.Var(&f.format, "format", "write `FORMAT`: "+strings.Join(f.format.Words, ", ")+"; text if not given")
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
		return exit.Usagef("name both versions: -base DIR -head DIR")
	case f.Shaders != "":
		return exit.Usagef("-shaders: the versions are named by -base and -head")
	case f.Config != "":
		return exit.Usagef("-config: each version has its own conform.toml, and HEAD's has the policy")
	}
	return f.times.Check()
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
	f.Work = true
	was, err := f.version(ctx, "base", f.base)
	if err != nil {
		return err
	}
	is, err := f.version(ctx, "head", f.head)
	if err != nil {
		return err
	}
	runner, _, err := f.Open()
	if err != nil {
		return err
	}
	defer runner.Close()
	there := func(cases []suite.Case) []suite.Case {
		return slices.DeleteFunc(cases, func(c suite.Case) bool { return was.Lacks(c) && is.Lacks(c) })
	}
	before, err := was.Judge(ctx, runner, session.Required{}, there, stderr)
	if err != nil {
		return err
	}
	if len(was.Cases) == 0 {
		return exit.Usagef("neither %s nor %s exports any of the kernels to be judged (conform list names them)",
			f.base, f.head)
	}
	after, err := is.Judge(ctx, runner, session.Required{}, there, stderr)
	if err != nil {
		return err
	}
	before.Options.Flags, after.Options.Flags = f.common(), f.common()
	policy, err := f.policy.Policy(after)
	if err != nil {
		return err
	}
	base, head := reports.Set{Run: before}, reports.Set{Run: after}
	if runner.Device().Clock == metalrun.GPUClock {
		cases := suite.Measurable(is.Cases)
		if !f.all {
			cases = suite.Largest(cases)
		}
		if err := f.times.Take(ctx, runner, was, is, cases, &base, &head, stderr); err != nil {
			return err
		}
	}
	c := reports.Compare(base, head, policy)
	c.Together = true
	var b bytes.Buffer
	if err := reports.WriteComparison(&b, f.format.Value, c, f.out == "" && terminal.Coloured(stdout)); err != nil {
		return err
	}
	if err := writeFile(f.out, b.Bytes(), stdout); err != nil {
		return exit.With(exit.Device, err)
	}
	if err := session.Crashes(nil, slices.Concat(base.Run.Results, head.Run.Results)); err != nil {
		return exit.With(exit.Device, err)
	}
	if len(c.Regressions()) > 0 {
		return exit.Silently(exit.Fails)
	}
	return nil
}

// common are the flags of both versions.
func (f *abFlags) common() string { return f.Selection.Options(nil, nil).ReplayFlags }

// version opens the kernels of a directory.
func (f *abFlags) version(ctx context.Context, name, dir string) (*gate.Side, error) {
	s := &gate.Side{Selection: f.Selection, Name: name, Root: dir}
	s.Shaders = dir
	declared, _, err := s.Declarations()
	if err != nil {
		return s, err
	}
	s.Source, err = s.OpenShaders(ctx, "-"+name, dir, declared)
	return s, err
}
