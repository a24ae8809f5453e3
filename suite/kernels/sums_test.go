package kernels

import (
	"maps"
	"slices"
	"testing"

	"metalconform/oracles"
	"metalconform/suite"
	"metalconform/suite/kernels/kerneltest"
)

// ask is what the oracle of a case says under another contract.
func ask(t *testing.T, c suite.Case, contract oracles.Contract) suite.Answers {
	t.Helper()
	k := *c.Kernel
	k.Contract = contract
	c.Kernel = &k
	asked, err := kerneltest.Ask(ours(t), c, 1)
	if err != nil {
		t.Fatal(err)
	}
	return asked.Answers
}

// firstInputs are the cases of each kernel with the first inputs of its sweep, those
// of few operations first.
func firstInputs() map[string][]suite.Case {
	cases := map[string][]suite.Case{}
	for _, c := range casesWhere(func(c suite.Case) bool {
		return c.Pipeline == nil && launched(c) && hasFirstInput(c)
	}) {
		cases[c.Kernel.Name] = append(cases[c.Kernel.Name], c)
	}
	for _, of := range cases {
		slices.SortStableFunc(of, func(a, b suite.Case) int { return operations(a) - operations(b) })
	}
	return cases
}

// TestContractsNameSums asks every oracle for the sums whose order it looks up: a
// contract that does not name one leaves its order open without saying so, and no
// declaration could say another.
func TestContractsNameSums(t *testing.T) {
	for name, cases := range firstInputs() {
		for _, c := range cases[:min(3, len(cases))] {
			contract := c.Kernel.Contract
			contract.Tracer = oracles.NewSumTracer()
			ask(t, c, contract)
			for _, sum := range contract.Tracer.Asked() {
				if _, ok := c.Kernel.Contract.Sums[sum]; !ok {
					t.Errorf("the contract of %s does not name %s", name, sum)
				}
			}
		}
	}
}

// TestSumsCount changes the order of each sum that the catalogue's contracts name:
// some bound has to change with it. An oracle takes any order for a name that it does
// not find, so that one which it never asks for would mean nothing, in the catalogue
// and in a declaration.
func TestSumsCount(t *testing.T) {
	for name, cases := range firstInputs() {
		for sum, order := range cases[0].Kernel.Contract.Sums {
			other := oracles.AnyOrder()
			if order == other {
				other = oracles.Sequential()
			}
			if !slices.ContainsFunc(cases, func(c suite.Case) bool {
				contract := c.Kernel.Contract
				contract.Sums = maps.Clone(contract.Sums)
				contract.Sums[sum] = other
				return boundsDiffer(ask(t, c, c.Kernel.Contract), ask(t, c, contract))
			}) {
				t.Errorf("%s: no bound depends on the order of its sum %q", name, sum)
			}
		}
	}
}

// boundsDiffer reports whether an element has another bound in the one than in the
// other.
func boundsDiffer(a, b suite.Answers) bool {
	for name, x := range a {
		y := b[name]
		for i := range x.Want {
			if x.Bound(i) != y.Bound(i) {
				return true
			}
		}
	}
	return false
}
