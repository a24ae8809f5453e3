package suite

import (
	"strings"
	"testing"

	"metalconform/metalrun/sim"
)

// TestShrink: faults of a kernel come down to the fewest numbers that show them, by the same check.
func TestShrink(t *testing.T) {
	for _, test := range []struct {
		name, old, new string
		rows, n        int // at most
		matter         int // elements that are not 0, at most
		check          Check
	}{
		{"a neighbour's element", "y[row * n + i] = exp(own[i] - largest)", "y[row * n + i] = exp(own[max(i, 1u) - 1] - largest)", 1, 2, 1, CheckBound},
		{"the last row for all", "x + row * n", "x + 2 * n", 3, 2, 1, CheckBound},
		{"a term left out", "sum = simd_sum(sum);", "sum = simd_sum(lane == 20 ? 0.0f : sum);", 1, 21, 0, CheckBound},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := strings.Replace(foreignSource, test.old, test.new, 1)
			if source == foreignSource {
				t.Fatalf("the source has no %q", test.old)
			}
			opts := Options{Shaders: foreignShaders(t, source), Exact: exactDevices()}
			c := Cases([]Family{{Name: "foreign", Kernels: []Kernel{foreign()}}}, Quick)[0]
			small, err := Shrink(sim.New(sim.Semantics{}), opts, c, 1000)
			if err != nil {
				t.Fatal(err)
			}
			matter := 0
			for _, in := range small.Inputs {
				for _, x := range in.Values {
					if x != 0 {
						matter++
					}
				}
			}
			shape := small.Case.Shape
			if shape["rows"] > test.rows || shape["n"] > test.n || matter > test.matter || small.Failure.Check != test.check {
				t.Errorf("%v with %d elements that matter: %s\n%s", shape, matter, small.Failure, small.Literal())
			}
		})
	}
}

// TestShrinkPasses: what does not fail is not shrunk.
func TestShrinkPasses(t *testing.T) {
	opts := Options{Shaders: foreignShaders(t, foreignSource), Exact: exactDevices()}
	c := Cases([]Family{{Name: "foreign", Kernels: []Kernel{foreign()}}}, Quick)[0]
	if _, err := Shrink(sim.New(sim.Semantics{}), opts, c, 100); err == nil || !strings.Contains(err.Error(), "does not fail") {
		t.Errorf("got %v", err)
	}
}

// TestSignatures: a failure stays the same if its element gets a bound of 0 on the way, and is another for
// another question or output.
func TestSignatures(t *testing.T) {
	of := signatureOf(Failure{Check: CheckBound, Arg: "y"})
	for check, same := range map[Check]bool{CheckBound: true, CheckExact: true, CheckStatistical: true, CheckFormula: false, CheckNonFinite: false} {
		if got := signatureOf(Failure{Check: check, Arg: "y"}) == of; got != same {
			t.Errorf("%s is taken for %s: %v", check, CheckBound, got)
		}
	}
	if signatureOf(Failure{Check: CheckBound, Arg: "z"}) == of {
		t.Error("outputs are not told apart")
	}
}
