package spec

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"metalconform/suite/tensor"
)

// filledOut is an index with an entry for each axis that an ellipsis stands for.
func filledOut(keys starlark.Tuple, rank int) starlark.Tuple {
	at := slices.IndexFunc(keys, func(v starlark.Value) bool { _, ok := v.(ellipsis); return ok })
	if at < 0 {
		return keys
	}
	for _, key := range keys {
		if key != starlark.None {
			rank--
		}
	}
	var all []starlark.Value
	for range rank + 1 { // the ellipsis itself has been counted
		all = append(all, wholeAxis())
	}
	return slices.Concat(keys[:at], all, keys[at+1:])
}

// wholeAxis is a whole axis.
func wholeAxis() *span {
	return &span{Value: opaque, first: starlark.None, end: starlark.None, step: 1}
}

// chosen writes places for truths: of each axis those at which they hold.
func chosen(keys starlark.Tuple, shape []int) (starlark.Tuple, error) {
	var all starlark.Tuple
	axis := 0
	for i, key := range keys {
		a, ok := key.(array)
		if !ok || !a.truths {
			if _, other := key.(ellipsis); other { // those behind it count from the end
				axis = len(shape) - axesOf(keys[i+1:])
			} else if key != starlark.None {
				axis++
			}
			all = append(all, key)
			continue
		}
		own := a.Shape()
		if axis+len(own) > len(shape) || !slices.Equal(own, shape[axis:axis+len(own)]) {
			return nil, fmt.Errorf("truths of shape %s choose from axes of that length: those of the tensor are %v",
				shapeOf(a), shape)
		}
		places := make([][]float64, len(own))
		for i, x := range a.Data() {
			if x == 0 {
				continue
			}
			for j := len(own) - 1; j >= 0; j-- {
				places[j] = append(places[j], float64(i%own[j]))
				i /= own[j]
			}
		}
		for _, p := range places {
			t, err := tensor.New(p, len(p))
			if err != nil {
				return nil, err
			}
			all = append(all, array{exactIf(t, a.Tensor), false})
		}
		axis += len(own)
	}
	return all, nil
}

// listed writes tensors of places for lists of them.
func (a array) listed(keys starlark.Tuple) (starlark.Tuple, error) {
	all := slices.Clone(keys)
	for i, key := range keys {
		if list, ok := key.(*starlark.List); ok {
			places, err := fromValue(list)
			if err != nil {
				return nil, err
			}
			all[i] = array{places, list.Len() > 0 && isBool(list.Index(0))}
		}
	}
	return all, nil
}

// isBool reports whether a value is True or False.
func isBool(v starlark.Value) bool {
	_, ok := v.(starlark.Bool)
	return ok
}

// axesOf is how many axes an index names.
func axesOf(keys starlark.Tuple) int {
	n := 0
	for _, key := range keys {
		if a, ok := key.(array); ok && a.truths {
			n += len(a.Shape())
		} else if key != starlark.None {
			n++
		}
	}
	return n
}

// part is an index: of a place, of places that a tensor names, of a span, of None for a new axis, or of
// several of these, one for each axis. Several tensors of places go together, as NumPy has it: x[i, j] has the elements
// x[i[0], j[0]] and so on. Truths are the places at which they hold.
func (a array) part(m *meter, key starlark.Value) (starlark.Value, error) {
	keys, ok := key.(starlark.Tuple)
	if !ok {
		keys = starlark.Tuple{key}
	}
	keys, err := a.listed(keys)
	if err == nil {
		keys, err = chosen(keys, a.Shape())
	}
	if err != nil {
		return nil, err
	}
	keys = filledOut(keys, len(a.Shape()))
	group, err := together(keys)
	if err != nil {
		return nil, err
	}
	t, axis := a.Tensor, 0
	for i, key := range keys {
		switch key := key.(type) {
		case starlark.NoneType:
			shape := t.Shape()
			t, err = t.Reshape(append(append(append([]int{}, shape[:axis]...), 1), shape[axis:]...)...)
			axis++
		case *span:
			t, err = key.of(t, axis)
			axis++
		default:
			places, ok := operand(key)
			if !ok {
				return nil,
					fmt.Errorf("an index of type %s: want a place, a tensor of places, a part such as 1:3, ... or None",
						key.Type())
			}
			if group.enter(i, places, axis) {
				axis++
				continue
			}
			t, err = t.Take(fromEnd(places, t.Shape(), axis), axis)
			axis += len(places.Shape())
		}
		if err == nil {
			err = m.spend(t.Len())
		}
		if err != nil {
			return nil, err
		}
	}
	if t, err = group.of(t); err != nil {
		return nil, err
	}
	if !exactKeys(keys) {
		t = t.Inexact()
	}
	return a.of(t), m.made(t)
}

