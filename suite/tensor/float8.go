package tensor

import "math"

// Float8 is a floating-point format of eight bits.
//
// Source: Micikevicius et al., FP8 formats for deep learning, 2022, tables 1 and 2.
type Float8 struct {
	mantissa int  // bits
	bias     int  // of the exponent
	finite   bool // no infinities: only the pattern of ones is no number
}

// E4M3 has four bits of exponent and numbers up to 448, E5M2 five bits, numbers up to 57344, and
// infinities.
var (
	E4M3 = Float8{mantissa: 3, bias: 7, finite: true}
	E5M2 = Float8{mantissa: 2, bias: 15}
)

// Decode is the number that a code stands for.
func (f Float8) Decode(code byte) float64 {
	ones := 0x7f >> f.mantissa
	exponent, fraction := int(code&0x7f)>>f.mantissa, int(code)&(1<<f.mantissa-1)
	x := 0.0
	switch {
	case exponent == ones && f.finite && fraction == 1<<f.mantissa-1, exponent == ones && !f.finite && fraction != 0:
		return math.NaN()
	case exponent == ones && !f.finite:
		x = math.Inf(1)
	case exponent == 0:
		x = math.Ldexp(float64(fraction), 1-f.bias-f.mantissa)
	default:
		x = math.Ldexp(float64(fraction+1<<f.mantissa), exponent-f.bias-f.mantissa)
	}
	return math.Copysign(x, float64(1-int(code>>7)*2))
}

// Encode is the code of the nearest number, of two such the even one. What lies beyond the
// largest number is infinite, or no number in a format without infinities: who wants the largest
// number instead clips.
func (f Float8) Encode(x float64) byte {
	var sign byte
	if math.Signbit(x) {
		sign, x = 0x80, -x
	}
	overflow := byte(0x7f)
	if !f.finite {
		overflow = byte(0x7f>>f.mantissa) << f.mantissa
	}
	if math.IsNaN(x) {
		return sign | 0x7f
	}
	if x == 0 {
		return sign
	}
	_, exponent := math.Frexp(x)
	unit := max(exponent-1-f.mantissa, 1-f.bias-f.mantissa) // exponent of the last place
	steps := math.RoundToEven(math.Ldexp(x, -unit))
	code := steps + float64((unit-(1-f.bias-f.mantissa))<<f.mantissa)
	if code > float64(overflow) || math.IsInf(x, 0) || f.finite && code == float64(overflow) {
		return sign | overflow
	}
	return sign | byte(code)
}

// Round is the nearest number of the format.
func (f Float8) Round(x float64) float64 { return f.Decode(f.Encode(x)) }
