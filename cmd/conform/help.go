package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"metalconform/docs"
	"metalconform/internal/exit"
	"metalconform/suite/spec"

	"github.com/spf13/cobra"
)

// newHelp is the manual: its topics, one of them, or one function of specifications.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [TOPIC | FUNCTION]",
		Short: "show the manual",
		Long: `Help lists the topics of the manual, or shows one of them. It also shows one function of
specifications: what it means and an example.`,
		Example: `conform help              the topics
conform help spec         how to say what a kernel computes
conform help softmax      one function of specifications
conform run -h            the flags of a command`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, t := range docs.Topics() {
				names = append(names, t.Name+"\t"+t.Summary)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				listTopics(cmd.OutOrStdout())
				return nil
			}
			return helpAbout(cmd, args[0])
		},
	}
}

// listTopics shows what there is to read.
func listTopics(w io.Writer) {
	fmt.Fprint(w, "usage: conform help TOPIC\n\nTopics:\n")
	for _, t := range docs.Topics() {
		fmt.Fprintf(w, "  %s\n", topicLine(t))
	}
	fmt.Fprint(w, "\nconform -h lists the commands, and conform COMMAND -h shows the flags of one.\n")
}

// topicLine is a topic with its alias and what it is about.
func topicLine(t docs.Topic) string {
	name := t.Name
	if t.Alias != "" {
		name += " (" + t.Alias + ")"
	}
	return fmt.Sprintf("%-21s %s", name, t.Summary)
}

// helpAbout shows a topic, a function of specifications or a command, in this order.
func helpAbout(cmd *cobra.Command, name string) error {
	w := cmd.OutOrStdout()
	if text, ok := docs.Text(name); ok {
		fmt.Fprint(w, docs.Render(text, helpWidth(os.Stdout)))
		return nil
	}
	i := slices.IndexFunc(spec.Reference, func(f spec.Function) bool { return f.Name() == name })
	if i >= 0 {
		f := spec.Reference[i]
		fmt.Fprint(w, docs.Render(fmt.Sprintf("## %s\n\n%s %s.\n\n```\n%s\n```\n\nTopic `specifications` lists all "+
			"functions.\n", f.Signature, f.Name(), f.Meaning, f.Example), helpWidth(os.Stdout)))
		return nil
	}
	if sub, rest, err := cmd.Root().Find([]string{name}); err == nil && len(rest) == 0 && sub != cmd.Root() {
		sub.SetOut(w)
		return sub.Help()
	}
	near := docs.Near(name)
	for _, f := range spec.Reference {
		if len(name) > 2 && strings.Contains(f.Name(), name) {
			near = append(near, f.Name())
		}
	}
	if len(near) > 0 {
		return exit.Usagef("there is no topic %q, did you mean %s?", name, strings.Join(near[:min(3, len(near))], ", "))
	}
	return exit.Usagef("there is no topic %q (conform help lists them)", name)
}
