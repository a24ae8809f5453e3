package types

import (
	"slices"

	"metalconform/metalrun/internal/syntax"
)

// deduceCall finds the instance of a function template that a call means, nil if there is none.
func (c *checker) deduceCall(f *function, targs []templateArg, args []operand) *routine {
	var r *routine
	c.attempt(func() {
		b := newBinding(f.decl.Template, f.scope)
		if !c.bindExplicit(b, targs) {
			return
		}
		if !c.deduceArguments(b, f.decl, args) {
			return
		}
		if _, ok := c.bindDefaults(b, f.decl.Pos()); ok {
			r = c.instance(f, b)
		}
	})
	return r
}

// deduceArguments deduces from all arguments of a call. A pack at the end takes
// those that are left.
func (c *checker) deduceArguments(b *binding, d *syntax.FuncDecl, args []operand) bool {
	for i, a := range args {
		p := paramOf(d, i)
		if p.Variadic {
			b.elem = i - len(d.Params) + 1
		}
		if a.list != nil && !p.Variadic {
			continue
		}
		ok := false
		c.within(b.scope, func() { ok = c.deduceParam(b, p.Type, a) })
		if !ok {
			return false
		}
	}
	return true
}

func (c *checker) bindExplicit(b *binding, targs []templateArg) bool {
	targs = flatten(targs)
	if len(targs) > len(b.params) && b.variadic() < 0 {
		return false
	}
	b.given = len(targs)
	if v := b.variadic(); v >= 0 {
		b.given = min(b.given, v)
	}
	return c.setAll(b, targs, syntax.Pos{})
}

// deduceParam deduces from one argument of a call.
func (c *checker) deduceParam(b *binding, p syntax.TypeExpr, op operand) bool {
	if !b.mentionsUnknown(p) {
		return true
	}
	if op.fns != nil {
		return c.deduceFunction(b, p, op)
	}
	if a, ok := p.(*syntax.ArrayType); ok { // a pointer, as a parameter
		ptr, ok := decayed(op).(*Pointer)
		return ok && c.unify(b, a.Elem, pointee(ptr))
	}
	if r, ok := p.(*syntax.ReferenceType); ok {
		a := qual{typ: op.typ(), space: syntax.Thread}
		if op.lvalue {
			a.space, a.isConst, a.volatile = op.space, op.const_, op.volatile
		}
		return c.unify(b, r.Elem, a)
	}
	return c.unify(b, p, plain(decayed(op)))
}

// deduceFunction deduces from an argument that names a function: if it is the only one
// of its name its type is known.
func (c *checker) deduceFunction(b *binding, p syntax.TypeExpr, op operand) bool {
	var r *routine
	if !c.attempt(func() { r = c.theOne(op, op.pos) }) || r == nil {
		return true
	}
	return c.unify(b, p, plain(r.signature()))
}

// mentionsUnknown reports whether a type depends on parameters that are to be
// deduced. What one argument has given, the next has to confirm.
func (b *binding) mentionsUnknown(x syntax.TypeExpr) bool {
	switch x := x.(type) {
	case *syntax.NamedType:
		if i := b.index(x.Name); i >= 0 {
			return i >= b.given
		}
		if b.templateIndex(x.Name) >= b.given && b.templateIndex(x.Name) >= 0 {
			return true
		}
		for _, part := range x.Name.Parts {
			for _, a := range part.Args {
				if a.Type != nil && b.mentionsUnknown(a.Type) {
					return true
				}
				if n, ok := a.X.(*syntax.NameExpr); ok && b.unknownName(n.Name) {
					return true
				}
			}
		}
	case *syntax.QualType:
		return b.mentionsUnknown(x.Base)
	case *syntax.PointerType:
		return b.mentionsUnknown(x.Elem)
	case *syntax.ReferenceType:
		return b.mentionsUnknown(x.Elem)
	case *syntax.ArrayType:
		n, ok := x.Len.(*syntax.NameExpr)
		return b.mentionsUnknown(x.Elem) || ok && b.unknownName(n.Name)
	case *syntax.FuncType:
		if b.mentionsUnknown(x.Result) {
			return true
		}
		return slices.ContainsFunc(x.Params, func(p *syntax.Param) bool { return b.mentionsUnknown(p.Type) })
	}
	return false
}

