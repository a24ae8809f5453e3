package consteval

import (
	"strings"
	"testing"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// newEvaluator evaluates with the usual limits. Functions in bodies are constexpr.
func newEvaluator(bodies ...*hir.Func) *Evaluator {
	return &Evaluator{
		Limits: &syntax.Limits{},
		Spend:  func(syntax.Pos, int) {},
		Body: func(f *hir.Func, _ syntax.Pos) *hir.Block {
			for _, b := range bodies {
				if b == f {
					return f.Body
				}
			}
			return nil
		},
		Unset: map[*hir.Var]bool{},
	}
}

func at(t hir.Type) hir.Node { return hir.At(syntax.Pos{File: "t.metal", Line: 1, Col: 1}, t) }

func number(k hir.Kind, n int64) hir.Expr { return &hir.Const{Node: at(k), Bits: uint64(n)} }

func float(k hir.Kind, x float64) hir.Expr {
	return &hir.Const{Node: at(k), Bits: hir.RoundBits(k, x)}
}

func binary(op hir.Op, x, y hir.Expr) hir.Expr {
	t := x.Type()
	if op >= hir.Eq && op <= hir.Ge {
		t = hir.Bool
	}
	return &hir.Binary{Node: at(t), Op: op, X: x, Y: y}
}

func name(v *hir.Var) hir.Expr { return &hir.VarExpr{Node: at(v.Type), Var: v} }
func load(e hir.Expr) hir.Expr { return &hir.Load{Node: at(e.Type()), X: e} }

func convert(e hir.Expr, t hir.Type) hir.Expr { return &hir.Convert{Node: at(t), X: e} }

func builtin(t hir.Type, name string, args ...hir.Expr) hir.Expr {
	return &hir.BuiltinCall{Node: at(t), Name: name, Args: args}
}

// local is a variable of a function or, with data, a constant.
func local(t hir.Type, name string) *hir.Var {
	return &hir.Var{Name: name, Type: t, Space: syntax.Thread}
}

// The values are computed by hand.
func TestScalar(t *testing.T) {
	const minInt = -1 << 31
	for _, c := range []struct {
		e    hir.Expr
		want string
	}{
		{binary(hir.Add, number(hir.Int, 2), number(hir.Int, 3)), "5"},
		{binary(hir.Mul, number(hir.UInt, 1<<31), number(hir.UInt, 3)), "2147483648u"}, // wraps
		{binary(hir.Sub, number(hir.UInt, 0), number(hir.UInt, 1)), "4294967295u"},
		{binary(hir.Rem, number(hir.Int, -7), number(hir.Int, 3)), "-1"},
		{binary(hir.Shr, number(hir.Int, -8), number(hir.Int, 33)), "-4"}, // the count is taken modulo 32
		{binary(hir.Lt, number(hir.Int, -1), number(hir.Int, 0)), "true"},
		{binary(hir.Lt, number(hir.ULong, -1), number(hir.ULong, 0)), "false"},
		{&hir.Unary{Node: at(hir.Int), Op: hir.Not, X: number(hir.Int, 5)}, "-6"},
		{binary(hir.Add, float(hir.Half, 2048), float(hir.Half, 1)), "2048.0h"}, // a tie goes to even
		{binary(hir.Add, float(hir.Half, 2050), float(hir.Half, 1)), "2052.0h"},
		{convert(float(hir.Float, -2.75), hir.Int), "-2"},
		{convert(number(hir.Int, 300), hir.UChar), "44u"},
		{convert(number(hir.ULong, 1<<24+1), hir.Float), "1.6777216e+07f"},
		{convert(float(hir.Float, 0.5), hir.Bool), "true"},
		{builtin(hir.Int, "clamp", number(hir.Int, 9), number(hir.Int, 1), number(hir.Int, 4)), "4"},
		{builtin(hir.Float, "fma", float(hir.Float, 3), float(hir.Float, 4), float(hir.Float, 5)), "17.0f"},
		{&hir.AsType{Node: at(hir.UInt), X: float(hir.Float, 1)}, "1065353216u"},
		// && and || evaluate their second operand only where the first does not decide.
		{binary(hir.LAnd, &hir.Const{Node: at(hir.Bool)},
			binary(hir.Eq, binary(hir.Div, number(hir.Int, 1), number(hir.Int, 0)), number(hir.Int, 0))), "false"},
		{binary(hir.Div, number(hir.Int, minInt), number(hir.Int, 2)), "-1073741824"},
	} {
		got, ok := newEvaluator().Scalar(c.e)
		if !ok {
			_, fault := newEvaluator().Eval(c.e)
			t.Errorf("%s: no constant: %v", hir.ExprString(c.e), fault)
			continue
		}
		if text := hir.ExprString(got); text != c.want || got.Type() != c.e.Type() {
			t.Errorf("%s: got %s of type %s, want %s", hir.ExprString(c.e), text, got.Type(), c.want)
		}
	}
}

// An expression that is no constant comes with the reason.
func TestFaults(t *testing.T) {
	const minInt, maxInt = -1 << 31, 1<<31 - 1
	x := local(hir.Int, "x")
	list := &hir.Array{Elem: hir.Int, Len: 2}
	made := &hir.Construct{Node: at(list), Args: []hir.Expr{number(hir.Int, 1), number(hir.Int, 2)}}
	plain := &hir.Func{Name: "plain", Result: hir.Int, Body: &hir.Block{}}
	pointer := &hir.Pointer{Elem: hir.Int, Space: syntax.Thread}
	temporary := &hir.Temporary{Node: at(hir.Int), X: number(hir.Int, 1)}
	for _, c := range []struct {
		e    hir.Expr
		want string
	}{
		{binary(hir.Add, number(hir.Int, maxInt), number(hir.Int, 1)), "outside of the range of int"},
		{binary(hir.Div, number(hir.Int, minInt), number(hir.Int, -1)), "outside of the range of int"},
		{binary(hir.Div, number(hir.Int, 1), number(hir.Int, 0)), "divides by zero"},
		{convert(float(hir.Float, 3e9), hir.Int), "outside of the range of int"},
		{load(name(x)), "known only when the kernel runs"},
		{&hir.Index{Node: at(hir.Int), X: made, I: number(hir.Int, 2)}, "an index lies outside of the array"},
		{load(&hir.Deref{Node: at(hir.Int), X: &hir.Const{Node: at(pointer)}}), "null pointer"},
		{&hir.AddrOf{Node: at(pointer), X: temporary}, "the address of an object is no constant"},
		{&hir.Call{Node: at(hir.Int), Func: plain}, "plain is not a constexpr function"},
		{builtin(hir.Int, "clamp", number(hir.Int, 0), number(hir.Int, 2), number(hir.Int, 1)),
			"no constant value here"},
		{builtin(hir.Float, "simd_sum", float(hir.Float, 1)), "simd_sum is not a constexpr function"},
	} {
		data, fault := newEvaluator().Eval(c.e)
		if fault == nil || !strings.Contains(fault.Why, c.want) || fault.Pos.Line != 1 {
			t.Errorf("%s: got % x and %v, want the fault %q", hir.ExprString(c.e), data, fault, c.want)
		}
	}
}

// sumTo is "constexpr int sumTo(int n) { int s = 0; for (int i = 1; i <= n; ++i) s += i; return s; }",
// with a switch that ends the loop at 100.
func sumTo() *hir.Func {
	n, s, i := local(hir.Int, "n"), local(hir.Int, "s"), local(hir.Int, "i")
	return &hir.Func{Name: "sumTo", Params: []*hir.Var{n}, Result: hir.Int, Body: &hir.Block{List: []hir.Stmt{
		&hir.VarStmt{Var: s, Init: number(hir.Int, 0)},
		&hir.VarStmt{Var: i, Init: number(hir.Int, 1)},
		&hir.Loop{
			Cond: binary(hir.Le, load(name(i)), load(name(n))),
			Post: &hir.IncDec{Node: at(hir.Int), L: name(i)},
			Body: &hir.Block{List: []hir.Stmt{
				&hir.ExprStmt{X: &hir.OpAssign{Node: at(hir.Int), Op: hir.Add, L: name(s), R: load(name(i)),
					Comp: hir.Int}},
				&hir.Switch{X: load(name(i)), Cases: []hir.Case{
					{Values: []int64{100}, Body: []hir.Stmt{&hir.Return{X: load(name(s))}}},
					{Default: true, Body: []hir.Stmt{&hir.Break{}}},
				}},
			}},
		},
		&hir.Return{X: load(name(s))},
	}}}
}

// Calls of constexpr functions run their statements, within limits.
func TestCall(t *testing.T) {
	f := sumTo()
	call := func(n int64) hir.Expr {
		return &hir.Call{Node: at(hir.Int), Func: f, Args: []hir.Expr{number(hir.Int, n)}}
	}
	for n, want := range map[int64]uint64{0: 0, 4: 10, 99: 4950, 100: 5050, 1000: 5050} {
		if got, ok := newEvaluator(f).Scalar(call(n)); !ok || got.Bits != want {
			t.Errorf("sumTo(%d): got %v, want %d", n, got, want)
		}
	}

	v := newEvaluator(f)
	v.Limits[syntax.ConstantSteps] = 200
	spent := 0
	v.Spend = func(_ syntax.Pos, steps int) { spent += steps }
	if _, fault := v.Eval(call(50)); fault == nil || !strings.Contains(fault.Why, "more steps than 200") ||
		spent < 200 || spent > 210 {
		t.Errorf("got %v after %d steps, want an end at 200", fault, spent)
	}
}

// While function constants without a value count as zero, an expression has a value, and depends on them.
func TestAssuming(t *testing.T) {
	n := &hir.Var{Name: "n", Type: hir.Int, Space: syntax.Constant, Const: true, Global: true, Data: make([]byte, 4)}
	v := newEvaluator()
	v.Unset[n] = true
	quotient := binary(hir.Div, number(hir.Int, 8), load(name(n)))
	for _, e := range []hir.Expr{load(name(n)), quotient} {
		if _, fault := v.Eval(e); fault == nil || !strings.Contains(fault.Why, "function constant n has no value") {
			t.Errorf("%s: got %v, want that n has no value", hir.ExprString(e), fault)
		}
		ok := false
		depends := v.Assuming(func() { _, ok = v.Scalar(e) })
		if !ok || !depends {
			t.Errorf("%s: got a value %v that depends on n %v, want true and true", hir.ExprString(e), ok, depends)
		}
	}
	if v.Assuming(func() { v.Scalar(binary(hir.Add, number(hir.Int, 1), number(hir.Int, 2))) }) {
		t.Error("1 + 2 depends on n")
	}
}

// Varies spares an evaluation; what it says is what the evaluation finds.
func TestVaries(t *testing.T) {
	x := local(hir.Int, "x")
	sum := &hir.Binary{Node: at(hir.Int), Op: hir.Add, X: number(hir.Int, 1), Y: load(name(x))}
	v := newEvaluator()
	if !v.Varies(sum) {
		t.Error("1 + x does not vary")
	}
	if e := binary(hir.LOr, &hir.Const{Node: at(hir.Bool), Bits: 1}, convert(load(name(x)), hir.Bool)); v.Varies(e) {
		t.Error("true || x varies: the second operand may not be evaluated")
	}
	marked := &hir.Binary{Node: at(hir.Int), Op: hir.Add, X: number(hir.Int, 1), Y: number(hir.Int, 2),
		NotConstant: true}
	if _, ok := v.Scalar(marked); ok {
		t.Error("a marked expression is evaluated again")
	}
	v.Assuming(func() {
		if _, ok := v.Scalar(marked); !ok {
			t.Error("a marked expression is not evaluated where function constants count as zero")
		}
	})
}

// The bytes of a struct follow its layout, bit-fields included.
func TestBytes(t *testing.T) {
	s := &hir.Struct{Name: "s", Bytes: 8, Aligns: 4, Fields: []hir.Field{
		{Name: "a", Type: hir.UInt, Bits: 3}, {Name: "b", Type: hir.UInt, Bits: 5, Shift: 3},
		{Name: "c", Type: hir.Half, Offset: 4},
	}}
	e := &hir.Construct{Node: at(s), Args: []hir.Expr{number(hir.UInt, 5), number(hir.UInt, 9), float(hir.Half, 1)}}
	got, ok := newEvaluator().Bytes(e, s)
	if want := string([]byte{9<<3 | 5, 0, 0, 0, 0, 0x3c, 0, 0}); !ok || string(got) != want {
		t.Errorf("got % x, want % x", got, want)
	}
	if _, ok := newEvaluator().Bytes(number(hir.Char, 1), s); ok {
		t.Error("a char initialises a struct")
	}
}
