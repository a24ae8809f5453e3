package types

import (
	"math"

	"metalconform/metalrun/internal/scalar"
	"metalconform/metalrun/internal/syntax"
)

// Scalars in the form of [Const]: two's complement, sign-extended to 64 bits
// for signed types, 0 or 1 for bool, the format's own bits for floats.

// bytesOf is a scalar or pointer in memory.
func bytesOf(bits uint64, t Type) []byte {
	data := make([]byte, t.Size())
	for i := range data {
		data[i] = byte(bits >> (8 * i))
	}
	return data
}

// getBits reads a k from the beginning of data.
func getBits(data []byte, k Kind) uint64 { return bitsOf(data[:k.Size()], k) }

// putBits writes a k to the beginning of data.
func putBits(data []byte, k Kind, bits uint64) {
	for i := range k.Size() {
		data[i] = byte(bits >> (8 * i))
	}
}

// components is the kind of t's scalars and where they lie, in the order of a
// constructor's arguments. A pointer counts as an integer. Types that are not
// made of scalars of one kind give Void.
func components(t Type) (Kind, []int) {
	switch t := t.(type) {
	case Vector:
		offs := make([]int, t.N)
		for i := range offs {
			offs[i] = i * t.Elem.Size()
		}
		return t.Elem, offs
	case Matrix:
		var offs []int
		for c := range t.Cols {
			for r := range t.Rows {
				offs = append(offs, c*t.Column().Size()+r*t.Elem.Size())
			}
		}
		return t.Elem, offs
	case *Pointer, nullType:
		return ULong, []int{0}
	}
	if k := scalarKind(t); k != Void {
		return k, []int{0}
	}
	return Void, nil
}

// formatOf is the format of a floating kind.
func formatOf(k Kind) scalar.Format {
	switch k {
	case Half:
		return scalar.Half
	case BFloat:
		return scalar.Bfloat
	}
	return scalar.F32
}

// roundBits rounds x once to the floating kind k.
func roundBits(k Kind, x float64) uint64 {
	f := formatOf(k)
	return uint64(f.Bits(f.Round(x)))
}

// floatValue is the value of a floating kind.
func floatValue(k Kind, bits uint64) float64 { return float64(formatOf(k).FromBits(uint32(bits))) }

// wrap reduces bits to the integer kind k.
func wrap(k Kind, bits uint64) uint64 {
	shift := 64 - 8*uint(k.Size())
	if k.IsSigned() {
		return uint64(int64(bits<<shift) >> shift)
	}
	return bits << shift >> shift
}

// oddFloat is x in float64, inexact values rounded to odd: rounding the result
// to a shorter format is rounding x once.
func oddFloat(x uint64) float64 {
	if x>>53 == 0 {
		return float64(x)
	}
	sticky := uint64(0)
	if x&(1<<11-1) != 0 {
		sticky = 1
	}
	return float64(x>>11|sticky) * (1 << 11)
}

// convertBits converts a scalar.
func (v *evaluator) convertBits(pos syntax.Pos, from, to Kind, bits uint64) uint64 {
	switch {
	case from == to:
		return bits
	case to == Bool:
		if from.IsFloat() {
			return truth(floatValue(from, bits) != 0)
		}
		return truth(bits != 0)
	case from.IsFloat() && to.IsFloat():
		return roundBits(to, floatValue(from, bits))
	case from.IsFloat():
		return v.truncate(pos, to, floatValue(from, bits))
	case to.IsFloat():
		if from.IsSigned() && int64(bits) < 0 {
			return roundBits(to, -oddFloat(-bits))
		}
		return roundBits(to, oddFloat(bits))
	}
	return wrap(to, bits)
}

// truncate converts a floating value to an integer kind that can hold it.
func (v *evaluator) truncate(pos syntax.Pos, to Kind, x float64) uint64 {
	if x != x {
		return 0
	}
	x = math.Trunc(x)
	width := 8 * to.Size()
	lo, hi := 0.0, math.Ldexp(1, width)
	if to.IsSigned() {
		lo, hi = -math.Ldexp(1, width-1), math.Ldexp(1, width-1)
	}
	if x < lo || x >= hi {
		v.undefined(pos, "a value lies outside of the range of "+to.String())
	}
	if to.IsSigned() {
		return uint64(int64(x))
	}
	return uint64(x)
}

