package metalrun_test

import (
	"fmt"
	"slices"
	"testing"

	"metalconform/metalrun"
)

// Calls of fast functions are found wherever the entry point reaches them, and so are
// functions of half. What is as accurate either way is not among them.
func TestCoarseCalls(t *testing.T) {
	const source = `#include <metal_stdlib>
using namespace metal;
static float helper(float x) { return fast::exp(x); }
template <typename T> static T generic(T x) { return fast::log(x); }
static float unused(float x) { return fast::sin(x); }
kernel void k(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float x = a[i];
  x = helper(x) + generic(x) + generic(x + 1);
  x = precise::exp(x) + exp(x) + fast::max(x, 1.0f) + fast::floor(x) + fast::clamp(x, 0.0f, 1.0f);
  x = fast::divide(x, 3 + x) + fast::tanh(x);
  half h = half(x);
  x += float(exp(h)) + float(floor(h)) + float(h * h);
  a[i] = x;
}
kernel void clean(device float* a [[buffer(0)]]) { a[0] = exp(a[0]) / a[1]; }
`
	p := analysed(t, metalrun.SourceText("k.metal", source), metalrun.CompileOptions{})
	for name, want := range map[string][]string{
		"k": {"3 fast::exp false", "4 fast::log false", "10 fast::divide false", "10 fast::tanh false",
			"12 exp of half true"},
		"clean": nil,
	} {
		calls, err := p.CoarseCalls(name)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range calls {
			got = append(got, fmt.Sprint(c.Position.Line, " ", c.Function, " ", c.Half))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s calls %q, want %q", name, got, want)
		}
	}
}
