package types

import (
	"fmt"
	"strings"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// typeOf reads a type as it stands; auto is refused.
func (c *checker) typeOf(x syntax.TypeExpr) (qual, bool) {
	q, ok := c.typeOrAuto(x)
	if ok && hasAuto(q.typ) {
		c.errorf(x.Pos(), codeAuto, "auto is allowed only where an initialiser gives the type")
		return qual{}, false
	}
	return q, ok
}

// objectType reads the type of a variable, field or value: void, functions
// and missing array lengths are refused.
func (c *checker) objectType(x syntax.TypeExpr) (qual, bool) {
	q, ok := c.typeOf(x)
	if !ok {
		return q, false
	}
	return q, c.complete(q, x.Pos())
}

// complete reports whether objects of type q can exist.
func (c *checker) complete(q qual, pos syntax.Pos) bool {
	switch t := q.typ.(type) {
	case absentType:
		c.errorf(pos, t.code, "%s", t.why)
		return false
	case hir.Kind:
		if t == hir.Void {
			c.errorf(pos, codeVoidObject, "an object cannot have type void")
			return false
		}
	case *hir.Array:
		if t.Len < 0 && !q.ref {
			c.errorf(pos, codeArrayLength, "the array has no length")
			return false
		}
		return c.complete(plain(t.Elem), pos)
	case *hir.Struct:
		if info := c.structs[t]; info != nil && !info.complete {
			c.errorf(pos, codeIncompleteType, "%s is declared but not defined yet", t)
			return false
		}
		c.reportDeferred(c.structs[t])
	}
	return true
}

// hasAuto reports whether t still waits for an initialiser.
func hasAuto(t hir.Type) bool {
	switch t := t.(type) {
	case autoType, deducedType:
		return true
	case *hir.Pointer:
		return hasAuto(t.Elem)
	case *hir.Array:
		return hasAuto(t.Elem)
	}
	return false
}

// typeOrAuto reads a type that may be or hold auto.
func (c *checker) typeOrAuto(x syntax.TypeExpr) (qual, bool) {
	c.spend(x.Pos(), 1)
	switch x := x.(type) {
	case *syntax.NamedType:
		return c.namedType(x)
	case *syntax.QualType:
		q, ok := c.typeOrAuto(x.Base)
		if !ok {
			return q, false
		}
		return c.qualified(x, q)
	case *syntax.PointerType:
		return c.pointerType(x)
	case *syntax.ReferenceType:
		return c.referenceType(x)
	case *syntax.ArrayType:
		return c.arrayType(x)
	case *syntax.FuncType:
		return c.functionType(x)
	case *syntax.DecltypeType:
		return c.decltype(x)
	case *syntax.AutoType:
		return plain(autoType{x.Decltype}), true
	case *syntax.DefinedType:
		return c.definedType(x)
	}
	c.errorf(x.Pos(), codeUnsupported, "this type is not supported")
	return qual{}, false
}

// qualified adds the qualifiers of x to q.
func (c *checker) qualified(x *syntax.QualType, q qual) (qual, bool) {
	if q.ref {
		return q, true // qualifiers of a reference have no effect
	}
	if s := x.Quals.Space; s != syntax.NoSpace {
		if s.Foreign() {
			c.errorf(x.Pos(), codeUnsupported, "the address space %s is not supported", s)
			return q, false
		}
		if q.space != syntax.NoSpace && q.space != s {
			c.errorf(x.Pos(), codeAddressSpace, "got address space %s for a type in address space %s", s, q.space)
			return q, false
		}
		q.space = s
	}
	if x.Quals.Coherent && !c.since(320, x.Pos(), "coherent") {
		return q, false
	}
	q.isConst = q.isConst || x.Quals.Const
	q.volatile = q.volatile || x.Quals.Volatile
	return q, true
}

func (c *checker) pointerType(x *syntax.PointerType) (qual, bool) {
	q, ok := c.naming(x.Elem, c.typeOrAuto)
	if !ok {
		return q, false
	}
	if q.ref {
		c.errorf(x.Pos(), codePointerToReference, "a pointer to a reference does not exist")
		return q, false
	}
	switch t := q.typ.(type) {
	case *hir.Signature:
		if !t.Pointer {
			return plain(&hir.Signature{Params: t.Params, Result: t.Result, Pointer: true}), true
		}
	case autoType:
		return plain(pointerTo(q)), true
	case *hir.Pointer:
		if q.space == syntax.NoSpace {
			q.space = syntax.Thread // the pointer's own, as for a reference to one
		}
	}
	if q.space == syntax.NoSpace {
		c.errorf(x.Pos(), codeMissingAddressSpace,
			"a pointer needs an address space: device, constant, threadgroup or thread")
		return q, false
	}
	return plain(pointerTo(q)), true
}

func (c *checker) referenceType(x *syntax.ReferenceType) (qual, bool) {
	q, ok := c.naming(x.Elem, c.typeOrAuto)
	if !ok {
		return q, false
	}
	if q.ref {
		q.rvalueRef = q.rvalueRef && x.RValue
		return q, true
	}
	if isVoid(q.typ) {
		c.errorf(x.Pos(), codeVoidObject, "a reference to void does not exist")
		return q, false
	}
	if _, ok := q.typ.(*hir.Signature); ok {
		return q, true
	}
	if _, toPointer := q.typ.(*hir.Pointer); toPointer && q.space == syntax.NoSpace {
		q.space = syntax.Thread // the pointer's own; what it points to has another
	}
	if q.space == syntax.NoSpace && !hasAuto(q.typ) {
		c.errorf(x.Pos(), codeMissingAddressSpace,
			"a reference needs an address space: device, constant, threadgroup or thread")
		return q, false
	}
	q.ref, q.rvalueRef = true, x.RValue
	return q, true
}

func (c *checker) arrayType(x *syntax.ArrayType) (qual, bool) {
	q, ok := c.typeOrAuto(x.Elem)
	if !ok {
		return q, false
	}
	if q.ref {
		c.errorf(x.Pos(), codeArrayElement, "an array of references does not exist")
		return q, false
	}
	switch t := q.typ.(type) {
	case *hir.Signature:
		if !t.Pointer {
			c.errorf(x.Pos(), codeArrayElement, "an array of functions does not exist")
			return q, false
		}
	case *hir.Array:
		if t.Len < 0 {
			c.errorf(x.Pos(), codeArrayLength, "only the first dimension of an array can be left open")
			return q, false
		}
	default:
		if !hasAuto(t) && !c.complete(plain(t), x.Pos()) {
			return q, false
		}
	}
	n := -1
	if x.Len != nil {
		v, ok := c.constInt(x.Len, "the length of an array")
		if !ok {
			return q, false
		}
		if v < 0 || v == 0 && c.scope.kind != structScope {
			c.errorf(x.Len.Pos(), codeArrayLength, "got array length %d, want at least 1", v)
			return q, false
		}
		if total := v * int64(max(1, q.typ.Size())); total > maxBytes || total/max(1, int64(q.typ.Size())) != v {
			c.errorf(x.Len.Pos(), codeArrayLength, "the array is too large: %d elements of %d bytes", v, q.typ.Size())
			return q, false
		}
		n = int(v)
	}
	q.typ = &hir.Array{Elem: q.typ, Len: n}
	return q, true
}

func (c *checker) functionType(x *syntax.FuncType) (qual, bool) {
	result, ok := c.typeOf(x.Result)
	if !ok {
		return result, false
	}
	sig := &hir.Signature{Result: result.asType()}
	for _, p := range x.Params {
		scopes := []*scope{c.scope}
		if p.Variadic {
			if scopes, ok = c.expansion(p.Type); !ok {
				return qual{}, false
			}
		}
		for _, s := range scopes {
			ctx := c.context
			ctx.scope = s
			var q qual
			c.in(ctx, func() { q, ok = c.paramType(p) })
			if !ok {
				return q, false
			}
			sig.Params = append(sig.Params, q.asType())
		}
	}
	return plain(sig), true
}

// paramType reads the type of a parameter: arrays are pointers there.
func (c *checker) paramType(p *syntax.Param) (qual, bool) {
	q, ok := c.typeOf(p.Type)
	if !ok {
		return q, false
	}
	if a, ok := q.typ.(*hir.Array); ok && !q.ref {
		if q.space == syntax.NoSpace {
			q.space = syntax.Thread
		}
		q = plain(pointerTo(qual{typ: a.Elem, space: q.space, isConst: q.isConst, volatile: q.volatile}))
	}
	return q, true
}

func (c *checker) definedType(x *syntax.DefinedType) (qual, bool) {
	if c.joined.node == x && c.joined.scope == c.scope {
		return plain(c.joined.typ), true // a further declarator of one declaration
	}
	var t hir.Type
	switch d := x.Decl.(type) {
	case *syntax.StructDecl:
		if s := c.structDecl(d); s != nil {
			t = s
		}
	case *syntax.EnumDecl:
		if e := c.enumDecl(d); e != nil {
			t = e
		}
	}
	if t != nil {
		c.joined.node, c.joined.scope, c.joined.typ = x, c.scope, t
		return plain(t), true
	}
	return qual{}, false
}

// decltype is the declared type of a name, and for other expressions the type
// with a reference if the expression denotes an object.
func (c *checker) decltype(x *syntax.DecltypeType) (qual, bool) {
	op := c.unevaluated(x.X)
	switch {
	case op.fns != nil:
		r := c.theOne(op, x.Pos())
		if r == nil {
			return qual{}, false
		}
		return plain(r.signature()), true
	case op.list != nil || op.bad():
		if op.list != nil {
			c.errorf(x.Pos(), codeBracedList, "a braced list has no type")
		}
		return qual{}, false
	}
	q := qual{typ: op.typ()}
	if x.Underlying {
		enum, ok := q.typ.(*hir.Enum)
		if !ok {
			c.errorf(x.Pos(), codeNotType, "only an enumeration has an underlying type, got %s", q.typ)
			return qual{}, false
		}
		return plain(enum.Underlying), true
	}
	if op.lvalue {
		q.space, q.isConst, q.volatile = op.space, op.const_, op.volatile
	}
	if x.Object {
		if q.space == syntax.Thread {
			q.space = syntax.NoSpace
		}
		return q, true
	}
	switch x.X.(type) {
	case *syntax.NameExpr:
		v, isVar := op.expr.(*hir.VarExpr)
		if _, component := op.expr.(*hir.Swizzle); isVar || component {
			q.ref = isVar && v.Var.Ref && !v.Var.Part
			if !q.ref && q.space == syntax.Thread {
				q.space = syntax.NoSpace
			}
			return q, true
		}
	case *syntax.MemberExpr:
		if f, ok := op.expr.(*hir.FieldExpr); ok {
			s := f.X.Type().(*hir.Struct)
			return qual{typ: op.typ(), isConst: s.Fields[f.Field].Const}, true
		}
	}
	if op.lvalue {
		q.ref = true
	}
	return q, true
}

// unevaluated is an expression that is looked at for its type only.
func (c *checker) unevaluated(x syntax.Expr) operand {
	saved := c.fn
	if c.fn != nil {
		f := *c.fn
		f.unevaluated = true
		c.fn = &f
	}
	op := c.expr(x)
	c.fn = saved
	return op
}

// Names of types

// namedType finds what a type name denotes.
func (c *checker) namedType(x *syntax.NamedType) (qual, bool) {
	n := x.Name
	last := n.Last()
	if x.Unknown {
		c.suppress()
		return qual{}, false
	}
	if x.Keyword != "" && x.Keyword != "typename" {
		if q, ok := c.elaborated(x); ok {
			return q, true
		}
	}
	var ent entity
	std := false
	if len(n.Parts) == 1 && !n.Global {
		f := c.lookup(last.Ident)
		ent, std = f.ent, f.library.metal()
		if _, ok := c.permitEntity(last.Pos, f.in, last.Ident, ent); !ok {
			return qual{}, false
		}
	} else {
		q, ok := c.qualify(n)
		if q.reported {
			return qual{}, false
		}
		if !ok {
			if q, ok := c.nestedStdType(n); ok {
				return q, true
			}
			c.missing(x.Pos(), codeUndeclared, n.Parts[0].Ident,
				"use of undeclared identifier '%s': no namespace or type has this name", qualifierText(n))
			return qual{}, false
		}
		std = q.std
		if q.scope != nil {
			ent = c.member(q.scope, last.Ident)
			if _, ok := c.permitEntity(last.Pos, q.scope, last.Ident, ent); !ok {
				return qual{}, false
			}
		}
		if ent == nil && std {
			ent = c.stdMember(last.Ident)
		}
	}
	switch e := ent.(type) {
	case *typeEntity:
		if last.HasArgs {
			if s, ok := e.q.typ.(*hir.Struct); ok && c.structs[s] != nil && c.structs[s].template != nil {
				return c.instantiateClass(c.structs[s].template, last) // the injected name of an instance
			}
			c.errorf(x.Pos(), codeNotTemplate, "%s is no template", last.Ident)
			return qual{}, false
		}
		return e.q, true
	case *classTemplate:
		if c.deducible(e, last) {
			return plain(deducedType{e}), true
		}
		return c.instantiateClass(e, last)
	case *poisonEntity:
		c.suppress()
		return qual{}, false
	case nil:
		if q, ok, known := c.builtinType(last, std, x.Pos()); known {
			return q, ok
		}
		if k := last.Ident; k == "double" || k == "long double" {
			c.errorf(x.Pos(), codeNotAMetalType, "Metal has no type double")
			return qual{}, false
		}
		if x.Keyword != "" && x.Keyword != "typename" && x.Keyword != "enum" && len(n.Parts) == 1 && !last.HasArgs {
			return c.forward(x), true
		}
		c.missing(x.Pos(), codeUndeclared, last.Ident, "no type named '%s'%s", nameText(n),
			syntax.Advice(c.hint(last.Ident)))
	default:
		c.errorf(x.Pos(), codeNotType, "%s is no type", nameText(n))
	}
	return qual{}, false
}

// forward declares the class that "struct name" names first, in the block or namespace around.
func (c *checker) forward(x *syntax.NamedType) qual {
	d := &syntax.StructDecl{Keyword: x.Keyword, Name: x.Name}
	d.SetPos(x.Pos())
	ctx := c.context
	for ctx.scope.kind != namespaceScope && ctx.scope.kind != blockScope {
		ctx.scope = ctx.scope.parent
	}
	var s *hir.Struct
	c.in(ctx, func() { s = c.structDecl(d) })
	return plain(s)
}

// elaborated finds "struct name" past a variable or function of that name.
func (c *checker) elaborated(x *syntax.NamedType) (qual, bool) {
	if len(x.Name.Parts) != 1 || x.Name.Last().HasArgs {
		return qual{}, false
	}
	name := x.Name.Last().Ident
	for s := c.scope; s != nil; s = s.parent {
		for _, n := range []string{"struct " + name, name} {
			if t, ok := c.visible(s.names[n]).(*typeEntity); ok {
				return t.q, true
			}
		}
	}
	return qual{}, false
}

func nameText(n *syntax.Name) string {
	if len(n.Parts) == 1 && !n.Global {
		return n.Parts[0].Ident
	}
	var b strings.Builder
	for i, p := range n.Parts {
		if i > 0 || n.Global {
			b.WriteString("::")
		}
		b.WriteString(p.Ident)
	}
	return b.String()
}

func qualifierText(n *syntax.Name) string {
	m := *n
	m.Parts = n.Parts[:len(n.Parts)-1]
	return nameText(&m)
}

// Types of the language and of the standard library

var scalarNames = map[string]hir.Kind{
	"void": hir.Void, "bool": hir.Bool, "char": hir.Char, "signed char": hir.Char, "unsigned char": hir.UChar,
	"uchar": hir.UChar,
	"short": hir.Short, "ushort": hir.UShort, "unsigned short": hir.UShort, "int": hir.Int, "uint": hir.UInt,
	"unsigned int": hir.UInt, "unsigned": hir.UInt,
	"long": hir.Long, "ulong": hir.ULong, "unsigned long": hir.ULong, "half": hir.Half, "bfloat": hir.BFloat,
	"float":  hir.Float,
	"size_t": hir.ULong, "ptrdiff_t": hir.Long, "intptr_t": hir.Long, "uintptr_t": hir.ULong,
	"int8_t": hir.Char, "uint8_t": hir.UChar, "int16_t": hir.Short, "uint16_t": hir.UShort,
	"int32_t": hir.Int, "uint32_t": hir.UInt, "int64_t": hir.Long, "uint64_t": hir.ULong,
}

var atomicNames = map[string]hir.Kind{
	"atomic_int": hir.Int, "atomic_uint": hir.UInt, "atomic_bool": hir.Bool, "atomic_ulong": hir.ULong,
	"atomic_long": hir.Long, "atomic_float": hir.Float,
}

// builtinType finds a type of the language or, if std, of the standard
// library. known is false if there is none of that name.
func (c *checker) builtinType(p *syntax.NamePart, std bool, pos syntax.Pos) (q qual, ok, known bool) {
	if !p.HasArgs {
		if t := plainBuiltin(p.Ident); t != nil {
			return plain(t), c.typeSince(t, pos), true
		}
		if std {
			if k, ok := atomicNames[p.Ident]; ok {
				t := hir.Atomic{Elem: k}
				return plain(t), c.atomicSince(t, pos), true
			}
			if t := stdNamedType(p.Ident); t != nil {
				return plain(t), c.typeSince(t, pos), true
			}
		}
	}
	if !std {
		return qual{}, false, false
	}
	if q, ok, known := c.genericType(p, pos); known {
		return q, ok, true
	}
	if t := c.unsupportedType(p.Ident); t != nil {
		return plain(t), true, true // an error if an object of it is wanted
	}
	return qual{}, false, false
}

// plainBuiltin is the scalar, vector or matrix of that name, or nil.
func plainBuiltin(name string) hir.Type {
	if k, ok := scalarNames[name]; ok {
		return k
	}
	packed := false
	base := name
	if len(name) > 7 && name[:7] == "packed_" {
		packed, base = true, name[7:]
	}
	if n := len(base); n > 1 && base[n-1] >= '2' && base[n-1] <= '4' {
		if k, ok := vectorElem(base[:n-1]); ok && !(packed && k == hir.Bool) {
			return hir.Vector{Elem: k, N: int(base[n-1] - '0'), Packed: packed}
		}
		if m := n - 3; !packed && m > 0 && base[n-2] == 'x' && base[m] >= '2' && base[m] <= '4' {
			if k := scalarNames[base[:m]]; k == hir.Float || k == hir.Half { // those of bfloat have no name
				return hir.Matrix{Elem: k, Cols: int(base[m] - '0'), Rows: int(base[n-1] - '0')}
			}
		}
	}
	return nil
}

// vectorElem is the component type that a vector's name begins with.
func vectorElem(name string) (hir.Kind, bool) {
	switch name {
	case "bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "bfloat", "float":
		return scalarNames[name], true
	}
	return hir.Void, false
}

// stdNamedType is a type of the standard library that is no template, or nil.
func stdNamedType(name string) hir.Type {
	switch name {
	case "simdgroup_float8x8":
		return hir.SimdMatrix{Elem: hir.Float}
	case "simdgroup_half8x8":
		return hir.SimdMatrix{Elem: hir.Half}
	case "simdgroup_bfloat8x8":
		return hir.SimdMatrix{Elem: hir.BFloat}
	case "simd_vote", "quad_vote":
		return hir.SimdVote{}
	}
	return stdEnum(name)
}

// nestedStdType is simd_vote::vote_t.
func (c *checker) nestedStdType(n *syntax.Name) (qual, bool) {
	parts := n.Parts
	if len(parts) > 2 && parts[0].Ident == "metal" {
		parts = parts[1:]
	}
	if len(parts) == 2 && parts[1].Ident == "vote_t" &&
		(parts[0].Ident == "simd_vote" || parts[0].Ident == "quad_vote") {
		return plain(hir.ULong), true
	}
	return qual{}, false
}

// typeSince reports whether the language version has t.
func (c *checker) typeSince(t hir.Type, pos syntax.Pos) bool {
	if k := hir.ElemOf(t); k == hir.BFloat {
		return c.since(310, pos, t.String())
	}
	if _, ok := t.(hir.SimdMatrix); ok {
		return c.since(230, pos, t.String())
	}
	return true
}

func (c *checker) atomicSince(t hir.Atomic, pos syntax.Pos) bool {
	switch t.Elem {
	case hir.Float:
		return c.since(300, pos, t.String())
	case hir.ULong, hir.Bool:
		return c.since(240, pos, t.String())
	case hir.Long:
		c.errorf(pos, codeAtomicType, "Metal has no atomic_long")
		return false
	}
	return true
}

// genericType is vec<T, N> and the like.
func (c *checker) genericType(p *syntax.NamePart, pos syntax.Pos) (q qual, ok, known bool) {
	name := p.Ident
	if name == "_atomic" { // what the headers define; atomic is an alias
		name = "atomic"
	}
	want := map[string]int{"vec": 2, "packed_vec": 2, "matrix": 3, "atomic": 1, "simdgroup_matrix": 3}[name]
	if want == 0 {
		return qual{}, false, false
	}
	if !p.HasArgs || len(p.Args) != want {
		c.errorf(pos, codeTemplateArguments, "%s takes %d template arguments, got %d", p.Ident, want, len(p.Args))
		return qual{}, false, true
	}
	elem, ok := c.typeArg(p.Args[0], p.Pos)
	if !ok {
		return qual{}, false, true
	}
	n := [2]int64{}
	for i, a := range p.Args[1:] {
		v, ok := c.intArg(a, p.Pos)
		if !ok {
			return qual{}, false, true
		}
		n[i] = v
	}
	t, err := generic(name, elem.typ, n)
	if err != "" && name == "atomic" {
		c.errorf(pos, codeTemplateArguments, "%s", err)
		return qual{}, false, true
	}
	if err != "" {
		text := fmt.Sprintf("%s<%s, %d>", p.Ident, elem, n[0])
		return plain(absentType{text, codeTemplateArguments, err}), true, true // an error if an object of it is wanted
	}
	if a, isAtomic := t.(hir.Atomic); isAtomic {
		return plain(t), c.atomicSince(a, pos), true
	}
	return plain(t), c.typeSince(t, pos), true
}

// generic makes the instance of a builtin template, or says what is wrong with its arguments.
func generic(name string, elem hir.Type, n [2]int64) (t hir.Type, err string) {
	k, scalar := elem.(hir.Kind)
	between := func(v, lo, hi int64) bool { return v >= lo && v <= hi }
	switch name {
	case "vec", "packed_vec":
		if !scalar || k == hir.Void {
			return nil, fmt.Sprintf("got vector of %s, want a scalar type", elem)
		}
		if name == "packed_vec" && k == hir.Bool {
			return nil, "packed vectors of bool do not exist"
		}
		if n[0] == 64 && name == "vec" && (k == hir.Float || k == hir.Half || k == hir.BFloat) {
			// what the library's headers keep one in: each lane has two of the components
			return hir.SimdMatrix{Elem: k}, ""
		}
		if n[0] == 1 {
			return nil, "vectors of one component do not exist"
		}
		if !between(n[0], 2, 4) && n[0] != 8 && n[0] != 16 {
			return nil, fmt.Sprintf("got vector of %d components, want 2, 3 or 4", n[0])
		}
		return hir.Vector{Elem: k, N: int(n[0]), Packed: name == "packed_vec"}, ""
	case "matrix":
		if !scalar || !k.IsFloat() {
			return nil, fmt.Sprintf("got matrix of %s, want float, half or bfloat", elem)
		}
		if !between(n[0], 2, 4) || !between(n[1], 2, 4) {
			return nil, fmt.Sprintf("got matrix of %d×%d, want 2 to 4", n[0], n[1])
		}
		return hir.Matrix{Elem: k, Cols: int(n[0]), Rows: int(n[1])}, ""
	case "atomic":
		switch k {
		case hir.Int, hir.UInt, hir.Bool, hir.ULong, hir.Float:
			return hir.Atomic{Elem: k}, ""
		}
		return nil, fmt.Sprintf("got atomic<%s>, want int, uint, bool, ulong or float", elem)
	}
	if k != hir.Float && k != hir.Half && k != hir.BFloat {
		return nil, fmt.Sprintf("got simdgroup_matrix of %s, want float, half or bfloat", elem)
	}
	if n != [2]int64{8, 8} {
		return nil, fmt.Sprintf("got simdgroup_matrix of %d×%d, want 8×8", n[0], n[1])
	}
	return hir.SimdMatrix{Elem: k}, ""
}
