package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"metalconform/suite"
)

// A file of declarations is read, or refused with a line.
func FuzzConfig(f *testing.F) {
	f.Add("require = \"all\"\n[[waive]]\ncase = \"k/.*\"\nfactor = 2\nreason = \"x\"\nexpires = 2026-12-01\n")
	f.Add("[[compile]]\nfile = \".*\"\nmatrix = { A = [1, 2] }\nconstants = { b = true }\n[policy]\nalpha = 0.01\n")
	f.Add("[[contract]]\nkernel = \"k\"\nsums = { s = \"256 lanes\" }\n")
	cases := suite.Cases([]suite.Family{{Name: "f", Kernels: []suite.Kernel{{Name: "k"}}}}, suite.Full)
	today := time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		d, err := parseDeclarations("c.toml", []byte(text), today, cases)
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
