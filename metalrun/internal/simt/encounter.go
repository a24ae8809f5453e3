package simt

// An observed launch notes where it comes across a value that Metal leaves
// unspecified: a site that it never does so at needs no other values tried there.
// Variables and arrays of a thread are not watched, because that costs more than to
// try.

// encounter is the first lane that met an unspecified value at a site, and in what the
// value is one.
type encounter struct {
	Party
	what string
}

// Unspecified notes the first value that a site gives.
func (w *sanitizer) Unspecified(m *machine, c Choice, does, what string, lane int) {
	if _, met := w.encounters[c]; met {
		return
	}
	if w.encounters == nil {
		w.encounters = map[Choice]encounter{}
	}
	w.encounters[c] = encounter{m.party(c.Pos, does, lane), what}
}

// meets reports whether the launch may have got an unspecified value at a site.
func (w *sanitizer) meets(c Choice) bool {
	if c.Kind == uninitialised {
		return true
	}
	_, met := w.encounters[c]
	return met
}
