package fastmath_test

import (
	"strings"
	"testing"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/fastmath"
	"metalconform/metalrun/internal/ir/irtest"
)

// rewritten are expressions and what a rule makes of them wherever it can, in mode; in the
// mode before it the rule has to leave them as they are.
var rewritten = []struct {
	rule         *fastmath.Rule
	before, mode string
	body         string
	want         string // operations on floats that remain, in order
}{
	{fastmath.Sums, "safe", "relaxed", "a[0] = x + y - z;", "sub add"},
	{fastmath.Sums, "safe", "relaxed", "float s = x; s += y; s += z; s -= x; a[0] = s;", "sub add add"},
	{fastmath.Sums, "safe", "relaxed", "a[0] = x * y - z * x;", "mul mul neg add"},
	{fastmath.Products, "safe", "relaxed", "a[0] = x * -y * z;", "mul mul neg"},
	{fastmath.Cancelling, "safe", "relaxed", "float t = x + y; a[1] = t; a[0] = (t - x) - y;", "add sub"},
	{fastmath.Cancelling, "safe", "relaxed",
		"float s = 0, c = 0; for (uint i = 0; i < n; i++) { float d = a[i] - c, t = s + d; c = (t - s) - d; s = t; } " +
			"a[0] = s;", "sub add"},
	{fastmath.Cancelling, "safe", "relaxed", "a[0] = x + 12582912.0f - 12582912.0f;", ""},
	{fastmath.Cancelling, "safe", "relaxed", "a[0] = 3 * x - x + y;", "mul add"},
	{fastmath.Cancelling, "safe", "relaxed", "float t = a[0] - x; if (n > 1) a[1] = t + x; a[2] = t;", "sub"},
	{fastmath.Cancelling, "safe", "relaxed", "float p = x * y, e = fma(x, y, -p); a[0] = p; a[1] = e;", "mul neg fma"},
	{fastmath.Cancelling, "relaxed", "fast", "float p = x * y; a[0] = p - p;", ""},
	{fastmath.Cancelling, "safe", "relaxed", "a[0] = (x + y) - (y + x);", ""},
	{fastmath.Ratios, "relaxed", "fast", "a[0] = (x + y) / (y + x);", ""},
	{fastmath.Ratios, "relaxed", "fast", "a[0] = x * y / y + z / x * x;", "add"},
	{fastmath.Zeros, "safe", "relaxed", "a[0] = x + 0; a[1] = 0 - y; a[2] = z - 0;", "neg"},
	{fastmath.Zeros, "relaxed", "fast", "a[0] = x * 0; a[1] = 0 / y;", ""},
	{fastmath.Factoring, "safe", "relaxed", "a[0] = x * y + z - y * z;", "sub mul add"},
	{fastmath.Distributing, "relaxed", "fast", "a[0] = x * (y - 1);", "mul sub"},
	{fastmath.Distributing, "safe", "relaxed", "a[0] = 3 * (y - 2);", "mul sub"},
	{fastmath.Reciprocals, "safe", "relaxed", "a[0] = x / y; a[1] = 1 / z;", "div mul div"},
	{fastmath.Reciprocals, "safe", "relaxed", "a[0] = x / 3;", "mul"},
	{fastmath.ReciprocalRoots, "safe", "relaxed", "a[0] = x / sqrt(y); a[1] = 1 / sqrt(z);", "rsqrt mul rsqrt"},
	{fastmath.Functions, "safe", "relaxed", "a[0] = exp(x) * exp(y); a[1] = log2(exp2(z)); a[2] = x / exp(y);",
		"add exp neg exp mul"},
	{fastmath.Functions, "relaxed", "fast", "a[0] = sqrt(x) * sqrt(x); a[1] = sqrt(x) * sqrt(y);", "mul sqrt"},
	{fastmath.Functions, "safe", "relaxed", "a[0] = fast::pow(fast::exp(x), y);", "mul exp"},
	{fastmath.Comparisons, "relaxed", "fast", "a[0] = isnan(x) ? y : z;", ""},
	{fastmath.Comparisons, "relaxed", "fast", "a[0] = x != x ? y : z;", ""},
	{fastmath.Comparisons, "relaxed", "fast", "if (!(x < y)) a[0] = z;", "fle"},
	{fastmath.Comparisons, "relaxed", "fast", "a[0] = max(x, y); a[1] = x;", "flt select"},
	{fastmath.Comparisons, "relaxed", "fast", "float v = x, w = y; a[0] = v < w ? w : v;", "max"},
	{fastmath.Infinities, "relaxed", "fast", "if (x == -INFINITY) a[0] = z; else if (isfinite(y)) a[1] = x;", ""},
	{fastmath.Infinities, "relaxed", "fast", "if (x < INFINITY && !isinf(y)) a[0] = z; else a[1] = x;", ""},
	{fastmath.Fusing, "safe", "relaxed", "float p = x * y; a[0] = p - floor(p); a[1] = z - p;",
		"mul floor neg fma neg fma"},
	{fastmath.PartialSums, "safe", "relaxed", "float s = 0; for (uint i = 0; i < n; i++) s += a[i] * x; a[0] = s;",
		"mul add add"},
	{fastmath.Signs, "safe", "relaxed", "a[0] = copysign(z, x * y); a[1] = atan2(x + y, z); a[2] = z / (x - y);",
		"mul add copysign add add atan2 sub add div"},
	{fastmath.Signs, "safe", "relaxed",
		"float d = n > 1 ? x * y : z; a[0] = d; if (signbit(simd_shuffle(d, 3))) a[1] = z;", "mul add signbit"},
	{fastmath.PartialSums, "safe", "relaxed",
		"float s = 0, r = 1; for (uint i = 0; i < n; i++) { r *= x; if (a[i] > y) s += 1; } a[0] = s * r;",
		"mul flt add mul add mul"},
}

