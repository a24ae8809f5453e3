package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"metalconform/internal/exit"
	"metalconform/internal/session"

	"github.com/google/go-cmp/cmp"
)

// Output files are locked while they are written, have their names only when they are whole,
// and are put aside for others.
func TestOutput(t *testing.T) {
	dir := t.TempDir()
	write := func(text string, force, whole bool) {
		t.Helper()
		file, err := session.OpenOutput(dir, session.ResultsName, force)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if other, err := session.OpenOutput(dir, session.ResultsName, true); err == nil || other != nil {
			t.Errorf("opened twice: %v", err)
		}
		if _, err := io.WriteString(file, text); err != nil {
			t.Fatal(err)
		}
		if whole {
			if err := file.Finish(); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := func(files ...string) {
		t.Helper()
		var got []string
		list, _ := os.ReadDir(dir)
		for _, entry := range list {
			text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, entry.Name()+" "+string(text))
		}
		slices.Sort(files)
		if diff := cmp.Diff(files, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	write("first", false, true)
	want("results.jsonl first")
	write("killed", false, false)
	want("results-1.jsonl first", "results.partial.jsonl killed")
	write("third", false, true)
	want("results-1.jsonl first", "results.partial-1.jsonl killed", "results.jsonl third")
	write("killed", false, false)
	write("fifth", true, true)
	want("results-1.jsonl first", "results-2.jsonl third", "results.partial-1.jsonl killed", "results.jsonl fifth")
	write("sixth", true, true)
	want("results-1.jsonl first", "results-2.jsonl third", "results.partial-1.jsonl killed", "results.jsonl sixth")
}

// What stands in the way of results and is no file of ours is neither followed nor removed.
func TestOutputStranger(t *testing.T) {
	for _, name := range []string{session.ResultsName, session.PartialName(session.ResultsName)} {
		dir := t.TempDir()
		private := filepath.Join(dir, "private")
		if err := os.WriteFile(private, []byte("keep"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(private, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if _, err := session.OpenOutput(dir, session.ResultsName, true); err == nil ||
			!strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("%s: %v", name, err)
		}
		if text, err := os.ReadFile(private); err != nil || string(text) != "keep" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

var clocks = regexp.MustCompile(`"(started":"[^"]*"|(ns|cost_ns|elapsed_ns)":\d+)`)

// withoutClocks are the results in a directory, but for what a clock says.
func withoutClocks(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, session.ResultsName))
	if err != nil {
		t.Fatal(err)
	}
	return clocks.ReplaceAllString(string(text), "")
}

// shortRun are the arguments of one.
func shortRun(flags ...string) []string {
	return append([]string{"run", "-backend", "simulator", "-run", "^sigmoid_gate/dim=(1|5|12)/", "-check=false",
		"-adversaries", "0"}, flags...)
}

// A run that is told to stop, by whatever signal or by its time, keeps what it has, and another
// goes on with it.
func TestStop(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	whole := t.TempDir()
	if status := conform(t.Context(), shortRun("-q", "-o", whole), io.Discard, io.Discard); status != 0 {
		t.Fatalf("status %d", status)
	}
	for _, test := range []struct {
		name   string
		signal syscall.Signal
		flags  []string
	}{
		{"interrupt", syscall.SIGINT, nil}, {"terminate", syscall.SIGTERM, nil},
		{"time limit", 0, []string{"-run-timeout", "1ns"}},
	} {
		if testing.Short() && test.signal == syscall.SIGINT {
			continue
		}
		dir, ctx := t.TempDir(), t.Context()
		if test.signal != 0 {
			ctx = interruptible(io.Discard)
			if err := syscall.Kill(os.Getpid(), test.signal); err != nil {
				t.Fatal(err)
			}
			<-ctx.Done()
		}
		var said strings.Builder
		status := conform(ctx, append(shortRun("-o", dir), test.flags...), io.Discard, &said)
		if status != exit.Device ||
			!strings.Contains(said.String(), "interrupted after 0 of 19 cases; their results are in ") {
			t.Errorf("%s: status %d, %s", test.name, status, said.String())
		}
		if _, err := os.Stat(filepath.Join(dir, session.ResultsName)); err == nil {
			t.Errorf("%s: the results have the name of whole ones", test.name)
		}
		if status := conform(t.Context(), shortRun("-q", "-o", dir, "-resume"), io.Discard, &said); status != 0 {
			t.Errorf("%s: status %d when resumed, %s", test.name, status, said.String())
		}
		if diff := cmp.Diff(withoutClocks(t, whole), withoutClocks(t, dir)); diff != "" {
			t.Errorf("%s: other results (-want +got):\n%s", test.name, diff)
		}
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("left in the directory for temporary files: %v, %v", left, err)
	}
}

// A run that was killed wherever ends as the same bytes.
func TestResume(t *testing.T) {
	if testing.Short() {
		t.Skip("TestStop resumes runs too")
	}
	read := func(dir string) string {
		text, err := os.ReadFile(filepath.Join(dir, session.ResultsName))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	run := func(want int, flags ...string) string {
		t.Helper()
		var out strings.Builder
		if got := conform(t.Context(), shortRun(append(flags, "-no-clocks")...), &out, &out); got != want {
			t.Fatalf("%q: status %d, want %d: %s", flags, got, want, out.String())
		}
		return out.String()
	}
	whole := t.TempDir()
	run(0, "-o", whole)
	text, err := os.ReadFile(filepath.Join(whole, session.ResultsName))
	if err != nil {
		t.Fatal(err)
	}
	want := read(whole)
	header := strings.IndexByte(string(text), '\n') + 1
	second := header + strings.IndexByte(string(text[header:]), '\n') + 1
	last := strings.LastIndexByte(string(text[:len(text)-1]), '\n') + 1
	for _, end := range []int{0, header - 2, header, second + 20, last - 1, len(text) - 1, len(text)} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, session.PartialName(session.ResultsName)), text[:end], 0o666); err !=
			nil {
			t.Fatal(err)
		}
		run(0, "-o", dir, "-resume")
		if diff := cmp.Diff(want, read(dir)); diff != "" {
			t.Errorf("killed after %d bytes: %d bytes, want %d", end, len(read(dir)), len(want))
		}
		if list, _ := os.ReadDir(dir); len(list) != 1 {
			t.Errorf("killed after %d bytes: %v", end, list)
		}
	}
	before := len(text)
	if out := run(0, "-o", whole, "-resume"); !strings.Contains(out, "have been judged") ||
		!strings.Contains(out, "\nPASS ") {
		t.Errorf("a whole run: %s", out)
	}
	if text, _ := os.ReadFile(filepath.Join(whole, session.ResultsName)); len(text) != before {
		t.Error("a whole run was written again")
	}
	if out := run(2, "-o", whole, "-resume", "-seed", "2"); !strings.Contains(out,
		"-resume: this is another run: options.seed is 1 and 2") {
		t.Errorf("another run: %s", out)
	}
	config := filepath.Join(t.TempDir(), "conform.toml")
	if err := os.WriteFile(config, []byte("strict = true\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if out := run(2, "-o", whole, "-resume", "-config", config); !strings.Contains(out, "rules is nothing and ") {
		t.Errorf("other rules: %s", out)
	}
	dir := t.TempDir()
	damaged := append([]byte{}, text[:second]...)
	damaged[header+3] = 0
	if err := os.WriteFile(filepath.Join(dir, session.PartialName(session.ResultsName)), damaged, 0o666); err != nil {
		t.Fatal(err)
	}
	if out := run(2, "-o", dir, "-resume"); !strings.Contains(out, ":2: damaged") {
		t.Errorf("damaged: %s", out)
	}
}

// What a killed process has left is removed, and nothing else.
func TestScratch(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	left := filepath.Join(tmp, session.ScratchPrefix+"1")
	kept := filepath.Join(tmp, "private")
	for _, dir := range []string{left, kept} {
		if err := os.MkdirAll(filepath.Join(dir, "deep"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(kept, filepath.Join(tmp, session.ScratchPrefix+"2")); err != nil {
		t.Fatal(err)
	}
	first, remove, err := session.NewScratch()
	if err != nil {
		t.Fatal(err)
	}
	second, removeSecond, err := session.NewScratch()
	if err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]bool{left: false, filepath.Join(kept, "deep"): true, first: true, second: true} {
		if _, err := os.Stat(dir); (err == nil) != want {
			t.Errorf("%s: %v", dir, err)
		}
	}
	remove()
	removeSecond()
	if list, _ := filepath.Glob(filepath.Join(tmp, session.ScratchPrefix+"*")); len(list) != 1 { // the link
		t.Errorf("left %v", list)
	}
}
