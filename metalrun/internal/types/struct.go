package types

import (
	"slices"

	"metalconform/metalrun/internal/syntax"
)

// structInfo is what the checker knows of a struct beyond its layout.
type structInfo struct {
	typ      *Struct
	decl     *syntax.StructDecl
	scope    *scope // its members; the parent is where it was declared, or the template's parameters
	complete bool
	parts    int           // its members, with those of members that are structs
	bases    []*structInfo // fields 0 … len(bases)-1 of the type
	inits    []syntax.Expr // default member initialisers, one per field, nil if absent
	ctors    []*function
	convs    []*function // conversion functions
	assigned bool        // has an operator= of its own
	template *classTemplate
	targs    []templateArg
	lazy     bool // of a template: bodies of member functions are checked when they are called
	limit    int  // then, what they can see of program scope
}

// aggregate reports whether a braced list initialises the fields one by one: no
// constructor has a body.
func (s *structInfo) aggregate() bool {
	return !slices.ContainsFunc(s.ctors, func(f *function) bool { return !f.decl.Default && !f.decl.Delete })
}

// structDecl declares or defines a struct, class or union; nil after an error.
func (c *checker) structDecl(d *syntax.StructDecl) *Struct {
	if d.Template != nil {
		c.structTemplate(d)
		return nil
	}
	if d.Name != nil && (len(d.Name.Parts) > 1 || d.Name.Last().HasArgs) {
		c.errorf(d.Pos(), codeUnsupported, "defining %s outside of its scope is not supported", nameText(d.Name))
		return nil
	}
	name := ""
	if d.Name != nil {
		name = d.Name.Last().Ident
	}
	info := c.declared(name)
	if info == nil {
		info = c.newStruct(d, name, c.scope)
		if name != "" {
			c.declare(d.Pos(), name, &typeEntity{q: plain(info.typ), seq: c.nextSeq(), tag: true})
		}
	}
	if !d.Body {
		return info.typ
	}
	if info.complete {
		c.errorf(d.Pos(), codeRedeclared, "%s is defined already", name)
		return info.typ
	}
	c.define(info, d)
	return info.typ
}

// declared finds a struct of that name in the current scope.
func (c *checker) declared(name string) *structInfo {
	if name == "" {
		return nil
	}
	if t, ok := c.scope.names[name].(*typeEntity); ok && t.tag {
		if s, ok := t.q.typ.(*Struct); ok {
			return c.structs[s]
		}
	}
	return nil
}

func (c *checker) newStruct(d *syntax.StructDecl, name string, parent *scope) *structInfo {
	s := &Struct{Name: parent.path + name, Union: d.Keyword == "union"}
	if parent.kind == structScope && name != "" {
		s.Name = parent.str.typ.Name + "::" + name
	}
	info := &structInfo{typ: s, decl: d}
	if parent.kind == structScope {
		info.lazy, info.limit = parent.str.lazy, parent.str.limit
	}
	info.scope = newScope(parent, structScope)
	info.scope.str = info
	c.structs[s] = info
	return info
}

// define reads the members of a struct, lays it out and checks its functions.
func (c *checker) define(info *structInfo, d *syntax.StructDecl) {
	saved := c.context
	info.decl = d
	c.scope = info.scope
	if name := d.Name; name != nil {
		c.scope.names[name.Last().Ident] = &typeEntity{q: plain(info.typ), tag: true}
	}
	c.classes = append(c.classes, info)
	c.bases(info, d)
	for _, m := range d.Members {
		c.memberDecl(info, m)
	}
	c.layout(info, d)
	info.complete = true
	c.classes = c.classes[:len(c.classes)-1]
	c.context = saved
	if len(c.classes) == 0 {
		c.checkPending()
	}
}

func (c *checker) bases(info *structInfo, d *syntax.StructDecl) {
	for _, b := range d.Bases {
		q, ok := c.typeOf(b)
		if !ok {
			continue
		}
		s, isStruct := q.typ.(*Struct)
		if !isStruct || s.Union || info.typ.Union {
			c.errorf(b.Pos(), codeBase, "%s cannot be a base", q.typ)
			continue
		}
		if !c.complete(q, b.Pos()) {
			continue
		}
		info.bases = append(info.bases, c.structs[s])
		info.typ.Fields = append(info.typ.Fields, Field{Type: s})
		info.inits = append(info.inits, nil)
	}
}

