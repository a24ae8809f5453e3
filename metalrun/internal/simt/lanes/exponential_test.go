package lanes

import (
	"math"
	"testing"

	"metalconform/metalrun/internal/scalar"
)

// TestExponentials compares the loops with the functions of one thread, over arguments of all sizes and over those with
// results that are subnormal, overflow or are close to what rounds otherwise.
func TestExponentials(t *testing.T) {
	for _, table := range tables {
		for name, loop := range map[string]Unary{"exp": table.Exp, "exp2": table.Exp2} {
			want := scalar.Float(name).Unary(scalar.F32)
			a, d := make([]uint32, 0, 1<<12), make([]uint32, 1<<12)
			compare := func() {
				loop(d[:len(a)], a)
				for i, x := range a {
					x := math.Float32frombits(x)
					if w := math.Float32bits(want(x)); d[i] != w && !(isNaN(w) && isNaN(d[i])) {
						t.Fatalf("%s: %s(%g) = %08x, want %08x", table.Name, name, x, d[i], w)
					}
				}
				a = a[:0]
			}
			add := func(bits uint32) {
				if a = append(a, bits); len(a) == cap(a) {
					compare()
				}
			}
			step := uint64(4093)
			if testing.Short() {
				step = 65521
			}
			for bits := uint64(0); bits < 1<<32; bits += step {
				add(uint32(bits))
			}
			for _, x := range []float32{-208, -151, -150, -149, -126, -104, -103, -88, -87, 0, 87, 88, 89, 127, 128,
				float32(math.Inf(-1)), float32(math.Inf(1))} {
				for k := range uint32(64) {
					add(math.Float32bits(x) + k - 32)
				}
			}
			compare()
		}
	}
}

// TestUndecided has arguments for which a float64 does not tell the rounded result.
func TestUndecided(t *testing.T) {
	found := 0
	for bits := math.Float32bits(0.5); bits < math.Float32bits(2); bits++ {
		y := math.Float64bits(math.Exp(float64(math.Float32frombits(bits))))
		if (y+1<<28+128)&(1<<29-1) > 256 {
			continue
		}
		found++
		want := math.Float32bits(scalar.Exp(math.Float32frombits(bits)))
		for _, table := range tables {
			d, a := make([]uint32, 40), make([]uint32, 40)
			a[17] = bits
			table.Exp(d, a)
			if d[17] != want || d[16] != math.Float32bits(1) || d[39] != math.Float32bits(1) {
				t.Errorf("%s: %08x gives %08x, want %08x", table.Name, bits, d[17], want)
			}
		}
	}
	if found == 0 {
		t.Error("there are none")
	}
}
