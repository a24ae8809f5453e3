package types

import (
	"slices"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// structInfo is what the checker knows of a struct beyond its layout.
type structInfo struct {
	typ      *hir.Struct
	decl     *syntax.StructDecl
	scope    *scope // its members; the parent is where it was declared, or the template's parameters
	complete bool
	parts    int           // its members, with those of members that are structs
	bases    []*structInfo // fields 0 … len(bases)-1 of the type
	inits    []syntax.Expr // default member initialisers, one per field, nil if absent
	gaps     map[int]int   // bits of the unit of bit-fields that a field begins
	flexible syntax.Pos    // of a last field that is an array without length
	ctors    []*function
	convs    []*function // conversion functions
	dtor     *function   // nil if the compiler makes it
	assigned bool        // has an operator= of its own
	template *classTemplate
	targs    []templateArg
	lambda   bool // the closure of a lambda
	lazy     bool // of a template: bodies of member functions are checked when they are called
	limit    int  // then, what they can see of program scope

	accessRules
	faults    []*syntax.Error // deferred until the class has to be complete
	enclosing *function       // the function that a local class, or a lambda, lies in
}

// accessRules say who may name the members of a class.
type accessRules struct {
	current  protection               // of the members being read
	members  map[string]protection    // of members other than functions; absent means public
	promoted map[*function]protection // of functions of bases, by using declarations
	via      []protection             // of the bases
	guarded  bool                     // something of the class, or of a base, is not public
	friends  []friend
}

// aggregate reports whether a braced list initialises the fields one by one: no
// constructor has a body, and everything is public. Up to C++14 there is no base either.
func (c *checker) aggregate(s *structInfo) bool {
	if len(s.bases) > 0 && c.cfg.Version < 400 ||
		slices.ContainsFunc(s.via, func(p protection) bool { return p.access != publicAccess }) {
		return false
	}
	for name, p := range s.members {
		if _, field := s.scope.names[name].(*fieldEntity); field && p.access != publicAccess {
			return false
		}
	}
	return !s.constructed()
}

// constructed reports whether a constructor has a body.
func (s *structInfo) constructed() bool {
	return slices.ContainsFunc(s.ctors, func(f *function) bool { return !f.decl.Default && !f.decl.Delete })
}

// structDecl declares or defines a struct, class or union; nil after an error.
func (c *checker) structDecl(d *syntax.StructDecl) *hir.Struct {
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
		info.enclosing = c.function()
		if name != "" {
			c.declare(d.Pos(), name, &typeEntity{q: plain(info.typ), seq: c.nextSeq(), tag: true})
		}
	}
	if !d.Body {
		return info.typ
	}
	if info.complete {
		c.errorf(d.Name.Pos(), codeRedeclared, "redefinition of '%s'", name)
		return info.typ
	}
	c.define(info, d)
	return info.typ
}

// function is the function that this place lies in, nil outside of functions.
func (c *checker) function() *function {
	if c.fn == nil {
		return nil
	}
	return c.fn.r.of
}

// declared finds a struct of that name in the current scope.
func (c *checker) declared(name string) *structInfo {
	if name == "" {
		return nil
	}
	if t, ok := c.scope.names[name].(*typeEntity); ok && t.tag {
		if s, ok := t.q.typ.(*hir.Struct); ok {
			return c.structs[s]
		}
	}
	return nil
}

func (c *checker) newStruct(d *syntax.StructDecl, name string, parent *scope) *structInfo {
	s := &hir.Struct{Name: parent.path + name, Union: d.Keyword == "union"}
	if parent.kind == structScope && name != "" {
		s.Name = parent.str.typ.Name + "::" + name
	}
	c.spend(d.Pos(), len(s.Name)/bytesPerStep)
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
	info.current = classDefault(d)
	c.bases(info, d)
	for _, m := range d.Members {
		c.memberDecl(info, m)
	}
	c.layout(info, d)
	c.defaultBeside(info)
	info.complete = true
	c.classes = c.classes[:len(c.classes)-1]
	c.context = saved
	if len(c.classes) == 0 {
		c.checkPending()
	}
}

func (c *checker) memberDecl(info *structInfo, m syntax.Decl) {
	switch m := m.(type) {
	case *syntax.AccessDecl:
		info.current = protection{access: accessWords[m.Access]}
	case *syntax.FriendDecl:
		c.friendDecl(info, m)
	case *syntax.VarDecl:
		c.fieldDecl(info, m)
	case *syntax.FuncDecl:
		c.spend(m.Pos(), scopeWork)
		c.methodDecl(info, m)
	case *syntax.StructDecl:
		if c.deferrable(info, m) {
			c.deferMember(info, m.Name.Last().Ident, m.Pos(), func() { c.structDecl(m) })
			return
		}
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
		if d.Init == nil && !d.Specs.Constexpr && q.space == syntax.Constant {
			c.declareMember(info, d, q)
			return
		}
		if info.lazy && d.Init != nil {
			c.deferMember(info, d.Name, d.NamePos, func() { c.constantVar(d, q, info.typ.Name+"::") })
			return
		}
		c.constantVar(d, q, info.typ.Name+"::")
		return
	}
	if a, ok := q.typ.(*hir.Array); ok && a.Len < 0 && !info.typ.Union && !q.ref && d.Init == nil {
		q.typ = &hir.Array{Elem: a.Elem} // what follows the struct in memory
		defer func() { info.flexible = d.NamePos }()
	}
	if info.flexible.IsValid() {
		c.errorf(info.flexible, codeArrayLength, "flexible array member is not at the end of '%s'", info.typ)
		info.flexible = syntax.Pos{}
	}
	switch {
	case d.Bits != nil:
		c.bitField(info, d, q)
	case hasAuto(q.typ):
		c.errorf(d.Pos(), codeAuto, "a data member cannot be auto")
	case q.ref:
		c.addField(info, nameOf(d), d.Name, q, d.Init)
	case q.space != syntax.NoSpace:
		c.errorf(d.Pos(), codeAddressSpace,
			"a data member lies where its object lies: it has no address space of its own")
	case c.absentMember(info, d, q):
	case !c.complete(q, d.Pos()):
	default:
		c.addField(info, nameOf(d), d.Name, q, d.Init)
		info.typ.Fields[len(info.typ.Fields)-1].Mutable = d.Specs.Mutable
	}
}