func (c *checker) memberDecl(info *structInfo, m syntax.Decl) {
	switch m := m.(type) {
	case *syntax.VarDecl:
		c.fieldDecl(info, m)
	case *syntax.FuncDecl:
		c.methodDecl(info, m)
	case *syntax.StructDecl:
		s := c.structDecl(m)
		if s != nil && m.Name == nil && m.Body {
			c.addField(info, m.Pos(), "", plain(s), nil)
		}
	default:
		c.commonDecl(m)
	}
}

func (c *checker) fieldDecl(info *structInfo, d *syntax.VarDecl) {
	if !c.noBindings(d) {
		return
	}
	if d.Template != nil {
		c.variableTemplate(d)
		return
	}
	q, ok := c.typeOrAuto(d.Type)
	if !ok {
		c.poison(d)
		return
	}
	if d.Specs.Static || d.Specs.Constexpr {
		if !d.Specs.Static {
			c.errorf(d.Pos(), codeStaticMember, "a constexpr member has to be static")
			return
		}
		c.constantVar(d, q, info.typ.Name+"::")
		return
	}
	switch {
	case d.Bits != nil:
		c.errorf(d.Bits.Pos(), codeUnsupported, "bit-fields are not supported")
	case hasAuto(q.typ):
		c.errorf(d.Pos(), codeAuto, "a data member cannot be auto")
	case q.ref:
		c.addField(info, d.Pos(), d.Name, q, d.Init)
	case q.space != syntax.NoSpace:
		c.errorf(d.Pos(), codeAddressSpace, "a data member lies where its object lies: it has no address space of its own")
	case !c.complete(q, d.Pos()):
	default:
		c.addField(info, d.Pos(), d.Name, q, d.Init)
	}
}

// addField appends a data member and makes it, or the members of an anonymous one, visible.
func (c *checker) addField(info *structInfo, pos syntax.Pos, name string, q qual, init syntax.Expr) {
	i := len(info.typ.Fields)
	f := Field{Name: name, Type: q.typ, Const: q.isConst}
	if q.ref {
		f = Field{Name: name, Type: pointerTo(q), Const: true, Ref: true}
	}
	info.typ.Fields = append(info.typ.Fields, f)
	info.inits = append(info.inits, init)
	if name != "" {
		if name == lastPart(info.typ.Name) {
			c.errorf(pos, codeRedeclared, "the member %s has the name of its struct", name)
			return
		}
		c.declare(pos, name, &fieldEntity{path: []int{i}})
		return
	}
	s, ok := q.typ.(*Struct)
	if !ok {
		c.errorf(pos, codeExpectedName, "a data member without name has to be a struct or a union")
		return
	}
	inner := c.structs[s]
	for _, n := range sortedKeys(inner.scope.names) {
		if f, ok := inner.scope.names[n].(*fieldEntity); ok {
			c.declare(pos, n, &fieldEntity{path: append([]int{i}, f.path...)})
		}
	}
}

func lastPart(name string) string {
	depth := 0
	for i := len(name) - 1; i > 0; i-- {
		switch name[i] {
		case '>':
			depth++
		case '<':
			depth--
		case ':':
			if depth == 0 {
				return name[i+1:]
			}
		}
	}
	return name
}

// layout gives the fields their offsets.
func (c *checker) layout(info *structInfo, d *syntax.StructDecl) {
	s := info.typ
	size, align := 0, 1
	for i := range s.Fields {
		f := &s.Fields[i]
		fieldSize, a := f.Type.Size(), max(1, f.Type.Align())
		if i < len(info.bases) && isEmpty(info.bases[i].typ) {
			fieldSize = 0
		}
		a = max(a, c.memberAlign(d, f.Name))
		align = max(align, a)
		if info.parts += 1 + c.partsOf(f.Type); info.parts > maxParts || size+fieldSize > maxBytes {
			c.stop(d.Pos(), codeTooLarge, "%s is too large: want at most %d members, with those of its members, and %d bytes", s, maxParts, maxBytes)
		}
		if s.Union {
			size = max(size, fieldSize)
			continue
		}
		f.Offset = roundUp(size, a)
		size = f.Offset + fieldSize
	}
	for _, a := range d.Attrs {
		if n, ok := c.alignAttr(a); ok {
			align = max(align, n)
		}
	}
	s.Aligns = align
	s.Bytes = max(roundUp(size, align), 1)
}

// Limits that keep whatever looks at all parts of a type short.
const (
	maxParts = 4096
	maxBytes = 1 << 30
)

