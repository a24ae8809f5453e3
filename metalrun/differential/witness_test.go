package differential

import (
	"encoding/binary"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
)

// TestWitnessPieces has programs of which clang takes a part, or that address spaces tell apart.
func TestWitnessPieces(t *testing.T) {
	if os.Getenv("CONFORM_WITNESS") == "" {
		t.Skip("CONFORM_WITNESS=1 asks clang")
	}
	clang := Clang()
	if clang == "" {
		t.Fatal("there is no clang to ask")
	}
	for _, c := range []struct {
		name, source string
		want         map[string]uint32 // of kernels: out[5] after 32 threads
		refused      map[string]string // of kernels: a part of the reason
	}{
		{
			name: "one kernel that C++ does not have costs no other",
			source: `int odd(int x) { return no_such_function(x); }
int fine(int x) { return x + 1; }
kernel void f(device int *out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = fine(int(i)); }
kernel void g(device int *out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = odd(int(i)); }
`,
			want:    map[string]uint32{"f": 6},
			refused: map[string]string{"g": "no_such_function"},
		},
		{
			name: "overloads that address spaces tell apart are one if they are the same text",
			source: `int at(device int *p) { return p[0]; }
int at(thread int *p) { return p[0]; }
int of(device int *p) { return 1; }
int of(thread int *p) { return 2; }
kernel void f(device int *out [[buffer(0)]], uint i [[thread_position_in_grid]]) { int x = int(i) + 2; out[i] = at(&x); }
kernel void g(device int *out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = of(out); }
`,
			want:    map[string]uint32{"f": 7},
			refused: map[string]string{"g": "address spaces alone tell apart"},
		},
		{
			name: "lanes in a branch work together without those that wait behind it",
			source: `kernel void f(device int *out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
	int x = 0;
	if (i < 8) {
		x = simd_sum(1);
	}
	out[i] = 100 * simd_sum(1) + x;
}
kernel void g(device int *out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
	int x = 0;
	for (uint n = 0; n < i; n++) {
		x += simd_sum(1);
	}
	out[i] = x;
}
`,
			want: map[string]uint32{"f": 3208, "g": 31 + 30 + 29 + 28 + 27},
		},
		{
			name: "arguments of a template follow from types, and constants that nobody gives are not there",
			source: `constant int given [[function_constant(1 + 1)]];
constant int absent [[function_constant(3)]];
constant int value = is_function_constant_defined(absent) ? absent : given;
template <typename T> kernel void f(device T *out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = T(value); }
template [[host_name("f")]] kernel void f(device int *out [[buffer(0)]], uint i [[thread_position_in_grid]]);
`,
			want: map[string]uint32{"f": 40},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var launches []Launch
			var names []string
			for _, name := range []string{"f", "g"} {
				if _, some := c.want[name]; !some && c.refused[name] == "" {
					continue
				}
				names = append(names, name)
				launches = append(launches, Launch{
					Source: metalrun.SourceText("a.metal",
						"#include <metal_stdlib>\nusing namespace metal;\n"+c.source), Kernel: name,
					Options: metalrun.CompileOptions{FunctionConstants: map[int]any{2: int32(40)}},
					Dispatch: metalrun.Dispatch{
						Bindings:              []metalrun.Binding{{Data: make([]byte, 128), Length: 128}},
						Threadgroups:          metalrun.Size{X: 1, Y: 1, Z: 1},
						ThreadsPerThreadgroup: metalrun.Size{X: 32, Y: 1, Z: 1},
					},
				})
			}
			answers, err := Ask(clang, t.TempDir(), launches)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]uint32{}
			for i, a := range answers {
				why := c.refused[names[i]]
				if why == "" && a.Refused != "" || !strings.Contains(a.Refused, why) {
					t.Errorf("%s: refused because of %q, want %q", names[i], a.Refused, why)
				} else if why == "" {
					got[names[i]] = binary.LittleEndian.Uint32(a.Buffers[0][20:])
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestDifference compares words, of which any NaN is as good as another. Nobody says of what type they are.
func TestDifference(t *testing.T) {
	word := func(x uint32) [][]byte { return [][]byte{binary.LittleEndian.AppendUint32(make([]byte, 4), x)} }
	for _, c := range []struct {
		got, want uint32
		differ    bool
	}{
		{1, 1, false},
		{1, 2, true},
		{math.Float32bits(1), math.Float32bits(1) + 1, true},
		{0x7fc00000, 0xffc00001, false}, // NaN
		{0x7e003c00, 0x7e013c00, false}, // halves
		{0x7e003c00, 0x7e013c01, true},
		{0x7c003c00, 0x7e003c00, true},
		{0x7fc03f80, 0xffc03f80, false}, // bfloats
	} {
		if d := Difference(word(c.got), word(c.want)); (d != "") != c.differ {
			t.Errorf("%x and %x: %q", c.got, c.want, d)
		}
	}
}
