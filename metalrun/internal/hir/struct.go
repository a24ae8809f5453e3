package hir

import "fmt"

// Array is Elem[Len]. Metal's array<T, N> is a Struct with one field of this type.
type Array struct {
	Elem Type
	Len  int
}

func (a *Array) Size() int      { return a.Len * a.Elem.Size() }
func (a *Array) Align() int     { return a.Elem.Align() }
func (a *Array) String() string { return fmt.Sprintf("%s[%d]", a.Elem, a.Len) }

// Struct is a struct or union. Two structs are identical only if they are the
// same pointer: each definition or template instance makes one.
type Struct struct {
	Name   string // with template arguments, "" if anonymous
	Union  bool
	Fields []Field
	Bytes  int // the size, set once the struct is complete
	Aligns int // the alignment, set once the struct is complete
}

func (s *Struct) Size() int  { return s.Bytes }
func (s *Struct) Align() int { return max(1, s.Aligns) }

func (s *Struct) String() string {
	if s.Name == "" {
		return "(anonymous struct)"
	}
	return s.Name
}

// IsEmpty reports whether an object of type s has no bytes that can be read: no fields, except bases
// that are empty.
func IsEmpty(s *Struct) bool {
	for _, f := range s.Fields {
		if b, ok := f.Type.(*Struct); !ok || f.Name != "" || !IsEmpty(b) {
			return false
		}
	}
	return true
}

// Field is a member of a Struct. An anonymous member's own fields are found
// through it.
type Field struct {
	Name    string
	Type    Type
	Offset  int
	Const   bool
	Mutable bool // even in an object that is const
	Ref     bool // a reference; Type is the pointer that represents it
	Bits    int  // the width of a bit-field, otherwise 0
	Shift   int  // the first bit of a bit-field, counted from the lowest bit of the Type at Offset
}

// Unnamed reports whether f is a bit-field without a name: a gap, which no initialiser names.
func (f Field) Unnamed() bool { return f.Name == "" && f.Bits > 0 }

// Enum is an enumeration. Each definition makes one, as with [Struct].
type Enum struct {
	Name       string
	Scoped     bool
	Underlying Kind
}

func (e *Enum) Size() int      { return e.Underlying.Size() }
func (e *Enum) Align() int     { return e.Underlying.Align() }
func (e *Enum) String() string { return e.Name }
