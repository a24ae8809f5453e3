package main

import (
	"bufio"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"metalconform/internal/regular"
	"metalconform/suite/judge"
)

// A command line is taken, or refused, and never by a panic.
func FuzzFlags(f *testing.F) {
	f.Add("run -run ^k$ -shard 2/8 -seed random -semantics adversarial:3")
	f.Add("check -D A=1 -I x -instantiate f<int> -name g -exact dd -local 0=9223372036854775807")
	f.Add("mutate -operators index,constant -sample -1")
	root, anew := newRoot(usage{width: leastWidth}), map[string]func() *cobra.Command{}
	for _, c := range commands {
		anew[c().Name()] = c
	}
	f.Fuzz(func(t *testing.T, line string) {
		args := longFlags(strings.Fields(line))
		cmd, _, err := root.Find(args)
		if err != nil || cmd == root || strings.Contains(line, "accuracies") || strings.Contains(line, "spec") ||
			strings.Contains(line, "pack") {
			return // these read files
		}
		for cmd.Parent() != root {
			cmd = cmd.Parent()
		}
		cmd, rest, err := anew[cmd.Name()]().Find(slices.DeleteFunc(args,
			func(a string) bool { return a == cmd.Name() }))
		if err == nil {
			err = cmd.ParseFlags(rest)
		}
		if err != nil && flagError(cmd, err).Error() == "" {
			t.Error("no reason")
		}
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
			var r judge.Request
			if err := regular.KnownJSON(line, &r); err != nil && err.Error() == "" {
				t.Error("no reason")
			}
		}
	})
}
