package tensor

import (
	"math"
	"testing"
)

// TestFloat8 decodes codes by the tables of the source, and encodes what each code stands for, what
// lies between two, and what lies outside.
func TestFloat8(t *testing.T) {
	for _, test := range []struct {
		format Float8
		code   byte
		want   float64
	}{
		{E4M3, 0x7e, 448}, {E4M3, 0x7f, math.NaN()}, {E4M3, 0x08, 0x1p-6}, {E4M3, 0x01, 0x1p-9},
		{E4M3, 0x07, 0.875 * 0x1p-6}, {E4M3, 0xb8, -1},
		{E5M2, 0x7b, 57344}, {E5M2, 0x7c, math.Inf(1)}, {E5M2, 0x7e, math.NaN()}, {E5M2, 0x04, 0x1p-14},
		{E5M2, 0x01, 0x1p-16}, {E5M2, 0xfc, math.Inf(-1)},
	} {
		if got := test.format.Decode(test.code); got != test.want && !(math.IsNaN(got) && math.IsNaN(test.want)) {
			t.Errorf("%#x is %v, want %v", test.code, got, test.want)
		}
	}
	for _, f := range []Float8{E4M3, E5M2} {
		for code := range 256 {
			if x := f.Decode(byte(code)); !math.IsNaN(x) && f.Encode(x) != byte(code) {
				t.Errorf("%v is %#x, want %#x", x, f.Encode(x), code)
			}
		}
		for code := range 0x77 {
			low, high := f.Decode(byte(code)), f.Decode(byte(code+1))
			if even := byte(code + code%2); f.Encode((low+high)/2) != even {
				t.Errorf("between %v and %v: %#x, want %#x", low, high, f.Encode((low+high)/2), even)
			}
		}
	}
	for _, test := range []struct{ got, want byte }{
		{E4M3.Encode(464), 0x7e}, {E4M3.Encode(465), 0x7f}, {E4M3.Encode(-1e9), 0xff}, {E5M2.Encode(61439), 0x7b},
		{E5M2.Encode(61440), 0x7c}, {E5M2.Encode(-1e9), 0xfc},
	} {
		if test.got != test.want {
			t.Errorf("%#x, want %#x", test.got, test.want)
		}
	}
}
