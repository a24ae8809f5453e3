package lower_test

import (
	"slices"
	"strings"
	"testing"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/lower"
	"metalconform/metalrun/internal/syntax"
	"metalconform/metalrun/internal/types"
)

// said are programs with a product in a function f, which %s stand for, and what the compiler may do
// with that product; or the error, which has the line and column of what is not supported.
var said = []struct {
	mode    hir.Mode
	program string
	want    string
}{
	{hir.Safe, "%s", "contract-on"},
	{hir.Relaxed, "%s", "reassoc nsz arcp contract contract-on"},
	{hir.Fast, "%s", "reassoc nnan ninf nsz arcp contract contract-on"},
	{hir.Safe, "#pragma METAL fp math_mode(fast)\n%s", "reassoc nnan ninf nsz arcp contract contract-on"},
	{hir.Fast, "#pragma METAL fp math_mode(relaxed)\n%s", "reassoc nsz arcp contract contract-on"},
	{hir.Fast, "_Pragma(\"METAL fp math_mode(safe)\")\n%s", "contract-on"},
	{hir.Fast, "#pragma METAL fp math_mode(safe)\n#pragma METAL fp contract(off)\n%s", ""},
	{hir.Safe, "#pragma METAL fp contract(off)\n%s", ""},
	{hir.Safe, "#pragma METAL fp contract(fast)\n%s", "contract contract-on"},
	{hir.Safe, "#pragma STDC FP_CONTRACT OFF\n%s", ""},
	{hir.Fast, "#pragma STDC FP_CONTRACT ON\n%s", "reassoc nnan ninf nsz arcp contract-on"},
	{hir.Safe, "#pragma STDC FP_CONTRACT OFF\n#pragma STDC FP_CONTRACT DEFAULT\n%s", "contract-on"},
	{hir.Safe, "#pragma clang fp contract(fast) reassociate(on)\n%s", "reassoc contract contract-on"},
	{hir.Safe, "#pragma clang fp reciprocal(on) eval_method(source)\n%s", "arcp contract-on"},
	{hir.Relaxed, "#pragma clang fp reassociate(off) exceptions(ignore)\n%s", "nsz arcp contract contract-on"},
	{hir.Safe, "namespace apart {\n#pragma METAL fp math_mode(fast)\n}\n%s",
		"reassoc nnan ninf nsz arcp contract contract-on"},

	{hir.Fast, "[[clang::optnone]] %s", ""},
	{hir.Fast, "__attribute__((optnone)) %s", ""},
	{hir.Fast, "__attribute__((noinline)) %s", "reassoc nnan ninf nsz arcp contract contract-on"},
	{hir.Safe, "[[clang::optnone]] float f(float x, float y) {\n#pragma METAL fp math_mode(fast)\n" +
		"return x * y + x; }\n", ""},
	{hir.Safe, "struct S { float f(float x, float y); };\n#pragma METAL fp contract(off)\nfloat S::f(float x, float " +
		"y) { return x * y + x; }\nfloat f(float x, float y) { S s; return s.f(x, y); }\n", ""},
	{hir.Fast, "#pragma clang optimize off\n%s", ""},
	{hir.Fast, "#pragma clang optimize off\ntemplate <typename T> T f(T x, T y) {\n#pragma METAL fp math_mode(fast)\n" +
		"\treturn x * y + x; }\n", ""},
	{hir.Fast, "#pragma clang optimize off\n#pragma clang optimize on\n%s",
		"reassoc nnan ninf nsz arcp contract contract-on"},
	{hir.Fast, "#pragma clang optimize maybe\n%s", "1:9: got #pragma clang optimize maybe, want clang optimize on|off"},
	{hir.Fast, "void g() {\n#pragma clang optimize off\n}\n%s",
		"2:1: got #pragma clang optimize off in a function, want it outside functions"},

	// Compilers that warn of these and go on take every product for one of the mode.
	{hir.Fast, "#pragma GCC optimize(\"no-fast-math\")\n%s", "reassoc nnan ninf nsz arcp contract contract-on"},
	{hir.Fast, "#pragma fp_contract(off)\n%s", "reassoc nnan ninf nsz arcp contract contract-on"},
	{hir.Fast, "#pragma OPENCL FP_CONTRACT OFF\n%s", "reassoc nnan ninf nsz arcp contract contract-on"},
	{hir.Fast, "#pragma STDC FENV_ACCESS OFF\n%s", "reassoc nnan ninf nsz arcp contract contract-on"},
	{hir.Safe, "#pragma STDC FENV_ROUND FE_TONEAREST\n%s", "contract-on"},

	// Whether Apple's compiler obeys these is not published.
	{hir.Fast, "#pragma float_control(precise, on)\n%s",
		"1:9: #pragma float_control(precise, on) is not supported: clang ignores it on GPUs; write #pragma METAL fp " +
			"math_mode("},
	{hir.Safe, "\n#pragma float_control(push)\n%s", "2:9: #pragma float_control(push) is not supported"},
	{hir.Safe, "_Pragma(\"float_control(except, on)\")\n%s", "1:1: #pragma float_control(except, on) is not supported"},
	{hir.Safe, "#pragma STDC FENV_ACCESS ON\n%s", "1:9: #pragma STDC FENV_ACCESS ON is not supported"},
	{hir.Safe, "#pragma STDC FENV_ROUND FE_UPWARD\n%s", "1:9: #pragma STDC FENV_ROUND FE_UPWARD is not supported"},
	{hir.Safe, "#pragma clang attribute push(__attribute__((optnone)), apply_to = function)\n%s",
		"1:9: #pragma clang attribute push"},
	{hir.Safe, "#pragma METAL fp math_mode(precise)\n%s",
		"1:9: got #pragma METAL fp math_mode(precise), want METAL fp contract("},
	{hir.Safe, "#pragma METAL fp reassociate(on)\n%s", "1:9: got #pragma METAL fp reassociate(on), want METAL fp"},
	{hir.Safe, "#pragma clang fp eval_method(double)\n%s",
		"1:9: got #pragma clang fp eval_method(double), want clang fp"},
	{hir.Safe, "float g(float x) { x += 1;\n#pragma METAL fp contract(off)\nreturn x; }\n%s",
		"2:1: got #pragma METAL fp contract(off), want it at the start of a block or outside functions"},
}

