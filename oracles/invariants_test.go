package oracles

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDequantMatvecInRationals computes the product again, exactly.
func TestDequantMatvecInRationals(t *testing.T) {
	for _, bits := range []int{2, 4, 8} {
		for _, family := range []string{"normal", "cancelling", "wide"} {
			f := Affine{Bits: bits, Group: 32}
			const in, out, tokens = 96, 3, 2
			r := source(family, bits)
			packed := make([]uint32, out*in/f.PerWord())
			for i := range packed {
				packed[i] = r.Uint32()
			}
			scales, biases, x := inputs(r, family, BF16, out*in/32), inputs(r, family, BF16, out*in/32),
				inputs(r, family, F32, tokens*in)
			got := DequantMatvec(f, packed, scales, biases, x, in, out, Contract{}).Want
			for i, y := range got {
				tok, row := i/out, i%out
				sum := new(big.Rat)
				for c := range in {
					at := row*in + c
					q := packed[at*bits/32] >> (at * bits % 32) & (1<<bits - 1)
					w := new(big.Rat).Mul(big.NewRat(int64(q), 1), new(big.Rat).SetFloat64(scales[at/32]))
					w.Add(w, new(big.Rat).SetFloat64(biases[at/32]))
					sum.Add(sum, w.Mul(w, new(big.Rat).SetFloat64(x[tok*in+c])))
				}
				want, _ := sum.Float64()
				if math.Abs(y-want) > 1e-12*math.Abs(want) {
					t.Errorf("%d bits, %s: out[%d, %d] = %v, want %v", bits, family, tok, row, y, want)
				}
			}
		}
	}
}

// TestRMSNormInvariants: the mean square of a result with unit weights and no eps is
// 1, and the result does not depend on the scale of x.
func TestRMSNormInvariants(t *testing.T) {
	x, ones := inputs(source("norm", 2), "wide", F32, 200), slices.Repeat([]float64{1}, 200)
	y := RMSNorm(x, ones, 0, Contract{}).Want
	if mean := dot(y, y) / 200; math.Abs(mean-1) > 1e-14 {
		t.Errorf("mean square %v, want 1", mean)
	}
	for i := range x {
		x[i] *= 1024
	}
	agree(t, "scaled", RMSNorm(x, ones, 0, Contract{}).Want, y)
}

// TestMLAInvariants: neither tiles nor the order of positions matter, and a cache of
// equal rows returns that row.
func TestMLAInvariants(t *testing.T) {
	const heads, rank, rope, positions = 2, 16, 4, 40
	p := attention(source("invariants", 1), heads, rank, rope, positions, "normal")
	combined := func(p MLA, tiles ...[2]int) []float64 {
		_, l, v := MLATile(p, MLAState{}, tiles, true, Contract{})
		return MLAFinalize(v.Want, l.Want, heads, rank, Contract{}).Want
	}
	whole := combined(p, [2]int{0, positions})
	agree(t, "tiled", combined(p, [2]int{0, 7}, [2]int{7, 39}, [2]int{39, 40}), whole)

	m, l, v := MLATile(p, MLAState{}, [][2]int{{0, 23}}, true, Contract{})
	_, l2, v2 := MLATile(p, MLAState{Max: m.Want, Denom: l.Want, Values: v.Want}, [][2]int{{23, 40}}, false, Contract{})
	agree(t, "carried", MLAFinalize(v2.Want, l2.Want, heads, rank, Contract{}).Want, whole)

	backwards := p
	backwards.Latent, backwards.RopeK = nil, nil
	for pos := positions - 1; pos >= 0; pos-- {
		backwards.Latent = append(backwards.Latent, p.Latent[pos*rank:(pos+1)*rank]...)
		backwards.RopeK = append(backwards.RopeK, p.RopeK[pos*rope:(pos+1)*rope]...)
	}
	agree(t, "permuted", combined(backwards, [2]int{0, positions}), whole)

	equal := p
	equal.Latent = slices.Repeat(p.Latent[:rank], positions)
	agree(t, "equal rows", combined(equal, [2]int{0, positions}), slices.Repeat(p.Latent[:rank], heads))
}

func TestMLAFinalizeWithoutWeight(t *testing.T) {
	a := MLAFinalize([]float64{1, math.NaN(), 3, 4}, []float64{0, 2}, 2, 2, Contract{})
	if diff := cmp.Diff([]float64{0, 0, 1.5, 2}, a.Want); diff != "" || a.Bound(0) != 0 {
		t.Errorf("bound %g (-want +got):\n%s", a.Bound(0), diff)
	}
}

// TestGatedDeltaInvariants: a split of the tokens changes nothing, and with β = 0 the
// state only decays.
func TestGatedDeltaInvariants(t *testing.T) {
	p := delta(source("invariants", 1), 12, 2, 4, 8, 3, decayFamilies["half"], 1)
	p.Seqs = 1
	o, state := GatedDelta(p, Contract{})
	head, tail := p, p
	head.T, tail.T = 5, 7
	tail.Q, tail.K = p.Q[5*2*8:], p.K[5*2*8:]
	tail.V, tail.Decay, tail.Beta = p.V[5*4*3:], p.Decay[5*4:], p.Beta[5*4:]
	o1, s1 := GatedDelta(head, Contract{})
	tail.State = s1.Want
	o2, s2 := GatedDelta(tail, Contract{})
	agree(t, "output of the parts", append(o1.Want, o2.Want...), o.Want)
	agree(t, "state of the parts", s2.Want, state.Want)

	clear(p.Beta)
	_, state = GatedDelta(p, Contract{})
	var want []float64
	for i, s := range p.State[:4*3*8] {
		for tok := range p.T {
			s *= p.Decay[tok*4+i/(3*8)]
		}
		want = append(want, s)
	}
	agree(t, "state that only decays", state.Want, want)
}
