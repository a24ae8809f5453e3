package ir

import (
	"slices"
	"strings"

	"metalconform/metalrun/internal/scalar"
	"metalconform/metalrun/internal/syntax"
)

// typeSet is a set of register types.
type typeSet uint8

func typesOf(list ...Type) (s typeSet) {
	for _, t := range list {
		s |= 1 << t
	}
	return s
}

func (s typeSet) has(t Type) bool { return s&(1<<t) != 0 }

var (
	integerTypes  = typesOf(I32, I64)
	floatingTypes = typesOf(F32, F16, BF16)
	numberTypes   = integerTypes | floatingTypes
	bitTypes      = integerTypes | typesOf(Bool)
	anyType       = numberTypes | typesOf(Bool, Ptr)
)

// form is how many results and operands an operation has, and what their types
// must be: check says what is wrong with them, "" is consent.
type form struct {
	results, args int
	check         func(signature) string
}

// many is any number: check knows which.
const many = -1

// alike is the form of operations whose operands and result have one type.
func alike(args int, set typeSet) form {
	return form{1, args, func(s signature) string {
		if !set.has(s.dst[0]) || slices.ContainsFunc(s.args, func(t Type) bool { return t != s.dst[0] }) {
			return s.mismatch()
		}
		return ""
	}}
}

// relation is the form of operations on two operands of one type that give a bool.
func relation(set typeSet) form {
	return form{1, 2, func(s signature) string {
		if s.dst[0] != Bool || s.args[0] != s.args[1] || !set.has(s.args[0]) {
			return s.mismatch()
		}
		return ""
	}}
}

// exactly is the form of operations whose operands and results have given types.
func exactly(dst, args []Type) form {
	return form{len(dst), len(args), func(s signature) string { return s.fixed(dst, args) }}
}

// signature is the types of an instruction's operands and results.
type signature struct {
	k         *Kernel
	in        *Instr
	dst, args []Type
}

func (v *verifier) instr(in *Instr) {
	s, info := signature{k: v.k, in: in}, in.Op.Info()
	for _, a := range in.Args {
		s.args = append(s.args, v.use(in.Pos, a))
	}
	if (in.Mem != nil) != info.Effects.Has(Reads|Writes) {
		v.fail(in.Pos, "%s has a memory operand: %t", in.Op, in.Mem != nil)
	}
	if in.Mem != nil {
		v.mem(in)
	}
	for _, d := range in.Dst {
		s.dst = append(s.dst, v.set(in.Pos, d))
	}
	if in.Group != 0 && (in.Group < 0 || !info.Contracts || !s.dst[0].IsFloat()) {
		v.fail(in.Pos, "%s has contraction group %d", in.Op, in.Group)
	}
	if in.Allow != 0 && (!info.FastMath || !TouchesFloats(v.k, in)) {
		v.fail(in.Pos, "%s has the licence %s", in.Op, in.Allow)
	}
	if why := s.fits(info.form); why != "" {
		v.fail(in.Pos, "%s %s", in.Op, why)
	}
}

// fits checks the types of one instruction; "" is consent.
func (s signature) fits(f form) string {
	if f.results != many && len(s.dst) != f.results || f.args != many && len(s.args) != f.args {
		return s.mismatch()
	}
	return f.check(s)
}

func (s signature) never() string { return "is no operation" }

func (s signature) selection() string {
	if s.args[0] != Bool || s.args[1] != s.dst[0] || s.args[2] != s.dst[0] {
		return s.mismatch()
	}
	return ""
}

func (s signature) conversion() string {
	if s.in.From >= P64 || s.in.To >= P64 {
		return "converts pointers"
	}
	return s.fixed([]Type{s.in.To.Type()}, []Type{s.in.From.Type()})
}

func (s signature) bitcast() string {
	if !bitcasts[[2]Scalar{s.in.From, s.in.To}] {
		return "has no meaning from " + s.in.From.String() + " to " + s.in.To.String()
	}
	return s.fixed([]Type{s.in.To.Type()}, []Type{s.in.From.Type()})
}

func (s signature) loaded() string { return s.elements(s.dst) }

func (s signature) stored() string { return s.elements(s.args) }

func (s signature) barrier() string {
	if s.in.Fn != "threadgroup" && s.in.Fn != "simdgroup" {
		return "has scope " + s.in.Fn
	}
	if why := s.fixed(nil, []Type{I32}); why != "" {
		return why
	}
	if s.k.Regs[s.in.Args[0]].Kind != Literal {
		return "has flags that are not literal"
	}
	return ""
}

var bitcasts = map[[2]Scalar]bool{
	{U32, R32}: true, {R32, U32}: true, {U16, H16}: true, {H16, U16}: true, {U16, T16}: true, {T16, U16}: true,
	{U64, P64}: true, {P64, U64}: true,
}

