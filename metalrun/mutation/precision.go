package mutation

import (
	"slices"
	"strings"

	"metalconform/metalrun/internal/syntax"
)

// precision declares a local variable of f32 in half, or rounds it to bfloat
// wherever it is initialised and assigned to: there is no implicit conversion to
// bfloat. What is written through pointers to it stays as it is.
func precision(s editPoint) []edit {
	if s.stmt == nil {
		return nil
	}
	d, ok := (*s.stmt).(*syntax.DeclStmt)
	if !ok {
		return nil
	}
	v, ok := d.Decls[0].(*syntax.VarDecl)
	if !ok || v.Specs.Constexpr {
		return nil
	}
	t, ok := elementType(v.Type).(*syntax.NamedType)
	if !ok {
		return nil
	}
	name := t.Name.Last().Ident
	if !slices.Contains([]string{"float", "float2", "float3", "float4"}, name) {
		return nil
	}
	width := strings.TrimPrefix(name, "float")
	return []edit{put(&t.Name, plainName("half"+width)), together(roundings(d, width, s.in))}
}

// elementType is what a variable is made of, without qualifiers.
func elementType(t syntax.TypeExpr) syntax.TypeExpr {
	switch t := t.(type) {
	case *syntax.QualType:
		return elementType(t.Base)
	case *syntax.ArrayType:
		return elementType(t.Elem)
	}
	return t
}

// roundings round to bfloat whatever is assigned to the variables of d, which have
// so many components, in scope, the block that declares them.
func roundings(d *syntax.DeclStmt, width string, scope syntax.Node) []edit {
	var edits []edit
	declared := map[string]bool{}
	for _, decl := range d.Decls {
		v, ok := decl.(*syntax.VarDecl)
		if !ok {
			continue
		}
		declared[v.Name] = true
		if _, list := v.Init.(*syntax.InitList); v.Init != nil && !list {
			edits = append(edits, put(&v.Init, rounded(v.Init, width)))
		}
	}
	syntax.Inspect(scope, func(n syntax.Node) bool {
		if a, ok := n.(*syntax.AssignExpr); ok && declared[variable(a.X)] {
			y := a.Y
			if op := strings.TrimSuffix(a.Op, "="); op != "" {
				y = &syntax.BinaryExpr{Op: op, X: a.X, Y: y}
			}
			edits = append(edits, put(&a.Op, "="), put(&a.Y, rounded(y, components(a.X, width))))
		}
		return true
	})
	return edits
}

// rounded is x, of so many components, rounded to bfloat and an f32 again.
func rounded(x syntax.Expr, width string) syntax.Expr {
	return construct("float"+width, construct("bfloat"+width, x))
}

// variable is the name of the variable that x is part of, "" if it is reached by a
// pointer.
func variable(x syntax.Expr) string {
	if m, ok := x.(*syntax.MemberExpr); ok && !m.Arrow {
		return variable(m.X)
	}
	switch x.(type) {
	case *syntax.NameExpr, *syntax.ParenExpr, *syntax.IndexExpr:
		return root(x)
	}
	return ""
}

// components is the number of components of a part of a variable, as the end of
// its type's name; width is that of the variable.
func components(x syntax.Expr, width string) string {
	m, ok := x.(*syntax.MemberExpr)
	if !ok {
		return width
	}
	return map[int]string{2: "2", 3: "3", 4: "4"}[len(m.Member.Last().Ident)]
}

// together are edits made as one.
func together(edits []edit) edit {
	return edit{
		do: func() {
			for _, e := range edits {
				e.do()
			}
		},
		undo: func() {
			for _, e := range slices.Backward(edits) {
				e.undo()
			}
		},
	}
}
