package types

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// A templateArg is a type (typ is set), a constant (of is set) or a function
// (fns is set).
type templateArg struct {
	typ  hir.Type
	q    qual // the type with its qualifiers
	of   hir.Type
	bits uint64
	data []byte // instead of bits, if of is a struct
	fns  *funcSet
	r    *routine       // the one of fns, once the parameter's type has chosen it
	op   *operand       // the name of functions as written
	tmpl *classTemplate // an argument that is a template of a class

	isPack bool // the arguments of a parameter pack
	pack   []templateArg
}

func (a templateArg) String() string {
	switch {
	case a.isPack:
		text := argsText(a.pack)
		return text[1 : len(text)-1]
	case a.tmpl != nil:
		return a.tmpl.name
	case a.typ != nil:
		return a.q.String()
	case a.r != nil:
		return a.r.fn.Name
	case a.fns != nil:
		return a.fns.name
	case a.data != nil:
		return fmt.Sprintf("%s{%x}", a.of, a.data)
	case a.of == hir.Bool:
		return fmt.Sprint(a.bits != 0)
	case hir.ScalarKind(a.of).IsSigned():
		return fmt.Sprint(int64(a.bits))
	}
	return fmt.Sprint(a.bits)
}

func argsText(args []templateArg) string {
	args = flatten(args)
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = a.String()
	}
	return "<" + strings.Join(texts, ", ") + ">"
}

// argsKey is the identity of template arguments.
func argsKey(args []templateArg) string { return string(appendKey(nil, args)) }

func appendKey(key []byte, args []templateArg) []byte {
	for i := range args {
		switch a := &args[i]; {
		case a.isPack:
			key = append(appendKey(append(key, '{'), a.pack), '}')
		case a.tmpl != nil:
			key = fmt.Appendf(key, "%p", a.tmpl)
		case a.typ != nil:
			key = append(append(key, a.q.String()...), typeKey(a.typ)...)
		case a.r != nil:
			key = fmt.Appendf(key, "%p", a.r)
		case a.data != nil:
			key = fmt.Appendf(key, "%s%s%x", a.of, typeKey(a.of), a.data)
		default:
			key = append(append(key, a.of.String()...), ' ')
			key = strconv.AppendInt(key, int64(a.bits), 10)
		}
		key = append(key, ';')
	}
	return key
}

// typeKey tells apart what has one name: definitions are identities.
func typeKey(t hir.Type) string {
	switch t := t.(type) {
	case *hir.Struct, *hir.Enum:
		return fmt.Sprintf("%p", t)
	case *hir.Pointer:
		return typeKey(t.Elem)
	case *hir.Array:
		return typeKey(t.Elem)
	}
	return ""
}

// templateArgs checks explicit template arguments.
func (c *checker) templateArgs(p *syntax.NamePart) ([]templateArg, bool) {
	return c.templateArgList(p.Args, p.Pos)
}

func (c *checker) templateArgList(list []syntax.TemplateArg, pos syntax.Pos) ([]templateArg, bool) {
	var args []templateArg
	for _, a := range list {
		if !a.Pack {
			arg, ok := c.templateArg(a, pos)
			if !ok {
				return nil, false
			}
			args = append(args, arg)
			continue
		}
		if elems, ok := c.wholePack(a); ok {
			c.spend(pos, len(elems)*elementWork)
			args = append(args, elems...)
			continue
		}
		var pattern syntax.Node = a.X
		if a.Type != nil {
			pattern = a.Type
		}
		scopes, ok := c.expansion(pattern)
		if !ok {
			return nil, false
		}
		for _, s := range scopes {
			var arg templateArg
			c.within(s, func() { arg, ok = c.templateArg(syntax.TemplateArg{Type: a.Type, X: a.X}, pos) })
			if !ok {
				return nil, false
			}
			args = append(args, arg)
		}
	}
	return args, true
}

func (c *checker) templateArg(a syntax.TemplateArg, pos syntax.Pos) (templateArg, bool) {
	if a.Type != nil {
		if t := c.namesTemplate(a.Type); t != nil {
			return templateArg{tmpl: t}, true
		}
		q, ok := c.naming(a.Type, c.typeOf)
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
		return templateArg{fns: op.fns, op: &op}, true
	}
	e := c.rvalue(op)
	if e == nil {
		return templateArg{}, false
	}
	if s, ok := e.Type().(*hir.Struct); ok {
		data, ok := c.eval.Bytes(e, s)
		if !ok {
			c.notConstant(e, "a template argument")
			return templateArg{}, false
		}
		return templateArg{of: s, data: data}, true
	}
	if hir.ScalarKind(e.Type()) == hir.Void {
		c.errorf(a.X.Pos(), codeTemplateArguments,
			"got a template argument of type %s, want a type, an integer constant or a function", e.Type())
		return templateArg{}, false
	}
	k, ok := c.eval.Scalar(e)
	if !ok {
		c.notConstant(e, "a template argument")
		return templateArg{}, false
	}
	return templateArg{of: e.Type(), bits: k.Bits}, true
}

