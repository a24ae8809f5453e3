package shrink

import (
	"metalconform/suite"
	"metalconform/suite/suitetest"
	"slices"
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
		check          suite.Check
	}{
		{"a neighbour's element", "y[row * n + i] = exp(own[i] - largest)",
			"y[row * n + i] = exp(own[max(i, 1u) - 1] - largest)", 1, 5, 1, suite.CheckBound},
		{"the last row for all", "x + row * n", "x + 2 * n", 3, 5, 1, suite.CheckBound},
		{"a term left out", "sum = simd_sum(sum);", "sum = simd_sum(lane == 20 ? 0.0f : sum);", 1, 21, 0,
			suite.CheckBound},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := strings.Replace(suitetest.ForeignSource, test.old, test.new, 1)
			if source == suitetest.ForeignSource {
				t.Fatalf("the source has no %q", test.old)
			}
			opts := suite.Options{Shaders: suitetest.ForeignShaders(t, source), Exact: suitetest.ExactDevices()}
			c := suite.Cases([]suite.Family{{Name: "foreign", Kernels: []suite.Kernel{suitetest.Foreign()}}},
				suite.Quick)[0]
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
			if shape["rows"] > test.rows || shape["n"] > test.n || matter > test.matter ||
				small.Failure.Check != test.check {
				t.Errorf("%v with %d elements that matter: %s\n%s", shape, matter, small.Failure, small.Literal())
			}
		})
	}
}

// TestDeclaredRange: no axis becomes smaller than anywhere in the sweep, and so not 0 unless the sweep has that.
func TestDeclaredRange(t *testing.T) {
	k := suitetest.Foreign()
	c := suite.Cases([]suite.Family{{Name: "foreign", Kernels: []suite.Kernel{k}}}, suite.Quick)[0]
	for _, test := range []struct {
		sizes []int
		at    int
		want  []int
	}{
		{[]int{4, 100}, 6, []int{4, 5}},
		{[]int{0, 3}, 3, []int{0, 1, 2}},
		{[]int{3}, 3, nil},
		{[]int{7, 30}, 12, []int{7, 8, 9, 11}},
	} {
		sweep := suite.Sweep{Probes: []suite.Shape{{"rows": 1, "n": test.sizes[0]}}}
		for _, n := range test.sizes {
			sweep.Shapes = append(sweep.Shapes, suite.Shape{"rows": 1, "n": n})
		}
		own := k
		own.Sweep, c.Kernel, c.Shape = sweep, &own, suite.Shape{"rows": 1, "n": test.at}
		if got := slices.Collect(smaller(least(c, "n"), test.at)); !slices.Equal(got, test.want) {
			t.Errorf("of %v below %d: tried %v, want %v", test.sizes, test.at, got, test.want)
		}
	}
}

// TestShrinkPasses: what does not fail is not shrunk.
func TestShrinkPasses(t *testing.T) {
	opts := suite.Options{Shaders: suitetest.ForeignShaders(t, suitetest.ForeignSource),
		Exact: suitetest.ExactDevices()}
	c := suite.Cases([]suite.Family{{Name: "foreign", Kernels: []suite.Kernel{suitetest.Foreign()}}}, suite.Quick)[0]
	if _, err := Shrink(sim.New(sim.Semantics{}), opts, c, 100); err == nil ||
		!strings.Contains(err.Error(), "does not fail") {
		t.Errorf("got %v", err)
	}
}

// TestSignatures: a failure stays the same if its element gets a bound of 0 on the way, and is another for
// another question or output.
func TestSignatures(t *testing.T) {
	of := signatureOf(suite.Failure{Check: suite.CheckBound, Arg: "y"})
	for check, same := range map[suite.Check]bool{suite.CheckBound: true, suite.CheckExact: true,
		suite.CheckStatistical: true, suite.CheckFormula: false, suite.CheckNonFinite: false} {
		if got := signatureOf(suite.Failure{Check: check, Arg: "y"}) == of; got != same {
			t.Errorf("%s is taken for %s: %v", check, suite.CheckBound, got)
		}
	}
	if signatureOf(suite.Failure{Check: suite.CheckBound, Arg: "z"}) == of {
		t.Error("outputs are not told apart")
	}
}
