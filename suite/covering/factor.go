package covering

import (
	"fmt"
	"slices"
	"strconv"
)

// Class has values of a factor of which any stands for all.
type Class struct {
	Name   string // as a report says it, such as "33…255"
	Values []int  // the preferred one first
}

// Factor is a dimension. Classes may share values.
type Factor struct {
	Name    string
	Classes []Class
}

// index is the numbers of the classes that have a value.
func (f Factor) index(value int) (list []int) {
	for i, c := range f.Classes {
		if slices.Contains(c.Values, value) {
			list = append(list, i)
		}
	}
	return list
}

const (
	// FewValues is how many values each stand for themselves.
	FewValues = 4
	simdgroup = 32
	block     = 256 // threads of a usual threadgroup
)

// Group makes classes of the values that a factor is known to take. A few values are a class each. Of more, these are
// together: those below a simdgroup, multiples of it and others up to a usual threadgroup, and those of several blocks.
// Zero and one stand for themselves. The smallest value of a class is preferred, but base if the class has it.
func Group(values []int, base int) []Class {
	values = slices.Compact(slices.Sorted(slices.Values(values)))
	var classes []Class
	last := -1
	for _, v := range values {
		kind := v
		if len(values) > FewValues && v > 1 {
			kind = kindOf(v)
		}
		if at := slices.IndexFunc(classes, func(c Class) bool {
			return len(values) > FewValues && v > 1 && c.Values[0] > 1 && kindOf(c.Values[0]) == kind
		}); at >= 0 {
			last = at
		} else {
			classes, last = append(classes, Class{}), len(classes)
		}
		c := &classes[last]
		if c.Values = append(c.Values, v); v == base {
			c.Values = slices.Insert(slices.Delete(c.Values, len(c.Values)-1, len(c.Values)), 0, v)
		}
	}
	for i := range classes {
		classes[i].Name = nameOf(classes[i].Values)
	}
	return classes
}

// kindOf is the same for values that are one class.
func kindOf(v int) int {
	switch {
	case v < simdgroup:
		return 2
	case v > block:
		return 5
	case v%simdgroup == 0:
		return 3
	}
	return 4
}

// nameOf says which values a class has.
func nameOf(values []int) string {
	low, high := slices.Min(values), slices.Max(values)
	switch {
	case low == high:
		return strconv.Itoa(low)
	case kindOf(low) == kindOf(simdgroup) && kindOf(high) == kindOf(simdgroup):
		return fmt.Sprintf("%d…%d in steps of %d", low, high, simdgroup)
	}
	return fmt.Sprintf("%d…%d", low, high)
}

// Single is the class of one value.
func Single(value int) Class { return Class{strconv.Itoa(value), []int{value}} }

// From is the class of a value and all larger ones that the factor's classes have.
func (f Factor) From(value int) Class {
	c := Class{strconv.Itoa(value) + " and more", []int{value}}
	for _, other := range f.Classes {
		for _, v := range other.Values {
			if v > value && !slices.Contains(c.Values, v) {
				c.Values = append(c.Values, v)
			}
		}
	}
	slices.Sort(c.Values)
	return c
}
