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
			scales, biases, x := inputs(r, family, BF16, out*in/32), inputs(r, family, BF16, out*in/32), inputs(r, family, F32, tokens*in)
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

// TestRMSNormLaws: the mean square of a result with unit weights and no eps is
// 1, and the result does not depend on the scale of x.
func TestRMSNormLaws(t *testing.T) {
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

func TestRepeatTiled(t *testing.T) {
	src := []float64{1, 2, 3, 4, 10, 20, 30, 40} // two tokens of two heads of two channels
	want := []float64{1, 2, 3, 4, 1, 2, 3, 4, 10, 20, 30, 40, 10, 20, 30, 40}
	got := RepeatTiled(src, 2, 2, 4, 2)
	if diff := cmp.Diff(Answer{Want: want, Exact: true}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMapping(t *testing.T) {
	var block, tiled []int
	for h := range 6 {
		block, tiled = append(block, BlockHeads.Head(h, 6, 2)), append(tiled, TiledHeads.Head(h, 6, 2))
	}
	if !slices.Equal(block, []int{0, 0, 0, 1, 1, 1}) || !slices.Equal(tiled, []int{0, 1, 0, 1, 0, 1}) {
		t.Errorf("block %v, tiled %v", block, tiled)
	}
}

// TestMLALaws: neither tiles nor the order of positions matter, and a cache of
// equal rows returns that row.
func TestMLALaws(t *testing.T) {
	const heads, rank, rope, positions = 2, 16, 4, 40
	p := attention(source("laws", 1), heads, rank, rope, positions, "normal")
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

// TestGatedDeltaLaws: a split of the tokens changes nothing, and with β = 0 the
// state only decays.
func TestGatedDeltaLaws(t *testing.T) {
	p := delta(source("laws", 1), 12, 2, 4, 8, 3, decayFamilies["half"], 1)
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

func TestConvOut(t *testing.T) {
	q, k, v := ConvOut([]float64{1, 2, 3, 4, 5, 6, 7, 8}, 2, 1, 2, 1)
	if !slices.Equal(q, []float64{1, 5}) || !slices.Equal(k, []float64{2, 6}) || !slices.Equal(v, []float64{3, 4, 7, 8}) {
		t.Errorf("q %v, k %v, v %v", q, k, v)
	}
}

func TestContractString(t *testing.T) {
	c := Contract{Functions: Fast, Chunk: 16, Sums: map[string]Schedule{
		"row": Strided(32, 1), "a": Sequential(), "m": MatrixTiles(), "x": AnyOrder(), "b": Strided(64, 4)}}
	const want = "f32, fast functions, subnormals may be flushed, a: sequential, b: 64 lanes by blocks of 4, " +
		"m: sequential by 8, row: 32 lanes, x: any order, chunks of 16"
	if got := c.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAccuracies(t *testing.T) {
	const u = 0x1p-24
	tests := []struct {
		name      string
		got, want float64
	}{
		{"precise exp", Precise.Exp(3), 8 * u},
		{"fast exp(3)", Fast.Exp(3), 18 * u}, // 3 + ⌊6⌋ ulp
		{"exp 0", Fast.Exp(0), 0},
		{"precise rsqrt", Precise.Rsqrt(), u},
		{"fast rsqrt", Fast.Rsqrt(), 4 * u},
		{"fast division", Fast.Divide(), 5 * u},
		{"fast log(1.5)", Fast.Log(1.5, math.Log(1.5)), 0x1p-21},
		{"precise log(8)", Precise.Log(8, math.Log(8)), math.Log(8) * 8 * u},
	}
	for _, test := range tests {
		if math.Abs(test.got-test.want) > 1e-20 {
			t.Errorf("%s: %g, want %g", test.name, test.got, test.want)
		}
	}
}

func TestParts(t *testing.T) {
	a := newAnswer(2, "u|y|", "sum")
	a.set(0, 3, 1e-7, 2.5e-7)
	a.set(1, 3, 0, 0)
	if diff := cmp.Diff([]Part{{"u|y|", 1e-7}, {"sum", 2.5e-7}}, a.Parts(0)); diff != "" {
		t.Errorf("parts of a bound (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Part{{"u|y|", 0}, {"sum", 0}}, a.Parts(1)); diff != "" || a.Bound(1) != 0 {
		t.Errorf("parts of a bound of %g (-want +got):\n%s", a.Bound(1), diff)
	}
	if got := (Answer{Exact: true}).Parts(0); len(got) != 0 {
		t.Errorf("an exact answer has the parts %v", got)
	}
}

func BenchmarkGatedDelta(b *testing.B) {
	p := delta(source("bench", 1), 64, 1, 1, 128, 128, decayFamilies["half"], 1)
	p.Seqs = 1
	for _, c := range []struct {
		name string
		Contract
	}{
		{"tokens", Contract{Sums: map[string]Schedule{"read": Sequential(), "output": Sequential()}}},
		{"chunks", Contract{Chunk: 16, Sums: map[string]Schedule{"matrix": MatrixTiles(), "decay": Sequential()}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				GatedDelta(p, c.Contract)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(64*128*128), "ns/element")
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
	scales, biases, x := inputs(r, "normal", BF16, out*in/64), inputs(r, "normal", BF16, out*in/64), inputs(r, "normal", F32, in)
	c := Contract{Sums: map[string]Schedule{"row": Strided(32, 1)}}
	for b.Loop() {
		DequantMatvec(f, packed, scales, biases, x, in, out, c)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(in*out), "ns/element")
}

func BenchmarkMLATile(b *testing.B) {
	p := attention(source("bench", 3), 2, 512, 64, 256, "normal")
	c := Contract{Sums: map[string]Schedule{"score": Strided(32, 1), "denominator": Strided(128, 1), "values": Sequential()}}
	for b.Loop() {
		MLATile(p, MLAState{}, [][2]int{{0, 256}}, true, c)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(2*256*512), "ns/element")
}
