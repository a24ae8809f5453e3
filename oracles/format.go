package oracles

import "math"

// Format is a binary floating-point format.
type Format uint8

// The formats of Metal's float, bfloat and half.
const (
	F32  Format = iota // binary32: 24 significant bits, exponents −126…127
	BF16               // bfloat16: 8 significant bits, exponents −126…127
	F16                // binary16: 11 significant bits, exponents −14…15
)

func (f Format) String() string { return [...]string{"f32", "bf16", "f16"}[f] }

// Precision is the number p of significant bits, the hidden one included.
func (f Format) Precision() int { return [...]int{24, 8, 11}[f] }

// MinExponent is the exponent of the smallest normal number.
func (f Format) MinExponent() int { return [...]int{-126, -126, -14}[f] }

// MaxExponent is the exponent of the largest finite number.
func (f Format) MaxExponent() int { return [...]int{127, 127, 15}[f] }

// Width is the size of the format in bits.
func (f Format) Width() int { return [...]int{32, 16, 16}[f] }

// UnitRoundoff is u = 2^−p, the largest relative error of rounding to nearest.
func (f Format) UnitRoundoff() float64 { return powerOfTwo(-f.Precision()) }

// SmallestNormal is 2^MinExponent.
func (f Format) SmallestNormal() float64 { return powerOfTwo(f.MinExponent()) }

// SmallestSubnormal is the distance of neighbours below SmallestNormal.
func (f Format) SmallestSubnormal() float64 {
	return powerOfTwo(f.MinExponent() - f.Precision() + 1)
}

// Max is the largest finite number.
func (f Format) Max() float64 {
	return (2 - powerOfTwo(1-f.Precision())) * powerOfTwo(f.MaxExponent())
}

// powerOfTwo is 2^e where float64 holds it as a normal number. It is read off
// the bits because the oracles need one for every rounding.
func powerOfTwo(e int) float64 { return math.Float64frombits(uint64(e+1023) << 52) }

// exponent is e of |x| in [2^e, 2^{e+1}) for a normal float64 number, and less
// than that of any format here for a smaller one.
func exponent(x float64) int { return int(math.Float64bits(x)>>52&0x7ff) - 1023 }

// Round returns the number of the format nearest to x, ties to even.
//
// Special cases:
//
//	Round(±0)   = ±0
//	Round(±Inf) = ±Inf
//	Round(NaN)  = NaN
//	Round(x)    = ±Inf for |x| ≥ Max + half its ulp
func (f Format) Round(x float64) float64 {
	switch e := exponent(x); {
	case e > 1023:
		return x
	case e < f.MinExponent():
		q := f.SmallestSubnormal()
		return math.Copysign(math.RoundToEven(x/q)*q, x) // x/q and the product are exact: q is a power of two
	}
	// Bits of a number count its size: half of the last place that stays is added, less one bit
	// where a tie is to go down, and what lies below is cut.
	below := 53 - f.Precision()
	b := math.Float64bits(x)
	b += 1<<(below-1) - 1 + b>>below&1
	r := math.Float64frombits(b >> below << below)
	if exponent(r) > f.MaxExponent() {
		return math.Copysign(math.Inf(1), x)
	}
	return r
}

// spacing is the distance of the neighbours of x in the binade [2^e, 2^{e+1})
// that holds it, and SmallestSubnormal below the normal range.
func (f Format) spacing(x float64) float64 {
	return powerOfTwo(max(exponent(x), f.MinExponent()) - f.Precision() + 1)
}

// Ulp is the unit in the last place of the format at a real number x: the
// distance of the two finite neighbours nearest to it. Where x is itself a
// power of two this is the gap below it, as in the OpenCL and Metal texts.
//
// Special cases:
//
//	Ulp(0)    = SmallestSubnormal
//	Ulp(±Inf) = Ulp(Max)
//	Ulp(NaN)  = NaN
func (f Format) Ulp(x float64) float64 {
	x = math.Abs(x)
	switch {
	case math.IsNaN(x):
		return x
	case x <= f.SmallestNormal():
		return f.SmallestSubnormal()
	case x > f.Max():
		return f.spacing(f.Max())
	}
	if x == powerOfTwo(exponent(x)) {
		return f.spacing(x) / 2
	}
	return f.spacing(x)
}

// UlpError is the signed error of got, a number of the format, against the
// real number want, in units of Ulp(want).
//
// Special cases:
//
//	UlpError(Round(want), want) = 0 where got is not finite
//	UlpError(NaN, NaN)          = 0
//	UlpError(got, want)         = +Inf if exactly one of them is NaN
//	UlpError(got, want)         = +Inf if one is infinite and the other does not round to it
func (f Format) UlpError(got, want float64) float64 {
	switch {
	case math.IsNaN(got) && math.IsNaN(want):
		return 0
	case math.IsNaN(got) || math.IsNaN(want):
		return math.Inf(1)
	case got == want:
		return 0
	case math.IsInf(got, 0) || math.IsInf(want, 0):
		if got == f.Round(want) {
			return 0
		}
		return math.Inf(1)
	}
	return (got - want) / f.Ulp(want)
}

// FromBits decodes the low Width bits of b.
func (f Format) FromBits(b uint32) float64 {
	if f == BF16 { // the upper half of a float
		return float64(math.Float32frombits(b << 16))
	}
	p := f.Precision()
	mantissa := b & (1<<(p-1) - 1)
	exponent := int(b>>(p-1)) & (1<<(f.Width()-p) - 1)
	sign := 1.0
	if b>>(f.Width()-1)&1 != 0 {
		sign = -1
	}
	switch exponent {
	case 0:
		return sign * float64(mantissa) * f.SmallestSubnormal()
	case 1<<(f.Width()-p) - 1:
		if mantissa != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * float64(mantissa|1<<(p-1)) * powerOfTwo(exponent-1+f.MinExponent()-p+1)
}

// Bits encodes x, rounded to the format. Every NaN becomes the quiet NaN with
// an empty payload.
func (f Format) Bits(x float64) uint32 {
	p := f.Precision()
	top := uint32(1)<<(f.Width()-p) - 1
	var sign uint32
	if math.Signbit(x) {
		sign = 1 << (f.Width() - 1)
	}
	x = math.Abs(f.Round(x))
	switch {
	case math.IsNaN(x):
		return top<<(p-1) | 1<<(p-2)
	case f == BF16: // the upper half of a float
		return sign | math.Float32bits(float32(x))>>16
	case math.IsInf(x, 1):
		return sign | top<<(p-1)
	case x < f.SmallestNormal():
		return sign | uint32(x/f.SmallestSubnormal())
	}
	mantissa := uint32(x/f.spacing(x)) &^ (1 << (p - 1))
	return sign | uint32(exponent(x)-f.MinExponent()+1)<<(p-1) | mantissa
}
