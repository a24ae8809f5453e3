package oracles

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// traced is an oracle whose sums are known: those of each name that element
// depends on, by number, and the terms of each.
type traced struct {
	name    string
	ask     func(Contract) Answer
	sums    map[string]Schedule
	element int
	want    []dependency
}

type dependency struct {
	name     string
	numbers  []int
	elements int                        // that share the one that contributes most
	terms    func(number int) []float64 // nil: not compared
}

// tracedOracles are oracles in which a sum serves one element, a row, a head, or
// all later tokens.
func tracedOracles() []traced {
	r := source("trace", 1)
	const rows, n = 3, 37
	w, x := inputs(r, "normal", F32, 5*n), inputs(r, "normal", F32, rows*n)
	row := func(x []float64, i int) []float64 { return x[i*n : (i+1)*n] }
	net := delta(r, 4, 1, 2, 6, 5, []float64{0.9}, 1) // [2, 4, 2, 5]
	latent := attention(r, 2, 6, 4, 9, "normal")
	stages := newStages(r, Chunks{B: 1, T: 16, Hg: 1, H: 1, K: 8, V: 8, BT: 8}, 0.1)
	p := stages.Chunks
	gates := ChunkCumsum(stages.g, p, Contract{}).Want
	keys := ChunkKKT(stages.k, stages.beta, gates, p, Contract{}).Want
	return []traced{
		{
			name: "MatVec", element: 2*5 + 3, sums: map[string]Schedule{"row": Strided(8, 2)},
			ask: func(c Contract) Answer { return MatVec(w, x, n, 5, c) },
			want: []dependency{
				{"row", []int{13}, 1, func(i int) []float64 { return termwise(row(w, i%5), row(x, i/5)) }},
			},
		},
		{
			name: "RMSNorm", element: 2*n + 5, sums: map[string]Schedule{"square": Halved(16)},
			ask: func(c Contract) Answer { return RMSNorm(x, row(w, 0), 1e-6, c) },
			want: []dependency{
				{"square", []int{2}, n, func(i int) []float64 { return termwise(row(x, i), row(x, i)) }},
			},
		},
		{
			name: "SoftmaxRows", element: n + 36,
			ask: func(c Contract) Answer { return SoftmaxRows(x, n, n, c) },
			want: []dependency{{"denominator", []int{1}, n, func(i int) []float64 {
				return exponentialsBelow(row(x, i))
			}}},
		},
		{
			name: "NormalizeRows", element: n + 1,
			ask:  func(c Contract) Answer { return NormalizeRows(absolute(x), n, c) },
			want: []dependency{{"sum", []int{1}, n, func(i int) []float64 { return absolute(row(x, i)) }}},
		},
		{
			name: "Combine", element: 7,
			ask: func(c Contract) Answer { return Combine(row(x, 0), row(x, 1), w[:4*n], row(w, 4)[:4], nil, c) },
			want: []dependency{
				{"experts", []int{7}, 1, func(i int) []float64 {
					return termwise(row(w, 4)[:4], []float64{w[i], w[n+i], w[2*n+i], w[3*n+i]})
				}},
				{"parts", []int{7}, 1, nil},
			},
		},
		{
			// A row's state depends on what all tokens read of it. Rows of a head are read
			// token after token: row 2 of head 1 of sequence 0 at token t is sum (4 + t)·5 + 2.
			name: "GatedDelta/state", element: (1*5+2)*6 + 4, sums: map[string]Schedule{"read": Sequential()},
			ask:  func(c Contract) Answer { _, s := GatedDelta(net, c); return s },
			want: []dependency{{"read", []int{22, 27, 32, 37}, 6, nil}},
		},
		{
			// An output depends on what its token and those before it read, and on its
			// own sum.
			name: "GatedDelta/output", element: (2*2+1)*5 + 3,
			ask:  func(c Contract) Answer { o, _ := GatedDelta(net, c); return o },
			want: []dependency{{"read", []int{23, 28, 33}, 0, nil}, {"output", []int{33}, 1, nil}},
		},
		{
			// Chunks of two tokens; the last output of row 3 of head 1 of sequence 0.
			// A chunk of a head forms 2·5 solutions, 2 sums of decays, and 24 products
			// of which the first four are k₀·q₀, k₀·k₁, k₀·q₁ and k₁·q₁, and then come
			// for each token s·k of all rows and s·q of all. The first chunk reaches the second through
			// the state, so that its products with queries do not count.
			name: "GatedDelta/chunks", element: (3*2+1)*5 + 3,
			ask: func(c Contract) Answer {
				c.Chunk = 2
				o, _ := GatedDelta(net, c)
				return o
			},
			want: []dependency{
				{"decay", []int{4, 5, 6, 7}, 0, nil},
				{"matrix", []int{49, 55, 65, 73, 74, 75, 79, 89, 94}, 0, nil},
				{"solution", []int{23, 28, 33, 38}, 0, nil},
				{"output", []int{38}, 1, nil},
			},
		},
		{
			name: "MLAFolded", element: 6 + 2,
			ask: func(c Contract) Answer { return MLAFolded(latent, c) },
			want: []dependency{
				{"score", []int{9, 10, 11, 12, 13, 14, 15, 16, 17}, 6, func(i int) []float64 {
					h, t := i/9, i%9
					return append(termwise(latent.QPrime[h*6:h*6+6], latent.Latent[t*6:t*6+6]),
						termwise(latent.QPe[h*4:h*4+4], latent.RopeK[t*4:t*4+4])...)
				}},
				{"denominator", []int{1}, 6, nil},
				{"values", []int{8}, 1, nil},
			},
		},
		{
			// Row 3 of the chunk of tokens 8…15, key 1: after 28 products of the
			// first chunk and those of rows 1 and 2.
			name: "ChunkKKT", element: 11*8 + 1,
			ask:  func(c Contract) Answer { return ChunkKKT(stages.k, stages.beta, gates, p, c) },
			want: []dependency{{"keys", []int{28 + 3 + 1}, 1, nil}},
		},
		{
			// Substitution goes by columns: column 5 begins after 7+6+5+4+3 sums,
			// and X_75 depends on those of X_65 and its own.
			name: "ChunkInverse", element: 7*8 + 5,
			ask: func(c Contract) Answer { return ChunkInverse(keys, p, c) },
			want: []dependency{{"substitution", []int{25, 26}, 0, func(i int) []float64 {
				a := keys[7*8:]
				if i == 25 {
					return []float64{-keys[6*8+5]}
				}
				return []float64{-a[5], a[6] * keys[6*8+5]}
			}}},
		},
	}
}