// TestSourceSaysWhatIsAllowed has a line for each pragma and attribute of floating-point mathematics.
func TestSourceSaysWhatIsAllowed(t *testing.T) {
	for _, c := range said {
		t.Run(c.program, func(t *testing.T) {
			text := strings.ReplaceAll(c.program, "%s", "float f(float x, float y) { return x * y + x; }\n") +
				"kernel void k(device float* a [[buffer(0)]]) { a[0] = f(a[1], a[2]); }\n"
			if got := allowed(t, c.mode, text); got != c.want &&
				(!strings.Contains(c.want, ": ") || !strings.HasPrefix(got, c.want)) {
				t.Errorf("got %q, want %q\n%s", got, c.want, text)
			}
		})
	}
}

// allowed is what the compiler may do with the product of a program's kernel, or the first error.
func allowed(t *testing.T, mode hir.Mode, text string) string {
	t.Helper()
	file, errs := syntax.Parse("k.metal", map[string]string{"k.metal": text}, syntax.Config{Version: 320})
	var program *hir.Program
	if len(errs) == 0 {
		program, errs = types.Check(file, types.Config{Version: 320, Mode: mode})
	}
	if len(errs) > 0 {
		return strings.TrimPrefix(errs[0].Error(), "k.metal:")
	}
	k, err := lower.Lower(program.Kernels[0])
	if err != nil {
		t.Fatal(err)
	}
	all := slices.Collect(ir.Instrs(k.Body...))
	i := slices.IndexFunc(all, func(in *ir.Instr) bool { return in.Op == ir.Mul && k.Regs[in.Dst[0]].Type == ir.F32 })
	if i < 0 {
		t.Fatalf("no product\n%s", k)
	}
	allow := all[i].Allow
	if all[i].Group != 0 { // within an expression
		allow |= hir.ContractOn
	}
	return allow.String()
}
