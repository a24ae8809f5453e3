package tensor

import "math"

// A tensor may be exact: its elements are integers that integers were made to by operations on integers. Then the data
// are the nearest numbers of float64, and beyond 2⁵³ the tensor has what they lack of the integers, in as many parts as
// that takes: element i is the sum of data[i] and of low[k][i]. An element that is no integer, as after a division by
// zero, is a NaN. Functions that move elements do the same to all parts. The result of any other function is not exact
// unless the function says so.

// exactBelow is the end of the integers that float64 has all of.
const exactBelow = 1 << 53

// Exact reports whether the tensor is exact.
func (t *Tensor) Exact() bool { return t.exact }

// Wide reports whether the tensor is exact and has integers that float64 does not hold.
func (t *Tensor) Wide() bool { return len(t.low) > 0 }

// Exactly is the tensor with its elements as exact integers, if all are finite integers below 2⁵³ in size, or none.
func (t *Tensor) Exactly() *Tensor {
	for _, x := range t.data {
		if x-x == 0 && (x != math.Trunc(x) || math.Abs(x) >= exactBelow) {
			return t.Inexact()
		}
	}
	return &Tensor{shape: t.shape, data: t.data, exact: true}
}

// Inexact is the tensor with its elements as numbers of float64.
func (t *Tensor) Inexact() *Tensor { return &Tensor{shape: t.shape, data: t.data} }

// OfIntegers is an exact tensor of a shape that has as many elements.
func OfIntegers(of []Integer, shape ...int) *Tensor {
	t := &Tensor{shape: shape, data: make([]float64, len(of)), exact: true}
	for i, n := range of {
		x := n.float()
		t.data[i] = x
		for part := 0; !n.none && n.beyond(); part++ {
			if n = n.Sub(wholeOf(x)); n.Sign() == 0 {
				break
			}
			if part == len(t.low) {
				t.low = append(t.low, make([]float64, len(of)))
			}
			x = n.float()
			t.low[part][i] = x
		}
	}
	return t
}

// OfInteger is an exact tensor without axes.
func OfInteger(n Integer) *Tensor {
	if n.none || n.beyond() {
		return OfIntegers([]Integer{n})
	}
	return &Tensor{data: []float64{float64(n.small)}, exact: true}
}

// beyond reports whether float64 may lack something of an integer.
func (n Integer) beyond() bool { return n.large != nil || magnitude(n.small) > exactBelow }

// Integer is element i of an exact tensor.
func (t *Tensor) Integer(i int) Integer {
	n := wholeOf(t.data[i])
	for _, low := range t.low {
		n = n.Add(wholeOf(low[i]))
	}
	return n
}

// Integers are the elements of an exact tensor.
func (t *Tensor) Integers() []Integer {
	all := make([]Integer, len(t.data))
	for i := range all {
		all[i] = t.Integer(i)
	}
	return all
}

// MapIntegers applies f to every element of an exact tensor.
func (t *Tensor) MapIntegers(f func(Integer) Integer) *Tensor {
	all := t.Integers()
	for i, n := range all {
		all[i] = f(n)
	}
	return OfIntegers(all, t.shape...)
}

// ZipIntegers applies f to the elements of two exact tensors that are broadcast to one shape.
func ZipIntegers(operation string, a, b *Tensor, f func(x, y Integer) Integer) (*Tensor, error) {
	shape, err := common(operation, []*Tensor{a, b})
	if err != nil {
		return nil, err
	}
	if a, err = a.Broadcast(shape...); err != nil {
		return nil, err
	}
	if b, err = b.Broadcast(shape...); err != nil {
		return nil, err
	}
	all := a.Integers()
	for i := range all {
		all[i] = f(all[i], b.Integer(i))
	}
	return OfIntegers(all, shape...), nil
}

// ReduceIntegers is [Tensor.Reduce] of an exact tensor.
func (t *Tensor) ReduceIntegers(operation string, axes []int, keep bool, f func([]Integer) Integer) (*Tensor, error) {
	all := t.Integers()
	var results []Integer
	r, err := t.places().Reduce(operation, axes, keep, func(places []float64) float64 {
		line := make([]Integer, len(places))
		for i, p := range places {
			line[i] = all[int(p)]
		}
		results = append(results, f(line))
		return 0
	})
	if err != nil {
		return nil, err
	}
	return OfIntegers(results, r.shape...), nil
}

// AlongIntegers is [Tensor.Along] of an exact tensor.
func (t *Tensor) AlongIntegers(operation string, axis int, f func(line []Integer)) (*Tensor, error) {
	all := t.Integers()
	var results []Integer
	r, err := t.places().Along(operation, axis, func(places []float64) {
		line := make([]Integer, len(places))
		for i, p := range places {
			line[i] = all[int(p)]
		}
		f(line)
		for i := range places {
			places[i] = float64(len(results) + i)
		}
		results = append(results, line...)
	})
	if err != nil {
		return nil, err
	}
	for i, p := range r.data {
		all[i] = results[int(p)]
	}
	return OfIntegers(all, t.shape...), nil
}

// places is a tensor of the same shape whose elements are their places.
func (t *Tensor) places() *Tensor {
	r := &Tensor{shape: t.shape, data: make([]float64, len(t.data))}
	for i := range r.data {
		r.data[i] = float64(i)
	}
	return r
}

// moving applies a function that moves elements to all parts of a tensor.
func (t *Tensor) moving(f func(*Tensor) (*Tensor, error)) (*Tensor, error) {
	return moving([]*Tensor{t}, func(of []*Tensor) (*Tensor, error) { return f(of[0]) })
}

// moving applies a function that moves elements of several tensors to all their parts.
func moving(of []*Tensor, f func([]*Tensor) (*Tensor, error)) (*Tensor, error) {
	exact, parts := true, 0
	for _, t := range of {
		exact, parts = exact && t.exact, max(parts, len(t.low))
	}
	r, err := f(of)
	if err != nil || !exact {
		return r, err
	}
	result := &Tensor{shape: r.shape, data: r.data, exact: true}
	for part := range parts {
		lows := make([]*Tensor, len(of))
		for i, t := range of {
			lows[i] = &Tensor{shape: t.shape}
			if part < len(t.low) {
				lows[i].data = t.low[part]
			} else {
				lows[i].data = make([]float64, len(t.data))
			}
		}
		low, err := f(lows)
		if err != nil {
			return nil, err
		}
		result.low = append(result.low, low.data)
	}
	return result, nil
}
