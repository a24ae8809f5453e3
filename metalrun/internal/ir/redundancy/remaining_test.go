package redundancy

import (
	"fmt"
	"strings"
	"testing"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/irtest"
)

// TestOf lists what is left of kernels: operations in the order of the source, what they were moved in front of, and
// how many elements an access has.
func TestOf(t *testing.T) {
	for _, test := range []struct{ body, want string }{
		{"out[i] = in[i] * in[i];", "load 1, mul, store 1"},
		{"out[i] = 0; out[i] = in[i];", "store 1, load 1, store 1"}, // in may be out
		{"out[i] = 0; out[i] = 1;", "store 1"},
		{"float x = in[i]; out[i] = 0; out[i] = x;", "load 1, store 1"},
		{"float x = in[i] * 2; out[i] = 1;", "store 1"},
		{"float x = in[i]; float4 v = more[i]; out[i] = x + v.y;", "load 1, load 1, add, store 1"},
		{"for (uint k = 0; k < n; k++) { out[k * 64] = cos(fixed[0]); }", // constant
			"load 1 ahead of loop, ult, load 1 ahead of loop, math ahead of loop, mul, store 1, add"},
		{"float s = 0; for (uint k = 0; k < 4; k++) { s += in[k * n]; } out[i] = s;",
			"load 1 ahead of loop, mul ahead of loop ×2, load 1, add ahead of loop ×4, store 1"}, // not by 0 and 1,
		{"float s = in[i]; if (s < 0) { s = -s * 3; } out[i] = s;",
			"load 1, flt, mul ahead of branch, speculated, select ahead of branch, speculated, store 1"},
		{"float s = 0; if (i < n) { s = in[i]; } out[i] = s;", "load 1, ult, load 1, store 1"},
		{"device const float *p = in + i * 4; out[i] = p[0] + p[1];", "mul, load 1, load 1, add, store 1"},
		{"for (uint k = 0; k < n; k++) { if (in[k] > 0) { break; } out[k] = table[0]; }",
			"load 1 ahead of loop, ult, load 1, flt, load 1, convert, store 1, add"},
		{"float t[2] = {in[i], in[i + n]}; out[i] = t[0] / t[1];", "load 1, load 1, add, load 1, div, store 1"},
		{"out[i] = volatile_in[i] + volatile_in[i];", "load 1, load 1, add, store 1"},
	} {
		k := irtest.Lower(t, `kernel void f(device float *out [[buffer(0)]], device const float *in [[buffer(1)]],
    constant float *fixed [[buffer(2)]], device const uint *table [[buffer(3)]], device const metal::float4 *more
    [[buffer(4)]], device const volatile float *volatile_in [[buffer(5)]], constant uint &n [[buffer(6)]],
    uint i [[thread_position_in_grid]]) { using namespace metal; `+test.body+` }`)
		var list []string
		for _, r := range Of(k) {
			text := r.In.Op.String()
			if r.In.Mem != nil {
				text += fmt.Sprint(" ", r.Elements)
			}
			switch r.Before.(type) {
			case *ir.Loop:
				text += " ahead of loop"
			case *ir.If:
				text += " ahead of branch"
			}
			if r.Times != 1 {
				text += fmt.Sprintf(" ×%d", r.Times)
			}
			if r.Speculated {
				text += ", speculated"
			}
			if r.In.Op != ir.Copy {
				list = append(list, text)
			}
		}
		if got := strings.Join(list, ", "); got != test.want {
			t.Errorf("%s\n got %s\nwant %s\n%v", test.body, got, test.want, k)
		}
	}
}

// TestEffort has a kernel with so many loads and branches that the analysis gives up: every instruction is left.
func TestEffort(t *testing.T) {
	if testing.Short() {
		t.Skip("lowers a kernel of ten thousand lines")
	}
	left := func(loads, branches int) (rest, all int) {
		var text strings.Builder
		text.WriteString("kernel void f(device uint *out [[buffer(0)]], device const float *in [[buffer(1)]]) {\n" +
			"float s = in[0];\n")
		for i := range loads {
			fmt.Fprintf(&text, "s += in[%d];\n", i)
		}
		for i := range branches {
			fmt.Fprintf(&text, "if (s > %d) { out[%d] = uint(in[0]); }\n", i, i)
		}
		k := irtest.Lower(t, text.String()+"}")
		for range ir.Instrs(k.Body...) {
			all++
		}
		return len(Of(k)), all
	}
	if rest, all := left(10, 10); rest == all {
		t.Errorf("all %d instructions of a small kernel are left", all)
	}
	if rest, all := left(500, 5000); rest != all {
		t.Errorf("%d of %d instructions of a large kernel are left", rest, all)
	}
}
