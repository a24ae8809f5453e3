package oracles

import (
	"math"
	"math/rand/v2"
)

// The kernels below are plain f32 evaluations in a declared schedule: what a
// conforming shader does, in Go. acc rounds what an accumulator holds after
// each addition; the faithful one is single, and bfloat is a breach of contract.

type rounding func(float32) float32

func single(x float32) float32 { return x }
func bfloat(x float32) float32 { return float32(BF16.Round(float64(x))) }

// worst is the largest error of got as a fraction of its bound.
func worst(a Answer, got []float32) float64 {
	var over float64
	for i, want := range a.Want {
		g, bound := float64(got[i]), a.Bound(i)
		switch {
		case math.IsInf(bound, 1):
		case math.IsNaN(bound):
			if finite(g) {
				return math.Inf(1)
			}
		case !finite(want) || !finite(g):
			if !(g == want || math.IsNaN(g) && math.IsNaN(want)) {
				return math.Inf(1)
			}
		case g != want:
			over = max(over, math.Abs(g-want)/bound)
		}
	}
	return over
}

// narrow is x in f32.
func narrow(x []float64) []float32 {
	y := make([]float32, len(x))
	for i, v := range x {
		y[i] = float32(v)
	}
	return y
}

// inputs are n numbers of an adversarial family, exact in the format.
func inputs(r *rand.Rand, family string, f Format, n int) []float64 {
	x := make([]float64, n)
	top := 0
	if family == "huge" {
		top = hugest(r)
	}
	for i := range x {
		switch family {
		case "normal":
			x[i] = r.NormFloat64()
		case "positive":
			x[i] = 0.5 + r.Float64()
		case "wide":
			x[i] = math.Ldexp(r.NormFloat64(), r.IntN(41)-20)
		case "cancelling":
			x[i] = 1000 * r.NormFloat64()
			if i%2 == 1 {
				x[i] = -x[i-1] * (1 + 1e-5*r.NormFloat64())
			}
		case "integers":
			x[i] = float64(r.IntN(9) - 4)
		case "subnormal":
			x[i] = math.Ldexp(r.NormFloat64(), -126-r.IntN(12))
		case "huge": // up to a largest exponent that is drawn for all of them
			x[i] = math.Copysign(math.Ldexp(1+0.9*r.Float64(), top-r.IntN(30)), r.NormFloat64())
		case "zeros":
		}
		x[i] = f.Round(x[i])
	}
	return x
}

// hugest is the exponent of the largest of huge numbers, one of the last eight half of
// the time.
func hugest(r *rand.Rand) int {
	if r.IntN(2) == 0 {
		return 127 - r.IntN(8)
	}
	return r.IntN(128)
}

// stretched multiplies half of the arrays by powers of two if the family is "huge",
// so that their largest elements come near the largest number.
func stretched(r *rand.Rand, family string, arrays ...[]float64) {
	for _, x := range arrays {
		if family != "huge" || r.IntN(2) == 0 {
			continue
		}
		_, largest, _ := extremes(x)
		by := hugest(r) - 1 - exponent(largest)
		for i := range x {
			x[i] = F32.Round(math.Ldexp(x[i], by))
		}
	}
}

var families = []string{"normal", "positive", "wide", "cancelling", "integers", "subnormal", "zeros"}

func exp32(x float32) float32   { return float32(math.Exp(float64(x))) }
func log32(x float32) float32   { return float32(math.Log(float64(x))) }
func rsqrt32(x float32) float32 { return float32(1 / math.Sqrt(float64(x))) }

// sum32 adds terms in the order of s, groups and lanes in ascending order.
func sum32(s Schedule, terms []float32, acc rounding) float32 {
	lanes, block, simd := max(s.Lanes, 1), max(s.Block, 1), max(s.Simd, 1)
	sums := make([]float32, lanes)
	for l, rest := 0, terms; len(rest) > 0; l = (l + 1) % lanes {
		n := min(block, len(rest))
		if lanes == 1 {
			n = len(rest)
		}
		for _, t := range rest[:n] {
			sums[l] = acc(sums[l] + t)
		}
		rest = rest[n:]
	}
	var total float32
	for len(sums) > 0 {
		n := min(simd, len(sums))
		var group float32
		for _, x := range sums[:n] {
			group = acc(group + x)
		}
		total, sums = acc(total+group), sums[n:]
	}
	return total
}

