package spec_test

import (
	"os"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/suite"
	"metalconform/suite/spec"
)

// TestForeignModes judges kernels written as other people write them, each with the modes that it fails in above it:
// what relies on safe math fails there and names its line, and what looks alike and relies on nothing conforms in every
// mode.
func TestForeignModes(t *testing.T) {
	if testing.Short() {
		t.Skip("TestModes has the rules one by one")
	}
	const dir = "testdata/modes"
	source, err := os.ReadFile(dir + "/foreign.metal")
	if err != nil {
		t.Fatal(err)
	}
	fails := map[string]string{} // by kernel
	word := ""
	for line := range strings.Lines(string(source)) {
		if rest, ok := strings.CutPrefix(line, "// fails: "); ok {
			word = rest
		}
		if rest, ok := strings.CutPrefix(line, "kernel void "); ok {
			name, _, _ := strings.Cut(rest, "(")
			fails[name] = word
		}
	}
	family, err := new(spec.Limits).Read(os.DirFS(dir), "foreign.star")
	if err != nil {
		t.Fatal(err)
	}
	shaders, err := suite.OpenShaders(os.DirFS(dir), metalrun.Analyse)
	if err != nil {
		t.Fatal(err)
	}
	opts := suite.Options{Shaders: shaders, Seed: 1,
		Exact: suite.NewExact(sim.LiteralPatterns, func(a metalrun.Arithmetic) metalrun.Runner {
			return sim.New(sim.Exactly(a))
		})}
	for n := range 12 {
		taking := func(choices int) metalrun.Runner {
			return sim.New(sim.Semantics{Check: true,
				Adversary: &sim.Adversary{Seed: 1, Number: n + 1, Choices: choices}})
		}
		opts.Adversaries = append(opts.Adversaries, suite.Adversary{Number: n + 1, Runner: taking(-1), Taking: taking})
	}
	found := map[string]bool{} // by kernel and mode
	err = suite.Run(t.Context(), sim.New(sim.Semantics{Check: true}), opts,
		shaders.InModes(suite.Cases([]suite.Family{family}, suite.Quick), nil, metalrun.Maths()), func(r suite.Result) {
			if r.Status != suite.Fail {
				return
			}
			_, mode, _ := strings.Cut(r.Case, "/math=")
			if found[r.Kernel+" "+mode] = true; mode == "" || !strings.Contains(fails[r.Kernel], mode) {
				t.Errorf("%s is right in this mode: %s", r.Case, r.Text())
			}
			if r.Relies == nil && !strings.Contains(r.Text(), "foreign.metal:") {
				t.Errorf("%s names no line: %s", r.Case, r.Text())
			}
		})
	if err != nil {
		t.Fatal(err)
	}
	for name, modes := range fails {
		for _, mode := range strings.Fields(modes) {
			if mode != "none" && !found[name+" "+mode] {
				t.Errorf("%s is accepted in %s math", name, mode)
			}
		}
	}
}
