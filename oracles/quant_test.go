package oracles

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// randomWeights are a quantised matrix of an adversarial family.
func randomWeights(r *rand.Rand, family string, f Affine, in, out int) Weights {
	w := Weights{Packed: make([]uint32, out*in/f.PerWord())}
	for i := range w.Packed {
		w.Packed[i] = r.Uint32()
	}
	w.Scales, w.Biases = inputs(r, family, BF16, out*in/f.Group), inputs(r, family, BF16, out*in/f.Group)
	return w
}

// groups32 adds whole groups, each multiplied out in one of the associations.
func groups32(f Affine, w Weights, x []float32, in, out int, s Schedule, group association, acc rounding) []float32 {
	var y []float32
	groups := in / f.Group
	for r := range out {
		terms := make([]float32, groups)
		for g := range groups {
			q := make([]float32, f.Group)
			for j := range q {
				at := r*in + g*f.Group + j
				q[j] = float32(f.Value(w.Packed[at/f.PerWord()], at%f.PerWord()))
			}
			terms[g] = group(q, float32(w.Scales[r*groups+g]), float32(w.Biases[r*groups+g]),
				x[g*f.Group:(g+1)*f.Group])
		}
		y = append(y, sum32(s, terms, acc))
	}
	return y
}

// running32 has lanes that stride over groups and add value by value.
func running32(f Affine, w Weights, x []float32, in, out, lanes int) []float32 {
	var y []float32
	groups := in / f.Group
	for r := range out {
		sums := make([]float32, lanes)
		for i := range in {
			g, at := i/f.Group, r*in+i
			q := float32(f.Value(w.Packed[at/f.PerWord()], at%f.PerWord()))
			weight := float32(q*float32(w.Scales[r*groups+g])) + float32(w.Biases[r*groups+g])
			sums[g%lanes] += float32(weight * x[i])
		}
		y = append(y, sum32(Strided(32, 1), sums, single))
	}
	return y
}

func TestGroupBudget(t *testing.T) {
	associations := map[string]association{"q·s+b first": affineFirst, "sums first": sumsFirst,
		"s·x first": scaledFirst}
	const in, out = 1024, 5
	for _, family := range families {
		for _, f := range []Affine{{Bits: 4, Group: 64}, {Bits: 4, Group: 8}, {Bits: 8, Group: 256},
			{Bits: 2, Group: 32}} {
			for _, s := range []Schedule{Sequential(), Strided(64, 1)} {
				name := fmt.Sprintf("%s/bits=%d/group=%d/%s", family, f.Bits, f.Group, s)
				r := source(name, f.Bits)
				w, x := randomWeights(r, family, f, in, out), inputs(r, family, F32, in)
				c := Contract{Sums: map[string]Schedule{"groups": s}}
				a := DequantMatvec(f, w.Packed, w.Scales, w.Biases, x, in, out, c)
				for how, group := range associations {
					within(t, name+" "+how, a, groups32(f, w, narrow(x), in, out, s, group, single))
				}
				within(t, name+" value by value", a, running32(f, w, narrow(x), in, out, max(s.Lanes, 1)))
				if family == "integers" {
					for i := range a.Want {
						if a.Bound(i) != 0 {
							t.Errorf("%s: bound of an exact sum is %g", name, a.Bound(i))
						}
					}
				}
				if family == "normal" {
					beyond(t, name+" bf16 sums", a, groups32(f, w, narrow(x), in, out, s, affineFirst, bfloat))
				}
			}
		}
	}
}

