package ball

import "math"

// Ball is an exact value and a bound on the distance of any device's value from it.
type Ball struct {
	X, E float64
	L    float64 // what X lacks of the value, where that is carried in double-double
}

// Allowance is what float64 may have lost of X and E, relative to them: 2⁻⁵² for each
// of 2²⁰ operations in a row would be 2⁻³², and as much again for functions.
const Allowance = 0x1p-31

// Unknown is a value of which nothing is known but that the reference device has x.
func Unknown(x float64) Ball { return Ball{X: x, E: math.Inf(1)} }

// None reports whether a is the ball of memory that nothing is known of in addition to what it holds, which
// every device has: the zero value. Nothing more is to be known of a certain zero.
func (a Ball) None() bool { return math.Float64bits(a.E)|math.Float64bits(a.X)<<1 == 0 }

// Known reports whether E says anything.
func (a Ball) Known() bool { return a.E < math.Inf(1) }

// certain reports whether every device has X.
func (a Ball) certain() bool { return a.E == 0 }

// Limits of the arithmetic of f32.
const (
	unit    = 0x1p-24
	normal  = 0x1p-126          // below, a value may count as zero
	largest = 0x1p128 - 0x1p103 // from here on, values round to infinity
)

// Of is a number of f32 that a kernel finds in memory or computes from integers. A
// subnormal may count as zero.
func Of(x float64) Ball {
	if size := math.Abs(x); size < normal {
		return Ball{X: x, E: size}
	}
	return Ball{X: x, E: 0}
}

// rounded is a result of f32 arithmetic: x, which is off by up to spread before it is
// rounded.
func rounded(x, spread float64) Ball {
	size, exact := math.Abs(x), spread
	if size-float64(exact*(1+Allowance)) >= largest*(1+Allowance) {
		return beyondRange(x)
	}
	if spread == 0 {
		spread = math.Abs(float64(float32(x)) - x)
	} else {
		spread += float64(unit * (size + spread))
	}
	if size-spread >= normal && size+exact < largest { // what rounds to a number is none beyond it
		if size+spread >= largest {
			spread = between(x, exact, func(x float64) float64 { return float64(float32(x)) })
		}
		return Ball{X: x, E: spread}
	}
	return edge(x, size, spread)
}

// between is how far from x a device may be that rounds what lies within e of it. Rounding is monotonic, so
// that near the end of the range, which half a unit more would leave, -FLT_MAX - 1 is -FLT_MAX on every device.
func between(x, e float64, round func(x float64) float64) float64 {
	e += float64(Allowance * (math.Abs(x) + e))
	return math.Max(math.Abs(round(x+e)-x), math.Abs(x-round(x-e)))
}

// edge is a result near the ends of the range.
func edge(x, size, spread float64) Ball {
	switch {
	case size == 0 && spread == 0:
		return Ball{X: x, E: 0}
	case size+spread < largest:
		return Ball{X: x, E: spread + normal}
	}
	return Unknown(x)
}

// special is a result that is not finite in exact arithmetic: certain if the operands
// say so.
func special(x float64, certain bool) Ball {
	if certain {
		return Ball{X: x, E: 0}
	}
	return Unknown(x)
}

func finite(x float64) bool { return x-x == 0 }

// settled reports whether an operand is finite on every device, or has X on every one.
func (a Ball) settled() bool { return a.Known() && finite(a.X) || a.E == 0 }

// signed reports whether an operand has one sign on every device, or is zero on every one.
func (a Ball) signed() bool { return a.E == 0 || math.Abs(a.X) > a.E }

// Neg is −a.
func Neg(a Ball) Ball { return Ball{-a.X, a.E, -a.L} }

// Abs is |a|.
func Abs(a Ball) Ball {
	if v, special := a.Everywhere(); special {
		return Ball{math.Abs(a.X), a.E, math.Abs(v)}
	}
	if math.Signbit(a.X) {
		return Neg(a)
	}
	return a
}

// Add is a + b.
func Add(a, b Ball) Ball { return plus(a, b).round() }

// Sub is a − b.
func Sub(a, b Ball) Ball { return plus(a, Neg(b)).round() }

// Mul is a·b.
func Mul(a, b Ball) Ball { return times(a, b).round() }

// Div is a/b, correctly rounded.
func Div(a, b Ball) Ball { return over(a, b).round() }

// FMA is a·b + c, rounded once.
func FMA(a, b, c Ball) Ball { return plus(times(a, b), c).round() }

