package metalrun_test

import (
	"fmt"
	"testing"

	"metalconform/metalrun"
)

// TestNarrowFloats tells roundings on the way from those of results and of what is loaded.
func TestNarrowFloats(t *testing.T) {
	const source = `#include <metal_stdlib>
using namespace metal;
kernel void results(device half* a [[buffer(0)]], device bfloat* b [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  const float x = float(a[i]) * float(b[i]);
  a[i] = half(x);
  b[i] = bfloat(x);
}
kernel void larger(device half* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup half t[32];
  t[i] = a[i] < a[i + 1] ? a[i + 1] : -a[i];
  a[i] = t[i];
}
kernel void rounded(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a[i] = float(bfloat(a[i])); }
kernel void product(device half* a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a[i] = a[i] * a[i] + a[i]; }
kernel void staged(device half* a [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup half t[32];
  t[i] = half(float(a[i]) * 3.0f);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  a[i] = t[31 - i];
}
kernel void sum(device float* a [[buffer(0)]], constant uint& n [[buffer(1)]]) {
  half s = 0;
  for (uint i = 0; i < n; i++) { s += half(a[i]); }
  a[0] = s;
}
`
	p := analysed(t, metalrun.SourceText("k.metal", source), metalrun.CompileOptions{})
	for name, want := range map[string]string{"results": "false false",
		"larger": "false false", "rounded": "false true",
		"product": "true false", "staged": "true false", "sum": "true false"} {
		half, bfloat, err := p.NarrowFloats(name)
		if got := fmt.Sprint(half, bfloat); err != nil || got != want {
			t.Errorf("%s: %s (%v), want %s", name, got, err, want)
		}
	}
}
