package main

import (
	"context"
	"io"

	"metalconform/internal/exit"
	"metalconform/internal/regular"
	"metalconform/internal/session"
	"metalconform/metalrun/record"
	"metalconform/reports"
	"metalconform/suite"
	"metalconform/suite/shrink"

	"github.com/spf13/cobra"
)

// shrinkFlags are the flags of conform shrink.
type shrinkFlags struct {
	session.Selection
	out    string
	record string
	tries  int
}

func newShrink() *cobra.Command {
	f := &shrinkFlags{Selection: session.NewSelection()}
	cmd := &cobra.Command{
		Use:   "shrink [flags] CASE",
		Short: "minimise a failing case",
		Long: `Shrink looks for the smallest case that fails as CASE does: the same check of the same output,
or at the same line. It tries smaller axes, then 0 and 1 for elements of the inputs, then fewer bits of the
other elements. It prints the remaining failure, the numbers that matter, the case as a Go literal for a
specification, and the case as a launch file.

-o writes the launch file. conform check -exec -launch FILE then finds the race or the fault again without an
oracle. -record keeps the launch with its results. conform run -replay reads it.

The exit status is 0 if a case is found, 2 if CASE does not fail or there is a mistake on the command line,
and 3 if there is no such device.`,
		Example: `conform shrink -shaders ~/kernels rms_norm_apply/dim=1009/input=normal
conform shrink -shaders ~/kernels sigmoid_gate/n=130/input=normal`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return exit.Usagef("want a case (conform list -cases shows the names)")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.FindProject(nil); err != nil {
				return err
			}
			return shrinkCase(cmd.Context(), *f, args[0], cmd.OutOrStdout())
		},
	}
	flags := cmd.Flags()
	f.Checks.Add(flags)
	f.AddJudging(flags)
	f.AddForCase(flags)
	flags.StringVarP(&f.out, "o", "o", "", "write the launch of the small case to `FILE`")
	flags.StringVar(&f.record, "record", "",
		"keep in `DIR` the launch of the small case and what it wrote, for -replay")
	flags.IntVar(&f.tries, "tries", 2000, "judge at most `N` cases")
	return cmd
}

// shrinkCase shrinks one case.
func shrinkCase(ctx context.Context, f shrinkFlags, name string, stdout io.Writer) error {
	if f.tries < 1 {
		return exit.Usagef("-tries %d: want at least 1", f.tries)
	}
	w, opts, err := f.StartCase(ctx, name)
	if err != nil {
		return err
	}
	defer w.Close()
	opts.Adversaries = f.AdversaryRunners(w.Runner.Device())
	small, err := shrink.Shrink(w.Runner, opts, w.Cases[0], f.tries)
	if err != nil {
		return exit.Usagef("%w", err)
	}
	small.Starlark = f.Spec.Given()
	if f.out != "" {
		text, err := small.LaunchFile()
		if err == nil {
			err = regular.Write(f.out, []byte(text))
		}
		if err != nil {
			return exit.Usagef("-o: %w", err)
		}
	}
	if f.record != "" {
		keeper, err := record.New(w.Runner, f.record)
		if err != nil {
			return exit.Usagef("-record: %w", err)
		}
		opts.Adversaries, opts.Exact = nil, nil
		if err := suite.Run(ctx, keeper, opts, []suite.Case{small.Case}, func(suite.Result) {}); err != nil {
			return exit.With(exit.Device, err)
		}
	}
	if err := reports.DefaultStyle.Shrunk(stdout, name, small); err != nil {
		return exit.With(exit.Device, err)
	}
	return nil
}
