package ball

import (
	"math"

	"metalconform/metalrun/internal/scalar"
)

// Format is a narrow format of floats, whose values are carried before their rounding.
type Format struct {
	scalar scalar.Format
	unit   float64 // unit roundoff
	normal float64 // least normal number
	last   float64 // half the distance of subnormals
	huge   float64 // from here on, values round to infinity
	cut    int     // digits of a float64 that it lacks
}

// Half and Bfloat are the narrow formats.
var (
	Half   = &Format{scalar.Half, 0x1p-11, 0x1p-14, 0x1p-25, 65520, 42}
	Bfloat = &Format{scalar.Bfloat, 0x1p-8, 0x1p-126, 0x1p-134, 0x1p128 - 0x1p119, 45}
)

// Read is what a reader of a narrow value gets in f32, its rounding an error.
func (f *Format) Read(a Ball) Ball {
	if !finite(a.X) || !a.Known() {
		return a
	}
	if math.Abs(a.X)-float64(a.E*(1+Allowance)) >= f.huge*(1+Allowance) {
		return beyondRange(a.X)
	}
	spread := a.E
	if spread == 0 {
		spread = math.Abs(float64(f.scalar.Round(a.X)) - a.X)
	} else {
		spread += math.Max(float64(f.unit*(math.Abs(a.X)+spread)), f.last)
	}
	if math.Abs(a.X)+spread >= f.huge && spread != 0 {
		spread = between(a.X, a.E, func(x float64) float64 { return float64(f.scalar.Round(x)) })
		if !finite(spread) {
			return Unknown(a.X)
		}
	}
	return small(Ball{a.X, spread, a.L})
}

// Anchored is what a reader gets of a narrow value whose rounding belongs to the
// definition: it is exact, but where the error before it lets it go either way.
func (f *Format) Anchored(a Ball) Ball {
	if !finite(a.X) || !a.Known() {
		return a
	}
	y := f.nearest(a)
	if a.E == 0 {
		return small(special(y, finite(y) || !finite(a.X)))
	}
	e := math.Max(float64(f.scalar.Round(a.X+a.E))-y, y-float64(f.scalar.Round(a.X-a.E)))
	if !finite(e) {
		return Unknown(y)
	}
	return small(Ball{X: y, E: e})
}

// nearest is the number of the format that is nearest to an exact value. Just between two of them
// the rest of the value decides.
func (f *Format) nearest(a Ball) float64 {
	if a.L != 0 {
		low, high := float64(f.scalar.Round(math.Nextafter(a.X, math.Inf(-1)))),
			float64(f.scalar.Round(math.Nextafter(a.X, math.Inf(1))))
		if low != high && low+high == 2*a.X {
			if a.L > 0 {
				return high
			}
			return low
		}
	}
	return float64(f.scalar.Round(a.X))
}

// Rounded is what a sum of the format reads of a value whose rounding belongs to the
// definition. It counts as an error as well: a device may contract the sum with the product
// that made the value.
func (f *Format) Rounded(a Ball) Ball {
	r := f.Read(a)
	if !finite(r.X) || !r.Known() {
		return r
	}
	r.X = float64(f.scalar.Round(a.X))
	r.E += math.Abs(r.X - a.X)
	return r
}

// small adds to the error of a value that may be subnormal in f32 that it may count as
// zero.
func small(a Ball) Ball {
	if size := math.Abs(a.X); size-a.E < normal && a.E != 0 || size < normal && size > 0 {
		a.E = math.Max(a.E, math.Min(a.E+normal, size+a.E))
	}
	return a
}

// operand is a narrow value as arithmetic of the format reads it: subnormals may count
// as zero.
func (f *Format) operand(a Ball) Ball {
	a = f.Read(a)
	return f.flushed(a)
}

func (f *Format) flushed(a Ball) Ball {
	if size := math.Abs(a.X); size-a.E < f.normal && (size > 0 || a.E > 0) {
		a.E += math.Min(f.normal, size+a.E)
	}
	return a
}

// Flushed is what a product of matrices, or an operand of it, may count as: subnormals as zero.
func (f *Format) Flushed(a Ball) Ball { return f.flushed(a) }

// Neg is -a. As for all arithmetic of a narrow format, whoever reads the result rounds it, once.
func (f *Format) Neg(a Ball) Ball { return f.flushed(Neg(a)) }

// Add is a + b before its rounding.
func (f *Format) Add(a, b Ball) Ball { return f.flushed(plus(f.operand(a), f.operand(b))) }

// Sub is a - b before its rounding.
func (f *Format) Sub(a, b Ball) Ball { return f.flushed(plus(f.operand(a), Neg(f.operand(b)))) }

// Mul is a·b before its rounding.
func (f *Format) Mul(a, b Ball) Ball { return f.flushed(times(f.operand(a), f.operand(b))) }

// FMA is a·b + c before its rounding, which is the only one.
func (f *Format) FMA(a, b, c Ball) Ball {
	return f.flushed(plus(times(f.operand(a), f.operand(b)), f.operand(c)))
}

// Holds reports whether got, a number of the format, is one that a device may have of a.
func (f *Format) Holds(a Ball, got float64) bool {
	slack := a.E + float64(Allowance*(math.Abs(a.X)+a.E))
	low, high := float64(f.scalar.Round(a.X-slack)), float64(f.scalar.Round(a.X+slack))
	return low <= got && got <= high
}

// Rounding is the most that rounding to a number of the format may take away.
func (f *Format) Rounding(x float64) float64 { return math.Max(f.unit*math.Abs(x), f.last) }

// Quotient is a/b, which the reader rounds. Where a compiler may take the product with the reciprocal,
// that is rounded to the format as well: by unit of the quotient, by a·last below the normal numbers,
// where a device may also have 0.
func (f *Format) Quotient(a, b Ball, limit *scalar.Limit, reciprocal bool) Ball {
	a, b = f.operand(a), f.operand(b)
	q := over(a, b)
	if !finite(q.X) || !q.Known() {
		return f.flushed(q)
	}
	size := math.Abs(q.X) + q.E
	if limit.Ulps.Max > 0.5 {
		q.E += float64(2 * f.unit * limit.Ulps.Max * size)
	}
	switch {
	case !reciprocal || a.certain() && a.X == 1:
	case float64((math.Abs(b.X)+b.E)*f.normal) > 1:
		q.E += size
	default:
		q.E += math.Max(float64(f.unit*size), float64(f.last*(math.Abs(a.X)+a.E)))
	}
	return f.flushed(q)
}

// Integer is an integer converted to a format, nil for f32.
func Integer(a Ball, f *Format) Ball {
	if f != nil || !finite(a.X) || !a.Known() {
		return a
	}
	return rounded(a.X, a.E)
}

// Truncated is a rounded toward zero.
func Truncated(a Ball) Ball {
	if a.X != a.X {
		return Ball{X: 0, E: a.E}
	}
	return stepped(a, math.Trunc)
}

// Scaled is a·2ⁿ in f32.
func Scaled(a Ball, n int) Ball {
	x := math.Ldexp(a.X, n)
	if !finite(x) {
		return special(x, a.E == 0 && !finite(a.X))
	}
	if !a.Known() {
		return Unknown(x)
	}
	y := rounded(x, math.Ldexp(a.E, n))
	y.L = math.Ldexp(a.L, n)
	return y
}
