package oracles

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// randomFamilies are families of random signs and sizes.
var randomFamilies = []string{"normal", "positive", "wide", "cancelling"}

// beside is the family of the numbers that meet those of a family.
func beside(family string) string {
	if family == "huge" {
		return family
	}
	return "normal"
}

// simulation draws cases of one kernel.
type simulation struct {
	name  string
	cases int
	draw  func(r *rand.Rand, family string) []drawn
}

// run draws the cases. Of the largest error of each, as a fraction of the bound, it
// returns the median and the maximum; then the number of elements, and how many
// times sharper their bound is than the rigorous one on average. A short run draws
// a tenth.
func (s simulation) run() (median, most float64, elements int, sharper float64) {
	cases := s.cases
	if testing.Short() {
		cases = max(cases/10, min(cases, 2))
	}
	var used []float64
	for seed := range cases {
		var largest float64
		for _, d := range s.draw(source(s.name, seed), randomFamilies[seed%len(randomFamilies)]) {
			over, n, ratio := d.used()
			largest, elements, sharper = max(largest, over), elements+n, sharper+ratio*float64(n)
		}
		used = append(used, largest)
	}
	slices.Sort(used)
	return used[len(used)/2], used[len(used)-1], elements, sharper / float64(max(elements, 1))
}

func simulations() []simulation {
	return slices.Concat(sumSimulations(), elementSimulations(), attentionSimulations(), recurrenceSimulations())
}

// size is one of several sizes, drawn for a case.
func size(r *rand.Rand, sizes ...int) int { return sizes[r.IntN(len(sizes))] }

func sumSimulations() []simulation {
	var list []simulation
	for _, s := range []Schedule{Sequential(), Strided(32, 4), Strided(256, 1), MatrixTiles(), AnyOrder()} {
		list = append(list, simulation{"MatVec, " + s.String(), 100, func(r *rand.Rand, family string) []drawn {
			in, out := size(r, 64, 300, 1024, 4096), 8
			w, x := inputs(r, family, BF16, in*out), inputs(r, beside(family), F32, in)
			var got []float32
			for row := range out {
				got = append(got, dot32(s, narrow(w[row*in:(row+1)*in]), narrow(x), single))
			}
			return []drawn{{MatVec(w, x, in, out, Contract{Sums: map[string]Schedule{"row": s}}), got}}
		}})
	}
	words := []association{affineFirst, sumsFirst, scaledFirst}
	for i, how := range []string{"q·s + b first", "sums first", "s·x first"} {
		list = append(list, simulation{"DequantMatvec, " + how, 40, func(r *rand.Rand, family string) []drawn {
			f, in, out := Affine{Bits: size(r, 2, 4, 8), Group: 64}, size(r, 128, 512, 2048), 8
			w := randomWeights(r, "normal", f, in, out)
			stretched(r, family, w.Scales, w.Biases)
			x := inputs(r, family, F32, in)
			c := Contract{Sums: map[string]Schedule{"row": Strided(32, 1)}}
			got := matvec32(f, w.Packed, narrow(w.Scales), narrow(w.Biases), narrow(x), in, out, Strided(32, 1),
				words[i], single)
			return []drawn{{DequantMatvec(f, w.Packed, w.Scales, w.Biases, x, in, out, c), got}}
		}})
	}
	list = append(list, simulation{"GateUpSwiGLU", 40, func(r *rand.Rand, family string) []drawn {
		f, in, out := Affine{Bits: 4, Group: 64}, size(r, 512, 2048), 64
		gate, up := randomWeights(r, "normal", f, in, out), randomWeights(r, "normal", f, in, out)
		for i := range gate.Scales {
			gate.Scales[i], gate.Biases[i] = gate.Scales[i]/1024, gate.Biases[i]/1024
		}
		x := inputs(r, family, F32, in)
		if family == "huge" {
			x = inputs(r, "normal", F32, in)
		}
		stretched(r, family, x, gate.Scales, up.Biases)
		a := GateUpSwiGLU(f, gate, up, x, in, out, Contract{Sums: map[string]Schedule{"groups": Strided(64, 1)}})
		return []drawn{{a, gateUp32(f, gate, up, narrow(x), in, out, silu32, single)}}
	}}, simulation{"MLAQuery", 40, func(r *rand.Rand, family string) []drawn {
		p := upProjection(r, beside(family), 2, 128, 5, 64, 140, 16)
		x := inputs(r, family, F32, 2*128)
		c := Contract{Sums: map[string]Schedule{"query": Sequential()}}
		return []drawn{{MLAQuery(p, x, c), query32(p, x, queryTerms["leaf by leaf"], single)}}
	}})
	return list
}

