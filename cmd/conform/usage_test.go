package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

var updateHelp = flag.Bool("update-help", false, "write testdata/help anew")

// below are all commands below one.
func below(cmd *cobra.Command) (list []*cobra.Command) {
	for _, sub := range cmd.Commands() {
		list = append(append(list, sub), below(sub)...)
	}
	return list
}

// leaves are the commands below one that do something.
func leaves(cmd *cobra.Command) (list []*cobra.Command) {
	for _, sub := range cmd.Commands() {
		if sub.HasSubCommands() {
			list = append(list, leaves(sub)...)
		} else if sub.Name() != "help" {
			list = append(list, sub)
		}
	}
	return list
}

// The help of each command is what testdata has, at both widths. No line is longer than the width.
func TestHelp(t *testing.T) {
	for _, width := range []int{leastWidth, mostWidth} {
		root := newRoot(usage{width: width})
		for _, cmd := range append(below(root), root) {
			var b bytes.Buffer
			cmd.SetOut(&b)
			cmd.HelpFunc()(cmd, nil)
			for line := range strings.Lines(b.String()) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > width {
					t.Errorf("%s at %d columns: %d columns: %s", cmd.CommandPath(), width, n, line)
				}
			}
			name := filepath.Join("testdata", "help", fmt.Sprintf("%s-%d.txt",
				strings.ReplaceAll(cmd.CommandPath(), " ", "-"), width))
			if *updateHelp {
				if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
					t.Fatal(err)
				}
				continue
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), b.String()); diff != "" {
				t.Errorf("%s at %d columns (-update-help writes it anew):\n%s", cmd.CommandPath(), width, diff)
			}
		}
	}
}

// With all flags no line is longer than the width either, each flag is shown once, and without them at most twelve.
func TestHelpFlags(t *testing.T) {
	groups := map[string]int{}
	for _, g := range flagGroups() {
		for _, name := range strings.Fields(g.flags) {
			if groups[name]++; groups[name] > 1 {
				t.Errorf("-%s is in two groups", name)
			}
		}
	}
	root := newRoot(usage{width: leastWidth, all: true})
	used := map[string]bool{}
	for _, cmd := range below(root) {
		var b bytes.Buffer
		cmd.SetOut(&b)
		cmd.HelpFunc()(cmd, nil)
		shown := map[string]bool{}
		for line := range strings.Lines(b.String()) {
			if utf8.RuneCountInString(line) > leastWidth+1 {
				t.Errorf("%s: a long line: %s", cmd.CommandPath(), line)
			}
			if name, _, _ := strings.Cut(strings.TrimSpace(line), " "); strings.HasPrefix(line, "  -") {
				if shown[name] {
					t.Errorf("%s: help shows %s twice", cmd.CommandPath(), name)
				}
				shown[name] = true
			}
		}
		common := strings.Fields(commonFlags()[cmd.CommandPath()])
		if len(common) > 12 {
			t.Errorf("%s: help shows %d flags", cmd.CommandPath(), len(common))
		}
		for _, name := range common {
			if flagIn(cmd, name) == nil {
				t.Errorf("%s: help shows -%s, which it does not have", cmd.CommandPath(), name)
			}
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			used[spelling(f)] = true
			if f.Name != "help" && !f.Hidden && groups[spelling(f)] == 0 {
				t.Errorf("%s: -%s is in no group", cmd.CommandPath(), spelling(f))
			}
		})
	}
	for name := range groups {
		if !used[name] {
			t.Errorf("no command has -%s, which is in a group", name)
		}
	}
}

// A flag means the same in every command that has it: it takes the same kind of value.
func TestFlagsMeanOneThing(t *testing.T) {
	kinds := map[string]string{}
	for _, cmd := range leaves(newRoot(usage{width: leastWidth})) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			operand, _ := operandOf(f)
			kind := f.Value.Type() + " " + operand
			if name := spelling(f); name == "json" && kind != "bool " {
				t.Errorf("%s: -json is no switch", cmd.CommandPath())
			} else if was, ok := kinds[name]; ok && was != kind && !slices.Contains(diverse, name) {
				t.Errorf("%s: -%s takes %q, and elsewhere %q", cmd.CommandPath(), name, kind, was)
			} else {
				kinds[name] = kind
			}
		})
	}
}

// diverse are flags whose values are written differently, but mean the same.
var diverse = []string{
	"o",      // a path: of a file or of a directory
	"report", // the formats that a command can write
	"sweep", "seed", "math", "semantics", "forecast",
}

// Nineteen commands are enough.
func TestCommands(t *testing.T) {
	n := 0
	for _, cmd := range newRoot(usage{width: leastWidth}).Commands() {
		if cmd.IsAvailableCommand() && cmd.Name() != "help" {
			n++
		}
	}
	if n > 19 {
		t.Errorf("there are %d commands", n)
	}
}
