package widths

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"metalconform/metalrun/internal/ir/irtest"
)

// ahead is what every kernel of the tests begins with: five lines.
const ahead = `#include <metal_stdlib>
using namespace metal;
struct Sizes { uint rows, cols, stride, heads; };


`

// TestFind launches kernels at a size that no 32 bits hold. The line that computes what wraps stands in a comment.
func TestFind(t *testing.T) {
	for _, test := range []struct{ name, body string }{
		{"uint product", `if (p.x >= s.cols) return;
			uint i = p.y * s.cols + p.x; // wraps
			y[i] = x[i];`},
		{"size_t product", `if (p.x >= s.cols) return;
			size_t i = size_t(p.y) * s.cols + p.x;
			y[i] = x[i];`},
		{"widened too late", `ulong i = p.y * s.cols; // wraps
			y[i + p.x] = x[i + p.x];`},
		{"one of two", `uint i = p.y * s.cols + p.x; // wraps
			y[ulong(p.y) * s.cols + p.x] = x[i];`},
		{"int stride", `int row = int(p.y);
			device const float *r = x + row * int(s.stride); // wraps
			y[ulong(p.y) * s.cols] = r[p.x];`},
		{"long stride", `int row = int(p.y);
			device const float *r = x + row * long(s.stride);
			y[ulong(p.y) * s.cols] = r[p.x];`},
		{"short column", `for (short c = p.x; c < short(s.cols); c += 32) // wraps
				y[ulong(p.y) * s.cols + c] = x[ulong(p.y) * s.cols + c];`},
		{"ushort column", `ushort c = ushort(p.x); // wraps
			y[ulong(p.y) * s.cols + c] = x[c];`},
		{"bytes in int", `int bytes = int(p.y) * int(s.cols) * 4; // wraps
			y[0] = *(device const float *)((device const char *)x + bytes);`},
		{"loop of rows", `for (uint r = 0; r < s.rows; r++)
				y[p.x] += x[r * s.stride + p.x]; // wraps`},
		{"loop that adds strides", `uint at = p.x;
			for (uint r = 0; r < s.rows; r++) {
				y[p.x] += x[at];
				at += s.stride; // wraps
			}`},
		{"loop over pointers", `device const float *r = x + p.x;
			for (uint n = 0; n < s.rows; n++, r += s.stride)
				y[p.x] += *r;`},
		{"two loops", `for (uint h = 0; h < s.heads; h++)
				for (uint r = 0; r < s.rows; r++)
					y[p.x] += x[(ulong(r) * s.heads + h) * s.cols];`},
		{"two narrow loops", `for (uint h = 0; h < s.heads; h++)
				for (uint r = 0; r < s.rows; r++)
					y[p.x] += x[(r * s.heads + h) * s.cols]; // wraps`},
		{"back and forth", `uint i = p.y * s.cols + p.x;
			ulong at = ulong(p.y) * s.cols + p.x;
			y[at] = x[at] + float(i);`},
		{"low words", `uint i = p.y * s.cols + p.x;
			ulong at = (ulong(mulhi(p.y, s.cols)) << 32) + i;
			y[p.x] = x[min(at, ulong(p.x))];`},
		{"hash", `uint h = (p.y * s.cols + p.x) * 2654435761u;
			y[ulong(p.y) * s.cols + p.x] = x[h % s.heads];`},
		{"ring", `uint slot = (p.y * 7919u) % s.heads;
			y[ulong(p.y) * s.cols + p.x] = x[slot];`},
		{"random", `uint a = p.y, b = p.x;
			for (int r = 0; r < 10; r++) {
				uint hi = mulhi(a, 0xD2511F53u), lo = a * 0xD2511F53u;
				a = hi ^ b; b = lo;
			}
			y[ulong(p.y) * s.cols + p.x] = float(a ^ b) * x[p.x];`},
		{"below zero", `uint before = p.x - 1;
			if (p.x > 0) y[ulong(p.y) * s.cols + before] = x[before];`},
		{"from behind", `for (int r = int(s.rows) - 1; r >= 0; r--)
				y[p.x] += x[long(r) * s.cols + p.x];`},
		{"branch", `if (p.y * s.cols + p.x < s.rows * s.cols) // wraps
				y[p.x] = x[p.x];`},
		{"function", `y[at(p.y, s.cols) + p.x] = x[0]; // called`},
		{"shared", `threadgroup uint row[2];
			row[0] = p.y * s.cols; // wraps
			threadgroup_barrier(mem_flags::mem_threadgroup);
			y[row[0] + p.x] = x[0];`},
	} {
		helper := "uint at(uint row, uint cols) { return row * cols; } // inlined\n"
		text := ahead + helper + "kernel void k(device const float *x, device float *y, constant Sizes &s, " +
			"uint2 p [[thread_position_in_grid]]) {\n" + test.body + "\n}\n"
		k := irtest.Lower(t, text)
		launch := func(rows, cols int) Launch {
			sizes := make([]byte, 0, 16)
			for _, n := range []int{rows, cols, cols, 8} {
				sizes = binary.LittleEndian.AppendUint32(sizes, uint32(n))
			}
			return Launch{Grid: [3]int{cols / 32, rows, 1}, PerGroup: [3]int{32, 1, 1},
				Inline: map[int][]byte{2: sizes}}
		}
		meant := map[any]bool{}
		small, _ := Find(k, launch(96, 256))
		for _, w := range small {
			meant[w.At] = true
		}
		var got []string
		large, _ := Find(k, launch(1<<19, 1<<17))
		for _, w := range large {
			if line := fmt.Sprint(w.At.Pos.Line); !meant[w.At] && !slices.Contains(got, line) {
				got = append(got, line)
			}
		}
		var want []string
		for i, line := range strings.Split(text, "\n") {
			if strings.Contains(line, "// wraps") || strings.Contains(line, "// inlined") &&
				strings.Contains(test.body, "// called") {
				want = append(want, fmt.Sprint(i+1))
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: lines %v wrap, want %v", test.name, got, want)
		}
	}
}

// TestImpossible tells launches in which an array of the kernel is too short from others.
func TestImpossible(t *testing.T) {
	k := irtest.Lower(t, ahead+`kernel void k(device float *y, constant Sizes &s,
			threadgroup float *shared [[threadgroup(0)]], uint p [[thread_position_in_grid]]) {
			float own[8];
			for (uint i = 0; i < s.heads; i++) own[i] = shared[i * 2];
			y[p] = own[p % s.heads];
		}`)
	for _, test := range []struct {
		heads, shared int
		want          bool
	}{{8, 64, true}, {8, 60, true}, {8, 56, false}, {9, 1 << 20, false}} {
		sizes := binary.LittleEndian.AppendUint32(make([]byte, 12), uint32(test.heads))
		if _, got := Find(k, Launch{Grid: [3]int{1, 1, 1}, PerGroup: [3]int{32, 1, 1}, Inline: map[int][]byte{1: sizes},
			Shared: []int{test.shared}}); got != test.want {
			t.Errorf("%d heads in %d bytes: %v, want %v", test.heads, test.shared, got, test.want)
		}
	}
}
