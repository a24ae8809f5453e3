package hir

import (
	"bytes"
	"math"
	"testing"
)

// The bits of a constant and its bytes in memory; IEEE patterns are written by hand.
func TestConstantBits(t *testing.T) {
	for _, c := range []struct {
		typ  Type
		bits uint64
		data []byte
	}{
		{Char, math.MaxUint64, []byte{0xff}}, // -1 is extended by its sign
		{UChar, 0xff, []byte{0xff}},
		{Short, 0xffff_ffff_ffff_8000, []byte{0, 0x80}},
		{Int, 0x01020304, []byte{4, 3, 2, 1}},
		{Bool, BoolBits(true), []byte{1}},
		{Half, RoundBits(Half, 1.5), []byte{0, 0x3e}},
		{BFloat, RoundBits(BFloat, -2), []byte{0, 0xc0}},
		{Float, RoundBits(Float, 0.1), []byte{0xcd, 0xcc, 0xcc, 0x3d}},
		{&Enum{Underlying: Short}, 0xffff_ffff_ffff_fffe, []byte{0xfe, 0xff}},
		{&Pointer{Elem: Int}, 0, make([]byte, 8)},
	} {
		if got := BytesOf(c.bits, c.typ); !bytes.Equal(got, c.data) {
			t.Errorf("%s %#x: got % x, want % x", c.typ, c.bits, got, c.data)
		}
		if got := BitsOf(c.data, c.typ); got != c.bits {
			t.Errorf("%s % x: got %#x, want %#x", c.typ, c.data, got, c.bits)
		}
	}
	if got := FloatValue(Half, RoundBits(Half, 2049)); got != 2048 {
		t.Errorf("got %v, want 2048: a half has 11 digits and rounds to even", got)
	}
}

// The modes differ in what section 1.6.3 of the specification says, and pragmas change single flags.
func TestFastMathFlags(t *testing.T) {
	if got, want := Modes[Safe].Flags.String(), "contract-on"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := (Modes[Fast].Flags &^ Modes[Relaxed].Flags).String(), "nnan ninf"; got != want {
		t.Errorf("fast adds %q to relaxed, want %q", got, want)
	}
	for degree, want := range map[string]FastMathFlags{"off": NoNaNs, "on": NoNaNs | ContractOn,
		"fast": NoNaNs | ContractOn | ContractFast} {
		if got := (NoNaNs | ContractFast).Contracting(degree); got != want {
			t.Errorf("contract(%s): got %q, want %q", degree, got, want)
		}
	}
	for i, m := range Modes {
		if got := m.Flags.Contracting(m.Contraction()); got != m.Flags {
			t.Errorf("mode %d: its own degree of contraction changes %q to %q", i, m.Flags, got)
		}
	}
}
