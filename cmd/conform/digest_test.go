package main

import (
	"context"
	"testing"

	"metalconform/metalrun/sim"
	"metalconform/suite"
	"metalconform/suite/kernels"
)

// TestDigestsOfBothLoops judges the quick sweep with plain loops and with vector
// instructions: every bit has to be the same. A short run has a case of each
// family.
func TestDigestsOfBothLoops(t *testing.T) {
	var cases []suite.Case
	seen := map[string]bool{}
	for _, c := range suite.Cases(kernels.All(), suite.Quick) {
		if c.Kernel.Check != nil && c.Kernel.Check(c.Shape) != nil {
			continue // refused, not launched
		}
		if !seen[c.Family] || !testing.Short() {
			seen[c.Family] = true
			cases = append(cases, c)
		}
	}
	source, err := openShaders(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	digests := func(s sim.Semantics) map[string]string {
		runner := sim.New(s)
		defer runner.Close()
		of := map[string]string{}
		err := suite.Run(context.Background(), runner, suite.Options{Shaders: source, Seed: 1}, cases, func(r suite.Result) {
			if r.Status != suite.Pass || r.Digest == "" {
				t.Errorf("%s: %s with digest %q", r.Case, r.Status, r.Digest)
			}
			of[r.Case] = r.Digest
		})
		if err != nil {
			t.Fatal(err)
		}
		return of
	}
	native, portable := digests(sim.Semantics{}), digests(sim.Semantics{Portable: true})
	for _, c := range cases {
		if native[c.Name] != portable[c.Name] {
			t.Errorf("%s: digest %s with vector instructions, %s without", c.Name, native[c.Name], portable[c.Name])
		}
	}
}
