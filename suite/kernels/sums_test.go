package kernels

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"metalconform/metalrun/sim"
	"metalconform/oracles"
	"metalconform/suite"
)

// TestContractsNameSums asks every oracle for the sums whose order it looks up: a
// contract that does not name one leaves its order open without saying so, and no
// declaration could say another.
func TestContractsNameSums(t *testing.T) {
	source := ours(t)
	runner := sim.New(sim.Semantics{})
	defer runner.Close()
	for _, f := range All() {
		for _, k := range f.Kernels {
			if k.Oracle == nil {
				continue
			}
			missing := map[string]bool{}
			own := k.Oracle
			k.Oracle = func(in *suite.Problem) suite.Answers {
				in.Contract.Tracer = oracles.NewSumTracer()
				defer func() {
					for _, name := range in.Contract.Tracer.Asked() {
						if _, ok := k.Contract.Sums[name]; !ok {
							missing[name] = true
						}
					}
				}()
				return own(in)
			}
			cases := suite.Cases([]suite.Family{{Kernels: []suite.Kernel{k}}}, suite.Quick)
			cases = slices.DeleteFunc(cases, func(c suite.Case) bool { return !strings.HasSuffix(c.Name, "/input=normal") })
			if err := suite.Run(context.Background(), runner, suite.Options{Shaders: source, Seed: 1}, cases[:min(3, len(cases))], func(suite.Result) {}); err != nil {
				t.Fatal(err)
			}
			if len(missing) > 0 {
				t.Errorf("the contract of %s does not name %s", k.Name, strings.Join(slices.Sorted(maps.Keys(missing)), ", "))
			}
		}
	}
}