// exponentialsBelow are e^{x_i − max x}.
func exponentialsBelow(x []float64) []float64 {
	e := make([]float64, len(x))
	for i, v := range x {
		e[i] = math.Exp(v - slices.Max(x))
	}
	return e
}

// absolute are |x_i|.
func absolute(x []float64) []float64 {
	a := make([]float64, len(x))
	for i, v := range x {
		a[i] = math.Abs(v)
	}
	return a
}

// An element depends on its own sums and on no others, and the terms that are
// shown are those of the sum with that number.
func TestTrace(t *testing.T) {
	for _, o := range tracedOracles() {
		t.Run(o.name, func(t *testing.T) {
			got := Trace(func(w *SumTracer) Answer { return o.ask(Contract{Sums: o.sums, Tracer: w}) }, o.element)
			if len(got) != len(o.want) {
				t.Fatalf("%d names, want %d: %+v", len(got), len(o.want), got)
			}
			for i, want := range o.want {
				s := got[i]
				if diff := cmp.Diff(want.numbers, s.Found); diff != "" || s.Name != want.name || s.More {
					t.Errorf("%s, more %v, want %s (-want +got):\n%s", s.Name, s.More, want.name, diff)
				}
				if want.elements > 0 && s.Elements != want.elements {
					t.Errorf("%s %d serves %d elements, want %d", s.Name, s.Sum.Number, s.Elements, want.elements)
				}
				if !slices.Contains(s.Found, s.Sum.Number) {
					t.Errorf("%s %d is shown, found are %v", s.Name, s.Sum.Number, s.Found)
				}
				if want.terms == nil {
					continue
				}
				terms := want.terms(s.Sum.Number)
				if len(terms) != len(s.Sum.Steps) {
					t.Errorf("%s %d has %d terms, want %d", s.Name, s.Sum.Number, len(s.Sum.Steps), len(terms))
					continue
				}
				for _, step := range s.Sum.Steps {
					if math.Abs(step.Value-terms[step.Term]) > 1e-15*math.Abs(step.Value) {
						t.Errorf("%s %d: term %d is %g, want %g", s.Name, s.Sum.Number, step.Term, step.Value,
							terms[step.Term])
					}
				}
			}
		})
	}
}

