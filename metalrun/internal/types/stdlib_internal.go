package types

import (
	"slices"
	"strings"

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
	"__builtin_fabsf": "fabs", "__builtin_sqrtf": "sqrt", "__builtin_fmaf": "fma", "__builtin_floorf": "floor", "__builtin_ceilf": "ceil",
	"__builtin_fminf": "fmin", "__builtin_fmaxf": "fmax", "__builtin_expf": "exp", "__builtin_logf": "log", "__builtin_isnan": "isnan", "__builtin_isinf": "isinf",
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
		return value(constant(pos, UShort, 32)), len(args) == 1
	case "__builtin_expect":
		if len(args) == 2 {
			return asValue(c.convertOperand(args[0], Long, pos)), true
		}
	case "__builtin_assume", "__builtin_unreachable", "__builtin_trap":
		return value(nothing(pos)), true
	}
	base := clangBuiltins[name]
	if base == "" {
		return operand{}, false
	}
	if strings.HasPrefix(base, "c") && base != "ceil" || base == "popcount" {
		return c.bitCount(pos, base, strings.HasSuffix(name, "l"), args), true
	}
	return c.libraryCall(pos, base, "precise", nil, args), true
}

// inputValue is an input of the kernel that any function can ask for. An argument gives
// its type.
func (c *checker) inputValue(pos syntax.Pos, name string, args []operand) operand {
	var t Type = UInt
	if len(args) > 0 && args[0].expr != nil {
		t = args[0].typ()
	}
	if k := elemOf(t); k != UShort && k != UInt {
		c.errorf(pos, codeInputType, "got %s, want ushort or uint for %s", t, name)
		return operand{}
	}
	return value(&BuiltinCall{expr: expr{pos, t}, Name: name})
}

// bitCount is a function of the bits of an unsigned number, as an int.
func (c *checker) bitCount(pos syntax.Pos, name string, wide bool, args []operand) operand {
	k := UInt
	if wide {
		k = ULong
	}
	if len(args) != 1 {
		c.errorf(pos, codeArgumentCount, "got %d arguments, want 1", len(args))
		return operand{}
	}
	x := c.convertOperand(args[0], k, pos)
	if x == nil {
		return operand{}
	}
	e, _ := c.builtinCall(pos, name, "", nil, []operand{value(x)})
	if e == nil {
		return operand{}
	}
	return value(c.fold(c.cast(e, Int)))
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
		k, ok := c.constEval(c.rvalue(args[most]))
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
	if k, ok := firstKind(args); ok && k != Float {
		precision = "" // other formats have one variant
	}
	args = slices.Clone(args)
	for i, a := range args { // results go to pointers there
		if p, ok := a.typ().(*Pointer); ok && i > 0 && p.Space == syntax.Thread {
			args[i] = c.deref(a, pos)
		}
	}
	c.internal = true
	defer func() { c.internal = false }()
	var op operand
	if ok := c.attempt(func() { op = c.libraryCall(pos, name, precision, nil, args) }); !ok && len(args) > 0 && args[0].expr != nil {
		return c.undefinedInternal(pos, name, args[0].typ())
	}
	return op
}

// undefinedInternal is a call for types that the function is not made for. Headers have
// such calls in functions that nobody calls: it is a fault if a kernel gets there.
func (c *checker) undefinedInternal(pos syntax.Pos, name string, t Type) operand {
	fn := &Func{Name: "__metal_" + name + " of " + t.String(), Pos: pos, Result: t}
	c.recordCall(fn, pos)
	return value(&Call{expr: expr{pos, t}, Func: fn})
}

func firstKind(args []operand) (Kind, bool) {
	if len(args) == 0 || args[0].expr == nil {
		return Void, false
	}
	k := elemOf(args[0].typ())
	return k, k != Void
}
