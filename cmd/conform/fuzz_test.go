package main

import (
	"bufio"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"metalconform/internal/config"
	"metalconform/internal/regular"
	"metalconform/suite"
	"metalconform/suite/search"
)

// A file of declarations is read, or refused with a line.
func FuzzConfig(f *testing.F) {
	f.Add("require = \"all\"\n[[waive]]\ncase = \"k/.*\"\nfactor = 2\nreason = \"x\"\nexpires = 2026-12-01\n")
	f.Add("[[compile]]\nfile = \".*\"\nmatrix = { A = [1, 2] }\nconstants = { b = true }\n[policy]\nalpha = 0.01\n")
	f.Add("[[contract]]\nkernel = \"k\"\nsums = { s = \"256 lanes\" }\n")
	cases := suite.Listed([]suite.Family{{Name: "f", Kernels: []suite.Kernel{{Name: "k"}}}})
	today := time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		d, err := config.Parse("c.toml", []byte(text), today, cases)
		if err == nil && d == nil {
			t.Error("neither declarations nor an error")
		}
	})
}

// A command line is taken, or refused, and never by a panic.
func FuzzFlags(f *testing.F) {
	f.Add("run -run ^k$ -shard 2/8 -seed random -semantics adversarial:3")
	f.Add("check -D A=1 -I x -instantiate f<int> -name g -exact dd -local 0=9223372036854775807")
	f.Add("mutate -operators index,constant -sample -1")
	root, anew := newRoot(), map[string]func() *cobra.Command{}
	for _, c := range commands {
		anew[c().Name()] = c
	}
	f.Fuzz(func(t *testing.T, line string) {
		args := longFlags(strings.Fields(line))
		cmd, _, err := root.Find(args)
		if err != nil || cmd == root || strings.Contains(line, "accuracies") || strings.Contains(line, "spec") || strings.Contains(line, "pack") {
			return // these read files
		}
		for cmd.Parent() != root {
			cmd = cmd.Parent()
		}
		cmd, rest, err := anew[cmd.Name()]().Find(slices.DeleteFunc(args, func(a string) bool { return a == cmd.Name() }))
		if err == nil {
			err = cmd.ParseFlags(rest)
		}
		if err != nil && flagError(cmd, err).Error() == "" {
			t.Error("no reason")
		}
	})
}

// A diff is taken apart, or refused, and its parts are taken back from any text.
func FuzzHunks(f *testing.F) {
	f.Add("--- a\n+++ k\n@@ -1,2 +1 @@\n-one\n-two\n+ONE\n\\ No newline\n@@ -4 +3,0 @@ void f()\n-x\n", "ONE\ntwo\nthree")
	f.Add("+++ k\n@@ -0,0 +0,1 @@\n+x\n@@ -9 +99999999999999999999 @@\n-a\n+b\n", "")
	f.Fuzz(func(t *testing.T, diff, text string) {
		hunks, err := parseHunks(diff, func(name string) (string, bool) { return name, true })
		if err != nil {
			return
		}
		texts := map[string]string{}
		for _, h := range hunks {
			texts[h.file] = text
		}
		undone(texts, hunks)
		linesIn(hunks)
	})
}

// Requests are read line by line, whatever is in them and however long one is.
func FuzzRequests(f *testing.F) {
	f.Add(`{"id":"1","source":"kernel void k() {}","kernel":"k","seed":7}`+"\n"+`{"files":{"a.h":""}}`, 3)
	f.Add("\n\n{}\nnull\n[", 100)
	f.Fuzz(func(t *testing.T, text string, size int) {
		lines := bufio.NewReaderSize(strings.NewReader(text), max(16, min(size, 1<<16)))
		for left := strings.Count(text, "\n") + 1; ; left-- {
			line, err := requestLine(lines)
			if err != nil {
				break
			}
			if left == 0 {
				t.Fatal("more requests than lines")
			}
			var r search.Request
			if err := regular.KnownJSON(line, &r); err != nil && err.Error() == "" {
				t.Error("no reason")
			}
		}
	})
}
