package suite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/oracles"
	"metalconform/suite/coverage"
)

// doubled is a kernel that doubles n numbers, at three sizes.
func doubled() Kernel {
	return Kernel{
		Name: "doubled",
		Axes: []Axis{wide},
		Args: Args{In("x", F32, wide), Out("y", F32, wide), Const("n", U32, wide)},
		Grid: Flat(wide, 32),
		Check: func(s Shape) error {
			if s[wide] <= 0 || s[wide] == 100 {
				return fmt.Errorf("n is %d", s[wide])
			}
			return nil
		},
		Sweep: Sweep{Shapes: []Shape{{wide: 33}, {wide: 64}, {wide: 5}}},
		Oracle: func(p *Problem) Answers {
			y := oracles.Answer{Exact: true}
			for _, x := range p.Values("x") {
				y.Want = append(y.Want, 2*x)
			}
			return Answers{"y": y}
		},
	}
}

// coveredBy is the coverage of cases of the doubled kernel, of which some may fail.
func coveredBy(t *testing.T, texts map[string]string, parallel int, sizes []int64) *coverage.Coverage {
	t.Helper()
	shaders, err := NewShaders(texts, func(src metalrun.Source, o metalrun.CompileOptions) (*metalrun.Program, error) {
		o.LanguageVersion = 400 // which has lambda expressions
		return metalrun.Analyse(src, o)
	})
	if err != nil {
		t.Fatal(err)
	}
	cases := WithSizes(Cases([]Family{{Kernels: []Kernel{doubled()}}}, Quick), map[string][]int64{"doubled": sizes})
	c := coverage.New(sim.New(sim.Semantics{Cover: true}))
	opts := Options{Shaders: shaders, Observers: Observers{Coverage: c}, Parallel: parallel}
	err = Run(t.Context(), sim.New(sim.Semantics{Check: true}), opts, cases, func(r Result) {
		if r.Status != Pass {
			t.Errorf("%s: %s", r.Case, r.Text())
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// changes are the lines of a text that end with "//+", and with "//! REASON", for which REASON is expected.
func changes(text string) (lines []int, want map[int]coverage.Reason) {
	reasons := map[string]coverage.Reason{"removed": coverage.Removed, "macro": coverage.Macro, "cases": coverage.Cases,
		"function": coverage.Function, "file": coverage.File, "compiler": coverage.Compiler}
	want = map[int]coverage.Reason{}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSuffix(strings.TrimSpace(line), `\`)
		if _, reason, ok := strings.Cut(line, "//! "); ok {
			lines, want[i+1] = append(lines, i+1), reasons[strings.TrimSpace(reason)]
		} else if strings.HasSuffix(strings.TrimSpace(line), "//+") {
			lines = append(lines, i+1)
		}
	}
	return lines, want
}

// head is what the kernels of the tests begin with.
const head = "#include <metal_stdlib>\nusing namespace metal;\n"

// signature is that of the doubled kernel.
const signature = "kernel void doubled(device const float *x, device float *y, constant uint &n,\n" +
	"\tuint i [[thread_position_in_grid]]) {\n"

// TestCoverage changes lines of a kernel: those with "//!" are executed by nothing, those with "//+" are honest.
func TestCoverage(t *testing.T) {
	plain := "\tif (i < n) y[i] = 2 * x[i];\n}\n"
	for _, test := range []struct{ name, text string }{
		// What nothing executes.
		{"another compiler", signature + "#ifndef __APPLE__\n\ty[i] = 1; //! removed\n#endif\n" + plain},
		{"a later language", signature + "#if __METAL_VERSION__ > 400\n\ty[i] = 1; //! removed\n#endif\n" + plain},
		{"if 0", signature + "#if 0 //+\n\tfloat a = 1; //! removed\n\ty[i] = a; //! removed\n#else\n" + plain +
			"#endif //+\n"},
		{"a function constant without a value", "constant bool fast [[function_constant(0)]]; //+\n" +
			"constant int width [[function_constant(1)]]; //+\n" + signature +
			"\tif (is_function_constant_defined(fast) && fast) { //+\n\t\ty[i] = 1; //! cases\n\t} //+\n" +
			"\tif (width == 64) //+\n\t\ty[i] = 3; //! cases\n" + plain},
		{"one size", signature + "\tif (n == 777) { //+\n\t\ty[i] = 1; //! cases\n\t\treturn; //! cases\n\t} //+\n" +
			plain},
		{"one size, in one line", signature + "\tif (n == 777) { y[i] = 1; return; } //! cases\n" + plain},
		{"one size, an else", signature + "\tif (n != 777) { //+\n\t\tif (i < n) y[i] = 2 * x[i]; //+\n" +
			"\t} else { //+\n" +
			"\t\ty[i] = 1; //! cases\n\t}\n}\n"},
		{"one size, a helper", "float other(float v) { //+\n\tv += 1; //! cases\n\treturn v; //! cases\n}\n" +
			signature +
			"\tif (n == 777) y[i] = other(1); //! cases\n" + plain},
		{"one size, a guard", signature + "\tif (n == 777) return; //! cases\n" + plain},
		{"one size, a loop", signature + "\tfor (uint j = 777; j < n; j++) { //+\n\t\ty[i] += 1; //! cases\n\t}\n" +
			plain},
		{"one size, several lines", signature + "\tif (n == 777) {\n\t\ty[i] = //! cases\n\t\t\tx[i] + //! cases\n" +
			"\t\t\t1; //! cases\n\t}\n" + plain},
		{"a case", signature + "\tswitch (n) { //+\n\tcase 777: //+\n\t\ty[i] = 1; //! cases\n\t\treturn; //! cases\n" +
			"\tdefault: //+\n\t\tbreak; //+\n\t}\n" + plain},
		{"a lambda", "template <typename F> void each(F f) { f(); }\n" + signature +
			"\tauto f = [&]() { //+\n\t\ty[i] = 1; //! cases\n\t};\n\tif (n == 777) each(f); //! cases\n" + plain},
		{"an instance", "template <int N> float scale(float v) { //+\n\tif constexpr (N == 3) { //+\n" +
			"\t\treturn v; //! cases\n\t} //+\n\treturn N * v; //+\n}\n" + signature +
			"\tif (i < n) y[i] = scale<2>(x[i]); //+\n}\n"},
		{"a function that nobody calls", "float unused(float v) { //+\n\tv *= 2; //! function\n" +
			"\treturn v; //! function\n" +
			"}\n" + signature + plain},
		{"a kernel that nobody judges", signature + plain +
			"kernel void other(device float *y, uint i [[thread_position_in_grid]]) { //+\n\ty[i] = 1; //! function\n" +
			"}\n"},
		{"an arm", signature + "\tif (i < n) y[i] = n == 777 ? 0.0f : 2 * x[i]; //! cases\n}\n"},
		{"an arm on a line", signature + "\tif (i < n) y[i] = n == 777 //+\n\t\t? x[i] + //! cases\n\t\t1 //! cases\n" +
			"\t\t: 2 * x[i]; //+\n}\n"},
		{"an arm outside of the grid", signature + "\tfloat v = i < n ? x[i] : 0.0f; //+\n" +
			"\tif (i < n) y[i] = 2 * v; //+\n}\n"},
		{"an arm of a constant", signature + "\tif (i < n) y[i] = sizeof(float) == 4 //+\n\t\t? 2 * x[i] //+\n" +
			"\t\t: 0; //! cases\n}\n"},
		{"an arm of a constant expression", "constexpr int pick(int k) { return k > 1 ? k : 9; } //! cases\n" +
			signature +
			"\tif (i < n) y[i] = pick(2) * x[i]; //+\n}\n"},
		{"an effect on the right", signature + "\tbool no = n == 777 && (y[i] = 1) > 0; //! cases\n" +
			"\tif (!no && i < n) y[i] = 2 * x[i]; //+\n}\n"},
		{"a guard by a number's name", "constant uint most = 9000000;\n" + signature +
			"\tif (n > most) return; //! cases\n" + plain},
		{"a guard by an argument of a template", "template <uint N> " +
			"void store(device float *y, uint n, uint i, float v) {\n" +
			"\tif (n > N) return; //! cases\n\ty[i] = v; //+\n}\n" + signature +
			"\tif (i < n) store<9000000>(y, n, i, 2 * x[i]); //+\n}\n"},
		{"a version as a number", signature +
			"\tif (i < n) y[i] = 2 * x[i] * (__METAL_VERSION__ < 900); //! compiler\n}\n"},
		{"a version as a macro", "#define NOW __METAL_VERSION__ //! compiler\n" + signature +
			"\tif (i < n) y[i] = 2 * x[i] * (NOW < 900); //+\n}\n"},
		{"a version that is asked", "#define NOW __METAL_VERSION__ //+\n#if NOW < 200\n#error old\n#endif\n" +
			"static_assert(__METAL_VERSION__ >= 300, \"\"); //+\n" + signature + plain},
		{"a macro that nobody uses", "#define TWICE(v) (2 * (v)) //! macro\n" + signature + plain},
		{"a macro for one size", "#define TRAP(v) if (n == 777) { v = 1; return; } //! cases\n" + signature +
			"\tTRAP(y[i]) //! cases\n" + plain},
		{"a macro in a branch", "#define ONE 1 //! cases\n" + signature +
			"\tif (n == 777) { //+\n\t\ty[i] = ONE; //! cases\n\t}\n" + plain},
		{"a macro that drops its arguments", "#define DROP(...) //+\n" + signature + "\tDROP(y[i] = 1) //! removed\n" +
			plain},
		{"a macro of another variant", "#ifdef OTHER\n#define N 3 //! removed\n#else\n#define N 2 //+\n#endif\n" +
			signature + "\tif (i < n) y[i] = N * x[i]; //+\n}\n"},

		// What is honest.
		{"a comment", "/* a //+\n b //+\n */ //+\n" + signature + "\t// c //+\n" + plain},
		{"parameters", "kernel void doubled(device const float *x, //+\n\tdevice float *y, //+\n" +
			"\tconstant uint &n, //+\n" +
			"\tuint i [[thread_position_in_grid]]) //+\n{ //+\n" + plain},
		{"a guard of the grid", signature + "\tif (i >= n) return; //+\n\ty[i] = 2 * x[i]; //+\n}\n"},
		{"a guard that no grid needs", signature + "\tif (i < n) { //+\n\t\tif (i >= n) { //+\n" +
			"\t\t\treturn; //+\n\t\t} //+\n\t\ty[i] = 2 * x[i]; //+\n\t} //+\n}\n"},
		{"a guard of a product", signature + "\tif (i < n) {\n\t\tif (long(i) >= long(n) * long(n)) return; //+\n" +
			"\t\ty[i] = 2 * x[i]; //+\n\t} //+\n}\n"},
		{"no guard of the grid", signature + "\tif (i < n) {\n\t\tif (i >= n + 777) return; //! cases\n" +
			"\t\ty[i] = 2 * x[i]; //+\n\t} //+\n}\n"},
		{"both arms", signature + "\tfloat v = 0; //+\n\tif (i < n) { //+\n\t\tv = x[i]; //+\n\t} //+\n\telse //+\n" +
			"\t\tv = 1; //+\n\tif (i < n) y[i] = 2 * v; //+\n}\n"},
		{"types and constants", "using real = float; //+\ntypedef float real2; //+\nstruct pair { //+\n" +
			"\tfloat a; //+\n" +
			"\tfloat b; //+\n}; //+\nenum class kind { //+\n\tone, //+\n\ttwo //+\n}; //+\n" +
			"constant float table[] = { //+\n\t1, //+\n\t2, //+\n}; //+\nnamespace inner { //+\n" +
			"constexpr constant int two = 2; //+\n} //+\nstatic_assert(sizeof(pair) == 8, \"pair\"); //+\n" +
			signature +
			"\tusing local = real; //+\n\tconstexpr int k = inner::two; //+\n\tconst pair p = {table[0], 2}; //+\n" +
			"\tstatic_assert(k == 2, \"k\"); //+\n\tif (i < n) y[i] = local(k) * p.a * x[i]; //+\n}\n"},
		{"a dead store", signature + "\tfloat unused = 1; //+\n\tunused = 2; //+\n\t(void)unused; //+\n" + plain},
		{"a helper", "static inline float twice(float v) { //+\n\treturn 2 * v; //+\n} //+\n" + signature +
			"\tif (i < n) y[i] = twice(x[i]); //+\n}\n"},
		{"a prototype", "float twice(float v); //+\n" + signature + "\tif (i < n) y[i] = twice(x[i]); //+\n}\n" +
			"float twice(float v) { return 2 * v; } //+\n"},
		{"a template", "template <typename T, //+\n\tint N> //+\nT scale(T v) { //+\n\treturn N * v; //+\n}\n" +
			signature +
			"\tif (i < n) y[i] = scale<float, 2>(x[i]); //+\n}\n"},
		{"a kernel template", "template <typename T> //+\n" + strings.ReplaceAll(signature, "doubled", "any") +
			"\tif (i < n) y[i] = T(2) * x[i]; //+\n}\n" +
			"template [[host_name(\"doubled\")]] kernel void any<float>(device const float *, //+\n" +
			"\tdevice float *, constant uint &, uint); //+\n"},
		{"a functor", "struct twice { //+\n\tfloat by = 2; //+\n" +
			"\tfloat operator()(float v) { //+\n\t\treturn by * v; //+\n\t} //+\n}; //+\n" +
			signature + "\tif (i < n) y[i] = twice()(x[i]); //+\n}\n"},
		{"a constexpr function", "constexpr int two(int v) { //+\n\tint w = v; //+\n\tw += 1; //+\n\treturn w; //+\n" +
			"}\n" +
			"constant int factor = two(1); //+\n" + signature + "\tif (i < n) y[i] = factor * x[i]; //+\n}\n"},
		{"macros", "#ifndef WIDTH //+\n#define WIDTH 2 //+\n#endif //+\n#define KEEP //+\n" +
			"#define STORE(to, v) \\\n\tif (i < n) { \\\n\t\tto = v; \\\n\t}\n" + signature +
			"\tSTORE(y[i], //+\n\t\tWIDTH * x[i]) //+\n\tKEEP //+\n}\n"},
		{"a macro that a condition asks for", "#define FAST 1 //+\n#define SAFE //+\n" + signature +
			"#if FAST && defined(SAFE) //+\n" + plain + "#endif\n"},
		{"pragmas", signature + "#pragma METAL fp contract(off) //+\n#pragma unroll //+\n" +
			"\tfor (int j = 0; j < 2; j++) //+\n\t\tif (i < n) //+\n\t\t\ty[i] = 2 * x[i]; //+\n}\n"},
		{"a do", signature + "\tuint j = 0; //+\n\tdo { //+\n\t\tj++; //+\n\t\tif (j > 1000) break; //! cases\n" +
			"\t} while (j < n); //+\n" + plain},
		{"a switch", signature + "\tfloat f = 0; //+\n\tswitch (n) { //+\n\tcase 33: //+\n\tcase 64: //+\n" +
			"\t\tf = 2; //+\n" +
			"\t\tbreak; //+\n\tdefault: //+\n\t\tf = 2; //+\n\t} //+\n\tif (i < n) y[i] = f * x[i]; //+\n}\n"},
		{"a statement of several lines", signature + "\tif (i < n //+\n\t\t&& n > 0) //+\n\t\ty[i] = //+\n" +
			"\t\t\tx[i] + //+\n\t\t\tx[i]; //+\n}\n"},
		{"barriers and simdgroups", signature + "\tthreadgroup float shared[32]; //+\n" +
			"\tshared[i % 32] = i < n ? x[i] : 0; //+\n\tthreadgroup_barrier(mem_flags::mem_threadgroup); //+\n" +
			"\tfloat v = shared[i % 32]; //+\n\tv = v + simd_shuffle(v, 0) * 0; //+\n" +
			"\tif (i < n) y[i] = 2 * shared[i % 32];\n" +
			"\t(void)v;\n}\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := head + test.text
			c := coveredBy(t, map[string]string{"k.metal": text}, 0, nil)
			lines, want := changes(text)
			got := map[int]coverage.Reason{}
			for _, l := range c.Changed("k.metal", lines) {
				for n := l.Line; n <= l.Last; n++ {
					got[n] = l.Why
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s%s", diff, numbered(text))
			}
		})
	}
}

// numbered is a text with the numbers of its lines.
func numbered(text string) string {
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		fmt.Fprintf(&b, "%3d %s\n", i+1, line)
	}
	return b.String()
}

// TestCoverageOfFiles changes lines of headers, of which one is included and one is not.
func TestCoverageOfFiles(t *testing.T) {
	texts := map[string]string{
		"k.metal": head + "#include \"in.h\"\n" + signature + "\tif (i < n) y[i] = twice(x[i]);\n}\n",
		"in.h": "#pragma once\nfloat twice(float v) {\n\tif (v == 777)\n\t\treturn 1;\n\treturn 2 * v;\n}\n" +
			"float thrice(float v) {\n\tv *= 2;\n\treturn v;\n}\n",
		"out.h": "float other(float v) { return v; }\n",
	}
	for _, parallel := range []int{1, 3} {
		c := coveredBy(t, texts, parallel, nil)
		var got []string
		for _, file := range []string{"in.h", "k.metal", "out.h"} {
			for _, l := range c.Changed(file, []int{9, 8, 4, 1, 2, 3, 5, 6}) {
				got = append(got, fmt.Sprintf("%s:%d-%d %s", l.File, l.Line, l.Last, l.Why))
			}
		}
		want := []string{"in.h:4-4 " + string(coverage.Cases), "in.h:8-9 " + string(coverage.Function),
			"out.h:1-6 " + string(coverage.File), "out.h:8-9 " + string(coverage.File)}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d at once, -want +got:\n%s", parallel, diff)
		}
	}
}

// TestSizes tries the sizes that changed lines write: the branch for one of them is executed then.
func TestSizes(t *testing.T) {
	text := head + "#define LARGE 0x309u\n" + signature + "\tif (n == LARGE) {\n\t\tif (i < n) y[i] = x[i] + x[i];\n" +
		"\t\treturn;\n\t}\n\tif (n > 1'000 && i == 0)\n\t\ty[0] = 2 * x[0];\n\t" +
		"if (i < n) y[i] = 2.0f * x[i] * 1e0f;\n}\n"
	all := make([]int, strings.Count(text, "\n"))
	for i := range all {
		all[i] = i + 1
	}
	sizes := Literals(text, all)
	if diff := cmp.Diff([]int64{2, 777, 1000}, sizes); diff != "" {
		t.Errorf("sizes, -want +got:\n%s", diff)
	}
	texts := map[string]string{"k.metal": text}
	if len(coveredBy(t, texts, 0, nil).Changed("k.metal", all)) == 0 {
		t.Error("without sizes all is executed")
	}
	if left := coveredBy(t, texts, 0, sizes).Changed("k.metal", all); len(left) > 0 {
		t.Errorf("with sizes this is not executed: %v", left)
	}
}

// TestWithSizes adds points of a sweep.
func TestWithSizes(t *testing.T) {
	cases := Cases([]Family{{Kernels: []Kernel{doubled(), product()}}}, Quick)
	got := WithSizes(cases, map[string][]int64{"doubled": {99, 64, 64, 1 << 40, 0}})
	var names []string
	for _, c := range got {
		if c.Kernel.Name == "doubled" {
			names = append(names, fmt.Sprintf("%s %d", c.Name, c.Shape[wide]))
		}
	}
	want := []string{"doubled/n=33/input=normal 33", "doubled/n=64/input=normal 64", "doubled/n=5/input=normal 5",
		"doubled/n=99/input=normal 99", "doubled/n=65/input=normal 65", "doubled/n=101/input=normal 101"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if len(got) != len(cases)+3 {
		t.Errorf("%d cases became %d", len(cases), len(got))
	}
	many := make([]int64, 100)
	for i := range many {
		many[i] = int64(200 + 2*i)
	}
	if n := len(WithSizes(cases, map[string][]int64{"doubled": many})) - len(cases); n != MostSizes {
		t.Errorf("%d cases for 100 sizes", n)
	}
}
