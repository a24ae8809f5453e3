package main

import (
	"context"
	"maps"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/oracles"
	"metalconform/suite"
	"metalconform/suite/kernels"
)

// TestSumsCount changes the order of each sum that the catalogue's contracts
// name: some bound has to change with it. An oracle takes any order for a name
// that it does not find, so that one which it never asks for would mean nothing,
// in the catalogue and in a declaration.
func TestSumsCount(t *testing.T) {
	source, err := openShaders(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	runner := sim.New(sim.Semantics{})
	defer runner.Close()
	for _, f := range kernels.All() {
		for _, k := range f.Kernels {
			for name, own := range k.Contract.Sums {
				other := oracles.AnyOrder()
				if own == other {
					other = oracles.Sequential()
				}
				declared := k.Contract
				declared.Sums = maps.Clone(declared.Sums)
				declared.Sums[name] = other
				d := &suite.Declarations{Contracts: []suite.DeclaredContract{{Kernel: k.Name, Own: k.Contract, Contract: declared}}}
				if !boundsDiffer(t, runner, source, suite.Family{Kernels: []suite.Kernel{k}}, d) {
					t.Errorf("%s: no bound depends on the order of its sum %q", k.Name, name)
				}
			}
		}
	}
}

// boundsDiffer reports whether a case of a family's only kernel has another
// error over bound where contracts are declared.
func boundsDiffer(t *testing.T, runner metalrun.Runner, source *suite.Shaders, f suite.Family, d *suite.Declarations) bool {
	t.Helper()
	families := []suite.Family{f}
	own, declared := suite.Cases(families, suite.Quick), suite.Cases(d.Families(families), suite.Quick)
	for i := range own {
		if !strings.HasSuffix(own[i].Name, "/input=normal") {
			continue
		}
		var over []float64
		pair := []suite.Case{own[i], declared[i]}
		err := suite.Run(context.Background(), runner, suite.Options{Shaders: source, Seed: 1}, pair, func(r suite.Result) {
			over = append(over, r.ErrorRatio)
		})
		if err != nil {
			t.Fatal(err)
		}
		if over[0] != over[1] {
			return true
		}
	}
	return false
}