// TestWordsAndGroupsAgree: the blocks of a sum change its bound, not its value.
func TestWordsAndGroupsAgree(t *testing.T) {
	f := Affine{Bits: 4, Group: 32}
	r := source("blocks", 1)
	w, x := randomWeights(r, "normal", f, 96, 3), inputs(r, "normal", F32, 2*96)
	words := DequantMatvec(f, w.Packed, w.Scales, w.Biases, x, 96, 3, Contract{})
	groups := DequantMatvec(f, w.Packed, w.Scales, w.Biases, x, 96, 3,
		Contract{Sums: map[string]Schedule{"groups": Sequential()}})
	experts := DequantExperts(f, []Expert{{w, x[:96]}, {w, x[96:]}}, 96, 3, Contract{})
	for i, want := range words.Want {
		if groups.Want[i] != want || experts.Want[i] != want {
			t.Errorf("out[%d] = %v by words, %v by groups, %v by experts", i, want, groups.Want[i], experts.Want[i])
		}
		if experts.Bound(i) != words.Bound(i) {
			t.Errorf("bound of out[%d] = %v, by experts %v", i, words.Bound(i), experts.Bound(i))
		}
	}
}

func TestGatherRowsInRationals(t *testing.T) {
	f := Affine{Bits: 4, Group: 16}
	const dim, rows = 48, 5
	r := source("gather", 1)
	for _, family := range families {
		w := randomWeights(r, family, f, dim, rows)
		tokens := []uint32{4, 0, 2, 2}
		a := GatherRows(f, w, tokens, dim, Contract{})
		got, fused, scaled := make([]float32, len(a.Want)), make([]float32, len(a.Want)), make([]float32, len(a.Want))
		for i := range a.Want {
			at := int(tokens[i/dim])*dim + i%dim
			q := w.Packed[at/8] >> (4 * (at % 8)) & 15
			s, b := w.Scales[at/16], w.Biases[at/16]
			y := new(big.Rat).Mul(big.NewRat(int64(q), 1), new(big.Rat).SetFloat64(s))
			want, _ := y.Add(y, new(big.Rat).SetFloat64(b)).Float64()
			if a.Want[i] != want {
				t.Errorf("%s: out[%d] = %v, want %v", family, i, a.Want[i], want)
			}
			got[i] = float32(float32(q)*float32(s)) + float32(b)
			fused[i] = fma32(float32(q), float32(s), float32(b))
			scaled[i] = bfloat(got[i])
		}
		within(t, family, a, got)
		within(t, family+" fused", a, fused)
		if family == "normal" {
			beyond(t, family+" in bf16", a, scaled)
		}
	}
}

// halved32 is a row by lanes that stride over it and a tree.
func halved32(w, x []float32, lanes int, acc rounding) float32 {
	sums := make([]float32, lanes)
	for i := range w {
		sums[i%lanes] = acc(sums[i%lanes] + float32(w[i]*x[i]))
	}
	for half := lanes / 2; half > 0; half /= 2 {
		for i := range half {
			sums[i] = acc(sums[i] + sums[i+half])
		}
	}
	return sums[0]
}

func TestMatVecBudget(t *testing.T) {
	const out, tokens = 3, 2
	c := Contract{Sums: map[string]Schedule{"row": Halved(64)}}
	for _, family := range families {
		for _, in := range []int{1, 63, 65, 700} {
			name := fmt.Sprintf("%s/in=%d", family, in)
			r := source(name, in)
			w, x := inputs(r, family, BF16, out*in), inputs(r, family, F32, tokens*in)
			a := MatVec(w, x, in, out, c)
			var faithful, faulty []float32
			for i := range a.Want {
				row, input := w[i%out*in:(i%out+1)*in], x[i/out*in:(i/out+1)*in]
				faithful = append(faithful, halved32(narrow(row), narrow(input), 64, single))
				faulty = append(faulty, halved32(narrow(row), narrow(input), 64, bfloat))
				sum := new(big.Rat)
				for j := range row {
					sum.Add(sum, new(big.Rat).Mul(new(big.Rat).SetFloat64(row[j]), new(big.Rat).SetFloat64(input[j])))
				}
				want, _ := sum.Float64()
				if math.Abs(a.Want[i]-want) > 1e-13*math.Abs(want) {
					t.Errorf("%s: out[%d] = %v, want %v", name, i, a.Want[i], want)
				}
				if family == "integers" && a.Bound(i) != 0 {
					t.Errorf("%s: bound of an exact sum is %g", name, a.Bound(i))
				}
			}
			within(t, name, a, faithful)
			if family == "normal" && in > 1 {
				beyond(t, name+" bf16 sums", a, faulty)
			}
		}
	}
}

