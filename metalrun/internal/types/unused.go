package types

import (
	"strings"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// A local is a variable of a function that clang warns of if nothing names it.
type local struct {
	decl *syntax.VarDecl
	v    *hir.Var
}

// recordLocal keeps a variable for a warning. Making an object of a class may have effects,
// and does not count as a mistake.
func (c *checker) recordLocal(d *syntax.VarDecl, v *hir.Var) {
	if c.fn == nil || d.Name == "" || d.Name[0] == '(' || strings.HasPrefix(d.Pos().File, "<") || d.Pos().File == preludeName || hushed(d.Attrs) || !c.inert(v, d) {
		return
	}
	c.fn.locals = append(c.fn.locals, local{d, v})
}

// hushed reports whether attributes say that something may be unused.
func hushed(attrs []*syntax.Attr) bool {
	return attribute(attrs, "maybe_unused") != nil || attribute(attrs, "unused") != nil || attribute(attrs, "used") != nil
}

// inert reports whether the variable has a type without constructors.
func (c *checker) inert(v *hir.Var, d *syntax.VarDecl) bool {
	switch t := v.Type.(type) {
	case hir.Kind, hir.Vector, *hir.Pointer, *hir.Enum:
		return true
	case *hir.Array:
		return c.inert(&hir.Var{Type: t.Elem}, d)
	case *hir.Struct:
		info := c.structs[t]
		if v.Ref || info == nil || !c.aggregate(info) || c.destroys(t) || info.constructed() {
			return v.Ref
		}
		_, list := d.Init.(*syntax.InitList)
		return list || d.Init == nil
	}
	return v.Ref
}

// unusedVariables warns of the variables of r that nothing in it names.
func (c *checker) unusedVariables(r *routine) {
	locals := c.fn.locals
	if len(locals) == 0 || !c.hand.meets(r.def) {
		return
	}
	named := map[string]bool{}
	syntax.Inspect(r.def, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.NameExpr:
			named[n.Name.Parts[0].Ident] = true
		case *syntax.NamedType:
			named[n.Name.Parts[0].Ident] = true
		case *syntax.LambdaExpr:
			for _, k := range n.Captures {
				named[k.Name] = true
			}
		}
		return true
	})
	for _, l := range locals {
		if !named[l.decl.Name] {
			if e := c.warnOnce(r.def, nameOf(l.decl), codeUnusedVariable, "unused variable '%s' [-Wunused-variable]", l.decl.Name); e != nil {
				e.Name = l.decl.Name
			}
		}
	}
}
