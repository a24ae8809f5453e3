package spec

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"metalconform/suite/tensor"
)

func newTensor(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x asTensor
	if err := starlark.UnpackArgs(name, args, kwargs, "values", &x); err != nil {
		return nil, err
	}
	return array{Tensor: x.Tensor}, nil
}

func filled(value float64) builtin {
	return func(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var shape lengths
		if err := starlark.UnpackArgs(name, args, kwargs, "shape", &shape); err != nil {
			return nil, err
		}
		return result(tensor.Full(value, shape...))
	}
}

func full(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var (
		shape lengths
		value starlark.Float
	)
	if err := starlark.UnpackArgs(name, args, kwargs, "shape", &shape, "value", (*number)(&value)); err != nil {
		return nil, err
	}
	return result(tensor.Full(float64(value), shape...))
}

// number unpacks an integer or a float.
type number float64

// Unpack takes what an argument is.
func (n *number) Unpack(v starlark.Value) error {
	x, ok := starlark.AsFloat(v)
	if !ok {
		return fmt.Errorf("got %s, want a number", v.Type())
	}
	*n = number(x)
	return nil
}

func arange(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var n int
	if err := starlark.UnpackArgs(name, args, kwargs, "n", &n); err != nil {
		return nil, err
	}
	return result(tensor.Range(n))
}

func where(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var c, x, y asTensor
	if err := starlark.UnpackArgs(name, args, kwargs, "condition", &c, "x", &x, "y", &y); err != nil {
		return nil, err
	}
	return result(tensor.Where(c.Tensor, x.Tensor, y.Tensor))
}

func matmul(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x, y asTensor
	if err := starlark.UnpackArgs(name, args, kwargs, "x", &x, "y", &y); err != nil {
		return nil, err
	}
	return result(tensor.MatMul(x.Tensor, y.Tensor))
}

func outer(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x, y asTensor
	if err := starlark.UnpackArgs(name, args, kwargs, "x", &x, "y", &y); err != nil {
		return nil, err
	}
	return result(tensor.Outer(x.Tensor, y.Tensor))
}

func einsum(_ *starlark.Thread, _ string, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 0 {
		return nil, fmt.Errorf(`einsum: say what is multiplied and summed, such as "ij,jk->ik"`)
	}
	notation, ok := starlark.AsString(args[0])
	if !ok {
		return nil, fmt.Errorf(`einsum: got %s, want a notation such as "ij,jk->ik"`, args[0].Type())
	}
	operands := make([]*tensor.Tensor, len(args)-1)
	for i, v := range args[1:] {
		var err error
		if operands[i], err = fromValue(v); err != nil {
			return nil, fmt.Errorf("einsum: %w", err)
		}
	}
	return result(tensor.Einsum(notation, operands...))
}

func reshape(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var (
		x     asTensor
		shape lengths
	)
	if err := starlark.UnpackArgs(name, args, kwargs, "x", &x, "shape", &shape); err != nil {
		return nil, err
	}
	return result(x.Reshape(shape...))
}

func transpose(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var (
		x    asTensor
		axes lengths
	)
	if err := starlark.UnpackArgs(name, args, kwargs, "x", &x, "axes?", &axes); err != nil {
		return nil, err
	}
	return result(x.Transpose(axes...))
}

func broadcast(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var (
		x     asTensor
		shape lengths
	)
	if err := starlark.UnpackArgs(name, args, kwargs, "x", &x, "shape", &shape); err != nil {
		return nil, err
	}
	return result(x.Broadcast(shape...))
}

// tensors are the elements of a list.
func tensors(list starlark.Iterable) ([]*tensor.Tensor, error) {
	var parts []*tensor.Tensor
	iterator := list.Iterate()
	defer iterator.Done()
	var v starlark.Value
	for iterator.Next(&v) {
		t, err := fromValue(v)
		if err != nil {
			return nil, err
		}
		parts = append(parts, t)
	}
	return parts, nil
}

func joined(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var list starlark.Iterable
	axis := 0
	if err := starlark.UnpackArgs(name, args, kwargs, "parts", &list, "axis?", &axis); err != nil {
		return nil, err
	}
	parts, err := tensors(list)
	if err != nil {
		return nil, err
	}
	return result(tensor.Concatenate(axis, parts...))
}

func stacked(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var list starlark.Iterable
	axis := 0
	if err := starlark.UnpackArgs(name, args, kwargs, "parts", &list, "axis?", &axis); err != nil {
		return nil, err
	}
	parts, err := tensors(list)
	if err != nil {
		return nil, err
	}
	t, err := tensor.Stack(parts...)
	if err != nil {
		return nil, err
	}
	rank := len(t.Shape())
	if axis < 0 {
		axis += rank
	}
	if axis < 0 || axis >= rank {
		return nil, fmt.Errorf("stack: axis %d of %d", axis, rank)
	}
	order := make([]int, 0, rank) // the first axis moves to its place
	for i := 1; i < rank; i++ {
		order = append(order, i)
	}
	return result(t.Transpose(slices.Insert(order, axis, 0)...))
}

func sliced(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var (
		x          asTensor
		axis       int
		first, end int
	)
	step := 1
	if err := starlark.UnpackArgs(name, args, kwargs, "x", &x, "axis", &axis, "first", &first, "end", &end, "step?", &step); err != nil {
		return nil, err
	}
	return result(x.Slice(axis, first, end, step))
}

func repeated(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var (
		x asTensor
		n int
	)
	axis := 0
	if err := starlark.UnpackArgs(name, args, kwargs, "x", &x, "n", &n, "axis?", &axis); err != nil {
		return nil, err
	}
	return result(x.Repeat(n, axis))
}

func triangle(upper bool) builtin {
	return func(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var (
			x asTensor
			k int
		)
		if err := starlark.UnpackArgs(name, args, kwargs, "x", &x, "k?", &k); err != nil {
			return nil, err
		}
		return result(x.Triangle(k, upper))
	}
}
