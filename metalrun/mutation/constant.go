package mutation

import (
	"strconv"

	"metalconform/metalrun/internal/syntax"
)

// constant changes literals: an integer by one up and one down, a number to zero
// and by a thousandth, zero to one, infinity to something finite, a truth to its
// opposite.
func constant(s editPoint) []edit {
	if s.expr == nil {
		return nil
	}
	switch x := (*s.expr).(type) {
	case *syntax.IntLit:
		if x.Chars > 0 {
			return nil
		}
		edits := all(s.expr, integer(x, x.Value+1))
		if x.Value > 0 {
			edits = append(edits, replace(s.expr, integer(x, x.Value-1)))
		}
		return edits
	case *syntax.FloatLit:
		if x.Value == 0 {
			return all(s.expr, float(x, "1.0"))
		}
		return all(s.expr, float(x, "0.0"), float(x, decimal(x.Value*1.001)))
	case *syntax.BoolLit:
		return all(s.expr, literalBool(!x.Value))
	case *syntax.NameExpr:
		switch x.Name.Last().Ident {
		case "INFINITY", "HUGE_VALF", "MAXFLOAT", "FLT_MAX":
			return all(s.expr, syntax.Expr(&syntax.FloatLit{Text: "1e3f", Value: 1e3, Suffix: "f"}))
		}
	}
	return nil
}

// integer is a literal like x with another value.
func integer(x *syntax.IntLit, value uint64) syntax.Expr {
	return &syntax.IntLit{Value: value, Suffix: x.Suffix, Hex: x.Hex}
}

// float is a literal like x with another value.
func float(x *syntax.FloatLit, text string) syntax.Expr {
	value, _ := strconv.ParseFloat(text, 64) // we have made the text
	return &syntax.FloatLit{Text: text + x.Suffix, Value: value, Suffix: x.Suffix}
}

// decimal spells a number with as many digits as an edit needs, never as an
// integer.
func decimal(x float64) string {
	text := strconv.FormatFloat(x, 'g', 9, 64)
	for _, c := range text {
		if c == '.' || c == 'e' {
			return text
		}
	}
	return text + ".0"
}

// index moves an access by one element.
func index(s editPoint) []edit {
	if s.expr == nil {
		return nil
	}
	x, ok := (*s.expr).(*syntax.IndexExpr)
	if !ok {
		return nil
	}
	if _, literal := x.Index.(*syntax.IntLit); literal { // a number is left to constant
		return nil
	}
	return all(&x.Index, shifted(x.Index, "+", 1), shifted(x.Index, "-", 1))
}

// initial leaves an initial value out, or makes it 0.
func initial(s editPoint) []edit {
	v, ok := s.in.(*syntax.VarDecl)
	if !ok || !s.local || s.expr == nil || s.expr != &v.Init {
		return nil
	}
	var edits []edit
	if !isConst(v) {
		edits = append(edits, put(&v.Init, nil))
	}
	switch v.Init.(type) {
	case *syntax.IntLit, *syntax.FloatLit, *syntax.BoolLit, *syntax.InitList:
	default:
		if !isPointer(v.Type) {
			edits = append(edits, put(&v.Init, syntax.Expr(&syntax.IntLit{})))
		}
	}
	return edits
}

func isConst(v *syntax.VarDecl) bool {
	q, ok := v.Type.(*syntax.QualType)
	return v.Specs.Constexpr || ok && q.Quals.Const
}

func isPointer(t syntax.TypeExpr) bool {
	switch t := t.(type) {
	case *syntax.QualType:
		return isPointer(t.Base)
	case *syntax.PointerType, *syntax.ReferenceType:
		return true
	}
	return false
}
