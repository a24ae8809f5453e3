package suite

import "metalconform/oracles"

// Type is the element type of an argument.
type Type uint8

// Element types, by Metal's width and meaning.
const (
	F32 Type = iota
	BF16
	F16
	U8
	U16
	U32
	I32
)

func (t Type) String() string {
	return [...]string{"f32", "bf16", "f16", "u8", "u16", "u32", "i32"}[t]
}

// Bytes is the size of one element.
func (t Type) Bytes() int { return [...]int{4, 2, 2, 1, 2, 4, 4}[t] }

// Format is the floating-point format of the type; ok is false for integers.
func (t Type) Format() (f oracles.Format, ok bool) {
	switch t {
	case F32:
		return oracles.F32, true
	case BF16:
		return oracles.BF16, true
	case F16:
		return oracles.F16, true
	}
	return 0, false
}

// Role says how a kernel may use an argument.
type Role uint8

// Roles. The first three are buffers, the others bytes passed by setBytes.
const (
	RoleIn     Role = iota // read only: compared bit for bit after the run
	RoleOut                // written only: poisoned before the run
	RoleInOut              // read and written
	RoleConst              // one scalar
	RoleParams             // a struct of scalars
)

// Arg is one entry of a kernel's buffer argument table. Its binding index is
// its position in [Args].
type Arg struct {
	Name    string
	Role    Role
	Type    Type     // of a buffer's elements or of a scalar
	Extents []Extent // of a buffer, outermost first; the element count is their product
	Value   Scalar   // of a RoleConst; nil if every launch sets it
	Fields  []Field  // of a RoleParams, in order

	// Untouched lists what a run must leave as it was, of a RoleInOut or
	// RoleOut buffer: ranges of elements. nil means nothing.
	Untouched func(Shape) []Range
	// Unread lists what no result may depend on, of a buffer that holds something
	// before the run: ranges of elements. It may be loaded. nil means nothing.
	Unread func(Shape) []Range
}

// Ignoring is the argument with elements that no result may depend on.
func (a Arg) Ignoring(unread func(Shape) []Range) Arg {
	a.Unread = unread
	return a
}

// Field is one scalar of a struct passed by setBytes. Fields are laid out with
// their natural alignment.
type Field struct {
	Name  string
	Type  Type
	Value Scalar // nil if every launch sets it
}

// Range is a half-open range of element indices.
type Range struct{ First, End int }

// Args is a kernel's buffer argument table: index i is [[buffer(i)]].
type Args []Arg

// In is a buffer that the kernel only reads.
func In(name string, t Type, extents ...Extent) Arg {
	return Arg{Name: name, Role: RoleIn, Type: t, Extents: extents}
}

// Out is a buffer that the kernel writes whole.
func Out(name string, t Type, extents ...Extent) Arg {
	return Arg{Name: name, Role: RoleOut, Type: t, Extents: extents}
}

// InOut is a buffer that the kernel reads and writes.
func InOut(name string, t Type, extents ...Extent) Arg {
	return Arg{Name: name, Role: RoleInOut, Type: t, Extents: extents}
}

// Const is a scalar passed by setBytes. A nil value means that every launch
// sets it.
func Const(name string, t Type, value Scalar) Arg {
	return Arg{Name: name, Role: RoleConst, Type: t, Value: value}
}

// Params is a struct of scalars passed by setBytes.
func Params(name string, fields ...Field) Arg {
	return Arg{Name: name, Role: RoleParams, Fields: fields}
}

// Buffer reports whether the argument is a buffer.
func (a Arg) Buffer() bool { return a.Role <= RoleInOut }

// Writable reports whether the kernel may write the argument.
func (a Arg) Writable() bool { return a.Role == RoleOut || a.Role == RoleInOut }

// Count is the number of elements of a buffer.
func (a Arg) Count(s Shape) int { return Product(a.Extents...)(s) }

// Find is the argument called name.
func (as Args) Find(name string) (Arg, bool) {
	for _, a := range as {
		if a.Name == name {
			return a, true
		}
	}
	return Arg{}, false
}
