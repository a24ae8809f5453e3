package hir

import (
	"fmt"
	"metalconform/metalrun/internal/syntax"
	"strings"
)

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

// Reference is the type of a reference parameter in a [Signature].
type Reference struct {
	Elem            Type
	Space           Space
	Const, Volatile bool
}

func (Reference) Size() int { return 8 }

func (Reference) Align() int { return 8 }

func (r Reference) String() string {
	return QualifiedString(r.Elem, r.Space, r.Const, r.Volatile) + " &"
}

// NullPointer is the type of nullptr.
type NullPointer struct{}

func (NullPointer) Size() int { return 8 }

func (NullPointer) Align() int { return 8 }

func (NullPointer) String() string { return "nullptr_t" }

// Space is the address space an object lives in. Locals are syntax.Thread.
type Space = syntax.Space

// Type is the type of an object or value. Types are compared with Identical;
// qualifiers and address spaces belong to pointers and variables, never to a
// Type itself. References are not types: see Var.Ref.
type Type interface {
	// Size is the number of bytes an object takes, 0 for void and functions.
	Size() int
	// Align is the alignment in bytes, at least 1.
	Align() int
	// String is the type as MSL spells it.
	String() string
}

// Kind is a scalar type.
type Kind uint8

const (
	Void Kind = iota
	Bool
	Char
	UChar
	Short
	UShort
	Int
	UInt
	Long
	ULong
	Half
	BFloat
	Float
)

var kinds = [...]struct {
	name string
	size int
}{{"void", 0}, {"bool", 1}, {"char", 1}, {"uchar", 1}, {"short", 2}, {"ushort", 2}, {"int", 4}, {"uint", 4},
	{"long", 8}, {"ulong", 8}, {"half", 2}, {"bfloat", 2}, {"float", 4}}

func (k Kind) Size() int { return kinds[k].size }

func (k Kind) Align() int { return max(1, kinds[k].size) }

func (k Kind) String() string { return kinds[k].name }

// IsInteger reports whether k is an integer type; bool is not.
func (k Kind) IsInteger() bool { return k >= Char && k <= ULong }

// IsSigned reports whether k is a signed integer type.
func (k Kind) IsSigned() bool { return k == Char || k == Short || k == Int || k == Long }

// IsFloat reports whether k is a floating type.
func (k Kind) IsFloat() bool { return k >= Half }

// Vector is TN or packed_TN. A plain vector of three takes the room of four. Those of 8 and
// 16 components have no name but vec<T, N>, and no functions.
type Vector struct {
	Elem   Kind
	N      int // 2, 3, 4, 8 or 16
	Packed bool
}

func (v Vector) Size() int {
	if v.N == 3 && !v.Packed {
		return 4 * v.Elem.Size()
	}
	return v.N * v.Elem.Size()
}

func (v Vector) Align() int {
	if v.Packed {
		return v.Elem.Size()
	}
	return v.Size()
}

func (v Vector) String() string {
	if v.N > 4 && v.Packed {
		return fmt.Sprintf("packed_vec<%s, %d>", v.Elem, v.N)
	}
	if v.N > 4 {
		return fmt.Sprintf("vec<%s, %d>", v.Elem, v.N)
	}
	if v.Packed {
		return fmt.Sprintf("packed_%s%d", v.Elem, v.N)
	}
	return fmt.Sprintf("%s%d", v.Elem, v.N)
}

// Matrix is floatCxR or halfCxR: Cols columns, each a vector of Rows, column-major.
type Matrix struct {
	Elem       Kind
	Cols, Rows int
}

// Column is the type of one column.
func (m Matrix) Column() Vector { return Vector{Elem: m.Elem, N: m.Rows} }

func (m Matrix) Size() int { return m.Cols * m.Column().Size() }

func (m Matrix) Align() int { return m.Column().Align() }

func (m Matrix) String() string {
	if m.Elem == BFloat {
		return fmt.Sprintf("matrix<bfloat, %d, %d>", m.Cols, m.Rows)
	}
	return fmt.Sprintf("%s%dx%d", m.Elem, m.Cols, m.Rows)
}

// SimdMatrix is simdgroup_matrix<Elem, 8, 8>: a value spread over the 32 lanes
// of a simdgroup, two elements a lane. It cannot be stored in a buffer.
type SimdMatrix struct{ Elem Kind }

func (m SimdMatrix) Size() int { return 2 * m.Elem.Size() }

func (m SimdMatrix) Align() int { return m.Elem.Align() }

func (m SimdMatrix) String() string { return fmt.Sprintf("simdgroup_%s8x8", m.Elem) }

// SimdVote is the result of simd_ballot and quad_ballot: one bit a lane, 8 bytes.
type SimdVote struct{}

func (SimdVote) Size() int { return 8 }

func (SimdVote) Align() int { return 8 }

func (SimdVote) String() string { return "simd_vote" }

// Atomic is atomic<Elem>.
type Atomic struct{ Elem Kind }

func (a Atomic) Size() int { return a.Elem.Size() }

func (a Atomic) Align() int { return a.Elem.Align() }

func (a Atomic) String() string { return "atomic_" + a.Elem.String() }

// Array is Elem[Len]. Metal's array<T, N> is a Struct with one field of this type.
type Array struct {
	Elem Type
	Len  int
}

func (a *Array) Size() int { return a.Len * a.Elem.Size() }

func (a *Array) Align() int { return a.Elem.Align() }

func (a *Array) String() string { return fmt.Sprintf("%s[%d]", a.Elem, a.Len) }

// Pointer is a pointer to an Elem in Space. It takes 8 bytes.
type Pointer struct {
	Elem            Type
	Space           Space
	Const, Volatile bool // of the pointee; a pointer into constant space is always Const
}

func (p *Pointer) Size() int { return 8 }

func (p *Pointer) Align() int { return 8 }

// String begins with the space of the outermost pointer. Pointers to pointers are walked, for there may be thousands.
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

// Enum is an enumeration.
type Enum struct {
	Name       string
	Scoped     bool
	Underlying Kind
}

func (e *Enum) Size() int { return e.Underlying.Size() }

func (e *Enum) Align() int { return e.Underlying.Align() }

func (e *Enum) String() string { return e.Name }

// Signature is the type of a function, and of a pointer to one: a value is the number of
// the function among the Targets of its type, 0 for none.
type Signature struct {
	Params  []Type
	Result  Type
	Pointer bool // declared as a pointer, which objects can be; for the rest they are one type
}

func (*Signature) Size() int { return 8 }

func (*Signature) Align() int { return 8 }

func (s *Signature) String() string {
	names := make([]string, len(s.Params))
	for i, p := range s.Params {
		names[i] = p.String()
	}
	return fmt.Sprintf("%s (%s)", s.Result, strings.Join(names, ", "))
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
