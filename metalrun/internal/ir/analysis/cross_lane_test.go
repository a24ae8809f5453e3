package analysis

import (
	"testing"

	"metalconform/metalrun/internal/ir"
)

// TestCrossLane has products and sums: whether another lane may depend on them.
func TestCrossLane(t *testing.T) {
	const declared = "threadgroup float s[64]; float r[4]; "
	for body, want := range map[string]struct{ product, sum bool }{
		"out[i] = in[i] * 3 + 1;":                                                                    {false, false},
		"out[i] = simd_sum(in[i] * 3) + 1;":                                                          {true, false},
		"out[i] = simd_sum(in[i] * 3 + 1);":                                                          {true, true},
		"s[thread_index] = in[i] * 3; WAIT; out[i] = s[n] + 1;":                                      {true, false},
		"s[thread_index] = in[i] * 3; out[i] = in[n] + 1;":                                           {false, false},
		"r[n] = in[i] * 3; out[i] = simd_sum(r[lane & 3]) + 1;":                                      {true, false},
		"r[n] = in[i] * 3; out[i] = simd_sum(in[i]) + r[0] + 1;":                                     {false, false},
		"more[i] = in[i] * 3; out[i] = more[n] + 1;":                                                 {true, false},
		"float x = 0; for (uint k = 0; k < n; k++) { x = simd_max(x + 1) - in[k] * 3; } out[i] = x;": {true, true},
	} {
		k := kernel(t, declared+body)
		c := DependsOnFloats(k, 0).CrossLane()
		for in := range ir.Instrs(k.Body...) {
			wanted := want.product
			switch {
			case in.Op == ir.Add && k.Regs[in.Dst[0]].Type == ir.F32 && k.Regs[in.Args[1]].Kind == ir.Literal:
				wanted = want.sum
			case in.Op != ir.Mul || k.Regs[in.Dst[0]].Type != ir.F32:
				continue
			}
			if got := c.Reaches(in); got != wanted {
				t.Errorf("%s: %v: %t, want %t\n%v", body, in.Op, got, wanted, k)
			}
		}
	}
}