// What a sum contributes is what the bound loses with its roundings: all of it
// where nothing else rounds, nothing where the sum is exact.
func TestTraceShares(t *testing.T) {
	r := source("shares", 1)
	x, w := inputs(r, "normal", F32, 20), inputs(r, "normal", F32, 20)
	p := Cached{H: 1, Hg: 1, D: 1, Len: 20, Stride: 20}
	only := Trace(func(c *SumTracer) Answer { return AttentionValues(w, x, p, Contract{Tracer: c}) }, 0)[0]
	if only.Share != 1 || only.OwnShare != 1 || only.Error != only.Sum.Error {
		t.Errorf("a bare sum contributes %g of the bound, %g of %g", only.Share, only.Error, only.Sum.Error)
	}
	ones := slices.Repeat([]float64{1}, 20)
	exact := Trace(func(c *SumTracer) Answer { return MatVec(ones, ones, 20, 1, Contract{Tracer: c}) }, 0)[0]
	if exact.Share != 0 || exact.Sum.Error != 0 || exact.Sum.Value != 20 {
		t.Errorf("an exact sum of %g within %g contributes %g", exact.Sum.Value, exact.Sum.Error, exact.Share)
	}
	if got := Trace(func(*SumTracer) Answer { return CacheAppend(x, w, 0) }, 0); got != nil {
		t.Errorf("a copy depends on %v", got)
	}
}

// No perturbation changes how many sums an oracle forms, or their numbers would not
// mean the same sums in every answer.
func TestTracerCounts(t *testing.T) {
	stages := newStages(source("counts", 1), Chunks{B: 1, T: 16, Hg: 1, H: 1, K: 8, V: 8, BT: 8}, 0.1)
	p, c := stages.Chunks, Contract{}
	gates := ChunkCumsum(stages.g, p, c).Want
	x := ChunkInverse(ChunkKKT(stages.k, stages.beta, gates, p, c).Want, p, c).Want
	w, u := ChunkWU(stages.k, stages.v, stages.beta, gates, x, p, c)
	h, v, _ := ChunkState(stages.k, w.Want, u.Want, gates, stages.h0, p, c)
	net := delta(source("counts", 2), 9, 1, 2, 6, 5, []float64{0, 1, 0.9}, 1)
	queries := Attention{Q: net.Q[:24], K: net.K, V: net.K, T: 4, S: 12, H: 1, Hg: 1, D: 6, Scale: 0.4}
	list := append(tracedOracles(),
		traced{name: "ChunkWU", ask: func(c Contract) Answer {
			w, _ := ChunkWU(stages.k, stages.v, stages.beta, gates, x, p, c)
			return w
		}},
		traced{name: "ChunkState", ask: func(c Contract) Answer {
			h, _, _ := ChunkState(stages.k, w.Want, u.Want, gates, stages.h0, p, c)
			return h
		}},
		traced{name: "ChunkOutput", ask: func(c Contract) Answer {
			return ChunkOutput(stages.q, stages.k, v.Want, h.Want, gates, 0.3, p, c)
		}},
		traced{name: "GatedDelta/chunks", ask: func(c Contract) Answer {
			c.Chunk = 4
			o, _ := GatedDelta(net, c)
			return o
		}, sums: map[string]Schedule{"decay": Sequential()}},
		traced{name: "GroupedQuery", ask: func(c Contract) Answer { return GroupedQuery(queries, c) },
			sums: map[string]Schedule{"values": {Lanes: 2, Block: 4}}})
	for _, o := range list {
		plain := NewSumTracer()
		o.ask(Contract{Sums: o.sums, Tracer: plain})
		if len(plain.counts) == 0 {
			t.Errorf("%s forms no sum", o.name)
		}
		for _, p := range []perturbation{unknown, unrounded} {
			w := NewSumTracer()
			w.perturb = func(string, int) perturbation { return p }
			o.ask(Contract{Sums: o.sums, Tracer: w})
			if !maps.Equal(plain.counts, w.counts) {
				t.Errorf("%s forms %v, and %v under perturbation %d", o.name, plain.counts, w.counts, p)
			}
		}
	}
}

