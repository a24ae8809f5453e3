package ir

import (
	"slices"
	"strings"

	"metalconform/metalrun/internal/scalar"
)

// The functions of Math instructions are the rows of scalar.FloatFunctions, under
// their own names, and of scalar.IntegerFunctions, under names that end in the
// type: s8 u8 s16 u16 s32 u32 s64 u64, such as "mulhi_s32". Floating results are
// those of the mathematical function rounded once to the type; special cases are
// those of the Metal specification. Integer operands are extended to their
// register type, and so is the result; that of absdiff is unsigned.

var integerTypeNames = map[string]scalar.Int{
	"s8": {Bits: 8, Signed: true}, "u8": {Bits: 8}, "s16": {Bits: 16, Signed: true}, "u16": {Bits: 16},
	"s32": {Bits: 32, Signed: true}, "u32": {Bits: 32}, "s64": {Bits: 64, Signed: true}, "u64": {Bits: 64},
}

// Integer is the function of integers that a Math instruction calls, and their
// type; nil if it calls none.
func (in *Instr) Integer() (*scalar.IntegerFunction, scalar.Int) {
	i := strings.LastIndexByte(in.Fn, '_')
	if i < 0 {
		return nil, scalar.Int{}
	}
	t := integerTypeNames[in.Fn[i+1:]]
	return t.Function(in.Fn[:i]), t
}

// FloatTypes are the types of a function's results and arguments, called for floats
// of type t.
func FloatTypes(f *scalar.FloatFunction, t Type) (dst, args []Type) {
	switch {
	case f.Test != nil:
		return []Type{Bool}, []Type{t}
	case f.Exponent != nil:
		return []Type{I32}, []Type{t}
	case f.Scale != nil:
		return []Type{t}, []Type{t, I32}
	case f.Frexp != nil:
		return []Type{t, I32}, []Type{t}
	case f.Parts != nil:
		return []Type{t, t}, []Type{t}
	case f.Binary(scalar.F32) != nil:
		return []Type{t}, []Type{t, t}
	}
	return []Type{t}, []Type{t}
}

// integerFunctionTypes are the same for a function of integers.
func integerFunctionTypes(f *scalar.IntegerFunction, of scalar.Int) (dst, args []Type) {
	t := I32
	if of.Bits == 64 {
		t = I64
	}
	args = slices.Repeat([]Type{t}, f.Args)
	if f.Field {
		args[f.Args-2], args[f.Args-1] = I32, I32
	}
	return []Type{t}, args
}
