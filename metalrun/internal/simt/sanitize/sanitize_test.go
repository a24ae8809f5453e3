package sanitize_test

import (
	"testing"

	"metalconform/metalrun/internal/ir/irtest"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/simt/sanitize"
)

// TestFind checks threads that write a cell which others read, with a barrier between them and without.
func TestFind(t *testing.T) {
	for barrier, races := range map[string]int{"": 1, "metal::threadgroup_barrier(metal::mem_flags::mem_device);": 0} {
		kernel := irtest.Lower(t,
			`kernel void k(device uint *a [[buffer(0)]], uint id [[thread_position_in_grid]]) {
			a[id] = id; `+barrier+` uint x = a[(id + 32) % 64]; `+barrier+` a[id] = x; }`)
		p := codegen.Compile(kernel, machine.Options{Check: true}, func(o machine.Options) []codegen.Extension {
			return []codegen.Extension{sanitize.NewChecker(o)}
		})
		size, found := machine.Size{64, 1, 1}, 0
		list, err := sanitize.Find(p, machine.Dispatch{Threads: size, PerGroup: size,
			Buffers: []machine.Buffer{{Index: 0, Bytes: make([]byte, 256)}}})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			if f.Check == sanitize.Race {
				found = 1
			}
		}
		if found != races {
			t.Errorf("with %q between accesses: race %d, want %d", barrier, found, races)
		}
	}
}
