package oracles

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The tests below evaluate definitions a second time, as products of whole
// matrices. gonum sums in another order on each architecture, which does for a
// comparison to 1e-12; an oracle's wants are printed and judged by, and have to
// have the same bits everywhere.

// elements are those of a matrix, row by row.
func elements(m *mat.Dense) []float64 { return m.RawMatrix().Data }

func TestMatVecAsMatrixProduct(t *testing.T) {
	const tokens, in, out = 3, 70, 5
	r := source("matrices", 1)
	w, x := inputs(r, "wide", BF16, out*in), inputs(r, "wide", F32, tokens*in)
	var want mat.Dense
	want.Mul(mat.NewDense(tokens, in, x), mat.NewDense(out, in, w).T())
	agree(t, "out", MatVec(w, x, in, out, Contract{}).Want, elements(&want))
}

func TestDequantMatvecAsMatrixProduct(t *testing.T) {
	const tokens, in, out = 3, 128, 5
	r := source("matrices", 2)
	f := Affine{Bits: 4, Group: 32}
	w, x := randomWeights(r, "normal", f, in, out), inputs(r, "normal", F32, tokens*in)
	decoded := mat.NewDense(out, in, GatherRows(f, w, []uint32{0, 1, 2, 3, 4}, in, Contract{}).Want)
	var want mat.Dense
	want.Mul(mat.NewDense(tokens, in, x), decoded.T())
	agree(t, "out", DequantMatvec(f, w.Packed, w.Scales, w.Biases, x, in, out, Contract{}).Want, elements(&want))
}

// TestGroupedQueryAsMatrixProduct is softmax(scale·Q·Kᵀ)·V of one head.
func TestGroupedQueryAsMatrixProduct(t *testing.T) {
	r := source("matrices", 3)
	p := Attention{T: 6, S: 40, H: 1, Hg: 1, D: 16, Causal: true, Start: 20, Scale: 0.3}
	p.Q, p.K, p.V = inputs(r, "normal", F32, p.T*p.D), inputs(r, "normal", F32, p.S*p.D),
		inputs(r, "normal", F32, p.S*p.D)
	var weights, want mat.Dense
	weights.Mul(mat.NewDense(p.T, p.D, p.Q), mat.NewDense(p.S, p.D, p.K).T())
	for q := range p.T {
		row := weights.RawRowView(q)
		var sum float64
		for pos, s := range row {
			row[pos] = math.Exp(p.Scale * s)
			if pos > p.Start+q {
				row[pos] = 0
			}
			sum += row[pos]
		}
		for pos := range row {
			row[pos] /= sum
		}
	}
	want.Mul(&weights, mat.NewDense(p.S, p.D, p.V))
	agree(t, "out", GroupedQuery(p, Contract{}).Want, elements(&want))
}

// TestGatedDeltaAsMatrixProduct is S ← α·S·(I − β·k·kᵀ) + β·v·kᵀ, o = S·q.
func TestGatedDeltaAsMatrixProduct(t *testing.T) {
	p := delta(source("matrices", 4), 30, 1, 1, 12, 5, decayFamilies["half"], 1)
	p.Seqs, p.State = 1, p.State[:p.Dv*p.Dk]
	state := mat.NewDense(p.Dv, p.Dk, append([]float64(nil), p.State...))
	var want []float64
	for token := range p.T {
		k, q := mat.NewVecDense(p.Dk, p.K[token*p.Dk:(token+1)*p.Dk]),
			mat.NewVecDense(p.Dk, p.Q[token*p.Dk:(token+1)*p.Dk])
		v := mat.NewVecDense(p.Dv, p.V[token*p.Dv:(token+1)*p.Dv])
		beta := p.Beta[token]
		forget := mat.NewDense(p.Dk, p.Dk, nil)
		forget.Outer(-beta, k, k)
		for i := range p.Dk {
			forget.Set(i, i, 1+forget.At(i, i))
		}
		var next, o mat.Dense
		next.Mul(state, forget)
		next.Scale(p.Decay[token], &next)
		var added mat.Dense
		added.Outer(beta, v, k)
		state.Add(&next, &added)
		o.Mul(state, q)
		want = append(want, elements(&o)...)
	}
	output, after := GatedDelta(p, Contract{})
	agree(t, "output", output.Want, want)
	agree(t, "state", after.Want, elements(state))
}

func TestChunkInverseAsMatrixInverse(t *testing.T) {
	p := Chunks{B: 1, T: 16, Hg: 1, H: 1, K: 8, V: 8, BT: 16}
	a := make([]float64, p.T*p.BT)
	r := source("matrices", 5)
	whole := mat.NewDense(p.BT, p.BT, nil)
	for i := range p.BT {
		whole.Set(i, i, 1)
		for j := range i {
			a[i*p.BT+j] = r.NormFloat64() / 2
			whole.Set(i, j, a[i*p.BT+j])
		}
	}
	var want mat.Dense
	if err := want.Inverse(whole); err != nil {
		t.Fatal(err)
	}
	agree(t, "X", ChunkInverse(a, p, Contract{}).Want, elements(&want))
}

// TestLargestGain compares the bound of ‖A‖₂ with the largest singular value.
func TestLargestGain(t *testing.T) {
	r := source("gain", 1)
	tests := [][][]float64{
		{{3, 0}, {0, 4}}, {{1, 1}, {1, 1}}, {{1, 2, 2}}, {{0, 0}}, {{1e-30, 0}, {0, 2e-30}, {0, 0}},
	}
	for _, shape := range [][2]int{{1, 9}, {7, 7}, {64, 32}, {16, 128}} {
		rows := make([][]float64, shape[0])
		for i := range rows {
			rows[i] = inputs(r, "normal", F32, shape[1])
		}
		tests = append(tests, rows)
	}
	for _, rows := range tests {
		a := mat.NewDense(len(rows), len(rows[0]), nil)
		for i, row := range rows {
			a.SetRow(i, row)
		}
		var svd mat.SVD
		if !svd.Factorize(a, mat.SVDNone) {
			t.Fatalf("no singular values of %v", rows)
		}
		want, n := svd.Values(nil)[0], float64(min(len(rows), len(rows[0])))
		got := largestGain(rows)
		if !(got >= want*(1-1e-12) && got <= want*math.Pow(n, 1.0/64)*(1+1e-5)) {
			t.Errorf("%d×%d: largestGain is %g, want %g and at most n^{1/64} times that", len(rows), len(rows[0]), got,
				want)
		}
	}
}
