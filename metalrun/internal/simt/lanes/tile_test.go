package lanes

import (
	"math/rand/v2"
	"testing"

	"metalconform/metalrun/internal/simt/scalar"
)

func TestTile8(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for kind := range 5 {
		var a, b, fused, unfused [64]float32
		for i := range a {
			a[i], _, _ = triples(r, kind)
			_, b[i], fused[i] = triples(r, kind)
		}
		unfused = fused
		wantFused, wantUnfused := fused, unfused
		for i := range 8 {
			for j := range 8 {
				for k := range 8 {
					x, y := a[8*i+k], b[8*k+j]
					wantFused[8*i+j] = scalar.FMA32(x, y, wantFused[8*i+j])
					wantUnfused[8*i+j] += float32(x * y)
				}
			}
		}
		FMATile(&fused, &a, &b)
		MulAddTile(&unfused, &a, &b)
		if !sameLanes(fused[:], wantFused[:]) {
			t.Errorf("kind %d: FMATile = %v, want %v", kind, fused, wantFused)
		}
		if !sameLanes(unfused[:], wantUnfused[:]) {
			t.Errorf("kind %d: MulAddTile = %v, want %v", kind, unfused, wantUnfused)
		}
	}
}

func BenchmarkTile8(b *testing.B) {
	r := rand.New(rand.NewPCG(43, 44))
	var x, y, d [64]float32
	for i := range x {
		x[i], y[i] = r.Float32()-0.5, r.Float32()-0.5
	}
	for name, f := range map[string]func(d, a, b *[64]float32){
		"fused":   FMATile,
		"unfused": MulAddTile,
		"calls": func(d, a, b *[64]float32) {
			step := scalar.FMA32
			for i := 0; i < 64; i += 8 {
				for j := range 8 {
					s := d[i+j]
					for k := range 8 {
						s = step(a[i+k], b[k*8+j], s)
					}
					d[i+j] = s
				}
			}
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				clear(d[:])
				f(&d, &x, &y)
			}
		})
	}
}