// exactKeys reports whether no float decides about the places of an index.
func exactKeys(keys starlark.Tuple) bool {
	return !slices.ContainsFunc(keys, func(key starlark.Value) bool {
		t, ok := operand(key)
		return ok && !t.Exact()
	})
}

// group are several tensors of places that go together.
type group struct {
	keys   []int // of the index; fewer than two: none go together
	apart  bool  // axes lie between them: theirs come first
	places []*tensor.Tensor
	axes   []int
}

// together finds the tensors of places of an index. A single place beside one of them, with an axis between, means one
// thing to NumPy and another to others: it is refused.
func together(keys starlark.Tuple) (*group, error) {
	g := &group{}
	first, last, single := -1, -1, false
	for i, key := range keys {
		places, ok := operand(key)
		if !ok {
			continue
		}
		if last = i; first < 0 {
			first = i
		}
		if len(places.Shape()) > 0 {
			g.keys = append(g.keys, i)
		} else {
			single = true
		}
	}
	if len(g.keys) > 0 {
		for _, key := range keys[first:last] {
			_, ok := operand(key)
			g.apart = g.apart || !ok
		}
		if g.apart && single {
			return nil,
				fmt.Errorf("a place and a tensor of places with an axis between: take the place first, as in " +
					"x[0][:, places]")
		}
	}
	return g, nil
}

// enter notes the places of an axis, if they go together with others.
func (g *group) enter(key int, places *tensor.Tensor, axis int) bool {
	if len(g.keys) < 2 || !slices.Contains(g.keys, key) {
		return false
	}
	g.places, g.axes = append(g.places, places), append(g.axes, axis)
	return true
}

// of is what stands in a tensor where the places meet.
func (g *group) of(t *tensor.Tensor) (*tensor.Tensor, error) {
	if len(g.axes) == 0 {
		return t, nil
	}
	shape := t.Shape()
	at := tensor.Number(0)
	order, rest, n := slices.Clone(g.axes), []int(nil), 1
	for i, axis := range g.axes {
		if axis >= len(shape) {
			return nil, fmt.Errorf("an index of %d axes, of %s", axis+1, t)
		}
		d := float64(shape[axis])
		places := fromEnd(g.places[i], shape, axis)
		for _, p := range places.Data() {
			if p != float64(int(p)) || p < 0 || p >= d {
				return nil, fmt.Errorf("index %g of axis %d, which is %g long", p, axis, d)
			}
		}
		var err error
		if at, err = tensor.Zip("[]", at, places, func(x, p float64) float64 { return float64(x*d) + p }); err != nil {
			return nil, err
		}
		n *= shape[axis]
	}
	before := 0
	for axis, d := range shape {
		if !slices.Contains(g.axes, axis) {
			order, rest = append(order, axis), append(rest, d)
			if axis < g.axes[0] && !g.apart {
				before++
			}
		}
	}
	t, err := t.Transpose(order...)
	if err == nil {
		t, err = t.Reshape(append([]int{n}, rest...)...)
	}
	if err == nil {
		t, err = t.Take(at, 0)
	}
	if err != nil || before == 0 {
		return t, err
	}
	own := len(at.Shape())
	var back []int
	for i := range before {
		back = append(back, own+i)
	}
	for i := range own {
		back = append(back, i)
	}
	for i := before; i < len(rest); i++ {
		back = append(back, own+i)
	}
	return t.Transpose(back...)
}

// fromEnd counts negative places from the end of an axis.
func fromEnd(places *tensor.Tensor, shape []int, axis int) *tensor.Tensor {
	if axis >= len(shape) {
		return places
	}
	return places.Map(func(i float64) float64 {
		if i < 0 {
			i += float64(shape[axis])
		}
		return i
	})
}
