package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"metalconform/internal/exit"
	"metalconform/internal/session"
	"metalconform/suite"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// shells are those that cobra writes scripts for.
func shells() []string { return []string{"bash", "fish", "zsh"} }

func newCompletion() *cobra.Command {
	return &cobra.Command{
		Use:    "completion SHELL",
		Hidden: true, // help start tells of it
		Short:  "print a script that completes commands in a shell",
		Long: `Completion prints a script for bash, fish or zsh, which then completes commands,
flags, their values and the names of kernels.`,
		Example: `source <(conform completion bash)
conform completion fish > ~/.config/fish/completions/conform.fish
conform completion zsh > "${fpath[1]}/_conform"`,
		ValidArgs: shells(),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return exit.Usagef("want one of %s", strings.Join(shells(), ", "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root, w := cmd.Root(), cmd.OutOrStdout()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(w, true)
			case "fish":
				return root.GenFishCompletion(w, true)
			case "zsh":
				return root.GenZshCompletion(w)
			}
			return exit.Usagef("%s: want one of %s", args[0], strings.Join(shells(), ", "))
		},
	}
}

// complete registers what the values of flags and the operands of commands can be.
func complete(root *cobra.Command) error {
	for _, cmd := range root.Commands() {
		var failed error
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			var values cobra.CompletionFunc
			switch c := f.Value.(type) {
			case *session.Choice:
				values = cobra.FixedCompletions(c.Words, cobra.ShellCompDirectiveNoFileComp)
			case *session.SemanticsFlag:
				values = cobra.FixedCompletions(session.SemanticsNames, cobra.ShellCompDirectiveNoFileComp)
			case *session.Pattern:
				values = completeKernels
			case *session.Required:
				values = completeRequired
			default:
				return
			}
			if err := cmd.RegisterFlagCompletionFunc(f.Name, values); err != nil {
				failed = err
			}
		})
		if failed != nil {
			return failed
		}
	}
	return nil
}

// completeKernels are the names of kernels and pipelines that begin with a word.
func completeKernels(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	var names []string
	seen := map[string]bool{}
	for _, c := range session.OwnCases()(suite.Quick) {
		if name := c.Kernel.Name; !seen[name] && strings.HasPrefix(name, word) {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// completeRequired are the names of kernels and pipelines that begin with a word, and all;
// or else files.
func completeRequired(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	names := slices.DeleteFunc(append(session.CatalogueNames(), "all"),
		func(name string) bool { return !strings.HasPrefix(name, word) })
	return names, cobra.ShellCompDirectiveDefault
}

// completing reports whether a shell's script asks for completions.
func completing(args []string) bool {
	return len(args) > 1 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// flagPrefix spells the word to be completed as cobra knows it: a flag with two
// dashes, even if it has but one letter so far.
func flagPrefix(args []string) []string {
	last := len(args) - 1
	if word := args[last]; strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "--") {
		return append(args[:last:last], "-"+word)
	}
	return args
}

// singleDash passes completions on in the spelling of the manual: flags with one
// dash, and operands without their quotes.
type singleDash struct{ w io.Writer }

func (s singleDash) Write(b []byte) (int, error) {
	var text strings.Builder
	for line := range strings.Lines(string(b)) {
		if flag, ok := strings.CutPrefix(line, "--"); ok {
			line = "-" + strings.ReplaceAll(flag, "`", "")
		}
		text.WriteString(line)
	}
	if _, err := fmt.Fprint(s.w, text.String()); err != nil {
		return 0, err
	}
	return len(b), nil
}