// nameOf is the place of a member's name, or of its type if it has none.
func nameOf(d *syntax.VarDecl) syntax.Pos {
	if d.Name == "" {
		return d.Pos()
	}
	return d.NamePos
}

// addField appends a data member and makes it, or the members of an anonymous one, visible.
func (c *checker) addField(info *structInfo, pos syntax.Pos, name string, q qual, init syntax.Expr) {
	i := len(info.typ.Fields)
	f := hir.Field{Name: name, Type: q.typ, Const: q.isConst}
	if q.ref {
		f = hir.Field{Name: name, Type: pointerTo(q), Const: true, Ref: true}
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
	s, ok := q.typ.(*hir.Struct)
	if !ok {
		return
	}
	inner := c.structs[s]
	for _, n := range sortedKeys(inner.scope.names) {
		if f, ok := inner.scope.names[n].(*fieldEntity); ok {
			c.declare(pos, n, &fieldEntity{path: append([]int{i}, f.path...)})
		}
	}
}

func keywordOf(s *hir.Struct) string {
	if s.Union {
		return "union"
	}
	return "struct"
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
	size, align, bits := 0, 1, 0
	packed := slices.ContainsFunc(d.Attrs, func(a *syntax.Attr) bool { return a.Name == "packed" })
	asked := c.memberAligns(d)
	for i := range s.Fields {
		f := &s.Fields[i]
		fieldSize, a := f.Type.Size(), max(1, f.Type.Align())
		if i < len(info.bases) && hir.IsEmpty(info.bases[i].typ) {
			fieldSize = 0
		}
		if f.Name != "" {
			a = max(a, asked[f.Name])
		}
		switch {
		case packed:
			a = 1
		case d.Pack > 0:
			a = min(a, d.Pack)
		}
		align = max(align, a)
		if info.parts += 1 + c.partsOf(f.Type); info.parts > c.cfg.Budget.Limits.Of(syntax.Members) {
			c.stop(d.Pos(), codeTooLarge, "%s is too large: %s", s, c.cfg.Budget.Limits.Exceeded(syntax.Members,
				"it has more members than %d, with those of its members"))
		} else if size+fieldSize > maxBytes {
			c.stop(d.Pos(), codeTooLarge,
				"%s is too large: no type may have more than %d bytes, and no flag allows more: keep what it holds "+
					"in a buffer", s, maxBytes)
		}
		if s.Union {
			if f.Bits > 0 {
				fieldSize = (f.Bits + 7) / 8
			}
			size = max(size, fieldSize)
			continue
		}
		bits = roundUp(bits, max(1, info.gaps[i]))
		if f.Bits > 0 {
			bits = placeBits(f, bits, packed || d.Pack > 0)
			size = (bits + 7) / 8
			continue
		}
		f.Offset = roundUp(size, a)
		size = f.Offset + fieldSize
		bits = 8 * size
	}
	for _, a := range d.Attrs {
		if n, ok := c.alignAttr(a); ok {
			align = max(align, n)
		}
	}
	s.Aligns = align
	s.Bytes = max(roundUp(size, align), 1)
}

// maxBytes bounds the size of a type.
const maxBytes = 1 << 30

// partsOf counts the members inside an object of type t, those of an array's elements once.
func (c *checker) partsOf(t hir.Type) int {
	for {
		switch of := t.(type) {
		case *hir.Array:
			t = of.Elem
			continue
		case *hir.Struct:
			if info := c.structs[of]; info != nil {
				return info.parts
			}
		}
		return 0
	}
}

func roundUp(n, align int) int { return (n + align - 1) / align * align }

// memberAligns are the alignments that alignas asks for data members, by name.
func (c *checker) memberAligns(d *syntax.StructDecl) map[string]int {
	var asked map[string]int
	for _, m := range d.Members {
		v, ok := m.(*syntax.VarDecl)
		if !ok {
			continue
		}
		for _, a := range v.Attrs {
			n, ok := c.alignAttr(a)
			if !ok {
				continue
			}
			if asked == nil {
				asked = map[string]int{}
			}
			asked[v.Name] = max(asked[v.Name], n)
		}
	}
	return asked
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
