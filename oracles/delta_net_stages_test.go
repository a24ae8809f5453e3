package oracles

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"gonum.org/v1/gonum/floats"

	"metalconform/fixtures/golden"
)

// padded are rows of tokens, [B, T, n], with zeros up to whole chunks.
func padded(a golden.Array, tokens int) []float64 {
	b, t := a.Shape[0], a.Shape[1]
	n := len(a.Data) / (b * t)
	var out []float64
	for i := range b {
		out = append(out, a.Data[i*t*n:(i+1)*t*n]...)
		out = append(out, make([]float64, (tokens-t)*n)...)
	}
	return out
}

// pipeline runs the six stages' exact values one after the other.
func pipeline(p Chunks, q, k, v, g, beta, h0 []float64, scale float64) (o, final []float64) {
	c := Contract{}
	sums := ChunkCumsum(g, p, c).Want
	a := ChunkKKT(k, beta, sums, p, c).Want
	x := ChunkInverse(a, p, c).Want
	r := func(a Answer) []float64 {
		if p.unrounded {
			return a.Want
		}
		out := make([]float64, len(a.Want))
		for i, y := range a.Want {
			out[i] = BF16.Round(y)
		}
		return out
	}
	w, u := ChunkWU(k, v, beta, sums, x, p, c)
	h, vNew, state := ChunkState(k, r(w), r(u), sums, h0, p, c)
	return ChunkOutput(q, k, r(vNew), r(h), sums, scale, p, c).Want, state.Want
}

// TestStagesAgreeWithTransformers leaves the roundings out: the six stages are
// then the recurrence.
func TestStagesAgreeWithTransformers(t *testing.T) {
	t.Parallel()
	for name, blocks := range map[string][]int{"delta_short": {16, 64}, "delta_ragged": {16, 64}, "delta_model": {64},
		"delta_strong": {16}} {
		if testing.Short() && name == "delta_model" {
			continue
		}
		for _, block := range blocks {
			a := load(t, name)
			q, v := a["q"], a["v"]
			tokens := (q.Shape[1] + block - 1) / block * block
			p := Chunks{
				B: q.Shape[0], T: tokens, Hg: q.Shape[2], H: q.Shape[2], K: q.Shape[3], V: v.Shape[3], BT: block,
				unrounded: true,
			}
			o, final := pipeline(p, padded(q, tokens), padded(a["k"], tokens), padded(v, tokens),
				padded(a["g"], tokens), padded(a["beta"], tokens), transposed(a["state0"]), 1/math.Sqrt(float64(p.K)))
			agree(t, fmt.Sprintf("%s in chunks of %d: state", name, block), final, transposed(a["state"]))
			agree(t, fmt.Sprintf("%s in chunks of %d: output", name, block), o, padded(a["o"], tokens))
		}
	}
}

// stageInputs are inputs of the pipeline as a model has them: unit keys, gates
// below 1, log-decays down to -most.
type stageInputs struct {
	Chunks
	q, k, v, beta, g, h0 []float64
}

func newStages(r *rand.Rand, p Chunks, most float64) stageInputs {
	in := stageInputs{Chunks: p}
	in.q, in.k = unitRows(r, p.B*p.T*p.Hg, p.K), unitRows(r, p.B*p.T*p.Hg, p.K)
	in.v = inputs(r, "normal", BF16, p.B*p.T*p.H*p.V)
	in.beta, in.g = uniform(r, F32, p.B*p.T*p.H, 0, 1), uniform(r, F32, p.B*p.T*p.H, -most, 0)
	in.h0 = inputs(r, "normal", F32, p.B*p.H*p.V*p.K)
	return in
}

// unitRows are rows of length 1 in bf16.
func unitRows(r *rand.Rand, rows, n int) []float64 {
	x := inputs(r, "normal", F32, rows*n)
	for first := 0; first < len(x); first += n {
		length := norm(x[first : first+n])
		for i := range n {
			x[first+i] = BF16.Round(x[first+i] / length)
		}
	}
	return x
}

// rounded is r of all elements.
func rounded(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, y := range x {
		out[i] = BF16.Round(y)
	}
	return out
}

