package types

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// outcome is what a check says of a file. Functions that several entry points call may be there more than once in a
// program, and are printed with each.
type outcome struct {
	Faults, Warnings, Entries, Constants []string
}

func outcomeOf(p *hir.Program, errs syntax.ErrorList) (o outcome) {
	for _, e := range errs {
		o.Faults = append(o.Faults, e.Error())
	}
	for _, e := range p.Warnings {
		o.Warnings = append(o.Warnings, e.Error())
	}
	for _, k := range p.Kernels {
		o.Entries = append(o.Entries, hir.Print(&hir.Program{Kernels: []*hir.Func{k}}))
	}
	for _, c := range p.FunctionConstants {
		o.Constants = append(o.Constants, c.Name)
	}
	return o
}

// together checks a program with one checker and with several; joined says whether these came to an end.
func together(t *testing.T, path, text string) (joined bool) {
	t.Helper()
	cfg := Config{Version: 400} // endless evaluations soon end
	cfg.Budget.Limits[syntax.ConstantSteps] = 1 << 12
	f, errs := syntax.Parse(path, map[string]string{path: text}, syntax.Config{Version: cfg.Version})
	if len(errs) > 0 {
		return false // there are tests of what is said of it
	}
	want := outcomeOf(Check(f, cfg))
	for n := 2; n <= 4; n++ {
		c := newWorkQueue(f, cfg).check(f, cfg, n)
		if c == nil {
			continue
		}
		joined = true
		if diff := cmp.Diff(want, outcomeOf(c.checked(f))); diff != "" {
			t.Errorf("%s: %d checkers (-one +several):\n%s", path, n, diff)
		}
	}
	return joined
}

func TestProgramsTogether(t *testing.T) {
	files, joined := 0, 0
	for _, pattern := range []string{"testdata/ok/*/*.metal", "testdata/good/*.metal", "../../../shaders/*.metal",
		"../../sim/testdata/run/*/*.metal"} {
		for path, text := range testFiles(t, pattern) {
			if files++; together(t, path, text) {
				joined++
			}
		}
	}
	if joined < files*3/4 {
		t.Errorf("several checkers come to an end in %d of %d programs", joined, files)
	}
}

func TestFaultyProgramsTogether(t *testing.T) {
	for path, text := range testFiles(t, "testdata/bad/*.metal") {
		if filepath.Base(path) != "endings.metal" && together(t, path, text) {
			t.Errorf("several checkers come to an end with the faults of %s", path)
		}
	}
}

// What entry points have to do with each other is decided by one checker, or joined as one has it.
func TestTogether(t *testing.T) {
	const several = `
		template <typename T, int N> kernel void fill(device T *out) {
			if constexpr (N > 1) { T once = N; }
			T unused = N;
			for (int i = 0; i < N; i++) out[i] = i;
		}
		template [[host_name("a")]] kernel void fill<float, 1>(device float *);
		template [[host_name("b")]] kernel void fill<float, 2>(device float *);
		int after() { int plain; }
		template [[host_name("c")]] [[kernel]] void fill<int, 1>(device int *);
		template [[host_name("d")]] void fill<int, 3>(device int *);
		kernel void last(device int *out) { out[0] = after(); }`
	cases := []struct {
		name, text string
		joined     bool
	}{
		{"instances", several, true},
		{"host name of two", several + `template [[host_name("a")]] kernel void fill<uint, 2>(device uint *);`, false},
		{"fault of an instance",
			several + `template [[host_name("e")]] kernel void fill<half, 99999999999>(device half *);`, false},
		{"fault of a declaration", several + `int wrong = undeclared;`, false},
		{"function without a body",
			`int missing(); kernel void a(device int *p) { *p = 1; } kernel void b(device int *p) { *p = missing(); }`,
			false},
		{"addresses of functions", `
			int one() { return 1; } int two() { return 2; }
			kernel void a(device int *p) { int (*f)() = one; *p = f(); }
			kernel void b(device int *p) { int (*f)() = two; *p = f(); }`, false},
		{"recursion", `
			int down(int n) { return n == 0 ? 0 : 1 + down(n - 1) + down(n - 1); }
			kernel void a(device int *p) { *p = 1; } kernel void b(device int *p) { *p = down(3); }`, false},
		{"two of one overload set",
			`kernel void a(device int *p) { *p = 1; } kernel void a(device float *p) { *p = 1; }`, false},
		{"constants", `
			constant int first [[function_constant(3)]]; constant int table[] = {1, 2};
			constant int second [[function_constant(1)]];
			kernel void a(device int *p) { *p = first; } kernel void b(device int *p) { *p = second + table[1]; }`,
			true},
		{"a function beside the library's", `
			struct pair { float a, b; }; pair max(pair x, pair y) { return x.a > y.a ? x : y; }
			kernel void a(device float *p) { *p = max(p[0], p[1]); } kernel void b(device int *p) { *p = max(p[0], 3);
			}`, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := together(t, "several.metal", "#include <metal_stdlib>\nusing namespace metal;\n"+c.text); got !=
				c.joined {
				t.Errorf("several checkers come to an end: %v, want %v", got, c.joined)
			}
		})
	}
}

// A set of workers gives up before it takes more than the budget of one checker, and one that is enough for one may not
// be for all.
func TestBudgetTogether(t *testing.T) {
	text := "template <int N> kernel void fill(device int *out) { out[0] = N; }\n"
	for i := range 4 * entriesPerChecker {
		text += fmt.Sprintf("template [[host_name(\"k%d\")]] kernel void fill<%d>(device int *);\n", i, i)
	}
	f, errs := syntax.Parse("many.metal", map[string]string{"many.metal": text}, syntax.Config{Version: 310})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	for all := 1 << 10; all <= 1<<20; all *= 2 {
		cfg := Config{Budget: syntax.Budget{All: all}}
		want := outcomeOf(Check(f, cfg))
		cfg.Checkers = 4
		if diff := cmp.Diff(want, outcomeOf(Check(f, cfg))); diff != "" {
			t.Errorf("budget %d (-one +several):\n%s", all, diff)
		}
	}
	if _, errs := Check(f, Config{Checkers: 4}); len(errs) > 0 {
		t.Error(errs)
	}
}
