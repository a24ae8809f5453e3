package suite

import (
	"encoding/binary"
	"fmt"
	"maps"
	"metalconform/metalrun"
	"slices"
)

// Axis is a named dimension of a kernel's sweep. As an [Extent] and as a
// [Scalar] it is its value at the point.
type Axis string

// Shape is a point of a sweep: a value for each axis of the kernel.
type Shape map[Axis]int

// With is the shape with the axes of other in place of its own.
func (s Shape) With(other Shape) Shape {
	t := maps.Clone(s)
	if t == nil {
		t = Shape{}
	}
	maps.Copy(t, other)
	return t
}

// Extent is a length that depends on the shape.
type Extent interface {
	Size(Shape) int
}

// Scalar is a number that depends on the shape.
type Scalar interface {
	Value(Shape) float64
}

// Size is the axis' value in s. An axis that s lacks is a mistake in the
// specification.
func (a Axis) Size(s Shape) int {
	n, ok := s[a]
	if !ok {
		panic(fmt.Sprintf("suite: shape %v has no axis %q", s, string(a)))
	}
	return n
}

// Value is the axis' value in s.
func (a Axis) Value(s Shape) float64 { return float64(a.Size(s)) }

// Fixed is an extent that is the same in every shape.
type Fixed int

// Size is n.
func (n Fixed) Size(Shape) int { return int(n) }

// Value is n.
func (n Fixed) Value(Shape) float64 { return float64(n) }

// Func is an extent computed from the shape.
type Func func(Shape) int

// Size is f(s).
func (f Func) Size(s Shape) int { return f(s) }

// Value is f(s).
func (f Func) Value(s Shape) float64 { return float64(f(s)) }

// Number is a scalar that is the same in every shape.
type Number float64

// Value is x.
func (x Number) Value(Shape) float64 { return float64(x) }

// NumberFunc is a scalar computed from the shape.
type NumberFunc func(Shape) float64

// Value is f(s).
func (f NumberFunc) Value(s Shape) float64 { return f(s) }

// Ceil is e/n rounded up.
func Ceil(e Extent, n int) Func {
	return func(s Shape) int { return (e.Size(s) + n - 1) / n }
}

// Product is the product of extents, 1 for none.
//
//go:noinline
func Product(es ...Extent) Func {
	return func(s Shape) int {
		n := 1
		for _, e := range es {
			n *= e.Size(s)
		}
		return n
	}
}

// Vary is an axis and the values that it takes.
//
//go:noinline
func Vary(a Axis, values ...int) Variation { return Variation{a, values} }

// Variation is an axis and the values that it takes.
type Variation struct {
	Axis   Axis
	Values []int
}

// Around is base, then base with one axis at a time set to each of its values.
// Points that repeat are left out.
func Around(base Shape, axes ...Variation) []Shape {
	points := []Shape{base}
	for _, v := range axes {
		for _, n := range v.Values {
			points = append(points, base.With(Shape{v.Axis: n}))
		}
	}
	return distinct(points)
}

// Cross is base with every combination of the axes' values, the last axis
// varying fastest. Points that repeat are left out.
func Cross(base Shape, axes ...Variation) []Shape {
	points := []Shape{base.With(nil)}
	for _, v := range axes {
		var next []Shape
		for _, p := range points {
			for _, n := range v.Values {
				next = append(next, p.With(Shape{v.Axis: n}))
			}
		}
		points = next
	}
	return distinct(points)
}

// key is the same for equal points alone.
func (s Shape) key() string {
	var b []byte
	for _, a := range slices.Sorted(maps.Keys(s)) {
		b = binary.AppendVarint(append(append(b, a...), 0), int64(s[a]))
	}
	return string(b)
}

// distinct drops every point that an earlier one equals.
func distinct(points []Shape) []Shape {
	var kept []Shape
	seen := map[string]bool{}
	for _, p := range points {
		key := p.key()
		if !seen[key] {
			kept = append(kept, p)
		}
		seen[key] = true
	}
	return kept
}

// size is an extent in x, y and z; none is the zero Size.
func size(es []Extent, s Shape) metalrun.Size {
	if len(es) == 0 {
		return metalrun.Size{}
	}
	n := [3]int{1, 1, 1}
	for i, e := range es {
		n[i] = e.Size(s)
	}
	return metalrun.Size{X: n[0], Y: n[1], Z: n[2]}
}