// partsOf counts the members inside an object of type t, those of an array's elements once.
func (c *checker) partsOf(t Type) int {
	for {
		switch of := t.(type) {
		case *Array:
			t = of.Elem
			continue
		case *Struct:
			if info := c.structs[of]; info != nil {
				return info.parts
			}
		}
		return 0
	}
}

func isEmpty(s *Struct) bool {
	for _, f := range s.Fields {
		if b, ok := f.Type.(*Struct); !ok || f.Name != "" || !isEmpty(b) {
			return false
		}
	}
	return true
}

func roundUp(n, align int) int { return (n + align - 1) / align * align }

// memberAlign is the alignment that alignas asks for a data member, or 1.
func (c *checker) memberAlign(d *syntax.StructDecl, name string) int {
	align := 1
	for _, m := range d.Members {
		v, ok := m.(*syntax.VarDecl)
		if !ok || v.Name != name || name == "" {
			continue
		}
		for _, a := range v.Attrs {
			if n, ok := c.alignAttr(a); ok {
				align = max(align, n)
			}
		}
	}
	return align
}

func (c *checker) alignAttr(a *syntax.Attr) (int, bool) {
	if a.Name != "alignas" && a.Name != "aligned" || len(a.Args) != 1 {
		return 0, false
	}
	n, ok := c.constInt(a.Args[0], "an alignment")
	if !ok {
		return 0, false
	}
	if n == 0 {
		return 1, true
	}
	if n < 0 || n&(n-1) != 0 || n > 1<<20 {
		c.errorf(a.Pos(), codeAlignment, "got alignment %d, want a power of two", n)
		return 0, false
	}
	return int(n), true
}

// Bases

// basePath is the way from a struct to one of its bases, nil if there is none.
func (c *checker) basePath(from, to Type) []int {
	f, ok := from.(*Struct)
	t, ok2 := to.(*Struct)
	if !ok || !ok2 || f == t || c.structs[f] == nil {
		return nil
	}
	for i, b := range c.structs[f].bases {
		if b.typ == t {
			return []int{i}
		}
		if p := c.basePath(b.typ, to); p != nil {
			return append([]int{i}, p...)
		}
	}
	return nil
}

// toBase is op, or the part of it that is its base t.
func (c *checker) toBase(op operand, t Type) operand {
	if p := c.basePath(op.typ(), t); p != nil {
		return c.fieldPath(op, p, op.at())
	}
	return op
}

// Construction

// hasDefault reports whether an object of type t is initialised even without an initialiser.
func (c *checker) hasDefault(t Type) bool {
	switch t := t.(type) {
	case *Array:
		return c.hasDefault(t.Elem)
	case *Struct:
		info := c.structs[t]
		if info == nil {
			return false
		}
		for _, f := range info.ctors {
			if minArgs(f.decl) == 0 {
				return !f.decl.Default || c.defaultsAnything(info)
			}
		}
		return len(info.ctors) == 0 && c.defaultsAnything(info)
	}
	return false
}

// defaultsAnything reports whether some field initialises itself.
func (c *checker) defaultsAnything(info *structInfo) bool {
	for i, f := range info.typ.Fields {
		if info.inits[i] != nil || c.hasDefault(f.Type) {
			return true
		}
	}
	return false
}

// needsArguments reports whether an object of type t cannot be made without an initialiser.
func (c *checker) needsArguments(t Type) bool {
	switch t := t.(type) {
	case *Array:
		return c.needsArguments(t.Elem)
	case *Struct:
		info := c.structs[t]
		if info == nil {
			return false
		}
		if len(info.ctors) > 0 {
			for _, f := range info.ctors {
				if minArgs(f.decl) == 0 {
					return f.decl.Delete
				}
			}
			return true
		}
		for i, f := range t.Fields {
			if f.Ref && info.inits[i] == nil || c.needsArguments(f.Type) {
				return true
			}
		}
	}
	return false
}

// constructStruct is s(args…): by a constructor, or a copy, or with every field
// initialised by itself or zero.
func (c *checker) constructStruct(pos syntax.Pos, s *Struct, args []operand) Expr {
	info := c.structs[s]
	if len(args) == 1 && args[0].expr != nil {
		if Identical(args[0].typ(), s) {
			return c.rvalue(args[0])
		}
		if c.basePath(args[0].typ(), s) != nil {
			return c.rvalue(c.toBase(args[0], s))
		}
	}
	if len(info.ctors) > 0 {
		return c.construction(pos, info, args)
	}
	if len(args) == 0 {
		return c.implicitDefault(pos, info)
	}
	if len(args) == 1 {
		if e, ok := c.userConvert(args[0], s, pos); ok {
			return e
		}
	}
	c.errorf(pos, codeConstruct, "%s has no constructor that takes (%s)", s, describeArgs(args))
	return nil
}

