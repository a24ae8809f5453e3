package types

import (
	"slices"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// Deduction of the arguments of a class template from what an object of it is made from:
// overload resolution among guides, which are written or follow from constructors.

// deducedType is a class template named without arguments, until its initialiser is known.
type deducedType struct{ template *classTemplate }

func (deducedType) Size() int        { return 0 }
func (deducedType) Align() int       { return 1 }
func (t deducedType) String() string { return t.template.name }

// deducible reports whether a class template named without arguments stands for a type that
// its initialiser gives: outside of the class itself, in language versions based on C++17.
func (c *checker) deducible(t *classTemplate, p *syntax.NamePart) bool {
	if p.HasArgs || t.alias != nil || c.cfg.Version < 400 {
		return false
	}
	for s := c.scope; s != nil; s = s.parent {
		if s.kind == structScope && s.str.template == t {
			return false
		}
	}
	return true
}

// guide declares a deduction guide.
func (c *checker) guide(d *syntax.FuncDecl) {
	t, ok := c.lookup(d.Name.Last().Ident).ent.(*classTemplate)
	if !ok || t.alias != nil {
		c.errorf(d.Pos(), codeUndeclared, "no struct template %s to guide", d.Name.Last().Ident)
		return
	}
	f := c.guideFunction(t, d)
	if !f.isTemplate() {
		r, ok := c.plainRoutine(f)
		if !ok {
			return
		}
		f.plain = r
	}
	t.guides = append(t.guides, f)
}

// guideFunction is a function whose result is the type that a guide deduces.
func (c *checker) guideFunction(t *classTemplate, d *syntax.FuncDecl) *function {
	return &function{name: t.name, decl: d, scope: t.scope, definitionPoint: definitionPoint{limit: unlimited},
		instances: map[string]*routine{}}
}

// deduceClass finds the instance of a class template that args make.
func (c *checker) deduceClass(d deducedType, args []syntax.Expr, pos syntax.Pos) (hir.Type, bool) {
	t := d.template
	ops, ok := c.arguments(args)
	if !ok {
		return nil, false
	}
	if len(ops) == 1 && ops[0].expr != nil {
		if s, ok := ops[0].typ().(*hir.Struct); ok && c.structs[s] != nil && c.structs[s].template == t {
			return s, true
		}
	}
	set := &funcSet{name: t.name, list: slices.Concat(t.guides, c.implicitGuides(t))}
	r := c.overload(pos, set, nil, nil, false, ops)
	if r == nil {
		return nil, false
	}
	return r.result.typ, true
}

// implicitGuides are the guides that follow from the constructors of a template.
func (c *checker) implicitGuides(t *classTemplate) []*function {
	var list []*function
	made := false
	for _, m := range t.decl.Members {
		f, ok := m.(*syntax.FuncDecl)
		if !ok || f.Result != nil || f.Name.Last().Conversion != nil || f.Name.Last().Ident != t.name {
			continue
		}
		made = made || len(f.Params) == 0
		list = append(list, c.implicitGuide(t, f))
	}
	if !made {
		d := &syntax.FuncDecl{}
		d.SetPos(t.decl.Pos())
		list = append(list, c.implicitGuide(t, d))
	}
	return list
}

// implicitGuide is the guide that follows from a constructor: it has the parameters of both
// templates.
func (c *checker) implicitGuide(t *classTemplate, ctor *syntax.FuncDecl) *function {
	d := &syntax.FuncDecl{Template: &syntax.Template{Params: slices.Clone(t.tmpl.Params)}, Guide: true,
		Params: ctor.Params}
	d.SetPos(ctor.Pos())
	if ctor.Template != nil {
		d.Template.Params = append(d.Template.Params, ctor.Template.Params...)
	}
	whole := syntax.NamePart{Pos: ctor.Pos(), Ident: t.name, HasArgs: true}
	for _, p := range t.tmpl.Params {
		n := &syntax.Name{Parts: []syntax.NamePart{{Pos: ctor.Pos(), Ident: p.Name}}}
		n.SetPos(ctor.Pos())
		a := syntax.TemplateArg{Pack: p.Variadic}
		if p.Type != nil {
			x := &syntax.NameExpr{Name: n}
			x.SetPos(ctor.Pos())
			a.X = x
		} else {
			x := &syntax.NamedType{Name: n}
			x.SetPos(ctor.Pos())
			a.Type = x
		}
		whole.Args = append(whole.Args, a)
	}
	result := &syntax.NamedType{Name: &syntax.Name{Parts: []syntax.NamePart{whole}}}
	result.SetPos(ctor.Pos())
	result.Name.SetPos(ctor.Pos())
	d.Result = result
	d.Name = &syntax.Name{Parts: []syntax.NamePart{{Pos: ctor.Pos(), Ident: t.name}}}
	d.Name.SetPos(ctor.Pos())
	f := c.guideFunction(t, d)
	f.implicit = true
	return f
}
