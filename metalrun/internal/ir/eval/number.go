package eval

import (
	"math"
	"math/big"

	"metalconform/metalrun/internal/ir"
)

// Registers hold the bits of their format, zero-extended.

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// format is a binary floating format: precision in bits and exponent range.
type format struct{ precision, least, greatest int }

var formats = map[ir.Type]format{ir.F32: {24, -126, 127}, ir.F16: {11, -14, 15}, ir.BF16: {8, -126, 127}}

// float is the number that a register of type t holds.
func float(t ir.Type, bits uint64) float64 {
	switch t {
	case ir.F32:
		return float64(math.Float32frombits(uint32(bits)))
	case ir.BF16:
		return float64(math.Float32frombits(uint32(bits) << 16))
	}
	sign := 1.0
	if bits&0x8000 != 0 {
		sign = -1
	}
	exponent, fraction := int(bits>>10&31), float64(bits&1023)
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 31:
		if fraction != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

// round is the bits of x rounded to nearest, ties to even, in the format of t.
func round(t ir.Type, x float64) uint64 {
	f := formats[t]
	if x != 0 && !math.IsInf(x, 0) && !math.IsNaN(x) {
		_, e := math.Frexp(x)
		unit := max(e-f.precision, f.least-f.precision+1)
		x = math.Ldexp(math.RoundToEven(math.Ldexp(x, -unit)), unit)
		if math.Abs(x) >= math.Ldexp(1, f.greatest+1) {
			x = math.Inf(int(math.Copysign(1, x)))
		}
	}
	bits := math.Float32bits(float32(x)) // exact: every format is a part of binary32
	switch t {
	case ir.F32:
		return uint64(bits)
	case ir.BF16:
		if x != x {
			return 0x7fc0
		}
		return uint64(bits >> 16)
	}
	return halfBits(x)
}

// halfBits is the encoding of a number that binary16 holds exactly.
func halfBits(x float64) uint64 {
	var sign uint64
	if math.Signbit(x) {
		sign = 0x8000
	}
	x = math.Abs(x)
	switch {
	case x != x:
		return 0x7e00
	case math.IsInf(x, 0):
		return sign | 0x7c00
	case x < 0x1p-14:
		return sign | uint64(x*0x1p24)
	}
	fraction, e := math.Frexp(x)
	return sign | uint64(e+14)<<10 | uint64(fraction*2048)&1023
}

// exactFMA is a·b + c for finite numbers, rounded to odd in 53 bits: rounding it
// again to 24 bits or fewer gives what rounding once would.
func exactFMA(a, b, c float64) float64 {
	product := new(big.Float).SetPrec(2000).Mul(big.NewFloat(a), big.NewFloat(b))
	sum := product.Add(product, new(big.Float).SetPrec(2000).SetFloat64(c))
	f, _ := sum.Float64()
	got := new(big.Float).SetPrec(2000).SetFloat64(f)
	if cmp := got.Cmp(sum); cmp != 0 && math.Float64bits(f)&1 == 0 {
		toward := math.Inf(-cmp)
		f = math.Nextafter(f, toward)
	}
	return f
}

func fma(a, b, c float64) float64 {
	for _, x := range []float64{a, b, c} {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return a*b + c
		}
	}
	if r := exactFMA(a, b, c); r != 0 {
		return r
	}
	return math.FMA(a, b, c) // zero, with the sign that IEEE 754 asks for
}

// binary computes the operations on two operands of type t. Sums and products
// of two numbers of 24 bits, rounded to 53 bits first, round right again, and
// so do quotients (Figueroa 1995).
func binary(op ir.Op, t ir.Type, a, b uint64) uint64 {
	if t.IsFloat() {
		return binaryFloat(op, t, float(t, a), float(t, b))
	}
	if t == ir.I32 {
		return binaryInt(op, 32, int64(int32(a)), int64(int32(b)), uint64(uint32(a)), uint64(uint32(b))) &
			math.MaxUint32
	}
	return binaryInt(op, 64, int64(a), int64(b), a, b)
}

func binaryFloat(op ir.Op, t ir.Type, x, y float64) uint64 {
	switch op {
	case ir.Add:
		return round(t, x+y)
	case ir.Sub:
		return round(t, x-y)
	case ir.Mul:
		return round(t, x*y)
	case ir.Div:
		return round(t, x/y)
	case ir.Eq:
		return truth(x == y)
	case ir.Ne:
		return truth(x != y)
	case ir.FLt:
		return truth(x < y)
	case ir.FLe:
		return truth(x <= y)
	}
	panic("eval: " + op.String() + " of floats")
}

