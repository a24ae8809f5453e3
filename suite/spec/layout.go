package spec

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"metalconform/suite"
	"metalconform/suite/tensor"
)

// layout is where the elements of a buffer lie that a definition sees: one after the other, or a
// view with strides. The oracle has the tensor of the extents, the kernel the whole buffer.
type layout struct {
	of      dataType
	extents []expression
	strides []expression // in elements; nil: no view
	first   expression
	size    expression // zero: up to the last element of the view
	role    suite.Role
}

// layout reads the extents and the view of a buffer.
func (a *argument) layout(axes []suite.Axis) (*layout, error) {
	l := &layout{of: a.of, role: a.role}
	for _, part := range []struct {
		name string
		of   []starlark.Value
		into *[]expression
	}{{"extent", a.extents, &l.extents}, {"stride", a.strides, &l.strides}} {
		for i, v := range part.of {
			e, err := newExpression(fmt.Sprintf("%s: %s %d of %s", a.at, part.name, i, a.name), v, axes)
			if err != nil {
				return nil, err
			}
			*part.into = append(*part.into, e)
		}
	}
	if a.strides == nil && (a.first != nil || a.size != nil) {
		return nil, fmt.Errorf("%s: %s has first or size: give strides too", a.at, a.name)
	}
	for _, part := range []struct {
		name string
		of   starlark.Value
		into *expression
	}{{"first", a.first, &l.first}, {"size", a.size, &l.size}} {
		if part.of == nil {
			continue
		}
		var err error
		if *part.into, err = newExpression(fmt.Sprintf("%s: %s of %s", a.at, part.name, a.name), part.of, axes); err !=
			nil {
			return nil, err
		}
	}
	return l, nil
}

// given reports whether an expression was written.
func (e expression) given() bool {
	return e.number != nil || e.text != nil || e.call != nil || e.own != nil
}

// shape are the extents at a point.
func (l *layout) shape(s suite.Shape) []int {
	shape := make([]int, len(l.extents))
	for i, e := range l.extents {
		shape[i] = e.Size(s)
	}
	return shape
}

// apply enters the buffer in an argument. What lies outside of a view may hold anything in an
// input, and has to stay in an output.
func (l *layout) apply(arg *suite.Arg) {
	if l.strides == nil {
		for _, e := range l.extents {
			arg.Extents = append(arg.Extents, e)
		}
		return
	}
	arg.Extents = []suite.Extent{viewed{l}}
	if arg.Role != suite.RoleIn {
		arg.Untouched = l.gaps
	}
	if arg.Role != suite.RoleOut {
		arg.Unread = l.gaps
	}
}

// viewed is the length of a buffer that a view lies in.
type viewed struct{ of *layout }

// Size is the length at a point.
func (v viewed) Size(s suite.Shape) int { return v.of.length(s) }

// String is the length as the specification has it, or the view's own extents and strides.
func (v viewed) String() string {
	if v.of.size.given() {
		return v.of.size.String()
	}
	words := make([]string, len(v.of.extents))
	for i, e := range v.of.extents {
		words[i] = fmt.Sprintf("%s by %s", e, v.of.strides[i])
	}
	return strings.Join(words, ", ")
}

// written has readers see what functions compute.
func (l *layout) written(lambdas map[string]map[spot]string) {
	l.size = l.size.written(lambdas)
	for i := range l.extents {
		l.extents[i] = l.extents[i].written(lambdas)
		l.strides[i] = l.strides[i].written(lambdas)
	}
}

// places are where the elements of the view lie, in the order of the tensor.
func (l *layout) places(s suite.Shape) []int {
	places := []int{0}
	if l.first.given() {
		places[0] = l.first.Size(s)
	}
	for i, n := range l.shape(s) {
		stride := int(l.strides[i].Value(s))
		next := make([]int, 0, len(places)*n)
		for _, p := range places {
			for j := range n {
				next = append(next, p+j*stride)
			}
		}
		places = next
	}
	return places
}

// length is that of the whole buffer.
func (l *layout) length(s suite.Shape) int {
	low, last := 0, 0
	if l.first.given() {
		low, last = l.first.Size(s), l.first.Size(s)
	}
	for i, n := range l.shape(s) {
		if n == 0 {
			low, last = 0, -1
			break
		}
		reach := (n - 1) * int(l.strides[i].Value(s))
		low, last = low+min(reach, 0), last+max(reach, 0)
	}
	if low < 0 {
		panic(suite.Mistake(fmt.Sprintf("%s: a view that begins %d elements in front of its buffer", l.extents[0].at,
			-low)))
	}
	if !l.size.given() {
		return last + 1
	}
	n := l.size.Size(s)
	if n <= last {
		panic(suite.Mistake(fmt.Sprintf("%s: %d elements, and a view of them that ends at %d", l.size.at, n, last)))
	}
	return n
}

// gaps are the ranges that the view leaves out.
func (l *layout) gaps(s suite.Shape) []suite.Range {
	places := l.places(s)
	slices.Sort(places)
	var gaps []suite.Range
	end := 0
	for _, p := range places {
		if p > end {
			gaps = append(gaps, suite.Range{First: end, End: p})
		}
		end = max(end, p+1)
	}
	if n := l.length(s); n > end {
		gaps = append(gaps, suite.Range{First: end, End: n})
	}
	return gaps
}

// gather is the tensor that a definition sees of a buffer's elements.
func (l *layout) gather(data []float64, s suite.Shape) (*tensor.Tensor, error) {
	if l.strides != nil {
		places := l.places(s)
		view := make([]float64, len(places))
		for i, p := range places {
			view[i] = data[p]
		}
		data = view
	}
	if l.of.format != nil {
		decoded := make([]float64, len(data))
		for i, x := range data {
			decoded[i] = l.of.format.Decode(byte(x))
		}
		data = decoded
	}
	return tensor.New(data, l.shape(s)...)
}

// scatter is what a definition gives for a buffer, by the buffer's elements; those outside of a
// view are as they were.
func (l *layout) scatter(data, before []float64, s suite.Shape) []float64 {
	if l.of.format != nil {
		data = slices.Clone(data)
		for i, x := range data {
			if !isAnything(x) {
				data[i] = float64(l.of.format.Encode(x))
			}
		}
	}
	if l.strides == nil {
		return data
	}
	all := slices.Clone(before)
	if all == nil {
		all = make([]float64, l.length(s))
	}
	for i, p := range l.places(s) {
		all[p] = data[i]
	}
	return all
}
