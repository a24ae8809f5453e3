package hir

import (
	"strings"

	"metalconform/metalrun/internal/syntax"
)

// Space is the address space an object lives in. Locals are syntax.Thread.
type Space = syntax.Space

// Type is the type of an object or value. Types are compared with Identical;
// qualifiers and address spaces belong to pointers and variables, never to a
// Type itself. An expression never has the type of a reference: see Var.Ref.
type Type interface {
	// Size is the number of bytes an object takes, 0 for void and functions.
	Size() int
	// Align is the alignment in bytes, at least 1.
	Align() int
	// String is the type as MSL spells it.
	String() string
}

// Identical reports whether a and b are the same type.
func Identical(a, b Type) bool {
	switch a := a.(type) {
	case *Array:
		b, ok := b.(*Array)
		return ok && a.Len == b.Len && Identical(a.Elem, b.Elem)
	case Reference:
		b, ok := b.(Reference)
		return ok && a.Space == b.Space && a.Const == b.Const && a.Volatile == b.Volatile && Identical(a.Elem, b.Elem)
	case *Pointer:
		b, ok := b.(*Pointer)
		return ok && a.Space == b.Space && a.Const == b.Const && a.Volatile == b.Volatile && Identical(a.Elem, b.Elem)
	case *Signature:
		b, ok := b.(*Signature)
		if !ok || len(a.Params) != len(b.Params) || !Identical(a.Result, b.Result) {
			return false
		}
		for i := range a.Params {
			if !Identical(a.Params[i], b.Params[i]) {
				return false
			}
		}
		return true
	}
	return a == b // Kind, Vector, Matrix, …: values; *Struct, *Enum: identity
}

// QualifiedString is t with qualifiers as MSL spells them. A space of NoSpace is left out.
func QualifiedString(t Type, space Space, isConst, isVolatile bool) string {
	var b strings.Builder
	if space != syntax.NoSpace {
		b.WriteString(space.String() + " ")
	}
	if isConst && space != syntax.Constant {
		b.WriteString("const ")
	}
	if isVolatile {
		b.WriteString("volatile ")
	}
	return b.String() + t.String()
}

// ScalarKind is the kind of a scalar of type t in memory, Void if t is not a scalar type.
func ScalarKind(t Type) Kind {
	switch t := t.(type) {
	case Kind:
		return t
	case *Enum:
		return t.Underlying
	case *Signature:
		return ULong // the number of a function
	}
	return Void
}

// ElemOf is the kind of the elements of a scalar, vector, matrix or simdgroup matrix, Void for other
// types.
func ElemOf(t Type) Kind {
	switch t := t.(type) {
	case Kind:
		return t
	case Vector:
		return t.Elem
	case Matrix:
		return t.Elem
	case SimdMatrix:
		return t.Elem
	case *Enum:
		return t.Underlying
	}
	return Void
}

// IsPointer reports whether t is a pointer to an object.
func IsPointer(t Type) bool { _, ok := t.(*Pointer); return ok }

// Find is the first type for which is holds among t and the types of its elements and members, nil
// if there is none. It does not follow pointers.
func Find(t Type, is func(Type) bool) Type { return search{is: is, seen: map[*Struct]bool{}}.in(t) }

// search looks for a type. It looks into each struct once, however many members have it.
type search struct {
	is   func(Type) bool
	seen map[*Struct]bool
}

func (s search) in(t Type) Type {
	if s.is(t) {
		return t
	}
	switch t := t.(type) {
	case *Array:
		return s.in(t.Elem)
	case *Struct:
		if s.seen[t] {
			return nil
		}
		s.seen[t] = true
		for _, f := range t.Fields {
			if found := s.in(f.Type); found != nil {
				return found
			}
		}
	}
	return nil
}
