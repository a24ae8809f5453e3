package main

import (
	"bytes"
	"context"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"metalconform/internal/config"
	"metalconform/internal/session"
	"metalconform/metalrun"
	"metalconform/reports"
	"metalconform/suite/spec"

	"github.com/google/go-cmp/cmp"
)

// manual is the package comment, which main.go begins and the files manual_*.go continue
// in the order that go doc shows.
func manual(t *testing.T) string {
	t.Helper()
	names, err := filepath.Glob("manual_*.go")
	if err != nil {
		t.Fatal(err)
	}
	var text string
	for _, name := range append([]string{"main.go"}, names...) {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			t.Fatal(err)
		}
		text += file.Doc.Text() + "\n"
	}
	return text
}

// TestManual runs every command of the manual, every fourth in a short run,
// in testdata/manual and compares what it prints with what the manual shows. A
// line of three dots there stands for any lines, a time or a rate for any other
// and a number of samples before it, and a space for any number of spaces.
func TestManual(t *testing.T) {
	examples := manualExamples(manual(t))
	t.Chdir("testdata/manual")
	if len(examples) < 3 {
		t.Fatalf("the manual has %d commands with output", len(examples))
	}
	for i, e := range examples {
		if testing.Short() && i%4 != 0 {
			continue
		}
		var stdout bytes.Buffer
		conform(context.Background(), words(e.command)[1:], &stdout, &stdout)
		if !e.pattern().MatchString(stdout.String()) {
			t.Errorf("$ %s\nprints\n%s\nthe manual shows\n%s", e.command, stdout.String(), e.output)
		}
	}
}

// words are those of a command. Double quotes may keep several together.
func words(command string) []string {
	var list []string
	for i, part := range strings.Split(command, `"`) {
		if i%2 == 1 {
			list = append(list, part)
		} else {
			list = append(list, strings.Fields(part)...)
		}
	}
	return list
}

// example is a command of the manual with its output.
type example struct{ command, output string }

// manualExamples finds the indented blocks that begin with a prompt.
func manualExamples(doc string) []example {
	var list []example
	open := false
	for line := range strings.Lines(doc) {
		text, indented := strings.CutPrefix(line, "\t")
		command, prompt := strings.CutPrefix(text, "$ ")
		switch {
		case indented && prompt:
			list = append(list, example{command: strings.TrimSpace(command)})
			open = true
		case open && (indented || strings.TrimSpace(line) == ""):
			list[len(list)-1].output += text
		default:
			open = false
		}
	}
	return list
}

// measured is a time or a rate, and the number of its samples.
const measured = `(?: \d+)? +[\d.e+]+ (?:ns|µs|ms|s|B/s|op/s)\b`

var (
	times  = regexp.MustCompile(measured)
	spaces = regexp.MustCompile(` +`) // a table is as wide as its times
)

// pattern matches what the example shows.
func (e example) pattern() *regexp.Regexp {
	var b strings.Builder
	b.WriteString("^")
	for _, line := range strings.Split(strings.TrimSpace(e.output), "\n") {
		if line == "..." {
			b.WriteString(`(?:.*\n)*?`)
			continue
		}
		parts := times.Split(line, -1)
		for i, part := range parts {
			parts[i] = spaces.ReplaceAllString(regexp.QuoteMeta(part), " +")
		}
		b.WriteString(strings.Join(parts, measured) + `\n`)
	}
	return regexp.MustCompile(b.String() + `\n*$`)
}

// The patterns tell apart what the manual does.
func TestManualPattern(t *testing.T) {
	row := example{output: "a/n=4 69 1.3e+06 ns/op 7.5 ns/elem 8e+07 B/s"}
	for text, want := range map[string]bool{
		"a/n=4 7 120 ns/op 0.5 ns/elem 3.25e+09 B/s\n":  true,
		"a/n=5 7 120 ns/op 0.5 ns/elem 3.25e+09 B/s\n":  false,
		"a/n=4 7 120 ns/op 0.5 ns/elem 3.25e+09 op/s\n": true,
		"a/n=4 7 120 ns/op 0.5 ns/elem\n":               false,
	} {
		if got := row.pattern().MatchString(text); got != want {
			t.Errorf("%q: matches %v, want %v", text, got, want)
		}
	}
	e := example{output: "a (1)  2.00 ms  x\n...\nlast"}
	for text, want := range map[string]bool{
		"a (1)  11.1 s  x\nlast\n":          true,
		"a (1)  1 µs  x\nb\nc\nlast\n":      true,
		"a (1)  2.00 ms  y\nlast\n":         false,
		"a (1)  2.00 ms  x\nb\n":            false,
		"0\na (1)  2.00 ms  x\nlast\n":      false,
		"a (1)  2.00 ms  x\nlast\nmore\n":   false,
		"a (1)  2.00 cm  x\nb\nc\nlast\n":   false,
		"a 1  2.00 ms  x\nb\nc\nlast\n\n":   false,
		"a (1)  2.00 ms  x\nb\nc\nlast\n\n": true,
	} {
		if got := e.pattern().MatchString(text); got != want {
			t.Errorf("%q: matches %v, want %v", text, got, want)
		}
	}
}

// The manual lists the limits of a compilation as they are.
func TestManualLimits(t *testing.T) {
	text := manual(t)
	for limits, least := range map[interface{ Set(string) error }]int{new(metalrun.Limits): 8, new(spec.Limits): 5} {
		_, table, _ := strings.Cut(limits.Set("").Error(), "\n")
		rows := strings.Split(table, "\n")
		if len(rows) < least {
			t.Errorf("limits are %q", rows)
		}
		for _, row := range rows {
			if !strings.Contains(text, row+"\n") {
				t.Errorf("the manual lacks %q", row)
			}
		}
	}
}

// The entries that the manual shows are right.
func TestManualDeclarations(t *testing.T) {
	_, text, _ := strings.Cut(manual(t),
		"The file has eight kinds of entries, and may begin with the names of kernels that have to\n"+
			"be judged (see Gates) and a policy (see Comparing runs):\n")
	text, _, _ = strings.Cut(text, "\nAn order is")
	d, err := config.Parse("testdata/manual/conform.toml", []byte(text), midNovember, session.OwnCases())
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Contracts) != 1 || len(d.Tables) != 1 || len(d.Absences) != 1 || len(d.Exclusions) != 1 ||
		len(d.Compilations) != 1 || len(d.Compilations[0].Variants) != 4 || len(d.Required) != 2 ||
		len(d.Expectations) != 1 || len(d.Waivers) != 1 || len(d.Accuracies) != 1 {
		t.Errorf("read %+v, want one entry of each kind", d)
	}
}

// The policy that the manual shows is the default.
func TestManualPolicy(t *testing.T) {
	_, text, _ := strings.Cut(manual(t), "These are the defaults:\n")
	text, _, _ = strings.Cut(text, "\n-format is")
	file := filepath.Join(t.TempDir(), "conform.toml")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := config.PolicyFlags{Config: file}.Policy(reports.Run{})
	if err != nil {
		t.Fatal(err)
	}
	want := reports.DefaultPolicy()
	want.Source, want.Families, want.WorkFamilies = file+":2", map[string]float64{}, map[string]float64{}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("policy (-default +manual):\n%s", diff)
	}
}
