package kernels

import (
	"context"
	"slices"
	"testing"

	"metalconform/suite"
	"metalconform/suite/mutate"
)

// mutantSample is how many mutants the rules judge, of those that conform mutate
// -sample draws.
const mutantSample = 500

// mutants are small edits that nobody chose, by the operators of mutation testing,
// without those that do not compile or provably change nothing.
func mutants(tb testing.TB) []*seededFault {
	tb.Helper()
	cases := quickCases()
	m := &mutate.Mutation{Shaders: ours(tb), Cases: cases, Seed: 1, Sample: mutantSample}
	plan, err := m.Plan()
	if err == nil {
		err = plan.Compare(context.Background())
	}
	if err != nil {
		tb.Fatal(err)
	}
	defer plan.Close()
	cases = valued(cases)
	var all []*seededFault
	for _, m := range plan.Mutants() {
		if m.Fate != "" {
			continue
		}
		text, _ := plan.Source(m.ID)
		source, err := openSources(map[string]string{m.File: text})
		if err != nil {
			tb.Fatal(err)
		}
		led := func(c suite.Case) bool { return slices.Contains(m.Kernels, c.Kernel.Name) }
		all = append(all, &seededFault{
			fault:  fault{kernel: m.Kernels[0], name: m.Key},
			source: source,
			listed: slices.DeleteFunc(slices.Clone(cases), func(c suite.Case) bool { return !led(c) }),
		})
	}
	return all
}