// namesTemplate is the class template that a type names without arguments, outside of
// that template; nil for any other.
func (c *checker) namesTemplate(x syntax.TypeExpr) *classTemplate {
	n, ok := x.(*syntax.NamedType)
	if !ok || n.Name.Last().HasArgs {
		return nil
	}
	var t *classTemplate
	c.attempt(func() {
		if ent, _, ok := c.resolve(n.Name); ok {
			t, _ = ent.(*classTemplate)
		}
	})
	for s := c.scope; s != nil && t != nil; s = s.parent {
		if s.kind == structScope && s.str.template == t {
			return nil // the injected name, a type
		}
	}
	return t
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
	elem   int    // the element of packs that is being deduced
	scope  *scope // declares those that are known; the parent is the template's scope
	pack   int    // the first parameter pack, or -1
	places map[string]int
}

// save is what is known so far, to come back to.
func (b *binding) save() binding {
	saved := *b
	saved.args, saved.known = slices.Clone(b.args), slices.Clone(b.known)
	return saved
}

// restore forgets what became known since.
func (b *binding) restore(saved binding) {
	for i, p := range b.params {
		if b.known[i] && !saved.known[i] {
			delete(b.scope.names, p.Name)
		}
	}
	copy(b.args, saved.args)
	copy(b.known, saved.known)
	b.elem = saved.elem
}

// manyParams are parameters of which places are looked up, not sought.
const manyParams = 16

func newBinding(t *syntax.Template, outer *scope) *binding {
	return &binding{
		params: t.Params, args: make([]templateArg, len(t.Params)), known: make([]bool, len(t.Params)),
		scope: newScope(outer, blockScope),
		pack:  slices.IndexFunc(t.Params, func(p *syntax.TemplateParam) bool { return p.Variadic }),
	}
}

// paramIndex is the number of the parameter of a name, or -1.
func (b *binding) paramIndex(name string) int {
	if len(b.params) < manyParams {
		return slices.IndexFunc(b.params, func(p *syntax.TemplateParam) bool { return p.Name == name })
	}
	if b.places == nil {
		b.places = make(map[string]int, len(b.params))
		for i, p := range slices.Backward(b.params) {
			b.places[p.Name] = i
		}
	}
	if i, ok := b.places[name]; ok {
		return i
	}
	return -1
}

// index is the number of the parameter that a name stands for, or -1.
func (b *binding) index(n *syntax.Name) int {
	if len(n.Parts) != 1 || n.Parts[0].HasArgs || n.Global {
		return -1
	}
	return b.paramIndex(n.Parts[0].Ident)
}

// templateIndex is the number of the template template parameter that a name stands
// for, or -1.
func (b *binding) templateIndex(n *syntax.Name) int {
	if len(n.Parts) != 1 || n.Global {
		return -1
	}
	if i := b.paramIndex(n.Parts[0].Ident); i >= 0 && b.params[i].Template != nil {
		return i
	}
	return -1
}

// set binds parameter i, converting the argument to the parameter's type.
func (c *checker) set(b *binding, i int, a templateArg, pos syntax.Pos) bool {
	p := b.params[i]
	a, ok := c.fitArg(b, p, a, pos)
	if !ok {
		return false
	}
	if p.Variadic {
		b.args[i].isPack = true
		b.args[i].pack = append(b.args[i].pack, a)
		return true
	}
	b.args[i], b.known[i] = a, true
	if p.Name != "" {
		b.scope.names[p.Name] = a.entity()
	}
	return true
}

// fitArg makes an argument fit its parameter.
func (c *checker) fitArg(b *binding, p *syntax.TemplateParam, a templateArg, pos syntax.Pos) (templateArg, bool) {
	switch {
	case p.Template != nil:
		if a.tmpl == nil {
			c.errorf(pos, codeTemplateArguments, "got %s for template parameter %s, want a template of a class", a,
				p.Name)
			return a, false
		}
		return a, true
	case p.Type != nil:
		return c.valueArg(b, p, a, pos)
	case a.typ == nil:
		c.errorf(pos, codeTemplateArguments, "got %s for template parameter %s, want a type", a, p.Name)
		return a, false
	}
	return a, true
}

