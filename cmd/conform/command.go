package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"metalconform/internal/crash"
	"metalconform/internal/exit"
	"metalconform/internal/session"
	"metalconform/internal/terminal"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// conform runs the program and returns its exit status. Cancelling ctx
// interrupts it.
func conform(ctx context.Context, args []string, stdout, stderr io.Writer) (status int) {
	stdout, stderr = terminal.NewSanitizer(stdout, 0), terminal.NewSanitizer(stderr, terminal.MaxMessage)
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(stderr, "conform: %v%s\n", crash.New(p), keepCrash(args, crash.New(p)))
			status = exit.Device
		}
	}()
	root := newRoot()
	root.SetOut(stdout)
	root.SetErr(stderr)
	args = longFlags(args)
	if completing(args) {
		root.SetOut(singleDash{stdout})
		root.SetErr(io.Discard) // cobra's notes for those who write scripts
		args = flagPrefix(args)
	}
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exit.Conforms
	}
	var e *exit.Error
	if !errors.As(err, &e) {
		e = exit.With(exit.Usage, err)
	}
	if e.Err != nil {
		kept := ""
		var c *crash.Crash
		if errors.As(e.Err, &c) {
			e.Status, kept = exit.Device, keepCrash(args, c)
		}
		fmt.Fprintf(stderr, "%s: %v%s\n", cmd.CommandPath(), e.Err, kept)
	}
	return e.Status
}

// keepCrash writes what a report of an internal error needs to a file, and says where.
func keepCrash(args []string, c *crash.Crash) string {
	file, err := os.CreateTemp("", "conform-crash-*.txt")
	if err != nil {
		return ""
	}
	defer file.Close()
	fmt.Fprintf(file, "conform %q\n%s\n\n%v\n\n%s", args, session.Release()+" "+session.Commit(), c, c.Stack)
	return "; please report it with " + file.Name()
}

var commands = []func() *cobra.Command{
	newRun, newReport, newCompare, newAB, newGate, newHistory, newServe, newExplain, newBlame, newShrink,
	newRecord, newJudge, newBench, newCalibrate, newList, newCheck, newNew, newSpec, newMutate, newDevices,
	newIntrinsics, newCompletion, newVersion,
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "conform COMMAND",
		Short: "judge Metal compute kernels",
		Long: `Conform judges Apple Metal compute kernels against float64 oracles. On a Mac the
kernels run on the GPU; everywhere else a simulator executes their source.`,
		Example: `conform run                     judge every kernel
conform run -run rms_norm       judge the cases whose name matches
conform report out              show what a run has written, as text or for CI
conform compare last out        show what has changed between two runs
conform history trend DIR       find where many runs changed
conform explain CASE            show how an element came to its verdict
conform blame CASE              show which lines an element's error comes from
conform shrink CASE             make a case that fails small
conform record CASE             write its inputs and results for PyTorch
conform judge -spec FILE SRC     judge one source, for programs that write kernels
conform bench                   time every kernel
conform list                    show what there is to judge
conform check my.metal          look for errors in a file
conform devices                 show what the devices here can do`,
		Args:                       cobra.ArbitraryArgs,
		SilenceErrors:              true,
		SilenceUsage:               true,
		SuggestionsMinimumDistance: 2,
		CompletionOptions:          cobra.CompletionOptions{DisableDefaultCmd: true},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				cmd.SetOut(cmd.ErrOrStderr())
				printHelp(cmd, nil)
				return exit.Silently(exit.Usage)
			}
			if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
				return exit.Usagef("unknown command %q, did you mean %s?", args[0], near[0])
			}
			return exit.Usagef("unknown command %q (conform -h lists them)", args[0])
		},
	}
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(printHelp)
	for _, command := range commands {
		root.AddCommand(command())
	}
	root.SetHelpCommand(newHelp())
	boundNumbers(root)
	if err := complete(root); err != nil {
		panic(err) // a flag has two lists of values
	}
	return root
}

// longFlags spells -name as --name, which is what the flag package knows. One
// letter stays as it is, and so does everything after a lone --.
func longFlags(args []string) []string {
	long := make([]string, 0, len(args))
	skip := false
	for i, a := range args {
		if skip {
			skip = false
			continue
		}
		if a == "--" {
			return append(long, args[i:]...)
		}
		if a == "-exact" && i+1 < len(args) && (args[i+1] == session.Float64 || args[i+1] == session.DoubleDouble) {
			skip, a = true, a+"="+args[i+1] // its word may be left out
		}
		if len(a) > 2 && a[0] == '-' && 'a' <= a[1] && a[1] <= 'z' && a[2] != '=' {
			a = "-" + a
		}
		long = append(long, a)
	}
	return long
}

// flagError says what is wrong with a flag in the spelling of the manual.
func flagError(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	var unknown *pflag.NotExistError
	switch {
	case errors.As(err, &invalid):
		return exit.Usagef("-%s %q: %v", spelling(invalid.GetFlag()), invalid.GetValue(), errors.Unwrap(invalid))
	case errors.As(err, &missing):
		operand, _ := pflag.UnquoteUsage(missing.GetFlag())
		return exit.Usagef("-%s needs a value: %s", spelling(missing.GetFlag()), operand)
	case errors.As(err, &unknown):
		return exit.Usagef("unknown flag -%s (%s -h lists them)", unknown.GetSpecifiedName(), cmd.CommandPath())
	}
	return exit.Usagef("%v", err)
}

// spelling is a flag's name in the manual.
func spelling(f *pflag.Flag) string {
	if f.Shorthand != "" {
		return f.Shorthand
	}
	return f.Name
}

// printHelp shows a command: what it does, how it is used, what it takes.
func printHelp(cmd *cobra.Command, _ []string) {
	w := cmd.OutOrStdout()
	fmt.Fprintf(w, "usage: %s\n\n%s\n\nExamples:\n%s\n", cmd.UseLine(), cmd.Long, indent(cmd.Example))
	if cmd.HasAvailableSubCommands() {
		fmt.Fprint(w, "\nCommands:\n")
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(w, "  %-10s %s\n", sub.Name(), sub.Short)
			}
		}
		fmt.Fprintf(w, "\n%s COMMAND -h tells more.\n", cmd.CommandPath())
		return
	}
	fmt.Fprint(w, "\nFlags:\n")
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" || f.Hidden {
			return
		}
		operand, usage := pflag.UnquoteUsage(f)
		if f.Value.Type() == "bool" {
			operand = ""
		}
		fmt.Fprintf(w, "  %-31s %s\n", strings.TrimSpace("-"+spelling(f)+" "+operand), usage)
	})
	if text := cmd.Annotations[afterFlags]; text != "" {
		fmt.Fprintf(w, "\n%s\n", text)
	}
}

// afterFlags is the annotation of a command with what its help says last.
const afterFlags = "after flags"

func indent(s string) string { return "  " + strings.ReplaceAll(s, "\n", "\n  ") }
