package types

import (
	"strings"
	"testing"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// Pointers to pointers are written with the space of the outermost first, whatever their number.
func TestPointerString(t *testing.T) {
	var typ hir.Type = hir.Float
	for _, p := range []hir.Pointer{{Space: syntax.Device, Const: true}, {Space: syntax.Constant, Const: true}, {Volatile: true}, {Space: syntax.Thread}} {
		p.Elem = typ
		typ = &p
	}
	if got, want := typ.String(), "thread volatile constant device const float * * * *"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for range 100_000 {
		typ = &hir.Pointer{Elem: typ, Space: syntax.Thread}
	}
	if got := typ.String(); strings.Count(got, "*") != 100_004 || strings.Count(got, "thread") != 100_001 {
		t.Errorf("got %d bytes", len(got))
	}
}
