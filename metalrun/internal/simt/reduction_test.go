package simt

import (
	"math"
	"math/rand/v2"
	"testing"

	"metalconform/metalrun/internal/scalar"
	"metalconform/metalrun/internal/simt/machine"
)

// TestExtrema compares them with one comparison after the other, among zeros of both signs and NaNs of all sorts.
func TestExtrema(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 82))
	values := []uint32{0, 1 << 31, machine.F32bits(1), machine.F32bits(-1), machine.F32bits(3), 0x7f800000, 0xff800000,
		0x7fc00000, 0x7fc0dead, 0xffc00001}
	for range 20000 {
		x := make([]float32, 1+r.IntN(machine.Simdgroup))
		for i := range x {
			x[i] = math.Float32frombits(values[r.IntN(1+r.IntN(len(values)))])
		}
		highest, lowest := x[0], x[0]
		for _, v := range x[1:] {
			highest, lowest = scalar.Fmax(highest, v), scalar.Fmin(lowest, v)
		}
		if got := machine.Largest(x); machine.F32bits(got) != machine.F32bits(highest) {
			t.Fatalf("the largest of %v is %v, want %v", x, got, highest)
		}
		if got := machine.Least(x); machine.F32bits(got) != machine.F32bits(lowest) {
			t.Fatalf("the least of %v is %v, want %v", x, got, lowest)
		}
	}
}
