package syntax

import "testing"

func name(s string) Expr { return &NameExpr{Name: simpleName(Pos{}, s)} }

// TestEditedTrees prints trees that no parse made: their structure must
// survive, with parentheses and braces where it needs them.
func TestEditedTrees(t *testing.T) {
	a, b, c := name("a"), name("b"), name("c")
	sum := &BinaryExpr{Op: "+", X: a, Y: b}
	greater := &BinaryExpr{Op: ">", X: a, Y: b}
	float := &NamedType{Name: simpleName(Pos{}, "float")}
	for _, x := range []struct {
		n    Node
		want string
	}{
		{&BinaryExpr{Op: "*", X: sum, Y: c}, "(a + b) * c"},
		{&BinaryExpr{Op: "-", X: a, Y: &BinaryExpr{Op: "-", X: b, Y: c}}, "a - (b - c)"},
		{&BinaryExpr{Op: "-", X: &BinaryExpr{Op: "-", X: a, Y: b}, Y: c}, "a - b - c"},
		{&UnaryExpr{Op: "-", X: sum}, "-(a + b)"},
		{&UnaryExpr{Op: "-", X: &UnaryExpr{Op: "-", X: a}}, "- -a"},
		{&UnaryExpr{Op: "-", X: &UnaryExpr{Op: "--", X: a}}, "- --a"},
		{&UnaryExpr{Op: "&", X: &UnaryExpr{Op: "&", X: a}}, "& &a"},
		{&UnaryExpr{Op: "!", X: &UnaryExpr{Op: "-", X: a}}, "!-a"},
		{&IndexExpr{X: sum, Index: sum}, "(a + b)[a + b]"},
		{&MemberExpr{X: &UnaryExpr{Op: "*", X: a}, Member: simpleName(Pos{}, "x")}, "(*a).x"},
		{&CallExpr{Fun: a, Args: []Expr{&BinaryExpr{Op: ",", X: a, Y: b}, sum}}, "a((a, b), a + b)"},
		{&CastExpr{Type: float, X: sum}, "(float)(a + b)"},
		{&IndexExpr{X: &CastExpr{Type: float, X: a}, Index: b}, "((float)a)[b]"},
		{&AssignExpr{Op: "=", X: a, Y: &AssignExpr{Op: "=", X: b, Y: c}}, "a = b = c"},
		{&AssignExpr{Op: "=", X: &AssignExpr{Op: "=", X: a, Y: b}, Y: c}, "(a = b) = c"},
		{&CondExpr{Cond: &CondExpr{Cond: a, X: b, Y: c}, X: a, Y: b}, "(a ? b : c) ? a : b"},
		{&BinaryExpr{Op: "+", X: &CondExpr{Cond: a, X: b, Y: c}, Y: a}, "(a ? b : c) + a"},
		{&IntLit{Value: 255, Hex: true, Suffix: "u"}, "0xffu"},
		{&IntLit{Value: 7}, "7"},
		{&IntLit{Value: 10, Chars: 1}, `'\012'`},
		{&FloatLit{Value: 0.1, Suffix: "f"}, "0x1.999999999999ap-04f"},
		{&StringLit{Value: "a\"b\\c\nd\x01"}, `"a\"b\\c\nd\001"`},
		{&NamedType{
			Name: &Name{Parts: []NamePart{{Ident: "X", HasArgs: true, Args: []TemplateArg{{X: greater}, {X: a}}}}},
		}, "X<(a > b), a>"},
		{&NamedType{
			Name: &Name{Parts: []NamePart{{Ident: "X", HasArgs: true,
				Args: []TemplateArg{{X: &CallExpr{Fun: a, Args: []Expr{greater}}}}}}},
		}, "X<a(a > b)>"},
		{&NameExpr{
			Name: &Name{Parts: []NamePart{{Ident: "__is_valid", HasArgs: true, Args: []TemplateArg{{Type: float}}},
				{Ident: "value"}}},
		}, "__is_valid<float>::value"},
		{&PointerType{Elem: &ArrayType{Elem: float, Len: a}}, "float (*)[a]"},
		{&ArrayType{Elem: &PointerType{Elem: float}, Len: a}, "float *[a]"},
		{&PointerType{Elem: &QualType{Quals: Quals{Space: Device, Const: true}, Base: float}}, "device const float *"},
		{&QualType{Quals: Quals{Const: true}, Base: &PointerType{Elem: float}}, "float *const"},
		{&IfStmt{Cond: a, Then: &IfStmt{Cond: b, Then: &EmptyStmt{}}, Else: &EmptyStmt{}},
			"if (a) {\n    if (b)\n        ;\n} else\n    ;"},
		{&IfStmt{Cond: a, Then: &WhileStmt{Cond: b, Body: &IfStmt{Cond: c, Then: &BreakStmt{}}}, Else: &EmptyStmt{}},
			"if (a) {\n    while (b)\n        if (c)\n            break;\n} else\n    ;"},
		{&VarDecl{Type: float, Name: "b", Joined: true, Init: a}, "float b = a;"},
		{&Attr{Name: "buffer", Args: []Expr{&IntLit{Value: 3}}}, "[[buffer(3)]]"},
		{&Param{Type: &ReferenceType{Elem: float}, Name: "x"}, "float &x"},
	} {
		if got := printed(t, x.n); got != x.want {
			t.Errorf("%s: got %q, want %q", dump(x.n), got, x.want)
		}
	}
}
