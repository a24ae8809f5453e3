package oracles

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// byChunks is one row of the gated delta rule for chunks of c tokens, by linear
// algebra: each chunk solves (I + A)·U = B in one go, with decays as quotients of
// products, and shares nothing with the recurrence. magnitude is the largest number
// that was added up, and gain the largest norm of an inverse.
func byChunks(d *deltaHead, i, c int) (outputs, state []float64, magnitude, gain float64) {
	s := mat.NewVecDense(d.Dk, slices.Clone(d.row(i)))
	for first := 0; first < d.T; first += c {
		n := min(c, d.T-first)
		k, q := mat.NewDense(n, d.Dk, nil), mat.NewDense(n, d.Dk, nil)
		lead := make([]float64, n)
		product := 1.0
		for l := range n {
			k.SetRow(l, d.k[first+l])
			q.SetRow(l, d.q[first+l])
			product *= d.alpha[first+l].v
			lead[l] = product
		}
		var kk, qk mat.Dense
		kk.Mul(k, k.T())
		qk.Mul(q, k.T())
		var sk, sq mat.VecDense
		sk.MulVec(k, s)
		sq.MulVec(q, s)
		a, p, b := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil), mat.NewVecDense(n, nil)
		for l := range n {
			beta := d.beta[first+l]
			b.SetVec(l, beta*(d.V[d.tokenIndex(first+l, i)]-float64(lead[l]*sk.AtVec(l))))
			for j := range l + 1 {
				decay := lead[l] / lead[j]
				p.Set(l, j, decay*qk.At(l, j))
				if a.Set(l, j, beta*decay*kk.At(l, j)); j == l {
					a.Set(l, l, 1)
				}
			}
		}
		var inverse mat.Dense
		if err := inverse.Inverse(a); err != nil {
			panic(err)
		}
		var u, o mat.VecDense
		u.MulVec(&inverse, b)
		o.MulVec(p, &u)
		next := mat.NewVecDense(d.Dk, nil)
		next.ScaleVec(lead[n-1], s)
		for l := range n {
			outputs = append(outputs, float64(lead[l]*sq.AtVec(l))+o.AtVec(l))
			next.AddScaledVec(next, lead[n-1]/lead[l]*u.AtVec(l), k.RowView(l))
		}
		magnitude = max(magnitude, mat.Norm(b, 2), mat.Norm(&u, 2), mat.Norm(s, 2), mat.Norm(next, 2))
		gain = max(gain, mat.Norm(&inverse, 2), mat.Norm(p, 2))
		s = next
	}
	return outputs, append([]float64(nil), s.RawVector().Data...), magnitude, gain
}

// TestChunksAreTheRecurrence compares the two forms of the delta rule in float64: the
// wants by which kernels that work by chunks are judged are those of the recurrence.
//
// A chunk makes sums of up to Dk + C numbers, which pass the inverse and P, so that it
// errs by at most 4(Dk + C)·u·gain²·magnitude, and the recurrence by less; errors of
// T/C chunks add, for nothing grows where |1 − β‖k‖²| ≤ 1.
func TestChunksAreTheRecurrence(t *testing.T) {
	for _, test := range []struct {
		decays []float64
		keys   float64
	}{{[]float64{1}, 1}, {[]float64{0.9, 0.99}, 1}, {[]float64{0.5, 1, 0.03}, 1}, {[]float64{0.999}, 1.4},
		{[]float64{0.8}, 0.1}} {
		for _, c := range []int{1, 7, 16, 64} {
			if testing.Short() && c != 7 {
				continue
			}
			const tokens, dk, dv = 150, 32, 2
			p := delta(source("forms", c), tokens, 1, 2, dk, dv, test.decays, test.keys)
			o, state := GatedDelta(p, Contract{Chunk: c})
			for h := range p.Hv {
				d := p.head(0, h, Contract{})
				for i := range dv {
					outputs, s, magnitude, gain := byChunks(d, i, c)
					tolerance := float64(4*(dk+c)) * 0x1p-53 * gain * gain * magnitude * float64(tokens/c+1)
					name := fmt.Sprintf("decays %v, keys %g, chunks of %d, row %d of head %d", test.decays, test.keys,
						c, i, h)
					for l, got := range outputs {
						if want := o.Want[d.tokenIndex(l, i)]; !(math.Abs(got-want) <= tolerance) {
							t.Fatalf("%s: output %d is %g, want %g within %g", name, l, got, want, tolerance)
						}
					}
					for j, got := range s {
						if want := state.Want[d.stateIndex(i)+j]; !(math.Abs(got-want) <= tolerance) {
							t.Fatalf("%s: state %d is %g, want %g within %g", name, j, got, want, tolerance)
						}
					}
					if rms := norm(outputs) / math.Sqrt(tokens); tolerance > 1e-8*rms {
						t.Errorf("%s: the tolerance of %.3g says nothing of outputs of %.3g", name, tolerance, rms)
					}
				}
			}
		}
	}
}
