package types

import (
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// A qual is a type with what qualifies the object or reference that has it.
type qual struct {
	typ               hir.Type
	space             hir.Space // NoSpace if none was written
	isConst, volatile bool
	ref, rvalueRef    bool // a reference; the qualifiers are those of the referent
}

func plain(t hir.Type) qual { return qual{typ: t} }

func (q qual) String() string {
	text := hir.QualifiedString(q.typ, q.space, q.isConst, q.volatile)
	switch {
	case q.rvalueRef:
		text += " &&"
	case q.ref:
		text += " &"
	}
	return text
}

func sameQual(a, b qual) bool {
	if !hir.Identical(a.typ, b.typ) || a.ref != b.ref || a.rvalueRef != b.rvalueRef {
		return false
	}
	return a.space == b.space && a.isConst == b.isConst && a.volatile == b.volatile
}

// asType is q where the tree wants a Type: as a parameter of a [hir.Signature].
// Qualifiers of a value parameter are no part of it.
func (q qual) asType() hir.Type {
	if !q.ref {
		return q.typ
	}
	return hir.Reference{Elem: q.typ, Space: q.space, Const: q.isConst || q.space == syntax.Constant,
		Volatile: q.volatile}
}

// fromType undoes asType.
func fromType(t hir.Type) qual {
	if r, ok := t.(hir.Reference); ok {
		return qual{typ: r.Elem, space: r.Space, isConst: r.Const, volatile: r.Volatile, ref: true}
	}
	return plain(t)
}

// Placeholder types exist while a declaration is being read.
type autoType struct{ declared bool } // auto, until the initialiser is known; declared of decltype(auto)

func (autoType) Size() int  { return 0 }
func (autoType) Align() int { return 1 }
func (t autoType) String() string {
	if t.declared {
		return "decltype(auto)"
	}
	return "auto"
}

// absentType is an instance of a template of the library that does not exist, such as
// a vector of one component, or a type that this front end does not have: it can be named, and nothing can have it.
type absentType struct{ name, code, why string }

func (absentType) Size() int        { return 0 }
func (absentType) Align() int       { return 1 }
func (t absentType) String() string { return t.name }

// pointerTo is a pointer to an object that q qualifies.
func pointerTo(q qual) *hir.Pointer {
	return &hir.Pointer{Elem: q.typ, Space: q.space, Const: q.isConst || q.space == syntax.Constant,
		Volatile: q.volatile}
}

// pointee is the object a pointer points to.
func pointee(p *hir.Pointer) qual {
	return qual{typ: p.Elem, space: p.Space, isConst: p.Const, volatile: p.Volatile}
}

func isVoid(t hir.Type) bool { return t == hir.Void }

// isArithmetic reports whether t is bool, an integer or a floating type.
func isArithmetic(t hir.Type) bool {
	k, ok := t.(hir.Kind)
	return ok && k != hir.Void
}

// isIntegral reports whether t is bool, an integer or an unscoped enumeration.
func isIntegral(t hir.Type) bool {
	switch t := t.(type) {
	case hir.Kind:
		return t == hir.Bool || t.IsInteger()
	case *hir.Enum:
		return !t.Scoped
	}
	return false
}

// elementKind is the kind of a scalar or of a vector's components, Void for others.
func elementKind(t hir.Type) hir.Kind {
	switch t := t.(type) {
	case hir.Kind:
		return t
	case hir.Vector:
		return t.Elem
	}
	return hir.Void
}
