package oracles

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// within holds a faithful evaluation to its budget.
func within(t *testing.T, what string, a Answer, got []float32) {
	t.Helper()
	if over := worst(a, got); !(over <= 1) {
		t.Errorf("%s: a faithful evaluation is %.3g x its bound", what, over)
	} else {
		t.Logf("%s: %.3g of the bound", what, over)
	}
}

// beyond holds a faulty evaluation to exceeding it.
func beyond(t *testing.T, what string, a Answer, got []float32) {
	t.Helper()
	if over := worst(a, got); !(over > 1) {
		t.Errorf("%s: stays within %.3g of the bound", what, over)
	}
}

func source(name string, seed int) *rand.Rand {
	h := uint64(seed)
	for _, c := range name {
		h = h*31 + uint64(c)
	}
	return rand.New(rand.NewPCG(h, 1))
}

func TestRMSNormBudget(t *testing.T) {
	t.Parallel()
	for _, family := range families {
		for _, n := range []int{1, 31, 257, 2048} {
			for seed := range 4 {
				name := fmt.Sprintf("%s/n=%d/seed=%d", family, n, seed)
				r := source(name, seed)
				x, w := inputs(r, family, F32, 2*n), inputs(r, family, BF16, n)
				for _, s := range []Schedule{Sequential(), Strided(256, 1), Strided(128, 4)} {
					c := Contract{Sums: map[string]Schedule{"square": s}}
					eps := float64(float32(1e-6))
					a := RMSNorm(x, w, eps, c)
					within(t, name+" "+s.String(), a, rmsNorm32(narrow(x), narrow(w), float32(eps), s, single))
					if n > 31 && family == "normal" {
						beyond(t, name+" bf16 sums", a, rmsNorm32(narrow(x), narrow(w), float32(eps), s, bfloat))
						beyond(t, name+" no eps", RMSNorm(x, w, 1, c), rmsNorm32(narrow(x), narrow(w), 0, s, single))
					}
				}
			}
		}
	}
}

func TestDequantMatvecBudget(t *testing.T) {
	t.Parallel()
	words := map[string]association{"q·s+b first": affineFirst, "sums first": sumsFirst, "s·x first": scaledFirst}
	for _, family := range families {
		for _, bits := range []int{2, 4, 8} {
			f := Affine{Bits: bits, Group: 64}
			const in, out = 512, 5
			for seed := range 3 {
				name := fmt.Sprintf("%s/bits=%d/seed=%d", family, bits, seed)
				r := source(name, seed)
				packed := make([]uint32, out*in/f.PerWord())
				for i := range packed {
					packed[i] = r.Uint32()
				}
				scales, biases := inputs(r, family, BF16, out*in/f.Group), inputs(r, family, BF16, out*in/f.Group)
				x := inputs(r, family, F32, 2*in)
				c := Contract{Sums: map[string]Schedule{"row": Strided(32, 1)}}
				a := DequantMatvec(f, packed, scales, biases, x, in, out, c)
				within(t, name+" value by value", a,
					matvecByValue32(f, packed, narrow(scales), narrow(biases), narrow(x), in, out))
				for how, word := range words {
					got := matvec32(f, packed, narrow(scales), narrow(biases), narrow(x), in, out, Strided(32, 1), word,
						single)
					within(t, name+" "+how, a, got)
					if family == "integers" {
						for i := range got {
							if a.Bound(i) != 0 {
								t.Errorf("%s: bound of an exact sum is %g", name, a.Bound(i))
							}
						}
					}
				}
				open := DequantMatvec(f, packed, scales, biases, x, in, out, Contract{})
				backwards := matvec32(f, packed, narrow(scales), narrow(biases), narrow(x), in, out, Strided(7, 3),
					affineFirst, single)
				within(t, name+" any order", open, backwards)
				if family == "normal" {
					s := Strided(32, 1)
					beyond(t, name+" bf16 sums", a, matvec32(f, packed, narrow(scales), narrow(biases), narrow(x), in,
						out, s, affineFirst, bfloat))
					beyond(t, name+" swapped scale and bias", a, matvec32(f, packed, narrow(biases), narrow(scales),
						narrow(x), in, out, s, affineFirst, single))
				}
			}
		}
	}
}

// attention makes a problem whose scores are of the given size.
func attention(r *rand.Rand, heads, rank, rope, positions int, family string) MLA {
	p := MLA{Heads: heads, Rank: rank, Rope: rope, Scale: float64(float32(0.125))}
	p.QPrime, p.QPe = inputs(r, "normal", F32, heads*rank), inputs(r, "normal", F32, heads*rope)
	p.Latent, p.RopeK = inputs(r, "normal", F32, positions*rank), inputs(r, "normal", F32, positions*rope)
	for pos := range positions {
		for i := range rope {
			k := &p.RopeK[pos*rope+i]
			switch family {
			case "equal":
				*k = 0
			case "dominant":
				if pos == positions/2 {
					*k = 80 * 8 / float64(rope) * math.Copysign(1, p.QPe[i])
				}
			case "far below zero":
				*k = -1e4 * 8 / float64(rope) * math.Copysign(1, p.QPe[i])
			}
			*k = F32.Round(*k)
		}
	}
	if family == "equal" || family == "exact" {
		for i := range p.QPrime {
			p.QPrime[i] = 0
		}
	}
	return p
}

