package ir_test

import (
	"fmt"
	"strings"
	"testing"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/fastmath"
)

// rewritten are expressions and what a rule makes of them wherever it can: the operations on
// floats that are left, in order. mode is fast where a NaN or an infinity has to be
// impossible; in the mode before it the rule must leave the expression as it is.
var rewritten = []struct {
	rule         *fastmath.Rule
	mode, before string
	body         string
	want         string
}{
	{fastmath.Sums, "relaxed", "safe", "a[0] = x + y - z;", ""},
	{fastmath.Cancelling, "relaxed", "safe", "float t = x + y; a[1] = t; a[0] = (t - x) - y;", ""},
	{fastmath.Cancelling, "relaxed", "safe", "float s = 0, c = 0; for (uint i = 0; i < n; i++) { float d = a[i] - c, t = s + d; c = (t - s) - d; s = t; } a[0] = s;", ""},
	{fastmath.Cancelling, "relaxed", "safe", "a[0] = x + 12582912.0f - 12582912.0f;", ""},
	{fastmath.Cancelling, "relaxed", "safe", "a[0] = 3 * x - x + y;", ""},
	{fastmath.Factoring, "relaxed", "safe", "a[0] = x * y + z + y * z;", ""},
	{fastmath.Distributing, "relaxed", "safe", "a[0] = x * (y - z);", ""},
	{fastmath.Products, "relaxed", "safe", "a[0] = x * -y * z;", ""},
	{fastmath.Reciprocals, "relaxed", "safe", "a[0] = x / y;", ""},
	{fastmath.ReciprocalRoots, "relaxed", "safe", "a[0] = x / sqrt(y);", ""},
	{fastmath.Comparisons, "fast", "relaxed", "a[0] = isnan(x) ? y : z;", ""},
	{fastmath.Comparisons, "fast", "relaxed", "a[0] = x != x ? y : z;", ""},
	{fastmath.Comparisons, "fast", "relaxed", "if (!(x < y)) a[0] = z;", ""},
	{fastmath.Infinities, "fast", "relaxed", "if (x == -INFINITY) a[0] = z; else if (isfinite(y)) a[1] = 0;", ""},
	{fastmath.PartialSums, "relaxed", "safe", "float s = 0; for (uint i = 0; i < n; i++) s += a[i] * x; a[0] = s;", ""},
}

func TestRewrite(t *testing.T) {
	for _, c := range rewritten {
		t.Run(c.rule.Name+"/"+c.body, func(t *testing.T) {
			for _, mode := range []string{c.before, c.mode} {
				k := inMode(t, mode, c.body)
				v := ir.Values(k)
				if err := ir.Verify(v); err != nil {
					t.Fatalf("%v\n%s", err, v)
				}
				taken := 0
				fastmath.Rewrite(v, []*fastmath.Rule{c.rule}, fastmath.Chooser{Takes: func(*fastmath.Rule, *ir.Instr) (uint64, bool) { taken++; return 0, true }})
				if err := ir.Verify(v); err != nil {
					t.Fatalf("%v\n%s", err, v)
				}
				out := ir.Tidy(v)
				if err := ir.Verify(out); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				fmt.Println(mode, taken, c.body)
				fmt.Println(out)
			}
		})
	}
}

func inMode(t *testing.T, mode, body string) *ir.Kernel {
	return lower(t, "rewrite.metal", `#include <metal_stdlib>
using namespace metal;
#pragma METAL fp math_mode(`+mode+`)
kernel void f(device float* a [[buffer(0)]], constant float& x [[buffer(1)]], constant float& y [[buffer(2)]], constant float& z [[buffer(3)]], constant uint& n [[buffer(4)]])
{
`+body+"\n}\n")[0]
}

var _ = strings.Join
