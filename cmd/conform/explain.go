package main

import (
	"context"
	"encoding/json"
	"io"

	"metalconform/internal/exit"
	"metalconform/internal/session"
	"metalconform/internal/terminal"
	"metalconform/reports"
	"metalconform/suite"
	"metalconform/suite/explain"

	"github.com/spf13/cobra"
)

// explainFlags are the flags of conform explain.
type explainFlags struct {
	session.Selection
	json bool
}

func newExplain() *cobra.Command {
	f := &explainFlags{Selection: session.NewSelection()}
	cmd := &cobra.Command{
		Use:   "explain [flags] CASE [ELEMENT]",
		Short: "show how an element came to its verdict",
		Long: `Explain runs one case and shows how one element of an output came to its verdict: the inputs of
the kernel, the exact value and the value that the kernel wrote, with their bits, and the error in units in
the last place and as a fraction of its bound. It also shows the terms of the bound, the sums that the element
depends on with their partial sums, and the neighbours of the exact value in the output's format.

Without ELEMENT it takes the worst. A case that passes on the reference device and fails on an adversary is
explained on that adversary. In a pipeline of kernels the name of a stage, or of an invariant between buffers,
stands in front of the element, as in failures.

The exit status is 0 if the element conforms (without ELEMENT: if the case does), 1 if not, 2 for a mistake on
the command line, and 3 if there is no such device.`,
		Example: `conform explain rms_norm_apply/dim=1009/input=cancelling
conform explain rms_norm_apply/dim=1009/input=cancelling 'out[17]'
conform explain CASE 'end to end: hidden_out[2, 5]'
conform explain -json rms_norm_apply/dim=1009/input=normal 17`,
		Args: caseAndElement,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.FindProject(nil); err != nil {
				return err
			}
			return explainCase(cmd.Context(), *f, args, cmd.OutOrStdout())
		},
	}
	flags := cmd.Flags()
	f.Checks.Add(cmd.Flags())
	f.AddJudging(cmd.Flags())
	f.AddReplay(cmd.Flags())
	f.AddForCase(flags)
	flags.BoolVar(&f.json, "json", false, "print one JSON object")
	return cmd
}

// explainCase explains the element of args[0] that args[1] names, or the worst.
func explainCase(ctx context.Context, f explainFlags, args []string, stdout io.Writer) error {
	at, err := selectorOf(args)
	if err != nil {
		return err
	}
	w, opts, err := f.StartCase(ctx, args[0])
	if err != nil {
		return err
	}
	defer w.Close()
	opts.Adversaries = f.AdversaryRunners(w.Runner.Device())
	e, err := explain.Explain(w.Runner, opts, w.Cases[0], at)
	if err != nil {
		return exit.Usagef("%v", err)
	}
	if err := f.show(e, stdout); err != nil {
		return exit.With(exit.Device, err)
	}
	if err := session.Crashes(nil, []suite.Result{e.Result}); err != nil {
		return exit.With(exit.Device, err)
	}
	if !e.Conforms(at) {
		return exit.Silently(exit.Fails)
	}
	return nil
}

// show writes an explanation for a reader or for a program.
func (f explainFlags) show(e explain.Explanation, w io.Writer) error {
	if f.json {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(e)
	}
	style := reports.DefaultStyle
	style.Colour = terminal.Coloured(w)
	return style.Explanation(w, e)
}

// caseAndElement are the arguments of commands about one case.
func caseAndElement(_ *cobra.Command, args []string) error {
	if len(args) < 1 || len(args) > 2 {
		return exit.Usagef("want a case and perhaps an element of it (conform list -cases shows the names)")
	}
	return nil
}

// selectorOf is what the second argument names, if there is one.
func selectorOf(args []string) (at suite.Selector, err error) {
	if len(args) == 2 {
		if at, err = suite.ParseSelector(args[1]); err != nil {
			return at, exit.Usagef("%v", err)
		}
	}
	return at, nil
}
