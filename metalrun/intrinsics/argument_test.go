package intrinsics

import (
	"math"
	"testing"
)

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