// entity is what the name of a parameter with this argument denotes.
func (a templateArg) entity() entity {
	switch {
	case a.isPack:
		p := &packEntity{}
		for _, e := range a.pack {
			p.elems = append(p.elems, e.entity())
		}
		return p
	case a.tmpl != nil:
		return a.tmpl
	case a.typ != nil:
		return &typeEntity{q: a.q}
	case a.r != nil:
		return &routineEntity{set: &funcSet{name: a.r.of.name, list: []*function{a.r.of}}, targs: a.r.targs,
			hasTargs: len(a.r.targs) > 0}
	}
	if a.data != nil {
		return &varEntity{v: a.object()}
	}
	return &valueEntity{typ: a.of, bits: a.bits}
}

// object is the constant that an argument of struct type is.
func (a templateArg) object() *hir.Var {
	return &hir.Var{Name: a.of.String(), Type: a.of, Space: syntax.Constant, Const: true, Global: true, Data: a.data}
}

// setAll binds parameters to arguments in order; a pack takes all that are left.
func (c *checker) setAll(b *binding, args []templateArg, pos syntax.Pos) bool {
	args = flatten(args)
	v := b.variadic()
	if v >= 0 && len(args) > v {
		b.args[v].pack = slices.Grow(b.args[v].pack, len(args)-v)
	}
	for i, a := range args {
		k := i
		if v >= 0 {
			k = min(i, v)
		}
		if k >= len(b.params) || !c.set(b, k, a, pos) {
			return false
		}
	}
	return true
}

// variadic is the index of the first parameter pack, or -1.
func (b *binding) variadic() int { return b.pack }

// closePack ends the parameter pack i: it has all of its elements.
func (b *binding) closePack(i int) {
	b.args[i].isPack, b.known[i] = true, true
	if name := b.params[i].Name; name != "" {
		b.scope.names[name] = b.args[i].entity()
	}
}

// closePacks ends all parameter packs.
func (b *binding) closePacks() {
	for i, p := range b.params {
		if p.Variadic && !b.known[i] {
			b.closePack(i)
		}
	}
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
	if sig, isSig := q.typ.(*hir.Signature); isSig {
		if a.fns == nil {
			c.errorf(pos, codeTemplateArguments, "got %s for template parameter %s, want a function of type %s", a,
				p.Name, sig)
			return a, false
		}
		if a.r = c.matching(*a.op, sig); a.r == nil {
			c.errorf(pos, codeTemplateArguments, "no function %s has the type %s of template parameter %s", a.fns.name,
				sig, p.Name)
			return a, false
		}
		return a, true
	}
	if hasAuto(q.typ) && a.fns != nil && len(a.fns.list) == 1 && a.fns.list[0].plain != nil {
		a.r = a.fns.list[0].plain
		return a, true
	}
	if a.of == nil {
		c.errorf(pos, codeTemplateArguments, "got %s for template parameter %s, want a value", a, p.Name)
		return a, false
	}
	if hasAuto(q.typ) || a.data != nil && hir.Identical(a.of, q.typ) {
		return a, true
	}
	if a.data != nil {
		k, ok := c.toIntegral(value(c.rvalue(variable(pos, a.object(), false))), pos)
		if !ok {
			c.errorf(pos, codeTemplateArguments, "got %s for template parameter %s, want %s", a.of, p.Name, q)
			return a, false
		}
		value, ok := c.eval.Scalar(k)
		if !ok {
			c.notConstant(k, "a template argument")
			return a, false
		}
		a = templateArg{of: k.Type(), bits: value.Bits}
	}
	if !isIntegralOrEnum(q.typ) {
		c.errorf(p.Pos(), codeTemplateParameter,
			"got a template parameter of type %s, want an integer, bool, enumeration, function or the type of the "+
				"argument", q.typ)
		return a, false
	}
	e := c.convert(constant(pos, a.of, a.bits), q.typ, pos)
	if e == nil {
		return a, false
	}
	k, ok := c.eval.Scalar(e)
	if !ok {
		c.notConstant(e, "a template argument")
		return a, false
	}
	if from, to := arithmeticKind(a.of), arithmeticKind(q.typ); from.IsFloat() ||
		to != hir.Bool && from != hir.Void && !fitsValue(a.bits, from, to) {
		c.errorf(pos, codeNarrowing, "template argument %s does not fit parameter %s of type %s", a, p.Name, q.typ)
		return a, false
	}
	return templateArg{of: q.typ, bits: k.Bits}, true
}

// fitsValue reports whether an integer of kind from is one of kind to as well.
func fitsValue(bits uint64, from, to hir.Kind) bool {
	if !to.IsInteger() {
		return true
	}
	if int64(bits) < 0 && !from.IsSigned() {
		return to == hir.ULong
	}
	return fits(int64(bits), to)
}

// bindDefaults fills the remaining parameters with their defaults; missing is the
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
		if !p.Variadic {
			c.spend(pos, argumentWork)
		}
		switch {
		case p.Variadic:
			b.closePack(i)
			continue
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
