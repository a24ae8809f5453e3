package mutation_test

import (
	"os"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/mutation"
)

// TestLibraryMutants edits the instructions of a compiled library: each mutant is accepted, and is another kernel.
func TestLibraryMutants(t *testing.T) {
	data, err := os.ReadFile("../internal/air/testdata/fixture.metallib")
	if err != nil {
		t.Fatal(err)
	}
	p, err := metalrun.Analyse(metalrun.SourceText("fixture.metallib", string(data)), metalrun.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	operators := map[string]int{}
	for _, m := range mutation.Open(p).Mutants([]string{"axpy", "gather", "opaque"}, mutation.Operators()) {
		operators[m.Operator]++
		c, err := m.Compare()
		if err != nil || c.Refused != nil || c.Equal != "" {
			t.Errorf("%s (%s): %+v, %v", m.ID, m.Change, c, err)
		}
	}
	for _, name := range []string{"arithmetic", "bits", "comparison", "constant", "statement", "barrier", "function"} {
		if operators[name] == 0 {
			t.Errorf("no mutant of the operator %s", name)
		}
	}
}
