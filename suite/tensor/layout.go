package tensor

import (
	"fmt"
	"slices"
)

// Transpose puts axis order[i] at place i; no order turns all axes round.
func (t *Tensor) Transpose(order ...int) (*Tensor, error) {
	return t.moving(func(t *Tensor) (*Tensor, error) { return t.transposed(order) })
}

func (t *Tensor) transposed(order []int) (*Tensor, error) {
	if len(order) == 0 {
		for i := len(t.shape) - 1; i >= 0; i-- {
			order = append(order, i)
		}
	}
	if len(order) != len(t.shape) {
		return nil, fmt.Errorf("transpose: %s has %d axes, not %d", spell(t.shape), len(t.shape), len(order))
	}
	own, err := t.strides(t.shape)
	if err != nil {
		return nil, err
	}
	shape, strides, seen, same := make([]int, len(order)), make([]int, len(order)), make([]bool, len(order)), true
	for i, a := range order {
		if a, err = t.axis("transpose", a); err != nil {
			return nil, err
		}
		if seen[a] {
			return nil, fmt.Errorf("transpose: axis %d is named twice", a)
		}
		seen[a], shape[i], strides[i] = true, t.shape[a], own[a]
		same = same && a == i
	}
	if same {
		return t, nil
	}
	r := &Tensor{shape: shape, data: make([]float64, len(t.data))}
	w := walk{shape: shape, at: make([]int, len(shape)), strides: [][]int{strides}, index: make([]int, 1)}
	for i := range r.data {
		r.data[i] = t.data[w.index[0]]
		w.next()
	}
	return r, nil
}

// Permute is the elements of an axis of which number i is the one at place(i).
func (t *Tensor) Permute(axis int, place func(i int) int) *Tensor {
	places := make([]int, t.shape[axis])
	for i := range places {
		places[i] = place(i)
	}
	r, _ := t.moving(func(t *Tensor) (*Tensor, error) { return t.pick(axis, places), nil })
	return r
}

// Slice is the elements first, first+step, … before end of an axis. Negative places count from
// the end.
func (t *Tensor) Slice(axis, first, end, step int) (*Tensor, error) {
	return t.moving(func(t *Tensor) (*Tensor, error) { return t.sliced(axis, first, end, step) })
}

func (t *Tensor) sliced(axis, first, end, step int) (*Tensor, error) {
	a, err := t.axis("slice", axis)
	if err != nil {
		return nil, err
	}
	if step < 1 {
		return nil, fmt.Errorf("slice: a step of %d", step)
	}
	_, n, inner := t.around(a)
	first, end = clip(first, n), clip(end, n)
	if first == 0 && end == n && step == 1 {
		return t, nil
	}
	if a == 0 && step == 1 { // elements in a row
		end = max(first, end)
		return &Tensor{shape: append([]int{end - first}, t.shape[1:]...), data: t.data[first*inner : end*inner]}, nil
	}
	var places []int
	for i := first; i < end; i += step {
		places = append(places, i)
	}
	return t.pick(a, places), nil
}

// clip is a place of n, counted from the end if negative.
func clip(i, n int) int {
	if i < 0 {
		i += n
	}
	return max(0, min(i, n))
}

// At is the elements at one place of the first axis, which the result lacks.
func (t *Tensor) At(i int) (*Tensor, error) {
	return t.moving(func(t *Tensor) (*Tensor, error) { return t.at(i) })
}

func (t *Tensor) at(i int) (*Tensor, error) {
	if len(t.shape) == 0 || i < -t.shape[0] || i >= t.shape[0] {
		return nil, fmt.Errorf("index %d: the shape is %s", i, spell(t.shape))
	}
	if i < 0 {
		i += t.shape[0]
	}
	n := len(t.data) / t.shape[0]
	return &Tensor{shape: t.shape[1:], data: t.data[i*n : (i+1)*n]}, nil
}

// Take is the elements of an axis at the places that indices name, in the indices' shape.
func (t *Tensor) Take(indices *Tensor, axis int) (*Tensor, error) {
	return t.moving(func(t *Tensor) (*Tensor, error) { return t.taken(indices, axis) })
}

func (t *Tensor) taken(indices *Tensor, axis int) (*Tensor, error) {
	a, err := t.axis("take", axis)
	if err != nil {
		return nil, err
	}
	_, n, _ := t.around(a)
	places := make([]int, len(indices.data))
	for i, x := range indices.data {
		places[i] = int(x)
		if float64(places[i]) != x || places[i] < 0 || places[i] >= n {
			return nil, fmt.Errorf("take: index %g of axis %d, which is %d long", x, axis, n)
		}
	}
	shape := slices.Concat(t.shape[:a], indices.shape, t.shape[a+1:])
	if _, err := count(shape); err != nil {
		return nil, err
	}
	r := t.pick(a, places)
	r.shape = shape
	return r, nil
}

