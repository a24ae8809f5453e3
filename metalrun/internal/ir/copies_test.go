package ir_test

import (
	"slices"
	"testing"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/irtest"
)

// TestFollowCopies asks whether the sum behind a body reads the variable total in place of s, to which it was copied,
// or neither. The original keeps its text.
func TestFollowCopies(t *testing.T) {
	for _, c := range []struct {
		name, body string
		follows    bool
	}{
		{"copied", "s = total;", true},
		{"copied for all that follow", "s = total; barrier();", true},
		{"set again", "s = total; s += a[tid];", false},
		{"the other set again", "s = total; total += 1;", false},
		{"set in a branch", "s = total; if (a[tid] > 1) s = 2;", false},
		{"the other set in a branch", "s = total; if (n > 3) total = 2;", false},
		{"set in a loop", "s = total; for (uint k = tid; k < n; k++) s += 1;", false},
		{"copied in a branch", "if (n > 2) s = total;", false},
		{"copied in a turn", "for (uint k = 0; k < n; k++) { s = total; total += 1; }", false},
		{"copied in a branch that reads it", "if (n > 2) { s = total; a[tid] = s + 1; }", false},
		{"what varies", "s = a[tid + 1];", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := irtest.Lower(t, `#include <metal_stdlib>
using namespace metal;
static void barrier() { threadgroup_barrier(mem_flags::mem_none); }
kernel void f(device float* a [[buffer(0)]], constant uint& n [[buffer(1)]], uint tid [[thread_index_in_threadgroup]])
{
    float s = a[tid], total = 0;
    for (uint k = 0; k < n; k++) total += k;
    `+c.body+`
    a[tid] = s * 7;
}
`)
			before := k.String()
			names := map[string]ir.Reg{}
			for r, info := range k.Regs {
				if info.Kind == ir.Variable {
					names[info.Name] = ir.Reg(r)
				}
			}
			out := ir.FollowCopies(k, func(r ir.Reg) bool { return r == names["total"] })
			if err := ir.Verify(out); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if k.String() != before {
				t.Errorf("the original has become\n%s\nfrom\n%s", k, before)
			}
			var last *ir.Instr
			for in := range ir.Instrs(out.Body...) {
				if in.Op == ir.Mul && out.Regs[in.Dst[0]].Type == ir.F32 {
					last = in
				}
			}
			if got := slices.Contains(last.Args, names["total"]); got != c.follows {
				t.Errorf("reads what was copied: %v, want %v\n%s", got, c.follows, out)
			}
		})
	}
}
