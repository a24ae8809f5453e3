package simt

import (
	"testing"

	"metalconform/metalrun/internal/simt/lanes"
	"metalconform/metalrun/internal/simt/machine"
)

// affineForms are terms that are added to a sum, and whether one loop does all of it.
var affineForms = []struct {
	name, body string
	recognised bool
}{
	{"scaled first", "s += fma(q, k * x, h * x);", true},
	{"factor first", "s += fma(q, x * k, h * x);", true},
	{"factor first in the shift", "s += fma(q, k * x, x * h);", true},
	{"factor first in both", "s += fma(q, x * k, x * h);", true},
	{"term first", "s = fma(q, k * x, h * x) + s;", true},
	{"of a loop", "for (uint t = 0; t < 5; t++) { s += fma(q, k * x, h * x); q += 1; }", true},
	{"not in all lanes", "if (lane > 3) s += fma(q, k * x, h * x);", true},
	{"square", "s += fma(q, x * x, h * x);", true},
	{"two factors", "s += fma(q, k * x, h * q);", false},
	{"difference", "s -= fma(q, k * x, h * x);", false},
	{"no sum", "s = fma(q, k * x, h * x);", false},
	{"scaled factor is read again", "float y = k * x; s += fma(q, y, h * x); s += y * q;", false},
	{"shift is read again", "float y = h * x; s += fma(q, k * x, y); s += y * q;", false},
	{"term is read again", "float y = fma(q, k * x, h * x); s += y; s += y * q;", false},
	{"uniform factor", "s += fma(q, k * a[0], h * a[0]);", false},
	{"uniform sum", "float y = a[1] + fma(q, k * x, h * x); s += y * x;", false},
	{"of a sum that waits", "float y = k + fma(q, k * x, h * x); k = 0; s += y * q;", true},
	{"changed factors", "float y = k + fma(q, k * x, h * x); x = 2; h = 3; s += y * q + x + h;", true},
	{"rounded product", "s += q * (k * x) + h * x;", false},
}

// TestAffine compares launches with the definition.
func TestAffine(t *testing.T) {
	for _, form := range affineForms {
		text := products("float q = a[lane], k = b[lane], h = b[lane + 1], x = a[lane + 2];" + form.body)
		p := Compile(lower(t, text), machine.Options{})
		sums := countInstructions(p.Body, func(in *machine.Instr) bool { return in.Shape == machine.AffineSum })
		if got := sums > 0; got != form.recognised {
			t.Errorf("%s: one loop: %v, want %v", form.name, got, form.recognised)
		}
		for _, l := range headLaunches {
			t.Run(form.name+"/"+l.name, func(t *testing.T) { l.agree(t, text) })
		}
	}
}

// countLoops is the number of a loop's instructions.
func countLoops(l machine.List, loop *lanes.Binary) int {
	return countInstructions(l, func(in *machine.Instr) bool { return in.Binary == loop })
}

// countInstructions is the number of such instructions in straight runs, whatever encloses them.
func countInstructions(l machine.List, such func(in *machine.Instr) bool) (n int) {
	for _, x := range l {
		switch x := x.(type) {
		case machine.Straight:
			for i := range x {
				if such(&x[i]) {
					n++
				}
			}
		case *machine.Superinstructions:
			n += countInstructions(machine.List{x.Code}, such)
		case *machine.PartlyInvariant:
			n += countInstructions(machine.List{x.All}, such)
		case *machine.Counted:
			n += countInstructions(x.Body, such)
		case *machine.Branch:
			n += countInstructions(x.Then, such) + countInstructions(x.Alse, such)
		}
	}
	return n
}
