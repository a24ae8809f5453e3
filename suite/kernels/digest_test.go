package kernels

import (
	"testing"

	"metalconform/metalrun/sim"
	"metalconform/suite"
)

// TestDigestsOfBothLoops judges light cases with plain loops and with vector
// instructions: every bit has to be the same. Each kernel has some, most of them with
// all their inputs and in shapes that end within a threadgroup and within a simdgroup,
// so that every operation that a kernel contains is executed, with and without idle
// lanes.
func TestDigestsOfBothLoops(t *testing.T) {
	cases := casesWhere(func(c suite.Case) bool {
		return isLight(c) && launched(c) && (operations(c) <= few || hasFirstInput(c)) && (isFirstProbe(c) || !testing.Short())
	})
	digests := func(s sim.Semantics) map[string]string {
		runner := sim.New(s)
		defer runner.Close()
		of := map[string]string{}
		for _, r := range verdicts(t, runner, suite.Options{Shaders: ours(t), Seed: 1}, cases...) {
			if r.Status != suite.Pass || r.Digest == "" {
				t.Errorf("%s: %s with digest %q", r.Case, r.Status, r.Digest)
			}
			of[r.Case] = r.Digest
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
