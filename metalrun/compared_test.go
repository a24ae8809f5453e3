package metalrun_test

import (
	"testing"

	"metalconform/metalrun"

	"github.com/google/go-cmp/cmp"
)

// TestComparedConstants asks which constants meet data, however they come to the comparison.
func TestComparedConstants(t *testing.T) {
	for body, want := range map[string][]float64{
		"y[n] = max(x[n], -1e4f);":                                                      {-1e4},
		"y[n] = clamp(x[n], -8.0f, 8.0f);":                                              {-8, 8},
		"y[n] = x[n] > 20.0f ? x[n] : log(1 + x[n]);":                                   {20},
		"y[n] = select(x[n], 0.0f, x[n] == 3.0f);":                                      {3},
		"y[n] = x[n] * 3.0f + 4.0f;":                                                    nil,
		"y[n] = max(x[n], -INFINITY);":                                                  nil,
		"y[n] = max(half(x[n]), -65504.0h / 2);":                                        {-32752},
		"y[n] = x[n] * 0.5f < 2.0f;":                                                    {2, 4},
		"y[n] = 3.0f - x[n] < 2.0f;":                                                    {2, 1},
		"y[n] = simd_max(n > 3 ? x[n] : -500.0f);":                                      {-500},
		"y[n] = x[n] < table[n & 1];":                                                   {0.25, 0.75},
		"float m = -7.0f; y[n] = m; y[n + 1] = m * 2;":                                  nil,
		"float m = -1e4f; for (uint i = 0; i < n; i++) { m = max(m, x[i]); } y[0] = m;": {-1e4},
		"float m = -1e4f; for (uint i = 0; i < n; i++) { if (x[i] > m) { m = x[i]; y[1] = i; } } y[0] = m;": {-1e4},
		"float m[2] = {-9.0f, -9.0f}; for (uint i = 0; i < n; i++) { m[i & 1] = max(m[i & 1], x[i]); }":     {-9},
		"threadgroup float m[2]; m[n & 1] = -5.0f; y[0] = m[0] < x[n] ? x[n] : m[0];":                       {-5},
	} {
		source := metalrun.SourceText("k.metal", `#include <metal_stdlib>
using namespace metal;
constant float table[2] = {0.25f, 0.75f};
kernel void k(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], constant uint &n [[buffer(2)]])
{
    `+body+`
}`)
		p, err := metalrun.Analyse(source, metalrun.CompileOptions{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.ComparedConstants("k")
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", body, err, diff)
		}
	}
}
