package adhoc

import (
	"fmt"

	"metalconform/metalrun"
)

// alone reports whether the argument is one number: what counts something, more likely than the size of a buffer.
func (p parameter) alone() bool {
	return p.scalar() && len(p.scalars) == 1 && p.scalars[0].Count == 1 && p.scalars[0].Name == ""
}

// measured is the size in bytes of the buffer that an integer of an argument is the size of, by what the kernel does
// with it, unless somebody states another value.
func (k *Kernel) measured(name string, i int, at place) (bytes int, is bool) {
	use, read := k.uses[at]
	if !read || !use.Measures || k.valued(name, i) {
		return 0, false
	}
	for _, p := range k.params {
		if p.Kind == metalrun.BufferArg && p.Index == use.Of {
			n, _ := k.count(p)
			bytes = n * p.Size
			if p.behind > 0 {
				bytes = roundUp(p.behind+bytes, p.Align)
			}
		}
	}
	return bytes, bytes > 0
}

// valued reports whether somebody states an element of an argument, or guesses it otherwise.
func (k *Kernel) valued(name string, i int) bool {
	for _, stated := range []map[string]float64{k.spec.Args, k.spec.guesses} {
		for _, n := range []string{name, element(name, i)} {
			if _, ok := stated[n]; ok {
				return true
			}
		}
	}
	return false
}

// integer is the value of element i of an argument's integers, which are at a place.
func (k *Kernel) integer(name string, i int, at place) float64 {
	if bytes, is := k.measured(name, i, at); is {
		return float64(bytes)
	}
	if n, is := k.uses[at].Choice(); is && !k.valued(name, i) {
		return float64(n)
	}
	return k.spec.element(name, i, integer)
}

// sizes are the facts of integers in vectors and arrays that are sizes of buffers.
func (k *Kernel) sizes(p parameter) []fact {
	var facts []fact
	add := func(name string, i, offset int) {
		if bytes, is := k.measured(name, i, place{p.Index, offset}); is {
			facts = append(facts, stated(element(name, i), float64(bytes), false))
		}
	}
	if p.Kind != metalrun.BufferArg {
		return nil
	}
	if p.table() {
		for i := range k.tableLength(p) {
			add(p.Name, i, i*p.Size)
		}
		return facts
	}
	for _, m := range p.scalars {
		for i := range m.Count {
			if m.Count > 1 {
				add(m.path, i, m.Offset+i*m.Size)
			}
		}
	}
	return facts
}

// element is the name of an element of a vector, an array or a table.
func element(name string, i int) string { return fmt.Sprintf("%s[%d]", name, i) }
