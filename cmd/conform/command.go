package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"

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
	args, all := allFlags(args)
	root := newRoot(usage{all: all, width: helpWidth(os.Stdout)})
	root.SetOut(stdout)
	root.SetErr(stderr)
	args = longFlags(args)
	if completing(args) {
		root.SetOut(singleDash{stdout})
		root.SetErr(io.Discard) // cobra's notes for those who write scripts
		args = flagPrefix(args)
	}
	root.SetArgs(args)
	cmd, err := root, refuseUnknown(root, args)
	if err == nil {
		cmd, err = root.ExecuteContextC(ctx)
	}
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
			kept = keepCrash(args, c)
			if e.Status != exit.Fails { // which a verdict says that shows more than the mistake
				e.Status = exit.Device
			}
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
	newRun, newNew, newCheck, newSpec, newJudge, newList, newExplain, newBlame, newShrink, newRecord, newMutate,
	newBench, newCompare, newReport, newOpen, newGate, newHistory, newDevice, newHost, newCompletion,
}

func newRoot(help usage) *cobra.Command {
	root := &cobra.Command{
		Use:   "conform COMMAND",
		Short: "judge Metal compute kernels",
		Long: `Conform judges Apple Metal compute kernels against float64 oracles. On a Mac the
kernels run on the GPU; everywhere else a simulator executes their source.`,
		Example: `conform new                     specify the kernels of this directory
conform run                     judge them
conform run -run rms_norm       judge the cases whose name matches
conform explain CASE            show how an element came to its verdict
conform check -exec my.metal    look for errors and races, unspecified
conform gate -base origin/main  judge a pull request`,
		Args:                       cobra.ArbitraryArgs,
		Version:                    versionText(),
		SilenceErrors:              true,
		SilenceUsage:               true,
		SuggestionsMinimumDistance: 2,
		CompletionOptions:          cobra.CompletionOptions{DisableDefaultCmd: true},
		RunE: func(cmd *cobra.Command, args []string) error {
			return wantCommand(cmd, args)
		},
	}
	root.SetVersionTemplate("{{.Version}}")
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(help.print)
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

// versionText says which program this is.
func versionText() string {
	return fmt.Sprintf("conform %s\ncommit %s\n%s %s/%s\n", cmp.Or(session.Release(), "(unknown)"),
		cmp.Or(session.Commit(), "unknown"), runtime.Version(), runtime.GOOS, runtime.GOARCH)
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
		if a == "-exact" && i+1 < len(args) && slices.Contains(session.ExactWords, args[i+1]) {
			skip, a = true, a+"="+args[i+1] // its word may be left out
		}
		if len(a) == 3 && a[0] == '-' && a[2] == '=' {
			long = append(long, a[:2], "") // the flag package takes = for the value
			continue
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
		if now := presentFlag(cmd.CommandPath(), unknown.GetSpecifiedName()); now != "" {
			return exit.Usagef("-%s has another name now: %s", unknown.GetSpecifiedName(), now)
		}
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
