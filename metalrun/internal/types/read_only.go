package types

import (
	"fmt"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// readOnly reports that something const is assigned to, as clang does: by what makes it const.
func (c *checker) readOnly(code string, op operand, pos syntax.Pos) {
	e, member := op.expr, false
	for {
		switch x := e.(type) {
		case *hir.FieldExpr:
			if s, ok := x.X.Type().(*hir.Struct); ok && s.Fields[x.Field].Const {
				c.errorf(pos, code, "cannot assign to non-static data member '%s' with const-qualified type 'const %s'", s.Fields[x.Field].Name, s.Fields[x.Field].Type)
				return
			}
			e, member = x.X, true
			continue
		case *hir.Index:
			if _, ok := x.X.Type().(*hir.Pointer); !ok {
				e = x.X
				continue
			}
		case *hir.Swizzle:
			e = x.X
			continue
		case *hir.Deref: // of the arrow of a member
			if p, ok := x.X.(*hir.Load); ok && member {
				e = p.X
				continue
			}
		case *hir.VarExpr:
			if v := x.Var; v.Name == "this" && c.fn != nil {
				c.errorf(pos, code, "cannot assign to non-static data member within const member function '%s'", c.fn.r.of.name).
					Note(namePos(c.fn.r.decl), "member function '%s' is declared const here", c.fn.r.fn.Name)
				return
			} else if v.Name != "" && v.Name != "this" && v.Name[0] != '(' {
				c.errorf(pos, code, "cannot assign to variable '%s' with const-qualified type '%s'", v.Name, constType(v)).
					Note(v.Pos, "variable '%s' declared const here", v.Name)
				return
			}
		}
		break
	}
	c.errorf(pos, code, "read-only variable is not assignable")
}

// constType spells the type of a variable that is const.
func constType(v *hir.Var) string {
	if !v.Const && v.Space != syntax.Constant {
		return plainSpelling(v.Type) // const is what it points to
	}
	text := "const "
	if v.Ref || v.Space == syntax.Constant {
		text += v.Space.String() + " "
	}
	a, isArray := v.Type.(*hir.Array)
	switch {
	case v.Ref && isArray:
		return fmt.Sprintf("%s%s (&)[%d]", text, a.Elem, a.Len)
	case v.Ref:
		return fmt.Sprintf("%s%s &", text, v.Type)
	}
	return text + v.Type.String()
}
