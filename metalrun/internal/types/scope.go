package types

import (
	"slices"
	"sort"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

type scopeKind uint8

const (
	blockScope     scopeKind = iota // a block, a parameter list, or the parameters of a template
	structScope                     // members of a struct
	namespaceScope                  // the program or a namespace
)

// A scope maps names to what they denote.
type scope struct {
	kind    scopeKind
	parent  *scope
	names   map[string]entity
	control bool        // holds what the head of a statement declares: its body cannot declare that again
	objects []*hir.Var  // of a blockScope: those that end with it and have a destructor
	used    []*scope    // namespaces opened by using directives
	seen    int         // the last search that looked at it
	library openings    // namespaces of the standard library that are open
	str     *structInfo // of a structScope
	path    string      // of a namespaceScope: "" or "a::b::"
	inline  bool        // a namespace whose names are those of the one around it, too
}

func newScope(parent *scope, kind scopeKind) *scope {
	s := &scope{kind: kind, parent: parent, names: map[string]entity{}}
	if parent != nil && kind == namespaceScope {
		s.path = parent.path
	}
	return s
}

// open makes the names of a namespace visible in s.
func (s *scope) open(namespace *scope) {
	s.library |= namespace.holds()
	if !slices.Contains(s.used, namespace) {
		s.used = append(s.used, namespace)
	}
}

// entity is what a name denotes.
type entity interface{}

type (
	// varEntity is a variable or a parameter.
	varEntity struct {
		v        *hir.Var
		seq      int
		owner    *routine // of a local: the function it belongs to
		volatile bool
		fc       *hir.FunctionConstant
		declared bool // extern, and not defined yet
	}
	// typeEntity is a struct, an enumeration, a typedef or a type parameter.
	typeEntity struct {
		q   qual
		seq int
		tag bool // struct or enum: may share its name with a function or variable
	}
	// valueEntity is an enumerator or a non-type template parameter.
	valueEntity struct {
		typ  hir.Type
		bits uint64
		seq  int
	}
	// routineEntity is a template parameter that stands for a function.
	routineEntity struct {
		set      *funcSet
		targs    []templateArg
		hasTargs bool
	}
	// fieldEntity is a data member, found in its struct's scope.
	fieldEntity struct{ path []int }
	// stdEntity is a name of the standard library that a using declaration brought in.
	stdEntity struct {
		name string
		from openings
	}
	// ownEntity is a variable inside its own initialiser: declared, and without a value.
	ownEntity struct {
		name string
		typ  *qual    // nil if the initialiser gives the type
		v    *hir.Var // nil until the initialiser names it
		pos  syntax.Pos
	}
	// aliasEntity is a reference of program scope, constant data that holds addresses, or a component that a structured
	// binding names.
	aliasEntity struct {
		op    operand
		seq   int
		owner *routine // of a component: the function it belongs to
	}
	// inputEntity is an input of kernels that is declared at program scope.
	inputEntity struct {
		name string
		typ  hir.Type
		seq  int
	}
	// poisonEntity is a name whose declaration was faulty.
	poisonEntity struct{}
	// namespaceEntity is a namespace.
	namespaceEntity struct {
		scope *scope
		alias bool // another name, which cannot open the namespace again
		seq   int
	}
	// classTemplate is a template of a struct or of an alias.
	classTemplate struct {
		name      string
		decl      *syntax.StructDecl  // of a struct template
		alias     *syntax.TypedefDecl // of an alias template
		tmpl      *syntax.Template
		scope     *scope
		seq       int
		limit     int // what the members can see of program scope
		special   []*specialisation
		instances map[string]qual
		guides    []*function                // written deduction guides
		values    map[string]*syntax.VarDecl // of static members, given outside of the class
	}
)

// A funcSet is all functions of one name in one scope.
type funcSet struct {
	name  string
	list  []*function
	named *structInfo // the class in which the set was looked up, nil if that does not matter
}

func seqOf(e entity) int {
	switch e := e.(type) {
	case *varEntity:
		return e.seq
	case *typeEntity:
		return e.seq
	case *valueEntity:
		return e.seq
	case *namespaceEntity:
		return e.seq
	case *inputEntity:
		return e.seq
	case *aliasEntity:
		return e.seq
	case *classTemplate:
		return e.seq
	case *varTemplate:
		return e.seq
	}
	return 0
}

// visible is e, or what of it was declared before the context's limit.
func (c *checker) visible(e entity) entity {
	if set, ok := e.(*funcSet); ok {
		c.unpaid += len(set.list) / 2
		n := 0
		for _, f := range set.list {
			if f.seq <= c.limit && !f.hidden {
				n++
			}
		}
		if n == 0 {
			return nil // it may be on its way
		}
		if n == len(set.list) {
			return set
		}
		early := &funcSet{name: set.name}
		for _, f := range set.list {
			if f.seq <= c.limit && !f.hidden {
				early.list = append(early.list, f)
			}
		}
		return early
	}
	if e == nil || seqOf(e) > c.limit {
		return nil
	}
	return e
}

// found is the result of a lookup.
type found struct {
	ent entity // nil if the program declares no such name
	in  *scope
	// library has the namespaces of the standard library whose names are visible at this point too.
	library openings
}

// lookup finds an unqualified name.
func (c *checker) lookup(name string) found {
	return c.lookupFrom(c.scope, name)
}

func (c *checker) lookupFrom(s *scope, name string) found {
	var open openings // so far, by directives, which act on the namespace around all of them
	for ; s != nil; s = s.parent {
		open |= s.library
		inside := s.holds()
		if e := c.member(s, name); e != nil {
			near := inside
			if s.parent == nil {
				near |= open
			}
			if std, ok := e.(*stdEntity); ok {
				f := found{library: std.from | near}
				if f.library.metal() {
					f.ent = c.stdMember(name)
				}
				return f
			}
			if s.names[name] == nil { // an addition to a namespace of the library, which s opens
				near |= s.library
			}
			return found{ent: e, in: s, library: near}
		}
		switch { // they hide what is around the library
		case inside.metal() && isBuiltin(name):
			return found{ent: c.stdMember(name), in: c.prelude, library: inside | open}
		case inside != 0 && hasVariant(name):
			return found{library: inside}
		}
		open |= inside & opensMetal
	}
	if open.metal() {
		return found{ent: c.stdMember(name), in: c.prelude, library: open}
	}
	return found{library: open}
}

// member finds a name in one scope and in the namespaces it has opened, each of which is looked at once: they may
// open each other.
func (c *checker) member(s *scope, name string) entity {
	c.searches++
	return c.search(s, name, c.searches)
}

// search is a part of the search of that number.
func (c *checker) search(s *scope, name string, number int) entity {
	if s.seen == number {
		return nil
	}
	s.seen = number
	if s.kind == structScope {
		c.reportDeferred(s.str)
	}
	c.unpaid += len(s.used)
	if s.kind == structScope {
		c.unpaid += len(s.str.bases)
	}
	e := c.own(s, name)
	if s.kind == namespaceScope {
		e = c.visible(e)
	}
	if e != nil {
		return e
	}
	if s.kind == structScope {
		for i, b := range s.str.bases {
			switch e := c.member(b.scope, name).(type) {
			case nil:
			case *fieldEntity:
				return &fieldEntity{path: append([]int{i}, e.path...)}
			default:
				return e
			}
		}
	}
	var sets []*function
	for _, u := range s.used {
		switch e := c.search(u, name, number).(type) {
		case nil:
		case *funcSet:
			sets = append(sets, e.list...)
		default:
			return e
		}
	}
	if sets != nil {
		return &funcSet{name: name, list: sets}
	}
	return nil
}

// declare adds a name to the current scope.
func (c *checker) declare(pos syntax.Pos, name string, e entity) {
	if c.scope.kind == structScope {
		c.scope.str.protect(pos, name)
	}
	old, ok := c.scope.names[name]
	if p := c.scope.parent; !ok && p != nil && p.control && c.scope.kind == blockScope {
		old, ok = p.names[name]
	}
	if !ok {
		c.scope.names[name] = e
		return
	}
	if t, ok := old.(*typeEntity); ok && t.tag {
		if _, again := e.(*typeEntity); !again {
			c.scope.names[name] = e // the tag stays reachable as "struct name" only
			c.scope.names["struct "+name] = t
			return
		}
	}
	if t, ok := e.(*typeEntity); ok {
		if o, ok := old.(*typeEntity); ok && sameQual(t.q, o.q) {
			return // a typedef may be repeated
		}
		if t.tag {
			if _, isType := old.(*typeEntity); !isType {
				c.scope.names["struct "+name] = t
				return
			}
		}
	}
	c.redefinition(pos, name, old)
}

// redefinition reports a second declaration of a name that old has.
func (c *checker) redefinition(pos syntax.Pos, name string, old entity) {
	e := c.errorf(pos, codeRedeclared, "redefinition of '%s'", name)
	switch old := old.(type) {
	case *varEntity:
		e.Note(old.v.Pos, "previous definition is here, of type '%s'", old.v.Type)
	case *funcSet:
		e.Note(namePos(old.list[0].decl), "previous definition is here")
	case *classTemplate:
		if old.decl != nil {
			e.Note(old.decl.Pos(), "previous definition is here")
		}
	}
}

// nextSeq numbers a declaration of program scope.
func (c *checker) nextSeq() int {
	if c.scope.kind == blockScope {
		return 0
	}
	c.seq++
	return c.seq
}

// namespace finds or makes the namespace scope of name in s.
func (c *checker) namespace(s *scope, pos syntax.Pos, name string) *scope {
	if name == "" {
		inner := newScope(s, namespaceScope)
		s.used = append(s.used, inner)
		return inner
	}
	if e, ok := s.names[name].(*namespaceEntity); ok && !e.alias {
		return e.scope
	}
	inner := newScope(s, namespaceScope)
	inner.path = s.path + name + "::"
	c.spend(pos, len(inner.path)/bytesPerStep)
	c.declare(pos, name, &namespaceEntity{scope: inner, seq: c.nextSeq()})
	return inner
}

// qualification is what stands before the last :: of a name.
type qualification struct {
	scope     *scope // nil if only the standard library has such a namespace
	std       bool   // it is the standard library's namespace, or precise or fast inside it
	precision string // "precise" or "fast" if that was named
	library   openings
	reported  bool // what is wrong with it has been told
}

// qualify finds what all but the last part of a qualified name denote.
func (c *checker) qualify(n *syntax.Name) (q qualification, ok bool) {
	q = stdQualification(c.global)
	parts := n.Parts[:len(n.Parts)-1]
	for i := range parts {
		p := &parts[i]
		var e entity
		open := q.std
		switch {
		case p.Decltype != nil:
			dt := &syntax.DecltypeType{X: p.Decltype}
			dt.SetPos(p.Pos)
			t, ok := c.decltype(dt)
			if !ok {
				return qualification{reported: true}, false
			}
			e = &typeEntity{q: t}
		case i == 0 && !n.Global:
			f := c.lookup(p.Ident)
			e, open = f.ent, f.library.metal()
		case q.scope != nil:
			e = c.member(q.scope, p.Ident)
			if _, ok := c.permitEntity(p.Pos, q.scope, p.Ident, e); !ok {
				return qualification{reported: true}, false
			}
		}
		if e == nil && i > 0 && q.std && q.precision == "" {
			e = c.stdMember(p.Ident)
		}
		outermost := i == 0
		switch {
		case e != nil:
			s, isScope := c.scopeOf(p, e)
			if t, isType := e.(*typeEntity); !isScope && isType && hasNoMembers(t.q.typ) {
				c.errorf(p.Pos, codeNoMember, "type '%s' cannot be used prior to '::' because it has no members", t.q)
				return qualification{reported: true}, false
			}
			if !isScope {
				return qualification{}, false
			}
			q = stdQualification(s)
		case outermost && p.Ident == "metal":
			q = qualification{std: true}
		case open && (p.Ident == "precise" || p.Ident == "fast"):
			q = qualification{std: true, precision: p.Ident}
		default:
			return qualification{}, false
		}
	}
	return q, true
}

// stdQualification is a scope, which may be one that a program adds to the library's.
func stdQualification(s *scope) qualification {
	q := qualification{scope: s, std: s.library.metal(), library: s.library}
	switch s.path {
	case "metal::":
		q.std, q.library = true, 0 // its own functions hide those of what it opens
	case "metal::fast::":
		q.std, q.precision = true, "fast"
	case "metal::precise::":
		q.std, q.precision = true, "precise"
	}
	return q
}

// scopeOf is the scope that an entity opens for a qualified name.
func (c *checker) scopeOf(p *syntax.NamePart, e entity) (*scope, bool) {
	switch e := e.(type) {
	case *namespaceEntity:
		return e.scope, true
	case *typeEntity:
		if s, ok := e.q.typ.(*hir.Struct); ok && p.HasArgs && c.structs[s] != nil && c.structs[s].template != nil {
			return c.scopeOf(p, c.structs[s].template) // another instance, by the injected name
		}
		return c.typeScope(e.q.typ)
	case *classTemplate:
		q, ok := c.instantiateClass(e, p)
		if !ok {
			return nil, false
		}
		return c.typeScope(q.typ)
	}
	return nil, false
}

// hasNoMembers reports whether t is a type that opens no scope at all.
func hasNoMembers(t hir.Type) bool {
	switch t.(type) {
	case hir.Kind, hir.Vector, hir.Matrix, *hir.Pointer, *hir.Array, *hir.Signature:
		return true
	}
	return false
}

func (c *checker) typeScope(t hir.Type) (*scope, bool) {
	switch t := t.(type) {
	case *hir.Struct:
		if info := c.structs[t]; info != nil {
			return info.scope, true
		}
	case *hir.Enum:
		if s := c.enums[t]; s != nil {
			return s, true
		}
	}
	return nil, false
}

// mostHinted bounds the names that hints look through, all together.
const mostHinted = 1 << 18

// hint proposes the visible name that is nearest to one that is not.
func (c *checker) hint(name string) string {
	if c.speculating > 0 || c.hinted > mostHinted {
		return ""
	}
	var names []string
	open := false
	for s := c.scope; s != nil; s = s.parent {
		for n, e := range s.names {
			if c.visible(e) != nil {
				names = append(names, n)
			}
		}
		open = open || s.library.metal()
	}
	c.hinted += len(names)
	sort.Strings(names)
	if open {
		names = append(names, sortedKeys(library())...)
	}
	return syntax.Nearest(name, names)
}
