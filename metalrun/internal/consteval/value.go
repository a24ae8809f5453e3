package consteval

import (
	"math"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// Scalars in the form of [hir.Const]: two's complement, sign-extended to 64 bits
// for signed types, 0 or 1 for bool, the format's own bits for floats.

// getBits reads a k from the beginning of data.
func getBits(data []byte, k hir.Kind) uint64 { return hir.BitsOf(data[:k.Size()], k) }

// putBits writes a k to the beginning of data.
func putBits(data []byte, k hir.Kind, bits uint64) {
	for i := range k.Size() {
		data[i] = byte(bits >> (8 * i))
	}
}

// components is the kind of the scalars of t and their offsets, in the order of the
// arguments of a constructor. A pointer counts as an integer. The kind is Void for a
// type that does not consist of scalars of one kind.
func components(t hir.Type) (hir.Kind, []int) {
	switch t := t.(type) {
	case hir.Vector:
		offs := make([]int, t.N)
		for i := range offs {
			offs[i] = i * t.Elem.Size()
		}
		return t.Elem, offs
	case hir.Matrix:
		var offs []int
		for c := range t.Cols {
			for r := range t.Rows {
				offs = append(offs, c*t.Column().Size()+r*t.Elem.Size())
			}
		}
		return t.Elem, offs
	case *hir.Pointer, hir.NullPointer:
		return hir.ULong, []int{0}
	}
	if k := hir.ScalarKind(t); k != hir.Void {
		return k, []int{0}
	}
	return hir.Void, nil
}

// wrap reduces bits to the integer kind k.
func wrap(k hir.Kind, bits uint64) uint64 {
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
func (v *evaluation) convertBits(pos syntax.Pos, from, to hir.Kind, bits uint64) uint64 {
	switch {
	case from == to:
		return bits
	case to == hir.Bool:
		if from.IsFloat() {
			return hir.BoolBits(hir.FloatValue(from, bits) != 0)
		}
		return hir.BoolBits(bits != 0)
	case from.IsFloat() && to.IsFloat():
		return hir.RoundBits(to, hir.FloatValue(from, bits))
	case from.IsFloat():
		return v.truncate(pos, to, hir.FloatValue(from, bits))
	case to.IsFloat():
		if from.IsSigned() && int64(bits) < 0 {
			return hir.RoundBits(to, -oddFloat(-bits))
		}
		return hir.RoundBits(to, oddFloat(bits))
	}
	return wrap(to, bits)
}

// truncate converts a floating value to an integer kind. A value out of range is undefined.
func (v *evaluation) truncate(pos syntax.Pos, to hir.Kind, x float64) uint64 {
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
func (v *evaluation) convert(pos syntax.Pos, data []byte, from, to hir.Type) []byte {
	if to == hir.Void {
		return nil
	}
	kf, ins := components(from)
	kt, outs := components(to)
	_, toPointer := to.(*hir.Pointer)
	_, fromPointer := from.(*hir.Pointer)
	if fromPointer && !toPointer && to != hir.Bool {
		v.fail(pos, "the address of an object is no constant")
	}
	if kf == hir.Void || kt == hir.Void {
		if hir.Identical(from, to) {
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

// unaryBits is the value of e for an operand x of kind k.
func (v *evaluation) unaryBits(e *hir.Unary, k hir.Kind, x uint64) uint64 {
	switch {
	case e.Op == hir.LNot && k.IsFloat():
		return hir.BoolBits(hir.FloatValue(k, x) == 0)
	case e.Op == hir.LNot:
		return hir.BoolBits(x == 0)
	case e.Op == hir.Not && k == hir.Bool:
		return x ^ 1
	case e.Op == hir.Not:
		return wrap(k, ^x)
	case k.IsFloat():
		return x ^ 1<<(8*k.Size()-1)
	}
	return v.binaryBits(e.Pos(), hir.Sub, k, 0, x)
}

// binaryBits is x op y for operands of kind k; y of a shift has any kind. A
// comparison gives a bool.
func (v *evaluation) binaryBits(pos syntax.Pos, op hir.Op, k hir.Kind, x, y uint64) uint64 {
	switch {
	case op >= hir.Eq && op <= hir.Ge:
		return hir.BoolBits(compare(op, k, x, y))
	case op == hir.LAnd:
		return x & y
	case op == hir.LOr:
		return x | y
	case k.IsFloat():
		return v.floatOp(pos, op, k, x, y)
	}
	return v.integerOp(pos, op, k, x, y)
}

// compare is x op y for a comparison. A comparison with a NaN is false, except !=.
func compare(op hir.Op, k hir.Kind, x, y uint64) bool {
	less, equal := x < y, x == y
	switch {
	case k.IsFloat():
		a, b := hir.FloatValue(k, x), hir.FloatValue(k, y)
		if a != a || b != b {
			return op == hir.Ne
		}
		less, equal = a < b, a == b
	case k.IsSigned():
		less = int64(x) < int64(y)
	}
	switch op {
	case hir.Eq:
		return equal
	case hir.Ne:
		return !equal
	case hir.Lt:
		return less
	case hir.Le:
		return less || equal
	case hir.Gt:
		return !less && !equal
	}
	return !less
}

// floatOp rounds once. float64 has more than twice the digits of every format, so rounding
// its result again gives the correctly rounded result.
func (v *evaluation) floatOp(pos syntax.Pos, op hir.Op, k hir.Kind, x, y uint64) uint64 {
	a, b := hir.FloatValue(k, x), hir.FloatValue(k, y)
	switch op {
	case hir.Add:
		return hir.RoundBits(k, a+b)
	case hir.Sub:
		return hir.RoundBits(k, a-b)
	case hir.Mul:
		return hir.RoundBits(k, a*b)
	case hir.Div:
		return hir.RoundBits(k, a/b)
	}
	v.fail(pos, "it is not a constant expression")
	return 0
}

// integerOp is x op y for integers.
func (v *evaluation) integerOp(pos syntax.Pos, op hir.Op, k hir.Kind, x, y uint64) uint64 {
	switch op {
	case hir.Add, hir.Sub, hir.Mul:
		return v.sum(pos, op, k, x, y)
	case hir.Div, hir.Rem:
		return v.quotient(pos, op, k, x, y)
	case hir.And:
		return x & y
	case hir.Or:
		return x | y
	case hir.Xor:
		return x ^ y
	}
	n := y & uint64(8*k.Size()-1) // the count is taken modulo the width
	if op == hir.Shl {
		return wrap(k, x<<n)
	}
	if k.IsSigned() {
		return uint64(int64(x) >> n)
	}
	return x >> n
}

// sum is a sum, difference or product. Overflow of int or long is undefined.
func (v *evaluation) sum(pos syntax.Pos, op hir.Op, k hir.Kind, x, y uint64) uint64 {
	a, b := int64(x), int64(y)
	var r int64
	over := false
	switch op {
	case hir.Add:
		r = a + b
		over = (a < 0) == (b < 0) && (r < 0) != (a < 0)
	case hir.Sub:
		r = a - b
		over = (a < 0) != (b < 0) && (r < 0) != (a < 0)
	default:
		r = a * b
		over = a != 0 && (r/a != b || a == -1 && b == math.MinInt64)
	}
	w := wrap(k, uint64(r))
	if (k == hir.Int || k == hir.Long) && (k == hir.Long && over || int64(w) != r) {
		v.undefined(pos, "a value lies outside of the range of "+k.String())
	}
	return w
}

// quotient is a quotient or remainder. A division by zero and an overflow are undefined.
func (v *evaluation) quotient(pos syntax.Pos, op hir.Op, k hir.Kind, x, y uint64) uint64 {
	if y == 0 {
		v.undefined(pos, "it divides by zero")
	}
	switch {
	case !k.IsSigned() && op == hir.Div:
		return x / y
	case !k.IsSigned():
		return x % y
	case y == math.MaxUint64 && x == wrap(k, 1<<(8*k.Size()-1)):
		v.undefined(pos, "a value lies outside of the range of "+k.String())
	case op == hir.Div:
		return uint64(int64(x) / int64(y))
	}
	return uint64(int64(x) % int64(y))
}
