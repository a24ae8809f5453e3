package forecast

import (
	"math"
	"sync"
)

// A fit has some twenty parameters. Package optimize of gonum would link a whole library of linear algebra for it. That
// took a twentieth of the time to build the program.

// Steps of differences, and when the search for a minimum ends.
const (
	gradientStep  = 1e-4
	curvatureStep = 1e-3
	mostSteps     = 150
	flat          = 1e-3 // largest component of a gradient at a minimum
)

// gradient returns the derivatives of f at x, by central differences.
func gradient(f func([]float64) float64, x []float64) []float64 {
	g := make([]float64, len(x))
	var all sync.WaitGroup
	for i := range x {
		all.Go(func() { g[i] = (at(f, x, i, gradientStep) - at(f, x, i, -gradientStep)) / (2 * gradientStep) })
	}
	all.Wait()
	return g
}

// at is f at x with x[i] moved.
func at(f func([]float64) float64, x []float64, i int, by float64) float64 {
	y := append([]float64(nil), x...)
	y[i] += by
	return f(y)
}

// minimise returns a local minimum of f near x, by the method of Broyden, Fletcher, Goldfarb and Shanno. It is false if
// f is NaN or infinite at x.
//
// Source: Nocedal and Wright, Numerical Optimization, 2006, algorithms 3.1 and 6.1.
func minimise(f func([]float64) float64, x []float64) ([]float64, bool) {
	n := len(x)
	value, g := f(x), gradient(f, x)
	inverse := identity(n) // of the curvature, as far as it is known
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return nil, false
	}
	for step := 0; step < mostSteps && largest(g) > flat; step++ {
		direction := times(inverse, g)
		for i := range direction {
			direction[i] = -direction[i]
		}
		slope := dot(direction, g)
		if !(slope < 0) { // rounding; the gradient always leads down
			inverse, direction = identity(n), scaled(g, -1)
			slope = -dot(g, g)
		}
		next, lower, found := down(f, x, value, direction, slope)
		if !found {
			break
		}
		after := gradient(f, next)
		moved, changed := difference(next, x), difference(after, g)
		if along := dot(moved, changed); along > 1e-12 {
			if step == 0 { // the scale of the first curvature
				inverse = diagonal(n, along/dot(changed, changed))
			}
			update(inverse, moved, changed, along)
		}
		x, value, g = next, lower, after
	}
	return x, true
}

// down searches from x along a direction for a step after which f has decreased sufficiently (the Armijo condition).
func down(f func([]float64) float64, x []float64, value float64, direction []float64, slope float64) ([]float64,
	float64, bool) {
	const part, shorter = 1e-4, 0.5
	for length := 1.0; length > 1e-10; length *= shorter {
		next := make([]float64, len(x))
		for i := range x {
			next[i] = x[i] + float64(length*direction[i])
		}
		if lower := f(next); lower <= value+float64(part*length*slope) {
			return next, lower, true
		}
	}
	return nil, 0, false
}

// update updates the inverse Hessian with the change of the gradient along a step.
func update(inverse [][]float64, moved, changed []float64, along float64) {
	turned := times(inverse, changed)
	factor := (1 + dot(changed, turned)/along) / along
	for i := range inverse {
		for j := range inverse {
			inverse[i][j] += float64(factor*moved[i]*moved[j]) -
				float64((float64(turned[i]*moved[j])+float64(moved[i]*turned[j]))/along)
		}
	}
}

// curvature returns the second derivatives of f at x, by differences.
func curvature(f func([]float64) float64, x []float64) [][]float64 {
	n := len(x)
	h := diagonal(n, 0)
	const s = curvatureStep
	moved := func(i int, by float64, j int, also float64) float64 {
		y := append([]float64(nil), x...)
		y[i] += by
		y[j] += also
		return f(y)
	}
	for i := range n {
		for j := range i + 1 {
			sum := moved(i, s, j, s) - moved(i, s, j, -s) - moved(i, -s, j, s) + moved(i, -s, j, -s)
			h[i][j] = sum / (4 * s * s)
			h[j][i] = h[i][j]
		}
	}
	return h
}

// inverseDiagonal returns the diagonal of the inverse of a symmetric matrix, by a Cholesky factorisation. It is false
// if the matrix is not positive definite.
func inverseDiagonal(h [][]float64) ([]float64, bool) {
	n := len(h)
	l := diagonal(n, 0)
	for i := range n {
		for j := range i + 1 {
			sum := h[i][j]
			for k := range j {
				sum -= float64(l[i][k] * l[j][k])
			}
			switch {
			case i != j:
				l[i][j] = sum / l[j][j]
			case !(sum > 0):
				return nil, false
			default:
				l[i][i] = math.Sqrt(sum)
			}
		}
	}
	list := make([]float64, n)
	for unit := range n { // the column of L⁻¹ has the length that is asked for
		column := make([]float64, n)
		for i := unit; i < n; i++ {
			sum := 0.0
			if i == unit {
				sum = 1
			}
			for k := unit; k < i; k++ {
				sum -= float64(l[i][k] * column[k])
			}
			column[i] = sum / l[i][i]
		}
		list[unit] = dot(column, column)
	}
	return list, true
}

func identity(n int) [][]float64 { return diagonal(n, 1) }

func diagonal(n int, value float64) [][]float64 {
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, n)
		m[i][i] = value
	}
	return m
}

func times(m [][]float64, v []float64) []float64 {
	out := make([]float64, len(v))
	for i, row := range m {
		out[i] = dot(row, v)
	}
	return out
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}

func difference(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i, x := range a {
		out[i] = x - b[i]
	}
	return out
}

func scaled(v []float64, by float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = by * x
	}
	return out
}

// largest is the largest absolute value.
func largest(v []float64) float64 {
	most := 0.0
	for _, x := range v {
		most = max(most, math.Abs(x))
	}
	return most
}

// mean is the mean of values.
func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// correlation is Pearson's correlation. It is NaN if one side does not vary.
func correlation(a, b []float64) float64 {
	ma, mb := mean(a), mean(b)
	var ab, aa, bb float64
	for i, x := range a {
		da, db := x-ma, b[i]-mb
		ab, aa, bb = ab+float64(da*db), aa+float64(da*da), bb+float64(db*db)
	}
	return ab / math.Sqrt(aa*bb)
}