// unmoved are expressions that a rule has to leave alone whatever the fast-math flags.
var unmoved = []struct {
	rule *fastmath.Rule
	body string
}{
	{fastmath.Sums, "a[0] = x + y;"},
	{fastmath.Distributing, "a[0] = x * (y - z);"},
	{fastmath.Distributing, "a[0] = 3 * (y - z);"},
	{fastmath.Distributing, "a[0] = x * (y - 2);"},
	{fastmath.Sums, "float s = x + y; a[1] = s; a[0] = s + z;"},
	{fastmath.Cancelling, "int i = n; float before = float(i); i = int(n * n); a[0] = before + x - float(i);"},
	{fastmath.Signs,
		"a[0] = copysign(x * y, z); a[1] = (x * y) / z; a[2] = max(x + y, z); if (signbit(x)) a[3] = y * z;"},
	{fastmath.PartialSums, "float s = 0; for (uint i = 0; i < n; i++) { s += a[i]; a[i] = s; }"},
	{fastmath.PartialSums, "float s = 0; for (uint i = 0; i < n; i++) { s = a[i] - s; } a[0] = s;"},
	{fastmath.PartialSums, "float s = 0; for (uint i = 0; i < n; i++) { s += a[i]; if (x > 3) return; } a[0] = s;"},
}

func TestRewrite(t *testing.T) {
	for _, c := range rewritten {
		t.Run(c.rule.Name+"/"+c.body, func(t *testing.T) {
			if out, taken := everywhere(t, c.before, c.rule, c.body); taken > 0 {
				t.Errorf("%s math allows it:\n%s", c.before, out)
			}
			out, _ := everywhere(t, c.mode, c.rule, c.body)
			if got := operations(out); got != c.want {
				t.Errorf("got %q, want %q\n%s", got, c.want, out)
			}
		})
	}
	for _, c := range unmoved {
		t.Run(c.rule.Name+"/"+c.body, func(t *testing.T) {
			if out, taken := everywhere(t, "fast", c.rule, c.body); taken > 0 {
				t.Errorf("rewritten:\n%s", out)
			}
		})
	}
}

// everywhere applies a rule wherever it applies to a kernel, and counts.
func everywhere(t *testing.T, mode string, rule *fastmath.Rule, body string) (out *ir.Kernel, taken int) {
	t.Helper()
	v := ir.Values(irtest.Lower(t, `#include <metal_stdlib>
using namespace metal;
#pragma METAL fp math_mode(`+mode+`)
kernel void f(device float* a [[buffer(0)]], constant float& x [[buffer(1)]], constant float& y [[buffer(2)]], constant float& z [[buffer(3)]], constant uint& n [[buffer(4)]])
{
`+body+"\n}\n"))
	fastmath.Rewrite(v, []*fastmath.Rule{rule},
		fastmath.Chooser{Takes: func(*fastmath.Rule, *ir.Instr) (uint64, bool) { taken++; return 0, true }})
	if err := ir.Verify(v); err != nil {
		t.Fatalf("%v\n%s", err, v)
	}
	out = ir.Tidy(v)
	if err := ir.Verify(out); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return out, taken
}

// operations are those on floats.
func operations(k *ir.Kernel) string {
	var names []string
	for in := range ir.Instrs(k.Body...) {
		if !in.Op.Info().FastMath || k.Regs[in.Args[len(in.Args)-1]].Type == ir.I32 {
			continue
		}
		name := in.Op.String()
		if in.Op == ir.Math {
			name = in.Fn
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}
