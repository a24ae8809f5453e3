package spec

import (
	"math"
	"math/rand/v2"
	"slices"

	"metalconform/oracles"
	"metalconform/suite"
	"metalconform/suite/tensor"
)

// trial makes the operations of an evaluation err.
func (m *meter) trial(number uint64, in *oracles.Format) {
	if m.ranks = number == suite.Ranked; number == 0 || m.ranks {
		return
	}
	draws, word, left := rand.NewPCG(number, 0), uint64(0), 0
	m.in, m.err = in, func() int {
		if left == 0 {
			word, left = draws.Uint64(), 64
		}
		sign := 1 - 2*int(word&1)
		word, left = word>>1, left-1
		return sign
	}
}

// erring is a result of float64, in a trial with an error of a unit in the last place. What float32 has and
// integers are taken for exact, unless the operation rounds whatever it gives.
func (m *meter) erring(t *tensor.Tensor, rounds bool) *tensor.Tensor {
	if m == nil || m.err == nil || t.Exact() {
		return t
	}
	if m.in != nil {
		return t.Map(func(x float64) float64 {
			if !rounds && math.Trunc(x) == x {
				return x
			}
			return m.step(x, rounds)
		})
	}
	return t.Map(func(x float64) float64 {
		if x == 0 || x-x != 0 || !rounds && (float64(float32(x)) == x || math.Trunc(x) == x) {
			return x
		}
		return math.Nextafter(x, math.Inf(m.err()))
	})
}

// vanished is the result of a function that rises and is nowhere 0, where float64 has few digits for it or 0: among
// the least numbers those that stand in the order of what they are of.
func (m *meter) vanished(x, y *tensor.Tensor) *tensor.Tensor {
	if m == nil || !m.ranks || x.Len() != y.Len() {
		return y
	}
	of, i := x.Data(), -1
	var far []float64
	for j, y := range y.Data() {
		if y < fewDigits && of[j]-of[j] == 0 {
			far = append(far, of[j])
		}
	}
	slices.Sort(far)
	far = slices.Compact(far)
	return y.Map(func(y float64) float64 {
		if i++; y >= fewDigits || of[i]-of[i] != 0 {
			return y
		}
		rank, _ := slices.BinarySearch(far, of[i])
		return float64(rank+1) * math.SmallestNonzeroFloat64
	})
}

// fewDigits is where float64 begins to have fewer digits, or some way above.
const fewDigits = 0x1p-1000

// functionRoundings is how many roundings the error of a function may come to: Metal's functions are off by
// four units in the last place, and a unit may be two roundings.
const functionRoundings = 8

// step is what an operation of a trial gives for x: off by a rounding of its format, up or down, unless that has
// x; by more if it is a function.
func (m *meter) step(x float64, function bool) float64 {
	if x == 0 || x-x != 0 {
		return x
	}
	u := m.in.UnitRoundoff()
	switch {
	case function:
		u *= functionRoundings
	case m.in.Round(x) == x:
		return x
	}
	return x + float64(float64(u*x)*float64(m.err()))
}

// Functions that sum, as a straightforward program in a trial's format has them: a loop from the first element, each
// step of which errs. A kernel that sums in another order, in blocks or over lanes errs by less.

// naive reports whether operations err in a format.
func (m *meter) naive() bool { return m != nil && m.in != nil }

// integers reports whether a tensor has nothing else: programs compute exactly with those.
func integers(t *tensor.Tensor) bool { return onlyIntegers(t.Data()) }

func onlyIntegers(x []float64) bool {
	return !slices.ContainsFunc(x, func(x float64) bool { return math.Trunc(x) != x })
}

// adds is how a sum of a trial takes up a product of elements of two tensors; nil where there is none.
func (m *meter) adds(of ...*tensor.Tensor) func(sum, product float64) float64 {
	if !m.naive() || !slices.ContainsFunc(of, func(t *tensor.Tensor) bool { return !integers(t) }) {
		return nil
	}
	return func(sum, product float64) float64 { return m.step(sum+m.step(product, false), false) }
}

// reduction is a function of a line, as a trial has it.
func (m *meter) reduction(name string, f func([]float64) float64) func([]float64) float64 {
	if !m.naive() {
		return f
	}
	switch name {
	case "sum":
		return m.sum
	case "mean":
		return m.mean
	case "prod":
		return func(x []float64) float64 {
			product := 1.0
			for _, v := range x {
				product = m.step(product*v, false)
			}
			return product
		}
	case "var":
		return m.variance
	case "std":
		return func(x []float64) float64 { return math.Sqrt(m.variance(x)) }
	case "logsumexp":
		return m.logSumExp
	}
	return f
}

// line is a function from a line to one, as a trial has it.
func (m *meter) line(name string, f func([]float64)) func([]float64) {
	if !m.naive() {
		return f
	}
	switch name {
	case "softmax":
		return func(line []float64) {
			largest := tensor.Max(line)
			for i, x := range line {
				line[i] = m.step(math.Exp(m.step(x-largest, false)), true)
			}
			sum := m.sum(line)
			for i := range line {
				line[i] /= sum
			}
		}
	case "log_softmax":
		return func(line []float64) {
			total := m.logSumExp(line)
			for i := range line {
				line[i] -= total
			}
		}
	case "cumsum":
		return func(line []float64) {
			sum := 0.0
			for i, x := range line {
				sum = m.step(sum+x, false)
				line[i] = sum
			}
		}
	case "cumprod":
		return func(line []float64) {
			product := 1.0
			for i, x := range line {
				product = m.step(product*x, false)
				line[i] = product
			}
		}
	}
	return f
}

func (m *meter) sum(x []float64) (sum float64) {
	if onlyIntegers(x) {
		return tensor.Sum(x)
	}
	for _, v := range x {
		sum = m.step(sum+v, false)
	}
	return sum
}

func (m *meter) mean(x []float64) float64 { return m.sum(x) / float64(len(x)) }

func (m *meter) variance(x []float64) float64 {
	mean := m.step(m.mean(x), false)
	squares := make([]float64, len(x))
	for i, v := range x {
		off := m.step(v-mean, false)
		squares[i] = m.step(off*off, false)
	}
	return m.mean(squares)
}

func (m *meter) logSumExp(x []float64) float64 {
	largest := tensor.Max(x)
	if math.IsInf(largest, 0) || math.IsNaN(largest) {
		return largest
	}
	terms := make([]float64, len(x))
	for i, v := range x {
		terms[i] = m.step(math.Exp(m.step(v-largest, false)), true)
	}
	return largest + m.step(math.Log(m.sum(terms)), true)
}
