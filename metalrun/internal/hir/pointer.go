package hir

import (
	"fmt"
	"strings"

	"metalconform/metalrun/internal/syntax"
)

// Pointer is a pointer to an Elem in Space. It takes 8 bytes.
type Pointer struct {
	Elem            Type
	Space           Space
	Const, Volatile bool // of the pointee; a pointer into constant space is always Const
}

func (p *Pointer) Size() int  { return 8 }
func (p *Pointer) Align() int { return 8 }

// String begins with the space of the outermost pointer. It is a loop because pointers to pointers
// may nest thousands deep.
func (p *Pointer) String() string {
	var b strings.Builder
	var t Type = p
	levels := 0
	for q, ok := p, true; ok; q, ok = t.(*Pointer) {
		words := q.Space.String()
		if q.Const && q.Space != syntax.Constant {
			words += " const"
		}
		if q.Volatile {
			words += " volatile"
		}
		if words = strings.TrimSpace(words); words != "" {
			b.WriteString(words + " ")
		}
		levels++
		t = q.Elem
	}
	b.WriteString(t.String())
	b.WriteString(strings.Repeat(" *", levels))
	return b.String()
}

// Reference is the type of a reference parameter in a [Signature].
type Reference struct {
	Elem            Type
	Space           Space
	Const, Volatile bool
}

func (Reference) Size() int  { return 8 }
func (Reference) Align() int { return 8 }

func (r Reference) String() string {
	return QualifiedString(r.Elem, r.Space, r.Const, r.Volatile) + " &"
}

// NullPointer is the type of nullptr.
type NullPointer struct{}

func (NullPointer) Size() int      { return 8 }
func (NullPointer) Align() int     { return 8 }
func (NullPointer) String() string { return "nullptr_t" }

// Signature is the type of a function, and of a pointer to one: a value is the number of
// the function among the Targets of its type, 0 for none.
type Signature struct {
	Params  []Type
	Result  Type
	Pointer bool // declared as a pointer, so objects can have the type; Identical ignores it
}

func (*Signature) Size() int  { return 8 }
func (*Signature) Align() int { return 8 }

func (s *Signature) String() string {
	names := make([]string, len(s.Params))
	for i, p := range s.Params {
		names[i] = p.String()
	}
	return fmt.Sprintf("%s (%s)", s.Result, strings.Join(names, ", "))
}

// Targets are the functions of one type whose address is taken. Number n is List[n-1]. The list is
// complete when the program is.
type Targets struct{ List []*Func }
