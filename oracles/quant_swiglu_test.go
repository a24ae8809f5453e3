package oracles

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// gateUp32 evaluates the fused kernel group by group.
func gateUp32(f Affine, gate, up Weights, x []float32, in, out int, silu func(float32) float32,
	acc rounding) []float32 {
	s := Strided(64, 1)
	g := groups32(f, gate, x, in, out, s, sumsFirst, single)
	u := groups32(f, up, x, in, out, s, sumsFirst, acc)
	for i := range g {
		g[i] = silu(g[i]) * u[i]
	}
	return g
}

func silu32(z float32) float32 { return z / (1 + exp32(-z)) }

// siluHigh has an exponential four ulp too large.
func siluHigh(z float32) float32 {
	e := exp32(-z)
	for range 4 {
		e = math.Nextafter32(e, float32(math.Inf(1)))
	}
	return z / (1 + e)
}

func TestGateUpSwiGLUBudget(t *testing.T) {
	f := Affine{Bits: 4, Group: 64}
	const in, out = 512, 6
	c := Contract{Sums: map[string]Schedule{"groups": Strided(64, 1)}}
	for _, family := range families {
		for _, scale := range []float64{1.0 / 1024, 1.0 / 64, 1, 64} {
			name := fmt.Sprintf("%s/scale=%g", family, scale)
			r := source(name, 1)
			gate, up := randomWeights(r, family, f, in, out), randomWeights(r, family, f, in, out)
			for i := range gate.Scales {
				gate.Scales[i] = BF16.Round(gate.Scales[i] * scale)
				gate.Biases[i] = BF16.Round(gate.Biases[i] * scale)
			}
			x := inputs(r, family, F32, in)
			a := GateUpSwiGLU(f, gate, up, x, in, out, c)
			for i := range a.Want {
				if math.IsNaN(a.Bound(i)) {
					t.Errorf("%s: bound of out[%d] is NaN", name, i)
				}
			}
			within(t, name, a, gateUp32(f, gate, up, narrow(x), in, out, silu32, single))
			within(t, name+" exp high", a, gateUp32(f, gate, up, narrow(x), in, out, siluHigh, single))
			if family == "normal" && scale < 1 {
				beyond(t, name+" bf16", a, gateUp32(f, gate, up, narrow(x), in, out, silu32, bfloat))
				beyond(t, name+" sigmoid", a, gateUp32(f, gate, up, narrow(x), in, out,
					func(z float32) float32 { return silu32(z) / z }, single))
			}
		}
	}
}

// TestSiluNear evaluates silu at numbers within the error of an operand: the
// bound has to hold, but narrowly.
func TestSiluNear(t *testing.T) {
	m := Contract{}.arithmetic()
	r := rand.New(rand.NewPCG(5, 5))
	sharpest := 0.0
	for range 20000 {
		z := 30 * r.NormFloat64()
		e := math.Abs(z) * math.Ldexp(r.Float64(), -r.IntN(24))
		y := m.silu(bounded(z, e))
		want := z / (1 + math.Exp(-z))
		for _, at := range []float64{z - e, z, z + e} {
			at32 := float32(at)
			if math.Abs(float64(at32)-z) > e {
				continue
			}
			diff := math.Abs(float64(silu32(at32)) - want)
			if !(diff <= y.e) {
				t.Fatalf("silu(%v) at %v is %g off, bound %g", z, at32, diff, y.e)
			}
			sharpest = max(sharpest, diff/y.e)
		}
	}
	if sharpest < 0.8 {
		t.Errorf("no error comes nearer to its bound than %.2g of it", sharpest)
	}
	for _, z := range []float64{-1e4, -104, -89, -88.7, 88.7, 1e4, 1e38, -1e38} {
		z = F32.Round(z)
		y := m.silu(exactly(z))
		if diff := math.Abs(float64(silu32(float32(z))) - z/(1+math.Exp(-z))); !(diff <= y.e) ||
			!(y.e <= 1e-5*math.Max(math.Abs(z), 1)) {
			t.Errorf("silu(%v) is %g off, bound %g", z, diff, y.e)
		}
	}
}

func TestNonFiniteGateUpSwiGLU(t *testing.T) {
	f := Affine{Bits: 4, Group: 32}
	const in, out = 128, 4
	r := source("gate", 1)
	gate, up, x := randomWeights(r, "normal", f, in, out), randomWeights(r, "normal", f, in, out),
		inputs(r, "normal", F32, in)
	arrays := map[string][]float64{"x": x, "gate scales": gate.Scales, "gate biases": gate.Biases,
		"up scales": up.Scales, "up biases": up.Biases}
	spoiled(arrays, func(name string) {
		a := GateUpSwiGLU(f, gate, up, x, in, out, Contract{Sums: map[string]Schedule{"groups": Strided(64, 1)}})
		strict(t, name, a, gateUp32(f, gate, up, narrow(x), in, out, silu32, single))
	})
}
