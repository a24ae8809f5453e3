package llvm

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/lower"
	"metalconform/metalrun/internal/syntax"
	"metalconform/metalrun/internal/types"
)

// signed is an expression as text, without its sign.
type signed struct {
	minus bool
	text  string
}

// combined is the text of an operation, the same whatever the order of commutative operands and
// wherever signs stand.
func combined(op ir.Op, a, b signed) signed {
	switch op {
	case ir.Add:
		if a.text > b.text {
			a, b = b, a
		}
		if a.minus == b.minus {
			return signed{a.minus, "(" + a.text + " + " + b.text + ")"}
		}
		return signed{a.minus, "(" + a.text + " - " + b.text + ")"}
	case ir.Mul:
		if a.text > b.text {
			a, b = b, a
		}
		return signed{a.minus != b.minus, a.text + "*" + b.text}
	}
	return signed{a.minus != b.minus, a.text + "/(" + b.text + ")"}
}

func number(x float64) signed {
	return signed{math.Signbit(x), strconv.FormatFloat(math.Abs(x), 'g', -1, 64)}
}

func (s signed) String() string {
	if s.minus {
		return "-" + s.text
	}
	return s.text
}

// lowered is a kernel of floats p, q and constants uniform with this body, in fast math.
func lowered(t *testing.T, body string) *ir.Kernel {
	t.Helper()
	text := "#include <metal_stdlib>\nusing namespace metal;\nkernel void k(device const float *p [[buffer(0)]], " +
		"device float *q [[buffer(1)]], constant float *uniform [[buffer(2)]]) {\n" + body + "}\n"
	file, errs := syntax.Parse("k.metal", map[string]string{"k.metal": text}, syntax.Config{Version: 310})
	if len(errs) > 0 {
		t.Fatal(errs, text)
	}
	program, errs := types.Check(file, types.Config{Version: 310, Mode: hir.Fast, FastFunctions: true})
	if len(errs) > 0 {
		t.Fatal(errs, text)
	}
	k, err := lower.Lower(program.Kernels[0])
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// stored are the expressions that a kernel stores.
func stored(f *function) []string {
	var list []string
	var expression func(r ir.Reg) signed
	expression = func(r ir.Reg) signed {
		if x, ok := f.value(r); ok {
			return number(x)
		}
		in := f.def[r]
		switch in.Op {
		case ir.Load:
			return signed{false, fmt.Sprintf("p%d", in.Mem.Disp/4)}
		case ir.Neg:
			e := expression(in.Args[0])
			return signed{!e.minus, e.text}
		case ir.Sub:
			e := expression(in.Args[1])
			return combined(ir.Add, expression(in.Args[0]), signed{!e.minus, e.text})
		case ir.Add, ir.Mul, ir.Div:
			return combined(in.Op, expression(in.Args[0]), expression(in.Args[1]))
		case ir.FMA:
			product := combined(ir.Mul, expression(in.Args[0]), expression(in.Args[1]))
			return signed{false, "fma(" + product.String() + ", " + expression(in.Args[2]).String() + ")"}
		}
		return signed{false, in.Fn + "(" + expression(in.Args[0]).String() + ")"}
	}
	for _, in := range f.order() {
		if in.Op == ir.Store {
			list = append(list, expression(in.Args[0]).String())
		}
	}
	return list
}

// TestOptimise has, for each rule, a kernel on which the alternatives differ.
func TestOptimise(t *testing.T) {
	const loads = "float c = p[0], w = p[1], e = p[2], n = p[3], s = p[4];\n"
	tests := []struct{ name, body, want string }{
		{"contraction across statements", "float m = c * w; q[0] = m + e;", "fma(p0*p1, p2)"},
		{"a product that others read is fused, too", "float m = c * w; q[0] = m + e; q[1] = m;",
			"fma(p0*p1, p2) p0*p1"},
		{"the left one of two products is fused", "q[0] = c * w - e * n;", "fma(p0*p1, -p2*p3)"},
		{"the one of two products that fewer read is fused", "float m = c * w; q[0] = m - e * n; q[1] = m;",
			"fma(-p2*p3, p0*p1) p0*p1"},
		{"an fma stays", "q[0] = fma(c, w, e) * n;", "fma(p0*p1, p2)*p3"},
		{"reciprocals", "q[0] = c / w;", "1/(p1)*p0"},
		{"one reciprocal for two quotients", "q[0] = c / w; q[1] = e / w;", "1/(p1)*p0 1/(p1)*p2"},
		{"a reciprocal and what it is multiplied by", "q[0] = c * (1.0f / w) * e;", "1/(p1)*p0*p2"},
		{"a weight and a reciprocal are joined once",
			"float o = 1.0f / c; q[0] = e * (0.1f * o); q[1] = n * (0.1f * o); q[2] = 0.4f * o;",
			"0.10000000149011612*1/(p0)*p2 0.10000000149011612*1/(p0)*p3 0.4000000059604645*1/(p0)"},
		{"sums in order of loads", "q[0] = s + (n + (e + (w + c)));", "((((p0 + p1) + p2) + p3) + p4)"},
		{"products first where they are loaded first", "q[0] = w + e + n + s - 4.0f * c;",
			"(((fma(-4*p0, p1) + p2) + p3) + p4)"},
		{"products of what earlier blocks have loaded, last first",
			"float a = p[5]; if (p[9] > 0.0f) q[1] = n; q[0] = a * c + w * w + e * n;",
			"p3 fma(p1*p1, fma(p2*p3, p0*p5))"},
		{"and then in order what the block has loaded",
			"float x = w * 1.0f; if (p[9] > 0.0f) q[1] = n; q[0] = p[5] + x * x + e * n + c * c;",
			"p3 (fma(p0*p0, fma(p1*p1, p2*p3)) + p5)"},
		{"those of the same block in order", "if (p[9] > 0.0f) q[0] = p[5] * p[5] + p[6] * p[6] + p[7] * p[7];",
			"fma(p7*p7, fma(p6*p6, p5*p5))"},
		{"terms that are no products keep LLVM's order", "if (p[9] > 0.0f) q[1] = s; q[0] = c + w + e + n;",
			"p4 (((p0 + p1) + p2) + p3)"},
		{"what one branch reads is loaded there, the last first", "if (p[9] > 0.0f) q[0] = c + w + e + n;",
			"(((p2 + p3) + p1) + p0)"},
		{"with what it is computed from", "float d = e * n; if (p[9] > 0.0f) q[0] = s + d + p[5];",
			"(fma(p2*p3, p4) + p5)"},
		{"what is read behind a return is loaded there, the last first",
			"if (p[9] > 0.0f) return; q[0] = c + w + e + n;", "(((p2 + p3) + p1) + p0)"},
		{"a branch that returns reads what it reads in front of it",
			"if (p[9] > 0.0f) { q[0] = c; return; } q[0] = c + w + e + n;", "p0 (((p0 + p3) + p2) + p1)"},
		{"what both branches read is not", "if (p[9] > 0.0f) q[0] = c + w + e + n; else q[1] = c * w * e * n;",
			"(((p0 + p1) + p2) + p3) p0*p1*p2*p3"},
		{"a conversion ranks where it stands",
			"int k = as_type<int>(p[5]); float y = p[6], z = p[7], v = p[8]; float x = float(k); q[0] = x + y + z + v;",
			"(((p5)) + ((p6 + p7) + p8))"},
		{"literals are folded, innermost", "q[0] = 3.0f * c * 0.5f; q[1] = 1.0f + w + 2.0f;", "1.5*p0 (3 + p1)"},
		{"literals are folded through a product that others read", "float y = c * 0.5f; q[0] = y * 3.0f + w; q[1] = y;",
			"fma(1.5*p0, p1) 0.5*p0"},
		{"a literal divisor", "q[0] = c / 4.0f; q[1] = c / 3.0f;", "0.25*p0 0.3333333432674408*p0"},
		{"a common factor is taken out", "q[0] = c * w + e * w;", "(p0 + p2)*p1"},
		{"equal terms are counted", "q[0] = c + c + c + w;", "fma(3*p0, p1)"},
		{"one factor at a time of what is subtracted",
			"float d = 1.0f / (c * c); q[0] = p[7] - (w * e + d * n + d * s + p[5] * p[6]);",
			"-(fma(p5*p6, fma(1/(p0*p0)*p4, fma(1/(p0*p0)*p3, p1*p2))) - p7)"},
		{"a difference of multiples stays", "q[0] = (-2.0f * c - 2.0f * w) * e;", "fma(-2*p0, -2*p1)*p2"},
		{"a sum takes the sign of a factor", "q[0] = s - c * w * -e; q[1] = -c / w - n;",
			"fma(p0*p1*p2, p4) fma(-1/(p1)*p0, -p3)"},
		{"terms cancel", "float t = c + w; q[0] = (t - c) - w;", "0"},
		{"what is subtracted is added up", "q[0] = c - w - e;", "-((p1 + p2) - p0)"},
		{"multiples are added up, although others read them", "float d = 2.0f * c; q[0] = c - d; q[1] = d * w;",
			"-p0 2*p0*p1"},
		{"multiples are added up through what is subtracted", "q[0] = 2.5f * c + (c - w);", "fma(3.5*p0, -p1)"},
		{"no more operations than before", "float d = c - w; q[0] = 3.0f * c + d; q[1] = d;",
			"fma(3*p0, (p0 - p1)) (p0 - p1)"},
		{"a quotient joins, and cancels before others read it", "q[0] = e * (c / e) * w;", "p0*p1"},
		{"a fast sine takes turns", "q[0] = sin(c);", "sinpi(0.31830987334251404*p0)"},
		{"literals join although others read the product", "float y = 3.0f * c; q[0] = sin(y); q[1] = y;",
			"sinpi(0.9549295902252197*p0) 3*p0"},
		{"literals do not join through a divisor", "float y = 3.0f * c / w; q[0] = sin(y); q[1] = y;",
			"sinpi(0.31830987334251404*1/(p1)*3*p0) 1/(p1)*3*p0"},
		{"a precise one does not", "q[0] = precise::sin(c);", "sin(p0)"},
	}
	for _, test := range tests {
		f := newFunction(ir.Values(lowered(t, loads+test.body)))
		f.all()
		if got := strings.Join(stored(f), " "); got != test.want {
			t.Errorf("%s: %s\n got %s\nwant %s", test.name, test.body, got, test.want)
		}
		if err := ir.Verify(Optimise(lowered(t, loads+test.body))); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
