package suite

import (
	"math"
	"slices"

	"metalconform/metalrun"
)

// A definition has 0.001 where a kernel has 1.0f - 0.999f, whose value in f32 is another. Its formula is right if that
// is so for all elements of a case with one choice: all literals are the numbers of their format, or all are those
// that their texts say. A constant computed from literals of the format may be exact, too. Of a literal with many
// digits, such as 1.44269504f for log2 e, the number that is meant is within half a unit of the last digit. Where
// literals are so close to what they stand for, results depend on them to first order:
//
//	x(δ) = x + Σ g_k·δ_k,  |δ_k| ≤ 1,
//
// with the change g_k for half a unit of literal k, up to a part of (Σ g_k·δ_k)²/x. The δ are those that fit all
// elements of a case best (least squares, each element divided by what its formula may be off by): one choice for the
// whole case, which has to fit all of it.

// byText asks a device with the numbers that the texts of literals say, and with constants computed exactly. It
// reports whether the formula is right then, and leaves what the run knows otherwise as it is.
func (t *CaseRun) byText(exact *Exact, run *exactRun, device metalrun.Runner) bool {
	if !slices.ContainsFunc(run.notes, func(n metalrun.Note) bool { return n.Kind == metalrun.Decimal }) {
		return false
	}
	choices := exact.byText(device)
	if len(choices) == 0 {
		return false
	}
	arithmetic := func(literals int) metalrun.Arithmetic {
		return metalrun.Arithmetic{Unanchored: device == exact.Unanchored, Snapped: exact == t.exact.Snapped,
			Literals: literals}
	}
	folded := func(n metalrun.Note) bool { return n.Kind == metalrun.Folded }
	var text exactRun
	for choice, device := range choices[:min(2, len(choices))] {
		if choice > 0 && !slices.ContainsFunc(run.notes, folded) {
			continue
		}
		other, ok := t.withLiterals(run, device, arithmetic(choice+1))
		if !ok {
			return false
		}
		if other.agrees(other.values, t.answers, leniently) {
			*run = other
			return true
		}
		if choice == 0 {
			text = other
		}
	}
	if !t.meant(choices[min(2, len(choices)):], &text) {
		return false
	}
	*run = text
	return true
}

// withLiterals is what is known with a choice of the numbers of literals.
func (t *CaseRun) withLiterals(run *exactRun, device metalrun.Runner, a metalrun.Arithmetic) (r exactRun, ok bool) {
	r = *run
	r.literals = true
	if r.values, r.notes = t.exactValues(device); r.values == nil {
		return r, false
	}
	for b, values := range r.values {
		for i := range values {
			values[i].inFormat = run.values[b][i].x
		}
	}
	t.sample(r.values, r.notes, a)
	for b, values := range r.values {
		for i, own := range run.values[b] {
			if own.known() && !values[i].known() {
				values[i] = own // what nothing is known of does not show that a text is right
			}
		}
	}
	return r, true
}

// meant moves literals of many digits to the numbers that fit the definition best, and reports whether the formula is
// right with these.
func (t *CaseRun) meant(choices []metalrun.Runner, run *exactRun) bool {
	var effects []map[*buffer][]exactValue
	for _, n := range run.notes {
		if n.Kind == metalrun.Digits && n.Line <= len(choices) {
			if moved, _ := t.exactValues(choices[n.Line-1]); moved != nil {
				effects = append(effects, moved)
			}
		}
	}
	if len(effects) == 0 {
		return false
	}
	fit := newFit(len(effects))
	changes := make([]float64, len(effects))
	each := func(do func(b *buffer, i int, v *exactValue)) {
		for b, values := range run.values {
			for i := range values {
				finite := true
				for k, moved := range effects {
					changes[k] = moved[b][i].x - values[i].x
					finite = finite && isFinite(changes[k])
				}
				if finite && values[i].known() {
					do(b, i, &values[i])
				}
			}
		}
	}
	each(func(b *buffer, i int, v *exactValue) {
		want := t.answers[b.arg.Name]
		if off := want.Want[i] - v.x; isFinite(off) && !want.Free(i) && !b.leaves(i) {
			fit.add(changes, off, math.Max(formulaRelative*math.Abs(want.Want[i]), formulaPart*v.e))
		}
	})
	shares, ok := fit.solve()
	if !ok {
		return false
	}
	change, size := 0.0, 0.0 // the largest
	each(func(_ *buffer, _ int, v *exactValue) {
		x, all := v.x, 0.0
		for k, share := range shares {
			x += float64(share * changes[k])
			all += math.Abs(float64(share * changes[k]))
		}
		change, size = math.Max(change, all), math.Max(size, math.Abs(x))
		v.x, v.e = x, v.e+all
	})
	if size > 0 {
		each(func(_ *buffer, _ int, v *exactValue) { v.second = float64(secondPart * change * (change / size)) })
	}
	return run.agrees(run.values, t.answers, leniently)
}

// secondPart is what a change may be off by to second order, as a part of its square relative to the size of results.
const secondPart = 2

// fit is a problem of least squares by its normal equations.
type fit struct {
	matrix [][]float64
	right  []float64
}

func newFit(n int) *fit {
	f := &fit{matrix: make([][]float64, n), right: make([]float64, n)}
	for i := range f.matrix {
		f.matrix[i] = make([]float64, n)
	}
	return f
}

// add adds an equation Σ changes·δ = off, which may be off by limit.
func (f *fit) add(changes []float64, off, limit float64) {
	if !(limit > 0) {
		return
	}
	for i, a := range changes {
		f.right[i] += float64(a / limit * (off / limit))
		for j, b := range changes {
			f.matrix[i][j] += float64(a / limit * (b / limit))
		}
	}
}

// ridge, as a part of the diagonal, keeps literals apart whose effects are in proportion: each gets a share.
const ridge = 1e-12

// solve is the solution; ok is false if some literal had to be further from its text than half a unit of its last
// digit.
func (f *fit) solve() (shares []float64, ok bool) {
	n := len(f.right)
	for i := range n {
		f.matrix[i][i] += float64(ridge*f.matrix[i][i]) + math.SmallestNonzeroFloat64
	}
	for i := range n { // Gauss; the matrix is positive definite
		for j := i + 1; j < n; j++ {
			by := f.matrix[j][i] / f.matrix[i][i]
			for k := i; k < n; k++ {
				f.matrix[j][k] -= float64(by * f.matrix[i][k])
			}
			f.right[j] -= float64(by * f.right[i])
		}
	}
	shares = make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		rest := f.right[i]
		for k := i + 1; k < n; k++ {
			rest -= float64(f.matrix[i][k] * shares[k])
		}
		if f.matrix[i][i] > 1e-300 {
			shares[i] = rest / f.matrix[i][i]
		}
		if !(math.Abs(shares[i]) <= 1+halfPart) {
			return nil, false
		}
	}
	return shares, true
}

// halfPart is what a share may be larger for the errors of float64 in the fit.
const halfPart = 0x1p-6
