package kernels

import (
	"maps"
	"math"
	"slices"
	"sync"
	"testing"

	"metalconform/metalrun"
	"metalconform/oracles"
	"metalconform/shaders"
	"metalconform/suite"
)

// quickCases are the cases of the quick sweep. Tests share them and change none.
var quickCases = sync.OnceValue(func() []suite.Case { return suite.Cases(All(), suite.Quick) })

var openOurs = sync.OnceValues(func() (*suite.Shaders, error) {
	return suite.OpenShaders(shaders.FS, metalrun.Analyse)
})

// ours are the shaders of this repository.
func ours(t testing.TB) *suite.Shaders {
	t.Helper()
	s, err := openOurs()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// casesWhere are the cases of the quick sweep that a test wants.
func casesWhere(wanted func(suite.Case) bool) []suite.Case {
	return slices.DeleteFunc(slices.Clone(quickCases()), func(c suite.Case) bool { return !wanted(c) })
}

// launched reports whether a case is more than a shape that the host refuses.
func launched(c suite.Case) bool { return c.Kernel.Check == nil || c.Kernel.Check(c.Shape) == nil }

// isProbe reports whether a case is of one of the shapes that its sweep tries with
// every family of inputs.
func isProbe(c suite.Case) bool {
	return slices.ContainsFunc(c.Kernel.Sweep.Probes, func(s suite.Shape) bool { return maps.Equal(s, c.Shape) })
}

// isFirstProbe reports whether a case is of the first of these shapes.
func isFirstProbe(c suite.Case) bool {
	return len(c.Kernel.Sweep.Probes) > 0 && maps.Equal(c.Kernel.Sweep.Probes[0], c.Shape)
}

// hasFirstInput reports whether a case has the first family of inputs of its sweep,
// which is the one that every shape is tried with.
func hasFirstInput(c suite.Case) bool {
	return len(c.Kernel.Sweep.Inputs) == 0 || c.Input.Name == c.Kernel.Sweep.Inputs[0].Name
}

// isFirst reports whether a case is the first probe with the first inputs: one of each
// kernel and pipeline.
func isFirst(c suite.Case) bool { return isFirstProbe(c) && hasFirstInput(c) }

// few is a number of operations that costs less than the rest of a case. Five in six
// cases of the quick sweep have no more; together they take a ninth of its time.
const few = 1 << 20

// operations are those of a kernel's case. Those of a pipeline are not declared, and
// count as many.
func operations(c suite.Case) int {
	if c.Pipeline != nil {
		return math.MaxInt
	}
	return c.Kernel.Cost(c.Shape).Operations
}

// leastOperations are those of each kernel's smallest case.
var leastOperations = sync.OnceValue(func() map[string]int {
	least := map[string]int{}
	for _, c := range quickCases() {
		if c.Pipeline != nil || !launched(c) {
			continue
		}
		n, seen := least[c.Kernel.Name]
		if !seen || operations(c) < n {
			least[c.Kernel.Name] = operations(c)
		}
	}
	return least
})

// isLight reports whether a case has few operations, or no more than any other of its
// kernel.
func isLight(c suite.Case) bool {
	return c.Pipeline == nil && (!launched(c) || operations(c) <= max(few, leastOperations()[c.Kernel.Name]))
}

// inTime leaves out of a short run what is not light, even where nothing of its kernel is:
// TestSimulator has one case of each.
func inTime(c suite.Case) bool {
	return !testing.Short() || !launched(c) || operations(c) <= few/4
}

// askedOnce is a kernel's case whose oracle answers once, however often it is judged:
// for tests that judge it in several ways with the same shaders and inputs.
func askedOnce(c suite.Case) suite.Case {
	k := *c.Kernel
	oracle := k.Oracle
	var once sync.Once
	var answers suite.Answers
	var contract oracles.Contract
	k.Oracle = func(p *suite.Problem) suite.Answers {
		once.Do(func() { answers, contract = oracle(p), p.Contract })
		p.Contract = contract
		return answers
	}
	c.Kernel = &k
	return c
}
