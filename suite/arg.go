package suite

import (
	"cmp"
	"metalconform/oracles"
	"slices"
)

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
	I8
	I16
	U64 // integers of 64 bits are those that float64 holds, up to 2⁵³, unless the kernel is Wide
	I64
	Bool // a byte, 0 or 1
)

func (t Type) String() string {
	return [...]string{"f32", "bf16", "f16", "u8", "u16", "u32", "i32", "i8", "i16", "u64", "i64", "bool"}[t]
}

// Bytes is the size of one element.
func (t Type) Bytes() int { return [...]int{4, 2, 2, 1, 2, 4, 4, 1, 2, 8, 8, 1}[t] }

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

// Arg is one entry of a kernel's buffer argument table.
type Arg struct {
	Name    string
	Index   int // [[buffer(i)]], where it is not one more than that of the argument before
	Role    Role
	Type    Type     // of a buffer's elements or of a scalar
	Extents []Extent // of a buffer, outermost first; the element count is their product
	Value   Scalar   // of a RoleConst; nil if every launch sets it
	Fields  []Field  // of a RoleParams, in order
	Bytes   int      // of a RoleParams with padding at its end; 0: as its fields have it
	Struct  string   // that the program has for its elements or fields; "": any

	// Untouched lists what a run must leave as it was, of a RoleInOut or
	// RoleOut buffer: ranges of elements. nil means nothing.
	Untouched func(Shape) []Range
	// Unread lists what no result may depend on, of a buffer that holds something
	// before the run: ranges of elements. It may be loaded. nil means nothing.
	Unread func(Shape) []Range
	// Unordered is the set that an output is a part of: along its last axis elements may come
	// in any order, the same in all outputs of the set. "" is none.
	Unordered string
}

// Ignoring is the argument with elements that no result may depend on.
func (a Arg) Ignoring(unread func(Shape) []Range) Arg {
	a.Unread = unread
	return a
}

// Field is one scalar of a struct passed by setBytes. Fields are laid out with
// their natural alignment, behind padding where that is said.
type Field struct {
	Name   string
	Type   Type
	Value  Scalar // nil if every launch sets it
	Offset int    // in bytes from the beginning; 0: the next one that is aligned
}

// Range is a half-open range of element indices.
type Range struct{ First, End int }

// Args is a kernel's buffer argument table, in order of the indices.
type Args []Arg

// Binding is the [[buffer(i)]] of argument number n.
func (as Args) Binding(n int) int {
	index := n
	for i, a := range as[:n+1] {
		if a.Index > 0 {
			index = a.Index + n - i
		}
	}
	return index
}

// At is the argument at [[buffer(index)]].
func (as Args) At(index int) (Arg, bool) {
	for n, a := range as {
		if as.Binding(n) == index {
			return a, true
		}
	}
	return Arg{}, false
}

// In is a buffer that the kernel only reads.
//
//go:noinline
func In(name string, t Type, extents ...Extent) Arg {
	return Arg{Name: name, Role: RoleIn, Type: t, Extents: extents}
}

// Out is a buffer that the kernel writes whole.
//
//go:noinline
func Out(name string, t Type, extents ...Extent) Arg {
	return Arg{Name: name, Role: RoleOut, Type: t, Extents: extents}
}

// InOut is a buffer that the kernel reads and writes.
func InOut(name string, t Type, extents ...Extent) Arg {
	return Arg{Name: name, Role: RoleInOut, Type: t, Extents: extents}
}

// Const is a scalar passed by setBytes. A nil value means that every launch
// sets it.
//
//go:noinline
func Const(name string, t Type, value Scalar) Arg {
	return Arg{Name: name, Role: RoleConst, Type: t, Value: value}
}

// Params is a struct of scalars passed by setBytes.
//
//go:noinline
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

// ordered are the ranges that are not empty, by their start.
func ordered(ranges []Range) []Range {
	ranges = slices.DeleteFunc(slices.Clone(ranges), func(r Range) bool { return r.First >= r.End })
	slices.SortFunc(ranges, func(a, b Range) int { return cmp.Compare(a.First, b.First) })
	return ranges
}

// within reports whether element i is in one of the ranges.
func within(ranges []Range, i int) bool {
	return slices.ContainsFunc(ranges, func(r Range) bool { return r.First <= i && i < r.End })
}

// sizes are the extents of a buffer at shape s.
func sizes(a Arg, s Shape) []int {
	n := make([]int, len(a.Extents))
	for i, e := range a.Extents {
		n[i] = e.Size(s)
	}
	return n
}
