package oracles

import (
	"fmt"
	"math"
	"testing"
)

// spoiled calls judge for each of the arrays with one element of it replaced by
// NaN, by +Inf and by −Inf in turn.
func spoiled(arrays map[string][]float64, judge func(name string)) {
	r := source("spoiled", 1)
	for _, array := range sortedKeys(arrays) {
		x := arrays[array]
		for _, value := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			for range 3 {
				i := r.IntN(len(x))
				saved := x[i]
				x[i] = value
				judge(fmt.Sprintf("%s[%d] = %v", array, i, value))
				x[i] = saved
			}
		}
	}
}

func sortedKeys(m map[string][]float64) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	for i := range keys {
		for j := i; j > 0 && keys[j] < keys[j-1]; j-- {
			keys[j], keys[j-1] = keys[j-1], keys[j]
		}
	}
	return keys
}

// strict holds a faithful evaluation to what is due, and the same with its
// non-finite elements replaced to exceed it, unless all of them are open.
func strict(t *testing.T, name string, a Answer, got []float32) {
	t.Helper()
	if over := worst(a, got); !(over <= 1) {
		for i, want := range a.Want {
			if one := worst(Answer{Want: a.Want[i : i+1], Budget: []Term{{Error: []float64{a.Bound(i)}}}},
				got[i:i+1]); !(one <= 1) {
				t.Errorf("%s: element %d is %v, want %v within %v", name, i, got[i], want, a.Bound(i))
				return
			}
		}
	}
	due := false
	for i, want := range a.Want {
		if !finite(want) && !math.IsInf(a.Bound(i), 1) {
			due = true
			got[i] = 1
		}
	}
	if due && worst(a, got) <= 1 {
		t.Errorf("%s: numbers pass where NaN or Inf is due", name)
	}
}

func TestNonFiniteRMSNorm(t *testing.T) {
	r := source("norm", 1)
	x, w := inputs(r, "normal", F32, 3*40), inputs(r, "normal", BF16, 40)
	s := Strided(32, 1)
	c := Contract{Sums: map[string]Schedule{"square": s}}
	spoiled(map[string][]float64{"x": x, "weight": w}, func(name string) {
		strict(t, name, RMSNorm(x, w, 1e-6, c), rmsNorm32(narrow(x), narrow(w), 1e-6, s, single))
	})
}

func TestNonFiniteDequantMatvec(t *testing.T) {
	r := source("quant", 1)
	f := Affine{Bits: 4, Group: 32}
	const in, out = 128, 6
	packed := make([]uint32, out*in/8)
	for i := range packed {
		packed[i] = r.Uint32()
	}
	scales, biases, x := inputs(r, "normal", BF16, out*in/32), inputs(r, "normal", BF16, out*in/32),
		inputs(r, "normal", F32, 2*in)
	s := Strided(32, 1)
	c := Contract{Sums: map[string]Schedule{"row": s}}
	spoiled(map[string][]float64{"scales": scales, "biases": biases, "x": x}, func(name string) {
		for how, word := range map[string]association{"q·s+b": affineFirst, "sums": sumsFirst, "s·x": scaledFirst} {
			got := matvec32(f, packed, narrow(scales), narrow(biases), narrow(x), in, out, s, word, single)
			strict(t, name+" "+how, DequantMatvec(f, packed, scales, biases, x, in, out, c), got)
		}
	})
}

func TestNonFiniteMLA(t *testing.T) {
	r := source("mla", 1)
	const heads, rank, rope, positions = 3, 20, 6, 30
	c := Contract{Sums: map[string]Schedule{"score": Strided(32, 1), "denominator": Strided(128, 1),
		"values": Sequential()}}
	p := attention(r, heads, rank, rope, positions, "normal")
	prior := MLAState{Max: inputs(r, "normal", F32, heads), Denom: inputs(r, "positive", F32, heads),
		Values: inputs(r, "normal", F32, heads*rank)}
	arrays := map[string][]float64{
		"q'": p.QPrime, "q_pe": p.QPe, "latent": p.Latent, "rope_k": p.RopeK, "denom": prior.Denom,
		"values": prior.Values,
	}
	spoiled(arrays, func(name string) {
		for _, first := range []bool{true, false} {
			tiles := [][2]int{{0, 12}, {12, positions}}
			name := fmt.Sprintf("%s, first %v", name, first)
			m, l, v := MLATile(p, prior, tiles, first, c)
			gm, gl, gv := attend32(p, prior, tiles, first, c, single)
			strict(t, name+": max", m, gm)
			strict(t, name+": denom", l, gl)
			strict(t, name+": values", v, gv)
		}
	})
	spoiled(map[string][]float64{"values": prior.Values, "denom": prior.Denom}, func(name string) {
		strict(t, name, MLAFinalize(prior.Values, prior.Denom, heads, rank, c),
			combine32(narrow(prior.Values), narrow(prior.Denom), rank))
	})
}