func TestMLABudget(t *testing.T) {
	t.Parallel()
	c := Contract{Sums: map[string]Schedule{"score": Strided(32, 1), "denominator": Strided(128, 1),
		"values": Sequential()}}
	const heads, rank, rope, positions = 3, 33, 8, 150
	for _, family := range []string{"normal", "equal", "dominant", "far below zero"} {
		for seed := range 3 {
			r := source(family, seed)
			p := attention(r, heads, rank, rope, positions, family)
			prior := MLAState{Max: inputs(r, "normal", F32, heads), Denom: inputs(r, "positive", F32, heads),
				Values: inputs(r, "normal", F32, heads*rank)}
			for _, first := range []bool{true, false} {
				for _, tiles := range [][][2]int{{{0, positions}}, {{0, 64}, {64, 64}, {64, 128}, {128, positions}}} {
					name := fmt.Sprintf("%s/first=%v/tiles=%d", family, first, len(tiles))
					m, l, v := MLATile(p, prior, tiles, first, c)
					gm, gl, gv := attend32(p, prior, tiles, first, c, single)
					within(t, name+" max", m, gm)
					within(t, name+" denom", l, gl)
					within(t, name+" values", v, gv)
					within(t, name+" combined", MLAFinalize(wide(gv), wide(gl), heads, rank, c),
						combine32(gv, gl, rank))
					_, _, gv = attend32(p, prior, tiles, first, c, bfloat)
					if family == "normal" {
						beyond(t, name+" bf16 values", v, gv)
						_, _, gv = attend32(p, prior, tiles[:len(tiles)-1], first, c, single)
						beyond(t, name+" last tile dropped", v, gv)
					}
				}
			}
		}
	}
}

func wide(x []float32) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}

func combine32(values, denom []float32, rank int) []float32 {
	out := make([]float32, len(values))
	for i, v := range values {
		if l := denom[i/rank]; l != 0 {
			out[i] = v / l
		}
	}
	return out
}

// delta makes a problem of the gated delta rule with unit keys.
func delta(r *rand.Rand, tokens, hk, hv, dk, dv int, decays []float64, keys float64) DeltaNet {
	p := DeltaNet{Seqs: 2, T: tokens, Hk: hk, Hv: hv, Dk: dk, Dv: dv, Mapping: TiledHeads}
	p.Q, p.K = inputs(r, "normal", F32, 2*tokens*hk*dk), inputs(r, "normal", F32, 2*tokens*hk*dk)
	for _, x := range [][]float64{p.Q, p.K} {
		for first := 0; first < len(x); first += dk {
			n := norm(x[first : first+dk])
			for i := range dk {
				x[first+i] = F32.Round(keys * x[first+i] / n)
			}
		}
	}
	p.V, p.State = inputs(r, "normal", F32, 2*tokens*hv*dv), inputs(r, "normal", F32, 2*hv*dv*dk)
	for range 2 * tokens * hv {
		p.Beta = append(p.Beta, F32.Round(r.Float64()))
		p.Decay = append(p.Decay, F32.Round(decays[r.IntN(len(decays))]))
	}
	return p
}

var decayFamilies = map[string][]float64{
	"half": {0.5, 0.9, 0.7}, "weak": {0.99}, "one": {1}, "zero": {0}, "strong": {1e-8},
	"mixed": {0, 1, 1e-30, 0.99, 1e-8},
}

func TestGatedDeltaBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("a longer test run tries it")
	}
	t.Parallel()
	for family, decays := range decayFamilies {
		for _, s := range []Schedule{Sequential(), Strided(32, 4)} {
			c := Contract{Sums: map[string]Schedule{"read": s, "output": s}}
			for seed := range 3 {
				p := delta(source(family, seed), 40, 2, 6, 32, 5, decays, 1)
				name := fmt.Sprintf("%s/%s/seed=%d", family, s, seed)
				o, state := GatedDelta(p, c)
				gotO, gotS := delta32(p, c, "", single)
				within(t, name+" output", o, gotO)
				within(t, name+" state", state, gotS)
				for _, fault := range []string{"block mapping", "decay after the read", "no decay"} {
					if family == "half" || family == "weak" {
						gotO, _ := delta32(p, c, fault, single)
						beyond(t, name+" "+fault, o, gotO)
					}
				}
				if family == "half" {
					gotO, _ := delta32(p, c, "", bfloat)
					beyond(t, name+" bf16 state", o, gotO)
				}
			}
		}
	}
}

