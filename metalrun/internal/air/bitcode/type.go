package bitcode

import (
	"fmt"
	"strings"
)

// TypeKind is the kind of a type.
type TypeKind uint8

// The kinds.
const (
	Other TypeKind = iota // that AIR has no use for, by its name
	Void
	Integer
	Half
	BFloat
	Float
	Pointer
	Vector
	Array
	Struct
	Function
	Label
	MetadataType
	Opaque
)

// maxNesting is how deep types may contain types.
const maxNesting = 128

// maxSize is the size of everything that is larger.
const maxSize = 1 << 40

// Type is a type. Sizes are those of AIR's data layout, in bytes, and saturate.
type Type struct {
	Kind    TypeKind
	Bits    int     // of an integer
	Space   int     // of a pointer
	Len     int     // of a vector or array
	Elem    *Type   // of a vector or array; of a pointer, what it points to, nil if unknown; of a function, its result
	Fields  []*Type // of a struct; of a function, its parameters
	Offsets []int   // of the fields of a struct
	Packed  bool    // a struct without padding
	VarArg  bool    // of a function
	Name    string  // of a named struct, an opaque type or Other

	Size, Align int
	Scalars     int // that an object consists of
	depth       int // of what it has by value
}

// String is the type as LLVM's assembly spells it.
func (t *Type) String() string {
	switch t.Kind {
	case Void, Half, BFloat, Float, Label, MetadataType:
		return [...]string{Void: "void", Half: "half", BFloat: "bfloat", Float: "float", Label: "label",
			MetadataType: "metadata"}[t.Kind]
	case Integer:
		return fmt.Sprintf("i%d", t.Bits)
	case Pointer:
		if t.Space == 0 {
			return "ptr"
		}
		return fmt.Sprintf("ptr addrspace(%d)", t.Space)
	case Vector:
		return fmt.Sprintf("<%d x %s>", t.Len, t.Elem)
	case Array:
		return fmt.Sprintf("[%d x %s]", t.Len, t.Elem)
	case Function:
		return t.Elem.String() + " (…)"
	case Struct:
		if t.Name == "" {
			names := make([]string, min(len(t.Fields), 8))
			for i := range names {
				names[i] = t.Fields[i].String()
			}
			return "{ " + strings.Join(names, ", ") + " }"
		}
	}
	return "%" + t.Name
}

// IsFloat reports whether t is a floating type.
func (t *Type) IsFloat() bool { return t.Kind == Half || t.Kind == BFloat || t.Kind == Float }

// complete sets the layout of a type whose parts have theirs.
func (t *Type) complete() *Type {
	t.Align, t.Scalars = 1, 1
	for _, f := range t.Fields {
		t.depth = max(t.depth, f.depth+1)
	}
	if t.Kind == Vector || t.Kind == Array {
		t.depth = t.Elem.depth + 1
	}
	if t.depth > maxNesting {
		fail("types nest deeper than %d", maxNesting)
	}
	switch t.Kind {
	case Integer:
		t.Size = 1
		for t.Size*8 < t.Bits {
			t.Size *= 2
		}
		t.Align = min(t.Size, 8)
	case Half, BFloat:
		t.Size, t.Align = 2, 2
	case Float:
		t.Size, t.Align = 4, 4
	case Pointer:
		t.Size, t.Align = 8, 8
	case Vector:
		t.Size = 1
		for t.Size < saturated(t.Len, t.Elem.Size) {
			t.Size *= 2
		}
		t.Align, t.Scalars = t.Size, saturated(t.Len, t.Elem.Scalars)
	case Array:
		t.Size, t.Align, t.Scalars = saturated(t.Len, t.Elem.Size), t.Elem.Align, saturated(t.Len, t.Elem.Scalars)
	case Struct:
		t.layout()
	default:
		t.Scalars = 0
	}
	return t
}