// implicitDefault is the value of an aggregate made from nothing.
func (c *checker) implicitDefault(pos syntax.Pos, info *structInfo) Expr {
	s := info.typ
	if c.needsArguments(s) {
		c.errorf(pos, codeNoDefault, "%s has no default constructor", s)
		return nil
	}
	e := &Construct{expr: expr{pos, s}}
	if !c.defaultsAnything(info) {
		return e
	}
	for i := range s.Fields {
		if s.Union && i > 0 {
			break
		}
		v := c.defaultField(pos, s, i, e.Args)
		if v == nil {
			return nil
		}
		e.Args = append(e.Args, v)
	}
	return e
}

// defaultFields assigns the fields of v that initialise themselves.
func (c *checker) defaultFields(v *Var) []Stmt {
	var list []Stmt
	info := c.structs[v.Type.(*Struct)]
	for i, f := range info.typ.Fields {
		if info.typ.Union && i > 0 || info.inits[i] == nil && !c.hasDefault(f.Type) {
			continue
		}
		if e := c.defaultField(v.Pos, info.typ, i, fieldsOf(v, info.typ)); e != nil {
			target := &FieldExpr{expr{v.Pos, f.Type}, &VarExpr{expr{v.Pos, info.typ}, v}, i}
			list = append(list, &ExprStmt{&Assign{expr{v.Pos, f.Type}, target, e}})
		}
	}
	return list
}

// fieldsOf are the values of the fields of v.
func fieldsOf(v *Var, s *Struct) []Expr {
	var list []Expr
	for i, f := range s.Fields {
		list = append(list, &Load{expr{v.Pos, f.Type}, &FieldExpr{expr{v.Pos, f.Type}, &VarExpr{expr{v.Pos, s}, v}, i}})
	}
	return list
}

// qual is the type of a field as declared.
func (f Field) qual() qual {
	if !f.Ref {
		return plain(f.Type)
	}
	q := pointee(f.Type.(*Pointer))
	q.ref = true
	return q
}

// kept is what a field holds that is initialised with e: of an object that it refers to,
// the address.
func (c *checker) kept(f Field, e Expr) Expr {
	if !f.Ref || e == nil {
		return e
	}
	q := f.qual()
	op := operand{expr: e, lvalue: true, space: q.space, const_: q.isConst, volatile: q.volatile}
	return c.addressOf(op, e.Pos()).expr
}

// memberInit is the value of a default member initialiser.
func (c *checker) memberInit(info *structInfo, i int, made []Expr) Expr {
	var e Expr
	ctx := c.context
	ctx.made = made
	if c.fn != nil && (c.fn.this == nil || c.fn.this.Type != Type(info.typ) || !c.fn.r.of.isConstructor()) {
		outside := *c.fn // the object has no name here
		outside.this = nil
		ctx.fn = &outside
	}
	ctx.scope = info.scope
	ctx.limit = unlimited
	f := info.typ.Fields[i]
	c.in(ctx, func() { e = c.kept(f, c.initialise(f.qual(), info.inits[i], false)) })
	return e
}

// threadConstructors are the constructors for objects of a thread, where a value is made;
// all if there are only such for other address spaces.
func threadConstructors(list []*function) []*function {
	own := slices.DeleteFunc(slices.Clone(list), func(f *function) bool {
		return f.decl.Quals.Space != syntax.NoSpace && f.decl.Quals.Space != syntax.Thread
	})
	if len(own) == 0 {
		return list
	}
	return own
}

// construction calls a constructor.
func (c *checker) construction(pos syntax.Pos, info *structInfo, args []operand) Expr {
	set := &funcSet{name: lastPart(info.typ.Name), list: threadConstructors(info.ctors)}
	r := c.overload(pos, set, nil, nil, false, args)
	if r == nil {
		return nil
	}
	if r.decl.Delete {
		c.errorf(pos, codeDeleted, "this constructor of %s is deleted", info.typ)
		return nil
	}
	if r.decl.Default {
		if len(args) == 0 {
			return c.implicitDefault(pos, &structInfo{typ: info.typ, inits: info.inits, scope: info.scope})
		}
		return c.rvalue(args[0])
	}
	op := c.invoke(pos, r, nil, args)
	return op.expr
}