// round is a result of f32, with what its operation has made of its operands' errors.
func (a Ball) round() Ball {
	if !finite(a.X) || a.E > math.MaxFloat64 {
		return a
	}
	return rounded(a.X, a.E)
}

// plus is a + b before it is rounded.
func plus(a, b Ball) Ball {
	if everywhere(a, b) {
		return plusEverywhere(a, b)
	}
	x := a.X + b.X
	if !finite(x) {
		return special(x, a.settled() && b.settled())
	}
	return Ball{X: x, E: a.E + b.E}
}

// times is a·b before it is rounded.
func times(a, b Ball) Ball {
	if everywhere(a, b) {
		return timesEverywhere(a, b)
	}
	x := float64(a.X * b.X)
	if !finite(x) {
		return special(x, a.settled() && b.settled() && a.signed() && b.signed())
	}
	spread := float64(math.Abs(a.X)*b.E) + float64((math.Abs(b.X)+b.E)*a.E)
	if spread != spread {
		return Unknown(x)
	}
	return Ball{X: x, E: spread}
}

// over is a/b before it is rounded: a/b − X_a/X_b = ((a − X_a) − X·(b − X_b))/b.
func over(a, b Ball) Ball {
	if everywhere(a, b) {
		return overEverywhere(a, b)
	}
	x := a.X / b.X
	switch {
	case math.IsInf(b.X, 0) && b.E == 0 && finite(a.X) && a.Known():
		return Ball{X: x, E: 0}
	case !finite(x):
		return special(x, a.settled() && b.certain() && a.signed())
	}
	least := math.Abs(b.X) - b.E
	if !(least > 0) || !a.Known() {
		return Unknown(x)
	}
	return Ball{X: x, E: (a.E + float64(math.Abs(x)*b.E)) / least}
}

// Apart reports whether a and b compare the same on every device.
func Apart(a, b Ball) bool {
	if a.E == 0 && b.E == 0 {
		return true
	}
	if everywhere(a, b) {
		return apartEverywhere(a, b)
	}
	if a.X != a.X || b.X != b.X {
		return a.settled() && b.settled()
	}
	return math.Abs(a.X-b.X) > a.E+b.E
}

// Either is a where another device may have b instead.
func Either(a, b Ball) Ball {
	e := math.Max(a.E, math.Abs(a.X-b.X)+b.E)
	if e > math.MaxFloat64 {
		return Unknown(a.X)
	}
	if e != e { // both of one infinity, or a NaN
		if a.X == b.X && a.E == 0 && b.E == 0 {
			return a
		}
		return Unknown(a.X)
	}
	return Ball{a.X, e, a.L}
}

// EitherTiny is y, one of two, where another device may have the other if both may count as zero.
func EitherTiny(y, a, b Ball) Ball {
	if math.Abs(a.X)-a.E >= normal || math.Abs(b.X)-b.E >= normal {
		return y
	}
	return Either(Either(y, a), b)
}

// Min is the lesser of two, the other where one is NaN.
func Min(a, b Ball) Ball { return Neg(Max(Neg(a), Neg(b))) }

// Max is the greater of two, the other where one is NaN. It is off by no more than the
// greater of their errors: the maximum is a contraction.
func Max(a, b Ball) Ball {
	switch {
	case everywhere(a, b):
		return maxEverywhere(a, b)
	case a.X != a.X && a.certain():
		return b
	case b.X != b.X && b.certain():
		return a
	case a.X-a.E > b.X+b.E:
		return a
	case b.X-b.E > a.X+a.E:
		return b
	}
	e := math.Max(a.E, b.E)
	if a.X > b.X {
		return Ball{a.X, e, a.L}
	}
	return Ball{b.X, e, b.L}
}

// stepped is a function that is constant between steps, and never falls, of a.
func stepped(a Ball, of func(float64) float64) Ball {
	y := of(a.X)
	if a.E == 0 || !a.Known() {
		return Ball{X: y, E: a.E}
	}
	return Ball{X: y, E: math.Max(of(a.X+a.E)-y, y-of(a.X-a.E))}
}

// Sum is the sum of terms in any order, of which some are not zero: n − 1 additions, each rounded
// by no more than u·Σ(|X| + E). If no term has an error and all are multiples of a power of
// two that the sum of their sizes is not too large for, no addition rounds. Where a term is so small
// that the sum of some may be subnormal, though not that of all, each addition may make zero of it.
// A NaN or an infinity that every device has among finite terms makes the sum one.
type Sum struct {
	x, spread, size float64
	n               int
	certain         bool
	settled         bool    // every term is finite on every device, or not finite on every one
	small           bool    // a term may be no multiple of the least normal number
	unit            float64 // the least power of two that a term has
}