func elementSimulations() []simulation {
	return []simulation{
		{"RMSNorm", 300, func(r *rand.Rand, family string) []drawn {
			n, s := size(r, 64, 257, 2048), Strided(256, 1)
			x, w := inputs(r, family, F32, 2*n), inputs(r, beside(family), BF16, n)
			eps := float64(float32(1e-6))
			a := RMSNorm(x, w, eps, Contract{Sums: map[string]Schedule{"square": s}})
			return []drawn{{a, rmsNorm32(narrow(x), narrow(w), float32(eps), s, single)}}
		}},
		{"RoPE", 100, func(r *rand.Rand, family string) []drawn {
			p := rotation(fmt.Sprint(r.Uint64()), family, ropePositions, 1.5)
			return []drawn{{RoPE(p, Contract{}), rope32(p, "")}}
		}},
		{"SwiGLU", 100, func(r *rand.Rand, family string) []drawn {
			gate, up := uniform(r, F32, 2048, -20, 20), inputs(r, family, F32, 2048)
			stretched(r, family, gate)
			var got []float32
			for i, z := range narrow(gate) {
				got = append(got, silu32(z)*float32(up[i]))
			}
			return []drawn{{SwiGLU(gate, up, Contract{}), got}}
		}},
		{"Conv1D", 100, func(r *rand.Rand, family string) []drawn {
			const tokens, channels = 16, 64
			state, input := inputs(r, family, F32, 3*channels), inputs(r, family, F32, tokens*channels)
			weights := inputs(r, beside(family), BF16, convWidth*channels)
			c := Contract{Sums: map[string]Schedule{"taps": Sequential()}}
			return []drawn{{Conv1D(state, input, weights, channels, c),
				conv32(narrow(state), narrow(input), narrow(weights), channels, "")}}
		}},
		{"DecayBeta", 100, func(r *rand.Rand, family string) []drawn {
			alpha, beta := inputs(r, beside(family), F32, 1024), inputs(r, beside(family), F32, 1024)
			aLog, bias := uniform(r, F32, 32, -4, 2), inputs(r, beside(family), BF16, 32)
			decay, gate := DecayBeta(alpha, beta, aLog, bias, Contract{})
			d, g := decayBeta32(narrow(alpha), narrow(beta), narrow(aLog), narrow(bias), splitSoftplus, logistic32)
			return []drawn{{decay, d}, {gate, g}}
		}},
		{"DequantizeCache", 100, func(r *rand.Rand, family string) []drawn {
			p := cached(r, family, 4, 128, 1, 3)
			got := dequantized32(p, 1, 3, func(l, n, s float32) float32 { return float32(l*n) * s })
			return []drawn{{DequantizeCache(p, 1, 3, Contract{}), got}}
		}},
	}
}