// dot32 is Σ aᵢ·bᵢ, fused or not.
func dot32(s Schedule, a, b []float32, acc rounding) float32 {
	terms := make([]float32, len(a))
	for i, x := range a {
		terms[i] = x * b[i]
	}
	return sum32(s, terms, acc)
}

func rmsNorm32(x, weight []float32, eps float32, s Schedule, acc rounding) []float32 {
	out := make([]float32, len(x))
	n := len(weight)
	for first := 0; first < len(x); first += n {
		row := x[first : first+n]
		mean := dot32(s, row, row, acc) / float32(n)
		r := rsqrt32(mean + eps)
		for i, w := range weight {
			out[first+i] = float32(row[i]*r) * w
		}
	}
	return out
}

// association is one of the ways to multiply a word out.
type association func(q []float32, s, b float32, x []float32) float32

func affineFirst(q []float32, s, b float32, x []float32) (sum float32) {
	for j := range q {
		w := float32(q[j]*s) + b
		sum += float32(w * x[j])
	}
	return sum
}

func sumsFirst(q []float32, s, b float32, x []float32) float32 {
	var qx, sx float32
	for j := range q {
		qx += float32(q[j] * x[j])
		sx += x[j]
	}
	return float32(s*qx) + float32(b*sx)
}

func scaledFirst(q []float32, s, b float32, x []float32) (sum float32) {
	for j := range q {
		sx, bx := float32(s*x[j]), float32(b*x[j])
		sum += float32(q[j]*sx) + bx
	}
	return sum
}

func matvec32(f Affine, packed []uint32, scales, biases, x []float32, in, out int, s Schedule, word association,
	acc rounding) []float32 {
	var y []float32
	words, groups := in/f.PerWord(), in/f.Group
	for t := range len(x) / in {
		for r := range out {
			terms := make([]float32, words)
			for w := range words {
				q := make([]float32, f.PerWord())
				for j := range q {
					q[j] = float32(f.Value(packed[r*words+w], j))
				}
				g := r*groups + w*f.PerWord()/f.Group
				first := t*in + w*f.PerWord()
				terms[w] = word(q, scales[g], biases[g], x[first:first+f.PerWord()])
			}
			y = append(y, sum32(s, terms, acc))
		}
	}
	return y
}

// matvecByValue32 has 32 lanes that stride over words and add value by value.
func matvecByValue32(f Affine, packed []uint32, scales, biases, x []float32, in, out int) []float32 {
	var y []float32
	words, groups := in/f.PerWord(), in/f.Group
	for t := range len(x) / in {
		for r := range out {
			lanes := make([]float32, 32)
			for w := range words {
				g := r*groups + w*f.PerWord()/f.Group
				for j := range f.PerWord() {
					q, v := float32(f.Value(packed[r*words+w], j)), x[t*in+w*f.PerWord()+j]
					lanes[w%32] += float32(q*float32(scales[g]*v)) + float32(biases[g]*v)
				}
			}
			var total float32
			for _, l := range lanes {
				total += l
			}
			y = append(y, total)
		}
	}
	return y
}

// attend32 is online softmax over tiles; state is (m, l, V) by head.
func attend32(p MLA, prior MLAState, tiles [][2]int, first bool, c Contract,
	acc rounding) (maximum, denom, values []float32) {
	f := p.fold(c.Sum("score"))
	maximum, denom, values = narrow(prior.Max), narrow(prior.Denom), narrow(prior.Values)
	if first {
		maximum, denom, values = make([]float32, p.Heads), make([]float32, p.Heads), make([]float32, p.Heads*p.Rank)
		for h := range maximum {
			maximum[h] = float32(math.Inf(-1))
		}
	}
	keys := make([][]float32, len(p.RopeK)/p.Rope)
	for pos := range keys {
		keys[pos] = narrow(f.key(pos))
	}
	for h := range p.Heads {
		query := narrow(f.query(h))
		for _, t := range tiles {
			if t[0] == t[1] {
				continue
			}
			largest := float32(math.Inf(-1))
			var scores []float32
			for pos := t[0]; pos < t[1]; pos++ {
				s := float32(p.Scale) * dot32(c.Sum("score"), query, keys[pos], acc)
				scores, largest = append(scores, s), max(largest, s)
			}
			for i, s := range scores {
				scores[i] = exp32(s - largest)
			}
			m := max(maximum[h], largest)
			carried, added := exp32(maximum[h]-m), exp32(largest-m)
			denom[h] = float32(denom[h]*carried) + float32(sum32(c.Sum("denominator"), scores, acc)*added)
			for i := range p.Rank {
				terms := make([]float32, len(scores))
				for j, w := range scores {
					terms[j] = w * float32(p.Latent[(t[0]+j)*p.Rank+i])
				}
				v := &values[h*p.Rank+i]
				*v = float32(*v*carried) + float32(sum32(c.Sum("values"), terms, acc)*added)
			}
			maximum[h] = m
		}
	}
	return maximum, denom, values
}

