package metalrun_test

import (
	"fmt"
	"slices"
	"testing"

	"metalconform/metalrun"
)

// Stores are found wherever the entry point reaches them, const cast away or not. One to either of two buffers
// is not said to be to any.
func TestStores(t *testing.T) {
	const source = `#include <metal_stdlib>
using namespace metal;
static void put(device float* to, uint i) { to[i] = 1; }
static void unused(device float* to) { to[0] = 2; }
kernel void k(device const float* a [[buffer(0)]], device float* b [[buffer(1)]], device float* c [[buffer(2)]],
              device atomic_uint* n [[buffer(3)]], device atomic_uint* m [[buffer(4)]], uint i [[thread_position_in_grid]]) {
  threadgroup float shared[32];
  shared[i % 32] = a[i];
  device float* either = i % 2 == 0 ? b : c;
  either[i] = shared[0];
  ((device float*)a)[i + 1] = 3;
  put(b + 4, i);
  atomic_fetch_add_explicit(n, atomic_load_explicit(m, memory_order_relaxed), memory_order_relaxed);
}
kernel void clean(device const float* a [[buffer(0)]], device float* b [[buffer(1)]]) { b[0] = a[1]; }
`
	p := analysed(t, metalrun.SourceText("k.metal", source), metalrun.CompileOptions{})
	for name, want := range map[string][]string{"k": {"11 0", "3 1", "13 3"}, "clean": {"15 1"}} {
		stores, err := p.Stores(name)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range stores {
			got = append(got, fmt.Sprint(s.Position.Line, " ", s.Buffer))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s stores at %q, want %q", name, got, want)
		}
	}
}
