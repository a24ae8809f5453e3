package metalrun_test

import (
	"testing"

	"metalconform/metalrun"

	"github.com/google/go-cmp/cmp"
)

// However a number is spelled, what hangs on it shows; numbers that are only computed with do not.
func TestDecisions(t *testing.T) {
	for condition, want := range map[string][2][]float64{
		"n == 4096":                       {{4096}, nil},
		"n > (1u << 12) - 1":              {{4095}, nil},
		"n / 3 >= N":                      {{3, 77}, nil},
		"n % 100 == 5":                    {{100, 5}, nil},
		"(n >> 7) == 3":                   {{128, 3}, nil},
		"x[n + 9] * 7.0f < 2.5f":          {nil, {2.5}},
		"half(x[n]) == 0.25h":             {nil, {0.25}},
		"bfloat(x[n]) > -3.0bf":           {nil, {-3}},
		"min(n, 50u) == m":                {{50}, nil},
		"max(x[n], 4.5f) == x[m]":         {nil, {4.5}},
		"clamp(x[n], 0.5f, 8.0f) == x[m]": {nil, {0.5, 8}},
		"fabs(x[n] - 3.5f) < 0.5f":        {nil, {3.5, 0.5}},
		"x[n] < INFINITY":                 {},
		"({ ushort s = 0; for (uint i = 0; i < n; i++) { s += ushort(m); } s; }) == m": {{196608}, nil},
		"n * 3 + 8 == m":               {},
		"int(n) < -6 || (n & 12) == m": {{-6}, nil},
	} {
		source := metalrun.SourceText("k.metal", `#include <metal_stdlib>
using namespace metal;
#define N 77
kernel void k(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], constant uint &n [[buffer(2)]], constant uint &m [[buffer(3)]])
{
    if (`+condition+`) { y[n] = 1; }
}`)
		p, err := metalrun.Analyse(source, metalrun.CompileOptions{})
		if err != nil {
			t.Fatal(err)
		}
		integers, floats, err := p.Decisions("k")
		if diff := cmp.Diff(want, [2][]float64{integers, floats}); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", condition, err, diff)
		}
	}
}
