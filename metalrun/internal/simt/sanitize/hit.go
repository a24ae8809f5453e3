package sanitize

import (
	"metalconform/metalrun/internal/simt/machine"
)

// An observed launch notes where it comes across a value that Metal leaves
// unspecified: a site that it never does so at needs no other values tried there.
// Variables and arrays of a thread are not watched, because that costs more than to
// try.

// hit is the first lane that met an unspecified value at a site, and in what the
// value is one.
type hit struct {
	Party
	what string
}

// Unspecified notes the first value that a site gives.
func (w *Sanitizer) Unspecified(m *machine.Machine, c machine.Choice, does, what string, lane int) {
	if _, met := w.hits[c]; met {
		return
	}
	if w.hits == nil {
		w.hits = map[machine.Choice]hit{}
	}
	w.hits[c] = hit{party(m, c.Pos, does, lane), what}
}

// meets reports whether the launch may have got an unspecified value at a site.
func (w *Sanitizer) meets(c machine.Choice) bool {
	if c.Kind == machine.Uninitialised {
		return true
	}
	_, met := w.hits[c]
	return met
}
