package oracles

import "testing"

// BenchmarkOracles times the oracles on which a sweep spends most, at the shapes
// of one head of a model: ns/element is by element of the answers.
func BenchmarkOracles(b *testing.B) {
	tokens := delta(source("bench", 1), 64, 1, 1, 128, 128, []float64{0.9, 0.99}, 1)
	lanes := Strided(32, 4)
	stages := benchmarkStages()
	in, scale := stages.ChunkedDelta, stages.Scale
	for _, c := range []struct {
		name   string
		oracle func() []Answer
	}{
		{"GatedDelta/lanes", func() []Answer {
			o, s := GatedDelta(tokens, Contract{Sums: map[string]Schedule{"read": lanes, "output": lanes}})
			return []Answer{o, s}
		}},
		{"GatedDelta/sequential", func() []Answer {
			o, s := GatedDelta(tokens,
				Contract{Sums: map[string]Schedule{"read": Sequential(), "output": Sequential()}})
			return []Answer{o, s}
		}},
		{"GatedDelta/chunks", func() []Answer {
			o, s := GatedDelta(tokens,
				Contract{Chunk: 16, Sums: map[string]Schedule{"matrix": MatrixTiles(), "decay": Sequential()}})
			return []Answer{o, s}
		}},
		{"ChunkWU", func() []Answer {
			w, u := ChunkWU(in.K, in.V, in.Beta, stages.sums, stages.Inverse, in.Chunks, Contract{})
			return []Answer{w, u}
		}},
		{"ChunkState", func() []Answer {
			h, v, final := ChunkState(in.K, stages.w, stages.u, stages.sums, in.State, in.Chunks, Contract{})
			return []Answer{h, v, final}
		}},
		{"ChunkOutput", func() []Answer {
			return []Answer{ChunkOutput(in.Q, in.K, stages.v, stages.h, stages.sums, scale, in.Chunks, Contract{})}
		}},
		{"ChunkedDeltaRule", func() []Answer {
			o, final := ChunkedDeltaRule(in, stages.ChunkedDeltaErrors)
			return []Answer{o, final}
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			elements := 0
			for b.Loop() {
				for _, a := range c.oracle() {
					elements += len(a.Want)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(elements), "ns/element")
		})
	}
}

// benchmark is the chunk pipeline with what each stage made, exactly, and the
// bounds that its oracle gave.
type benchmark struct {
	ChunkedDelta
	ChunkedDeltaErrors
	sums, w, u, h, v []float64
}

func benchmarkStages() benchmark {
	var c Contract
	in := newStages(source("bench", 2), Chunks{B: 1, T: 128, Hg: 1, H: 1, K: 128, V: 128, BT: 64}, 0.1)
	p := ChunkedDelta{Chunks: in.Chunks, Q: in.q, K: in.k, V: in.v, G: in.g, Beta: in.beta, State: in.h0, Scale: 0.09}
	sums := ChunkCumsum(p.G, p.Chunks, c)
	a := ChunkKKT(p.K, p.Beta, sums.Want, p.Chunks, c)
	x := ChunkInverse(a.Want, p.Chunks, c)
	w, u := ChunkWU(p.K, p.V, p.Beta, sums.Want, x.Want, p.Chunks, c)
	h, v, final := ChunkState(p.K, w.Want, u.Want, sums.Want, p.State, p.Chunks, c)
	o := ChunkOutput(p.Q, p.K, v.Want, h.Want, sums.Want, p.Scale, p.Chunks, c)
	e := ChunkedDeltaErrors{
		Sums: bounds(sums), A: bounds(a), X: bounds(x), W: bounds(w), U: bounds(u), H: bounds(h), VNew: bounds(v),
		Final: bounds(final), O: bounds(o), Inverse: x.Want,
	}
	return benchmark{p, e, sums.Want, w.Want, u.Want, h.Want, v.Want}
}

// bounds are the bounds of all elements.
func bounds(a Answer) []float64 {
	e := make([]float64, len(a.Want))
	for i := range e {
		e[i] = a.Bound(i)
	}
	return e
}

// BenchmarkGatedDelta takes 256 tokens of 32 heads, token by token with sums in turn and over lanes,
// and by chunks: ns/element is by element of the state and token.
func BenchmarkGatedDelta(b *testing.B) {
	const tokens, heads, width = 256, 32, 128
	p := delta(source("bench", 1), tokens, heads, heads, width, width, []float64{0.9, 0.99}, 1)
	p.Seqs = 1
	lanes := Strided(32, 4)
	for _, c := range []struct {
		name string
		Contract
	}{
		{"sequential", Contract{Sums: map[string]Schedule{"read": Sequential(), "output": Sequential()}}},
		{"lanes", Contract{Sums: map[string]Schedule{"read": lanes, "output": lanes}}},
		{"chunks", Contract{Chunk: 16, Sums: map[string]Schedule{"matrix": MatrixTiles(), "decay": Sequential()}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				GatedDelta(p, c.Contract)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(tokens*heads*width*width), "ns/element")
		})
	}
}

// BenchmarkGroupedQuery takes blocks of keys, keys one by one, and all keys at once: ns/element is
// by query, key and channel.
func BenchmarkGroupedQuery(b *testing.B) {
	const queries, keys, width = 16, 1024, 256
	r := source("bench", 5)
	p := Attention{T: queries, S: keys, H: 1, Hg: 1, D: width, Scale: 1. / 16}
	p.Q, p.K, p.V = inputs(r, "normal", F32, queries*width), inputs(r, "normal", F32, keys*width),
		inputs(r, "normal", F32, keys*width)
	for _, c := range []struct {
		name   string
		values Schedule
	}{{"blocks", Schedule{Lanes: 4, Block: 32}}, {"keys", Sequential()}, {"any", AnyOrder()}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				GroupedQuery(p, Contract{Sums: map[string]Schedule{"values": c.values, "score": Sequential()}})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(queries*keys*width), "ns/element")
		})
	}
}

func BenchmarkDequantMatvec(b *testing.B) {
	const in, out = 4096, 256
	f, r := Affine{Bits: 4, Group: 64}, source("bench", 2)
	packed := make([]uint32, out*in/8)
	for i := range packed {
		packed[i] = r.Uint32()
	}
	scales, biases, x := inputs(r, "normal", BF16, out*in/64), inputs(r, "normal", BF16, out*in/64),
		inputs(r, "normal", F32, in)
	c := Contract{Sums: map[string]Schedule{"row": Strided(32, 1)}}
	for b.Loop() {
		DequantMatvec(f, packed, scales, biases, x, in, out, c)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(in*out), "ns/element")
}

func BenchmarkMLATile(b *testing.B) {
	p := attention(source("bench", 3), 2, 512, 64, 256, "normal")
	c := Contract{Sums: map[string]Schedule{"score": Strided(32, 1), "denominator": Strided(128, 1),
		"values": Sequential()}}
	for b.Loop() {
		MLATile(p, MLAState{}, [][2]int{{0, 256}}, true, c)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(2*256*512), "ns/element")
}