// TestStagesStayNearTheRecurrence keeps the roundings: the pipeline is then
// within a few ulp of bf16 of the recurrence.
func TestStagesStayNearTheRecurrence(t *testing.T) {
	t.Parallel()
	p := Chunks{B: 2, T: 128, Hg: 1, H: 2, K: 32, V: 4, BT: 64}
	in := newStages(source("near", 1), p, 0.3)
	o, final := pipeline(p, in.q, in.k, in.v, in.g, in.beta, in.h0, 0.25)
	whole := DeltaNet{
		K: in.k, V: in.v, Beta: in.beta, State: in.h0, Seqs: p.B, T: p.T, Hk: p.Hg, Hv: p.H, Dk: p.K, Dv: p.V,
		Mapping: BlockHeads,
	}
	for _, x := range in.q {
		whole.Q = append(whole.Q, x/4)
	}
	for _, g := range in.g {
		whole.Rate = append(whole.Rate, -g)
	}
	output, state := GatedDelta(whole, Contract{})
	near := func(what string, got, want []float64) {
		for i := range want {
			if !(math.Abs(got[i]-want[i]) <= 0.02*floats.Norm(want, math.Inf(1))) {
				t.Fatalf("%s[%d] = %g, want about %g", what, i, got[i], want[i])
			}
		}
	}
	near("output", o, output.Want)
	near("state", final, state.Want)
}

// stageCase is one stage: its answers, and its evaluation in f32.
type stageCase struct {
	name     string
	answers  func() []Answer
	evaluate func(s stages32) [][]float32
	faults   []string
}

// stageCases are the six stages. A stage's inputs are the definition of the stages
// before it, rounded as they are stored; an answer is formed once, when it is
// asked for.
func stageCases(in stageInputs) []stageCase {
	p, c := in.Chunks, Contract{}
	const scale = 0.125
	once := sync.OnceValue[[]Answer]
	cumsum := once(func() []Answer { return []Answer{ChunkCumsum(in.g, p, c)} })
	sums := sync.OnceValue(func() []float64 { return rounded32(cumsum()[0].Want) })
	kkt := once(func() []Answer { return []Answer{ChunkKKT(in.k, in.beta, sums(), p, c)} })
	a := sync.OnceValue(func() []float64 { return rounded32(kkt()[0].Want) })
	inverse := once(func() []Answer { return []Answer{ChunkInverse(a(), p, c)} })
	x := sync.OnceValue(func() []float64 { return rounded32(inverse()[0].Want) })
	wu := once(func() []Answer {
		w, u := ChunkWU(in.k, in.v, in.beta, sums(), x(), p, c)
		return []Answer{w, u}
	})
	w, u := storedOf(wu, 0), storedOf(wu, 1)
	state := once(func() []Answer {
		h, v, f := ChunkState(in.k, w(), u(), sums(), in.h0, p, c)
		return []Answer{h, v, f}
	})
	h, v := storedOf(state, 0), storedOf(state, 1)
	output := func() []Answer { return []Answer{ChunkOutput(in.q, in.k, v(), h(), sums(), scale, p, c)} }
	return []stageCase{
		{"cumsum", cumsum,
			func(s stages32) [][]float32 { return [][]float32{s.cumsum(in.g)} },
			[]string{"no reset", "exclusive", "bf16 sums"}},
		{"kkt", kkt,
			func(s stages32) [][]float32 { return [][]float32{s.kkt(in.k, in.beta, sums())} },
			[]string{"operands not rounded", "operands truncated", "diagonal", "no decay", "tiled heads", "bf16 sums"}},
		{"inverse", inverse,
			func(s stages32) [][]float32 { return [][]float32{s.inverse(a())} },
			[]string{"one sign", "no diagonal", "bf16 sums"}},
		{"wu", wu,
			func(s stages32) [][]float32 {
				w, u := s.wu(in.k, in.v, in.beta, sums(), x())
				return [][]float32{w, u}
			},
			[]string{"operands not rounded", "operands truncated", "outputs truncated", "rounded before the decay",
				"no decay", "tiled heads", "bf16 sums"}},
		{"state", state,
			func(s stages32) [][]float32 {
				h, v, f := s.state(in.k, w(), u(), sums(), in.h0)
				return [][]float32{h, v, f}
			},
			[]string{"operands not rounded", "operands truncated", "outputs truncated", "gated values",
				"state after the update", "state in bf16", "no decay", "tiled heads", "bf16 sums"}},
		{"output", output,
			func(s stages32) [][]float32 {
				return [][]float32{s.output(in.q, in.k, v(), h(), sums(), scale)}
			},
			[]string{"operands not rounded", "operands truncated", "outputs truncated", "no diagonal", "no decay",
				"tiled heads", "bf16 sums"}},
	}
}

// storedOf is answer i as the next stage reads it.
func storedOf(answers func() []Answer, i int) func() []float64 {
	return sync.OnceValue(func() []float64 { return rounded(answers()[i].Want) })
}

func rounded32(x []float64) []float64 { return wide(narrow(x)) }

// overall is the worst of several outputs.
func overall(answers []Answer, got [][]float32) float64 {
	var over float64
	for i, a := range answers {
		over = max(over, worst(a, got[i]))
	}
	return over
}

