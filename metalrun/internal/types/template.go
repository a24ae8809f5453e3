package types

import (
	"fmt"
	"slices"
	"strings"

	"metalconform/metalrun/internal/syntax"
)

// A templateArg is a type (typ is set), a constant (of is set) or a function
// (fns is set).
type templateArg struct {
	typ  Type
	q    qual // the type with its qualifiers
	of   Type
	bits uint64
	fns  *funcSet
	r    *routine // the one of fns, once the parameter's type has chosen it
	op   operand  // the name of functions as written
}

func (a templateArg) String() string {
	switch {
	case a.typ != nil:
		return a.q.String()
	case a.r != nil:
		return a.r.fn.Name
	case a.fns != nil:
		return a.fns.name
	case a.of == Bool:
		return fmt.Sprint(a.bits != 0)
	case scalarKind(a.of).IsSigned():
		return fmt.Sprint(int64(a.bits))
	}
	return fmt.Sprint(a.bits)
}

func argsText(args []templateArg) string {
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = a.String()
	}
	return "<" + strings.Join(texts, ", ") + ">"
}

// argsKey is the identity of template arguments.
func argsKey(args []templateArg) string {
	var b strings.Builder
	for _, a := range args {
		switch {
		case a.typ != nil:
			fmt.Fprintf(&b, "%s%s", a.q, typeKey(a.typ))
		case a.r != nil:
			fmt.Fprintf(&b, "%p", a.r)
		default:
			fmt.Fprintf(&b, "%s %d", a.of, int64(a.bits))
		}
		b.WriteByte(';')
	}
	return b.String()
}

// typeKey tells apart what has one name: definitions are identities.
func typeKey(t Type) string {
	switch t := t.(type) {
	case *Struct, *Enum:
		return fmt.Sprintf("%p", t)
	case *Pointer:
		return typeKey(t.Elem)
	case *Array:
		return typeKey(t.Elem)
	}
	return ""
}

// templateArgs checks explicit template arguments.
func (c *checker) templateArgs(p *syntax.NamePart) ([]templateArg, bool) {
	var args []templateArg
	for _, a := range p.Args {
		arg, ok := c.templateArg(a, p.Pos)
		if !ok {
			return nil, false
		}
		args = append(args, arg)
	}
	return args, true
}

func (c *checker) templateArg(a syntax.TemplateArg, pos syntax.Pos) (templateArg, bool) {
	if a.Type != nil {
		q, ok := c.typeOf(a.Type)
		return templateArg{typ: q.typ, q: q}, ok
	}
	if n, ok := a.X.(*syntax.NameExpr); ok {
		if q, ok := c.namesType(n.Name); ok {
			return templateArg{typ: q.typ, q: q}, true
		}
	}
	op := c.expr(a.X)
	if op.bad() {
		return templateArg{}, false
	}
	if u, ok := a.X.(*syntax.UnaryExpr); ok && u.Op == "&" && op.fns != nil || op.fns != nil {
		return templateArg{fns: op.fns, op: op}, true
	}
	e := c.rvalue(op)
	if e == nil {
		return templateArg{}, false
	}
	if _, ok := e.Type().(*Struct); ok {
		if k, ok := c.toIntegral(value(e), a.X.Pos()); ok {
			e = k
		}
	}
	if scalarKind(e.Type()) == Void {
		c.errorf(a.X.Pos(), codeTemplateArguments, "got a template argument of type %s, want a type, an integer constant or a function", e.Type())
		return templateArg{}, false
	}
	k, ok := c.constEval(e)
	if !ok {
		c.notConstant(e, "a template argument")
		return templateArg{}, false
	}
	return templateArg{of: e.Type(), bits: k.Bits}, true
}

// namesType reports whether a name in an expression turns out to be a type.
func (c *checker) namesType(n *syntax.Name) (q qual, ok bool) {
	isType := false
	c.attempt(func() {
		ent, _, ok := c.resolve(n)
		if !ok {
			return
		}
		switch ent.(type) {
		case *typeEntity, *classTemplate:
			isType = true
		case nil:
			isType = len(n.Parts) == 1 && plainBuiltin(n.Last().Ident) != nil
		}
	})
	if !isType {
		return qual{}, false
	}
	nt := &syntax.NamedType{Name: n}
	nt.SetPos(n.Pos())
	return c.namedType(nt)
}

// typeArg is a template argument that has to be a type.
func (c *checker) typeArg(a syntax.TemplateArg, pos syntax.Pos) (qual, bool) {
	arg, ok := c.templateArg(a, pos)
	if ok && arg.typ == nil {
		c.errorf(pos, codeTemplateArguments, "got a value as template argument, want a type")
		return qual{}, false
	}
	return arg.q, ok
}