// delta32 is the recurrence token by token; fault tells which mistake to make.
func delta32(p DeltaNet, c Contract, fault string, acc rounding) (output, state []float32) {
	output = make([]float32, p.Seqs*p.T*p.Hv*p.Dv)
	state = narrow(p.State)
	for seq := range p.Seqs {
		for h := range p.Hv {
			d := p.head(seq, h, c)
			if fault == "block mapping" {
				wrong := p
				wrong.Mapping = BlockHeads
				d = wrong.head(seq, h, c)
			}
			keys, queries := narrowRows(d.k), narrowRows(d.q)
			for i := range p.Dv {
				s := state[d.stateIndex(i) : d.stateIndex(i)+p.Dk]
				for t := range p.T {
					k, q, beta := keys[t], queries[t], float32(d.beta[t])
					alpha := float32(d.alpha[t].v)
					read := func() float32 { return dot32(c.Sum("read"), s, k, acc) }
					var r float32
					if fault == "decay after the read" {
						r = read()
					}
					for j := range s {
						if fault != "no decay" {
							s[j] *= alpha
						}
					}
					if fault != "decay after the read" {
						r = read()
					}
					b := beta * (float32(p.V[d.tokenIndex(t, i)]) - r)
					for j := range s {
						s[j] = acc(s[j] + float32(b*k[j]))
					}
					output[d.tokenIndex(t, i)] = dot32(c.Sum("output"), s, q, acc)
				}
			}
		}
	}
	return output, state
}

// deltaChunk32 is the recurrence by chunks, as its budget describes it.
func deltaChunk32(p DeltaNet, c Contract, acc rounding) (output, state []float32) {
	output = make([]float32, p.Seqs*p.T*p.Hv*p.Dv)
	state = narrow(p.State)
	for seq := range p.Seqs {
		for h := range p.Hv {
			d := p.head(seq, h, c)
			for first := 0; first < p.T; first += c.Chunk {
				d.chunk32(c, first, min(c.Chunk, p.T-first), output, state, acc)
			}
		}
	}
	return output, state
}

func (d *deltaHead) chunk32(c Contract, first, n int, output, state []float32, acc rounding) {
	matrix := c.Sum("matrix")
	cumulative := make([]float32, n)
	var total float32
	k, q := narrowRows(d.k[first:first+n]), narrowRows(d.q[first:first+n])
	gamma, kk, kq := make([][]float32, n), make([][]float32, n), make([][]float32, n) // up to the diagonal
	for l := range n {
		total += log32(max(float32(d.alpha[first+l].v), LeastDecay))
		cumulative[l] = total
		for j := range l + 1 {
			gamma[l] = append(gamma[l], exp32(cumulative[l]-cumulative[j]))
			kk[l], kq[l] = append(kk[l], dot32(matrix, k[j], k[l], acc)), append(kq[l], dot32(matrix, k[j], q[l], acc))
		}
	}
	for i := range d.Dv {
		s := state[d.stateIndex(i) : d.stateIndex(i)+d.Dk]
		u := make([]float32, n)
		for l := range n {
			beta := float32(d.beta[first+l])
			lead := exp32(cumulative[l])
			u[l] = float32(beta*float32(d.V[d.tokenIndex(first+l, i)])) -
				float32(float32(beta*lead)*dot32(matrix, s, k[l], acc))
			for j := range l {
				u[l] = acc(u[l] - float32(float32(float32(beta*gamma[l][j])*kk[l][j])*u[j]))
			}
			o := lead * dot32(matrix, s, q[l], acc)
			for j := range l + 1 {
				o = acc(o + float32(float32(gamma[l][j]*kq[l][j])*u[j]))
			}
			output[d.tokenIndex(first+l, i)] = o
		}
		carried := exp32(cumulative[n-1])
		for x := range s {
			s[x] *= carried
			for j := range n {
				s[x] = acc(s[x] + float32(float32(gamma[n-1][j]*u[j])*k[j][x]))
			}
		}
	}
}
