package oracles

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// upProjection makes a quantised matrix with numbers of a family.
func upProjection(r *rand.Rand, family string, heads, nope, value, rank, perHead, group int) MLAProjection {
	p := MLAProjection{
		Affine: Affine{Bits: 4, Group: group}, Packed: make([]uint32, heads*perHead*rank/8),
		Heads: heads, NoPE: nope, Value: value, Rank: rank, PerHead: perHead,
	}
	for i := range p.Packed {
		p.Packed[i] = r.Uint32()
	}
	n := heads * perHead * rank / group
	p.Scales, p.Biases = inputs(r, family, BF16, n), inputs(r, family, BF16, n)
	return p
}

// dense is the matrix that p stands for, [heads·PerHead, Rank].
func (p MLAProjection) dense() [][]float64 {
	rows := make([][]float64, p.Heads*p.PerHead)
	for r := range rows {
		for c := range p.Rank {
			at := r*p.Rank + c
			q := p.Packed[at/8] >> (at % 8 * 4) & 15
			rows[r] = append(rows[r], float64(q)*p.Scales[at/p.Group]+p.Biases[at/p.Group])
		}
	}
	return rows
}

// TestMLAProjectionsInRationals computes both products again, exactly.
func TestMLAProjectionsInRationals(t *testing.T) {
	for _, family := range []string{"normal", "cancelling", "wide"} {
		r := source(family, 3)
		p := upProjection(r, family, 2, 7, 3, 32, 12, 16)
		qNope, vCombine := inputs(r, family, F32, 2*7), inputs(r, family, F32, 2*32)
		query, output := MLAQuery(p, qNope, Contract{}).Want, MLAOutput(p, vCombine, Contract{}).Want
		w := p.dense() // 4-bit integers times bf16 numbers are exact in float64
		check := func(what string, got float64, n int, factor func(i int) (a, b float64)) {
			sum := new(big.Rat)
			for i := range n {
				a, b := factor(i)
				sum.Add(sum, new(big.Rat).Mul(new(big.Rat).SetFloat64(a), new(big.Rat).SetFloat64(b)))
			}
			if want, _ := sum.Float64(); math.Abs(got-want) > 1e-12*math.Abs(want) {
				t.Errorf("%s: %s = %v, want %v", family, what, got, want)
			}
		}
		for h := range 2 {
			for c := range 32 {
				check(fmt.Sprintf("q'[%d, %d]", h, c), query[h*32+c], 7,
					func(i int) (a, b float64) { return w[h*12+i][c], qNope[h*7+i] })
			}
			for f := range 3 {
				check(fmt.Sprintf("out[%d, %d]", h, f), output[h*3+f], 32,
					func(c int) (a, b float64) { return w[h*12+7+f][c], vCombine[h*32+c] })
			}
		}
	}
}

// queryTerms are ways to compute a term of a column sum onto its running sum.
var queryTerms = map[string]func(sum, q, s, b, x float32) float32{
	"q·s+b first": func(sum, q, s, b, x float32) float32 { return sum + float32((float32(q*s)+b)*x) },
	"fused": func(sum, q, s, b, x float32) float32 {
		w := float32(math.FMA(float64(q), float64(s), float64(b)))
		return float32(math.FMA(float64(w), float64(x), float64(sum)))
	},
	"leaf by leaf": func(sum, q, s, b, x float32) float32 { return sum + float32(q*float32(s*x)) + float32(b*x) },
}

// query32 is q' as a kernel of one thread an element computes it.
func query32(p MLAProjection, qNope []float64, term func(sum, q, s, b, x float32) float32, acc rounding) []float32 {
	var out []float32
	for h := range p.Heads {
		for c := range p.Rank {
			var sum float32
			for i := range p.NoPE {
				at := (h*p.PerHead+i)*p.Rank + c
				q := float32(p.Packed[at/8] >> (at % 8 * 4) & 15)
				sum = acc(term(sum, q, float32(p.Scales[at/p.Group]), float32(p.Biases[at/p.Group]),
					float32(qNope[h*p.NoPE+i])))
			}
			out = append(out, sum)
		}
	}
	return out
}

