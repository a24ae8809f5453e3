package metalrun

import (
	"slices"
	"testing"
)

// TestNumbers asks at which sizes comparisons turn.
func TestNumbers(t *testing.T) {
	for _, test := range []struct {
		condition string
		want      int64
	}{
		{"n == 77", 77},
		{"n == 7 * 11", 77},
		{"n >= 1u << 9", 512},
		{"n + 5 == 82", 77},
		{"n - 7 == 70", 77},
		{"100 - n == 23", 77},
		{"n * 3 == 231", 77},
		{"n / 3 == 25", 75},
		{"(n >> 4) == 77", 1232},
		{"(n << 1) == 154", 77},
		{"n * n == 5929", 77},
		{"(n ^ 5u) == 72", 77},
		{"float(n) == 77.0f", 77},
		{"min(n, 77u) == n", 77},
		{"n == table[n % 2]", 77},
		{"uchar(n) == n", 256},
		{"short(n) == int(n)", 32768},
		{"(n & 255) == n", 256},
		{"(n << 20 >> 20) == n", 4096},
		{"half(n) == n", 2049},
	} {
		p, err := Analyse(Source{Name: "k.metal", Files: map[string]string{"k.metal": `#include <metal_stdlib>
using namespace metal;
constant uint table[2] = {3, 77};
kernel void k(device uint *y, constant uint &n) { y[0] = ` + test.condition + `; }
`}}, CompileOptions{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Numbers("k")
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(got, test.want) {
			t.Errorf("%s: %d, want %d", test.condition, got, test.want)
		}
	}
}
