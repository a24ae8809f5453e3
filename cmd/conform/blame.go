package main

import (
	"context"
	"encoding/json"
	"io"
	"runtime/debug"

	"metalconform/internal/exit"
	"metalconform/internal/session"
	"metalconform/metalrun"
	"metalconform/reports"
	"metalconform/suite/explain"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// blameFlags are the flags of conform blame.
type blameFlags struct {
	session.Selection
	json   bool
	memory int // MiB
}

func newBlame() *cobra.Command {
	f := &blameFlags{Selection: session.NewSelection()}
	cmd := &cobra.Command{
		Use:   "blame [flags] CASE [ELEMENT]",
		Short: "show which lines an element's error comes from",
		Long: `Blame executes one case in exact arithmetic, in addition to its usual values. It follows one
element back through all operations that it depends on: how sensitive the element is to each rounding, how
large the rounding was, and how large it may be on any device.

It lists the lines of the source by their share of the bound, with their part of the actual error and the bits
that cancel in differences of inexact values. For each input it shows the condition number: the factor by
which a relative error of all its elements grows at worst. All of it holds to first order.

Without ELEMENT it takes the worst. If several launches pass a state on, it goes back through all of them. In
a pipeline it goes back through the stages before that of the element. The name of the stage stands in front
of the element, as in failures. If the operations do not fit into the memory that -memory allows, a
threadgroup runs again for each part of them.`,
		Example: `conform blame rms_norm_apply/dim=1009/input=cancelling
conform blame rms_norm_apply/dim=1009/input=cancelling 'out[17]'
conform blame CASE 'stage 18, gated_rms_norm: output[0, 1, 5]'`,
		Args: caseAndElement,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.FindProject(nil); err != nil {
				return err
			}
			return blameCase(cmd.Context(), *f, args, cmd.OutOrStdout())
		},
	}
	flags := cmd.Flags()
	common := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.Add(common)
	// the device is our own
	for _, name := range append(session.BuildFlagNames, "spec", "pack", "catalogue", "definition-limit", "math",
		"shaders", "seed",
		"config") {
		if flag := common.Lookup(name); flag != nil {
			flags.AddFlag(flag)
		}
	}
	flags.BoolVar(&f.json, "json", false, "print one JSON object")
	flags.IntVar(&f.memory, "memory", 256, "record operations in at most `MIB` mebibytes at a time")
	return cmd
}

// blameCase finds where the error of the element of args[0] comes from that args[1] names, or of the
// worst.
func blameCase(ctx context.Context, f blameFlags, args []string, stdout io.Writer) error {
	if f.memory < 1 {
		return exit.Usagef("-memory %d: want at least 1", f.memory)
	}
	at, err := selectorOf(args)
	if err != nil {
		return err
	}
	c, opts, err := f.Case(ctx, args[0], metalrun.Device{})
	if err != nil {
		return err
	}
	defer opts.Shaders.Release()
	opts.Exact = session.Exactness{In: session.Float64}.Devices(f.Limits)
	// Records that are dropped take no more than those that are kept; the rest is the case.
	const rest = 128 << 20
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(rest + 2*int64(f.memory)<<20))
	b, err := explain.FindBlame(opts, c, at, f.memory<<20)
	if err != nil {
		return exit.Usagef("%w", err)
	}
	if f.json {
		encoder := json.NewEncoder(stdout)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(b)
	}
	return reports.DefaultStyle.Blame(stdout, b)
}
