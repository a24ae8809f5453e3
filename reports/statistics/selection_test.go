package statistics

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// Selection gives what sorting does, with ties, signs, zeros of both signs and values far apart.
func TestSelection(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	sample := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			switch draw.IntN(4) {
			case 0:
				x[i] = float64(draw.IntN(3) - 1)
			case 1:
				x[i] = math.Copysign(0, draw.Float64()-0.5)
			default:
				x[i] = math.Ldexp(draw.NormFloat64(), draw.IntN(80)-40)
			}
		}
		return x
	}
	for n := range 40 {
		base, head := sample(n+1), sample(draw.IntN(9)+1)
		sorted := slices.Clone(base)
		slices.Sort(sorted)
		if got, want := Median(base), (sorted[n/2]+sorted[(n+1)/2])/2; got != want {
			t.Errorf("median of %v: %v, want %v", base, got, want)
		}
		var all []float64
		for _, b := range base {
			for _, h := range head {
				all = append(all, h-b)
			}
		}
		slices.Sort(all)
		d := differencesOf(base, head)
		for k, want := range all {
			if got := d.nth(k); got != want || got == 0 && math.Signbit(got) {
				t.Fatalf("difference %d of %v and %v: %v, want %v", k, base, head, got, want)
			}
			if got := nth(slices.Clone(all), k); got != want {
				t.Fatalf("number %d of %v: %v, want %v", k, all, got, want)
			}
		}
	}
}

// The median of 81 million differences takes no memory for them: 9,000 samples a side are compared in a moment.
func TestShiftOfManySamples(t *testing.T) {
	base, head := make([]float64, 9000), make([]float64, 9000)
	for i := range base {
		base[i], head[i] = float64(i), float64(i)+100
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if e := Shift(base, head, 0.95); e.Size != 100 || !(e.Low < 100) || !(e.High > 100) || e.P > 0.05 {
		t.Errorf("%+v", e)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 32<<20 {
		t.Errorf("%d bytes were allocated", n)
	}
}
