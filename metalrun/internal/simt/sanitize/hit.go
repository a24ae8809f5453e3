package sanitize

import (
	"metalconform/metalrun/internal/simt/machine"
)

// An observed launch records unspecified-value hits: a choice without a hit needs no trials. Variables and arrays of a
// thread are not observed, because that costs more than trials.

// hit is the first lane that got an unspecified value at a choice, and what the value is.
type hit struct {
	Party
	what string
}

// Unspecified records the first hit of a choice.
func (w *Sanitizer) Unspecified(m *machine.Machine, c machine.Choice, does, what string, lane int) {
	if _, met := w.hits[c]; met {
		return
	}
	if w.hits == nil {
		w.hits = map[machine.Choice]hit{}
	}
	w.hits[c] = hit{party(m, c.Pos, does, lane), what}
}

// meets reports whether the launch may have had a hit of a choice.
func (w *Sanitizer) meets(c machine.Choice) bool {
	if c.Kind == machine.Uninitialised {
		return true
	}
	_, met := w.hits[c]
	return met
}
