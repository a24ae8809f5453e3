package spec

import (
	"math"
	"slices"

	"metalconform/suite/tensor"
)

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
