package tensor

import (
	"fmt"
	"slices"
	"strings"
)

// Tensor is an array of numbers, the last axis varying fastest. A tensor without axes is a number.
type Tensor struct {
	shape []int
	data  []float64
	exact bool        // elements are exact integers (exact.go)
	low   [][]float64 // what data lack of them, by parts
}

// MaxElements bounds a tensor: an eighth of a gigabyte of numbers.
const MaxElements = 1 << 24

// maxAxes is as many as NumPy has.
const maxAxes = 64

// New is a tensor of a shape that takes data as its own.
func New(data []float64, shape ...int) (*Tensor, error) {
	n, err := count(shape)
	if err != nil {
		return nil, err
	}
	if n != len(data) {
		return nil, fmt.Errorf("%d numbers do not fill the shape %s, which has %d", len(data), spell(shape), n)
	}
	return &Tensor{shape: slices.Clone(shape), data: data}, nil
}

// Number is a tensor without axes.
func Number(x float64) *Tensor { return &Tensor{data: []float64{x}} }

// Full is a tensor of one value.
func Full(value float64, shape ...int) (*Tensor, error) {
	n, err := count(shape)
	if err != nil {
		return nil, err
	}
	t := &Tensor{shape: slices.Clone(shape), data: make([]float64, n)}
	if value != 0 {
		for i := range t.data {
			t.data[i] = value
		}
	}
	return t, nil
}

// Range is 0, 1, …, n−1.
func Range(n int) (*Tensor, error) {
	t, err := Full(0, n)
	if err == nil {
		for i := range t.data {
			t.data[i] = float64(i)
		}
	}
	return t, err
}

// count is the number of elements of a shape.
func count(shape []int) (int, error) {
	if len(shape) > maxAxes {
		return 0, fmt.Errorf("a shape of %d axes: at most %d are possible", len(shape), maxAxes)
	}
	n := 1
	for _, d := range shape {
		if d < 0 {
			return 0, fmt.Errorf("the shape %s has a negative length", spell(shape))
		}
		if d > 0 && n > MaxElements/d {
			return 0, fmt.Errorf("the shape %s has more than %d elements", spell(shape), MaxElements)
		}
		n *= d
	}
	return n, nil
}

// Shape is the length of each axis.
func (t *Tensor) Shape() []int { return slices.Clone(t.shape) }

// Data are the elements, not to be changed.
func (t *Tensor) Data() []float64 { return t.data }

// Len is the number of elements.
func (t *Tensor) Len() int { return len(t.data) }

// Reshape is the same elements in another shape, one of whose lengths may be −1: what is left.
func (t *Tensor) Reshape(shape ...int) (*Tensor, error) {
	shape = slices.Clone(shape)
	if i := slices.Index(shape, -1); i >= 0 {
		shape[i] = 1
		rest, err := count(shape)
		if err != nil {
			return nil, err
		}
		if rest == 0 || len(t.data)%rest != 0 {
			return nil, fmt.Errorf("reshape: %s has %d elements, no multiple of %d", spell(t.shape), len(t.data), rest)
		}
		shape[i] = len(t.data) / rest
	}
	n, err := count(shape)
	if err != nil {
		return nil, err
	}
	if n != len(t.data) {
		return nil, fmt.Errorf("reshape: %s has %d elements, %s has %d", spell(t.shape), len(t.data), spell(shape), n)
	}
	return &Tensor{shape: shape, data: t.data, exact: t.exact, low: t.low}, nil
}

// String is the shape and the first elements.
func (t *Tensor) String() string {
	const shown = 8
	var b strings.Builder
	for i, x := range t.data[:min(shown, len(t.data))] {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%.6g", x)
	}
	if len(t.data) > shown {
		b.WriteString(", …")
	}
	return fmt.Sprintf("tensor(%s, [%s])", spell(t.shape), b.String())
}

// spell is a shape as people write it.
func spell(shape []int) string {
	words := make([]string, len(shape))
	for i, d := range shape {
		words[i] = fmt.Sprint(d)
	}
	return "(" + strings.Join(words, ", ") + ")"
}

// axis is the place of an axis, counted from the end if negative.
func (t *Tensor) axis(operation string, a int) (int, error) {
	if a < -len(t.shape) || a >= len(t.shape) {
		return 0, fmt.Errorf("%s: %s has no axis %d", operation, spell(t.shape), a)
	}
	if a < 0 {
		a += len(t.shape)
	}
	return a, nil
}

// around splits the elements at an axis: outer × the axis × inner.
func (t *Tensor) around(a int) (outer, length, inner int) {
	outer, inner = 1, 1
	for _, d := range t.shape[:a] {
		outer *= d
	}
	for _, d := range t.shape[a+1:] {
		inner *= d
	}
	return outer, t.shape[a], inner
}
