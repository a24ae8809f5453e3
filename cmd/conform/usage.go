package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"metalconform/internal/exit"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
)

// Widths of help, in columns.
const (
	leastWidth = 80
	mostWidth  = 120
)

// usage prints the help of commands: what a command does, examples, and its flags in groups.
type usage struct {
	all   bool // flags, not only those that are common
	width int  // columns
}

// helpWidth is the width of a terminal, within bounds; COLUMNS sets it, too.
func helpWidth(w io.Writer) int {
	width := leastWidth
	if file, ok := w.(*os.File); ok {
		if columns, _, err := term.GetSize(int(file.Fd())); err == nil {
			width = columns
		}
	}
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil {
		width = columns
	}
	return min(max(width, leastWidth), mostWidth)
}

// allFlags reports whether the arguments ask for the help of all flags, and drops the word that says so.
func allFlags(args []string) ([]string, bool) {
	for i, a := range args {
		if a == "--" {
			break
		}
		if (a == "-h" || a == "-help" || a == "--help") && i+1 < len(args) && args[i+1] == "all" {
			return slices.Delete(slices.Clone(args), i+1, i+2), true
		}
	}
	return args, false
}

// print shows the help of a command.
func (u usage) print(cmd *cobra.Command, _ []string) {
	w := cmd.OutOrStdout()
	fmt.Fprintf(w, "usage: %s\n\n%s\nExamples:\n%s\n", cmd.UseLine(), u.paragraphs(cmd.Long), indent(cmd.Example))
	if cmd.HasAvailableSubCommands() {
		fmt.Fprint(w, "\nCommands:\n")
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprint(w, u.row(sub.Name(), sub.Short, 12))
			}
		}
		fmt.Fprintf(w, "\n%s COMMAND -h tells more.\n", cmd.CommandPath())
	}
	u.flags(w, cmd)
	if topics := topicsOf(cmd); len(topics) > 0 {
		fmt.Fprintf(w, "\nMore: conform help %s\n", strings.Join(topics, ", conform help "))
	}
}

// flags shows the flags of a command, a group after another.
func (u usage) flags(w io.Writer, cmd *cobra.Command) {
	common := strings.Fields(commonFlags()[cmd.CommandPath()])
	left := 0
	for _, g := range flagGroups() {
		var rows strings.Builder
		for _, name := range strings.Fields(g.flags) {
			f := flagIn(cmd, name)
			if f == nil || f.Hidden {
				continue
			}
			if !u.all && !slices.Contains(common, name) {
				left++
				continue
			}
			operand, text := operandOf(f)
			rows.WriteString(u.row(strings.TrimSpace("-"+spelling(f)+" "+operand), text, 24))
		}
		if rows.Len() > 0 {
			fmt.Fprintf(w, "\n%s:\n%s", g.title, rows.String())
		}
	}
	if left > 0 {
		fmt.Fprintf(w, "\n%s -h all shows %d more flags.\n", cmd.CommandPath(), left)
	}
	if text := cmd.Annotations[afterFlags]; text != "" && u.all {
		fmt.Fprintf(w, "\n%s", u.paragraphs(text))
	}
}

// flagIn is the flag of a command with a spelling, or nil.
func flagIn(cmd *cobra.Command, name string) *pflag.Flag {
	if f := cmd.LocalFlags().ShorthandLookup(name[:1]); f != nil && len(name) == 1 {
		return f
	}
	return cmd.LocalFlags().Lookup(name)
}

// afterFlags is the annotation of a command with what its help says last, with all flags.
const afterFlags = "after flags"

// operandOf is the operand of a flag, and what the flag does.
func operandOf(f *pflag.Flag) (operand, text string) {
	operand, text = pflag.UnquoteUsage(f)
	if f.Value.Type() == "bool" {
		operand = ""
	}
	return operand, text
}

// row is a name with a text beside it that is broken at the width.
func (u usage) row(name, text string, column int) string {
	indent := strings.Repeat(" ", column)
	lines := wrapped(text, u.width-column)
	var b strings.Builder
	if utf8.RuneCountInString(name)+4 > column {
		fmt.Fprintf(&b, "  %s\n", name)
	} else {
		fmt.Fprintf(&b, "  %-*s%s\n", column-2, name, lines[0])
		lines = lines[1:]
	}
	for _, line := range lines {
		b.WriteString(indent + line + "\n")
	}
	return b.String()
}

// paragraphs breaks the lines of a text at the width. A line that is indented, as of a list, keeps its indentation.
func (u usage) paragraphs(text string) string {
	var b strings.Builder
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if b.Len() > 0 {
			b.WriteString("\n")
		}
		run := ""
		flush := func() {
			if run != "" {
				b.WriteString(strings.Join(wrapped(run, u.width), "\n") + "\n")
			}
			run = ""
		}
		for line := range strings.SplitSeq(paragraph, "\n") {
			name, rest, listed := strings.Cut(strings.TrimLeft(line, " "), " ")
			if !strings.HasPrefix(line, "  ") || !listed {
				run += line + " "
				continue
			}
			flush()
			b.WriteString(u.row(name, strings.TrimSpace(rest), 14))
		}
		flush()
	}
	return b.String()
}

// wrapped breaks a text into lines of so many columns; a word that is longer has a line of its own.
func wrapped(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

func indent(s string) string { return "  " + strings.ReplaceAll(s, "\n", "\n  ") }

// wantCommand is what a command does that only has commands.
func wantCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		cmd.SetOut(cmd.ErrOrStderr())
		cmd.HelpFunc()(cmd, nil)
		return exit.Silently(exit.Usage)
	}
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return exit.Usagef("unknown command %q, did you mean %s?", args[0], near[0])
	}
	return exit.Usagef("unknown command %q (%s -h lists them)", args[0], cmd.CommandPath())
}
