package intrinsics

import (
	"math"
	"slices"
	"testing"

	"metalconform/metalrun/sim"
)

// TestMadeArguments: floats that the kernel makes itself have the results of those that are sent to it.
func TestMadeArguments(t *testing.T) {
	for _, f := range Functions() {
		if f.Name != "exp" && f.Name != "divide" {
			continue
		}
		x, y := make([]float32, 300), make([]float32, 300)
		for i := range x {
			x[i], y[i] = math.Float32frombits(0xff7fff80+uint32(i)), float32(i)+0.5
		}
		var got [2][]float32
		for i, exhaustive := range []bool{false, true} {
			k, release, err := f.kernel(sim.New(sim.Semantics{}), exhaustive)
			if err != nil {
				t.Fatal(err)
			}
			defer release()
			if got[i], err = f.evaluate(k, exhaustive, x, y); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.EqualFunc(got[0], got[1], func(a, b float32) bool {
			return math.Float32bits(a) == math.Float32bits(b)
		}) {
			t.Errorf("%s::%s: %v and %v", f.Class(), f.Name, got[0], got[1])
		}
	}
}

// TestAll has every float once as the only argument, or as the first of a pair that is a
// sample: second arguments of all kinds.
func TestAll(t *testing.T) {
	o := Options{Samples: 2, Seed: 1, Exhaustive: true}
	for _, name := range []string{"exp", "divide"} {
		f, ok := find(name, "fast")
		a := o.arguments(f)
		if !ok || a.count != 1<<32 || a.sampled != f.pairs {
			t.Fatalf("%s: %d arguments, sampled %v", name, a.count, a.sampled)
		}
		kinds := map[bool]bool{} // whether a second argument is whole
		for i := range 1000 {
			n := i * 4294967 // of the 2³²
			x, y := a.at(n)
			if math.Float32bits(x) != uint32(n) {
				t.Fatalf("%s: argument %d is %v", name, n, x)
			}
			kinds[y == float32(math.Trunc(float64(y)))] = true
		}
		if len(kinds) != map[bool]int{false: 1, true: 2}[f.pairs] {
			t.Errorf("%s: second arguments are of %d kinds", name, len(kinds))
		}
	}
}
