package tensor

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Reduce gives each slice along the axes its value. No axes are all of them; keep leaves them with length 1.
func (t *Tensor) Reduce(operation string, axes []int, keep bool, f func([]float64) float64) (*Tensor, error) {
	drop := make([]bool, len(t.shape))
	for _, a := range axes {
		at, err := t.axis(operation, a)
		if err != nil {
			return nil, err
		}
		if drop[at] {
			return nil, fmt.Errorf("%s: axis %d is named twice", operation, a)
		}
		drop[at] = true
	}
	for i := range drop {
		drop[i] = drop[i] || len(axes) == 0
	}
	order, kept, shape := []int{}, 1, []int{}
	for i, d := range t.shape {
		if !drop[i] {
			order, kept = append(order, i), kept*d
		}
		if !drop[i] {
			shape = append(shape, d)
		} else if keep {
			shape = append(shape, 1)
		}
	}
	for i := range t.shape {
		if drop[i] {
			order = append(order, i)
		}
	}
	moved, err := t.Transpose(order...)
	if err != nil {
		return nil, err
	}
	if _, err := count(shape); err != nil {
		return nil, err
	}
	r, n := &Tensor{shape: shape, data: make([]float64, kept)}, 0
	if kept > 0 {
		n = len(t.data) / kept
	}
	for i := range r.data {
		r.data[i] = f(moved.data[i*n : (i+1)*n])
	}
	return r, nil
}

// Along gives each line along an axis new elements, as many as before.
func (t *Tensor) Along(operation string, axis int, f func(line []float64)) (*Tensor, error) {
	a, err := t.axis(operation, axis)
	if err != nil {
		return nil, err
	}
	r := &Tensor{shape: t.shape, data: slices.Clone(t.data)}
	outer, n, inner := t.around(a)
	if len(r.data) == 0 {
		return r, nil
	}
	line := make([]float64, n)
	for o := range outer {
		for i := range inner {
			at := o*n*inner + i
			for j := range line {
				line[j] = r.data[at+j*inner]
			}
			f(line)
			for j, x := range line {
				r.data[at+j*inner] = x
			}
		}
	}
	return r, nil
}

// Sum is the sum of a line, from its first element.
func Sum(x []float64) (sum float64) {
	for _, v := range x {
		sum += v
	}
	return sum
}

// Mean is the sum over the number.
func Mean(x []float64) float64 { return Sum(x) / float64(len(x)) }

// Product is the product of a line.
func Product(x []float64) float64 {
	product := 1.0
	for _, v := range x {
		product *= v
	}
	return product
}

// Max is the largest element, −∞ of none; NaN if there is one.
func Max(x []float64) float64 {
	largest := math.Inf(-1)
	for _, v := range x {
		largest = math.Max(largest, v)
	}
	return largest
}

// Min is the smallest element, +∞ of none; NaN if there is one.
func Min(x []float64) float64 {
	smallest := math.Inf(1)
	for _, v := range x {
		smallest = math.Min(smallest, v)
	}
	return smallest
}

// ArgMax is the place of the first of the largest elements, or of the first NaN.
func ArgMax(x []float64) float64 {
	best := 0
	for i, v := range x {
		if v > x[best] || v != v && x[best] == x[best] {
			best = i
		}
	}
	return float64(best)
}

// ArgMin is the place of the first of the smallest elements, or of the first NaN.
func ArgMin(x []float64) float64 {
	best := 0
	for i, v := range x {
		if v < x[best] || v != v && x[best] == x[best] {
			best = i
		}
	}
	return float64(best)
}

// Softmax makes a line exp(x−max) over its sum.
func Softmax(line []float64) {
	largest, sum := Max(line), 0.0
	for i, x := range line {
		line[i] = math.Exp(x - largest)
		sum += line[i]
	}
	for i := range line {
		line[i] /= sum
	}
}

// LogSoftmax makes a line x−max−log Σexp(x−max).
func LogSoftmax(line []float64) {
	total := LogSumExp(line)
	for i := range line {
		line[i] -= total
	}
}

// AccumulateProduct makes a line its partial products.
func AccumulateProduct(line []float64) {
	product := 1.0
	for i, x := range line {
		product *= x
		line[i] = product
	}
}

// Accumulate makes a line its partial sums.
func Accumulate(line []float64) {
	sum := 0.0
	for i, x := range line {
		sum += x
		line[i] = sum
	}
}

// Order makes a line the places of its elements in rising order, equal ones as they stand;
// falling turns the order of different ones. A NaN is larger than all numbers.
func Order(line []float64, falling bool) {
	places := make([]int, len(line))
	for i := range places {
		places[i] = i
	}
	slices.SortFunc(places, func(i, j int) int {
		order := compare(line[i], line[j])
		if falling {
			order = -order
		}
		return cmp.Or(order, i-j)
	})
	for i, p := range places {
		line[i] = float64(p)
	}
}

// compare is the order of elements.
func compare(x, y float64) int {
	switch {
	case x < y || x == x && y != y:
		return -1
	case y < x || y == y && x != x:
		return 1
	}
	return 0
}

// Sort puts a line in rising order, or in falling.
func Sort(line []float64, falling bool) {
	slices.SortFunc(line, func(x, y float64) int {
		if falling {
			x, y = y, x
		}
		return compare(x, y)
	})
}

// Variance is the mean square of what elements are off their mean.
func Variance(x []float64) float64 {
	mean := Mean(x)
	squares := make([]float64, len(x))
	for i, v := range x {
		squares[i] = (v - mean) * (v - mean)
	}
	return Mean(squares)
}

// LogSumExp is the logarithm of a sum of exponentials, without overflow.
func LogSumExp(x []float64) float64 {
	largest := Max(x)
	if math.IsInf(largest, 0) || math.IsNaN(largest) {
		return largest
	}
	terms := make([]float64, len(x))
	for i, v := range x {
		terms[i] = math.Exp(v - largest)
	}
	return largest + math.Log(Sum(terms))
}
