package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"metalconform/internal/exit"
	"metalconform/internal/gate"
	"metalconform/internal/session"
	"metalconform/internal/terminal"
	"metalconform/reports"

	"github.com/spf13/cobra"
)

// gateCommand are the flags of conform gate.
type gateCommand struct {
	gate.Options
	min     float64
	comment string
	github  bool
	quiet   bool
}

func newGate() *cobra.Command {
	f := &gateCommand{Options: gate.Options{Selection: session.NewSelection()}}
	cmd := &cobra.Command{
		Use:   "gate -base REV [flags]",
		Short: "judge what a pull request changes",
		Long: `Gate judges the kernels that a change affects: kernels with a text that differs since the base,
such as a source or an included file, and kernels whose specification or declarations differ. The base is REV,
or the last commit that REV and the current commit have in common. Changes that are not committed count, too.

The specifications, declarations and policy of the base decide. The kernels of the base and those of the
change are judged by them. The kernels of the change are also judged by its own. Gate fails if the change
requires less of a kernel, unless -loosened or the policy of the base names the kernel. It fails if no case
executes a changed line. It also lists small edits of the changed kernels that the sweep does not catch.

On a GPU that is not virtual, base and change are timed as in conform compare: for each changed kernel the
case that moves the most bytes. On the simulator the work of the kernels is counted instead. A large growth of
work is a regression.

The exit status is 0 for PASS: safe to merge; 1 for FAIL: blocked; 2 for a mistake on the command line or if
there is no such commit; and 3 for NOT JUDGED: blocked, since the change or its base could not be judged.
conform help gate lists the reasons for FAIL.`,
		Example: `conform gate -base origin/main             as a pull request is judged
conform gate -base HEAD                    what is not committed yet
conform gate -base origin/main -shaders kernels -comment comment.md
conform gate -base origin/main -all        whatever has changed
conform gate -base origin/main -forecast m1pro`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	f.Selection.Add(flags)
	f.Limit(flags)
	flags.Lookup("run").Usage = "of these, only cases whose name matches `REGEX`"
	f.Checks.Add(flags)
	f.AddJudging(flags)
	session.StrictByDefault(flags)
	f.AddForecast(flags)
	flags.Var(&f.Require, "require",
		"fail unless each kernel and pipeline is there whose whole name matches `REGEX|all|FILE`")
	flags.StringVar(&f.Base, "base", "",
		"judge what has changed since the commit `REV`, or since the last one that it has in common with the "+
			"current one")
	f.Policy.AddGrow(flags)
	flags.Var(&f.Policy.Time, "least-time",
		"on a GPU, smallest growth of a time that counts, in `PERCENT`; 5 if neither this nor the policy says "+
			"otherwise")
	f.Times.Add(flags)
	flags.BoolVar(&f.All, "all", false, "judge every kernel, whatever has changed")
	flags.StringArrayVar(&f.Loosened, "loosened", nil,
		"allow the change to require less of `KERNEL` than the base does, as a maintainer's label says; "+
			"repeatable")
	flags.IntVar(&f.Mutants, "edits", 40, "judge `N` small edits of the changed lines; 0 for none")
	flags.Float64Var(&f.min, "min", 0, "fail if less than `PERCENT` of these edits are caught")
	flags.StringVarP(&f.Out, "o", "o", "", "write `DIR`/base/results.jsonl and DIR/head/results.jsonl")
	flags.StringVar(&f.comment, "comment", "", "write `FILE`, a comment in Markdown that begins with "+gate.CommentMark)
	flags.BoolVar(&f.github, "github", false,
		"print annotations for GitHub at the changed lines, one for each cause")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print only the verdict and the failures")
	return cmd
}

// run finds what has changed, judges both sides and compares them.
func (f *gateCommand) run(ctx context.Context, stdout, stderr io.Writer) error {
	g, err := gate.Open(ctx, f.Options)
	if err != nil {
		return err
	}
	defer g.Close()
	if f.quiet {
		stderr = io.Discard
	}
	v, err := g.Judge(ctx, stderr)
	if err != nil {
		return err
	}
	v.Ask(f.min)
	if err := f.write(v, g, stdout); err != nil {
		return exit.With(exit.Device, err)
	}
	return verdictStatus(v.Verdict(), v.Internal)
}

// write writes what the flags ask for.
func (f *gateCommand) write(v *gate.Verdict, g *gate.Gate, stdout io.Writer) error {
	if f.comment != "" {
		var b strings.Builder
		if err := v.Markdown(&b); err != nil {
			return err
		}
		if err := writeFile(f.comment, []byte(b.String()), stdout); err != nil {
			return err
		}
	}
	if f.github {
		if err := reports.GitHub(terminal.Unsanitized(stdout), v.View); err != nil {
			return err
		}
	}
	view := v.View
	view.Colour = terminal.Coloured(stdout)
	write := reports.Text
	if f.quiet {
		write = reports.QuietText
	}
	if err := write(stdout, view); err != nil {
		return err
	}
	fmt.Fprintln(stdout, g)
	if v.Note != "" {
		fmt.Fprintln(stdout, v.Note)
	}
	if !f.quiet {
		for _, line := range v.Lines() {
			fmt.Fprintln(stdout, line)
		}
	}
	_, err := fmt.Fprintln(stdout, v.Closing())
	return err
}