// output32 is the product with the value rows, a simdgroup to a row.
func output32(p MLAProjection, vCombine []float64, rows func(h int) int) []float32 {
	var out []float32
	words, groups := p.Rank/8, p.Rank/p.Group
	for h := range p.Heads {
		first := rows(h)
		end := first + p.Value
		out = append(out, matvec32(p.Affine, p.Packed[first*words:end*words], narrow(p.Scales[first*groups:end*groups]),
			narrow(p.Biases[first*groups:end*groups]), narrow(vCombine[h*p.Rank:(h+1)*p.Rank]), p.Rank, p.Value,
			Strided(32, 1), scaledFirst, single)...)
	}
	return out
}

func TestMLAQueryBudget(t *testing.T) {
	c := Contract{Sums: map[string]Schedule{"query": Sequential()}}
	for _, family := range families {
		for seed := range 3 {
			r := source(family, seed)
			p := upProjection(r, family, 2, 40, 5, 32, 50, 16)
			x := inputs(r, family, F32, 2*40)
			a := MLAQuery(p, x, c)
			for how, term := range queryTerms {
				within(t, family+" "+how, a, query32(p, x, term, single))
				within(t, family+" any order "+how, MLAQuery(p, x, Contract{}), query32(p, x, term, single))
			}
			switch family {
			case "integers":
				for i := range a.Want {
					if a.Bound(i) != 0 {
						t.Fatalf("bound of an exact sum is %g", a.Bound(i))
					}
				}
			case "normal":
				beyond(t, "bf16 sums", a, query32(p, x, queryTerms["fused"], bfloat))
				shifted := p
				shifted.PerHead = p.NoPE
				beyond(t, "rows of keys only", a, query32(shifted, x, queryTerms["fused"], single))
				swapped := p
				swapped.Scales, swapped.Biases = p.Biases, p.Scales
				beyond(t, "swapped scale and bias", a, query32(swapped, x, queryTerms["fused"], single))
			}
		}
	}
}

// TestMLAQueryCancellingOffset has terms whose leaves are exact while q·s + b
// is not.
func TestMLAQueryCancellingOffset(t *testing.T) {
	p := MLAProjection{
		Affine: Affine{Bits: 4, Group: 8}, Packed: []uint32{0x11111111, 0}, Scales: []float64{0x1p20, 0},
		Biases: []float64{0x1p-10, -0x1p20},
		Heads:  1, NoPE: 2, Rank: 8, PerHead: 2,
	}
	x := []float64{1, 1}
	a := MLAQuery(p, x, Contract{Sums: map[string]Schedule{"query": Sequential()}})
	for how, term := range queryTerms {
		within(t, how, a, query32(p, x, term, single))
	}
}

func TestMLAOutputBudget(t *testing.T) {
	c := Contract{Sums: map[string]Schedule{"row": Strided(32, 1)}}
	for _, family := range families {
		r := source(family, 5)
		p := upProjection(r, family, 2, 9, 5, 320, 16, 64)
		x := inputs(r, family, F32, 2*320)
		a := MLAOutput(p, x, c)
		within(t, family, a, output32(p, x, func(h int) int { return h*p.PerHead + p.NoPE }))
		if family == "normal" {
			beyond(t, "key rows", a, output32(p, x, func(h int) int { return h * p.PerHead }))
			beyond(t, "rows of values only", a, output32(p, x, func(h int) int { return h*p.Value + p.NoPE }))
		}
	}
}

func TestNonFiniteMLAProjections(t *testing.T) {
	r := source("projections", 1)
	p := upProjection(r, "normal", 2, 9, 5, 64, 16, 32)
	qNope, vCombine := inputs(r, "normal", F32, 2*9), inputs(r, "normal", F32, 2*64)
	c := Contract{Sums: map[string]Schedule{"query": Sequential(), "row": Strided(32, 1)}}
	spoiled(map[string][]float64{"scales": p.Scales, "biases": p.Biases, "q_nope": qNope}, func(name string) {
		for how, term := range queryTerms {
			strict(t, name+" "+how, MLAQuery(p, qNope, c), query32(p, qNope, term, single))
		}
	})
	spoiled(map[string][]float64{"scales": p.Scales, "biases": p.Biases, "v_combine": vCombine}, func(name string) {
		strict(t, name, MLAOutput(p, vCombine, c),
			output32(p, vCombine, func(h int) int { return h*p.PerHead + p.NoPE }))
	})
}

