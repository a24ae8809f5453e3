package oracles

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestDeltaOverflow gives both forms of the delta rule finite numbers whose exact
// results are finite, and whose intermediates are not: the kernel's infinities are
// no breach of contract. A little below, the results are due.
func TestDeltaOverflow(t *testing.T) {
	for _, test := range []struct {
		name                     string
		alpha, beta, v, k, state float64
		open                     bool
	}{
		{"β·u", 1, 1.5, 3e38, 1e-10, 0, true},
		{"β·u within", 1, 1.1, 3e38, 1e-10, 0, false},
		{"v − r", 1, 1e-10, 3e38, 1, -3e38, true},
		{"v − r within", 1, 1e-10, 3e38, 1, 3e38, false},
		{"α·s", 3, 1, 0, 1, 2e38, true},
		{"b·k", 1, 1e-5, 1e30, 1e14, 0, true},
		{"β·u of a gate below 0", 1, -1.5, 3e38, 1e-10, 0, true},
	} {
		for _, chunk := range []int{0, 2} {
			name := fmt.Sprintf("%s, chunk %d", test.name, chunk)
			p := DeltaNet{Seqs: 1, T: 4, Hk: 1, Hv: 1, Dk: 1, Dv: 1,
				Q: []float64{1e-20, 1e-20, 1e-20, 1e-20}, K: []float64{1e-3, test.k, 1e-3, 1e-3},
				V:     []float64{0, test.v, 1, 1},
				Decay: []float64{1, test.alpha, 1, 0}, Beta: []float64{1e-3, test.beta, 0, 0},
				State: []float64{test.state},
			}
			for _, x := range [][]float64{p.Q, p.K, p.V, p.Decay, p.Beta, p.State} {
				for i := range x {
					x[i] = F32.Round(x[i])
				}
			}
			c := Contract{Chunk: chunk}
			o, state := GatedDelta(p, c)
			gotO, gotS := delta32(p, c, "", single)
			if chunk > 0 {
				gotO, gotS = deltaChunk32(p, c, single)
			}
			within(t, name+" output", o, gotO)
			within(t, name+" state", state, gotS)
			// α = 0 does not make a number of an infinity.
			for i, open := range []bool{false, test.open, test.open, test.open} {
				if chunk > 0 && (i == 0 || i == 1 && open) {
					continue // NaN of masked products, and b·k waits for the chunk's end
				}
				if got := math.IsInf(o.Bound(i), 1); got != open {
					t.Errorf("%s: output %d within %g, want open: %v", name, i, o.Bound(i), open)
				}
			}
		}
	}
}

// TestOverflow gives every evaluation numbers of all sizes up to the largest: none
// may exceed a bound, whether its intermediates overflow or not. Some elements of each
// have to be promised.
func TestOverflow(t *testing.T) {
	seeds := 16
	if testing.Short() {
		seeds = 2
	}
	for _, s := range simulations() {
		if s.cases == 1 {
			continue // a long one
		}
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			promised, elements := 0, 0
			for seed := range min(s.cases, seeds) {
				for _, d := range s.draw(source(s.name, seed), "huge") {
					within(t, fmt.Sprint("seed ", seed), d.answer, d.got)
					for i, want := range d.answer.Want {
						elements++
						if bound := d.answer.Bound(i); finite(want) && bound < math.Inf(1) {
							promised++
						}
					}
				}
			}
			t.Logf("%d of %d elements are promised", promised, elements)
			if promised == 0 && !testing.Short() { // two draws may all be too huge
				t.Errorf("nothing is promised of %d elements", elements)
			}
		})
	}
}

