package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"metalconform/docs"
	"metalconform/internal/budget"
	"metalconform/internal/config"
	"metalconform/internal/session"
	"metalconform/metalrun"
	"metalconform/reports"
	"metalconform/suite/metrics"
	"metalconform/suite/spec"

	"github.com/google/go-cmp/cmp"
)

// manual is the text of all topics, in their order.
func manual(t *testing.T) string {
	t.Helper()
	var text strings.Builder
	for _, topic := range docs.Topics() {
		page, ok := docs.Text(topic.Name)
		if !ok {
			t.Fatalf("topic %s has no page", topic.Name)
		}
		text.WriteString(page + "\n")
	}
	return text.String()
}

// TestManual runs every command of the manual, every fourth in a short run, and compares what it prints with what the
// manual shows. It runs them in testdata/manual, or for the catalogue's kernels in an empty directory. In the manual
//   - a line of three dots stands for any lines,
//   - three dots at its end for the rest of a line,
//   - a time or a rate for any other, and a number of samples before it for any other,
//   - a space for any number of spaces.
func TestManual(t *testing.T) {
	examples := manualExamples(manual(t))
	own, err := filepath.Abs("testdata/manual")
	if err != nil {
		t.Fatal(err)
	}
	empty := t.TempDir()
	if len(examples) < 20 {
		t.Fatalf("the manual has %d commands with output", len(examples))
	}
	for i, e := range examples {
		if testing.Short() && i%4 != 0 {
			continue
		}
		dir := own
		if e.catalogue {
			dir = empty
		}
		t.Chdir(dir)
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
type example struct {
	command, output string
	catalogue       bool // it is about the catalogue's kernels
}

// manualExamples finds the blocks of the kind console, or console catalogue. A line in them that begins with a prompt
// is a command.
func manualExamples(doc string) []example {
	var list []example
	open, catalogue := false, false
	for line := range strings.Lines(doc) {
		command, prompt := strings.CutPrefix(line, "$ ")
		switch {
		case strings.HasPrefix(line, "```"):
			open, catalogue = strings.HasPrefix(line, "```console"), line == "```console catalogue\n"
		case open && prompt:
			list = append(list, example{command: strings.TrimSpace(command), catalogue: catalogue})
		case open && len(list) > 0:
			list[len(list)-1].output += line
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
		line, rest := strings.CutSuffix(line, " ...")
		parts := times.Split(line, -1)
		for i, part := range parts {
			parts[i] = spaces.ReplaceAllString(regexp.QuoteMeta(part), " +")
		}
		b.WriteString(strings.Join(parts, measured))
		if rest {
			b.WriteString(" .*")
		}
		b.WriteString(`\n`)
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
	open := example{output: "a: b ...\nlast"}
	for text, want := range map[string]bool{"a: b c, d\nlast\n": true, "a: c\nlast\n": false, "a: b c\n": false} {
		if got := open.pattern().MatchString(text); got != want {
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

// generated are the parts of the manual that follow from tables in Go, by the page and the mark around them.
var generated = []struct {
	page, mark string
	text       func() string
}{
	{"limits", "compile limits", func() string { return limitTable(new(metalrun.Limits)) }},
	{"limits", "definition limits", func() string { return limitTable(new(spec.Limits)) }},
	{"limits", "budgets", func() string { return limitTable(new(budget.Budget)) }},
	{"verdicts", "metrics", metricTable},
}

// limitTable is what a flag for limits says of itself.
func limitTable(limits interface{ Set(string) error }) string {
	_, table, _ := strings.Cut(limits.Set("").Error(), "\n")
	var b strings.Builder
	for _, row := range strings.Split(strings.Trim(table, "\n"), "\n") {
		b.WriteString("    " + strings.TrimSpace(row) + "\n")
	}
	return b.String()
}

func metricTable() string {
	b := strings.Builder{}
	b.WriteString("| key in results | meaning |\n| --- | --- |\n")
	for _, m := range metrics.All() {
		means := m.Means
		if m.Name != m.Key {
			means = m.Name + ": " + means
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", m.Key, strings.ReplaceAll(means, "|", `\|`))
	}
	return b.String()
}

// TestManualGenerated: what follows from tables in Go is in the manual as it is there.
func TestManualGenerated(t *testing.T) {
	for _, g := range generated {
		file := filepath.Join("../../docs", g.page+".md")
		page, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		begin, end := "<!-- "+g.mark+": begin -->\n", "<!-- "+g.mark+": end -->"
		before, rest, found := strings.Cut(string(page), begin)
		have, after, ended := strings.Cut(rest, end)
		want := "\n" + g.text() + "\n"
		if !found || !ended || strings.Count(want, "\n") < 7 {
			t.Fatalf("%s: no place for %s, or too little of it:\n%s", file, g.mark, want)
		}
		if *update {
			if err := os.WriteFile(file, []byte(before+begin+want+end+after), 0o666); err != nil {
				t.Fatal(err)
			}
			have = want
		}
		if diff := cmp.Diff(have, want); diff != "" {
			t.Errorf("%s: %s (-update writes it) (-page +now):\n%s", file, g.mark, diff)
		}
	}
}

// block is the block of code after a comment in the manual.
func block(t *testing.T, mark string) string {
	t.Helper()
	_, text, found := strings.Cut(manual(t), "<!-- "+mark+" -->\n```toml\n")
	text, _, ended := strings.Cut(text, "\n```\n")
	if !found || !ended {
		t.Fatalf("the manual has no block %s", mark)
	}
	return text + "\n"
}

// The entries that the manual shows are right.
func TestManualDeclarations(t *testing.T) {
	d, err := config.Parse(nil, "testdata/manual/conform.toml", []byte(block(t, "conform.toml")), midNovember,
		session.OwnCases())
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Contracts) != 1 || len(d.Tables) != 1 || len(d.Absences) != 1 || len(d.Exclusions) != 1 ||
		len(d.Compilations) != 1 || len(d.Compilations[0].Variants) != 4 || len(d.Required) != 2 ||
		len(d.Expectations) != 1 || len(d.Waivers) != 1 || len(d.Accuracies) != 1 {
		t.Errorf("read %+v, want one entry of each kind", d)
	}
}

// The conform.toml that the manual shows for a project says what the manual says of it.
func TestManualProject(t *testing.T) {
	text := block(t, "project")
	d, err := config.Parse(nil, "conform.toml", []byte(text), midNovember, session.OwnCases())
	if err != nil || len(d.Compilations) != 1 || len(d.Required) != 1 || !d.Strict {
		t.Errorf("%v, %+v", err, d)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"conform.toml": text, "softmax.star": "", "specs/a.star": "",
		"no.star": ""} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		saveFile(t, file, text)
	}
	p, err := config.ReadProject(nil, "", dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Specifications) != 2 || len(p.Packs) != 1 || len(p.Math.Modes) != 2 {
		t.Errorf("project %+v", p)
	}
}

// The policy that the manual shows is the default.
func TestManualPolicy(t *testing.T) {
	file := filepath.Join(t.TempDir(), "conform.toml")
	if err := os.WriteFile(file, []byte(block(t, "policy")), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := config.PolicyFlags{Config: file}.Policy(reports.Run{})
	if err != nil {
		t.Fatal(err)
	}
	want := reports.DefaultPolicy()
	want.Source, want.Families, want.WorkFamilies = file+":1", map[string]float64{}, map[string]float64{}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("policy (-default +manual):\n%s", diff)
	}
}
