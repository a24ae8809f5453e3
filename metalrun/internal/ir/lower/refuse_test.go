package lower_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/ir/lower"
	"metalconform/metalrun/internal/syntax"
)

const copySource = "kernel void f(device int *out, device const int *in) {\n  out[0] = in[0];\n}\n"

// What Lower refuses, it refuses at a position. Most of it the checker refuses
// first: then the tree is changed behind its back.
var refusals = []struct {
	name, source string
	change       func(*hir.Func)
	want         string
}{
	{"unknown input", copySource,
		func(fn *hir.Func) { fn.Kernel.Args[1] = hir.KernelArg{Kind: hir.InputArg, Input: "stage_in"} },
		"refused.metal:1:32: input [[stage_in]] is not supported"},
	{"no entry point", copySource, func(fn *hir.Func) { fn.Kernel = nil },
		"refused.metal:1:1: f is not an entry point"},
	{"value too large", "struct Big { int x[5000]; };\nBig make() { Big b; b.x[0] = 1; return b; }\n" +
		"kernel void f(device int *out) { out[0] = make().x[0]; }\n",
		func(*hir.Func) {},
		"refused.metal:2:40: a value of type Big has 5000 scalars: at most 4096 are supported outside memory, " +
			"whatever the flags: refer to it where it lies"},
}

func TestLowerRefuses(t *testing.T) {
	for _, r := range refusals {
		t.Run(r.name, func(t *testing.T) {
			fn := check(t, "refused.metal", r.source).Kernels[0]
			r.change(fn)
			_, err := lower.Lower(fn)
			var e *syntax.Error
			if !errors.As(err, &e) || err.Error() != r.want {
				t.Errorf("got  %v\nwant %s", err, r.want)
			}
			if again := lower.NewChecker().Check(fn); again == nil || again.Error() != r.want {
				t.Errorf("a checker: got  %v\nwant %s", again, r.want)
			}
		})
	}
}

// A checker looks at a function once, counts its instructions each time, and looks again at one that
// calls others by pointers: which they are may depend on its arguments.
func TestChecker(t *testing.T) {
	kernels := check(t, "again.metal", `
struct Big { int x[5000]; };
int fine(int x) { return x; }
int faulty(int x) { Big b; b.x[0] = x; Big c = x > 0 ? b : Big(b); return c.x[0]; }
int call(int (*f)(int), int x) { return f(x); }
kernel void first(device int *out) { out[0] = call(fine, 1) + call(fine, 2); }
kernel void second(device int *out) { out[0] = call(faulty, 1); }
float4x4 f1(float4x4 m) { return m * m * m * m; }
float4x4 f2(float4x4 m) { return f1(m) + f1(m) + f1(m) + f1(m) + f1(m) + f1(m) + f1(m) + f1(m); }
float4x4 f3(float4x4 m) { return f2(m) + f2(m) + f2(m) + f2(m) + f2(m) + f2(m) + f2(m) + f2(m); }
float4x4 f4(float4x4 m) { return f3(m) + f3(m) + f3(m) + f3(m) + f3(m) + f3(m) + f3(m) + f3(m); }
float4x4 f5(float4x4 m) { return f4(m) + f4(m) + f4(m) + f4(m) + f4(m) + f4(m) + f4(m) + f4(m); }
kernel void large(device float4x4 *out) { out[0] = f5(out[1]); }
`).Kernels
	checker := lower.NewChecker()
	for i, want := range []string{"", "has 5000 scalars",
		"kernel large becomes more than 262144 instructions here, which -compile-budget can raise"} {
		err := checker.Check(kernels[i])
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %v, want %q", kernels[i].Name, err, want)
		}
	}
}

// TestLowerReportsItsOwnFaults: a tree that no checker makes is a panic that says where.
func TestLowerReportsItsOwnFaults(t *testing.T) {
	fn := check(t, "broken.metal", copySource).Kernels[0]
	fn.Kernel.Args = nil
	defer func() {
		if got := fmt.Sprint(recover()); !strings.HasPrefix(got, "lowering f") ||
			!strings.Contains(got, "at broken.metal:1:15: ") {
			t.Errorf("got %v", got)
		}
	}()
	_, err := lower.Lower(fn)
	t.Errorf("got %v, want a panic", err)
}
