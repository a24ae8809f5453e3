package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"metalconform/internal/budget"
	"metalconform/internal/config"
	"metalconform/internal/cputime"
	"metalconform/internal/crash"
	"metalconform/internal/exit"
	"metalconform/internal/printable"
	"metalconform/internal/session"
	"metalconform/internal/terminal"
	"metalconform/metalrun"
	"metalconform/reports"
	"metalconform/reports/diagnostics"
	"metalconform/suite/adhoc"
	"metalconform/suite/explore"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// checking is what the flags of check say.
type checking struct {
	asJSON bool
	format string
	report session.ReportFlag
	limit  int
	pass   string
	config.CompileFlags
	exec      bool
	library   string // to compare with
	exact     session.Exactness
	verbose   bool
	sameValue bool
	strict    bool
	limits    session.LaunchLimits
	work      int64 // of the launches of a file
	budget    *budget.Budget
	whole     time.Duration
	run       session.Pattern
	launches  session.LaunchFiles
	specFlags
}

func newCheck() *cobra.Command {
	c := checking{CompileFlags: config.NewCompileFlags(), specFlags: newGivenFlags(),
		budget: budget.New(budget.Untrusted)}
	c.launches.Budget, c.Bounds.Run = c.budget, c.budget
	for _, format := range diagnostics.Formats() {
		c.report.Formats = append(c.report.Formats, string(format))
	}
	cmd := &cobra.Command{
		Use:   "check [flags] FILE...",
		Short: "look for errors in .metal files and compiled libraries",
		Long: `Check compiles Metal source without running it. It reports what Apple's compiler would refuse,
and what the simulator does not support, as file:line:col: error: message with the line of the source, and
with notes. An error does not cause further errors: a name whose declaration has an error is not reported as
missing.

These are only warnings: what Apple's compiler ignores, such as an unknown attribute; a variable of a function that
nothing names; a function of a stage other than kernels, which is not checked; and what compiles and can never run:
more than 32 KiB of threadgroup memory, or more than 1,024 threads. Warnings alone do not fail. Includes are looked
up next to the file that has them, in the working directory and in the directories of -I, and have to lie below one
of them. A directory stands for the .metal files in it and below. [[compile]] entries of a conform.toml in the
directory, or next to the file, apply in each variant. Flags override them. The exit status is 1 if there is
anything to report, and 2 if a file cannot be read. -print shows the result of a pass of the compiler.

A compiled library (.metallib) is a source like any other. Check also says how it was compiled, which arguments its
kernels have, and which can never run. -against says whether a library was built from the source that is given.

With -exec Check also launches every kernel on the simulator. It looks for races, reads of memory that nobody
has written, accesses out of range, barriers that some threads do not reach, and whatever else Metal leaves
undefined. Kernels of the catalogue get three of its cases. Other kernels get generated inputs, with textures
of 32 by 32 texels. Kernels that take pointers in a buffer are not launched, since only a host can fill them.

Check guesses what the source does not say about a launch. Findings show the guesses as flags. Give such a
flag to replace the guess. A launch file (-launch) states the rest: it is a specification in Starlark, as
conform new writes it, and needs no oracle. Values are not judged: conform run does that.`,
		Example: `conform check my.metal
conform check -std 3.2 -I include -D TILE=32 kernels
conform check -prelude common.h -instantiate 'scale<half, 64>' part.metal
conform check -print ir my.metal
conform check -exec my.metal
conform check -exec -run softmax -arg n=1000 -grid 4 -threads 128 my.metal
conform check -exec -launch my.star my.metal
conform check -exec -local 0=1024 -constant tile=32 my.metal
conform check -exec default.metallib
conform check my.metal -against default.metallib`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.valid(cmd.Flags().Changed); err != nil {
				return err
			}
			file := c.report.OrText()[0].File
			if file == "" {
				return c.check(cmd.Context(), cmd.OutOrStdout(), args)
			}
			var b bytes.Buffer
			err := c.check(cmd.Context(), &b, args)
			if wrong := writeFile(file, b.Bytes(), nil); wrong != nil {
				return exit.With(exit.Device, wrong)
			}
			return err
		},
	}
	c.define(cmd.Flags())
	return cmd
}