func TestStageBudgets(t *testing.T) {
	if testing.Short() {
		t.Skip("a longer test run tries it")
	}
	t.Parallel()
	for _, most := range []float64{0, 0.05, 0.3, 30} {
		for seed := range 2 {
			p := Chunks{B: 1, T: 192, Hg: 2, H: 4, K: 32, V: 5, BT: 64}
			in := newStages(source("stages", seed), p, most)
			for _, s := range stageCases(in) {
				name := fmt.Sprintf("%s/decays=%g/seed=%d", s.name, most, seed)
				answers := s.answers()
				over := overall(answers, s.evaluate(stages32{Chunks: p, acc: single}))
				if !(over <= 1) {
					t.Errorf("%s: a faithful evaluation is %.3g x its bound", name, over)
				}
				t.Logf("%s: %.3g of the bound", name, over)
				if most != 0.05 {
					continue
				}
				for _, fault := range s.faults {
					e := stages32{Chunks: p, fault: fault, acc: single}
					if fault == "bf16 sums" {
						e.acc = bfloat
					}
					if over := overall(answers, s.evaluate(e)); !(over > 1) {
						t.Errorf("%s: %s stays within %.3g of the bound", name, fault, over)
					} else {
						t.Logf("%s: %s is %.3g x the bound", name, fault, over)
					}
				}
			}
		}
	}
}

// TestStageMask has decays so strong that the exponential overflows above the
// diagonal, where a mask that multiplies makes NaN.
func TestStageMask(t *testing.T) {
	p := Chunks{B: 1, T: 64, Hg: 1, H: 1, K: 16, V: 4, BT: 64}
	in := newStages(source("mask", 1), p, 60)
	for _, s := range stageCases(in) {
		if s.name != "kkt" && s.name != "output" {
			continue
		}
		if over := overall(s.answers(), s.evaluate(stages32{Chunks: p, acc: single})); !(over <= 1) {
			t.Errorf("%s: a faithful evaluation is %.3g x its bound", s.name, over)
		}
		if over := overall(s.answers(),
			s.evaluate(stages32{Chunks: p, fault: "mask by multiplication", acc: single})); !(over > 1) {
			t.Errorf("%s: a mask by multiplication passes", s.name)
		}
	}
}

// TestStagesExact has small integers, gates of 0 and 1 and no decay: every bound
// that is not of a rounding is zero.
func TestStagesExact(t *testing.T) {
	p := Chunks{B: 1, T: 128, Hg: 1, H: 2, K: 16, V: 5, BT: 64}
	r := source("exact stages", 1)
	ints := func(n int) []float64 { return inputs(r, "integers", F32, n) }
	tokens := p.T * p.H
	k, v, beta, zeros := ints(p.T*p.K), ints(tokens*p.V), make([]float64, tokens), make([]float64, tokens)
	a := make([]float64, tokens*p.BT)
	for i := range beta {
		beta[i] = float64(i % 2)
	}
	p.each(func(c chunk) {
		for i := range p.BT {
			for j := range i {
				if r.IntN(16) == 0 {
					a[c.at(i, p.BT)+j] = float64(1 - 2*r.IntN(2))
				}
			}
		}
	})
	s := stages32{Chunks: p, acc: single}
	c := Contract{}
	check := func(name string, a Answer, got []float32) {
		within(t, name, a, got)
		for i, want := range a.Want {
			if b := a.Bound(i); b != 0 && BF16.Round(want) == want {
				t.Fatalf("%s: bound of element %d, %v, is %g, want 0", name, i, want, b)
			}
		}
	}
	check("cumsum", ChunkCumsum(beta, p, c), s.cumsum(beta))
	check("kkt", ChunkKKT(k, beta, zeros, p, c), s.kkt(k, beta, zeros))
	x := ChunkInverse(a, p, c)
	check("inverse", x, s.inverse(a))
	small := make([]float64, len(x.Want))
	p.each(func(c chunk) {
		for i := range p.BT {
			small[c.at(i, p.BT)+i] = 1
			for j := range i {
				small[c.at(i, p.BT)+j] = float64(r.IntN(3) - 1)
			}
		}
	})
	w, u := ChunkWU(k, v, beta, zeros, small, p, c)
	gotW, gotU := s.wu(k, v, beta, zeros, small)
	check("w", w, gotW)
	check("u", u, gotU)
	h0, few := ints(p.H*p.V*p.K), make([]float64, tokens*p.K)
	for i := range few {
		if i%37 == 0 {
			few[i] = 1
		}
	}
	h, vNew, final := ChunkState(few[:len(k)], few, v, zeros, h0, p, c)
	gotH, gotV, gotF := s.state(few[:len(k)], few, v, zeros, h0)
	check("h", h, gotH)
	check("v_new", vNew, gotV)
	check("final", final, gotF)
	check("o", ChunkOutput(few[:len(k)], k, v, rounded(h.Want), zeros, 0.5, p, c),
		s.output(few[:len(k)], k, v, rounded(h.Want), zeros, 0.5))
}

