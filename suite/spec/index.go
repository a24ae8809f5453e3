package spec

import (
	"fmt"
	"math"

	"go.starlark.net/starlark"

	"metalconform/suite/tensor"
)

// span is a part of an axis, as a slice is in brackets of its own.
type span struct {
	starlark.Value // None
	first, end     starlark.Value
	step           int
}

// Type names it in messages.
func (*span) Type() string { return "span" }

// newSpan is a part of an axis for an index of several: x[span(1, 3), 0]. None is the beginning or
// the end.
func newSpan(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	s := &span{Value: opaque, first: starlark.None, end: starlark.None, step: 1}
	if len(args) == 1 && len(kwargs) == 0 {
		s.end = args[0]
		return s, nil
	}
	return s, starlark.UnpackArgs(name, args, kwargs, "first?", &s.first, "end?", &s.end, "step?", &s.step)
}

// of is the part of an axis of a tensor.
func (s *span) of(t *tensor.Tensor, axis int) (*tensor.Tensor, error) {
	first, end := 0, math.MaxInt32
	for _, part := range []struct {
		of   starlark.Value
		into *int
	}{{s.first, &first}, {s.end, &end}} {
		if part.of != starlark.None {
			n, err := starlark.AsInt32(part.of)
			if err != nil {
				return nil, err
			}
			*part.into = n
		}
	}
	return t.Slice(axis, first, end, s.step)
}

// ellipsis is all axes that an index says nothing of.
type ellipsis struct{ starlark.Value } // None

// Type names it in messages.
func (ellipsis) Type() string { return "..." }

func clip(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x, low, high asTensor
	if err := starlark.UnpackArgs(name, args, kwargs, "x", &x, "low", &low, "high", &high); err != nil {
		return nil, err
	}
	if len(low.Shape())+len(high.Shape()) > 0 {
		return nil, fmt.Errorf("clip: got a tensor as a limit, want numbers")
	}
	t, err := zipped("maximum", x.Tensor, low.Tensor, math.Max)
	if err != nil {
		return nil, err
	}
	return result(zipped("minimum", t, high.Tensor, math.Min))
}

// padded has elements of one value before and behind those of an axis, or, as NumPy writes it, of every axis
// by a list of pairs; or its own elements, as the mode says.
func padded(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x asTensor
	var before, behind starlark.Value
	var with padding
	axis := -1
	if err := starlark.UnpackArgs(name, args, kwargs, "x", &x, "before", &before, "behind?", &behind, "axis?", &axis,
		"value?", &with.value, "mode?", &with.mode); err != nil {
		return nil, err
	}
	if with.mode != "" && beyond[with.mode] == nil {
		return nil, fmt.Errorf("pad: no mode %q: there are edge, reflect and wrap", with.mode)
	}
	if pairs, ok := before.(starlark.Indexable); ok {
		if behind != nil {
			return nil, fmt.Errorf("pad: a list of pairs says what is behind, too")
		}
		return with.all(x.Tensor, pairs)
	}
	if behind == nil {
		behind = starlark.None
	}
	widths, err := paddings(starlark.Tuple{before, behind})
	if err != nil {
		return nil, err
	}
	if axis < 0 {
		axis += len(x.Shape())
	}
	if axis < 0 || axis >= len(x.Shape()) {
		return nil, fmt.Errorf("pad: %s has no axis %d", x.Tensor, axis)
	}
	return result(with.along(x.Tensor, axis, widths))
}

// padding is what stands around a tensor: a value, or elements of its own.
type padding struct {
	value number
	mode  string
}

// beyond are the modes in which elements of an axis of n stand beyond its ends too: which, at a place that it does not
// have.
var beyond = map[string]func(i, n int) int{
	"edge": func(i, n int) int { return min(max(i, 0), n-1) },
	"wrap": func(i, n int) int { return (i%n + n) % n },
	"reflect": func(i, n int) int {
		if n == 1 {
			return 0
		}
		turn := 2 * (n - 1)
		i = (i%turn + turn) % turn
		return min(i, turn-i)
	},
}

// all pads every axis by its pair.
func (p padding) all(x *tensor.Tensor, pairs starlark.Indexable) (starlark.Value, error) {
	if pairs.Len() != len(x.Shape()) {
		return nil, fmt.Errorf("pad: %d pairs for the %d axes of %s", pairs.Len(), len(x.Shape()), x)
	}
	for axis := range pairs.Len() {
		pair, ok := pairs.Index(axis).(starlark.Indexable)
		if !ok || pair.Len() != 2 {
			return nil, fmt.Errorf("pad: got %s for axis %d, want [before, behind]", pairs.Index(axis), axis)
		}
		widths, err := paddings(starlark.Tuple{pair.Index(0), pair.Index(1)})
		if err != nil {
			return nil, err
		}
		if x, err = p.along(x, axis, widths); err != nil {
			return nil, err
		}
	}
	return wrap(x), nil
}

// paddings are the numbers of elements before and behind.
func paddings(of starlark.Tuple) (n [2]int, err error) {
	for i, v := range of {
		if n[i], err = starlark.AsInt32(v); err != nil || n[i] < 0 {
			return n, fmt.Errorf("pad: got %v, want a number of elements before and one behind", v)
		}
	}
	return n, nil
}

func (p padding) along(x *tensor.Tensor, axis int, n [2]int) (*tensor.Tensor, error) {
	if place := beyond[p.mode]; place != nil {
		length := x.Shape()[axis]
		if length == 0 && n[0]+n[1] > 0 {
			return nil, fmt.Errorf("pad: axis %d of %s has no element for what is beyond it", axis, x)
		}
		places, err := tensor.Full(0, n[0]+length+n[1])
		if err != nil {
			return nil, err
		}
		for i := range places.Data() {
			places.Data()[i] = float64(place(i-n[0], length))
		}
		return x.Take(places, axis)
	}
	var parts [2]*tensor.Tensor
	for i := range parts {
		shape := append([]int{}, x.Shape()...)
		shape[axis] = n[i]
		part, err := tensor.Full(float64(p.value), shape...)
		if err != nil {
			return nil, err
		}
		parts[i] = part.Exactly()
	}
	return tensor.Concatenate(axis, parts[0], x, parts[1])
}

// permuted is the elements of an axis of n at the places that f names.
func permuted(x *tensor.Tensor, axis int, f func(i, n int) int) (starlark.Value, error) {
	shape := x.Shape()
	if axis < 0 {
		axis += len(shape)
	}
	if axis < 0 || axis >= len(shape) {
		return nil, fmt.Errorf("%s has no axis %d", x, axis)
	}
	return wrap(x.Permute(axis, func(i int) int { return f(i, shape[axis]) })), nil
}

func flipped(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x asTensor
	axis := -1
	if err := starlark.UnpackArgs(name, args, kwargs, "x", &x, "axis?", &axis); err != nil {
		return nil, err
	}
	return permuted(x.Tensor, axis, func(i, n int) int { return n - 1 - i })
}

// rolled has moved the elements of an axis, those that leave it at the end come in at the beginning.
func rolled(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x asTensor
	var shift int
	axis := -1
	if err := starlark.UnpackArgs(name, args, kwargs, "x", &x, "shift", &shift, "axis?", &axis); err != nil {
		return nil, err
	}
	return permuted(x.Tensor, axis, func(i, n int) int { return ((i-shift)%n + n) % n })
}
