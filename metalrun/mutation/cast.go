package mutation

import "metalconform/metalrun/internal/syntax"

// cast leaves a conversion out. One to half or bfloat it also makes truncate: the
// bits of the significand that the format lacks are cleared before the rounding.
func cast(s editPoint) []edit {
	if s.expr == nil {
		return nil
	}
	to, x := converted(*s.expr)
	if x == nil {
		return nil
	}
	edits := all(s.expr, x)
	switch to {
	case "bfloat":
		edits = append(edits, replace(s.expr, truncated(to, x, 0xffff0000)))
	case "half":
		edits = append(edits, replace(s.expr, truncated(to, x, 0xffffe000)))
	}
	return edits
}

// converted is the type and the operand of a conversion; nil for other
// expressions, and for as_type, which converts nothing.
func converted(x syntax.Expr) (to string, operand syntax.Expr) {
	var t syntax.TypeExpr
	switch x := x.(type) {
	case *syntax.CastExpr:
		if x.Keyword != "" && x.Keyword != "static_cast" {
			return "", nil
		}
		t, operand = x.Type, x.X
	case *syntax.ConstructExpr:
		if len(x.Args) != 1 {
			return "", nil
		}
		t, operand = x.Type, x.Args[0]
	}
	if n, ok := t.(*syntax.NamedType); ok {
		return n.Name.Last().Ident, operand
	}
	return "", nil
}

// truncated is to(as_type<float>(as_type<uint>(float(x)) & mask)).
func truncated(to string, x syntax.Expr, mask uint64) syntax.Expr {
	word := &syntax.CastExpr{Keyword: "as_type", Type: typeName("uint"), X: construct("float", x)}
	masked := &syntax.BinaryExpr{Op: "&", X: word, Y: &syntax.IntLit{Value: mask, Hex: true, Suffix: "u"}}
	return construct(to, &syntax.CastExpr{Keyword: "as_type", Type: typeName("float"), X: masked})
}

func construct(to string, x syntax.Expr) syntax.Expr {
	return &syntax.ConstructExpr{Type: typeName(to), Args: []syntax.Expr{x}}
}

func typeName(name string) *syntax.NamedType { return &syntax.NamedType{Name: plainName(name)} }

func plainName(parts ...string) *syntax.Name {
	n := &syntax.Name{}
	for _, p := range parts {
		n.Parts = append(n.Parts, syntax.NamePart{Ident: p})
	}
	return n
}
