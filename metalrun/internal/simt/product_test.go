package simt

import (
	"testing"

	"metalconform/metalrun/internal/simt/machine"
)

// productForms are products of three factors, and whether one loop does both multiplications.
var productForms = []struct {
	name, body string
	merged     bool
}{
	{"lanes", "s += x; s = x * y * z;", true},
	{"last first", "s = z * (x * y);", true},
	{"one for all", "s = x * a[0] * z;", true},
	{"the first for all", "s = a[0] * x * z;", true},
	{"two for all", "s = x * a[0] * a[1];", true},
	{"the first and the last for all", "s = a[0] * x * a[1];", true},
	{"the last for all", "s = x * y * a[0];", false},
	{"product for all", "s = a[0] * a[1] * x;", false},
	{"a run of memory", "s = row[c] * x * y;", true},
	{"into memory", "s = 1; out[i] = x * y * z; s = out[i] * y * z;", true},
	{"four", "s = x * y * (z * s);", false},
	{"in a branch", "if (lane > 3) s = x * y * z;", true},
	{"changed factors", "float w = x * y * z; x = 2; y = 3; z = 4; s = w + x;", true},
	{"product that is read again", "float w = x * y; s = w * z + w;", false},
	{"in place", "x = x * y * z; s = x;", true},
	{"rounded twice", "x = 1 + 0x1p-23f; s = x * (1 + 0x3p-22f + z * 0) * x;", true},
}

// TestProducts compares launches with the definition.
func TestProducts(t *testing.T) {
	for _, form := range productForms {
		text := products("float x = a[lane], y = b[lane + 1], z = a[lane + 2];" + form.body)
		p := Compile(lower(t, text), machine.Options{})
		if got := countLoops(p.Body, &p.Table.MulF) == 0; got != form.merged {
			t.Errorf("%s: one loop: %v, want %v", form.name, got, form.merged)
		}
		for _, l := range headLaunches {
			t.Run(form.name+"/"+l.name, func(t *testing.T) { l.agree(t, text) })
		}
	}
}
