package types

import (
	"maps"
	"strings"

	"metalconform/metalrun/internal/syntax"
)

// templateDefined has the names of a function template looked up: at once, or, where members may follow that they mean,
// at the end of the class. Those of a class template are left to its instances, and those of a lambda to its calls.
func (c *checker) templateDefined(f *function) {
	switch {
	case f.owner == nil:
		c.unboundNames(f)
	case !f.owner.lazy && !f.owner.lambda:
		c.templates = append(c.templates, f)
	}
}

// unboundNames reports names in the body of a function template that nothing declares, whatever
// its parameters are: a compiler does so where the template is defined, instances or not. The
// name of a function that takes arguments may be found by these, and is left to instances.
func (c *checker) unboundNames(f *function) {
	if f.def == nil || f.def.Pos().File == preludeName {
		return
	}
	names := bodyNames{declared: map[string]bool{}, called: map[*syntax.NameExpr]bool{}}
	names.parameters(f.def.Template.Params)
	c.unboundIn(names, f.def, f.scope)
}

// unboundIn reports the names in the body of d that neither names nor a scope has.
func (c *checker) unboundIn(names bodyNames, d *syntax.FuncDecl, s *scope) {
	for _, p := range d.Params {
		names.declared[p.Name] = true
	}
	syntax.Inspect(d.Body, names.visit)
	c.spend(d.Pos(), names.nodes/nodesPerStep)
	if names.opaque {
		return
	}
	for _, x := range names.used {
		if n := x.Name; !names.called[x] && !names.declared[n.Last().Ident] && !c.knows(s, n.Last().Ident) {
			c.undeclared(n)
		}
	}
}

// unboundInMembers does so for the member functions of a class template without bases, whose names are declared in it
// or before it.
func (c *checker) unboundInMembers(d *syntax.StructDecl) {
	if d.Pos().File == preludeName || len(d.Bases) > 0 {
		return
	}
	members := bodyNames{declared: map[string]bool{d.Name.Last().Ident: true}, called: map[*syntax.NameExpr]bool{}}
	members.parameters(d.Template.Params)
	for _, m := range d.Members {
		switch m := m.(type) {
		case *syntax.VarDecl:
			members.declared[m.Name] = true
		case *syntax.TypedefDecl:
			members.declared[m.Name] = true
		case *syntax.FuncDecl:
			members.declared[m.Name.Last().Ident] = true
		default:
			return // names that a look at the syntax does not find
		}
	}
	for _, m := range d.Members {
		f, ok := m.(*syntax.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		names := bodyNames{declared: maps.Clone(members.declared), called: map[*syntax.NameExpr]bool{}}
		if f.Template != nil {
			names.parameters(f.Template.Params)
		}
		c.unboundIn(names, f, c.scope)
	}
}

// knows reports whether a name may mean something in a scope.
func (c *checker) knows(s *scope, name string) bool {
	_, _, constant := lookupStdConstant(name)
	return constant || strings.HasPrefix(name, "__") || isBuiltin(name) || hasVariant(name) || stdEnum(name) != nil ||
		c.lookupFrom(s, name).ent != nil
}

// bodyNames are the names in a body.
type bodyNames struct {
	declared map[string]bool // somewhere in it
	used     []*syntax.NameExpr
	called   map[*syntax.NameExpr]bool // with arguments
	opaque   bool                      // it brings in names from elsewhere
	nodes    int
}

func (b *bodyNames) parameters(list []*syntax.TemplateParam) {
	for _, p := range list {
		b.declared[p.Name] = true
	}
}

func (b *bodyNames) visit(n syntax.Node) bool {
	b.nodes++
	switch n := n.(type) {
	case *syntax.VarDecl:
		b.declared[n.Name] = true
		for _, k := range n.Bindings {
			b.declared[k.Name] = true
		}
	case *syntax.Param:
		b.declared[n.Name] = true
	case *syntax.TypedefDecl:
		b.declared[n.Name] = true
	case *syntax.LambdaExpr:
		if n.Template != nil {
			b.parameters(n.Template.Params)
		}
		for _, k := range n.Captures {
			b.declared[k.Name] = true
		}
	case *syntax.StructDecl, *syntax.EnumDecl, *syntax.UsingDecl, *syntax.FuncDecl, *syntax.StmtExpr:
		b.opaque = true
	case *syntax.SizeofExpr:
		b.opaque = b.opaque || n.Offset
	case *syntax.CallExpr:
		if x, ok := n.Fun.(*syntax.NameExpr); ok && len(n.Args) > 0 {
			b.called[x] = true
		}
	case *syntax.NameExpr:
		if last := n.Name.Last(); len(n.Name.Parts) == 1 && !n.Name.Global && !last.HasArgs && last.Conversion == nil {
			b.used = append(b.used, n)
		}
	}
	return true
}
