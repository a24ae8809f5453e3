package spec

import (
	"fmt"
	"math"
	"math/big"
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
		if len(args) > 1 { // lengths one by one
			args = starlark.Tuple{args}
		}
		if err := starlark.UnpackArgs(name, args, kwargs, "shape", &shape); err != nil {
			return nil, err
		}
		t, err := tensor.Full(value, shape...)
		if err != nil {
			return nil, err
		}
		return wrap(t.Exactly()), nil
	}
}

func full(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var (
		shape lengths
		value asTensor
	)
	if err := starlark.UnpackArgs(name, args, kwargs, "shape", &shape, "value", &value); err != nil {
		return nil, err
	}
	if len(value.Shape()) > 0 {
		return nil, fmt.Errorf("full: got a tensor, want a number")
	}
	return result(value.Broadcast(shape...))
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

// arange is the numbers below one, or from one to another by steps.
func arange(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	first, end, step := 0, 0, 1
	if len(args) == 1 && len(kwargs) == 0 {
		args = starlark.Tuple{starlark.MakeInt(0), args[0]}
	}
	if err := starlark.UnpackArgs(name, args, kwargs, "first", &first, "end", &end, "step?", &step); err != nil {
		return nil, err
	}
	if step == 0 {
		return nil, fmt.Errorf("arange: a step of 0")
	}
	n := (end - first + step - 1) / step
	if step < 0 {
		n = (first - end - step - 1) / -step
	}
	places, err := tensor.Range(max(n, 0))
	if err != nil {
		return nil, err
	}
	for i := range places.Data() {
		places.Data()[i] = float64(first) + float64(float64(step)*float64(i))
	}
	return wrap(places.Exactly()), nil
}

// eye is the identity of n rows.
func eye(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var n int
	if err := starlark.UnpackArgs(name, args, kwargs, "n", &n); err != nil {
		return nil, err
	}
	t, err := tensor.Full(0, n, n)
	if err == nil {
		for i := range n {
			t.Data()[i*(n+1)] = 1
		}
		t = t.Exactly()
	}
	return result(t, err)
}

// tiled is a tensor n times along an axis, where repeat repeats each element.
func tiled(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var (
		x       asTensor
		n, axis int
	)
	if err := starlark.UnpackArgs(name, args, kwargs, "x", &x, "n", &n, "axis?", &axis); err != nil {
		return nil, err
	}
	if n > tensor.MaxElements/max(1, x.Tensor.Len()) {
		return nil, fmt.Errorf("tile: %s %d times", shapeOf(array{Tensor: x.Tensor}), n)
	}
	return result(tensor.Concatenate(axis, slices.Repeat([]*tensor.Tensor{x.Tensor}, max(n, 0))...))
}

// squeezed has lost an axis of length 1, or all of them.
func squeezed(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var (
		x    asTensor
		axes lengths
	)
	if err := starlark.UnpackArgs(name, args, kwargs, "x", &x, "axis?", &axes); err != nil {
		return nil, err
	}
	rank := len(x.Shape())
	var shape []int
	for i, n := range x.Shape() {
		named := slices.Contains(axes, i) || slices.Contains(axes, i-rank)
		if named && n != 1 {
			return nil, fmt.Errorf("squeeze: axis %d of %s is %d long", i, x.Tensor, n)
		}
		if n != 1 || len(axes) > 0 && !named {
			shape = append(shape, n)
		}
	}
	return result(x.Reshape(shape...))
}

// powered is the operator **. Integers stay what they are.
func powered(_ *starlark.Thread, _ string, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	x, ok := args[0].(starlark.Int)
	if n, err := starlark.AsInt32(args[1]); ok && err == nil && n >= 0 {
		if x.BigInt().BitLen()*n > maxBits {
			return nil, fmt.Errorf("**: an integer of more than %d bits", maxBits)
		}
		return starlark.MakeBigInt(new(big.Int).Exp(x.BigInt(), big.NewInt(int64(n)), nil)), nil
	}
	return binary(math.Pow)(nil, "**", args, nil)
}

// listing is a function whose lengths or axes may stand one by one, as in reshape(x, 2, 3).
func listing(f *starlark.Builtin) *starlark.Builtin {
	return starlark.NewBuiltin(f.Name(), func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple,
		kwargs []starlark.Tuple) (starlark.Value, error) {
		if len(args) > 2 {
			args = starlark.Tuple{args[0], args[1:]}
		}
		return f.CallInternal(thread, args, kwargs)
	})
}

func where(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var c, x, y asTensor
	if err := starlark.UnpackArgs(name, args, kwargs, "condition", &c, "x", &x, "y", &y); err != nil {
		return nil, err
	}
	return result(tensor.Where(c.Tensor, x.Tensor, y.Tensor))
}

// product is a product of matrices.
func (m *meter) product(x, y *tensor.Tensor) (*tensor.Tensor, error) {
	r, err := tensor.MatMul(x, y, m.does, m.adds(x, y))
	if err != nil {
		return nil, err
	}
	return multiplied(r, x, y), nil
}

func matmul(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value,
	error) {
	var x, y asTensor
	if err := starlark.UnpackArgs(name, args, kwargs, "x", &x, "y", &y); err != nil {
		return nil, err
	}
	return result(meterOf(thread).product(x.Tensor, y.Tensor))
}

func outer(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x, y asTensor
	if err := starlark.UnpackArgs(name, args, kwargs, "x", &x, "y", &y); err != nil {
		return nil, err
	}
	r, err := tensor.Outer(x.Tensor, y.Tensor)
	if err != nil {
		return nil, err
	}
	return wrap(multiplied(r, x.Tensor, y.Tensor)), nil
}

func einsum(thread *starlark.Thread, _ string, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
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
	m := meterOf(thread)
	r, err := tensor.Einsum(notation, m.does, m.adds(operands...), operands...)
	if err != nil {
		return nil, err
	}
	return wrap(multiplied(r, operands...)), nil
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
	if err := starlark.UnpackArgs(name, args, kwargs, "x", &x, "axis", &axis, "first", &first, "end", &end, "step?",
		&step); err != nil {
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