// intArg is a template argument that has to be an integer constant.
func (c *checker) intArg(a syntax.TemplateArg, pos syntax.Pos) (int64, bool) {
	arg, ok := c.templateArg(a, pos)
	if ok && arg.of == nil {
		c.errorf(pos, codeTemplateArguments, "got a type as template argument, want an integer constant")
		return 0, false
	}
	return int64(arg.bits), ok
}

// Binding

// A binding gives the parameters of a template their arguments, one by one.
type binding struct {
	params []*syntax.TemplateParam
	args   []templateArg // as far as known
	known  []bool
	given  int    // arguments written explicitly
	scope  *scope // declares those that are known; the parent is the template's scope
}

func newBinding(t *syntax.Template, outer *scope) *binding {
	return &binding{
		params: t.Params, args: make([]templateArg, len(t.Params)), known: make([]bool, len(t.Params)),
		scope: newScope(outer, blockScope),
	}
}

// index is the number of the parameter that a name stands for, or -1.
func (b *binding) index(n *syntax.Name) int {
	if len(n.Parts) != 1 || n.Parts[0].HasArgs || n.Global {
		return -1
	}
	for i, p := range b.params {
		if p.Name == n.Parts[0].Ident {
			return i
		}
	}
	return -1
}

// set binds parameter i, converting the argument to the parameter's type.
func (c *checker) set(b *binding, i int, a templateArg, pos syntax.Pos) bool {
	p := b.params[i]
	if p.Variadic {
		c.errorf(p.Pos(), codeUnsupported, "parameter packs are not supported")
		return false
	}
	if p.Type == nil {
		if a.typ == nil {
			c.errorf(pos, codeTemplateArguments, "got %s for template parameter %s, want a type", a, p.Name)
			return false
		}
	} else {
		var ok bool
		if a, ok = c.valueArg(b, p, a, pos); !ok {
			return false
		}
	}
	b.args[i], b.known[i] = a, true
	if p.Name == "" {
		return true
	}
	switch {
	case a.typ != nil:
		b.scope.names[p.Name] = &typeEntity{q: a.q}
	case a.r != nil:
		b.scope.names[p.Name] = &routineEntity{set: &funcSet{name: a.r.of.name, list: []*function{a.r.of}}, targs: a.r.targs, hasTargs: len(a.r.targs) > 0}
	default:
		b.scope.names[p.Name] = &valueEntity{typ: a.of, bits: a.bits}
	}
	return true
}

// valueArg converts an argument to the type of a non-type parameter.
func (c *checker) valueArg(b *binding, p *syntax.TemplateParam, a templateArg, pos syntax.Pos) (templateArg, bool) {
	ctx := c.context
	ctx.scope = b.scope
	var q qual
	ok := false
	c.in(ctx, func() { q, ok = c.typeOrAuto(p.Type) })
	if !ok {
		return a, false
	}
	if sig, isSig := q.typ.(*Signature); isSig {
		if a.fns == nil {
			c.errorf(pos, codeTemplateArguments, "got %s for template parameter %s, want a function of type %s", a, p.Name, sig)
			return a, false
		}
		if a.r = c.matching(a.op, sig); a.r == nil {
			c.errorf(pos, codeTemplateArguments, "no function %s has the type %s of template parameter %s", a.fns.name, sig, p.Name)
			return a, false
		}
		return a, true
	}
	if a.of == nil {
		c.errorf(pos, codeTemplateArguments, "got %s for template parameter %s, want a value", a, p.Name)
		return a, false
	}
	if hasAuto(q.typ) {
		return a, true
	}
	if !isIntegralOrEnum(q.typ) {
		c.errorf(p.Pos(), codeTemplateParameter, "got a template parameter of type %s, want an integer, bool, enumeration or function", q.typ)
		return a, false
	}
	e := c.convert(constant(pos, a.of, a.bits), q.typ, pos)
	if e == nil {
		return a, false
	}
	k, ok := c.constEval(e)
	if !ok {
		c.notConstant(e, "a template argument")
		return a, false
	}
	if from, to := arithmeticKind(a.of), arithmeticKind(q.typ); from.IsFloat() || to != Bool && from != Void && !fitsValue(a.bits, from, to) {
		c.errorf(pos, codeNarrowing, "template argument %s does not fit parameter %s of type %s", a, p.Name, q.typ)
		return a, false
	}
	return templateArg{of: q.typ, bits: k.Bits}, true
}

// fitsValue reports whether an integer of kind from is one of kind to as well.
func fitsValue(bits uint64, from, to Kind) bool {
	if !to.IsInteger() {
		return true
	}
	if int64(bits) < 0 && !from.IsSigned() {
		return to == ULong
	}
	return fits(int64(bits), to)
}

