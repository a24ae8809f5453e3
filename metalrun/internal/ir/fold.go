package ir

import (
	"math"

	"metalconform/metalrun/internal/syntax"
)

// Fold computes an instruction whose arguments are all literals. It gives up,
// with ok false, where executors may differ: floating results that are not
// normal numbers or zero, division by zero, half and bfloat arithmetic.
func Fold(in *Instr, operand Type, args []uint64) (bits uint64, ok bool) {
	switch in.Op {
	case Convert:
		return foldConvert(in.From, in.To, args[0])
	case Bitcast:
		return foldBitcast(in.From, in.To, args[0])
	case Pack:
		return args[0]&math.MaxUint32 | args[1]<<32, true
	case Select:
		if args[0] != 0 {
			return args[1], true
		}
		return args[2], true
	}
	switch operand {
	case Bool:
		return foldBool(in.Op, args)
	case I32, I64:
		return foldInt(in.Op, operand, args)
	case F32:
		return foldFloat(in.Op, args)
	case Ptr:
		if in.Op == Eq || in.Op == Ne {
			return truth((args[0] == args[1]) == (in.Op == Eq)), true
		}
	}
	return 0, false
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func foldBool(op Op, args []uint64) (uint64, bool) {
	a := args[0]
	if op == Not {
		return a ^ 1, true
	}
	if len(args) != 2 { // a function
		return 0, false
	}
	b := args[1]
	switch op {
	case And:
		return a & b, true
	case Or:
		return a | b, true
	case Xor, Ne:
		return a ^ b, true
	case Eq:
		return a ^ b ^ 1, true
	}
	return 0, false
}

// foldInt computes on literals of type t, which are sign-extended to 64 bits.
func foldInt(op Op, t Type, args []uint64) (uint64, bool) {
	a := args[0]
	switch op {
	case Neg:
		return Canonical(t, -a), true
	case Not:
		return ^a, true
	}
	if len(args) != 2 { // a function
		return 0, false
	}
	b := args[1]
	ua, ub, width := a, b, uint64(64)
	if t == I32 {
		ua, ub, width = a&math.MaxUint32, b&math.MaxUint32, 32
	}
	switch op {
	case Add:
		return Canonical(t, a+b), true
	case Sub:
		return Canonical(t, a-b), true
	case Mul:
		return Canonical(t, a*b), true
	case And:
		return a & b, true
	case Or:
		return a | b, true
	case Xor:
		return a ^ b, true
	case Shl:
		return Canonical(t, a<<(b%width)), true
	case LShr:
		return Canonical(t, ua>>(b%width)), true
	case AShr:
		return uint64(int64(a) >> (b % width)), true
	case Eq:
		return truth(a == b), true
	case Ne:
		return truth(a != b), true
	case SLt:
		return truth(int64(a) < int64(b)), true
	case SLe:
		return truth(int64(a) <= int64(b)), true
	case ULt:
		return truth(ua < ub), true
	case ULe:
		return truth(ua <= ub), true
	}
	if b == 0 {
		return 0, false
	}
	switch op {
	case UDiv:
		return Canonical(t, ua/ub), true
	case URem:
		return Canonical(t, ua%ub), true
	}
	if int64(b) == -1 {
		return 0, false
	}
	switch op {
	case SDiv:
		return Canonical(t, uint64(int64(a)/int64(b))), true
	case SRem:
		return Canonical(t, uint64(int64(a)%int64(b))), true
	}
	return 0, false
}

// Canonical is the form in which a literal of integer type t keeps v.
func Canonical(t Type, v uint64) uint64 {
	if t == I32 {
		return uint64(int64(int32(v)))
	}
	return v
}

// plain reports whether x is neither subnormal, infinite nor a NaN: such
// numbers are the same under every flushing rule and math mode.
func plain(x float32) bool {
	exponent := math.Float32bits(x) >> 23 & 0xff
	return x == 0 || exponent != 0 && exponent != 0xff
}

func foldFloat(op Op, args []uint64) (uint64, bool) {
	a := math.Float32frombits(uint32(args[0]))
	if op == Neg {
		return args[0] ^ 1<<31, true
	}
	if len(args) != 2 {
		return 0, false
	}
	b := math.Float32frombits(uint32(args[1]))
	if !plain(a) || !plain(b) {
		return 0, false
	}
	var r float32
	switch op {
	case Add:
		r = a + b
	case Sub:
		r = a - b
	case Mul:
		r = a * b
	case Div:
		r = a / b
	case Eq:
		return truth(a == b), true
	case Ne:
		return truth(a != b), true
	case FLt:
		return truth(a < b), true
	case FLe:
		return truth(a <= b), true
	default:
		return 0, false
	}
	if r == 0 && a != 0 && b != 0 && op != Add && op != Sub || !plain(r) {
		return 0, false // underflow, overflow, division by zero
	}
	return uint64(math.Float32bits(r)), true
}

// foldConvert converts between integers, bool and float, and widens half and bfloat.
func foldConvert(from, to Scalar, a uint64) (uint64, bool) {
	if to == R32 && (from == H16 || from == T16) {
		return widenFloat(from, a)
	}
	if from == H16 || from == T16 || to == H16 || to == T16 {
		return 0, false
	}
	if from == R32 {
		x := math.Float32frombits(uint32(a))
		switch {
		case to == R32:
			return a, true
		case to == B8 || !plain(x) || math.Abs(float64(x)) >= 1<<31:
			return 0, false
		case x < 0 && !IsSigned(to):
			return 0, true
		}
		v := int64(x)
		if w := Wrap(to, uint64(v)); int64(w) == v {
			return w, true
		}
		return 0, false
	}
	switch to {
	case R32:
		if from == U64 {
			return uint64(math.Float32bits(float32(a))), true
		}
		return uint64(math.Float32bits(float32(int64(Wrap(from, a))))), true
	case B8:
		return truth(a != 0), true
	}
	return Canonical(to.Type(), Wrap(to, Wrap(from, a))), true
}

// widenFloat is a normal half or bfloat number, or zero, as a float.
func widenFloat(from Scalar, a uint64) (uint64, bool) {
	if from == T16 {
		return a << 16, plain(math.Float32frombits(uint32(a << 16)))
	}
	sign, exponent, fraction := a>>15<<31, a>>10&31, a&1023
	if exponent == 0 || exponent == 31 {
		return sign, exponent == 0 && fraction == 0
	}
	return sign | (exponent+127-15)<<23 | fraction<<13, true
}

// IsSigned reports whether s is a signed integer.
func IsSigned(s Scalar) bool { return s == S8 || s == S16 || s == S32 || s == S64 }

// Loaded is the bits of a literal with the result of a load of an s. raw has the bytes in memory.
func (s Scalar) Loaded(raw uint64) uint64 {
	if s == R32 {
		return raw
	}
	return Canonical(s.Type(), Wrap(s, raw))
}

// Wrap is the value, as a 64-bit integer, of the low bits of v read as an s.
func Wrap(s Scalar, v uint64) uint64 {
	switch s {
	case B8:
		return v & 1
	case S8:
		return uint64(int64(int8(v)))
	case U8:
		return uint64(uint8(v))
	case S16:
		return uint64(int64(int16(v)))
	case U16:
		return uint64(uint16(v))
	case S32:
		return uint64(int64(int32(v)))
	case U32:
		return uint64(uint32(v))
	}
	return v
}

func foldBitcast(from, to Scalar, a uint64) (uint64, bool) {
	switch to {
	case U32:
		return Canonical(I32, a), true
	case R32:
		return a & math.MaxUint32, true
	case H16, T16, U16:
		return a & math.MaxUint16, true
	case U64, P64:
		return a, true
	}
	return 0, false
}

// FoldArgs folds in if all its arguments are literals.
func FoldArgs(k *Kernel, in *Instr) (bits uint64, ok bool) {
	if in.Op < Add || in.Op > Pack {
		return 0, false
	}
	var buffer [3]uint64
	args := buffer[:0]
	for _, a := range in.Args {
		if k.Regs[a].Kind != Literal || len(args) == len(buffer) {
			return 0, false
		}
		args = append(args, k.Regs[a].Bits)
	}
	return Fold(in, k.Regs[in.Args[0]].Type, args)
}

// FoldDecimals is what the texts of the arguments of an instruction, which are literals, say of its result, of type t
// with these bits; zero if none says anything else.
func FoldDecimals(k *Kernel, in *Instr, t Type, bits uint64) syntax.Decimal {
	if !t.IsFloat() {
		return syntax.Decimal{}
	}
	return Says(t, bits, foldDecimals(k, in))
}

// foldDecimals is what the texts say.
func foldDecimals(k *Kernel, in *Instr) syntax.Decimal {
	var of [3]syntax.Decimal
	says := false
	for i, a := range in.Args {
		info := k.Regs[a]
		if !info.Type.IsFloat() {
			return syntax.Decimal{}
		}
		says = says || info.Decimal.Known()
		of[i] = info.Decimal.In(float64(info.Type.Format().FromBits(uint32(info.Bits))))
	}
	if !says {
		return syntax.Decimal{}
	}
	switch in.Op {
	case Neg:
		return of[0].Neg()
	case Convert:
		return of[0]
	case Add:
		return of[0].Plus(of[1])
	case Sub:
		return of[0].Plus(of[1].Neg())
	case Mul:
		return of[0].Times(of[1])
	case Div:
		return of[0].Over(of[1])
	}
	return syntax.Decimal{}
}

// Says is what a text says of a float with these bits beyond its value; zero if it says that value.
func Says(t Type, bits uint64, text syntax.Decimal) syntax.Decimal {
	held := float64(t.Format().FromBits(uint32(bits)))
	if text.Format == held {
		text.Format = 0
	}
	if !text.Known() || text.Half == 0 && text.Value == held && text.Format == 0 {
		return syntax.Decimal{}
	}
	return text
}
