package scalar

import "math"

// Bounds of half as bits of float32.
const (
	halfMinNormal = 0x38800000 // 2⁻¹⁴
	halfOverflow  = 0x477ff000 // 65520, the midpoint of 65504 and 65536: ties to infinity
	halfRebias    = (127 - 15) << 23
)

// RoundHalf returns x rounded to half, ties to even, with gradual underflow and
// overflow to infinity. A NaN is made quiet and keeps its sign and the payload
// that half can hold.
func RoundHalf(x float32) float32 {
	u := math.Float32bits(x)
	switch m := u &^ (1 << 31); {
	case m < halfMinNormal:
		// In [1/2, 1) the spacing of float32 is that of half's subnormals, 2⁻²⁴.
		t := float32(math.Float32frombits(m)+0.5) - 0.5
		return math.Float32frombits(math.Float32bits(t) | u&(1<<31))
	case m < halfOverflow:
		return math.Float32frombits((u + 0xfff + u>>13&1) &^ 0x1fff)
	case m > 0x7f800000:
		return math.Float32frombits((u | 1<<22) &^ 0x1fff)
	}
	return math.Float32frombits(u&(1<<31) | 0x7f800000)
}

// HalfBits returns the binary16 representation of x rounded as RoundHalf does.
func HalfBits(x float32) uint16 {
	u := math.Float32bits(RoundHalf(x))
	sign := uint16(u >> 16 & 0x8000)
	switch m := u &^ (1 << 31); {
	case m < halfMinNormal:
		t := math.Float32frombits(m) + 0.5
		return sign | uint16(math.Float32bits(t)-0x3f000000)
	case m < 0x7f800000:
		return sign | uint16((m-halfRebias)>>13)
	default:
		return sign | 0x7c00 | uint16(m>>13&0x3ff)
	}
}

// FromHalfBits returns the value of a binary16 representation. A NaN is made
// quiet and keeps sign and payload.
func FromHalfBits(b uint16) float32 {
	sign := uint32(b&0x8000) << 16
	m := uint32(b & 0x7fff)
	switch {
	case m < 0x400:
		return math.Float32frombits(sign | math.Float32bits(float32(m)*0x1p-24))
	case m < 0x7c00:
		return math.Float32frombits(sign | (m<<13 + halfRebias))
	case m == 0x7c00:
		return math.Float32frombits(sign | 0x7f800000)
	}
	return math.Float32frombits(sign | 0x7fc00000 | m<<13)
}

// roundHalf64 rounds a number that is not a NaN to half, once.
func roundHalf64(x float64) float32 {
	a := math.Abs(x)
	switch {
	case a < 0x1p-14:
		// 1.5·2²⁸ has the spacing of half's subnormals, 2⁻²⁴, on both sides.
		a = float64(a+0x1.8p28) - 0x1.8p28
	case a < 65520:
		u := math.Float64bits(a)
		a = math.Float64frombits((u + 1<<41 - 1 + u>>42&1) &^ (1<<42 - 1))
	default:
		a = math.Inf(1)
	}
	return float32(math.Copysign(a, x))
}