// finish fills the remaining parameters with their defaults; missing is the
// first that has none.
func (c *checker) bindDefaults(b *binding, pos syntax.Pos) (missing string, ok bool) {
	for i, p := range b.params {
		if b.known[i] {
			continue
		}
		ctx := c.context
		ctx.scope = b.scope
		var a templateArg
		good := false
		switch {
		case p.Variadic:
			c.errorf(p.Pos(), codeUnsupported, "parameter packs are not supported")
		case p.DefaultType != nil:
			c.in(ctx, func() { a, good = c.templateArg(syntax.TemplateArg{Type: p.DefaultType}, pos) })
		case p.Default != nil:
			c.in(ctx, func() { a, good = c.templateArg(syntax.TemplateArg{X: p.Default}, pos) })
		default:
			return p.Name, false
		}
		if !good || !c.set(b, i, a, pos) {
			return "", false
		}
	}
	return "", true
}

// Function templates

// deduceCall finds the instance of a function template that a call means, nil if there is none.
func (c *checker) deduceCall(f *function, targs []templateArg, args []operand) *routine {
	var r *routine
	c.attempt(func() {
		b := newBinding(f.decl.Template, f.scope)
		if !c.bindExplicit(b, targs) {
			return
		}
		for i, p := range f.decl.Params {
			if i >= len(args) || args[i].expr == nil {
				continue
			}
			if !c.deduceParam(b, p.Type, args[i]) {
				return
			}
		}
		if _, ok := c.bindDefaults(b, f.decl.Pos()); ok {
			r = c.instance(f, b)
		}
	})
	return r
}

func (c *checker) bindExplicit(b *binding, targs []templateArg) bool {
	if len(targs) > len(b.params) {
		return false
	}
	b.given = len(targs)
	for i, a := range targs {
		if !c.set(b, i, a, b.params[i].Pos()) {
			return false
		}
	}
	return true
}

// deduceParam deduces from one argument of a call.
func (c *checker) deduceParam(b *binding, p syntax.TypeExpr, op operand) bool {
	if !b.mentionsUnknown(p) {
		return true
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

// mentionsUnknown reports whether a type depends on parameters that are to be
// deduced. What one argument has given, the next has to confirm.
func (b *binding) mentionsUnknown(x syntax.TypeExpr) bool {
	switch x := x.(type) {
	case *syntax.NamedType:
		if i := b.index(x.Name); i >= 0 {
			return i >= b.given
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
		if !b.known[i] {
			return c.set(b, i, templateArg{typ: a.typ, q: a}, x.Pos())
		}
		old := b.args[i]
		return old.typ != nil && Identical(old.typ, a.typ)
	}
	last := x.Name.Last()
	if !last.HasArgs {
		return true
	}
	args, ok := c.argsOf(x.Name, a.typ)
	if !ok {
		return false
	}
	if len(last.Args) > len(args) {
		return false
	}
	for i, pattern := range last.Args {
		if !c.unifyArg(b, pattern, args[i]) {
			return false
		}
	}
	return true
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
	name := d.Name.Last()
	set, ok := c.member(c.scope, name.Ident).(*funcSet)
	if !ok {
		c.errorf(d.Pos(), codeUndeclared, "no function template %s to specialise", name.Ident)
		return
	}
	var targs []templateArg
	if name.HasArgs {
		if targs, ok = c.templateArgs(name); !ok {
			return
		}
	}
	for _, f := range set.list {
		if !f.isTemplate() || len(f.decl.Params) != len(d.Params) {
			continue
		}
		b := c.deduceDeclared(f, targs, d.Params)
		if b == nil {
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
			c.ensureBody(r)
		}
		return
	}
	c.errorf(d.Pos(), codeNoMatch, "no function template %s fits this specialisation", name.Ident)
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
			if !ok || !c.unify(b, f.decl.Params[i].Type, q) {
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
		if !ok || yb.index(n.Name) >= 0 || nameText(x.Name) != nameText(n.Name) || len(x.Name.Last().Args) != len(n.Name.Last().Args) {
			return false
		}
		for i, a := range x.Name.Last().Args {
			if !matchArg(xb, a, yb, n.Name.Last().Args[i]) {
				return false
			}
		}
		return true
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
				if !c.unify(b, p.Type, fromType(sig.Params[i])) {
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
	if len(targs) > len(b.params) {
		c.errorf(pos, codeTemplateArguments, "got %d template arguments, want at most %d", len(targs), len(b.params))
		return
	}
	for i, a := range targs {
		if !c.set(b, i, a, pos) {
			return
		}
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