func TestStagesNonFinite(t *testing.T) {
	p := Chunks{B: 1, T: 32, Hg: 1, H: 2, K: 8, V: 3, BT: 16}
	in := newStages(source("non-finite stages", 1), p, 0.2)
	c := Contract{}
	s := stages32{Chunks: p, acc: single}
	sums := rounded32(ChunkCumsum(in.g, p, c).Want)
	a := rounded32(ChunkKKT(in.k, in.beta, sums, p, c).Want)
	x := rounded32(ChunkInverse(a, p, c).Want)
	w, u := ChunkWU(in.k, in.v, in.beta, sums, x, p, c)
	wr, ur := rounded(w.Want), rounded(u.Want)
	h, vNew, _ := ChunkState(in.k, wr, ur, sums, in.h0, p, c)
	hr, vr := rounded(h.Want), rounded(vNew.Want)
	spoiled(map[string][]float64{"g": in.g}, func(name string) {
		strict(t, "cumsum "+name, ChunkCumsum(in.g, p, c), s.cumsum(in.g))
	})
	spoiled(map[string][]float64{"k": in.k, "beta": in.beta, "g": sums}, func(name string) {
		strict(t, "kkt "+name, ChunkKKT(in.k, in.beta, sums, p, c), s.kkt(in.k, in.beta, sums))
	})
	lower := a[5*p.H*p.BT+0 : 5*p.H*p.BT+5] // row 5 of head 0, below the diagonal
	spoiled(map[string][]float64{"A": lower}, func(name string) {
		strict(t, "inverse "+name, ChunkInverse(a, p, c), s.inverse(a))
	})
	spoiled(map[string][]float64{"k": in.k, "v": in.v, "beta": in.beta, "g": sums}, func(name string) {
		w, u := ChunkWU(in.k, in.v, in.beta, sums, x, p, c)
		gotW, gotU := s.wu(in.k, in.v, in.beta, sums, x)
		strict(t, "w "+name, w, gotW)
		strict(t, "u "+name, u, gotU)
	})
	spoiled(map[string][]float64{"k": in.k, "w": wr, "u": ur, "g": sums, "h0": in.h0}, func(name string) {
		h, v, f := ChunkState(in.k, wr, ur, sums, in.h0, p, c)
		gotH, gotV, gotF := s.state(in.k, wr, ur, sums, in.h0)
		strict(t, "h "+name, h, gotH)
		strict(t, "v_new "+name, v, gotV)
		strict(t, "final "+name, f, gotF)
	})
	spoiled(map[string][]float64{"q": in.q, "k": in.k, "v": vr, "h": hr, "g": sums}, func(name string) {
		strict(t, "o "+name, ChunkOutput(in.q, in.k, vr, hr, sums, 0.5, p, c), s.output(in.q, in.k, vr, hr, sums, 0.5))
	})
}

// TestOutputOfScaledTerms scales the two terms of an output by themselves: where they
// cancel, both have been rounded, unless the scale is a power of two.
func TestOutputOfScaledTerms(t *testing.T) {
	const first, rest = 3.0, -3.0
	for _, test := range []struct {
		scale   float64
		rounded bool
	}{{float64(float32(0.1)), true}, {0.125, false}} {
		m := Contract{}.arithmetic()
		y := m.scaledSum(test.scale, exactly(first), exactly(first+rest))
		if got := float64(float32(test.scale)*first) + float64(float32(test.scale)*rest); !(math.Abs(got-y.v) <= y.e) ||
			(y.e > 0) != test.rounded {
			t.Errorf("scale %g: %g with error %g", test.scale, y.v, y.e)
		}
	}
	m := Contract{}.arithmetic()
	scale := float64(float32(0.1))
	// 0.1·(2²⁴ − 1) rounded, less 0.1·(2²⁴ − 3) rounded.
	a, b := 0x1p24-1, -(0x1p24 - 3)
	y := m.scaledSum(scale, exactly(a), exactly(a+b))
	apart := float64(float32(scale*a)) + float64(float32(scale*b))
	if whole := m.mul(exactly(scale), exactly(a+b)); math.Abs(apart-whole.v) <= whole.e {
		t.Fatalf("%g and %g do not tell the two ways apart", apart, whole.v)
	}
	if math.Abs(apart-y.v) > y.e {
		t.Errorf("term by term %g, want %g within %g", apart, y.v, y.e)
	}
}
