package hir

func IsPointer(t Type) bool { _, ok := t.(*Pointer); return ok }

// ScalarKind is t as a kind in memory, Void if it is no scalar.
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

// ElemOf is the kind of the elements of a scalar, vector, matrix or simdgroup matrix; Void for others.
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

// Find finds a type within t that satisfies is, or nil.
func Find(t Type, is func(Type) bool) Type { return search{is: is, seen: map[*Struct]bool{}}.in(t) }

// search looks for a type. A struct that several members have is looked at once.
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
