package types

import (
	"strings"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// Literals with a suffix that a program defines. C++ hands the number to a function that takes unsigned long long or
// long double. Metal has neither, which leaves two forms: a template of the number's characters, and a function of a
// string of them.

// isLiteralOperator reports whether a function's name is that of a literal operator.
func isLiteralOperator(name string) bool { return strings.HasPrefix(name, `operator""`) }

// literalOperator checks the parameters of a literal operator.
func (c *checker) literalOperator(f *function) bool {
	d := f.decl
	switch {
	case f.owner != nil:
		c.errorf(namePos(d), codeMisplaced, "literal operator '%s' must be in a namespace or global scope", f.name)
		return false
	case f.isTemplate():
		if p := d.Template.Params; len(d.Params) == 0 && len(p) == 1 && p[0].Variadic && spelledChar(p[0].Type) {
			return true
		}
		c.errorf(namePos(d), codeOperatorParameter,
			"template parameter list for literal operator must be 'char...', and it takes no arguments")
		return false
	}
	if p := f.plain.params; len(p) == 1 && !p[0].ref {
		to, ok := p[0].typ.(*hir.Pointer)
		if ok && to.Elem == hir.Type(hir.Char) && to.Const && to.Space == syntax.Constant && !to.Volatile {
			return true
		}
	}
	c.errorf(namePos(d), codeOperatorParameter,
		"invalid parameters of literal operator '%s': Metal has no unsigned long long and no long double, "+
			"so that it is a template <char...> or takes a const constant char *; those of characters and strings are "+
			"not supported", f.name)
	return false
}

func spelledChar(t syntax.TypeExpr) bool {
	n, ok := t.(*syntax.NamedType)
	return ok && len(n.Name.Parts) == 1 && n.Name.Last().Ident == "char"
}

// userLit calls the literal operator of a number's suffix.
func (c *checker) userLit(x *syntax.UserLit) operand {
	name := *x.Operator
	var set *funcSet
	c.attempt(func() {
		ent, _, _ := c.resolve(&name)
		set, _ = ent.(*funcSet)
	})
	if set == nil {
		c.errorf(x.Pos(), codeUndeclared, "no matching literal operator '%s' for %s", name.Last().Ident, x.Text)
		return operand{}
	}
	fun := &syntax.NameExpr{Name: &name}
	fun.SetPos(x.Pos())
	call := &syntax.CallExpr{Fun: fun}
	call.SetPos(x.Pos())
	if set.list[0].isTemplate() {
		part := *name.Last()
		part.HasArgs = true
		for i := range len(x.Text) {
			e := &syntax.IntLit{Chars: 1, Value: uint64(x.Text[i])}
			e.SetPos(x.Pos())
			part.Args = append(part.Args, syntax.TemplateArg{X: e})
		}
		name.Parts = []syntax.NamePart{part}
	} else {
		s := &syntax.StringLit{Value: x.Text}
		s.SetPos(x.Pos())
		call.Args = []syntax.Expr{s}
	}
	return c.callExpr(call)
}
