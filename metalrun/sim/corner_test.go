package sim_test

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
)

// The corner of a grid is its first threadgroup, the neighbour of that along each axis, and the last. Who does not
// observe has none.
func TestCorner(t *testing.T) {
	source := metalrun.SourceText("corner.metal", `#include <metal_stdlib>
kernel void mark(device uint *out [[buffer(0)]], uint3 at [[threadgroup_position_in_grid]], uint3 groups [[threadgroups_per_grid]]) {
	out[at.x + groups.x * (at.y + groups.y * at.z)] = 1;
}`)
	for _, c := range []struct {
		groups metalrun.Size
		want   []uint32
	}{
		{metalrun.Size{X: 4, Y: 1, Z: 1}, []uint32{1, 1, 0, 1}},
		{metalrun.Size{X: 3, Y: 2, Z: 1}, []uint32{1, 1, 0, 1, 0, 1}},
		{metalrun.Size{X: 2, Y: 2, Z: 2}, []uint32{1, 1, 1, 0, 1, 0, 0, 1}},
	} {
		out := make([]byte, 4*len(c.want))
		d := metalrun.Dispatch{
			Threadgroups: c.groups, ThreadsPerThreadgroup: metalrun.Size{X: 1, Y: 1, Z: 1}, Corner: true,
			Bindings: []metalrun.Binding{{Index: 0, Data: out, Length: len(out)}},
		}
		if _, err := kernel(t, sim.New(sim.Semantics{Check: true}), source, "mark").Run(d); err != nil {
			t.Fatal(err)
		}
		var got []uint32
		for i := range c.want {
			got = append(got, binary.LittleEndian.Uint32(out[4*i:]))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%v: %s", c.groups, diff)
		}
		if _, err := kernel(t, sim.New(sim.Semantics{}), source, "mark").Run(d); !errors.Is(err, metalrun.ErrWhole) {
			t.Errorf("who does not observe launches a part: %v", err)
		}
	}
}