func attentionSimulations() []simulation {
	return []simulation{
		{"SoftmaxRows", 200, func(r *rand.Rand, family string) []drawn {
			n, s := size(r, 32, 500, 4096), Strided(256, 1)
			x := uniform(r, F32, n, -8, 8)
			stretched(r, family, x)
			return []drawn{{SoftmaxRows(x, n, n, Contract{Sums: map[string]Schedule{"denominator": s}}),
				softmax32(narrow(x), s)}}
		}},
		{"GroupedQuery", 40, func(r *rand.Rand, family string) []drawn {
			p := Attention{T: 1, S: size(r, 40, 150, 600), H: 2, Hg: 2, D: 32, Scale: float64(float32(0.2))}
			p.Q, p.K, p.V = inputs(r, "normal", F32, p.H*p.D), inputs(r, "normal", F32, p.S*p.Hg*p.D),
				inputs(r, family, F32, p.S*p.Hg*p.D)
			stretched(r, family, p.Q, p.K)
			c := Contract{Sums: map[string]Schedule{"score": Sequential(), "values": {Lanes: 2, Block: 32}}}
			var got []float32
			for h := range p.H {
				got = append(got, online32(p, 0, h, float32(math.Inf(-1)), single)...)
			}
			return []drawn{{GroupedQuery(p, c), got}}
		}},
		{"MLATile", 40, func(r *rand.Rand, family string) []drawn {
			const heads, rank, rope, positions = 2, 64, 16, 200
			p := attention(r, heads, rank, rope, positions, "normal")
			stretched(r, family, p.QPrime, p.QPe, p.Latent, p.RopeK)
			c := Contract{Sums: map[string]Schedule{"score": Strided(32, 1), "denominator": Strided(128, 1),
				"values": Sequential()}}
			tiles := [][2]int{{0, 64}, {64, 128}, {128, positions}}
			var none MLAState
			m, l, v := MLATile(p, none, tiles, true, c)
			gm, gl, gv := attend32(p, none, tiles, true, c, single)
			return []drawn{{m, gm}, {l, gl}, {v, gv}}
		}},
	}
}

// softmax32 is a plain evaluation of softmax in f32.
func softmax32(x []float32, s Schedule) []float32 {
	p, largest := make([]float32, len(x)), slices.Max(x)
	for i, v := range x {
		p[i] = exp32(v - largest)
	}
	sum := sum32(s, p, single)
	for i := range p {
		p[i] /= sum
	}
	return p
}

func recurrenceSimulations() []simulation {
	lanes := Contract{Sums: map[string]Schedule{"read": Strided(32, 4), "output": Strided(32, 4)}}
	list := []simulation{{"GatedDelta, 65536 tokens", 1, func(r *rand.Rand, family string) []drawn {
		p := delta(r, 32768, 1, 1, 16, 1, []float64{1, 0.999}, 1) // of both sequences
		stretched(r, family, p.V)
		return stepped(p, lanes)
	}}}
	for _, decays := range [][]float64{{0.9, 0.99}, {0.999}, {1}} {
		list = append(list,
			simulation{fmt.Sprintf("GatedDelta, decays %v", decays), 6, func(r *rand.Rand, family string) []drawn {
				p := delta(r, 200, 1, 2, size(r, 32, 128), 4, decays, 1)
				stretched(r, family, p.Q, p.K, p.V, p.Beta, p.State)
				return stepped(p, lanes)
			}})
	}
	chunks := Contract{Chunk: 16, Sums: map[string]Schedule{"matrix": MatrixTiles(), "decay": Sequential()}}
	for _, decays := range [][]float64{{0.9, 0.99}, {1e-8, 0.5, 1}} {
		list = append(list, simulation{fmt.Sprintf("GatedDelta by chunks, decays %v", decays), 4,
			func(r *rand.Rand, family string) []drawn {
				p := delta(r, 100, 1, 2, 64, 4, decays, 1)
				stretched(r, family, p.Q, p.K, p.V, p.Beta, p.State)
				o, state := GatedDelta(p, chunks)
				gotO, gotS := deltaChunk32(p, chunks, single)
				return []drawn{{o, gotO}, {state, gotS}}
			}})
	}
	for _, name := range []string{"cumsum", "kkt", "inverse", "wu", "state", "output"} {
		list = append(list, simulation{"chunks, " + name, 6, func(r *rand.Rand, family string) []drawn {
			in := newStages(r, Chunks{B: 1, T: 128, Hg: 1, H: 2, K: 32, V: 8, BT: 64}, 0.1)
			stretched(r, family, in.q, in.k, in.v, in.beta, in.g, in.h0)
			return staged(in, name)
		}})
	}
	return list
}

func stepped(p DeltaNet, c Contract) []drawn {
	o, state := GatedDelta(p, c)
	gotO, gotS := delta32(p, c, "", single)
	return []drawn{{o, gotO}, {state, gotS}}
}

func staged(in stageInputs, name string) (list []drawn) {
	for _, s := range stageCases(in) {
		if !strings.HasPrefix(s.name, name) {
			continue
		}
		got := s.evaluate(stages32{Chunks: in.Chunks, acc: single})
		for i, a := range s.answers() {
			list = append(list, drawn{a, got[i]})
		}
	}
	return list
}
