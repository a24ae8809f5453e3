package types

import (
	"bytes"
	"slices"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// Unification makes a pattern, a type as written that mentions parameters of a template,
// equal to a type by binding those parameters.

// unify binds the parameters in pattern x so that it becomes a; it reports
// false if that is impossible. Whatever does not depend on parameters is left
// to the conversion of arguments.
func (c *checker) unify(b *binding, x syntax.TypeExpr, a qual) bool {
	switch x := x.(type) {
	case *syntax.QualType:
		if s := x.Quals.Space; s != syntax.NoSpace {
			if a.space != syntax.NoSpace && a.space != s {
				return false
			}
			a.space = syntax.NoSpace
			a.isConst = a.isConst && s != syntax.Constant // implied there, and no part of the type
		}
		if x.Quals.Const {
			a.isConst = false
		}
		if x.Quals.Volatile {
			a.volatile = false
		}
		return c.unify(b, x.Base, a)
	case *syntax.NamedType:
		return c.unifyName(b, x, a)
	case *syntax.PointerType:
		if sig, ok := a.typ.(*hir.Signature); ok {
			return c.unify(b, x.Elem, plain(sig))
		}
		p, ok := a.typ.(*hir.Pointer)
		return ok && c.unify(b, x.Elem, pointee(p))
	case *syntax.ReferenceType:
		a.ref, a.rvalueRef = false, false
		return c.unify(b, x.Elem, a)
	case *syntax.ArrayType:
		arr, ok := a.typ.(*hir.Array)
		if !ok {
			return false
		}
		a.typ = arr.Elem
		if x.Len != nil && !c.unifyValue(b, x.Len, templateArg{of: hir.ULong, bits: uint64(arr.Len)}) {
			return false
		}
		return c.unify(b, x.Elem, a)
	case *syntax.FuncType:
		sig, ok := a.typ.(*hir.Signature)
		return ok && c.unify(b, x.Result, fromType(sig.Result)) && c.unifyParams(b, x.Params, sig.Params)
	}
	return true
}

// unifyParams unifies the parameters of a function type; a pack at the end takes those that are left.
func (c *checker) unifyParams(b *binding, patterns []*syntax.Param, params []hir.Type) bool {
	saved := b.elem
	defer func() { b.elem = saved }()
	for i, p := range patterns {
		if p.Variadic {
			for k := range params[min(i, len(params)):] {
				b.elem = k
				if !c.unify(b, p.Type, fromType(params[i+k])) {
					return false
				}
			}
			return true
		}
		if i >= len(params) || !c.unify(b, p.Type, fromType(params[i])) {
			return false
		}
	}
	return len(params) == len(patterns)
}

// unifyName unifies a parameter, or a template with arguments.
func (c *checker) unifyName(b *binding, x *syntax.NamedType, a qual) bool {
	if i := b.index(x.Name); i >= 0 {
		if b.params[i].Variadic && !b.known[i] {
			return c.setElem(b, i, templateArg{typ: a.typ, q: a}, x.Pos())
		}
		if !b.known[i] {
			return c.set(b, i, templateArg{typ: a.typ, q: a}, x.Pos())
		}
		old := b.args[i]
		return old.typ != nil && hir.Identical(old.typ, a.typ)
	}
	last := x.Name.Last()
	if !last.HasArgs || b.nested(x.Name) {
		return true
	}
	if alias := c.aliasTemplate(x.Name); alias != nil {
		return c.unifyAlias(b, alias, last.Args, a)
	}
	if i := b.templateIndex(x.Name); i >= 0 && !b.known[i] {
		s, ok := a.typ.(*hir.Struct)
		if !ok || c.structs[s] == nil || c.structs[s].template == nil ||
			!c.set(b, i, templateArg{tmpl: c.structs[s].template}, x.Pos()) {
			return false
		}
		return c.unifyArgs(b, last.Args, c.structs[s].targs)
	}
	if s, ok := a.typ.(*hir.Struct); ok && c.structs[s] != nil {
		return c.unifyInstances(b, x.Name, c.structs[s])
	}
	args, ok := c.argsOf(x.Name, a.typ)
	if !ok {
		return false
	}
	return c.unifyArgs(b, last.Args, args)
}

// unifyInstances unifies an instance of a template with a class, or else with the first of
// its bases that fits.
func (c *checker) unifyInstances(b *binding, n *syntax.Name, info *structInfo) bool {
	ent, _, ok := c.resolve(n)
	if !ok {
		return false
	}
	t, ok := c.templateOf(ent)
	if !ok {
		return false
	}
	var within func(info *structInfo) bool
	within = func(info *structInfo) bool {
		if info.template == t {
			saved := b.save()
			if c.unifyArgs(b, n.Last().Args, info.targs) {
				return true
			}
			b.restore(saved)
		}
		return slices.ContainsFunc(info.bases, within)
	}
	return within(info)
}

// unifyAlias unifies what an alias template stands for. The template that this names is the
// one that the alias sees.
func (c *checker) unifyAlias(b *binding, alias *classTemplate, patterns []syntax.TemplateArg, a qual) bool {
	pattern, ok := substitute(alias, patterns)
	if !ok {
		return true
	}
	written, isName := alias.alias.Type.(*syntax.NamedType)
	if !isName || !written.Name.Last().HasArgs {
		return c.unify(b, pattern, a)
	}
	var inner *classTemplate
	var args []templateArg
	known := false
	ctx := c.context
	ctx.scope = alias.scope
	c.in(ctx, func() {
		if inner = c.aliasTemplate(written.Name); inner == nil {
			c.attempt(func() { args, known = c.argsOf(written.Name, a.typ) })
		}
	})
	patterns = pattern.(*syntax.NamedType).Name.Last().Args
	if inner != nil {
		return c.unifyAlias(b, inner, patterns, a)
	}
	if b.nested(written.Name) {
		return true
	}
	return known && c.unifyArgs(b, patterns, args)
}

// nested reports whether a name is a member of something that depends on parameters:
// nothing is deduced from it.
func (b *binding) nested(n *syntax.Name) bool {
	for _, part := range n.Parts[:len(n.Parts)-1] {
		if part.HasArgs || b.index(&syntax.Name{Parts: []syntax.NamePart{part}}) >= 0 {
			return true
		}
	}
	return false
}

// aliasTemplate is the alias template that a name denotes, or nil.
func (c *checker) aliasTemplate(n *syntax.Name) (t *classTemplate) {
	c.attempt(func() {
		if ent, _, ok := c.resolve(n); ok {
			t, _ = ent.(*classTemplate)
		}
	})
	if t == nil || t.alias == nil {
		return nil
	}
	return t
}

// unifyArgs unifies the arguments of a template. Those that patterns leave out have defaults.
func (c *checker) unifyArgs(b *binding, patterns []syntax.TemplateArg, args []templateArg) bool {
	args = flatten(args)
	for i, pattern := range patterns {
		if pattern.Pack {
			saved := b.elem
			for k, a := range args[min(i, len(args)):] {
				b.elem = k
				if !c.unifyArg(b, pattern, a) {
					return false
				}
			}
			b.elem = saved
			return true
		}
		if i >= len(args) || !c.unifyArg(b, pattern, args[i]) {
			return false
		}
	}
	return true
}

// setElem binds the element of parameter pack i that is being deduced.
func (c *checker) setElem(b *binding, i int, a templateArg, pos syntax.Pos) bool {
	pack := b.args[i].pack
	if b.elem < len(pack) {
		return b.elem < len(pack) && argsKey(pack[b.elem:b.elem+1]) == argsKey([]templateArg{a})
	}
	return c.set(b, i, a, pos)
}

// argsOf takes the instance t of a template apart.
func (c *checker) argsOf(n *syntax.Name, t hir.Type) ([]templateArg, bool) {
	typ := func(t hir.Type) templateArg { return templateArg{typ: t, q: plain(t)} }
	num := func(n int) templateArg { return templateArg{of: hir.Int, bits: uint64(n)} }
	if s, ok := t.(*hir.Struct); ok && c.structs[s] != nil {
		ent, _, ok := c.resolve(n)
		if !ok {
			return nil, false
		}
		ct, ok := c.templateOf(ent)
		if !ok {
			return nil, false
		}
		for info := c.structs[s]; ; info = info.bases[0] {
			if info.template == ct {
				return info.targs, true
			}
			if len(info.bases) == 0 {
				return nil, false
			}
		}
	}
	switch name := n.Last().Ident; t := t.(type) {
	case hir.Vector:
		return []templateArg{typ(t.Elem), num(t.N)}, name == "vec" && !t.Packed || name == "packed_vec" && t.Packed
	case hir.Matrix:
		return []templateArg{typ(t.Elem), num(t.Cols), num(t.Rows)}, name == "matrix"
	case hir.SimdMatrix:
		return []templateArg{typ(t.Elem), num(8), num(8)}, name == "simdgroup_matrix"
	case hir.Atomic:
		return []templateArg{typ(t.Elem)}, name == "atomic" || name == "_atomic"
	}
	return nil, false
}

// templateOf is the class template that an entity is, or whose instance it is: inside of
// a class its name means both.
func (c *checker) templateOf(ent entity) (*classTemplate, bool) {
	switch e := ent.(type) {
	case *classTemplate:
		return e, true
	case *typeEntity:
		if s, ok := e.q.typ.(*hir.Struct); ok && c.structs[s] != nil && c.structs[s].template != nil {
			return c.structs[s].template, true
		}
	}
	return nil, false
}

func (c *checker) unifyArg(b *binding, pattern syntax.TemplateArg, a templateArg) bool {
	if a.tmpl != nil {
		return c.unifyTemplate(b, pattern, a)
	}
	if pattern.Type != nil {
		return a.typ != nil && c.unify(b, pattern.Type, a.q)
	}
	return c.unifyValue(b, pattern.X, a)
}

// unifyTemplate unifies the name of a template.
func (c *checker) unifyTemplate(b *binding, pattern syntax.TemplateArg, a templateArg) bool {
	n, ok := pattern.Type.(*syntax.NamedType)
	if !ok {
		return false
	}
	i := b.templateIndex(n.Name)
	switch {
	case i < 0:
		ent, _, _ := c.resolve(n.Name)
		tmpl, ok := c.templateOf(ent)
		return ok && tmpl == a.tmpl
	case b.known[i]:
		return b.args[i].tmpl == a.tmpl
	}
	return c.set(b, i, a, n.Pos())
}

// unifyValue unifies a pattern that is an expression.
func (c *checker) unifyValue(b *binding, x syntax.Expr, a templateArg) bool {
	n, ok := x.(*syntax.NameExpr)
	if !ok {
		return true
	}
	i := b.index(n.Name)
	if i < 0 {
		return true
	}
	if b.params[i].Variadic && !b.known[i] {
		return c.setElem(b, i, a, x.Pos())
	}
	if b.known[i] {
		old := b.args[i]
		return old.bits == a.bits && bytes.Equal(old.data, a.data) && (old.typ == nil) == (a.typ == nil) &&
			(old.typ == nil || hir.Identical(old.typ, a.typ))
	}
	return c.set(b, i, a, x.Pos())
}

// unifyParam unifies the declared type of a parameter: an array is a pointer there.
func (c *checker) unifyParam(b *binding, x syntax.TypeExpr, a qual) (ok bool) {
	ctx := c.context
	ctx.scope, ctx.limit = b.scope, unlimited
	c.in(ctx, func() { ok = c.unifyDeclared(b, x, a) })
	return ok
}

func (c *checker) unifyDeclared(b *binding, x syntax.TypeExpr, a qual) bool {
	if arr, ok := x.(*syntax.ArrayType); ok {
		p, ok := a.typ.(*hir.Pointer)
		return ok && c.unify(b, arr.Elem, pointee(p))
	}
	return c.unify(b, x, a)
}
