package suite

import (
	"math"
	"slices"

	"metalconform/metalrun"
)

// A bound of all errors adds up their sizes. Through a long recurrence that may be worth nothing, since it
// does not see that what is left of an error later is less and less. Where a bound is as
// large as all values of an output, or infinite without a decision or bits taken apart on the way, errors
// are drawn instead ([Arithmetic.Sample]): with the distances z of k samples
//
//	e = t·√(Σz²/k)
//
// Independent errors of mean 0, no larger than those drawn, have at most the variance of z, and sums
// of many are normal; the quotient of one by the root mean square of k others has Student's
// distribution with k degrees of freedom. t is its quantile for the probability that a statistical bound
// of a contract has, 10⁻³ in a year of nightly sweeps of 10⁹ elements. Such an e is likely, not certain,
// and is labelled so. (Student, The probable error of a mean, Biometrika 6, 1908; errors drawn at random:
// Parker, Monte Carlo arithmetic, 1997, and CADNA.)
const (
	samples        = 16
	sampleQuantile = 29.2
	labelBounded   = "any device"
	labelSampled   = "independent errors (likely)"
	labelCost      = "what the definition costs, as nothing else is known"
)

// likely is how large an error may be by the squares of those of all samples.
func likely(squares float64) float64 { return sampleQuantile * math.Sqrt(squares/samples) }

// sample gives elements of plain answers whose errors have no bound worth anything a likely one.
func (t *CaseRun) sample(values map[*buffer][]exactValue, notes []metalrun.Note, like metalrun.Arithmetic) {
	wanted := t.unbounded(values)
	if len(wanted) == 0 || slices.ContainsFunc(notes, decides) {
		return
	}
	squares := map[*buffer][]float64{}
	for b, of := range wanted {
		squares[b] = make([]float64, len(of))
	}
	for k := range uint64(samples) {
		like.Sample = k + 1
		runner := t.exact.open(like)
		drawn, _ := t.exactValues(runner)
		runner.Close()
		for b, of := range wanted {
			if drawn == nil {
				return
			}
			for j, i := range of {
				off := drawn[b][i].x - values[b][i].x
				if drawn[b][i].e != 0 {
					off = math.Inf(1)
				}
				squares[b][j] += float64(off * off)
			}
		}
	}
	for b, of := range wanted {
		for j, i := range of {
			// Where no error moves a result, float64 has lost what it hangs on, as log(1 + x) does of an x near 0.
			if e := likely(squares[b][j]); e > 0 && e < values[b][i].e {
				values[b][i].e, values[b][i].drawn = e, true
			}
		}
	}
}

// decides reports whether a note says that what devices do may differ in more than roundings.
func decides(n metalrun.Note) bool {
	return n.Kind == metalrun.UnstableDecision || n.Kind == metalrun.TakenApart
}

// unbounded are the elements of plain answers whose bounds are as large as all values of the output.
func (t *CaseRun) unbounded(values map[*buffer][]exactValue) map[*buffer][]int {
	wanted := map[*buffer][]int{}
	for b, known := range values {
		answer := t.answers[b.arg.Name]
		if _, float := b.arg.Type.Format(); !answer.Plain || !float {
			continue
		}
		largest := 0.0
		for i, v := range known {
			if isFinite(v.x) && !answer.Free(i) {
				largest = math.Max(largest, math.Abs(v.x))
			}
		}
		for i, v := range known {
			if isFinite(v.x) && !answer.Free(i) && !b.leaves(i) && v.e >= largest && v.e > 0 {
				wanted[b] = append(wanted[b], i)
			}
		}
	}
	return wanted
}