// TestMaskedScores has rows of −∞ except one, a whole tile of −∞, and −∞ only.
func TestMaskedScores(t *testing.T) {
	const heads, rank, rope, positions = 2, 20, 1, 30
	c := Contract{Sums: map[string]Schedule{"score": Sequential(), "denominator": Sequential(), "values": Sequential()}}
	p := attention(source("masked", 1), heads, rank, rope, positions, "normal")
	for h := range heads {
		p.QPe[h] = 1
	}
	for pos := range positions {
		p.RopeK[pos] = math.Inf(-1)
	}
	p.RopeK[17] = 0
	for _, tiles := range [][][2]int{{{0, positions}}, {{0, 17}, {17, 18}, {18, positions}}} {
		m, l, v := MLATile(p, MLAState{}, tiles, true, c)
		for h := range heads {
			if m.Want[h] != p.Scale*dot(p.QPrime[h*rank:(h+1)*rank], p.Latent[17*rank:18*rank]) || l.Want[h] != 1 {
				t.Errorf("max %v, denom %v, want those of the one position", m.Want[h], l.Want[h])
			}
		}
		for i, got := range v.Want {
			if want := p.Latent[17*rank+i%rank]; got != want || !(v.Bound(i) <= 1e-5) {
				t.Errorf("values[%d] = %v within %g, want %v", i, got, v.Bound(i), want)
			}
		}
	}
	m, l, v := MLATile(p, MLAState{}, [][2]int{{0, 10}}, true, c)
	if !math.IsInf(m.Want[0], -1) || m.Bound(0) != 0 || !math.IsInf(l.Bound(0), 1) || !math.IsInf(v.Bound(0), 1) {
		t.Errorf("all masked: max %v within %v, denom within %v, values within %v", m.Want[0], m.Bound(0), l.Bound(0),
			v.Bound(0))
	}
	m, l, v = MLATile(p, MLAState{}, [][2]int{{4, 4}}, true, c)
	if !math.IsInf(m.Want[0], -1) || l.Want[0] != 0 || v.Want[0] != 0 || m.Bound(0)+l.Bound(0)+v.Bound(0) != 0 {
		t.Errorf("no positions: max %v, denom %v, values %v", m.Want[0], l.Want[0], v.Want[0])
	}
}

func TestNonFiniteGatedDelta(t *testing.T) {
	t.Parallel()
	for _, chunk := range []int{0, 16} {
		c := Contract{Chunk: chunk, Sums: map[string]Schedule{
			"read": Sequential(), "output": Sequential(), "matrix": MatrixTiles(), "decay": Sequential()}}
		p := delta(source("nonfinite", chunk), 20, 2, 4, 12, 3, decayFamilies["half"], 1)
		arrays := map[string][]float64{"q": p.Q, "k": p.K, "v": p.V, "decay": p.Decay, "beta": p.Beta, "state": p.State}
		spoiled(arrays, func(name string) {
			o, state := GatedDelta(p, c)
			gotO, gotS := delta32(p, c, "", single)
			if chunk > 0 {
				gotO, gotS = deltaChunk32(p, c, single)
			}
			strict(t, fmt.Sprintf("chunks of %d, %s: output", chunk, name), o, gotO)
			strict(t, fmt.Sprintf("chunks of %d, %s: state", chunk, name), state, gotS)
		})
	}
}

// TestChunkLeavesEarlierTokensOpen has a NaN in v reach only its own row, and
// of that the later tokens for certain and the earlier ones of its chunk
// perhaps.
func TestChunkLeavesEarlierTokensOpen(t *testing.T) {
	p := delta(source("open", 1), 40, 1, 1, 12, 3, decayFamilies["half"], 1)
	p.Seqs, p.State = 1, p.State[:3*12]
	p.V[20*3+1] = math.NaN()
	o, state := GatedDelta(p, Contract{Chunk: 16})
	for tok := range 40 {
		for i := range 3 {
			at := tok*3 + i
			want, bound := o.Want[at], o.Bound(at)
			switch {
			case i != 1 || tok < 16:
				if !finite(want) || !finite(bound) {
					t.Errorf("o[%d, %d] = %v within %v, want a number", tok, i, want, bound)
				}
			case tok < 20:
				if !finite(want) || !math.IsInf(bound, 1) {
					t.Errorf("o[%d, %d] = %v within %v, want an open number", tok, i, want, bound)
				}
			default:
				if !math.IsNaN(want) || !math.IsNaN(bound) {
					t.Errorf("o[%d, %d] = %v within %v, want NaN", tok, i, want, bound)
				}
			}
		}
	}
	for j, x := range state.Want {
		if finite(x) == (j/12 == 1) {
			t.Errorf("state[%d, %d] = %v", j/12, j%12, x)
		}
	}
}
