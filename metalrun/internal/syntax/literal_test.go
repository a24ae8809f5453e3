package syntax

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"
)

func TestIntValue(t *testing.T) {
	for _, c := range []struct {
		text   string
		value  uint64
		suffix string
		hex    bool
	}{
		{"0", 0, "", false}, {"42", 42, "", false}, {"42u", 42, "u", false}, {"42UL", 42, "ul", false},
		{"42lu", 42, "ul", false},
		{"7L", 7, "l", false}, {"0x1F", 31, "", true}, {"0X1fu", 31, "u", true}, {"017", 15, "", true},
		{"00", 0, "", true},
		{"0b101", 5, "", true}, {"1'000'000", 1000000, "", false}, {"0xff'ff", 65535, "", true},
		{"18446744073709551615", math.MaxUint64, "", false}, {"0xffffffffffffffffu", math.MaxUint64, "u", true},
	} {
		v, suffix, hex, err := intValue(c.text)
		if err != nil || v != c.value || suffix != c.suffix || hex != c.hex {
			t.Errorf("%s: got %d %q %v %v, want %d %q %v", c.text, v, suffix, hex, err, c.value, c.suffix, c.hex)
		}
	}
}

func TestFloatValue(t *testing.T) {
	for _, c := range []struct {
		text   string
		value  float64
		suffix string
	}{
		{"1.0", 1, ""}, {".5f", 0.5, "f"}, {"1.", 1, ""}, {"1e3F", 1000, "f"}, {"1'0.5", 10.5, ""}, {"0x1.8p1", 3, ""},
		{"0x1p-3H", 0.125, "h"},
		{"0.1", float64(float32(0.1)), ""}, {"3.4028236e38", math.Inf(1), ""},
		{"1e-46", 0, ""}, {"1e-45", 0x1p-149, ""}, {"16777217.0", 16777216, ""}, {"16777219.0", 16777220, ""},
		{"65504.0h", 65504, "h"}, {"65519.99h", 65504, "h"}, {"65520.0h", math.Inf(1), "h"}, {"2049.0h", 2048, "h"},
		{"2051.0h", 2052, "h"},
		{"0x1p-24h", 0x1p-24, "h"}, {"0x1p-25h", 0, "h"}, {"0x1.000001p-25h", 0x1p-24, "h"},
		{"0x1.8p-24h", 0x1p-23, "h"},
		{"1.00390625bf", 1, "bf"}, {"1.01171875bf", 1.015625, "bf"}, {"1.0BF", 1, "bf"},
		{"3.4e38bf", math.Inf(1), "bf"},
		// A hair beyond the midpoint of two halves, where rounding to float64 first would fall on it.
		{"2049.00000000000000000000000000001h", 2050, "h"}, {"2050.99999999999999999999999999999h", 2050, "h"},
	} {
		v, suffix, err := floatValue(c.text)
		if err != nil || v != c.value || suffix != c.suffix {
			t.Errorf("%s: got %v %q %v, want %v %q", c.text, v, suffix, err, c.value, c.suffix)
		}
	}
}

// TestRoundDecimal compares with rounding of the exact value by big.Float,
// on decimals near the midpoints of halves and bfloats.
func TestRoundDecimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		bits, minExp, maxExp := 11, -14, 15
		if rng.IntN(2) == 0 {
			bits, minExp, maxExp = 8, -126, 127
		}
		exp := minExp + rng.IntN(maxExp-minExp)
		x := math.Ldexp(float64(2*(1<<(bits-1)+rng.IntN(1<<(bits-1)))+rng.IntN(3)-1), exp-bits)
		text := new(big.Float).SetFloat64(x).Text('f', 160)
		switch rng.IntN(3) {
		case 0:
			text += "1"
		case 1:
			text = strconv.FormatFloat(x, 'g', 17, 64)
		}
		exact, _, err := big.ParseFloat(text, 10, 2000, big.ToNearestEven)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := exact.SetPrec(uint(bits)).SetMode(big.ToNearestEven).Float64()
		if want < math.Ldexp(1, minExp) {
			continue // SetPrec does not round subnormals as the format does
		}
		if want >= math.Ldexp(1, maxExp+1) {
			want = math.Inf(1)
		}
		if got := roundDecimal(text, bits, minExp, maxExp); got != want {
			t.Errorf("%s with %d bits: got %v, want %v", text, bits, got, want)
		}
	}
}

func TestCharsAndStrings(t *testing.T) {
	for text, want := range map[string]uint64{"'a'": 97, `'\n'`: 10, `'\0'`: 0, `'\x7f'`: 127, `'\''`: 39, `'\\'`: 92,
		`'\101'`: 65, `'"'`: 34, `'\xff'`: 1<<64 - 1, "'ab'": 0x6162,
		`'a\n\0z'`: 0x610a007a, "'vwxyz'": 0x7778797a} {
		if v, _, err := charValue(text); err != nil || v != want {
			t.Errorf("%s: got %d %v, want %d", text, v, err, want)
		}
	}
	for text, want := range map[string]string{`""`: "", `"a\tb"`: "a\tb", `"\x41\102C"`: "ABC", `"\""`: `"`} {
		if s, err := stringValue(text); err != nil || s != want {
			t.Errorf("%s: got %q %v, want %q", text, s, err, want)
		}
		if s, err := stringValue(quoteString(want)); err != nil || s != want {
			t.Errorf("%q quoted and read is %q", want, s)
		}
	}
}
