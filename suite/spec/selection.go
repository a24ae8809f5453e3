package spec

import (
	"fmt"

	"go.starlark.net/starlark"

	"metalconform/suite/tensor"
)

func take(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x, indices asTensor
	axis := 0
	if err := starlark.UnpackArgs(name, args, kwargs, "x", &x, "indices", &indices, "axis?", &axis); err != nil {
		return nil, err
	}
	t, err := x.Take(indices.Tensor, axis)
	if err != nil {
		return nil, err
	}
	if !indices.Exact() {
		t = t.Inexact()
	}
	return wrap(t), nil
}

func argsort(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var (
		x       asTensor
		falling bool
	)
	axis := -1
	if err := starlark.UnpackArgs(name, args, kwargs, "x", &x, "axis?", &axis, "descending?", &falling); err != nil {
		return nil, err
	}
	t, err := x.Along(name, axis, func(line []float64) { tensor.Order(line, falling) })
	if err != nil {
		return nil, err
	}
	return wrap(exactIf(t, x.Tensor)), nil
}

func sorted(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var (
		x       asTensor
		falling bool
	)
	axis := -1
	if err := starlark.UnpackArgs(name, args, kwargs, "x", &x, "axis?", &axis, "descending?", &falling); err != nil {
		return nil, err
	}
	t, err := x.Along(name, axis, func(line []float64) { tensor.Sort(line, falling) })
	if err != nil {
		return nil, err
	}
	return wrap(exactIf(t, x.Tensor)), nil
}

// topK is the k largest elements along the last axis, the first of equal ones first, and their
// places.
func topK(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var (
		x asTensor
		k int
	)
	if err := starlark.UnpackArgs(name, args, kwargs, "x", &x, "k", &k); err != nil {
		return nil, err
	}
	shape := x.Shape()
	if len(shape) == 0 || k < 0 || k > shape[len(shape)-1] {
		return nil, fmt.Errorf("top_k: %d of %s", k, x.Tensor)
	}
	order, err := x.Along(name, -1, func(line []float64) { tensor.Order(line, true) })
	if err != nil {
		return nil, err
	}
	places, err := order.Slice(-1, 0, k, 1)
	if err != nil {
		return nil, err
	}
	n, data := shape[len(shape)-1], make([]float64, places.Len())
	for i, p := range places.Data() {
		data[i] = x.Data()[i/max(k, 1)*n+int(p)]
	}
	values, err := tensor.New(data, places.Shape()...)
	if err != nil {
		return nil, err
	}
	return starlark.Tuple{array{Tensor: exactIf(values, x.Tensor)}, array{Tensor: exactIf(places, x.Tensor)}}, nil
}

func oneHot(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var (
		indices asTensor
		n       int
	)
	if err := starlark.UnpackArgs(name, args, kwargs, "indices", &indices, "n", &n); err != nil {
		return nil, err
	}
	column, err := indices.Reshape(append(indices.Shape(), 1)...)
	if err != nil {
		return nil, err
	}
	places, err := tensor.Range(n)
	if err != nil {
		return nil, err
	}
	t, err := tensor.Zip(name, column, places, pairwise["equal"])
	if err != nil {
		return nil, err
	}
	return wrap(exactIf(t, indices.Tensor)), nil
}

// bits is count bits of integers from bit first up.
func bits(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x, first asTensor
	var n int
	if err := starlark.UnpackArgs(name, args, kwargs, "x", &x, "first", &first, "count", &n); err != nil {
		return nil, err
	}
	if n < 1 || n > 32 {
		return nil, fmt.Errorf("bits: a count of %d", n)
	}
	if x.Wide() && first.Exact() {
		return result(tensor.ZipIntegers(name, x.Tensor, first.Tensor, func(word, at tensor.Integer) tensor.Integer {
			return word.Shr(at).Wrap(n, false)
		}))
	}
	t, err := tensor.Zip(name, x.Tensor, first.Tensor, func(word, at float64) float64 {
		return float64(uint64(int64(word)) >> uint64(at) & (1<<n - 1))
	})
	if err != nil {
		return nil, err
	}
	return wrap(exactIf(t, x.Tensor, first.Tensor)), nil
}

// fromBits is the numbers of a format whose bits words are.
func fromBits(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var (
		words asTensor
		of    dataType
	)
	if err := starlark.UnpackArgs(name, args, kwargs, "words", &words, "type", &of); err != nil {
		return nil, err
	}
	format, float := of.of.Format()
	switch {
	case of.format != nil:
		return wrap(words.Map(func(w float64) float64 { return of.format.Decode(byte(int64(w))) })), nil
	case float:
		return wrap(words.Map(func(w float64) float64 { return format.FromBits(uint32(int64(w))) })), nil
	}
	return wrap(words.Map(casts[of.name])), nil
}

// toBits is the words that numbers of a format are stored as.
func toBits(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var (
		x  asTensor
		of dataType
	)
	if err := starlark.UnpackArgs(name, args, kwargs, "x", &x, "type", &of); err != nil {
		return nil, err
	}
	format, float := of.of.Format()
	switch {
	case of.format != nil:
		return wrap(x.Map(func(x float64) float64 { return float64(of.format.Encode(x)) })), nil
	case float:
		return wrap(x.Map(func(x float64) float64 { return float64(format.Bits(x)) })), nil
	}
	width := 8 * of.of.Bytes()
	return wrap(x.Map(func(x float64) float64 { return float64(uint64(int64(x)) & (1<<width - 1)) })), nil
}

// rowBytes is about what a row of a scan takes beside its elements: tensors with their shapes, and what a call makes.
const rowBytes = 256

// scan takes a state through rows: f(state, row, …) returns the next state and what it gives. The
// result is the last state and all that was given, stacked.
func scan(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) < 3 || len(kwargs) > 0 {
		return nil, fmt.Errorf("scan: want a function, the first state, and tensors whose rows it takes")
	}
	f, ok := args[0].(starlark.Callable)
	if !ok {
		return nil, fmt.Errorf("scan: got %s, want a function", args[0].Type())
	}
	rows := make([]array, len(args)-2)
	for i, v := range args[2:] {
		t, err := fromValue(v)
		if err != nil {
			return nil, fmt.Errorf("scan: %w", err)
		}
		if rows[i] = (array{Tensor: t}); len(t.Shape()) == 0 || rows[i].Len() != rows[0].Len() {
			return nil, fmt.Errorf("scan: %s and %s have different numbers of rows", rows[0].Tensor, t)
		}
	}
	m := meterOf(thread)
	if err := m.compute(times(rowBytes, rows[0].Len())); err != nil {
		return nil, err
	}
	state, given := args[1], make([]starlark.Value, rows[0].Len())
	call := make(starlark.Tuple, len(rows)+1)
	for step := range given {
		call[0] = state
		for i, r := range rows {
			call[i+1] = r.Index(step)
		}
		v, err := starlark.Call(thread, f, call, nil)
		if err != nil {
			return nil, err
		}
		pair, ok := v.(starlark.Tuple)
		if !ok || len(pair) != 2 {
			return nil, fmt.Errorf("scan: the function returns %s, want the next state and what it gives", v.Type())
		}
		state, given[step] = pair[0], pair[1]
	}
	if len(given) == 0 {
		return starlark.Tuple{state, starlark.None}, nil
	}
	stacked, err := fromValue(starlark.NewList(given))
	if err != nil {
		return nil, fmt.Errorf("scan: %w", err)
	}
	return starlark.Tuple{state, array{Tensor: stacked}}, nil
}
