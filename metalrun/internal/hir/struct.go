package hir

// Unnamed reports whether a field is a gap that no initialiser names.
func (f Field) Unnamed() bool { return f.Name == "" && f.Bits > 0 }

func IsEmpty(s *Struct) bool {
	for _, f := range s.Fields {
		if b, ok := f.Type.(*Struct); !ok || f.Name != "" || !IsEmpty(b) {
			return false
		}
	}
	return true
}

// Struct is a struct or union. Two structs are identical only if they are the
// same pointer: each definition or template instance makes one.
type Struct struct {
	Name   string // with template arguments, "" if anonymous
	Union  bool
	Fields []Field
	Bytes  int // size, set once complete
	Aligns int
}

// Field is a member of a Struct. An anonymous member's own fields are found
// through it.
type Field struct {
	Name    string
	Type    Type
	Offset  int
	Const   bool
	Mutable bool // even in an object that is const
	Ref     bool // a reference: Type is the pointer that it is kept as
	Bits    int  // of a bit-field, its width, otherwise 0
	Shift   int  // and its first bit, counted from the lowest of the Type at Offset
}

func (s *Struct) Size() int { return s.Bytes }

func (s *Struct) Align() int { return max(1, s.Aligns) }

func (s *Struct) String() string {
	if s.Name == "" {
		return "(anonymous struct)"
	}
	return s.Name
}