// Tracing changes no answer.
func TestTracerOnlyTraces(t *testing.T) {
	for _, o := range tracedOracles() {
		if diff := cmp.Diff(o.ask(Contract{Sums: o.sums}),
			o.ask(Contract{Sums: o.sums, Tracer: NewSumTracer()})); diff != "" {
			t.Errorf("%s traced (-not +traced):\n%s", o.name, diff)
		}
	}
}

// Partial sums go along the order: by lanes and blocks, and then the lanes' sums.
func TestNewSum(t *testing.T) {
	terms := []float64{1, -2, 4, -8, 16}
	for _, test := range []struct {
		order    Schedule
		steps    []Step
		lanes    int
		partials float64
	}{
		{Sequential(), []Step{{0, 0, 1, 1}, {0, 1, -2, -1}, {0, 2, 4, 3}, {0, 3, -8, -5}, {0, 4, 16, 11}}, 1, 21},
		{AnyOrder(), []Step{{0, 0, 1, 1}, {0, 1, -2, -1}, {0, 2, 4, 3}, {0, 3, -8, -5}, {0, 4, 16, 11}}, 1, 21},
		// Lanes 1−8 = −7, −2+16 = 14, 4: partial sums 1, 7, 2, 14, 4, then −7, 7, 11.
		{Strided(3, 1), []Step{{0, 0, 1, 1}, {0, 3, -8, -7}, {1, 1, -2, -2}, {1, 4, 16, 14}, {2, 2, 4, 4}}, 3, 53},
		// Lanes 1−2+16 and 4−8: partial sums 1, 1, 15, 4, 4, then 15, 11.
		{Strided(2, 2), []Step{{0, 0, 1, 1}, {0, 1, -2, -1}, {0, 4, 16, 15}, {1, 2, 4, 4}, {1, 3, -8, -4}}, 2, 51},
		{Halved(8), []Step{{0, 0, 1, 1}, {1, 1, -2, -2}, {2, 2, 4, 4}, {3, 3, -8, -8}, {4, 4, 16, 16}}, 5, 52},
	} {
		s := newSum(order{"terms", test.order}, 0, terms, exactly(11))
		if diff := cmp.Diff(test.steps, s.Steps); diff != "" || s.Lanes != test.lanes || s.Partials != test.partials ||
			s.Terms != 31 {
			t.Errorf("%s: %d lanes, Σ|s| = %g, Σ|p| = %g (-want +got):\n%s", test.order, s.Lanes, s.Partials, s.Terms,
				diff)
		}
	}
}

// The search for the sums of one name ends, and says whether it ended early.
func TestTraceEnds(t *testing.T) {
	for _, positions := range []int{mostFound, mostFound + 1, 40} {
		p := attention(source("ends", positions), 1, 6, 4, positions, "normal")
		s := Trace(func(w *SumTracer) Answer { return MLAFolded(p, Contract{Tracer: w}) }, 2)[0]
		if len(s.Found) != mostFound || s.Found[mostFound-1] != mostFound-1 || s.More != (positions > mostFound) {
			t.Errorf("of %d scores %v are found, more %v", positions, s.Found, s.More)
		}
	}
}