func (s signature) mismatch() string {
	names := func(list []Type) string {
		var out []string
		for _, t := range list {
			out = append(out, t.String())
		}
		return "(" + strings.Join(out, ", ") + ")"
	}
	return "cannot make " + names(s.dst) + " from " + names(s.args)
}

func (s signature) fixed(dst, args []Type) string {
	if !slices.Equal(s.dst, dst) || !slices.Equal(s.args, args) {
		return s.mismatch()
	}
	return ""
}

// elements checks a transfer of one or more elements of type From.
func (s signature) elements(list []Type) string {
	if len(list) == 0 || slices.ContainsFunc(list, func(t Type) bool { return t != s.in.From.Type() }) {
		return "of " + s.in.From.String() + " " + s.mismatch()
	}
	return ""
}

// mem checks a memory operand.
func (v *verifier) mem(in *Instr) {
	m := in.Mem
	if t := v.use(in.Pos, m.Base); t != Ptr {
		v.fail(in.Pos, "the base of a memory operand has type %s", t)
	}
	if m.Index == None {
		if m.Scale != 0 || m.IndexSigned {
			v.fail(in.Pos, "a memory operand without index has scale %d", m.Scale)
		}
	} else if t := v.use(in.Pos, m.Index); !integerTypes.has(t) || m.Scale == 0 {
		v.fail(in.Pos, "a memory operand has an index of type %s with scale %d", t, m.Scale)
	}
	base := v.k.Regs[m.Base]
	switch {
	case m.Space < syntax.Device || m.Space > syntax.Threadgroup:
		v.fail(in.Pos, "a memory operand has no address space")
	case !powerOfTwo(m.Align):
		v.fail(in.Pos, "a memory operand has alignment %d", m.Align)
	case m.Space == syntax.Constant && in.Op.Info().Effects.Has(Writes):
		v.fail(in.Pos, "%s writes to constant memory", in.Op)
	case in.Op == Atomic && m.Space == syntax.Thread:
		v.fail(in.Pos, "atomic in thread memory")
	case base.Kind == Address && v.k.Objects[base.Index].Space != m.Space:
		v.fail(in.Pos, "access to %s memory at the address of %s in %s memory", m.Space, base.Name,
			v.k.Objects[base.Index].Space)
	case base.Kind == Input && (base.Input == ThreadgroupPointer) != (m.Space == syntax.Threadgroup),
		base.Kind == Input && m.Space == syntax.Thread:
		v.fail(in.Pos, "access to %s memory through argument %s", m.Space, base.Name)
	}
}

// atomicArgs is the number of values that each atomic operation takes.
var atomicArgs = map[string]int{"load": 0, "store": 1, "exchange": 1, "compare_exchange": 2,
	"add": 1, "sub": 1, "and": 1, "or": 1, "xor": 1, "min": 1, "max": 1}

func (s signature) atomic() string {
	t := s.in.From.Type()
	n, ok := atomicArgs[s.in.Fn]
	if !ok || !slices.Contains([]Scalar{S32, U32, R32, U64, B8}, s.in.From) {
		return s.in.Fn + " of " + s.in.From.String() + " is no operation"
	}
	var dst []Type
	switch s.in.Fn {
	case "store":
	case "compare_exchange":
		dst = []Type{Bool, t}
	default:
		dst = []Type{t}
	}
	return s.fixed(dst, slices.Repeat([]Type{t}, n))
}

// simd checks communication between lanes.
func (s signature) simd() string {
	f := SimdFunctionOf(s.in.Fn)
	if f == nil {
		return s.in.Fn + " is no function"
	}
	var args []Type
	for _, a := range f.Args {
		args = append(args, a.in(s.in.From))
	}
	return s.fixed([]Type{f.Result.in(s.in.From)}, args)
}

func (s signature) matMul() string {
	d, a := s.dst[0], s.args[0]
	want := []Type{a, a, a, a, d, d}
	if s.dst[1] != d || !floatingTypes.has(a) || !floatingTypes.has(d) {
		return s.mismatch()
	}
	return s.fixed([]Type{d, d}, want)
}

// math checks a call of a function of floats or integers.
func (s signature) math() string {
	var dst, args []Type
	if f, t := s.in.Integer(); f != nil {
		dst, args = integerFunctionTypes(f, t)
	} else if f := scalar.Float(s.in.Fn); f == nil || f.Name != s.in.Fn {
		return s.in.Fn + " is no function"
	} else if len(s.args) > 0 && floatingTypes.has(s.args[0]) {
		dst, args = FloatTypes(f, s.args[0])
	}
	if why := s.fixed(dst, args); why != "" || len(dst) == 0 {
		return s.in.Fn + " " + s.mismatch()
	}
	return ""
}
