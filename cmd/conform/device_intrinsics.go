package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"metalconform/internal/exit"
	"metalconform/internal/session"
	"metalconform/metalrun"
	"metalconform/metalrun/intrinsics"
)

type intrinsicsFlags struct {
	session.Selection
	intrinsics.Options
	json, verbose bool
}

func newDeviceIntrinsics() *cobra.Command {
	f := &intrinsicsFlags{Selection: session.NewSelection()}
	cmd := &cobra.Command{
		Use:   "intrinsics [flags]",
		Short: "measure how accurate a device's functions are",
		Long: `Intrinsics measures the f32 functions of a device, precise and fast. It shows the largest error
in units in the last place of the exact value, the argument with that error, and whether the limits of Metal's
specification hold. Arguments are samples from every binade, with both signs.`,
		Example: `conform device intrinsics                         8169 arguments each
conform device intrinsics -run 'fast::(exp|log)$' -v
conform device intrinsics -exhaustive -json       for -accuracies`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return measureIntrinsics(cmd.Context(), *f, cmd.OutOrStdout())
		},
	}
	flags := cmd.Flags()
	flags.Var(&f.Run, "run", "only functions whose name, such as fast::exp, matches `REGEX`")
	f.AddDevice(flags)
	flags.Var(&f.Selection.Seed, "seed",
		"draw arguments and adversarial devices from seed `N`, or from a random one; 1 if not given")
	flags.IntVar(&f.Samples, "samples", 16, "try `N` arguments of each binade and sign")
	flags.BoolVar(&f.Exhaustive, "exhaustive", false,
		"try all 2^32 floats; for functions of two arguments this is a sample, with one second argument for "+
			"each float")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "show the largest error by the size of the argument")
	flags.BoolVar(&f.json, "json", false, "print an object per function")
	return cmd
}

// measureIntrinsics fails if a limit of the specification does not hold. A function that cannot be measured does not
// keep the others from being measured.
func measureIntrinsics(ctx context.Context, f intrinsicsFlags, stdout io.Writer) error {
	if f.Samples < 2 {
		return exit.Usagef("-samples %d: want at least 2", f.Samples)
	}
	f.Options.Seed = uint64(f.Selection.Seed)
	var functions []intrinsics.Function
	for _, fn := range intrinsics.Functions() {
		if f.Run.Regexp == nil || f.Run.MatchString(fn.Class()+"::"+fn.Name) {
			functions = append(functions, fn)
		}
	}
	if len(functions) == 0 {
		return exit.Usagef("-run %q: no function has such a name, with precise:: or fast:: before it", f.Run.String())
	}
	r, _, err := f.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	holds, failed, err := f.measure(ctx, r, functions, stdout)
	if err == nil {
		err = session.CheckDevice(r)
	}
	switch {
	case err != nil:
		return exit.With(exit.Device, err)
	case len(failed) > 0:
		return exit.With(exit.Device, fmt.Errorf("%d of %d functions could not be measured: %s", len(failed),
			len(functions), strings.Join(failed, ", ")))
	case !holds:
		return exit.Silently(exit.Fails)
	}
	return nil
}

// measure measures the functions in turn and writes what comes of it.
func (f intrinsicsFlags) measure(ctx context.Context, r metalrun.Runner, functions []intrinsics.Function,
	w io.Writer) (holds bool, failed []string, err error) {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	if !f.json {
		d := r.Device()
		fmt.Fprintf(w, "%s: %s (%s)\n\n", d.Backend, d.Name, d.Detail)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if !f.json {
		fmt.Fprintln(t, "function\targuments\tworst ulp\tat\terror/limit\tat")
	}
	holds = true
	for _, fn := range functions {
		if ctx.Err() != nil {
			return false, nil, errors.New("interrupted")
		}
		result, err := intrinsics.Measure(r, fn, f.Options)
		if err != nil {
			return false, nil, err
		}
		if result.Failed != "" {
			failed = append(failed, fn.Class()+"::"+fn.Name)
		} else {
			holds = holds && result.Holds
		}
		if f.json {
			err = encoder.Encode(result)
		} else {
			f.rows(t, result)
		}
		if err != nil {
			return false, nil, err
		}
	}
	return holds, failed, t.Flush()
}

// rows writes a function, and with -v its domains.
func (f intrinsicsFlags) rows(w io.Writer, r intrinsics.Result) {
	name := r.Class + "::" + r.Function
	if why := cmp.Or(r.Missing, r.Failed); why != "" {
		fmt.Fprintf(w, "%s\t%s\n", name, why)
		return
	}
	var worst, closest *intrinsics.Error
	for _, d := range r.Domains {
		if d.Worst != nil && (worst == nil || d.Worst.Ulps > worst.Ulps) {
			worst = d.Worst
		}
		if d.Closest != nil && (closest == nil || d.Closest.Ratio() > closest.Ratio()) {
			closest = d.Closest
		}
	}
	verdict := ""
	if !r.Holds {
		verdict = "\tLIMIT BROKEN"
	}
	intrinsicRow(w, name, r.Arguments, worst, closest, verdict)
	if !f.verbose {
		return
	}
	for _, d := range r.Domains {
		intrinsicRow(w, "  "+d.Name, d.Arguments, d.Worst, d.Closest, "")
	}
}

func intrinsicRow(w io.Writer, name string, arguments int, worst, closest *intrinsics.Error, verdict string) {
	ulps, at, ratio, where := "-", "-", "-", "-"
	if worst != nil {
		ulps, at = fmt.Sprintf("%.3g", worst.Ulps), worst.Arguments()
	}
	if closest != nil {
		ratio, where = fmt.Sprintf("%.3g", closest.Ratio()), closest.Arguments()
		if closest.Ratio() > math.MaxFloat32 {
			ratio = "infinite"
		}
	}
	fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s%s\n", name, arguments, ulps, at, ratio, where, verdict)
}