// TestTreeIsSharper: the bound of a tree is below that of the same lanes in any
// order, or declaring it would be pointless.
func TestTreeIsSharper(t *testing.T) {
	r := source("tree", 1)
	w, x := inputs(r, "normal", BF16, 256), inputs(r, "normal", F32, 256)
	tree := MatVec(w, x, 256, 1, Contract{Sums: map[string]Schedule{"row": Halved(256)}})
	open := MatVec(w, x, 256, 1, Contract{Sums: map[string]Schedule{"row": {Lanes: 256}}})
	if !(tree.Bound(0) < open.Bound(0)/8) {
		t.Errorf("the bound is %g by a tree, %g in any order", tree.Bound(0), open.Bound(0))
	}
}

// unlucky sets the leaves of a tree of halves whose root is mantissa·2^exponent,
// so that as many additions as can be are ties rounded up: an even number is
// the tie between itself and the one below, and its parts are an even and an
// odd number; an odd one is an exact sum of two even ones.
func unlucky(leaves []float64, i, n int, mantissa float64, exponent int) {
	if n == len(leaves) {
		leaves[i] = math.Ldexp(mantissa, exponent)
		return
	}
	left, right := mantissa, mantissa-1
	if math.Mod(mantissa, 2) == 1 {
		left++
	}
	unlucky(leaves, i, 2*n, left, exponent-1)
	unlucky(leaves, i+n, 2*n, right, exponent-1)
}

// TestTreeBoundIsNear has a tree of unlucky roundings: its error is within the
// bound, and more than half of it.
func TestTreeBoundIsNear(t *testing.T) {
	x, ones := make([]float64, 256), make([]float64, 256)
	for i := range ones {
		ones[i] = 1
	}
	unlucky(x, 0, 1, 1<<23+1000, -23)
	a := MatVec(ones, x, 256, 1, Contract{Sums: map[string]Schedule{"row": Halved(256)}, Subnormals: Kept})
	if over := worst(a, []float32{halved32(narrow(ones), narrow(x), 256, single)}); !(0.5 < over && over <= 1) {
		t.Errorf("the error is %.3g of its bound, want more than half of it", over)
	}
}

func TestNonFiniteMatVec(t *testing.T) {
	r := source("matvec", 1)
	w, x := inputs(r, "normal", BF16, 3*70), inputs(r, "normal", F32, 70)
	spoiled(map[string][]float64{"w": w, "x": x}, func(name string) {
		var got []float32
		for i := range 3 {
			got = append(got, halved32(narrow(w[i*70:(i+1)*70]), narrow(x), 64, single))
		}
		strict(t, name, MatVec(w, x, 70, 3, Contract{Sums: map[string]Schedule{"row": Halved(64)}}), got)
	})
}

// gateUp32 evaluates the fused kernel group by group.
func gateUp32(f Affine, gate, up Weights, x []float32, in, out int, silu func(float32) float32,
	acc rounding) []float32 {
	s := Strided(64, 1)
	g := groups32(f, gate, x, in, out, s, sumsFirst, single)
	u := groups32(f, up, x, in, out, s, sumsFirst, acc)
	for i := range g {
		g[i] = silu(g[i]) * u[i]
	}
	return g
}

func silu32(z float32) float32 { return z / (1 + exp32(-z)) }

// siluHigh has an exponential four ulp too large.
func siluHigh(z float32) float32 {
	e := exp32(-z)
	for range 4 {
		e = math.Nextafter32(e, float32(math.Inf(1)))
	}
	return z / (1 + e)
}