// convert changes the type of a value.
func (v *evaluator) convert(pos syntax.Pos, data []byte, from, to Type) []byte {
	if to == Void {
		return nil
	}
	kf, ins := components(from)
	kt, outs := components(to)
	_, toPointer := to.(*Pointer)
	_, fromPointer := from.(*Pointer)
	if fromPointer && !toPointer && to != Bool {
		v.fail(pos, "the address of an object is no constant")
	}
	if kf == Void || kt == Void {
		if Identical(from, to) {
			return data
		}
		v.fail(pos, "it is not a constant expression")
	}
	out := make([]byte, to.Size())
	for i, off := range outs {
		putBits(out[off:], kt, v.convertBits(pos, kf, kt, getBits(data[ins[min(i, len(ins)-1)]:], kf)))
	}
	return out
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (v *evaluator) unaryBits(e *Unary, k Kind, x uint64) uint64 {
	switch {
	case e.Op == LNot && k.IsFloat():
		return truth(floatValue(k, x) == 0)
	case e.Op == LNot:
		return truth(x == 0)
	case e.Op == Not && k == Bool:
		return x ^ 1
	case e.Op == Not:
		return wrap(k, ^x)
	case k.IsFloat():
		return x ^ 1<<(8*k.Size()-1)
	}
	return v.binaryBits(e.Pos(), Sub, k, 0, x)
}

// binaryBits is x op y for operands of kind k; y of a shift has any kind. A
// comparison gives a bool.
func (v *evaluator) binaryBits(pos syntax.Pos, op Op, k Kind, x, y uint64) uint64 {
	switch {
	case op >= Eq && op <= Ge:
		return truth(compare(op, k, x, y))
	case op == LAnd:
		return x & y
	case op == LOr:
		return x | y
	case k.IsFloat():
		return v.floatOp(pos, op, k, x, y)
	}
	return v.integerOp(pos, op, k, x, y)
}

func compare(op Op, k Kind, x, y uint64) bool {
	less, equal := x < y, x == y
	switch {
	case k.IsFloat():
		a, b := floatValue(k, x), floatValue(k, y)
		if a != a || b != b {
			return op == Ne
		}
		less, equal = a < b, a == b
	case k.IsSigned():
		less = int64(x) < int64(y)
	}
	switch op {
	case Eq:
		return equal
	case Ne:
		return !equal
	case Lt:
		return less
	case Le:
		return less || equal
	case Gt:
		return !less && !equal
	}
	return !less
}

// floatOp rounds once: float64 has more than twice the digits of every format,
// so that rounding its result again does no harm.
func (v *evaluator) floatOp(pos syntax.Pos, op Op, k Kind, x, y uint64) uint64 {
	a, b := floatValue(k, x), floatValue(k, y)
	switch op {
	case Add:
		return roundBits(k, a+b)
	case Sub:
		return roundBits(k, a-b)
	case Mul:
		return roundBits(k, a*b)
	case Div:
		return roundBits(k, a/b)
	}
	v.fail(pos, "it is not a constant expression")
	return 0
}

func (v *evaluator) integerOp(pos syntax.Pos, op Op, k Kind, x, y uint64) uint64 {
	switch op {
	case Add, Sub, Mul:
		return v.sum(pos, op, k, x, y)
	case Div, Rem:
		return v.quotient(pos, op, k, x, y)
	case And:
		return x & y
	case Or:
		return x | y
	case Xor:
		return x ^ y
	}
	n := y & uint64(8*k.Size()-1) // the count is taken modulo the width
	if op == Shl {
		return wrap(k, x<<n)
	}
	if k.IsSigned() {
		return uint64(int64(x) >> n)
	}
	return x >> n
}

// sum is a sum, difference or product. One that overflows a signed type is no constant.
func (v *evaluator) sum(pos syntax.Pos, op Op, k Kind, x, y uint64) uint64 {
	a, b := int64(x), int64(y)
	var r int64
	over := false
	switch op {
	case Add:
		r = a + b
		over = (a < 0) == (b < 0) && (r < 0) != (a < 0)
	case Sub:
		r = a - b
		over = (a < 0) != (b < 0) && (r < 0) != (a < 0)
	default:
		r = a * b
		over = a != 0 && (r/a != b || a == -1 && b == math.MinInt64)
	}
	w := wrap(k, uint64(r))
	if (k == Int || k == Long) && (k == Long && over || int64(w) != r) {
		v.undefined(pos, "a value lies outside of the range of "+k.String())
	}
	return w
}

func (v *evaluator) quotient(pos syntax.Pos, op Op, k Kind, x, y uint64) uint64 {
	if y == 0 {
		v.undefined(pos, "it divides by zero")
	}
	switch {
	case !k.IsSigned() && op == Div:
		return x / y
	case !k.IsSigned():
		return x % y
	case y == math.MaxUint64 && x == wrap(k, 1<<(8*k.Size()-1)):
		v.undefined(pos, "a value lies outside of the range of "+k.String())
	case op == Div:
		return uint64(int64(x) / int64(y))
	}
	return uint64(int64(x) % int64(y))
}