// define defines the flags.
func (c *checking) define(flags *pflag.FlagSet) {
	c.report.Add(flags)
	flags.BoolVar(&c.asJSON, "json", false, "print one JSON object per diagnostic or finding: the same as -report json")
	flags.IntVarP(&c.limit, "show", "n", 5,
		"show at most `N` diagnostics of one cause in a file as text or annotations; 0 for all")
	flags.StringVar(&c.pass, "print", "", "print what a `PASS` made of the source: tokens, tree, types or ir")
	c.CompileFlags.Add(flags)
	c.exact.Add(flags,
		"with -exec: also say how accurate kernels outside the catalogue are, and where a device decides")
	flags.BoolVar(&c.exec, "exec", false,
		"also launch every kernel on the simulator and watch it; the flags below are for that")
	flags.StringVar(&c.library, "against", "",
		"say whether the compiled library `FILE`.metallib was built from this source: names, arguments, and results "+
			"bit for bit on generated arguments")
	flags.Var(&c.launches, "launch",
		"launch kernels at the points, and with the arguments and inputs, that the specification `FILE`.star has for "+
			"them: no oracle is needed; repeatable")
	flags.Var(&c.run, "run", "only kernels whose name matches `REGEX`")
	c.limits.Add(flags, 10*time.Second, "end a launch after `DURATION`; a second counts as 2^32 steps; 10s if "+
		"not given")
	flags.Int64Var(&c.work, "launch-budget", explore.UsualBudget,
		"launch no further kernel of a file after `N` steps: instructions of threads, and 4 for each byte of a buffer")
	session.AddBudget(flags, c.budget)
	flags.DurationVar(&c.whole, "run-timeout", 0, "start no launch after `DURATION` of CPU time; no limit if "+
		"not given")
	flags.BoolVarP(&c.verbose, "v", "v", false, "show what compiling took, every kernel and every launch")
	flags.BoolVar(&c.sameValue, "same-value", false,
		"allow threads to write the same value to the same location in any order")
	flags.BoolVar(&c.strict, "strict", false,
		"fail, instead of a warning, if Metal leaves something undefined, even if no trial changes a result")
	flags.SortFlags = false
	c.specFlags.add(flags)
}

// valid refuses what no flag can refuse by itself.
func (c *checking) valid(given func(flag string) bool) error {
	if given("print") && !slices.Contains(metalrun.Passes(), c.pass) {
		return exit.Usagef("-print %q: want %s", c.pass, strings.Join(metalrun.Passes(), ", "))
	}
	for _, name := range append(launchNames, "launch", "same-value", "strict", "exact", "run", "timeout",
		"run-timeout", "launch-budget", "launch-steps", "launch-threadgroups", "thread-memory") {
		if !c.exec && c.library == "" && given(name) {
			return exit.Usagef("-%s is about launches: give -exec too", name)
		}
	}
	if len(c.report.Given) > 1 || c.asJSON && len(c.report.Given) > 0 {
		return exit.Usagef("want one report")
	}
	if c.format = c.report.OrText()[0].Format; c.asJSON {
		c.format = string(diagnostics.JSON)
	}
	if c.exec && c.pass != "" {
		return exit.Usagef("-print shows the source and -exec launches it: give one of them")
	}
	return nil
}

// A file may come from a stranger: garbage is collected before compilations take more than they may
// keep. Launches keep the programs besides their buffers: collecting as often there would take most of the time.
const (
	mostMemory    = 440 << 20 // bytes
	launchMemory  = 440 << 20 // bytes
	launchGarbage = 300       // percent
)

// check compiles the files, and launches what it is told to. Nothing is printed
// before all could be read.
func (c *checking) check(ctx context.Context, stdout io.Writer, files []string) error {
	most := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(mostMemory, most))
	defer debug.SetMemoryLimit(most)
	if c.whole > 0 {
		var stop context.CancelFunc
		ctx, stop = cputime.WithLimit(ctx, c.whole, cputime.Process)
		defer stop()
	}
	list, err := unitsOf(&c.CompileFlags, files)
	if err != nil {
		return err
	}
	if c.library != "" {
		return c.checkAgainst(stdout, list)
	}
	out := stdout
	if c.format == string(diagnostics.GitHub) {
		out = terminal.Unsanitized(stdout) // it escapes what it writes
	}
	w := diagnostics.NewWriter(out, diagnostics.Style{Format: diagnostics.Format(c.format),
		Colour: terminal.Coloured(stdout), Limit: c.limit, Tool: session.Release()})
	clean := true
	var crashed []error
	var sound []*metalrun.Program
	for _, u := range list {
		p, err := c.compile(stdout, w, u)
		var internal *crash.Crash
		if errors.As(err, &internal) {
			crashed = append(crashed, fmt.Errorf("%s: %w", u.title(), err))
		} else if err != nil {
			return err
		}
		if p != nil {
			sound = append(sound, p)
		}
		clean = clean && p != nil
	}
	if c.exec {
		debug.SetMemoryLimit(min(launchMemory, most))
		defer debug.SetGCPercent(debug.SetGCPercent(launchGarbage))
		ok, failed, err := c.execute(ctx, stdout, w, sound, clean)
		if err != nil {
			return err
		}
		clean, crashed = clean && ok, append(crashed, failed...)
	}
	if err := w.Close(); err != nil {
		return exit.With(exit.Device, err)
	}
	switch {
	case len(crashed) > 0:
		return exit.With(exit.Device, errors.Join(crashed...))
	case !clean:
		return exit.Silently(exit.Fails)
	}
	return nil
}