func (b *binding) unknownName(n *syntax.Name) bool {
	i := b.index(n)
	return i >= b.given
}

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
		if sig, ok := a.typ.(*Signature); ok {
			return c.unify(b, x.Elem, plain(sig))
		}
		p, ok := a.typ.(*Pointer)
		return ok && c.unify(b, x.Elem, pointee(p))
	case *syntax.ReferenceType:
		a.ref, a.rvalueRef = false, false
		return c.unify(b, x.Elem, a)
	case *syntax.ArrayType:
		arr, ok := a.typ.(*Array)
		if !ok {
			return false
		}
		a.typ = arr.Elem
		if x.Len != nil && !c.unifyValue(b, x.Len, templateArg{of: ULong, bits: uint64(arr.Len)}) {
			return false
		}
		return c.unify(b, x.Elem, a)
	case *syntax.FuncType:
		sig, ok := a.typ.(*Signature)
		if !ok || len(sig.Params) != len(x.Params) || !c.unify(b, x.Result, fromType(sig.Result)) {
			return false
		}
		for i, p := range x.Params {
			if !c.unify(b, p.Type, fromType(sig.Params[i])) {
				return false
			}
		}
	}
	return true
}

// unifyName unifies a parameter, or a template with arguments.
func (c *checker) unifyName(b *binding, x *syntax.NamedType, a qual) bool {
	if i := b.index(x.Name); i >= 0 {
		a.ref, a.rvalueRef = false, false
		if b.params[i].Variadic && !b.known[i] {
			return c.setElem(b, i, templateArg{typ: a.typ, q: a}, x.Pos())
		}
		if !b.known[i] {
			return c.set(b, i, templateArg{typ: a.typ, q: a}, x.Pos())
		}
		old := b.args[i]
		return old.typ != nil && Identical(old.typ, a.typ)
	}
	last := x.Name.Last()
	if !last.HasArgs || b.nested(x.Name) {
		return true
	}
	if alias := c.aliasTemplate(x.Name); alias != nil {
		if pattern, ok := substitute(alias, last.Args); ok {
			return c.unify(b, pattern, a)
		}
		return true
	}
	if i := b.templateIndex(x.Name); i >= 0 && !b.known[i] {
		s, ok := a.typ.(*Struct)
		if !ok || c.structs[s] == nil || c.structs[s].template == nil || !c.set(b, i, templateArg{tmpl: c.structs[s].template}, x.Pos()) {
			return false
		}
		return c.unifyArgs(b, last.Args, c.structs[s].targs)
	}
	args, ok := c.argsOf(x.Name, a.typ)
	if !ok {
		return false
	}
	return c.unifyArgs(b, last.Args, args)
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
func (c *checker) argsOf(n *syntax.Name, t Type) ([]templateArg, bool) {
	typ := func(t Type) templateArg { return templateArg{typ: t, q: plain(t)} }
	num := func(n int) templateArg { return templateArg{of: Int, bits: uint64(n)} }
	if s, ok := t.(*Struct); ok && c.structs[s] != nil {
		ent, _, ok := c.resolve(n)
		if !ok {
			return nil, false
		}
		ct, ok := ent.(*classTemplate)
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
	case Vector:
		return []templateArg{typ(t.Elem), num(t.N)}, name == "vec" && !t.Packed || name == "packed_vec" && t.Packed
	case Matrix:
		return []templateArg{typ(t.Elem), num(t.Cols), num(t.Rows)}, name == "matrix"
	case SimdMatrix:
		return []templateArg{typ(t.Elem), num(8), num(8)}, name == "simdgroup_matrix"
	case Atomic:
		return []templateArg{typ(t.Elem)}, name == "atomic" || name == "_atomic"
	}
	return nil, false
}

func (c *checker) unifyArg(b *binding, pattern syntax.TemplateArg, a templateArg) bool {
	if pattern.Type != nil {
		return a.typ != nil && c.unify(b, pattern.Type, a.q)
	}
	return c.unifyValue(b, pattern.X, a)
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
		return old.bits == a.bits && (old.typ == nil) == (a.typ == nil) && (old.typ == nil || Identical(old.typ, a.typ))
	}
	return c.set(b, i, a, x.Pos())
}

// instance is the function that a template becomes with all parameters bound,
// nil after an error.
func (c *checker) instance(f *function, b *binding) *routine {
	key := argsKey(b.args)
	if r, ok := f.instances[key]; ok {
		if r == nil {
			c.muffle()
		} else if r.def == nil && f.def != nil {
			r.def = f.def
		}
		return r
	}
	c.spend(f.decl.Pos(), instanceWork+len(key))
	r := &routine{of: f, decl: f.decl, def: f.def, scope: b.scope, targs: b.args}
	for _, s := range f.special {
		if s.key == key {
			r.decl, r.def, r.scope = s.decl, s.decl, f.scope
			if s.decl.Body == nil {
				r.def = nil
			}
		}
	}
	ctx := c.context
	ctx.limit, ctx.fn = unlimited, nil
	ok := false
	c.in(ctx, func() { ok = c.readSignature(r) })
	if !ok {
		return nil
	}
	f.instances[key] = r
	if hasAuto(r.result.typ) {
		c.ensureBody(r)
	}
	return r
}

// explicitSpecialisation is "template <> R f<args>(params) { … }".
type explicitSpecialisation struct {
	key  string
	decl *syntax.FuncDecl
}

// specialiseFunction records an explicit specialisation.
func (c *checker) specialiseFunction(d *syntax.FuncDecl) {
	set, ok := c.member(c.scope, d.Name.Last().Ident).(*funcSet)
	if !ok {
		c.errorf(d.Pos(), codeUndeclared, "no function template %s to specialise", d.Name.Last().Ident)
		return
	}
	c.specialise(set, d)
}

// specialise records an explicit specialisation of a function template of a set.
func (c *checker) specialise(set *funcSet, d *syntax.FuncDecl) {
	name := d.Name.Last()
	var targs []templateArg
	if name.HasArgs {
		var ok bool
		if targs, ok = c.templateArgs(name); !ok {
			return
		}
	}
	for _, f := range set.list {
		if !f.isTemplate() || len(f.decl.Params) != len(d.Params) {
			continue
		}
		b := c.deduceDeclared(f, targs, d.Params)
		if b == nil || !c.isSpecialisation(f, b, d) {
			continue
		}
		key := argsKey(b.args)
		if r := f.instances[key]; r != nil && r.state != bodyUnchecked {
			c.errorf(d.Pos(), codeSpecialisation, "%s is specialised after it has been used", r.fn.Name)
			return
		}
		delete(f.instances, key)
		f.special = slices.DeleteFunc(f.special, func(s *explicitSpecialisation) bool { return s.key == key && s.decl.Body == nil })
		f.special = append(f.special, &explicitSpecialisation{key, d})
		if r := c.instance(f, b); r != nil && r.def != nil {
			c.defineBody(r)
		}
		return
	}
	c.errorf(d.Pos(), codeNoMatch, "no function template %s fits this specialisation", name.Ident)
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
		p, ok := a.typ.(*Pointer)
		return ok && c.unify(b, arr.Elem, pointee(p))
	}
	return c.unify(b, x, a)
}

// isSpecialisation reports whether d declares what template f becomes with the arguments
// of b: the same parameters and result.
func (c *checker) isSpecialisation(f *function, b *binding, d *syntax.FuncDecl) bool {
	primary := &routine{of: f, decl: f.decl, scope: b.scope, targs: b.args}
	declared := &routine{of: f, decl: d, scope: f.scope, targs: b.args}
	same := false
	ok := c.attempt(func() {
		ctx := c.context
		ctx.limit = unlimited
		c.in(ctx, func() {
			same = c.readSignature(primary) && c.readSignature(declared) && Identical(primary.signature(), declared.signature())
		})
	})
	return ok && same
}

// deduceDeclared binds the parameters of a template from declared parameter
// types, as in an explicit instantiation; nil if they do not fit.
func (c *checker) deduceDeclared(f *function, targs []templateArg, params []*syntax.Param) *binding {
	b := newBinding(f.decl.Template, f.scope)
	good := c.attempt(func() {
		if !c.bindExplicit(b, targs) {
			c.muffled++
			return
		}
		for i, p := range params {
			q, ok := c.paramType(p)
			if !ok || !c.unifyParam(b, f.decl.Params[i].Type, q) {
				c.muffled++
				return
			}
		}
		if _, ok := c.bindDefaults(b, f.decl.Pos()); !ok {
			c.muffled++
		}
	})
	if !good {
		return nil
	}
	return b
}

// specialises reports whether template a is at least as special as b: each
// parameter type of b, as a pattern, matches that of a.
func (c *checker) specialises(a, b *function) bool {
	pa, pb := newBinding(a.decl.Template, nil), newBinding(b.decl.Template, nil)
	for i := range min(len(a.decl.Params), len(b.decl.Params)) {
		if b.decl.Params[i].Variadic {
			return true
		}
		if a.decl.Params[i].Variadic {
			return false
		}
		if !matches(pb, stripReference(b.decl.Params[i].Type), pa, stripReference(a.decl.Params[i].Type)) {
			return false
		}
	}
	return true
}

func stripReference(x syntax.TypeExpr) syntax.TypeExpr {
	if r, ok := x.(*syntax.ReferenceType); ok {
		return r.Elem
	}
	return x
}

// matches reports whether pattern x can become y, where y's own parameters are opaque.
func matches(xb *binding, x syntax.TypeExpr, yb *binding, y syntax.TypeExpr) bool {
	if n, ok := x.(*syntax.NamedType); ok && xb.index(n.Name) >= 0 {
		return true
	}
	switch x := x.(type) {
	case *syntax.QualType:
		q, ok := y.(*syntax.QualType)
		if !ok || x.Quals.Const && !q.Quals.Const || x.Quals.Volatile && !q.Quals.Volatile || x.Quals.Space != syntax.NoSpace && x.Quals.Space != q.Quals.Space {
			return false
		}
		return matches(xb, x.Base, yb, q.Base)
	case *syntax.NamedType:
		n, ok := y.(*syntax.NamedType)
		if !ok || yb.index(n.Name) >= 0 || nameText(x.Name) != nameText(n.Name) {
			return false
		}
		return matchArgs(xb, x.Name.Last().Args, yb, n.Name.Last().Args)
	case *syntax.PointerType:
		p, ok := y.(*syntax.PointerType)
		return ok && matches(xb, x.Elem, yb, p.Elem)
	case *syntax.ReferenceType:
		r, ok := y.(*syntax.ReferenceType)
		return ok && matches(xb, x.Elem, yb, r.Elem)
	case *syntax.ArrayType:
		a, ok := y.(*syntax.ArrayType)
		return ok && matches(xb, x.Elem, yb, a.Elem) && matchArg(xb, syntax.TemplateArg{X: x.Len}, yb, syntax.TemplateArg{X: a.Len})
	}
	return true
}

func matchArgs(xb *binding, x []syntax.TemplateArg, yb *binding, y []syntax.TemplateArg) bool {
	for i, a := range x {
		if a.Pack {
			return true
		}
		if i >= len(y) || y[i].Pack || !matchArg(xb, a, yb, y[i]) {
			return false
		}
	}
	return len(x) == len(y)
}

func matchArg(xb *binding, x syntax.TemplateArg, yb *binding, y syntax.TemplateArg) bool {
	if x.Type != nil {
		return y.Type != nil && matches(xb, x.Type, yb, y.Type)
	}
	n, ok := x.X.(*syntax.NameExpr)
	if ok && xb.index(n.Name) >= 0 {
		return true
	}
	m, ok := y.X.(*syntax.NameExpr)
	return !ok || yb.index(m.Name) < 0
}

// Functions as template arguments

// matching is the function of a set, or instance of a template in it, whose
// type is sig; nil if there is none.
func (c *checker) matching(op operand, sig *Signature) *routine {
	for _, f := range op.fns.list {
		if r := f.plain; r != nil && !op.hasTargs && !f.isTemplate() && f.isStatic() && Identical(r.signature(), sig) {
			return r
		}
	}
	for _, f := range op.fns.list {
		if !f.isTemplate() || len(f.decl.Params) != len(sig.Params) {
			continue
		}
		var r *routine
		c.attempt(func() {
			b := newBinding(f.decl.Template, f.scope)
			if !c.bindExplicit(b, op.targs) {
				return
			}
			for i, p := range f.decl.Params {
				if !c.unifyParam(b, p.Type, fromType(sig.Params[i])) {
					return
				}
			}
			if _, ok := c.bindDefaults(b, f.decl.Pos()); ok {
				r = c.instance(f, b)
			}
		})
		if r != nil && Identical(r.signature(), sig) {
			return r
		}
	}
	return nil
}

// theOne is the single function that a name with its template arguments
// denotes, or nil after an error.
func (c *checker) theOne(op operand, pos syntax.Pos) *routine {
	var found []*routine
	for _, f := range op.fns.list {
		if !f.isTemplate() {
			if !op.hasTargs && f.plain != nil {
				found = append(found, f.plain)
			}
			continue
		}
		b := newBinding(f.decl.Template, f.scope)
		var r *routine
		c.attempt(func() {
			if !c.bindExplicit(b, op.targs) {
				return
			}
			if _, ok := c.bindDefaults(b, pos); ok {
				r = c.instance(f, b)
			}
		})
		if r != nil {
			found = append(found, r)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	if len(found) == 0 {
		if len(op.fns.list) == 1 && op.fns.list[0].isTemplate() {
			c.explainInstance(op.fns.list[0], op.targs, pos)
			return nil
		}
		c.errorf(pos, codeNoMatch, "no function %s has these template arguments", op.fns.name)
		return nil
	}
	defined := slices.DeleteFunc(slices.Clone(found), func(r *routine) bool { return r.def == nil })
	if len(defined) == 1 {
		return defined[0]
	}
	c.errorf(pos, codeAmbiguousCall, "%s names %d functions here", op.fns.name, len(found))
	return nil
}

// explainInstance reports why a function template has no instance for these arguments.
func (c *checker) explainInstance(f *function, targs []templateArg, pos syntax.Pos) {
	b := newBinding(f.decl.Template, f.scope)
	if len(targs) > len(b.params) && b.variadic() < 0 {
		c.errorf(pos, codeTemplateArguments, "got %d template arguments, want at most %d", len(targs), len(b.params))
		return
	}
	if !c.setAll(b, targs, pos) {
		return
	}
	missing, ok := c.bindDefaults(b, pos)
	switch {
	case missing != "":
		c.errorf(pos, codeTemplateArguments, "the template parameter %s of %s has no argument", missing, f.name)
	case ok:
		c.instance(f, b)
	}
}

// conversionTo is the conversion function f, or its instance that leads to t.
func (c *checker) conversionTo(f *function, t Type) *routine {
	if !f.isTemplate() {
		return f.plain
	}
	var r *routine
	c.attempt(func() {
		b := newBinding(f.decl.Template, f.scope)
		if !c.unify(b, f.decl.Name.Last().Conversion, plain(t)) {
			return
		}
		if _, ok := c.bindDefaults(b, f.decl.Pos()); ok {
			r = c.instance(f, b)
		}
	})
	return r
}