// User-defined conversions

// userConvertible reports whether a constructor or a conversion function leads from op to t.
func (c *checker) userConvertible(op operand, t Type) bool {
	if op.expr == nil || !c.mayConvert(op, t) {
		return false
	}
	return c.attempt(func() {
		if _, ok := c.userConvert(op, t, op.at()); !ok {
			c.muffled++
		}
	})
}

func (c *checker) mayConvert(op operand, t Type) bool {
	if s, ok := op.typ().(*Struct); ok {
		if c.basePath(s, t) != nil {
			return true
		}
		if info := c.structs[s]; info != nil && len(c.conversions(info)) > 0 {
			return true
		}
	}
	s, ok := t.(*Struct)
	return ok && c.structs[s] != nil && len(c.structs[s].ctors) > 0
}

// conversions lists the conversion functions of a struct and its bases.
func (c *checker) conversions(info *structInfo) []*function {
	list := info.convs
	for _, b := range info.bases {
		list = append(list[:len(list):len(list)], c.conversions(b)...)
	}
	return list
}

// userConvert converts op to t by a conversion function or an implicit
// constructor. ok is false if there is none; the expression is nil after an error.
func (c *checker) userConvert(op operand, t Type, pos syntax.Pos) (e Expr, ok bool) {
	if op.expr == nil || c.converting > 0 || !c.mayConvert(op, t) {
		return nil, false
	}
	c.converting++ // one user-defined conversion at most
	defer func() { c.converting-- }()
	if s, isStruct := op.typ().(*Struct); isStruct {
		if c.basePath(s, t) != nil {
			return c.rvalue(c.toBase(op, t)), true
		}
		if e, ok := c.callConversion(op, c.structs[s], t, pos); ok {
			return e, true
		}
	}
	s, isStruct := t.(*Struct)
	if !isStruct || c.structs[s] == nil {
		return nil, false
	}
	set := &funcSet{name: lastPart(s.Name)}
	for _, f := range threadConstructors(c.structs[s].ctors) {
		if !f.decl.Specs.Explicit {
			set.list = append(set.list, f)
		}
	}
	var r *routine
	if len(set.list) == 0 || !c.attempt(func() { r = c.overload(pos, set, nil, nil, false, []operand{op}) }) || r == nil {
		return nil, false
	}
	if r.decl.Default || r.decl.Delete {
		return nil, false
	}
	return c.invoke(pos, r, nil, []operand{op}).expr, true
}

// callConversion converts op by the conversion function whose result comes closest to t.
func (c *checker) callConversion(op operand, info *structInfo, t Type, pos syntax.Pos) (Expr, bool) {
	var best *routine
	bestRank := impossibleRank
	for _, f := range c.conversions(info) {
		r := c.conversionTo(f, t)
		if r == nil || !c.accepts(r, op) {
			continue
		}
		n, ok := standardRank(r.result.typ, t, false)
		if !ok {
			continue
		}
		if obj, _ := c.thisRank(r, op); obj > 0 {
			n = n*10 + 1
		} else {
			n *= 10
		}
		if n < bestRank {
			best, bestRank = r, n
		}
	}
	if best == nil {
		return nil, false
	}
	obj := c.thisOperand(op)
	v := c.rvalue(c.invoke(pos, best, &obj, nil))
	if v == nil {
		return nil, true
	}
	return c.cast(v, t), true
}

const impossibleRank = 1 << 20

// toIntegral converts a struct with a conversion function to an integer.
func (c *checker) toIntegral(op operand, pos syntax.Pos) (Expr, bool) {
	for _, k := range []Kind{Int, UInt, Long, ULong, Bool} {
		if e, ok := c.userConvert(op, k, pos); ok && e != nil {
			return e, true
		}
	}
	return nil, false
}

// explicitStruct is a cast from or to a struct; done is false if none is involved.
func (c *checker) explicitStruct(op operand, to Type, pos syntax.Pos) (e Expr, done bool) {
	if s, ok := to.(*Struct); ok {
		return c.constructStruct(pos, s, []operand{op}), true
	}
	s, ok := op.typ().(*Struct)
	if !ok || isVoid(to) {
		return nil, false
	}
	if e, ok := c.userConvert(op, to, pos); ok {
		return e, true
	}
	c.errorf(pos, codeCast, "got %s, which cannot be cast to %s", s, to)
	return nil, true
}