// pick is the elements at places of an axis.
func (t *Tensor) pick(a int, places []int) *Tensor {
	outer, n, inner := t.around(a)
	shape := slices.Clone(t.shape)
	shape[a] = len(places)
	r := &Tensor{shape: shape, data: make([]float64, 0, outer*len(places)*inner)}
	for o := range outer {
		for _, p := range places {
			at := (o*n + p) * inner
			r.data = append(r.data, t.data[at:at+inner]...)
		}
	}
	return r
}

// Concatenate joins tensors along an axis.
func Concatenate(axis int, parts ...*Tensor) (*Tensor, error) {
	return moving(parts, func(parts []*Tensor) (*Tensor, error) { return concatenated(axis, parts) })
}

func concatenated(axis int, parts []*Tensor) (*Tensor, error) {
	if len(parts) == 0 {
		return nil, fmt.Errorf("concatenate: no tensors")
	}
	a, err := parts[0].axis("concatenate", axis)
	if err != nil {
		return nil, err
	}
	shape := slices.Clone(parts[0].shape)
	shape[a] = 0
	for _, p := range parts {
		if len(p.shape) != len(shape) || !slices.Equal(p.shape[:a], shape[:a]) ||
			!slices.Equal(p.shape[a+1:], shape[a+1:]) {
			return nil, fmt.Errorf("concatenate: %s and %s differ in another axis than %d", spell(parts[0].shape),
				spell(p.shape), axis)
		}
		shape[a] += p.shape[a]
	}
	n, err := count(shape)
	if err != nil {
		return nil, err
	}
	r := &Tensor{shape: shape, data: make([]float64, 0, n)}
	outer, _, _ := parts[0].around(a)
	for o := range outer {
		for _, p := range parts {
			_, length, inner := p.around(a)
			r.data = append(r.data, p.data[o*length*inner:(o+1)*length*inner]...)
		}
	}
	return r, nil
}

// Stack joins tensors of one shape along a new first axis.
func Stack(parts ...*Tensor) (*Tensor, error) {
	if len(parts) == 0 {
		return nil, fmt.Errorf("stack: no tensors")
	}
	rows := make([]*Tensor, len(parts))
	for i, p := range parts {
		if !slices.Equal(p.shape, parts[0].shape) {
			return nil, fmt.Errorf("stack: %s and %s", spell(parts[0].shape), spell(p.shape))
		}
		rows[i] = &Tensor{shape: append([]int{1}, p.shape...), data: p.data, exact: p.exact, low: p.low}
	}
	return Concatenate(0, rows...)
}

// Repeat is each element of an axis n times in a row.
func (t *Tensor) Repeat(n, axis int) (*Tensor, error) {
	return t.moving(func(t *Tensor) (*Tensor, error) { return t.repeated(n, axis) })
}

func (t *Tensor) repeated(n, axis int) (*Tensor, error) {
	a, err := t.axis("repeat", axis)
	if err != nil {
		return nil, err
	}
	if n < 0 || n > MaxElements/max(1, len(t.data)) {
		return nil, fmt.Errorf("repeat: %s %d times", spell(t.shape), n)
	}
	var places []int
	for i := range t.shape[a] {
		for range n {
			places = append(places, i)
		}
	}
	return t.pick(a, places), nil
}

// Triangle is the elements of the last two axes on and below diagonal k, and 0 above it; or, if
// upper, those on and above it.
func (t *Tensor) Triangle(k int, upper bool) (*Tensor, error) {
	return t.moving(func(t *Tensor) (*Tensor, error) { return t.triangle(k, upper) })
}

func (t *Tensor) triangle(k int, upper bool) (*Tensor, error) {
	if len(t.shape) < 2 {
		return nil, fmt.Errorf("tril: %s is no matrix", spell(t.shape))
	}
	rows, columns := t.shape[len(t.shape)-2], t.shape[len(t.shape)-1]
	r := &Tensor{shape: t.shape, data: slices.Clone(t.data)}
	for i := range r.data {
		row, column := i/columns%rows, i%columns
		if !upper && column > row+k || upper && column < row+k {
			r.data[i] = 0
		}
	}
	return r, nil
}
