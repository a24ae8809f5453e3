package suite

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"
)

// TestForgottenInputs has a launch change a buffer once values are dropped: what the problem says
// of inputs and of the other buffers is what was there before.
func TestForgottenInputs(t *testing.T) {
	t.Parallel()
	filled := func(a Arg, values ...float32) *buffer {
		b := &buffer{arg: a, data: make([]byte, 2*Guard+4*len(values))}
		for i, x := range values {
			binary.LittleEndian.PutUint32(b.payload()[4*i:], math.Float32bits(x))
		}
		return b
	}
	buffers := []*buffer{nil, filled(In("x", F32, Fixed(2)), 1.5, -2), filled(InOut("y", F32, Fixed(1)), 3)}
	p := &Problem{values: map[string][]float64{"x": buffers[1].values(), "y": buffers[2].values()}}
	p.forget(buffers)
	if len(p.values) != 1 {
		t.Errorf("%d buffers are held as numbers, want that which launches change", len(p.values))
	}
	clear(buffers[2].data)
	for name, want := range map[string][]float64{"x": {1.5, -2}, "y": {3}} {
		if got := p.Values(name); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
