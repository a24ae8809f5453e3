package simt

import (
	"testing"

	"metalconform/metalrun/internal/simt/machine"
)

// fieldForms are bit fields, and how many loops take them: 1 where shift, mask and conversion are one.
var fieldForms = []struct {
	name, body string
	loops      int // with shapes of their own
}{
	{"field", "uint w = as_type<uint>(a[id]); s = float(w >> 4 & 15);", 1},
	{"fields of a loop",
		"uint w = as_type<uint>(a[id]); for (uint k = 0; k < 8; k++) s += float(w >> (4 * k) & 15) * a[k];", 1},
	{"field of an integer", "uint w = as_type<uint>(a[id]); c += w >> 8 & 255;", 1},
	{"mask first", "uint w = as_type<uint>(a[id]); s = float(7 & w >> 2);", 1},
	{"with a sign", "uint w = as_type<uint>(a[id]); s = float(int(w >> 3 & 255));", 1},
	{"mask that is not known", "uint w = as_type<uint>(a[id]); s = float(w >> 1 & stride);", 1},
	{"whole word", "uint w = as_type<uint>(a[id]); s = float(w >> 0 & 0xffffffff);", 0},
	{"shifted word is read again", "uint w = as_type<uint>(a[id]) >> 3; s = float(w & 7) + float(w);", 0},
	{"shift that varies", "uint w = as_type<uint>(a[id]); s = float(w >> lane & 7);", 0},
	{"arithmetic shift", "int w = as_type<int>(a[id]); s = float(w >> 4 & 15);", 0},
	{"variable", "uint w = as_type<uint>(a[id]); if (lane > 3) c = w >> 5 & 31;", 0},
}

// TestField compares launches with the definition.
func TestField(t *testing.T) {
	for _, form := range fieldForms {
		text := products(form.body)
		if got := countFields(Compile(lower(t, text), machine.Options{}).Body); got != form.loops {
			t.Errorf("%s: %d loops for fields, want %d", form.name, got, form.loops)
		}
		for _, l := range headLaunches {
			t.Run(form.name+"/"+l.name, func(t *testing.T) { l.agree(t, text) })
		}
	}
}

// countFields is the number of loops for fields in straight runs, whatever encloses them.
func countFields(l machine.List) (n int) {
	for _, x := range l {
		switch x := x.(type) {
		case machine.Straight:
			for _, in := range x {
				if in.Field != nil {
					n++
				}
			}
		case *machine.Superinstructions:
			n += countFields(machine.List{x.Code})
		case *machine.PartlyInvariant:
			n += countFields(machine.List{x.All})
		case *machine.Counted:
			n += countFields(x.Body)
		case *machine.Branch:
			n += countFields(x.Then) + countFields(x.Alse)
		}
	}
	return n
}
