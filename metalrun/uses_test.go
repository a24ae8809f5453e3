package metalrun

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What a kernel does with its arguments is read from its instructions, whatever the source looks like.
func TestUses(t *testing.T) {
	const text = `#include <metal_stdlib>
using namespace metal;
struct P { uint n, step, parts; float scale; };
uint column(uint i, uint width) { return i % width; }
kernel void f(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], constant P *p [[buffer(2)]], device const int *offsets [[buffer(3)]],
              device const uchar *bytes [[buffer(4)]], device const float *settings [[buffer(5)]], device const int *any [[buffer(6)]],
              uint row [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {
    int end = offsets[row + 1];
    for (int i = offsets[row]; i < end && i < int(settings[1]); i++) {
        y[row * p->step + column(t, p->parts)] = x[i] * p->scale + settings[0] + any[any[0]];
    }
    for (uint i = t; i < p->n / 4; i += 32) y[i] += ((device const half *)bytes)[i];
}`
	p, err := Analyse(SourceText("a.metal", text), CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	uses, err := p.Uses()
	if err != nil {
		t.Fatal(err)
	}
	want := Uses{
		Fixed: map[int]bool{2: true, 5: true}, Extents: map[int]int{2: 16, 5: 8}, Successive: map[int]bool{3: true},
		Reads: map[int]string{0: "float", 1: "float", 3: "int", 4: "half", 5: "float", 6: "int"},
		Integers: []IntegerUse{
			{Buffer: 2, Offset: 0, Bounds: true, Multiple: 4},
			{Buffer: 2, Offset: 4, Strides: true},
			{Buffer: 2, Offset: 8, Divides: true},
			{Buffer: 5, Offset: 4, Bounds: true},
			{Buffer: 6, Offset: 0},
		},
	}
	if diff := cmp.Diff(want, uses[0]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
