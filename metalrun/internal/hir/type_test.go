package hir

import (
	"strings"
	"testing"

	"metalconform/metalrun/internal/syntax"
)

// Sizes and alignments are those of tables 2.2 to 2.5 of the Metal Shading Language Specification 3.2.
func TestLayout(t *testing.T) {
	pair := &Struct{Name: "pair", Fields: []Field{{Name: "a", Type: Char}, {Name: "b", Type: Int, Offset: 4}}, Bytes: 8,
		Aligns: 4}
	for _, c := range []struct {
		typ         Type
		text        string
		size, align int
	}{
		{Void, "void", 0, 1},
		{Bool, "bool", 1, 1},
		{BFloat, "bfloat", 2, 2},
		{ULong, "ulong", 8, 8},
		{Vector{Elem: Float, N: 3}, "float3", 16, 16},
		{Vector{Elem: Float, N: 3, Packed: true}, "packed_float3", 12, 4},
		{Vector{Elem: Char, N: 2}, "char2", 2, 2},
		{Vector{Elem: Half, N: 8}, "vec<half, 8>", 16, 16},
		{Matrix{Elem: Half, Cols: 4, Rows: 3}, "half4x3", 32, 8},
		{Matrix{Elem: Float, Cols: 2, Rows: 2}, "float2x2", 16, 8},
		{SimdMatrix{Elem: Half}, "simdgroup_half8x8", 4, 2},
		{Atomic{Elem: UInt}, "atomic_uint", 4, 4},
		{&Array{Elem: pair, Len: 3}, "pair[3]", 24, 4},
		{&Pointer{Elem: Float, Space: syntax.Device, Const: true}, "device const float *", 8, 8},
		{Reference{Elem: Int, Space: syntax.Thread}, "thread int &", 8, 8},
		{&Struct{}, "(anonymous struct)", 0, 1},
		{&Enum{Name: "e", Underlying: UShort}, "e", 2, 2},
		{&Signature{Params: []Type{Int, Float}, Result: Void}, "void (int, float)", 8, 8},
	} {
		if got := c.typ.String(); got != c.text {
			t.Errorf("got %q, want %q", got, c.text)
		}
		if size, align := c.typ.Size(), c.typ.Align(); size != c.size || align != c.align {
			t.Errorf("%s: got size %d and alignment %d, want %d and %d", c.text, size, align, c.size, c.align)
		}
	}
}

// Types are compared by structure, definitions by identity.
func TestIdentical(t *testing.T) {
	s := &Struct{Name: "s"}
	device := &Pointer{Elem: s, Space: syntax.Device}
	for _, c := range []struct {
		a, b Type
		want bool
	}{
		{Int, Int, true},
		{Int, UInt, false},
		{Vector{Elem: Int, N: 2}, Vector{Elem: Int, N: 2}, true},
		{Vector{Elem: Int, N: 2}, Vector{Elem: Int, N: 2, Packed: true}, false},
		{s, &Struct{Name: "s"}, false},
		{device, &Pointer{Elem: s, Space: syntax.Device}, true},
		{device, &Pointer{Elem: s, Space: syntax.Thread}, false},
		{device, &Pointer{Elem: s, Space: syntax.Device, Const: true}, false},
		{&Array{Elem: device, Len: 2}, &Array{Elem: device, Len: 2}, true},
		{&Array{Elem: Int, Len: 2}, &Array{Elem: Int, Len: 3}, false},
		{&Signature{Params: []Type{Int}, Result: Void}, &Signature{Params: []Type{Int}, Result: Void, Pointer: true},
			true},
		{&Signature{Params: []Type{Int}, Result: Void}, &Signature{Params: []Type{UInt}, Result: Void}, false},
		{&Signature{Params: []Type{Int}, Result: Void}, &Signature{Result: Void}, false},
		{Reference{Elem: Int}, Reference{Elem: Int, Const: true}, false},
	} {
		if got := Identical(c.a, c.b); got != c.want || Identical(c.b, c.a) != got {
			t.Errorf("%s and %s: got %v, want %v both ways", c.a, c.b, got, c.want)
		}
	}
}

// Pointers to pointers are written with the space of the outermost first, whatever their number.
func TestPointerString(t *testing.T) {
	var typ Type = Float
	for _, p := range []Pointer{{Space: syntax.Device, Const: true}, {Space: syntax.Constant, Const: true},
		{Volatile: true}, {Space: syntax.Thread}} {
		p.Elem = typ
		typ = &p
	}
	if got, want := typ.String(), "thread volatile constant device const float * * * *"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for range 100_000 {
		typ = &Pointer{Elem: typ, Space: syntax.Thread}
	}
	if got := typ.String(); strings.Count(got, "*") != 100_004 || strings.Count(got, "thread") != 100_001 {
		t.Errorf("got %d bytes", len(got))
	}
}

// Find looks into elements and members, and into each struct once: the last of sixty structs that
// hold two of the one before would take 2^60 steps otherwise.
func TestFind(t *testing.T) {
	inner := &Struct{Fields: []Field{{Type: Int}}}
	for range 60 {
		inner = &Struct{Fields: []Field{{Type: inner}, {Type: &Array{Elem: inner, Len: 2}}}}
	}
	is := func(want Type) func(Type) bool { return func(t Type) bool { return Identical(t, want) } }
	if got := Find(inner, is(Int)); got != Int {
		t.Errorf("got %v, want int", got)
	}
	if got := Find(inner, is(Float)); got != nil {
		t.Errorf("got %v, want nothing", got)
	}
	if got := Find(&Pointer{Elem: Int}, is(Int)); got != nil {
		t.Errorf("got %v behind a pointer, want nothing", got)
	}
}

func TestIsEmpty(t *testing.T) {
	empty := &Struct{Name: "empty", Bytes: 1}
	for _, c := range []struct {
		fields []Field
		want   bool
	}{
		{nil, true},
		{[]Field{{Type: empty}}, true},             // a base
		{[]Field{{Name: "e", Type: empty}}, false}, // a member
		{[]Field{{Type: empty}, {Name: "x", Type: Int}}, false},
	} {
		if got := IsEmpty(&Struct{Fields: c.fields}); got != c.want {
			t.Errorf("%v: got %v, want %v", c.fields, got, c.want)
		}
	}
}
