package ball

import "math"

// The bits of floats of one sign are integers in the order of the floats, and between two powers of two an integer
// for each of them. So a float that is known to within e is an integer that is known, too: its place, which for an
// exact value between two floats lies between their integers. What kernels do to bits to round, to take a sign or an
// exponent, is arithmetic on places. A bias that rounds to nearest leaves the place of the exact value where it
// was, and one that truncates moves it by half a step.

// ladder is where the floats of a format have their places.
type ladder struct {
	digits int     // of a fraction
	least  int     // exponent of normal numbers
	sign   float64 // what the bit of the sign counts
	signed bool    // integers of this size are carried with a sign
}

var (
	single   = &ladder{23, -126, 0x1p31, true}
	halves   = &ladder{10, -14, 0x1p15, false}
	bfloats  = &ladder{7, -126, 0x1p15, false}
	rounding = 0x1p-16 // more than float64 leaves of a place, which is below 2³²
)

// ladderOf is that of a format, nil for f32.
func ladderOf(f *Format) *ladder {
	switch f {
	case nil:
		return single
	case Half:
		return halves
	}
	return bfloats
}

// Of a float64 in its normal range: the bits of a fraction, how many there are, and what its exponent is more than.
const (
	fraction     = 1<<52 - 1
	fractionBits = 52
	exponentBias = 1023
)

// powerOfTwo is 2ᵏ, for float64 in its normal range.
func powerOfTwo(k int) float64 { return math.Float64frombits(uint64(k+exponentBias) << fractionBits) }

// place is that of a number that is not negative.
func (s *ladder) place(x float64) float64 {
	if x < powerOfTwo(s.least) {
		return float64(x * powerOfTwo(s.digits-s.least))
	}
	bits := math.Float64bits(x)
	steps := float64(int(bits>>fractionBits)-exponentBias-s.least) +
		math.Float64frombits(bits&fraction|exponentBias<<fractionBits)
	return float64(steps * powerOfTwo(s.digits))
}

// at is the number at a place.
func (s *ladder) at(place float64) float64 {
	steps := float64(math.Max(place, 0) * powerOfTwo(-s.digits))
	whole := math.Floor(steps)
	if whole == 0 {
		return float64(steps * powerOfTwo(s.least))
	}
	return float64((1 + (steps - whole)) * powerOfTwo(int(whole)-1+s.least))
}

// Bits is the integer that has the bits of a float, f being nil for f32. Nothing is known of it where the float may be
// of either sign, zero or infinite.
func Bits(a Ball, f *Format) Ball {
	s := ladderOf(f)
	size, infinite := math.Abs(a.X), largest
	if f != nil {
		infinite = f.huge
	}
	if !a.Known() || !(size-a.E >= powerOfTwo(s.least) && size+a.E < infinite) {
		return Unknown(0)
	}
	x := s.place(size)
	d := Ball{X: x, E: math.Max(s.place(size+a.E)-x, x-s.place(size-a.E))}
	if f != nil { // it is carried before its rounding
		d.E += 0.5
	}
	if math.Signbit(a.X) {
		if d.X += s.sign; s.signed {
			d.X -= 2 * s.sign
		}
	}
	return d
}

// FromBits is the float of a format, nil for f32, that has the bits of an integer.
func FromBits(a Ball, f *Format) Ball {
	s := ladderOf(f)
	low, high := a.Span()
	sign := 1.0
	switch {
	case !a.Known():
		return Unknown(0)
	case s.signed && high < 0:
		sign, a.X, low, high = -1, a.X+s.sign, low+s.sign, high+s.sign
	case !s.signed && low >= s.sign:
		sign, a.X, low, high = -1, a.X-s.sign, low-s.sign, high-s.sign
	}
	infinity := s.place(powerOfTwo(2 - s.least))
	if low < 0 || high >= infinity {
		return Unknown(0)
	}
	if f != nil { // what rounds to them
		e := math.Max(0, math.Max(high-a.X, a.X-low)-0.5)
		low, high = a.X-e, a.X+e
	}
	x := s.at(a.X)
	return small(Ball{X: sign * x, E: math.Max(s.at(high)-x, x-s.at(low))})
}

// Span is the least and the greatest integer that a may be.
func (a Ball) Span() (low, high float64) {
	if a.E == 0 {
		return a.X, a.X
	}
	return math.Ceil(a.X - a.E - rounding), math.Floor(a.X + a.E + rounding)
}

// One reports whether an integer is the same on every device.
func (a Ball) One() bool {
	low, high := a.Span()
	return low == high
}

// Whole is the integer of an exact value that lies between two.
func (a Ball) Whole() Ball {
	if !a.Known() {
		return a
	}
	low, high := a.Span()
	x := math.Min(math.Max(math.RoundToEven(a.X), low), high)
	return Ball{X: x, E: math.Max(high-x, x-low)}
}

// Shifted is a shifted right by k bits, of which the last are dropped: a/2ᵏ, less up to 1 − 2⁻ᵏ.
func Shifted(a Ball, k int) Ball {
	scale := powerOfTwo(-k)
	dropped := float64((1 - scale) / 2)
	return Ball{X: float64(a.X*scale) - dropped, E: float64(a.E*scale) + dropped}
}

// Unsigned is an integer of 32 bits, which is carried with a sign, without it.
func Unsigned(a Ball) Ball {
	switch low, high := a.Span(); {
	case low >= 0:
		return a
	case high < 0:
		a.X += 0x1p32
		return a
	}
	return Unknown(a.X)
}

// Within is a modulo m, if all that it may be lies between two multiples of it, and else anything there. So is the
// last bit of larger numbers: where to round to even adds it, it is 1 as often as 0, and rounds without a bias.
func Within(a Ball, m float64) Ball {
	low, high := a.Span()
	if trips := math.Floor(low / m); trips == math.Floor(high/m) && (trips == 0 || m > 2) {
		a.X -= float64(trips * m)
		return a
	}
	return Ball{X: (m - 1) / 2, E: (m - 1) / 2}
}
