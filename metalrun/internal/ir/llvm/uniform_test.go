package llvm

import (
	"fmt"
	"testing"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// grouped is an expression of products and choices with all its brackets, factors in order of their text.
func grouped(f *function, r ir.Reg) string {
	if x, ok := f.value(r); ok {
		return number(x).String()
	}
	in := f.def[r]
	switch {
	case in.Op == ir.Load && in.Mem.Space == syntax.Constant:
		return fmt.Sprintf("u%d", in.Mem.Disp/4)
	case in.Op == ir.Load:
		return fmt.Sprintf("p%d", in.Mem.Disp/4)
	case in.Op == ir.Mul:
		a, b := grouped(f, in.Args[0]), grouped(f, in.Args[1])
		return "(" + min(a, b) + " * " + max(a, b) + ")"
	case in.Op == ir.Select:
		return "<" + grouped(f, in.Args[1]) + ", " + grouped(f, in.Args[2]) + ">"
	}
	return in.Op.String()
}

// TestUniforms has a product for each rule, and some that stay as they are.
func TestUniforms(t *testing.T) {
	const loads = "float c = p[0], w = p[1]; bool yes = p[9] > 0.0f;\n"
	tests := []struct{ name, body, want string }{
		{"uniform factors last, by their product", "q[0] = uniform[0] * c * uniform[1] * w;",
			"((p0 * p1) * (u0 * u1))"},
		{"but literals stay", "q[0] = uniform[0] * c * w * 3.0f;", "(((3 * p0) * p1) * u0)"},
		{"what constants determine is uniform", "float x = uniform[1] + uniform[2]; q[0] = x * c * w;",
			"((p0 * p1) * add)"},
		{"a constant that depends on what a thread reads is not",
			"float x = uniform[uint(p[8])]; q[0] = x * p[2] * p[3];", "((p2 * u0) * p3)"},
		{"out of what is else zero", "float x = c * w * uniform[0]; q[0] = (yes ? x : 0.0f) * p[2];",
			"((<(p0 * p1), 0> * p2) * u0)"},
		{"whichever comes first", "float x = c * w * uniform[0]; q[0] = (yes ? 0.0f : x) * p[2];",
			"((<0, (p0 * p1)> * p2) * u0)"},
		{"a single factor, too", "float x = c * uniform[0]; q[0] = yes ? x : 0.0f;", "(<p0, 0> * u0)"},
		{"not out of what is else something else", "float x = c * w * uniform[0]; q[0] = yes ? x : w;",
			"<((p0 * p1) * u0), p1>"},
	}
	for _, test := range tests {
		f := newFunction(ir.Values(lowered(t, loads+test.body)))
		f.all()
		for _, in := range f.order() {
			if in.Op != ir.Store {
				continue
			}
			if got := grouped(f, in.Args[0]); got != test.want {
				t.Errorf("%s: %s\n got %s\nwant %s", test.name, test.body, got, test.want)
			}
		}
		if err := ir.Verify(Optimise(lowered(t, loads+test.body))); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
