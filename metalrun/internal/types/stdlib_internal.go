package types

import (
	"slices"
	"strings"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// What the library's own headers are written with, and programs borrow: __metal_NAME is
// the function NAME, with a last argument that says which accuracy is meant where there
// are several, and __builtin_NAME a function that clang knows.

// Values of that last argument; the preprocessor defines macros of them.
const (
	preciseMath = 0 // __METAL_PRECISE_MATH__
	fastMath    = 1 // __METAL_FAST_MATH__
)

// clangBuiltins are functions of clang that the library has by another name. Those that
// count bits are for unsigned numbers.
var clangBuiltins = map[string]string{
	"__builtin_ctz": "ctz", "__builtin_clz": "clz", "__builtin_popcount": "popcount",
	"__builtin_ctzl": "ctz", "__builtin_clzl": "clz", "__builtin_popcountl": "popcount",
	"__builtin_ctzll": "ctz", "__builtin_clzll": "clz", "__builtin_popcountll": "popcount",
	"__builtin_abs": "abs", "__builtin_labs": "abs", "__builtin_llabs": "abs", "__builtin_isnan": "isnan",
	"__builtin_isinf":    "isinf",
	"__builtin_isfinite": "isfinite", "__builtin_isnormal": "isnormal", "__builtin_signbit": "signbit",
	"__builtin_signbitf": "signbit",
}

// clangBuiltin is the function of the library that a function of clang is, "" if none: that
// of a table, __builtin_NAMEf of floats, or __builtin_elementwise_NAME.
func clangBuiltin(name string) string {
	if base := clangBuiltins[name]; base != "" {
		return base
	}
	base, ok := strings.CutPrefix(name, "__builtin_elementwise_")
	if f, of := strings.CutPrefix(name, "__builtin_"); !ok && of {
		base, ok = strings.CutSuffix(f, "f")
	}
	if ok && isBuiltin(base) && slices.ContainsFunc(library()[base],
		func(s *signature) bool { return s.row.prec || base == "max" || base == "min" || base == "abs" }) {
		return base
	}
	return ""
}

// clangConstant is a value that clang has a function for.
func (c *checker) clangConstant(pos syntax.Pos, name string, args []operand) (op operand, done bool) {
	switch name {
	case "__builtin_inff", "__builtin_huge_valf":
		return value(constant(pos, hir.Float, 0x7f800000)), len(args) == 0
	case "__builtin_nanf":
		return value(constant(pos, hir.Float, 0x7fc00000)), len(args) == 1
	case "__builtin_constant_p":
		if len(args) != 1 {
			return operand{}, false
		}
		e := c.rvalue(args[0])
		if e == nil {
			return operand{}, true
		}
		_, ok := c.eval.Scalar(e)
		return value(constant(pos, hir.Int, hir.BoolBits(ok))), true
	}
	return operand{}, false
}

// shuffle checks the indices of __builtin_shufflevector.
func (c *checker) shuffle(args []operand, pos syntax.Pos) bool {
	if len(args) < 4 {
		c.errorf(pos, codeArgumentCount, "got %d arguments, want two vectors and two indices or more", len(args))
		return false
	}
	t, ok := args[0].typ().(hir.Vector)
	if !ok {
		c.errorf(args[0].at(), codeNoMatch, "first two arguments to '__builtin_shufflevector' must be vectors")
		return false
	}
	for _, a := range args[2:] {
		k, ok := c.eval.Scalar(c.rvalue(a))
		switch {
		case !ok:
			c.errorf(a.at(), codeNotConstant, "index for __builtin_shufflevector must be a constant integer")
			return false
		case int64(k.Bits) < -1 || int64(k.Bits) >= int64(2*t.N):
			c.errorf(a.at(), codeIndexRange,
				"index for __builtin_shufflevector must be less than the total number of vector elements")
			return false
		}
	}
	return true
}

// internalCall calls a function by such a name; done is false for any other.
func (c *checker) internalCall(pos syntax.Pos, name string, args []operand) (op operand, done bool) {
	if base, ok := strings.CutPrefix(name, "__metal_"); ok && isBuiltin(base) {
		return c.metalInternal(pos, base, args), true
	}
	if base, ok := strings.CutPrefix(name, "__metal_get_"); ok && inputs[base] != nil {
		return c.inputValue(pos, base, args), true
	}
	switch name {
	case "__metal_get_simdgroup_size":
		return value(constant(pos, hir.UShort, 32)), len(args) == 1
	case "__builtin_expect":
		if len(args) == 2 {
			return asValue(c.convertOperand(args[0], hir.Long, pos)), true
		}
	case "__builtin_assume", "__builtin_unreachable", "__builtin_trap":
		return value(nothing(pos)), true
	}
	if !strings.HasPrefix(name, "__builtin_") {
		return operand{}, false
	}
	if op, done := c.clangConstant(pos, name, args); done {
		return op, true
	}
	kind, _ := firstKind(args)
	if base := clangBuiltin(name); name == "__builtin_"+base+"f" {
		for i, a := range args {
			if args[i] = asValue(c.convertOperand(a, hir.Float, pos)); args[i].bad() {
				return operand{}, true
			}
		}
		kind = hir.Float
	}
	switch base := clangBuiltin(name); {
	case base == "ctz" || base == "clz" || base == "popcount":
		return c.bitCount(pos, base, strings.HasSuffix(name, "l"), args), true
	case kind == hir.Float && slices.ContainsFunc(library()[base], func(s *signature) bool { return s.row.prec }):
		return c.libraryCall(pos, base, []string{"precise"}, nil, args), true
	case base != "":
		return c.libraryCall(pos, base, plainly, nil, args), true
	}
	if name == "__builtin_shufflevector" {
		if !c.shuffle(args, pos) {
			return operand{}, true
		}
		name = "__shufflevector" // a function of clang.metal
	}
	set, ok := c.stdMember(name).(*funcSet)
	if !ok {
		return operand{}, false
	}
	return c.call(pos, set, nil, nil, false, args), true
}

// inputValue is an input of the kernel that any function can ask for. An argument gives
// its type.
func (c *checker) inputValue(pos syntax.Pos, name string, args []operand) operand {
	var t hir.Type = hir.UInt
	if len(args) > 0 && args[0].expr != nil {
		t = args[0].typ()
	}
	if k := hir.ElemOf(t); k != hir.UShort && k != hir.UInt {
		c.errorf(pos, codeInputType, "got %s, want ushort or uint for %s", t, name)
		return operand{}
	}
	return value(&hir.BuiltinCall{Node: hir.At(pos, t), Name: name})
}

// bitCount is a function of the bits of an unsigned number, as an int.
func (c *checker) bitCount(pos syntax.Pos, name string, wide bool, args []operand) operand {
	k := hir.UInt
	if wide {
		k = hir.ULong
	}
	if len(args) != 1 {
		c.errorf(pos, codeArgumentCount, "got %d arguments, want 1", len(args))
		return operand{}
	}
	x := c.convertOperand(args[0], k, pos)
	if x == nil {
		return operand{}
	}
	e, _ := c.builtinCall(pos, name, plainly, nil, []operand{value(x)})
	if e == nil {
		return operand{}
	}
	return value(c.fold(c.cast(e, hir.Int)))
}

// metalInternal is __metal_NAME(args…, accuracy).
func (c *checker) metalInternal(pos syntax.Pos, name string, args []operand) operand {
	sigs := library()[name]
	most := 0
	for _, s := range sigs {
		most = max(most, len(s.params))
	}
	precision := ""
	if len(args) == most+1 && slices.ContainsFunc(sigs, func(s *signature) bool { return s.row.prec }) {
		k, ok := c.eval.Scalar(c.rvalue(args[most]))
		if !ok {
			c.errorf(args[most].at(), codeNotConstant, "the accuracy of __metal_%s has to be a constant", name)
			return operand{}
		}
		switch k.Bits {
		case preciseMath:
			precision = "precise"
		case fastMath:
			precision = "fast"
		}
		args = args[:most]
	}
	if k, ok := firstKind(args); ok && k != hir.Float {
		precision = "" // other formats have one variant
	}
	args = slices.Clone(args)
	for i, a := range args { // results go to pointers there
		if p, ok := a.typ().(*hir.Pointer); ok && i > 0 && p.Space == syntax.Thread {
			args[i] = c.deref(a, pos)
		}
	}
	c.internal = true
	defer func() { c.internal = false }()
	var op operand
	if ok := c.attempt(func() { op = c.libraryCall(pos, name, []string{precision}, nil, args) }); !ok &&
		len(args) > 0 && args[0].expr != nil {
		return c.undefinedInternal(pos, name, args[0].typ())
	}
	return op
}

// undefinedInternal is a call for types that the function is not made for. Headers have such calls in functions that
// are never called: it is an error if a kernel reaches one.
func (c *checker) undefinedInternal(pos syntax.Pos, name string, t hir.Type) operand {
	fn := &hir.Func{Name: "__metal_" + name + " of " + t.String(), Pos: pos, Result: t}
	c.recordCall(callSite{callee: fn, pos: pos})
	return value(&hir.Call{Node: hir.At(pos, t), Func: fn})
}

func firstKind(args []operand) (hir.Kind, bool) {
	if len(args) == 0 || args[0].expr == nil {
		return hir.Void, false
	}
	k := hir.ElemOf(args[0].typ())
	return k, k != hir.Void
}
