package spec

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"go.starlark.net/starlark"

	"metalconform/suite/tensor"
)

// bincount is how often each integer below n is among places, or what the weights at its places sum up to: of rows the
// sums are rows, as a scattered addition has them.
func bincount(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value,
	error) {
	var (
		places, weights asTensor
		n               int
	)
	if err := starlark.UnpackArgs(name, args, kwargs, "x", &places, "n", &n, "weights??", &weights); err != nil {
		return nil, err
	}
	if weights.Tensor == nil {
		ones, err := tensor.Full(1, places.Shape()...)
		if err != nil {
			return nil, err
		}
		weights.Tensor = ones.Exactly()
	}
	at, shape := places.Data(), weights.Shape()
	rank := len(places.Shape())
	if len(shape) < rank || !slices.Equal(shape[:rank], places.Shape()) {
		return nil, fmt.Errorf("%s: weights of %s for %s places: want one, or a row, for each place", name,
			sizes(shape), sizes(places.Shape()))
	}
	width := 1
	for _, extent := range shape[rank:] {
		width *= extent
	}
	if n < 0 || width > 0 && n > math.MaxInt/8/width { // that many are nowhere, and cannot be multiplied
		return nil, fmt.Errorf("%s: %d counts", name, n)
	}
	m := meterOf(thread)
	if err := m.spend(n * width); err != nil {
		return nil, err
	}
	add := func(sum, w float64) float64 { return sum + w }
	if m.naive() && !integers(weights.Tensor) {
		add = func(sum, w float64) float64 { return m.step(sum+w, false) }
	}
	sums := make([]float64, n*width)
	for i, p := range at {
		if p != math.Trunc(p) || p < 0 || p >= float64(n) {
			return nil, fmt.Errorf("%s: element %d is %g: want integers from 0 up to n, which is %d, and not that",
				name, i, p, n)
		}
		for j, w := range weights.Data()[i*width : (i+1)*width] {
			sums[int(p)*width+j] = add(sums[int(p)*width+j], w)
		}
	}
	t, err := tensor.New(sums, append([]int{n}, shape[rank:]...)...)
	if err != nil {
		return nil, err
	}
	if !sumsExactly(weights.Tensor) {
		return wrap(t), nil
	}
	return wrap(exactIf(t, places.Tensor, weights.Tensor)), nil
}

// sizes are extents for readers.
func sizes(shape []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(shape), " ", " × "), "[]")
}

// searchsorted is where numbers belong in a line that rises: before those that are equal, or behind them (right).
func searchsorted(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value,
	error) {
	var line, x asTensor
	side := "left"
	if err := starlark.UnpackArgs(name, args, kwargs, "sorted", &line, "x", &x, "side?", &side); err != nil {
		return nil, err
	}
	of := line.Data()
	if len(line.Shape()) != 1 || !slices.IsSorted(of) {
		return nil, fmt.Errorf("%s: want one line that rises", name)
	}
	if side != "left" && side != "right" {
		return nil, fmt.Errorf(`%s: side = %q: want "left" or "right"`, name, side)
	}
	return result(x.Map(func(x float64) float64 {
		return float64(sort.Search(len(of), func(i int) bool { return of[i] > x || side == "left" && of[i] == x }))
	}), nil)
}

// runningMax makes a line the largest of its elements so far; behind a NaN all are that.
func runningMax(line []float64) {
	for i := 1; i < len(line); i++ {
		if before := line[i-1]; before != before || before > line[i] {
			line[i] = before
		}
	}
}
