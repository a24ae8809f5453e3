package adjoint_test

import (
	"errors"
	"testing"

	"metalconform/metalrun/internal/ir/irtest"
	"metalconform/metalrun/internal/simt/adjoint"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/exact"
	"metalconform/metalrun/internal/simt/machine"
)

// TestTrace goes back from a quotient that is multiplied by 3: what the division loses counts three times as much, and
// the result is as sensitive to what the buffer held. An element that is not stored has no trace.
func TestTrace(t *testing.T) {
	kernel := irtest.Lower(t, "kernel void k(device float *out [[buffer(0)]]) {\nfloat q = out[0] / 7.0f;\n"+
		"out[0] = q * 3.0f; }")
	p := codegen.Compile(kernel, machine.Options{Exact: true}, func(machine.Options) []codegen.Extension {
		return []codegen.Extension{&exact.Exactness{}}
	})
	trace := func(off int) (*adjoint.Blame, error) {
		one := machine.Size{1, 1, 1}
		return adjoint.Trace(p, machine.Dispatch{Threads: one, PerGroup: one,
			Buffers: []machine.Buffer{{Index: 0, Bytes: []byte{0, 0, 128, 63, 0, 0, 0, 0}}}},
			[]adjoint.Sensitivity{{Buffer: 0, Off: off, By: 1}}, 1<<20)
	}
	got, err := trace(0)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[int]bool{}
	for _, l := range got.Lines {
		lines[int(l.Pos.Line)] = lines[int(l.Pos.Line)] || l.Actual != 0
	}
	if !lines[2] {
		t.Errorf("the division on line 2 has no part in the error: %+v", got.Lines)
	}
	if len(got.Before) != 1 || got.Before[0].By < 3.0/7-1e-6 || got.Before[0].By > 3.0/7+1e-6 {
		t.Errorf("sensitivities are %v, want 3/7", got.Before)
	}
	if _, err := trace(4); !errors.Is(err, adjoint.ErrNotStored) {
		t.Errorf("of an element that is not stored: %v", err)
	}
}
