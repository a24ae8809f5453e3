package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"metalconform/internal/exit"
	"metalconform/internal/printable"
	"metalconform/internal/session"
	"metalconform/metalrun/sim"
	"metalconform/suite"

	"github.com/spf13/cobra"
)

func newSpec() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "spec COMMAND",
		Short: "work on specifications in Starlark",
		Long: `Spec works on specifications of your own kernels. A specification says in Starlark how a kernel
is launched and what it computes. conform new writes a first one.`,
		Example: `conform spec check softmax.star                what it leaves untested
conform spec check softmax.star -shaders mine  where it differs, too`,
		Args: cobra.ArbitraryArgs,
		RunE: wantCommand,
	}
	cmd.AddCommand(newSpecCheck())
	return cmd
}

// specCheck are the flags of conform spec check.
type specCheck struct {
	shaders string
	asJSON  bool
	seed    session.Seed
	spec    session.Specifications
	build   session.BuildFlags
}

func newSpecCheck() *cobra.Command {
	f := &specCheck{seed: 1, build: session.NewSelection().Build}
	cmd := &cobra.Command{
		Use:   "check [FILE.star...] [flags]",
		Short: "look for what a specification leaves untested",
		Long: `Check evaluates the definitions of specifications at all points of their sweeps. It reports
points that a definition cannot take, with the shapes; inputs and scalars that no result depends on; axes and
scalars that never vary; outputs about which the definition says nothing; and functions without a name that
use the variable of a loop around them, which has its last value when they are called.

With -shaders it also compares the arguments with those of the kernels, and launches the kernels. It reports
code that no case reaches, with the condition that never leads there. It also reports axes whose lengths are
all multiples of a number by which a line of the kernel divides them.

Without a file it takes the specifications and kernels of the working directory, as conform run does.

The exit status is 0 if there is nothing to report, 1 if there is, and 2 if a file cannot be read.`,
		Example: `conform spec check softmax.star
conform spec check softmax.star -shaders mine -I include`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), cmd.OutOrStdout(), args)
		},
	}
	cmd.Flags().StringVar(&f.shaders, "shaders", "",
		"launch the kernels in the .metal files under `DIR`, and report what no case reaches")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON object per line")
	f.spec.AddBudget(cmd.Flags())
	f.spec.AddLimits(cmd.Flags())
	f.build.Bounds.Run = f.spec.Budget
	f.build.Add(cmd.Flags())
	cmd.Flags().Var(&f.seed, "seed", "draw inputs from seed `N`; 1 if not given")
	return cmd
}

func (f *specCheck) run(ctx context.Context, stdout io.Writer, files []string) error {
	spec := f.spec
	for _, file := range files {
		if err := spec.Set(file); err != nil {
			dir, base := filepath.Split(file)
			if strings.HasPrefix(err.Error(), base) {
				return exit.Usagef("%s%v", dir, err)
			}
			return exit.Usagef("%s: %v", file, err)
		}
	}
	sel := session.NewSelection()
	sel.Spec, sel.Shaders, sel.Build = spec, f.shaders, f.build
	if len(files) == 0 {
		if err := sel.FindProject(nil); err != nil {
			return err
		}
		if spec = sel.Spec; !spec.Given() {
			return exit.Usagef("no specification in this directory: name a .star file, or write one with conform new")
		}
	}
	if err := spec.Afford(suite.Quick, 1); err != nil {
		return err
	}
	source, err := f.kernels(ctx, sel)
	if err != nil {
		return err
	}
	if source != nil {
		defer source.Release()
	}
	found, err := spec.Captured()
	if err != nil {
		return err
	}
	var pairs []suite.Pairs
	kernels, cases := 0, 0
	for _, family := range spec.Families {
		for i := range family.Kernels {
			k := &family.Kernels[i]
			list := suite.Cases([]suite.Family{{Kernels: family.Kernels[i : i+1]}}, suite.Quick)
			if source != nil {
				source.Define(list)
				list = suite.WithConstants(list, source, nil)
			}
			kernels, cases = kernels+1, cases+len(list)
			if p := suite.PairsOf(k, list); len(p.Missing) > 0 {
				pairs = append(pairs, p)
			}
			if source != nil {
				unreached, err := reach(ctx, source, family.Kernels[i:i+1], uint64(f.seed))
				if err != nil {
					return exit.With(exit.Device, err)
				}
				found = append(append(found, unreached...), source.Untried(k)...)
			}
			found = append(found, suite.Review(k, uint64(f.seed))...)
		}
	}
	if err := f.print(stdout, found, pairs, kernels, cases); err != nil {
		return exit.With(exit.Device, err)
	}
	if len(found) > 0 {
		return exit.Silently(exit.Fails)
	}
	return nil
}

// kernels are those that a specification is about, as the declarations beside them have them compiled; nil if there is
// no directory of them.
func (f *specCheck) kernels(ctx context.Context, sel session.Selection) (*suite.Shaders, error) {
	if sel.Shaders == "" {
		return nil, nil
	}
	declared, _, err := sel.Declarations()
	if err != nil {
		return nil, err
	}
	return sel.OpenShaders(ctx, "-shaders", sel.Shaders, declared)
}

// reach launches a kernel of a specification, and says what no case reaches in it, or why there is no such kernel.
func reach(ctx context.Context, source *suite.Shaders, kernels []suite.Kernel, seed uint64) ([]suite.Reviewed, error) {
	k := &kernels[0]
	if _, err := source.Covers(k); err != nil {
		return []suite.Reviewed{{Kernel: k.Name, What: err.Error()}}, nil
	}
	launched := &suite.Reach{}
	device := sim.New(sim.Semantics{Check: true, Steps: mostSteps})
	cases := suite.Cases([]suite.Family{{Name: "reach", Kernels: kernels}}, suite.Quick)
	cases = suite.WithConstants(cases, source, nil)
	if err := suite.Run(ctx, device, suite.Options{Shaders: source, Seed: seed,
		Observers: suite.Observers{Reach: launched}}, cases,
		func(suite.Result) {}); err != nil {
		return nil, err
	}
	var found []suite.Reviewed
	for _, u := range launched.Unreached(k.Name) {
		found = append(found, suite.Reviewed{Kernel: k.Name, What: u.String()})
	}
	return found, nil
}

// print writes what was found, and which pairs of sizes no case has.
func (f *specCheck) print(w io.Writer, found []suite.Reviewed, pairs []suite.Pairs, kernels, cases int) error {
	if f.asJSON {
		return encodeLines(w, found)
	}
	var failed error
	for _, p := range pairs {
		_, err := fmt.Fprintf(w, "%s (conform list -pairs; shapes in the specification adds some)\n", p)
		failed = errors.Join(failed, err)
	}
	for _, r := range found {
		what := r.What
		if r.Kernel != "" {
			what = r.Kernel + ": " + what
		}
		_, err := fmt.Fprintln(w, what)
		failed = errors.Join(failed, err)
	}
	_, err := fmt.Fprintf(w, "%s, %s: %s\n", printable.Count(kernels, "kernel"), printable.Count(cases, "case"),
		printable.Count(len(found), "remark"))
	return errors.Join(failed, err)
}
