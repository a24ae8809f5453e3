package scalar

import "math"

// RoundBfloat returns x rounded to bfloat, ties to even, with gradual underflow
// and overflow to infinity. A NaN is made quiet and keeps its sign and the
// payload that bfloat can hold.
func RoundBfloat(x float32) float32 {
	u := math.Float32bits(x)
	if u&^(1<<31) > 0x7f800000 {
		return math.Float32frombits((u | 1<<22) &^ 0xffff)
	}
	return math.Float32frombits((u + 0x7fff + u>>16&1) &^ 0xffff)
}

// BfloatBits returns the bfloat16 representation of x rounded as RoundBfloat does.
func BfloatBits(x float32) uint16 {
	return uint16(math.Float32bits(RoundBfloat(x)) >> 16)
}

// FromBfloatBits returns the value of a bfloat16 representation. A NaN is made
// quiet and keeps sign and payload.
func FromBfloatBits(b uint16) float32 {
	u := uint32(b) << 16
	if u&^(1<<31) > 0x7f800000 {
		u |= 1 << 22
	}
	return math.Float32frombits(u)
}

// roundBfloat64 rounds a number that is not a NaN to bfloat, once.
func roundBfloat64(x float64) float32 {
	a := math.Abs(x)
	switch {
	case a < 0x1p-126:
		// 1.5·2⁻⁸¹ has the spacing of bfloat's subnormals, 2⁻¹³³, on both sides.
		a = float64(a+0x1.8p-81) - 0x1.8p-81
	case a < 0x1p128:
		u := math.Float64bits(a)
		a = math.Float64frombits((u + 1<<44 - 1 + u>>45&1) &^ (1<<45 - 1))
	}
	return float32(math.Copysign(a, x)) // 2¹²⁸ and above become infinite
}
