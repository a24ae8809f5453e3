package types

import (
	"strings"

	"metalconform/metalrun/internal/syntax"
)

// A qual is a type with what qualifies the object or reference that has it.
type qual struct {
	typ               Type
	space             Space // NoSpace if none was written
	isConst, volatile bool
	ref, rvalueRef    bool // a reference; the qualifiers are those of the referent
}

func plain(t Type) qual { return qual{typ: t} }

func (q qual) String() string {
	var b strings.Builder
	if q.space != syntax.NoSpace {
		b.WriteString(q.space.String() + " ")
	}
	if q.isConst && q.space != syntax.Constant {
		b.WriteString("const ")
	}
	if q.volatile {
		b.WriteString("volatile ")
	}
	b.WriteString(q.typ.String())
	switch {
	case q.rvalueRef:
		b.WriteString(" &&")
	case q.ref:
		b.WriteString(" &")
	}
	return b.String()
}

func sameQual(a, b qual) bool {
	if !Identical(a.typ, b.typ) || a.ref != b.ref || a.rvalueRef != b.rvalueRef {
		return false
	}
	return a.space == b.space && a.isConst == b.isConst && a.volatile == b.volatile
}

// asType is q where the tree wants a Type: as a parameter of a [Signature].
// Qualifiers of a value parameter are no part of it.
func (q qual) asType() Type {
	if !q.ref {
		return q.typ
	}
	return reference{Elem: q.typ, Space: q.space, Const: q.isConst || q.space == syntax.Constant, Volatile: q.volatile}
}

// fromType undoes asType.
func fromType(t Type) qual {
	if r, ok := t.(reference); ok {
		return qual{typ: r.Elem, space: r.Space, isConst: r.Const, volatile: r.Volatile, ref: true}
	}
	return plain(t)
}

// reference is the type of a reference parameter in a [Signature].
type reference struct {
	Elem            Type
	Space           Space
	Const, Volatile bool
}

func (reference) Size() int        { return 8 }
func (reference) Align() int       { return 8 }
func (r reference) String() string { return fromType(r).String() }

// Placeholder types exist while a declaration is being read.
type (
	autoType struct{ declared bool } // auto, until the initialiser is known; declared of decltype(auto)
	nullType struct{}                // of nullptr
)

func (autoType) Size() int  { return 0 }
func (autoType) Align() int { return 1 }
func (t autoType) String() string {
	if t.declared {
		return "decltype(auto)"
	}
	return "auto"
}
func (nullType) Size() int      { return 8 }
func (nullType) Align() int     { return 8 }
func (nullType) String() string { return "nullptr_t" }

// absentType is an instance of a template of the library that does not exist, such as
// a vector of one component, or a type that this front end does not have: it can be named, and nothing can have it.
type absentType struct{ name, code, why string }

func (absentType) Size() int        { return 0 }
func (absentType) Align() int       { return 1 }
func (t absentType) String() string { return t.name }

// pointerTo is a pointer to an object that q qualifies.
func pointerTo(q qual) *Pointer {
	return &Pointer{Elem: q.typ, Space: q.space, Const: q.isConst || q.space == syntax.Constant, Volatile: q.volatile}
}

// pointee is the object a pointer points to.
func pointee(p *Pointer) qual {
	return qual{typ: p.Elem, space: p.Space, isConst: p.Const, volatile: p.Volatile}
}

func isVoid(t Type) bool { return t == Void }

// isArithmetic reports whether t is bool, an integer or a floating type.
func isArithmetic(t Type) bool {
	k, ok := t.(Kind)
	return ok && k != Void
}

// isIntegral reports whether t is bool, an integer or an unscoped enumeration.
func isIntegral(t Type) bool {
	switch t := t.(type) {
	case Kind:
		return t == Bool || t.IsInteger()
	case *Enum:
		return !t.Scoped
	}
	return false
}

// elementKind is the kind of a scalar or of a vector's components, Void for others.
func elementKind(t Type) Kind {
	switch t := t.(type) {
	case Kind:
		return t
	case Vector:
		return t.Elem
	}
	return Void
}
