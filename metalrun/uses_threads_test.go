package metalrun

import (
	"slices"
	"testing"
)

// TestPlacedThreads: a literal by which positions of threadgroups are multiplied says how many threads there are.
func TestPlacedThreads(t *testing.T) {
	for _, test := range []struct {
		index string // of g, the threadgroup, t, the thread, s, the simdgroup, and l, the lane
		want  int
	}{
		{"g * 128 + t", 128},
		{"g * 256 + 2 * t", 128},
		{"g * 256 + 2 * t] = y[g * 256 + 2 * t + 1", 128},
		{"g * 1024 + t] = y[g * 1024 + t + 256", 256},
		{"g * 8 + s", 256},
		{"g * 32 + s * 8", 128},
		{"g * 128 + t] = y[g * 64 + t", 0}, // they do not agree
		{"g * 100 + t", 0},                 // no whole simdgroups
		{"g * 4096 + t", 0},                // more than there may be
		{"g * n + t", 0},
		{"g * 64 + t % 8", 0},
		{"t + 128", 0},
		{"g * 128 + t] = y[threads", 0}, // any number does
	} {
		uses := usesIn(t, `kernel void f(device float *y [[buffer(0)]], constant uint &n [[buffer(1)]],
			uint g [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]],
			uint threads [[threads_per_threadgroup]], uint s [[simdgroup_index_in_threadgroup]],
			uint l [[thread_index_in_simdgroup]]) { y[`+test.index+`] += l; }`)
		if got := uses[0].Threads; got != test.want {
			t.Errorf("y[%s]: %d threads, want %d", test.index, got, test.want)
		}
	}
}

// TestNamedThreads: constants say how many threads there are, the kernel's own before those of what it calls.
func TestNamedThreads(t *testing.T) {
	const head = `#include <metal_stdlib>
using namespace metal;
constant uint DECODE_THREADS = 128, THREADS_PER_TG = 4 * 64, THREADS_PER_ROW = 8, SIMDGROUP_SIZE = 32;
constant constexpr uint kSimdgroupsPerThreadgroup = 2;
static float load(device const float *x, uint t) { return x[t % DECODE_THREADS]; }
namespace inner { static float deep(device const float *x, uint t) { return load(x, t); } }
kernel void f(device float *x [[buffer(0)]], uint t [[thread_index_in_threadgroup]]) { x[t] = `
	for _, test := range []struct {
		text string
		want []int
		deep int
	}{
		{"x[t + DECODE_THREADS]", []int{128}, 0},
		{"x[t + THREADS_PER_TG] + load(x, t)", []int{256}, 0},
		{"load(x, t)", []int{128}, 1},
		{"inner::deep(x, t)", []int{128}, 2},
		{"x[t + kSimdgroupsPerThreadgroup]", []int{64}, 0},
		{"x[t + kSimdgroupsPerThreadgroup + DECODE_THREADS]", []int{128}, 0},
		{"x[t + DECODE_THREADS] + x[THREADS_PER_TG] + x[THREADS_PER_TG + 1]", []int{256, 128}, 0},
		{"x[t + THREADS_PER_ROW] + SIMDGROUP_SIZE", nil, 0},
		{"0; constexpr uint THREADS = 96; x[t + THREADS] = 1", []int{96}, 0},
		{"t", nil, 0},
	} {
		p, err := Analyse(SourceText("a.metal", head+test.text+"; }"), CompileOptions{})
		if err != nil {
			t.Fatal(err)
		}
		info, err := p.Kernel("f")
		if err != nil {
			t.Fatal(err)
		}
		if got := p.NamedThreads()[info.Declared]; !slices.Equal(got.Numbers, test.want) || got.Calls != test.deep {
			t.Errorf("%s: %v, want %v, %d deep", test.text, got, test.want, test.deep)
		}
	}
}

// TestEndingLoops: loops count to an end, or may never come to one.
func TestEndingLoops(t *testing.T) {
	for text, want := range map[string]bool{
		"for (uint i = t; i < n; i += 32) y[i] = 1;":                            true,
		"for (uint i = 0; i < n; i++) for (uint j = 0; j <= i; j++) y[j] += 1;": true,
		"for (int i = int(n) - 1; i >= 0; i--) y[i] = 1;":                       true,
		"for (uint s = n / 2; s > 0; s >>= 1) y[s] = 1;":                        true,
		"for (uint i = t; i < n; i += n) y[i] = 1;":                             false, // it is 0 after 0
		"for (uint i = 1; y[0] < 2; i++) y[1] = i;":                             false,
		"for (uint i = n; i >= 0; i--) y[i] = 1;":                               false,
		"for (uint i = 0; i < n; i += 0) y[i] = 1;":                             false,
		"for (uint i = 0; i < n; i++) { y[i] = 1; if (y[i] > 0) i--; }":         false,
		"uint m = n; for (uint i = 0; i < m; i++) { y[i] = 1; m = m + 1; }":     false,
		"while (y[0] == 0) y[1] = 1;":                                           false,
		"do { y[t] += 1; } while (y[t] < n);":                                   false,
		"y[t] = 1;":                                                             true,
	} {
		uses := usesIn(t, `kernel void f(device float *y [[buffer(0)]], constant uint &n [[buffer(1)]],
			uint t [[thread_index_in_threadgroup]]) { `+text+` }`)
		if uses[0].Ends != want {
			t.Errorf("%s ends: %v", text, uses[0].Ends)
		}
	}
}

// TestChoice: an integer that is compared with several literals and does nothing else is one of them.
func TestChoice(t *testing.T) {
	for text, want := range map[string]int{
		"switch (n) { case 2: y[0] = 1; break; case 5: y[1] = 1; break; }": 2,
		"if (n == 3) y[0] = 1; else if (n == 1) y[0] = 2;":                 3,
		"if (n == 3) y[0] = 1;":                                            -1,
		"if (n == 3) y[0] = 1; else if (n == 1) y[t * n] = 2;":             -1,
		"if (n == 3) y[0] = 1; else if (n == 1 && t < n) y[0] = 2;":        -1,
	} {
		uses := usesIn(t, `kernel void f(device float *y [[buffer(0)]], constant uchar &n [[buffer(1)]],
			uint t [[thread_index_in_threadgroup]]) { `+text+` }`)
		got, is := uses[0].Integers[0].Choice()
		if !is {
			got = -1
		}
		if got != want {
			t.Errorf("%s chooses %d, want %d", text, got, want)
		}
	}
}
