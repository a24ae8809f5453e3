package ball

import "math"

// A kernel may round by a sum: 1.5·2²³ + x is a whole number, and so is what is left when the constant is taken away
// again. In exact arithmetic nothing has happened, and the rounding of the sum is an error like any other. Snapped
// takes it for a part of what is computed.

// Snapping reports whether c is a constant of a format, nil for f32, that numbers are added to for the sake of the
// rounding: a power of two, or one and a half, far from what sums usually have.
func Snapping(c float64, f *Format) bool {
	fraction, e := math.Frexp(math.Abs(c))
	least := 11 // 1024, which leaves halves no fraction
	if f == Bfloat {
		least = 8
	}
	return e >= least && e <= 128 && (fraction == 0.5 || fraction == 0.75)
}

// Snapped is y, a sum of a and b in a format, as a multiple of the last place that a constant among them leaves of the
// other; ok is false of any other sum, and of one that loses nothing. With tied, float64 does not tell which multiple
// it is.
func Snapped(y, a, b Ball, f *Format) (on Ball, tied, ok bool) {
	c, x := a.AsWritten(), b.AsWritten()
	if math.Abs(x.X) > math.Abs(c.X) {
		c, x = x, c
	}
	round := func(x float64) float64 {
		if f != nil {
			return float64(f.scalar.Round(c.X + x))
		}
		return float64(float32(c.X + x))
	}
	if c.E != 0 || !Snapping(c.X, f) || !(math.Abs(x.X)+x.E < math.Abs(c.X)) || x.E == 0 && round(x.X) == y.X {
		return y, false, false
	}
	spread := float64(Allowance * math.Abs(x.X))
	tied = x.E > 0 && round(x.X-spread) != round(x.X+spread)
	if on.X = round(x.X); x.E > 0 {
		spread += x.E
		on.E = math.Max(round(x.X+spread)-on.X, on.X-round(x.X-spread))
	}
	return on, tied, true
}

// Times is a·b before it is rounded.
func Times(a, b Ball) Ball { return times(a, b) }
