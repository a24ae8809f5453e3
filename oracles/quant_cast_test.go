package oracles

import (
	"math"
	"testing"
)

func TestCastAgreesWithTorch(t *testing.T) {
	casts := load(t, "casts")
	var words []uint32
	for _, w := range casts["f32"].Data {
		words = append(words, uint32(w))
	}
	for _, f := range []Format{BF16, F16} {
		a := Cast(words, F32, f)
		if !a.Exact || !a.Quiet {
			t.Errorf("to %s: exact %t, quiet %t, want both", f, a.Exact, a.Quiet)
		}
		for i, want := range casts[f.String()].Data {
			if got := f.Bits(a.Want[i]); got != uint32(want) {
				t.Fatalf("%s of %#08x = %#04x, want %#04x", f, words[i], got, uint32(want))
			}
		}
	}
}

// TestWideningIsExact takes all words of a format to f32 and back.
func TestWideningIsExact(t *testing.T) {
	var words []uint32
	for w := range uint32(1 << 16) {
		words = append(words, w)
	}
	for _, f := range []Format{BF16, F16} {
		a := Cast(words, f, F32)
		if a.Quiet {
			t.Errorf("from %s: a signalling NaN may stay one", f)
		}
		for i, x := range a.Want {
			switch {
			case math.IsNaN(x):
				if !math.IsNaN(f.FromBits(words[i])) {
					t.Fatalf("%s %#04x is NaN", f, words[i])
				}
			case f.Bits(x) != words[i] || float64(float32(x)) != x:
				t.Fatalf("%s %#04x = %v", f, words[i], x)
			}
		}
	}
}

func TestCastSpecial(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, test := range []struct {
		word      uint32
		bf16, f16 float64
		truncated uint32
	}{
		{0x80000000, math.Copysign(0, -1), math.Copysign(0, -1), 0x8000},
		{0x00000001, 0, 0, 0},
		{0x00008000, 0, 0, 0}, // half of bf16's smallest, a tie to even
		{0x00008001, 0x1p-133, 0, 0},
		{0x3f808000, 1, 1.00390625, 0x3f80}, // a tie to even
		{0x3f818000, 1.015625, 1.01171875, 0x3f81},
		{0x33000000, 0x1p-25, 0, 0x3300}, // half of f16's smallest
		{0x33000001, 0x1p-25, 0x1p-24, 0x3300},
		{0x477fefff, 65536, 65504, 0x477f},
		{0x477ff000, 65536, inf, 0x477f},
		{0x7f7f7fff, 0x1.fep127, inf, 0x7f7f},
		{0x7f7f8000, inf, inf, 0x7f7f},
		{0xff800000, -inf, -inf, 0xff80},
		{0x7f800001, nan, nan, 0x7f80}, // the payload is dropped
		{0xff80ffff, nan, nan, 0xff80},
		{0x7f810000, nan, nan, 0x7f81},
		{0x7fc00000, nan, nan, 0x7fc0},
	} {
		words := []uint32{test.word}
		for _, c := range []struct {
			f    Format
			want float64
		}{{BF16, test.bf16}, {F16, test.f16}} {
			got := Cast(words, F32, c.f).Want[0]
			if got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) ||
				math.Signbit(got) != math.Signbit(c.want) && !math.IsNaN(got) {
				t.Errorf("%s of %#08x = %v, want %v", c.f, test.word, got, c.want)
			}
		}
		if got := CastTruncated(words).Want[0]; got != float64(test.truncated) {
			t.Errorf("upper half of %#08x = %#04x, want %#04x", test.word, uint32(got), test.truncated)
		}
	}
}