// NewSum is the empty sum.
func NewSum() Sum { return Sum{certain: true, settled: true, unit: math.Inf(1)} }

// Add adds a term.
func (s *Sum) Add(a Ball) {
	s.x += a.X
	s.settled = s.settled && a.settled()
	if !finite(a.X) {
		return
	}
	if a.E != 0 {
		s.certain = false
	} else if a.X == 0 {
		return
	} else if s.certain {
		s.unit = math.Min(s.unit, lowest(a.X))
	}
	s.n++
	s.spread += a.E
	s.size += math.Abs(a.X) + a.E
	s.small = s.small || math.Abs(a.X)-a.E < multiples
}

// multiples are numbers of f32 from here on: of the least normal one.
const multiples = normal * 0x1p23

// underflow is what partial sums lose that count as zero.
func (s *Sum) underflow() float64 {
	if !s.small || s.certain && s.unit >= normal {
		return 0
	}
	return float64(max(s.n-2, 0)) * normal
}

// lowest is the least power of two in the binary expansion of x.
func lowest(x float64) float64 {
	m, e := math.Frexp(x)
	i := int64(math.Ldexp(math.Abs(m), 53))
	return math.Ldexp(float64(i&-i), e-53)
}

// Ball is the sum, in f32. extra roundings happen in addition to those of the additions, each of no
// more than the sum of the sizes.
func (s *Sum) Ball(extra int) Ball {
	if !finite(s.x) || !finite(s.spread) {
		return s.special(largest)
	}
	if s.certain && extra == 0 && s.size <= float64(0x1p24*s.unit) {
		return edgeless(s.x, s.underflow())
	}
	roundings := float64(unit * float64(max(s.n-1, 0)+extra))
	off := float64(roundings*s.size) / (1 - roundings)
	if s.n > 1 && s.size+off >= largest { // some order may leave the range
		return Unknown(s.x)
	}
	return edgeless(s.x, s.spread+off+s.underflow())
}

// edgeless is a result whose roundings are in its spread already.
func edgeless(x, spread float64) Ball {
	size := math.Abs(x)
	if size-spread >= normal && size+spread < largest {
		return Ball{X: x, E: spread}
	}
	return edge(x, size, spread)
}

// special is a sum that is not finite, of terms below a size from which on sums round to infinity.
func (s *Sum) special(huge float64) Ball { return special(s.x, s.settled && s.size < huge) }

// In is the sum in a format, nil for f32: a narrow one rounds each addition to it.
func (s *Sum) In(f *Format) Ball {
	if f == nil {
		return s.Ball(0)
	}
	if !finite(s.x) || !finite(s.spread) {
		return s.special(f.huge)
	}
	roundings := float64(f.unit * float64(max(s.n-1, 0)))
	off := float64(roundings*s.size) / (1 - roundings)
	if s.n > 1 && s.size+off >= f.huge {
		return Unknown(s.x)
	}
	return f.flushed(Ball{X: s.x, E: s.spread + off + float64(float64(s.n)*f.normal)})
}

// Product is the product of terms in any order. Products of some of them are between those of the sizes
// below one and above: they must not overflow, and what underflows on the way may have counted as zero.
func Product(of []Ball, f *Format) Ball {
	u, least, huge := unit, normal, largest
	if f != nil {
		u, least, huge = f.unit, f.normal, f.huge
	}
	acc, low, high, zero := Ball{X: 1, E: 0}, 1.0, 1.0, false
	for _, x := range of {
		if f != nil {
			x = f.operand(x)
		}
		if acc = times(acc, x); !finite(acc.X) || !acc.Known() {
			return Unknown(acc.X)
		}
		low, high = low*min(1, max(0, math.Abs(x.X)-x.E)), high*max(1, math.Abs(x.X)+x.E)
		zero = zero || x.X == 0 && x.E == 0
	}
	roundings := float64(u * float64(len(of)-1))
	spread := acc.E + float64(roundings*(math.Abs(acc.X)+acc.E))/(1-roundings)
	switch {
	case len(of) > 1 && !(high*(1+2*roundings) < huge):
		return Unknown(acc.X)
	case len(of) > 1 && low*(1-2*roundings) < least && !zero:
		spread += float64(float64(len(of)) * least * high)
	}
	if f != nil {
		return f.flushed(Ball{X: acc.X, E: spread})
	}
	return edgeless(acc.X, spread)
}
