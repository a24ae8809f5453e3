package tensor

import (
	"fmt"
	"math"
	"slices"
)

// Map applies f to every element.
func (t *Tensor) Map(f func(float64) float64) *Tensor {
	r := &Tensor{shape: t.shape, data: make([]float64, len(t.data))}
	for i, x := range t.data {
		r.data[i] = f(x)
	}
	return r
}

// Broadcast is the tensor in a larger shape: axes in front are added, and those of length 1 repeated.
func (t *Tensor) Broadcast(shape ...int) (*Tensor, error) {
	return t.moving(func(t *Tensor) (*Tensor, error) { return t.repeatedTo(shape) })
}

func (t *Tensor) repeatedTo(shape []int) (*Tensor, error) {
	if slices.Equal(t.shape, shape) {
		return t, nil
	}
	n, err := count(shape)
	if err != nil {
		return nil, err
	}
	strides, err := t.strides(shape)
	if err != nil {
		return nil, err
	}
	r := &Tensor{shape: append([]int{}, shape...), data: make([]float64, n)}
	w := walk{shape: shape, at: make([]int, len(shape)), strides: [][]int{strides}, index: make([]int, 1)}
	row, step := w.row(), w.last(0)
	for first := 0; first < n; first += row {
		for i := range row {
			r.data[first+i] = t.data[w.index[0]+i*step]
		}
		w.nextRow()
	}
	return r, nil
}

// Zip applies f to the elements of two tensors that are broadcast to one shape.
func Zip(operation string, a, b *Tensor, f func(x, y float64) float64) (*Tensor, error) {
	switch {
	case slices.Equal(a.shape, b.shape):
		r := &Tensor{shape: a.shape, data: make([]float64, len(a.data))}
		for i, x := range a.data {
			r.data[i] = f(x, b.data[i])
		}
		return r, nil
	case len(b.shape) == 0:
		return a.Map(func(x float64) float64 { return f(x, b.data[0]) }), nil
	case len(a.shape) == 0:
		return b.Map(func(y float64) float64 { return f(a.data[0], y) }), nil
	}
	r, w, err := broadcast(operation, []*Tensor{a, b})
	if err != nil {
		return nil, err
	}
	row, left, right := w.row(), w.last(0), w.last(1)
	for first := 0; first < len(r.data); first += row {
		i, j := w.index[0], w.index[1]
		for k := range r.data[first : first+row] {
			r.data[first+k] = f(a.data[i], b.data[j])
			i, j = i+left, j+right
		}
		w.nextRow()
	}
	return r, nil
}

// Where is a where the condition is not 0, and b elsewhere.
func Where(condition, a, b *Tensor) (*Tensor, error) {
	r, err := moving([]*Tensor{a, b}, func(of []*Tensor) (*Tensor, error) { return where(condition, of[0], of[1]) })
	if err == nil && !condition.exact {
		r = r.Inexact()
	}
	return r, err
}

func where(condition, a, b *Tensor) (*Tensor, error) {
	return combine("where", []*Tensor{condition, a, b}, func(x []float64) float64 {
		if x[0] != 0 {
			return x[1]
		}
		return x[2]
	})
}

func combine(operation string, operands []*Tensor, f func([]float64) float64) (*Tensor, error) {
	r, w, err := broadcast(operation, operands)
	if err != nil {
		return nil, err
	}
	row, x := w.row(), make([]float64, len(operands))
	for first := 0; first < len(r.data); first += row {
		for i := range row {
			for o, t := range operands {
				x[o] = t.data[w.index[o]+i*w.last(o)]
			}
			r.data[first+i] = f(x)
		}
		w.nextRow()
	}
	return r, nil
}

// broadcast is a tensor of zeros of the shape that all operands broadcast to, and a walk over it.
func broadcast(operation string, operands []*Tensor) (*Tensor, *walk, error) {
	shape, err := common(operation, operands)
	if err != nil {
		return nil, nil, err
	}
	n, err := count(shape)
	if err != nil {
		return nil, nil, err
	}
	w := &walk{shape: shape, at: make([]int, len(shape)), index: make([]int, len(operands))}
	for _, t := range operands {
		strides, err := t.strides(shape)
		if err != nil {
			return nil, nil, err
		}
		w.strides = append(w.strides, strides)
	}
	return &Tensor{shape: shape, data: make([]float64, n)}, w, nil
}

// common is the shape that all operands broadcast to.
func common(operation string, operands []*Tensor) ([]int, error) {
	var shape []int
	for _, t := range operands {
		for len(shape) < len(t.shape) {
			shape = append([]int{1}, shape...)
		}
		for i, d := range t.shape {
			at := len(shape) - len(t.shape) + i
			switch {
			case shape[at] == 1:
				shape[at] = d
			case d != 1 && d != shape[at]:
				return nil, fmt.Errorf("%s: %s and %s do not broadcast to one shape", operation,
					spell(operands[0].shape), spell(t.shape))
			}
		}
	}
	return shape, nil
}

// strides are those of the tensor's elements in a shape that it is broadcast to.
func (t *Tensor) strides(shape []int) ([]int, error) {
	if len(shape) < len(t.shape) {
		return nil, fmt.Errorf("%s does not broadcast to %s", spell(t.shape), spell(shape))
	}
	strides, stride := make([]int, len(shape)), 1
	for i := len(t.shape) - 1; i >= 0; i-- {
		at := len(shape) - len(t.shape) + i
		switch t.shape[i] {
		case shape[at]:
			strides[at] = stride
		case 1:
		default:
			return nil, fmt.Errorf("%s does not broadcast to %s", spell(t.shape), spell(shape))
		}
		stride *= t.shape[i]
	}
	return strides, nil
}

// walk visits the elements of a shape in order, or its rows along the last axis, with the place of each operand's
// element there, or its first. A shape without axes is one row of one element.
type walk struct {
	shape, at []int
	strides   [][]int // by operand and axis
	index     []int   // by operand
}

// row is the length of a row.
func (w *walk) row() int {
	if len(w.shape) == 0 {
		return 1
	}
	return w.shape[len(w.shape)-1]
}

// last is the step from one element of an operand to the next in a row.
func (w *walk) last(operand int) int {
	if len(w.shape) == 0 {
		return 0
	}
	return w.strides[operand][len(w.shape)-1]
}

// next goes on to the next element, and nextRow to the next row.
func (w *walk) next()    { w.step(len(w.shape) - 1) }
func (w *walk) nextRow() { w.step(len(w.shape) - 2) }

// step goes on along an axis, or along one before it where that ends.
func (w *walk) step(axis int) {
	for a := axis; a >= 0; a-- {
		w.at[a]++
		for o, strides := range w.strides {
			w.index[o] += strides[a]
		}
		if w.at[a] < w.shape[a] {
			return
		}
		for o, strides := range w.strides {
			w.index[o] -= strides[a] * w.shape[a]
		}
		w.at[a] = 0
	}
}

// Sigmoid is 1/(1+e⁻ˣ), without overflow.
func Sigmoid(x float64) float64 {
	if x < 0 {
		e := math.Exp(x)
		return e / (1 + e)
	}
	return 1 / (1 + math.Exp(-x))
}

// Softplus is log(1+eˣ), without overflow.
func Softplus(x float64) float64 { return math.Max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }
