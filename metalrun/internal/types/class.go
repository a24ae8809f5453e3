package types

import (
	"slices"
	"strings"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// A specialisation of a struct or variable template: for all arguments that its
// patterns match.
type specialisation struct {
	tmpl     *syntax.Template
	pos      syntax.Pos
	args     []syntax.TemplateArg
	scope    *scope
	decl     *syntax.StructDecl // of a struct template
	variable *syntax.VarDecl    // of a variable template
	limit    int                // what its members can see of program scope
	key      string             // of the arguments of one without parameters, once known
}

// structTemplate declares a struct template or a specialisation of one.
func (c *checker) structTemplate(d *syntax.StructDecl) {
	if d.Name == nil || len(d.Name.Parts) > 1 {
		c.errorf(d.Pos(), codeUnsupported, "this template of a struct is not supported")
		return
	}
	name := d.Name.Last()
	old, exists := c.member(c.scope, name.Ident).(*classTemplate)
	if !exists && name.HasArgs { // of a namespace that is open here
		old, exists = c.lookup(name.Ident).ent.(*classTemplate)
	}
	if name.HasArgs {
		if !exists || old.alias != nil {
			c.errorf(d.Pos(), codeUndeclared, "no struct template %s to specialise", name.Ident)
			return
		}
		c.spend(d.Pos(), len(old.special)/specialsPerStep)
		for _, s := range old.special {
			if !s.decl.Body && sameSpecial(s, d.Template, name.Args) {
				s.decl, s.tmpl, s.limit = d, d.Template, c.seq // declared before
				return
			}
		}
		old.special = append(old.special, &specialisation{tmpl: d.Template, pos: d.Pos(), decl: d, args: name.Args,
			scope: c.scope, limit: c.seq})
		return
	}
	if exists && old.alias == nil && len(old.tmpl.Params) == len(d.Template.Params) {
		if d.Body && old.decl.Body {
			c.errorf(d.Name.Pos(), codeRedefined, "redefinition of '%s'", name.Ident).Note(old.decl.Name.Pos(),
				"previous definition is here")
			return
		}
		if d.Body {
			inheritDefaults(d.Template, old.tmpl)
			old.decl, old.tmpl = d, d.Template
			old.limit = c.seq
		}
		return
	}
	c.checkHead(d.Template)
	c.unboundInMembers(d)
	c.declare(d.Pos(), name.Ident, &classTemplate{
		name: name.Ident, decl: d, tmpl: d.Template, scope: c.scope, seq: c.nextSeq(), limit: c.seq,
		instances: map[string]qual{},
	})
}

// checkHead refuses a list of parameters that the first declaration of a class template cannot have.
func (c *checker) checkHead(t *syntax.Template) {
	names, defaults := map[string]bool{}, false
	for i, p := range t.Params {
		given := p.Default != nil || p.DefaultType != nil
		switch {
		case p.Name != "" && names[p.Name]:
			c.errorf(p.Pos(), codeRedeclared, "declaration of '%s' shadows template parameter", p.Name)
		case p.Variadic && i < len(t.Params)-1:
			c.errorf(p.Pos(), codeTemplateParameter, "template parameter pack must be the last template parameter")
		case defaults && !given && !p.Variadic:
			c.errorf(p.Pos(), codeTemplateParameter, "template parameter missing a default argument")
		}
		names[p.Name], defaults = true, defaults || given
	}
}

// inheritDefaults gives a template's definition the default arguments of its declaration.
func inheritDefaults(def, decl *syntax.Template) {
	for i, p := range def.Params {
		if p.Default == nil && p.DefaultType == nil {
			p.Default, p.DefaultType = decl.Params[i].Default, decl.Params[i].DefaultType
		}
	}
}

// instantiateClass is the type that a struct or alias template becomes with the
// arguments of p.
func (c *checker) instantiateClass(t *classTemplate, p *syntax.NamePart) (qual, bool) {
	if !p.HasArgs {
		for s := c.scope; s != nil; s = s.parent { // the injected name
			if s.kind == structScope && s.str.template == t {
				return plain(s.str.typ), true
			}
		}
		c.errorf(p.Pos, codeTemplateArguments, "the template %s needs arguments", t.name)
		return qual{}, false
	}
	targs, ok := c.templateArgs(p)
	if !ok {
		return qual{}, false
	}
	return c.classInstance(t, targs, p.Pos)
}

func (c *checker) classInstance(t *classTemplate, targs []templateArg, pos syntax.Pos) (qual, bool) {
	if pos.File != preludeName {
		c.user = pos
	}
	b := newBinding(t.tmpl, t.scope)
	if len(targs) > len(b.params) && b.variadic() < 0 {
		c.errorf(pos, codeTemplateArguments, "got %d template arguments, want at most %d for %s", len(targs),
			len(b.params), t.name)
		return qual{}, false
	}
	if !c.setAll(b, targs, pos) {
		return qual{}, false
	}
	if missing, ok := c.bindDefaults(b, pos); !ok {
		if missing != "" {
			c.errorf(pos, codeTemplateArguments, "the template parameter %s of %s has no argument", missing, t.name)
		}
		return qual{}, false
	}
	key := argsKey(b.args)
	if q, ok := t.instances[key]; ok {
		return c.completed(t, q, b, pos)
	}
	if c.tooDeep(pos) {
		return qual{}, false
	}
	ctx := context{scope: b.scope, limit: t.limit, math: c.math, depth: c.depth + 1, user: c.user}
	ctx.from = &instantiation{"template class '" + t.name + argsText(b.args) + "'", pos, c.from}
	if t.alias != nil {
		var q qual
		ok := false
		ctx.limit = unlimited
		c.in(ctx, func() { q, ok = c.typeOf(t.alias.Type) })
		if ok {
			t.instances[key] = q
		}
		return q, ok
	}
	return c.structInstance(t, b, key, ctx, pos)
}

// completed is an instance made earlier, defined now if only its declaration was known then.
func (c *checker) completed(t *classTemplate, q qual, b *binding, pos syntax.Pos) (qual, bool) {
	s, ok := q.typ.(*hir.Struct)
	if !ok || t.alias != nil {
		return q, true
	}
	if info := c.structs[s]; !info.complete && !info.decl.Body && t.decl.Body {
		ctx := context{scope: b.scope, limit: t.limit, math: c.math, depth: c.depth + 1, user: c.user}
		ctx.from = &instantiation{"template class '" + s.String() + "'", pos, c.from}
		c.defineInstance(info, t.decl, ctx)
	}
	return q, true
}

func (c *checker) structInstance(t *classTemplate, b *binding, key string, ctx context, pos syntax.Pos) (qual, bool) {
	c.spend(pos, instanceWork+len(key))
	special, chosen, ok := c.chooseSpecial(t.name, t.tmpl, t.scope, t.special, b.args, pos)
	if !ok {
		return qual{}, false
	}
	decl, limit := t.decl, t.limit
	if special == nil {
		chosen = b
	} else {
		decl, limit = special.decl, special.limit
	}
	ctx.scope, ctx.limit = chosen.scope, limit
	info := c.newStruct(decl, t.name, chosen.scope)
	prefix := t.scope.path
	if t.scope.kind == structScope {
		prefix = t.scope.str.typ.Name + "::"
	}
	info.typ.Name = prefix + t.name + argsText(b.args)
	info.template, info.targs, info.lazy, info.limit = t, b.args, true, limit
	q := plain(info.typ)
	t.instances[key] = q
	if decl.Body {
		c.defineInstance(info, decl, ctx)
	}
	return q, true
}

// defineInstance reads the members of an instance in the context of its template.
func (c *checker) defineInstance(info *structInfo, decl *syntax.StructDecl, ctx context) {
	speculating, suppressed, converting := c.speculating, c.suppressed, c.converting
	c.speculating, c.converting = 0, 0
	c.deferDiagnostics(info, func() { c.in(ctx, func() { c.define(info, decl) }) })
	c.speculating, c.suppressed, c.converting = speculating, suppressed, converting
}

// chooseSpecial finds the most special specialisation for the arguments of a
// template, nil if the template itself is meant.
func (c *checker) chooseSpecial(name string, tmpl *syntax.Template, scope *scope, list []*specialisation,
	args []templateArg, pos syntax.Pos) (*specialisation, *binding, bool) {
	var best *specialisation
	var bound *binding
	key := argsKey(args)
	for _, s := range list {
		if s.key != "" && s.key != key {
			continue
		}
		c.spend(pos, specialWork*max(1, len(args)))
		b := c.matchSpecial(tmpl, scope, s, args)
		if b == nil {
			continue
		}
		switch {
		case best == nil || moreSpecial(s, best) && !moreSpecial(best, s):
			best, bound = s, b
		case moreSpecial(s, best) == moreSpecial(best, s):
			c.errorf(pos, codeAmbiguousCall, "ambiguous partial specializations of '%s'", name).
				Note(best.pos, "partial specialization matches").Note(s.pos, "partial specialization matches")
			return nil, nil, false
		}
	}
	return best, bound, true
}

// matchSpecial binds the parameters of a specialisation so that its patterns
// become the arguments; nil if they do not match.
func (c *checker) matchSpecial(tmpl *syntax.Template, scope *scope, s *specialisation, args []templateArg) *binding {
	b := newBinding(s.tmpl, s.scope)
	ctx := c.context
	ctx.scope, ctx.limit = b.scope, unlimited
	ok := c.attempt(func() {
		c.in(ctx, func() {
			if !c.becomes(b, tmpl, scope, s, args) {
				c.suppressed++
			}
		})
	})
	if !ok {
		return nil
	}
	return b
}

// becomes reports whether the patterns of a specialisation are the arguments once its
// parameters, which it binds, are known.
func (c *checker) becomes(b *binding, tmpl *syntax.Template, scope *scope, s *specialisation, args []templateArg) bool {
	if len(s.tmpl.Params) > 0 {
		if !c.unifyArgs(b, s.args, args) {
			return false
		}
		b.closePacks()
		if slices.Contains(b.known, false) {
			return false
		}
	}
	again := newBinding(tmpl, scope)
	list, ok := c.templateArgList(s.args, s.pos)
	if !ok || !c.setAll(again, list, s.pos) {
		return false
	}
	if _, ok = c.bindDefaults(again, s.pos); !ok {
		return false
	}
	key := argsKey(again.args)
	if len(s.tmpl.Params) == 0 {
		s.key = key
	}
	return key == argsKey(args)
}

// moreSpecial reports whether the patterns of b match those of a.
func moreSpecial(a, b *specialisation) bool {
	if full, other := len(a.tmpl.Params) == 0, len(b.tmpl.Params) == 0; full != other {
		return full
	}
	n := max(len(a.args), len(b.args))
	if !slices.ContainsFunc(slices.Concat(a.args, b.args), func(x syntax.TemplateArg) bool { return x.Pack }) {
		n = min(len(a.args), len(b.args)) // one leaves defaults out
	}
	return newMatch(b.tmpl, a.tmpl).args(b.args[:min(n, len(b.args))], a.args[:min(n, len(a.args))])
}

// sameSpecial reports whether a specialisation has the patterns of s.
func sameSpecial(s *specialisation, tmpl *syntax.Template, args []syntax.TemplateArg) bool {
	o := &specialisation{tmpl: tmpl, args: args}
	return len(s.args) == len(args) && moreSpecial(s, o) && moreSpecial(o, s)
}

// methodDecl declares a member function, constructor or operator of a struct.
func (c *checker) methodDecl(info *structInfo, d *syntax.FuncDecl) {
	name := d.Name.Last()
	if d.Template != nil && len(d.Template.Params) == 0 {
		c.specialiseMember(info, d)
		return
	}
	if stageOf(d) != "" {
		return
	}
	if isDestructor(d) {
		c.destructors = true
		c.destructorDecl(info, d)
		return
	}
	if isKernel(d) {
		c.errorf(d.Pos(), codeKernelMember, "a kernel cannot be a member of a struct")
		return
	}
	if d.Specs.Friend {
		c.friendFunction(info, d)
		return
	}
	f := &function{name: name.Ident, decl: d, scope: c.scope, owner: info}
	info.protectFunction(f)
	switch {
	case f.isConstructor():
		if name.Ident != lastPart(bare(info.typ.Name)) {
			c.errorf(d.Pos(), codeUnknownType, "%s has no result type", name.Ident)
			return
		}
		set := &funcSet{name: name.Ident, list: info.ctors}
		c.addFunction(set, f)
		info.ctors = set.list
	case name.Conversion != nil:
		f.name = "operator"
		set := &funcSet{name: f.name}
		c.addFunction(set, f)
		info.convs = append(info.convs, set.list...)
	default:
		if name.Ident == "operator=" {
			if d.Default {
				return
			}
			info.assigned = true
		}
		if set := c.funcSetOf(d.Pos(), info.scope, name.Ident); set != nil {
			c.addFunction(set, f)
		}
	}
}

// bare is a struct's name without template arguments.
func bare(name string) string {
	if i := strings.IndexByte(name, '<'); i >= 0 && strings.HasSuffix(name, ">") {
		return name[:i]
	}
	return name
}
