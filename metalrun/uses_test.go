package metalrun

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// usesIn are those of the kernels of a source.
func usesIn(t *testing.T, text string) []Uses {
	t.Helper()
	p, err := Analyse(SourceText("a.metal", text), CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	uses, err := p.Uses()
	if err != nil {
		t.Fatal(err)
	}
	return uses
}

// What a kernel does with its arguments is read from its instructions, whatever the source looks like.
func TestUses(t *testing.T) {
	const text = `#include <metal_stdlib>
using namespace metal;
struct P { uint n, step, parts; float scale; uint first; };
uint column(uint i, uint width) { return i % width; }
kernel void f(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], constant P *p [[buffer(2)]], device const int *offsets [[buffer(3)]],
              device const uchar *bytes [[buffer(4)]], device const float *settings [[buffer(5)]], device const int *any [[buffer(6)]],
              uint row [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {
    if (row + 1 > 7) return;
    int end = offsets[row + 1];
    for (int i = offsets[row]; i < end && i < int(settings[1]); i++) {
        y[row * p->step + column(t, p->parts)] = x[i] * p->scale + settings[0] + any[any[0]];
    }
    for (uint i = t; i < p->n / 4; i += 32) y[i] += ((device const half *)bytes)[i];
    ((device float4 *)y)[t - p->first] += row / p->parts;
}`
	uses := usesIn(t, text)
	want := Uses{
		Fixed: map[int]bool{2: true, 5: true}, Extents: map[int]int{2: 20, 5: 8}, Successive: map[int]bool{3: true},
		Reads:  map[int]string{0: "float", 1: "float", 3: "int", 4: "half", 5: "float", 6: "int"},
		Writes: map[int]string{1: "float"},
		Widest: 16, Stored: 4, Split: [3]bool{true, false, false}, Guarded: [3]bool{true, false, false}, Threads: 32,
		Integers: []IntegerUse{
			{Buffer: 2, Offset: 0, Bounds: true, Guards: true, Multiple: 4},
			{Buffer: 2, Offset: 4, Strides: true},
			{Buffer: 2, Offset: 8, Divides: true},
			{Buffer: 2, Offset: 16, Adds: true},
			{Buffer: 5, Offset: 4, Bounds: true},
			{Buffer: 6, Offset: 0},
		},
	}
	if diff := cmp.Diff(want, uses[0]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// An integer of an argument that is divided by another is a multiple of it.
func TestParts(t *testing.T) {
	const text = `#include <metal_stdlib>
using namespace metal;
kernel void f(device float *y [[buffer(0)]], constant uint4 &p [[buffer(1)]], uint i [[thread_position_in_grid]]) { y[i / (p.x / p.z)] = p.y % p.w; }`
	uses := usesIn(t, text)
	want := []IntegerUse{{Buffer: 1, Offset: 0, Divides: true, Divided: true}, {Buffer: 1, Offset: 4},
		{Buffer: 1, Offset: 8, Divides: true, Parts: true}, {Buffer: 1, Offset: 12}}
	if diff := cmp.Diff(want, uses[0].Integers); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Loops step by the threads that a kernel is made for if they begin where a thread stands. Lanes of a simdgroup,
// places along one of several axes, and two numbers say nothing.
func TestThreadsOfLoops(t *testing.T) {
	for body, want := range map[string]int{
		"for (uint i = t; i < n; i += 128) y[i] = i;":                                             128,
		"for (int i = 4 * int(t); i < int(n); i += 512) y[i] = i;":                                128,
		"for (uint i = index; i < n; i += 64) y[i] = i;":                                          64,
		"uint i = t; while (i < n) { y[i] = i; i += 96; }":                                        96,
		"for (uint i = t; i < n; i += 128) y[i] = i; for (uint i = t; i < n; i += 64) y[i] += i;": 0,
		"for (uint i = row * n + t; i < (row + 1) * n; i += 256) y[i] = i;":                       256,
		"for (uint i = lane * n + t; i < n; i += 256) y[i] = i;":                                  0,
		"for (uint i = lane; i < n; i += 32) y[i] = i;":                                           0,
		"for (uint i = at.x; i < n; i += 32) y[at.y * n + i] = i;":                                0,
		"for (uint i = t; i < n; i += n) y[i] = i;":                                               0,
		"for (uint i = 3; i < n; i += 128) y[i] = t;":                                             0,
	} {
		text := "#include <metal_stdlib>\nusing namespace metal;\n" +
			"kernel void f(device float *y [[buffer(0)]], constant uint &n [[buffer(1)]], uint3 at " +
			"[[thread_position_in_threadgroup]], uint index [[thread_index_in_threadgroup]], uint lane " +
			"[[thread_index_in_simdgroup]], uint3 group [[threadgroup_position_in_grid]]) { uint t = at.x, row = " +
			"group.x;" + body + "}"
		uses := usesIn(t, text)
		if uses[0].Threads != want {
			t.Errorf("%s: %d threads, want %d", body, uses[0].Threads, want)
		}
	}
}

// Whoever asks for the first thread of all asks along each axis, which is no use of positions along the others.
func TestFirstThread(t *testing.T) {
	for body, want := range map[string][3]bool{
		"if (all(at == uint3(0))) part[0] = 1; y[i.x] = part[0];":           {false, true, true},
		"if (all(at == uint3(0))) part[0] = 1; y[i.x + 8 * i.y] = part[0];": {false, false, true},
		"if (at.y < 1) part[0] = 1; y[i.x] = part[0];":                      {},
	} {
		text := "#include <metal_stdlib>\nusing namespace metal;\n" +
			"kernel void f(device float *y [[buffer(0)]], uint3 at [[thread_position_in_threadgroup]], uint3 i " +
			"[[thread_position_in_grid]]) { threadgroup float part[1]; " + body + "}"
		uses := usesIn(t, text)
		if uses[0].First != want {
			t.Errorf("%s: %v, want %v", body, uses[0].First, want)
		}
	}
}

// A size in bytes is divided by that of an element, and bounds the index of accesses to its buffer. One that is used
// otherwise, or divided by another number, is none, and neither is one beside another integer.
func TestSizesOfBuffers(t *testing.T) {
	const text = `#include <metal_stdlib>
using namespace metal;
struct Pair { float3 a; uint ids[8]; };
struct Sizes { uint x, y, z, pairs; };
struct Lengths { uint elements, halves; };
kernel void f(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], device const uint *z [[buffer(2)]], device Pair *pairs [[buffer(3)]],
              device half *h [[buffer(4)]], constant Sizes &sizes [[buffer(5)]], constant Lengths &lengths [[buffer(6)]],
              constant uint2 &mixed [[buffer(7)]], uint i [[thread_position_in_grid]]) {
    uint length = 1 + (sizes.x - 0 - 4) / 4;
    if (i >= length) return;
    float v = i < 1 + (sizes.x - 0 - 4) / 4 ? x[i] : 0.0f;
    uint w = uint(i + 3) < sizes.z / 4 ? z[i + 3] : 0;
    y[min(i, (sizes.y - 4) >> 2)] = v + w;
    if (i < 1 + (sizes.pairs - 48) / 48) pairs[i].ids[w & 7] = w;
    if (i < lengths.elements / 4) y[i * lengths.elements] = v;
    if (i < lengths.halves / 4) h[i] = v;
    if (i < mixed.x / 4) y[i] = i < mixed.y ? v : 0.0f;
}`
	uses := usesIn(t, text)
	got := map[int]int{}
	for _, x := range uses[0].Integers {
		if x.Measures {
			got[x.Buffer*100+x.Offset] = x.Of
		}
	}
	if diff := cmp.Diff(map[int]int{500: 0, 504: 1, 508: 2, 512: 3}, got); diff != "" {
		t.Errorf("buffers by where their sizes are (-want +got):\n%s", diff)
	}
}
