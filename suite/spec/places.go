package spec

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"metalconform/suite/tensor"
)

// named are the places that an index names on an axis.
type named struct {
	axis   int
	places *tensor.Tensor
}

// choices are the entries of an index that name places, and the tensor after those that do not: spans and new axes.
func choices(t *tensor.Tensor, keys starlark.Tuple) (*tensor.Tensor, []named, error) {
	var list []named
	axis := 0
	for _, key := range filledOut(keys, len(t.Shape())) {
		var err error
		switch key := key.(type) {
		case starlark.NoneType:
			shape := t.Shape()
			t, err = t.Reshape(append(append(append([]int{}, shape[:axis]...), 1), shape[axis:]...)...)
		case *span:
			t, err = key.of(t, axis)
		default:
			places, ok := operand(key)
			if _, several := key.(*starlark.List); several {
				places, err = fromValue(key)
			} else if !ok {
				return nil, nil, fmt.Errorf("an index of type %s: want a place, a tensor of places, a part such as 1:3, ... or None", key.Type())
			}
			if err == nil {
				list = append(list, named{axis, fromEnd(places, t.Shape(), axis)})
			}
		}
		if err != nil {
			return nil, nil, err
		}
		axis++
	}
	return t, list, nil
}

// chosen are the elements at places. Several tensors of places name them together, as in NumPy: x[i, j] has the elements
// x[i[k], j[k]], on the axis of the first if the axes follow one another, and on the first of all if not.
func chosen(t *tensor.Tensor, list []named) (*tensor.Tensor, error) {
	several := 0
	for _, c := range list {
		several += min(len(c.places.Shape()), 1)
	}
	if several > 1 {
		return together(t, list)
	}
	for i, c := range slices.Backward(list) { // those before keep their axes
		var err error
		if t, err = t.Take(c.places, list[i].axis); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// together are the elements at places of several axes, one of each for an element.
func together(t *tensor.Tensor, list []named) (*tensor.Tensor, error) {
	shape := t.Shape()
	var order []int // the axes of list, and the others
	for _, c := range list {
		order = append(order, c.axis)
	}
	adjacent := order[len(order)-1]-order[0] == len(order)-1
	for a := range shape {
		if !slices.Contains(order, a) {
			order = append(order, a)
		}
	}
	flat := tensor.Number(0)
	for _, c := range list {
		if c.axis >= len(shape) {
			return nil, fmt.Errorf("an index of axis %d of %d", c.axis, len(shape))
		}
		n := float64(shape[c.axis])
		for _, p := range c.places.Data() {
			if p < 0 || p >= n {
				return nil, fmt.Errorf("index %g of axis %d, which is %g long", p, c.axis, n)
			}
		}
		var err error
		if flat, err = tensor.Zip("index", flat, c.places, func(all, p float64) float64 { return float64(all*n) + p }); err != nil {
			return nil, err
		}
	}
	t, err := t.Transpose(order...)
	if err != nil {
		return nil, err
	}
	rest := t.Shape()[len(list):]
	if t, err = t.Reshape(append([]int{-1}, rest...)...); err != nil {
		return nil, err
	}
	if t, err = t.Take(flat, 0); err != nil || !adjacent {
		return t, err
	}
	width, first := len(flat.Shape()), list[0].axis
	order = order[:0]
	for a := range first {
		order = append(order, width+a)
	}
	for a := range width {
		order = append(order, a)
	}
	for a := first; a < len(rest); a++ {
		order = append(order, width+a)
	}
	return t.Transpose(order...)
}