func TestGateUpSwiGLUBudget(t *testing.T) {
	f := Affine{Bits: 4, Group: 64}
	const in, out = 512, 6
	c := Contract{Sums: map[string]Schedule{"groups": Strided(64, 1)}}
	for _, family := range families {
		for _, scale := range []float64{1.0 / 1024, 1.0 / 64, 1, 64} {
			name := fmt.Sprintf("%s/scale=%g", family, scale)
			r := source(name, 1)
			gate, up := randomWeights(r, family, f, in, out), randomWeights(r, family, f, in, out)
			for i := range gate.Scales {
				gate.Scales[i] = BF16.Round(gate.Scales[i] * scale)
				gate.Biases[i] = BF16.Round(gate.Biases[i] * scale)
			}
			x := inputs(r, family, F32, in)
			a := GateUpSwiGLU(f, gate, up, x, in, out, c)
			for i := range a.Want {
				if math.IsNaN(a.Bound(i)) {
					t.Errorf("%s: bound of out[%d] is NaN", name, i)
				}
			}
			within(t, name, a, gateUp32(f, gate, up, narrow(x), in, out, silu32, single))
			within(t, name+" exp high", a, gateUp32(f, gate, up, narrow(x), in, out, siluHigh, single))
			if family == "normal" && scale < 1 {
				beyond(t, name+" bf16", a, gateUp32(f, gate, up, narrow(x), in, out, silu32, bfloat))
				beyond(t, name+" sigmoid", a, gateUp32(f, gate, up, narrow(x), in, out,
					func(z float32) float32 { return silu32(z) / z }, single))
			}
		}
	}
}

// TestSiluNear evaluates silu at numbers within the error of an operand: the
// bound has to hold, but narrowly.
func TestSiluNear(t *testing.T) {
	m := Contract{}.arithmetic()
	r := rand.New(rand.NewPCG(5, 5))
	sharpest := 0.0
	for range 20000 {
		z := 30 * r.NormFloat64()
		e := math.Abs(z) * math.Ldexp(r.Float64(), -r.IntN(24))
		y := m.silu(bounded(z, e))
		want := z / (1 + math.Exp(-z))
		for _, at := range []float64{z - e, z, z + e} {
			at32 := float32(at)
			if math.Abs(float64(at32)-z) > e {
				continue
			}
			diff := math.Abs(float64(silu32(at32)) - want)
			if !(diff <= y.e) {
				t.Fatalf("silu(%v) at %v is %g off, bound %g", z, at32, diff, y.e)
			}
			sharpest = max(sharpest, diff/y.e)
		}
	}
	if sharpest < 0.8 {
		t.Errorf("no error comes nearer to its bound than %.2g of it", sharpest)
	}
	for _, z := range []float64{-1e4, -104, -89, -88.7, 88.7, 1e4, 1e38, -1e38} {
		z = F32.Round(z)
		y := m.silu(exactly(z))
		if diff := math.Abs(float64(silu32(float32(z))) - z/(1+math.Exp(-z))); !(diff <= y.e) ||
			!(y.e <= 1e-5*math.Max(math.Abs(z), 1)) {
			t.Errorf("silu(%v) is %g off, bound %g", z, diff, y.e)
		}
	}
}

func TestNonFiniteGateUpSwiGLU(t *testing.T) {
	f := Affine{Bits: 4, Group: 32}
	const in, out = 128, 4
	r := source("gate", 1)
	gate, up, x := randomWeights(r, "normal", f, in, out), randomWeights(r, "normal", f, in, out),
		inputs(r, "normal", F32, in)
	arrays := map[string][]float64{"x": x, "gate scales": gate.Scales, "gate biases": gate.Biases,
		"up scales": up.Scales, "up biases": up.Biases}
	spoiled(arrays, func(name string) {
		a := GateUpSwiGLU(f, gate, up, x, in, out, Contract{Sums: map[string]Schedule{"groups": Strided(64, 1)}})
		strict(t, name, a, gateUp32(f, gate, up, narrow(x), in, out, silu32, single))
	})
}
