package hir

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun/internal/syntax"
)

var (
	x  = &Var{Name: "x", Type: Int, Space: syntax.Thread}
	v4 = &Var{Name: "v", Type: Vector{Elem: Float, N: 4}, Space: syntax.Thread}
	ps = &Var{Name: "p", Type: &Pointer{Elem: Float, Space: syntax.Device}, Space: syntax.Thread}
)

func at(t Type) Node           { return At(syntax.Pos{}, t) }
func number(n uint64) *Const   { return &Const{Node: at(Int), Bits: n} }
func name(v *Var) *VarExpr     { return &VarExpr{Node: at(v.Type), Var: v} }
func load(e Expr) *Load        { return &Load{Node: at(e.Type()), X: e} }
func sum(a, b Expr) *Binary    { return &Binary{Node: at(a.Type()), Op: Add, X: a, Y: b} }
func assign(l, r Expr) *Assign { return &Assign{Node: at(l.Type()), L: l, R: r} }
func swizzle(e Expr, c ...int) Expr {
	return &Swizzle{Node: at(Vector{Elem: Float, N: len(c)}), X: e, Comps: c}
}

// sample is a kernel that calls a function: p[x] = twice(x) as a float, while x < 3.
func sample() *Program {
	n := &Var{Name: "n", Type: Int, Space: syntax.Thread}
	twice := &Func{Name: "twice", Params: []*Var{n}, Result: Int, Body: &Block{List: []Stmt{
		&Return{X: sum(load(name(n)), load(name(n)))},
	}}}
	call := &Call{Node: at(Int), Func: twice, Args: []Expr{load(name(x))}}
	place := &Deref{Node: at(Float), X: &PtrAdd{Node: at(ps.Type), P: load(name(ps)), I: load(name(x))}}
	return &Program{Kernels: []*Func{{
		Name: "k", Params: []*Var{ps}, Result: Void,
		Kernel: &Kernel{Args: []KernelArg{{Kind: BufferArg, Index: 1}}, MaxThreads: 64},
		Body: &Block{List: []Stmt{
			&VarStmt{Var: x, Init: number(0)},
			&Loop{
				Cond: &Binary{Node: at(Bool), Op: Lt, X: load(name(x)), Y: number(3)},
				Post: &IncDec{Node: at(Int), L: name(x)},
				Body: &Block{List: []Stmt{
					&ExprStmt{X: assign(place, &Convert{Node: at(Float), X: call})},
					&If{Cond: &Const{Node: at(Bool)}, Then: &Block{List: []Stmt{&Break{}}}},
				}},
			},
		}},
	}}}
}

// A tree is printed with its loads and conversions, each function once and before its caller.
func TestPrint(t *testing.T) {
	const want = `int twice(int n)
{
	return (load(n) + load(n))
}
kernel void k max_threads 64(device float * p buffer 1)
{
	int x = 0
	loop while (load(x) < 3) post ++x
	{
		(*(load(p) + load(x)) = (float)(twice(load(x))))
		if false
		{
			break
		}
	}
}
`
	got := Print(sample())
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Walk visits operands before operations, in the order in which they are evaluated.
func TestWalk(t *testing.T) {
	var got []string
	Walk(sample().Kernel("k").Body, func(e Expr) {
		switch e.(type) {
		case *Assign, *Call, *IncDec, *Binary, *Convert:
			got = append(got, ExprString(e))
		}
	})
	want := []string{"(load(x) < 3)", "twice(load(x))", "(float)(twice(load(x)))",
		"(*(load(p) + load(x)) = (float)(twice(load(x))))", "++x"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// WalkCalls also finds the calls in statements that an expression holds.
func TestWalkCalls(t *testing.T) {
	far := &Func{Name: "far", Result: Void, Body: &Block{}}
	inner := &Func{Name: "inner", Inner: true, Result: Void,
		Body: &Block{List: []Stmt{&ExprStmt{X: &Call{Node: at(Void), Func: far}}}}}
	outer := &Func{Name: "outer", Result: Void, Body: inner.Body}
	var got []string
	for _, f := range []*Func{inner, outer} {
		WalkCalls(&Block{List: []Stmt{&ExprStmt{X: &Call{Node: at(Void), Func: f}}}},
			func(c *Call) { got = append(got, c.Func.Name) })
	}
	if diff := cmp.Diff([]string{"inner", "far", "outer"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// EachOperand gives the places of operands, so that they can be replaced.
func TestEachOperand(t *testing.T) {
	e := sum(load(name(x)), number(1))
	EachOperand(e, func(x *Expr) {
		if _, ok := (*x).(*Load); ok {
			*x = number(7)
		}
	})
	if got := ExprString(e); got != "(7 + 1)" {
		t.Errorf("got %s", got)
	}
	if AnyOperand(e, func(e Expr) bool { _, ok := e.(*Load); return ok }) {
		t.Error("the replaced operand is still there")
	}
}

func TestIsLvalue(t *testing.T) {
	comma := func(y Expr) Expr { return &Comma{Node: at(y.Type()), X: number(1), Y: y} }
	cond := func(lvalue bool) Expr {
		return &Cond{Node: at(Int), C: &Const{Node: at(Bool)}, X: name(x), Y: name(x), LValue: lvalue}
	}
	for _, c := range []struct {
		e    Expr
		want bool
	}{
		{name(x), true}, {load(name(x)), false}, {number(1), false},
		{assign(name(x), number(1)), true},
		{&IncDec{Node: at(Int), L: name(x)}, true}, {&IncDec{Node: at(Int), L: name(x), Postfix: true}, false},
		{swizzle(name(v4), 1, 0), true}, {swizzle(load(name(v4)), 1, 0), false},
		{&Index{Node: at(Float), X: name(v4), I: number(0)}, true},
		{&Index{Node: at(Float), X: load(name(v4)), I: number(0)}, false},
		{&Temporary{Node: at(Int), X: number(1)}, true},
		{comma(name(x)), true}, {comma(number(2)), false},
		{cond(true), true}, {cond(false), false},
	} {
		if got := IsLvalue(c.e); got != c.want {
			t.Errorf("%s: got %v, want %v", ExprString(c.e), got, c.want)
		}
	}
}

func TestHasSideEffects(t *testing.T) {
	if e := sum(load(name(x)), number(1)); HasSideEffects(e) {
		t.Errorf("%s has none", ExprString(e))
	}
	if e := sum(load(assign(name(x), number(1))), number(1)); !HasSideEffects(e) {
		t.Errorf("%s changes x", ExprString(e))
	}
}
