package types

import (
	"math"
	"slices"
	"strings"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// decls checks the declarations of the program or of a namespace.
func (c *checker) decls(list []syntax.Decl) {
	for _, d := range list {
		c.decl(d)
	}
}

func (c *checker) decl(d syntax.Decl) {
	c.worker.enter(d)
	switch d := d.(type) {
	case *syntax.VarDecl:
		switch {
		case d.Template != nil:
			c.variableTemplate(d)
		case d.Written != nil:
			c.memberVariable(d)
		default:
			c.globalVar(d)
		}
	case *syntax.FuncDecl:
		c.spend(d.Pos(), scopeWork)
		c.funcDecl(d)
	case *syntax.Instantiation:
		c.instantiation(d)
	case *syntax.NamespaceDecl:
		c.spend(d.Pos(), scopeWork)
		outer := c.scope
		c.scope = c.namespace(c.scope, d.Pos(), d.Name)
		if d.Inline {
			c.scope.inline = true
			outer.open(c.scope)
		}
		c.decls(d.Decls)
		c.scope = outer // what a pragma has said goes on: it ends with a block or the file
	default:
		c.commonDecl(d)
	}
}

// commonDecl checks a declaration that may stand anywhere.
func (c *checker) commonDecl(d syntax.Decl) {
	c.spend(d.Pos(), declarationWork)
	switch d := d.(type) {
	case *syntax.StructDecl:
		c.spend(d.Pos(), scopeWork)
		c.structDecl(d)
	case *syntax.EnumDecl:
		c.enumDecl(d)
	case *syntax.TypedefDecl:
		c.typedefDecl(d)
	case *syntax.UsingDecl:
		c.usingDecl(d)
	case *syntax.StaticAssert:
		c.staticAssert(d)
	case *syntax.PragmaDecl:
		c.pragma(d.Pos(), d.Text)
	case *syntax.EmptyDecl:
		if d.Typed {
			c.warnOnce(d, d.Pos(), codeEmptyDeclaration,
				"declaration does not declare anything [-Wmissing-declarations]")
		}
	default:
		c.errorf(d.Pos(), codeUnsupported, "this declaration is not supported here")
	}
}

func (c *checker) typedefDecl(d *syntax.TypedefDecl) {
	if d.Template != nil {
		c.declare(d.Pos(), d.Name, &classTemplate{
			name: d.Name, alias: d, tmpl: d.Template, scope: c.scope, seq: c.nextSeq(), instances: map[string]qual{},
		})
		return
	}
	q, ok := c.naming(d.Type, c.typeOf)
	if !ok {
		return
	}
	if s, isStruct := q.typ.(*hir.Struct); isStruct && s.Name == "" {
		s.Name = d.Name // "typedef struct { … } Name;"
	}
	if e, isEnum := q.typ.(*hir.Enum); isEnum && e.Name == "" {
		e.Name = d.Name
	}
	c.declare(d.Pos(), d.Name, &typeEntity{q: q, seq: c.nextSeq()})
}

func (c *checker) usingDecl(d *syntax.UsingDecl) {
	n := d.Name
	if d.Alias != "" {
		c.namespaceAlias(d)
		return
	}
	if d.Namespace {
		name := n.Last().Ident
		if own := c.libraryVariant(n, d.Pos()); own != nil {
			c.scope.open(own)
			return
		}
		if len(n.Parts) == 1 {
			if name == "metal" {
				c.scope.library |= opensMetal
				c.within(c.global, func() { c.namespace(c.global, d.Pos(), name) }) // where a program may add to it
			}
			if e, ok := c.lookup(name).ent.(*namespaceEntity); ok {
				c.scope.open(e.scope)
			} else if name != "metal" && !(name == "raytracing" && c.lookup(name).library.metal()) {
				c.errorf(d.Pos(), codeUndeclared, "no namespace named %s%s", name, syntax.Advice(c.hint(name)))
			}
			return
		}
		q, ok := c.qualify(n)
		if ok && q.std && name == "raytracing" {
			return // kernels here trace no rays: its types are refused where they are used
		}
		if ok && q.scope != nil {
			if e, ok := c.member(q.scope, name).(*namespaceEntity); ok {
				c.scope.open(e.scope)
				return
			}
		}
		if n.Parts[0].Ident == "mpp" && !c.since(400, d.Pos(), "MetalPerformancePrimitives") {
			return
		}
		c.errorf(d.Pos(), codeUndeclared, "no namespace named %s", nameText(n))
		return
	}
	if d.Enum {
		c.usingEnum(n)
		return
	}
	if d.Pack {
		scopes, _ := c.expansion(n)
		home := c.scope
		for _, s := range scopes {
			c.within(s, func() { c.usingName(n, home) })
		}
		return
	}
	c.usingName(n, c.scope)
}

// usingName makes what a name denotes known in a scope.
func (c *checker) usingName(n *syntax.Name, home *scope) {
	ent, q, ok := c.resolve(n)
	if !ok {
		return
	}
	last := n.Last().Ident
	if home.kind == structScope && ent != nil {
		c.usingMember(n, home.str, ent)
		return
	}
	if ent == nil && q.std && len(n.Parts) > 1 {
		if t := plainBuiltin(last); t != nil && q.precision == "" {
			c.declare(n.Pos(), last, &typeEntity{q: plain(t)})
			return
		}
		from := q.opens()
		if from.metal() && (isBuiltin(last) || c.isStdType(last)) || !from.metal() && hasVariant(last) {
			if old, ok := c.scope.names[last].(*stdEntity); ok {
				from |= old.from
			}
			c.scope.names[last] = &stdEntity{last, from}
			return
		}
	}
	if ent == nil {
		c.undeclared(n)
		return
	}
	more, isSet := ent.(*funcSet)
	if old, ok := c.scope.names[last].(*funcSet); ok && isSet && old != more {
		joined := &funcSet{name: last, list: slices.Clone(old.list)}
		for _, f := range more.list {
			if !slices.Contains(joined.list, f) {
				joined.list = append(joined.list, f)
			}
		}
		c.scope.names[last] = joined
		return
	}
	if isSet {
		ent = &funcSet{name: last, list: slices.Clone(more.list)}
	}
	c.declare(n.Pos(), last, ent)
}

// usingEnum makes the enumerators of an enumeration known in the current scope.
func (c *checker) usingEnum(n *syntax.Name) {
	t := &syntax.NamedType{Name: n}
	t.SetPos(n.Pos())
	q, ok := c.typeOf(t)
	if !ok {
		return
	}
	e, isEnum := q.typ.(*hir.Enum)
	if !isEnum || c.enums[e] == nil {
		c.errorf(n.Pos(), codeNotType, "%s is no enumeration", nameText(n))
		return
	}
	for _, name := range sortedKeys(c.enums[e].names) {
		if ent := c.enums[e].names[name]; c.scope.names[name] != ent {
			c.declare(n.Pos(), name, ent)
		}
	}
}

// usingMember makes a member of a base a member of the struct itself, in addition to the struct's own overloads, and
// constructors of a base constructors of the struct.
func (c *checker) usingMember(n *syntax.Name, info *structInfo, ent entity) {
	last := n.Last().Ident
	owner, _ := c.qualify(n)
	info.protect(n.Pos(), last)
	switch e := ent.(type) {
	case *funcSet:
		info.promote(n.Pos(), e.list)
		if old, ok := info.scope.names[last].(*funcSet); ok {
			old.list = append(old.list, e.list...)
			return
		}
		info.scope.names[last] = &funcSet{name: last, list: slices.Clone(e.list)}
	case *fieldEntity:
		if owner.scope != nil && owner.scope.str != nil {
			path := c.basePath(info.typ, owner.scope.str.typ)
			info.scope.names[last] = &fieldEntity{path: slices.Concat(path, e.path)}
		}
	case *typeEntity:
		if s, ok := e.q.typ.(*hir.Struct); ok && slices.Contains(info.bases, c.structs[s]) &&
			last == lastPart(bare(s.Name)) {
			c.inherit(info, c.structs[s])
			return
		}
		info.scope.names[last] = ent
	default:
		info.scope.names[last] = ent
	}
}

func (c *checker) namespaceAlias(d *syntax.UsingDecl) {
	if own := c.libraryNamespace(d.Name, d.Pos()); own != nil {
		c.declare(d.Pos(), d.Alias, &namespaceEntity{scope: own, alias: true, seq: c.nextSeq()})
		return
	}
	ent, _, ok := c.resolve(d.Name)
	if !ok {
		return
	}
	e, ok := ent.(*namespaceEntity)
	if !ok {
		c.errorf(d.Name.Pos(), codeUndeclared, "no namespace named %s", nameText(d.Name))
		return
	}
	c.declare(d.Pos(), d.Alias, &namespaceEntity{scope: e.scope, alias: true, seq: c.nextSeq()})
}

// libraryNamespace is what a program adds to metal, metal::fast or metal::precise, if a name
// denotes one of them; nil for another name.
func (c *checker) libraryNamespace(n *syntax.Name, pos syntax.Pos) (own *scope) {
	if last := n.Last().Ident; len(n.Parts) == 1 && last == "metal" {
		c.within(c.global, func() { own = c.namespace(c.global, pos, last) })
		return own
	}
	return c.libraryVariant(n, pos)
}

// libraryVariant is libraryNamespace for metal::fast and metal::precise only.
func (c *checker) libraryVariant(n *syntax.Name, pos syntax.Pos) (own *scope) {
	last := n.Last().Ident
	if last != "fast" && last != "precise" {
		return nil
	}
	if len(n.Parts) == 1 {
		if f := c.lookup(last); f.ent != nil || !f.library.metal() {
			return nil
		}
	} else if q, ok := c.qualify(n); !ok || !q.std || q.precision != "" ||
		q.scope != nil && c.member(q.scope, last) != nil {
		return nil
	}
	c.within(c.global, func() { own = c.namespace(c.global, pos, "metal") })
	in := own
	c.within(in, func() { own = c.namespace(in, pos, last) })
	return own
}

// sourceText is an expression as source.
func sourceText(x syntax.Expr) string {
	var b strings.Builder
	if err := syntax.Fprint(&b, x); err != nil {
		return "false"
	}
	return b.String()
}

func (c *checker) staticAssert(d *syntax.StaticAssert) {
	op := c.expr(d.X)
	e := c.condition(op, d.X.Pos())
	if e == nil {
		return
	}
	k, ok := c.eval.Scalar(e)
	switch {
	case !ok:
		c.notConstant(e, "the condition of static_assert")
	case k.Bits == 0 && d.Msg != "":
		c.errorf(d.Pos(), codeStaticAssert, "static assertion failed due to requirement '%s': %s", sourceText(d.X),
			d.Msg)
	case k.Bits == 0:
		c.errorf(d.Pos(), codeStaticAssert, "static assertion failed due to requirement '%s'", sourceText(d.X))
	}
}

// Enumerations

func (c *checker) enumDecl(d *syntax.EnumDecl) *hir.Enum {
	underlying := hir.Int
	fixed := d.Scoped
	if d.Underlying != nil {
		q, ok := c.typeOf(d.Underlying)
		if !ok {
			return nil
		}
		k, isKind := q.typ.(hir.Kind)
		if !isKind || !k.IsInteger() && k != hir.Bool {
			c.errorf(d.Underlying.Pos(), codeEnumType, "got underlying type %s, want an integer type", q.typ)
			return nil
		}
		underlying, fixed = k, true
	}
	if !d.Body {
		return c.opaqueEnum(d, underlying, fixed)
	}
	e, ok := c.forwardEnum(d.Name)
	if !ok {
		e = &hir.Enum{Name: d.Name, Scoped: d.Scoped, Underlying: underlying}
		if d.Name != "" {
			c.declare(d.Pos(), d.Name, &typeEntity{q: plain(e), seq: c.nextSeq(), tag: true})
		}
	}
	inner := newScope(c.scope, blockScope)
	c.enums[e] = inner
	c.enumerators(d, e, inner, fixed)
	return e
}

func (c *checker) opaqueEnum(d *syntax.EnumDecl, underlying hir.Kind, fixed bool) *hir.Enum {
	if !fixed {
		c.errorf(d.Pos(), codeEnumType, "an enumeration declared ahead needs an underlying type")
		return nil
	}
	e := &hir.Enum{Name: d.Name, Scoped: d.Scoped, Underlying: underlying}
	c.declare(d.Pos(), d.Name, &typeEntity{q: plain(e), seq: c.nextSeq(), tag: true})
	return e
}

func (c *checker) forwardEnum(name string) (*hir.Enum, bool) {
	t, ok := c.scope.names[name].(*typeEntity)
	if !ok {
		return nil, false
	}
	e, ok := t.q.typ.(*hir.Enum)
	return e, ok && c.enums[e] == nil
}

// enumerators gives the enumerators their values, and an enumeration without
// a fixed type the type that holds them all.
func (c *checker) enumerators(d *syntax.EnumDecl, e *hir.Enum, inner *scope, fixed bool) {
	saved := c.context
	defer func() { c.context = saved }()
	outer := c.scope
	c.scope = inner
	next := int64(0)
	low, high := int64(0), uint64(0)
	var values []*valueEntity
	for _, v := range d.Values {
		if v.Value != nil {
			n, ok := c.constInt(v.Value, "the value of an enumerator")
			if !ok {
				n = next
			}
			next = n
		}
		ent := &valueEntity{typ: e, bits: uint64(next), seq: c.nextSeq()}
		if fixed {
			ent.typ = e.Underlying // up to the closing brace
		}
		low = min(low, next)
		if next > 0 {
			high = max(high, uint64(next))
		}
		if fixed && !fits(next, e.Underlying) {
			c.errorf(v.Pos, codeEnumRange, "enumerator %s = %d does not fit %s", v.Name, next, e.Underlying)
		}
		if _, dup := inner.names[v.Name]; dup {
			c.errorf(v.Pos, codeRedeclared, "redefinition of enumerator '%s'", v.Name)
		}
		inner.names[v.Name] = ent
		values = append(values, ent)
		if !d.Scoped {
			c.scope = outer
			c.declare(v.Pos, v.Name, ent)
			c.scope = inner
		}
		next++
	}
	if !fixed {
		switch {
		case low < 0 && (low < math.MinInt32 || high > math.MaxInt32):
			e.Underlying = hir.Long
		case low < 0:
			e.Underlying = hir.Int
		case high > math.MaxUint32:
			e.Underlying = hir.ULong
		case high > math.MaxInt32:
			e.Underlying = hir.UInt
		} // otherwise int: so the enumerators are promoted, whatever the compiler stores
	}
	for _, v := range values {
		v.typ, v.bits = e, hir.BitsOf(hir.BytesOf(v.bits, e), e)
	}
}

func fits(v int64, k hir.Kind) bool {
	bits := uint(8 * k.Size())
	if k == hir.Bool {
		return v == 0 || v == 1
	}
	if k.IsSigned() {
		return v == v<<(64-bits)>>(64-bits)
	}
	return bits == 64 || v >= 0 && v < 1<<bits
}

// constInt evaluates an integer constant expression.
func (c *checker) constInt(x syntax.Expr, what string) (int64, bool) {
	op := c.expr(x)
	if s, ok := op.typ().(*hir.Struct); ok && c.structs[s] != nil {
		if e, ok := c.toIntegral(op, x.Pos()); ok {
			op = value(e)
		}
	}
	e := c.rvalue(op)
	if e == nil {
		return 0, false
	}
	if t := e.Type(); !isIntegral(t) {
		c.errorf(x.Pos(), codeNotInteger, "%s has to be an integer, got %s", what, t)
		return 0, false
	}
	k, ok := c.eval.Scalar(e)
	if !ok {
		c.notConstant(e, what)
		return 0, false
	}
	if k.Bits > math.MaxInt64 && !hir.ScalarKind(e.Type()).IsSigned() {
		c.errorf(x.Pos(), codeConstantRange, "%s is too large", what)
		return 0, false
	}
	return int64(k.Bits), true
}

// notConstant reports why e, which is what, has no value at compile time.
func (c *checker) notConstant(e hir.Expr, what string) {
	pos, why := c.whyNotConstant(e)
	c.errorf(pos, codeNotConstant, "%s has to be a constant: %s", what, why)
}