// TestGatedDeltaRate takes the decay through exp(−g).
func TestGatedDeltaRate(t *testing.T) {
	c := Contract{Sums: map[string]Schedule{"read": Sequential(), "output": Sequential()}}
	p := delta(source("rate", 1), 20, 2, 4, 16, 3, []float64{0.01, 0.5, 2, 50, 200, 0}, 1)
	p.Rate, p.Decay = p.Decay, nil
	o, state := GatedDelta(p, c)
	direct := p
	direct.Decay, direct.Rate = nil, nil
	for _, g := range p.Rate {
		direct.Decay = append(direct.Decay, float64(exp32(float32(-g))))
	}
	gotO, gotS := delta32(direct, c, "", single)
	within(t, "output", o, gotO)
	within(t, "state", state, gotS)
}

// TestGatedDeltaRateByChunks has a kernel whose exponentials err as much as precise
// functions may, all to one side or to either, before it takes their logarithms.
func TestGatedDeltaRateByChunks(t *testing.T) {
	c := Contract{Chunk: 16, Sums: map[string]Schedule{"matrix": Sequential(), "decay": Sequential()}}
	for _, tokens := range []int{16, 40} {
		p := delta(source("rate", 2), tokens, 2, 4, 16, 3, []float64{0.01, 0.001, 0.03, 1e-4}, 1)
		p.Rate, p.Decay = p.Decay, nil
		o, state := GatedDelta(p, c)
		for _, side := range []string{"above", "below", "either"} {
			r := source(side, tokens)
			direct := p
			direct.Decay, direct.Rate = nil, nil
			for _, g := range p.Rate {
				alpha := math.Exp(-g) * (1 - 7*F32.UnitRoundoff())
				if side == "above" || side == "either" && r.IntN(2) == 0 {
					alpha = math.Exp(-g) * (1 + 7*F32.UnitRoundoff())
				}
				direct.Decay = append(direct.Decay, F32.Round(alpha))
			}
			gotO, gotS := deltaChunk32(direct, c, single)
			within(t, fmt.Sprintf("%d tokens, %s, output", tokens, side), o, gotO)
			within(t, fmt.Sprintf("%d tokens, %s, state", tokens, side), state, gotS)
		}
	}
}

// TestGatedDeltaExact gives the recurrence small integers: its bound is zero.
func TestGatedDeltaExact(t *testing.T) {
	r := source("exact", 1)
	p := delta(r, 6, 2, 4, 8, 3, []float64{0, 1}, 1)
	p.Q, p.V, p.State = inputs(r, "integers", F32, len(p.Q)), inputs(r, "integers", F32, len(p.V)),
		inputs(r, "integers", F32, len(p.State))
	for i := range p.K {
		p.K[i] = 0
		if i%8 == i/8%8 {
			p.K[i] = 1
		}
	}
	for i := range p.Beta {
		p.Beta[i] = float64(i % 2)
	}
	c := Contract{}
	o, state := GatedDelta(p, c)
	gotO, gotS := delta32(p, c, "", single)
	within(t, "output", o, gotO)
	within(t, "state", state, gotS)
	for i := range o.Want {
		if o.Bound(i) != 0 {
			t.Fatalf("bound of output %d is %g, want 0", i, o.Bound(i))
		}
	}
	for i := range state.Want {
		if state.Bound(i) != 0 {
			t.Fatalf("bound of state %d is %g, want 0", i, state.Bound(i))
		}
	}
}

func TestChunkBudget(t *testing.T) {
	t.Parallel()
	c := Contract{Chunk: 16, Sums: map[string]Schedule{"matrix": MatrixTiles(), "decay": Sequential()}}
	for family, decays := range decayFamilies {
		for _, keys := range []float64{0.3, 1, 1.5} {
			for seed := range 2 {
				if testing.Short() && seed > 0 {
					continue
				}
				p := delta(source(family, seed), 40, 2, 4, 32, 5, decays, keys)
				name := fmt.Sprintf("%s/keys=%g/seed=%d", family, keys, seed)
				o, state := GatedDelta(p, c)
				gotO, gotS := deltaChunk32(p, c, single)
				within(t, name+" output", o, gotO)
				within(t, name+" state", state, gotS)
				if family == "half" && keys == 1 {
					gotO, _ := deltaChunk32(p, c, bfloat)
					beyond(t, name+" bf16 sums", o, gotO)
					p.Mapping = BlockHeads
					gotO, _ = deltaChunk32(p, c, single)
					beyond(t, name+" block mapping", o, gotO)
				}
			}
		}
	}
}