// TestMLAFoldsAway: folding the projections into query and output is
// attention over keys and values that are projected per head.
func TestMLAFoldsAway(t *testing.T) {
	const heads, nope, value, rank, rope, positions, perHead = 3, 11, 6, 32, 8, 45, 20
	r := source("decode", 1)
	p := upProjection(r, "normal", heads, nope, value, rank, perHead, 16)
	qNope := inputs(r, "normal", F32, heads*nope)
	a := attention(r, heads, rank, rope, positions, "normal")
	a.Scale = 0.002 // of scores that differ by several units
	a.QPrime = MLAQuery(p, qNope, Contract{}).Want
	got := MLAOutput(p, MLAFolded(a, Contract{}).Want, Contract{}).Want
	agree(t, "out", got, unfolded(p, a, qNope))
}

// unfolded is plain softmax attention of each head over its own keys and
// values.
func unfolded(p MLAProjection, a MLA, qNope []float64) []float64 {
	w := p.dense()
	positions := len(a.Latent) / a.Rank
	var out []float64
	for h := range p.Heads {
		query := append(append([]float64(nil), qNope[h*p.NoPE:(h+1)*p.NoPE]...), a.QPe[h*a.Rope:(h+1)*a.Rope]...)
		weights := make([]float64, positions)
		values := make([][]float64, positions)
		var total float64
		for t := range positions {
			latent := a.Latent[t*a.Rank : (t+1)*a.Rank]
			var key []float64
			for i := range p.NoPE {
				key = append(key, dot(w[h*p.PerHead+i], latent))
			}
			for f := range p.Value {
				values[t] = append(values[t], dot(w[h*p.PerHead+p.NoPE+f], latent))
			}
			weights[t] = math.Exp(a.Scale * dot(query, append(key, a.RopeK[t*a.Rope:(t+1)*a.Rope]...)))
			total += weights[t]
		}
		for f := range p.Value {
			var sum float64
			for t, weight := range weights {
				sum += weight / total * values[t][f]
			}
			out = append(out, sum)
		}
	}
	return out
}

// TestMLAProjectionsAgreeWithTorch makes the golden matrix one of the oracles' own
// projections: each of its numbers is the bias of a group of eight columns, and
// only the first of them counts.
func TestMLAProjectionsAgreeWithTorch(t *testing.T) {
	const group = 8
	for _, name := range []string{"mla_small", "mla_long"} {
		a := load(t, name)
		heads, nope := a["q_nope"].Shape[0], a["q_nope"].Shape[1]
		rank, value, rope := a["latent"].Shape[1], a["out"].Shape[1], a["q_pe"].Shape[1]
		p := MLAProjection{
			Affine: Affine{Bits: 4, Group: group}, Packed: make([]uint32, len(a["kv_b"].Data)),
			Scales: make([]float64, len(a["kv_b"].Data)), Biases: a["kv_b"].Data,
			Heads: heads, NoPE: nope, Value: value, Rank: group * rank, PerHead: nope + value,
		}
		query := MLAQuery(p, a["q_nope"].Data, Contract{}).Want
		m := MLA{
			QPe: a["q_pe"].Data, Latent: a["latent"].Data, RopeK: a["rope_k"].Data,
			Heads: heads, Rank: rank, Rope: rope, Scale: a["scale"].Data[0],
		}
		for c := 0; c < len(query); c += group {
			m.QPrime = append(m.QPrime, query[c])
		}
		combined := make([]float64, heads*group*rank)
		for c, v := range MLAFolded(m, Contract{}).Want {
			combined[c*group] = v
		}
		agree(t, name, MLAOutput(p, combined, Contract{}).Want, a["out"].Data)
	}
}

func TestMLASplit(t *testing.T) {
	qNope, qPe, kvLat, kPe := MLASplit([]float64{1, 2, 10, 3, 4, 20}, []float64{5, 6, 7, 30}, 2, 1, 3)
	for _, test := range []struct {
		name string
		got  Answer
		want []float64
	}{
		{"q_nope", qNope, []float64{1, 2, 3, 4}}, {"q_pe", qPe, []float64{10, 20}},
		{"kv_lat", kvLat, []float64{5, 6, 7}}, {"k_pe", kPe, []float64{30}},
	} {
		if diff := cmp.Diff(Answer{Want: test.want, Exact: true}, test.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
