package simt

import (
	"strings"
	"testing"

	"metalconform/metalrun/internal/simt/machine"
)

// lookupForms are loads from tables of constants, and whether one loop masks the index and loads.
var lookupForms = []struct {
	name, body string
	recognised bool
}{
	{"16 words", "s += t16[k & 15];", true},
	{"32 words", "s += t32[k & 31];", true},
	{"the first words", "s += t32[k & 7];", true},
	{"words further on", "s += t32[(k & 15) + 16];", true},
	{"words that are no run", "s += t32[k & 21];", true},
	{"integers", "c += i32[k & 31];", true},
	{"into a variable", "if (n > 2) s = t32[k & 31];", true},
	{"in a branch", "if (lane > 3) s = t32[k & 31];", true},
	{"in a loop", "for (uint j = 0; j < n; j++) { s += t32[k & 31]; k = k * 5 + 1; }", true},
	{"twice", "s += t32[k & 31]; s = s * 3 + t16[k & 15];", true},
	{"what waits for the old value", "float y = s * a[lane]; s = t32[k & 31]; s += y;", false},
	{"mask first", "s += t32[15 & k];", true},
	{"more than there are", "s += t32[k & 63];", false},
	{"past the end", "s += t32[(k & 31) + 1];", false},
	{"a mask that differs", "s += t32[k & n];", false},
	{"index that is read again", "uint j = k & 31; s += t32[j]; c += j;", false},
	{"bytes", "c += t8[k & 31];", false},
	{"other memory", "s += a[k & 31];", false},
}

// TestLookup compares launches with the definition.
func TestLookup(t *testing.T) {
	table := "1.5, -2, 0x1p-140, 4, 5, 6, 7, -8, 9.25, 10, 11, 12, 13, 14, 15, 16"
	constants := "constant float t16[16] = {" + table + "};\nconstant float t32[32] = {" + table +
		", 17, 18, 19, 20, -21," + table[:strings.LastIndex(table, ", 12")] + "};\n" +
		"constant uint i32[32] = {3, 1, 4};\nconstant uchar t8[32] = {2, 7, 1, 8};\nkernel void f("
	for _, form := range lookupForms {
		text := strings.Replace(products("uint k = i * 7 + lane;"+form.body), "kernel void f(", constants, 1)
		p := Compile(lower(t, text), machine.Options{})
		if got := countLoops(p.Body, &p.Table.And) == 0; got != form.recognised {
			t.Errorf("%s: one loop: %v, want %v", form.name, got, form.recognised)
		}
		for _, l := range headLaunches {
			t.Run(form.name+"/"+l.name, func(t *testing.T) { l.agree(t, text) })
		}
	}
}