func binaryInt(op ir.Op, width uint, a, b int64, ua, ub uint64) uint64 {
	switch op {
	case ir.Add:
		return uint64(a + b)
	case ir.Sub:
		return uint64(a - b)
	case ir.Mul:
		return uint64(a * b)
	case ir.And:
		return ua & ub
	case ir.Or:
		return ua | ub
	case ir.Xor:
		return ua ^ ub
	case ir.Shl:
		return ua << (ub % uint64(width))
	case ir.LShr:
		return ua >> (ub % uint64(width))
	case ir.AShr:
		return uint64(a >> (ub % uint64(width)))
	case ir.Eq:
		return truth(ua == ub)
	case ir.Ne:
		return truth(ua != ub)
	case ir.SLt:
		return truth(a < b)
	case ir.SLe:
		return truth(a <= b)
	case ir.ULt:
		return truth(ua < ub)
	case ir.ULe:
		return truth(ua <= ub)
	}
	if b == 0 {
		return 0
	}
	switch op {
	case ir.SDiv:
		return uint64(a / b)
	case ir.SRem:
		return uint64(a % b)
	case ir.UDiv:
		return ua / ub
	case ir.URem:
		return ua % ub
	}
	panic("eval: " + op.String() + " of integers")
}

// orderedInt is an element's value for signed comparison; unsigned 32-bit
// values fit.
func orderedInt(s ir.Scalar, v uint64) int64 {
	switch s {
	case ir.S8, ir.S16, ir.S32:
		return int64(int32(v))
	}
	return int64(v)
}

// limits of the integer formats.
var integerRange = map[ir.Scalar][2]float64{
	ir.S8: {math.MinInt8, math.MaxInt8}, ir.U8: {0, math.MaxUint8}, ir.S16: {math.MinInt16, math.MaxInt16},
	ir.U16: {0, math.MaxUint16},
	ir.S32: {math.MinInt32, math.MaxInt32}, ir.U32: {0, math.MaxUint32},
	ir.S64: {math.MinInt64, math.MaxInt64}, ir.U64: {0, math.MaxUint64},
}

// convert changes the format of a value.
func convert(from, to ir.Scalar, v uint64) uint64 {
	if from.Type().IsFloat() {
		x := float(from.Type(), v)
		if to.Type().IsFloat() {
			return round(to.Type(), x)
		}
		return truncate(to, x)
	}
	wide := widen(from, v)
	if to.Type().IsFloat() {
		return round(to.Type(), intToOdd(from, wide))
	}
	return narrow(to, wide)
}

// truncate converts toward zero, saturating; NaN becomes 0.
func truncate(to ir.Scalar, x float64) uint64 {
	r := integerRange[to]
	switch {
	case to == ir.B8:
		return truth(x != 0)
	case x != x:
		return 0
	case x <= r[0]:
		x = r[0]
	case x >= r[1]:
		switch to {
		case ir.S64:
			return math.MaxInt64
		case ir.U64:
			return math.MaxUint64
		}
		x = r[1]
	}
	if to == ir.U64 {
		return uint64(x)
	}
	return narrow(to, uint64(int64(x)))
}

// widen is an integer register's value in 64 bits, by its format.
func widen(from ir.Scalar, v uint64) uint64 {
	switch from {
	case ir.S8, ir.S16, ir.S32:
		return uint64(int64(int32(v)))
	case ir.B8:
		return v & 1
	}
	return v
}

// narrow is the register of format to that holds the low bits of v.
func narrow(to ir.Scalar, v uint64) uint64 {
	switch to {
	case ir.B8:
		return truth(v != 0)
	case ir.S8:
		return uint64(uint32(int32(int8(v))))
	case ir.U8:
		return uint64(uint8(v))
	case ir.S16:
		return uint64(uint32(int32(int16(v))))
	case ir.U16:
		return uint64(uint16(v))
	case ir.S32, ir.U32:
		return uint64(uint32(v))
	}
	return v
}

// intToOdd is an integer as a float64, rounded to odd, so that rounding it again is right.
func intToOdd(from ir.Scalar, v uint64) float64 {
	exact := new(big.Float).SetPrec(64)
	if from == ir.U64 {
		exact.SetUint64(v)
	} else {
		exact.SetInt64(int64(v))
	}
	f, accuracy := exact.Float64()
	if accuracy != big.Exact && math.Float64bits(f)&1 == 0 {
		f = math.Nextafter(f, math.Inf(-int(accuracy)))
	}
	return f
}