// TestLevelZeroOverflow has an input that overflows once it is scaled, and whose level
// is 0: s·x first makes a NaN of it, and no other association does.
func TestLevelZeroOverflow(t *testing.T) {
	f := Affine{Bits: 4, Group: 8}
	packed, scales, biases, x := []uint32{0x11111110}, []float64{1e5}, []float64{0},
		[]float64{3e37, 1, 1, 1, 1, 1, 1, 1}
	for i := range x {
		x[i] = F32.Round(x[i])
	}
	a := DequantMatvec(f, packed, scales, biases, x, 8, 1, Contract{})
	for name, how := range map[string]association{"q·s+b": affineFirst, "sums": sumsFirst, "s·x": scaledFirst} {
		within(t, name, a, matvec32(f, packed, narrow(scales), narrow(biases), narrow(x), 8, 1, Sequential(), how,
			single))
	}
}

// flushedQuotient is x/y as a product with the reciprocal, where subnormals are
// flushed: what fast division may be.
func flushedQuotient(x, y float32) float32 {
	r := 1 / y
	if math.Abs(float64(r)) < F32.SmallestNormal() {
		r = 0
	}
	return x * r
}

// TestDivisionByReciprocal holds the quotients of fast functions, and products with a
// reciprocal, to what is promised beyond 2¹²⁶, where the reciprocal is flushed, and finds
// that a kernel which divides does not promise so little.
func TestDivisionByReciprocal(t *testing.T) {
	silu := func(z float32) float32 { return flushedQuotient(z, 1+exp32(-z)) }
	logistic := func(z float32) float32 { return flushedQuotient(1, 1+exp32(-z)) }
	r := rand.New(rand.NewPCG(3, 1))
	const n = 2000
	z, x := uniform(r, F32, n, -89, -87), uniform(r, F32, n, 1e30, 2e30)
	ones := make([]float64, n)
	var swiglu, gated, conv, product []float32
	taps, zeros := make([]float64, n*convWidth), make([]float64, 3*n)
	for i := range z {
		ones[i], taps[i*convWidth+convWidth-1] = 1, 1
		swiglu = append(swiglu, silu(float32(z[i]))*float32(x[i]))
		gated = append(gated, float32(x[i])*logistic(float32(z[i])))
		conv = append(conv, silu(float32(z[i])))
	}
	f := Affine{Bits: 8, Group: 4}
	gate := Weights{Scales: make([]float64, n), Biases: make([]float64, n)}
	up := Weights{Scales: make([]float64, n), Biases: make([]float64, n)}
	for i := range n {
		gate.Packed, up.Packed = append(gate.Packed, 1), append(up.Packed, 1)
		gate.Scales[i], up.Scales[i] = z[i], x[i]
		product = append(product, silu(float32(z[i]))*float32(x[i]))
	}
	for _, test := range []struct {
		name string
		of   func(c Contract) Answer
		got  []float32
	}{
		{"SwiGLU", func(c Contract) Answer { return SwiGLU(z, x, c) }, swiglu},
		{"SigmoidGate", func(c Contract) Answer { return SigmoidGate(x, z, c) }, gated},
		{"Conv1D", func(c Contract) Answer { return Conv1D(zeros, z, taps, n, c) }, conv},
		{"GateUpSwiGLU", func(c Contract) Answer { return GateUpSwiGLU(f, gate, up, []float64{1, 0, 0, 0}, 4, n, c) },
			product},
	} {
		within(t, test.name, test.of(Contract{Functions: Fast}), test.got)
		within(t, test.name+" of reciprocals", test.of(Contract{Subnormals: Kept}), test.got)
		beyond(t, test.name+" of quotients", test.of(Contract{Subnormals: Kept, Forms: Forms{Division: Definition}}),
			test.got)
	}
	// A quotient by less than the smallest normal number is not promised.
	m := Contract{Functions: Fast, Subnormals: Kept}.arithmetic()
	if y := m.div(exactly(0x1p-130), exactly(0x1p-128)); !math.IsInf(y.e, 1) {
		t.Errorf("2⁻¹³⁰/2⁻¹²⁸ = %g within %g, want it open", y.v, y.e)
	}
}