func (t *Type) layout() {
	t.Scalars = 0
	for _, f := range t.Fields {
		align := f.Align
		if t.Packed {
			align = 1
		}
		t.Size = min((t.Size+align-1)/align*align, maxSize)
		t.Offsets = append(t.Offsets, t.Size)
		t.Size, t.Align = min(t.Size+f.Size, maxSize), max(t.Align, align)
		t.Scalars = min(t.Scalars+f.Scalars, maxSize)
	}
	t.Size = min((t.Size+t.Align-1)/t.Align*t.Align, maxSize)
}

func saturated(n, size int) int {
	if size != 0 && n > maxSize/size {
		return maxSize
	}
	return n * size
}

// NewVector is a vector of n elements.
func NewVector(n int, elem *Type) *Type { return (&Type{Kind: Vector, Len: n, Elem: elem}).complete() }

// NewInteger is an integer type.
func NewInteger(bits int) *Type { return (&Type{Kind: Integer, Bits: bits}).complete() }

// types reads the table of types.
func (m *moduleReader) types(b *block) {
	name := ""
	type pending struct {
		t  *Type
		id uint64
	}
	var pointers []pending
	m.r.walk(b, func(rec *record) {
		t := &Type{}
		switch rec.code {
		case typeNumEntry:
			return
		case typeStructName:
			name = text(rec.ops)
			return
		case typePointer:
			t.Kind, t.Space = Pointer, rec.number(1)
			pointers = append(pointers, pending{t, rec.at(0)})
		default:
			m.makeType(t, rec)
			if rec.code == typeOpaque || rec.code == typeStructNamed {
				t.Name, name = name, ""
			}
		}
		m.out.Types = append(m.out.Types, t.complete())
	}, nil)
	for _, p := range pointers {
		p.t.Elem = m.typ(p.id)
	}
}

func (m *moduleReader) makeType(t *Type, rec *record) {
	parts := func(ops []uint64) (list []*Type) {
		for _, id := range ops {
			list = append(list, m.typ(id))
		}
		return list
	}
	switch rec.code {
	case typeVoid:
		t.Kind = Void
	case typeHalf:
		t.Kind = Half
	case typeBFloat:
		t.Kind = BFloat
	case typeFloat:
		t.Kind = Float
	case typeLabel:
		t.Kind = Label
	case typeMetadata:
		t.Kind = MetadataType
	case typeOpaque:
		t.Kind = Opaque
	case typeInteger:
		t.Kind, t.Bits = Integer, rec.number(0)
		if t.Bits == 0 || t.Bits > 1<<16 {
			fail("an integer has %d bits", t.Bits)
		}
	case typeOpaquePointer:
		t.Kind, t.Space = Pointer, rec.number(0)
	case typeArray, typeVector:
		t.Kind, t.Len, t.Elem = Array, rec.number(0), m.typ(rec.at(1))
		if rec.code == typeVector {
			t.Kind = Vector
		}
		if k := t.Elem.Kind; k == Void || k == Function || k == Label || k == MetadataType || t.Kind == Vector &&
			(t.Elem.Scalars != 1 || k == Struct || k == Array || k == Vector || t.Len == 0) {
			fail("there is a %s", t)
		}
	case typeStructAnon, typeStructNamed:
		t.Kind, t.Packed, t.Fields = Struct, rec.at(0) != 0, parts(rec.ops[1:])
	case typeFunction:
		rec.at(1)
		t.Kind, t.VarArg, t.Elem, t.Fields = Function, rec.at(0) != 0, m.typ(rec.at(1)), parts(rec.ops[2:])
	case typeDouble:
		t.Name = "double"
	default:
		t.Name = fmt.Sprintf("type %d", rec.code)
	}
}

// typ is the type with a number.
func (m *moduleReader) typ(id uint64) *Type {
	if id >= uint64(len(m.out.Types)) {
		fail("there is no type %d", id)
	}
	return m.out.Types[id]
}