// lowerings is how much more work -exec may make of all kernels of a file than checking it takes: it
// has each optimised, where a check looks at each function once.
const lowerings = 8

// compile prints what there is to report of one file. An ill-formed file makes no
// program.
func (c *checking) compile(stdout io.Writer, w *diagnostics.Writer, u checkedUnit) (*metalrun.Program, error) {
	src := u.source
	var kernels []string
	cost := newCost()
	if c.exec {
		u.options.Lowering = lowerings * u.options.Budget
	}
	p, err := metalrun.Analyse(src, u.options)
	cost.end("parsed and checked")
	if err == nil {
		p, err = session.Specialise(p, u.constants)
	}
	if err == nil && !c.exec && len(c.constants) > 0 {
		p, err = adhoc.Specialise(p, c.constants)
	}
	if err == nil {
		kernels, err = p.Names()
		cost.end(printable.Count(len(kernels), "kernel") + " lowered")
	}
	if c.verbose && !c.asJSON {
		fmt.Fprintf(stdout, "%s: %s\n", u.title(), cost)
	}
	var list metalrun.Diagnostics
	if p != nil {
		if err := w.Write(diagnostics.Of(p.Warnings()), src.Text); err != nil {
			return nil, exit.With(exit.Device, err)
		}
	}
	switch {
	case errors.As(err, &list):
		return nil, w.Write(diagnostics.Of(list), src.Text)
	case err != nil:
		var invalid *adhoc.InvalidSpec
		if errors.As(err, &invalid) {
			return nil, exit.Usagef("%s: %v", u.title(), err)
		}
		return nil, exit.With(exit.Device, err)
	case c.pass != "":
		if err := p.Dump(stdout, c.pass); err != nil {
			return nil, exit.With(exit.Device, err)
		}
	case c.format == string(diagnostics.Text) && !c.exec:
		fmt.Fprintln(stdout, reports.Verdict{Outcome: reports.Passed,
			Reason: printable.Line(u.title()) + ": " + printable.Line(kernelNames(kernels, c.verbose))})
		if err := printLibrary(stdout, p, c.verbose || len(kernels) <= fewKernels); err != nil {
			return nil, exit.With(exit.Device, err)
		}
	}
	return p, nil
}

// execute launches the kernels of well-formed files; whole says that every file is
// among them. Of a file that brings up a mistake of this program, what was launched counts.
func (c *checking) execute(ctx context.Context, stdout io.Writer, w *diagnostics.Writer, programs []*metalrun.Program,
	whole bool) (clean bool, crashed []error, err error) {
	e, err := c.newExplorer()
	if err != nil {
		return false, nil, err
	}
	clean = true
	var units []explore.Unit
	for _, p := range programs {
		u, err := newUnit(e, p)
		var list metalrun.Diagnostics
		var internal *crash.Crash
		switch {
		case errors.As(err, &internal):
			crashed = append(crashed, fmt.Errorf("%s: %w", p.Source().Name, err))
			whole, err = false, nil
		case errors.As(err, &list): // of the source with its function constants
			whole, clean = false, false
			err = w.Write(diagnostics.Of(list), p.Source().Text)
		case err == nil:
			units = append(units, u)
		}
		if err != nil {
			return false, nil, err
		}
	}
	if whole {
		if err := c.concerned(e, units); err != nil {
			return false, nil, err
		}
	}
	for _, u := range units {
		ok, err := c.launchFile(ctx, e, u, stdout, w)
		var internal *crash.Crash
		if errors.As(err, &internal) {
			crashed = append(crashed, err)
		} else if err != nil {
			return false, nil, err
		}
		clean = clean && ok
	}
	return clean, crashed, nil
}

// namesShown is how many kernels of a file are named; projects instantiate thousands.
const namesShown = 20

// kernelNames is a count and the names, or the first of them.
func kernelNames(names []string, all bool) string {
	switch len(names) {
	case 0:
		return "no kernel"
	case 1:
		return "1 kernel: " + names[0]
	}
	text := printable.Count(len(names), "kernel") + ": "
	if left := len(names) - namesShown; left > 0 && !all {
		return text + strings.Join(names[:namesShown], ", ") + fmt.Sprintf(" and %d more, which -v names", left)
	}
	return text + strings.Join(names, ", ")
}
