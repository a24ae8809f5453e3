package scalar

import "math"

// Turn is the sine of an angle in turns as Apple's GPU computes it in float32: in three steps, each of which
// rounds. The fraction of t, a difference, is rounded to nearest, so that just below a whole turn it can be
// 1. In quadrants it is folded to q in [-1, 1], exactly. The result is the product of q and
// sin(πq/2)/q, a quotient that is rounded toward zero, and the product to nearest.
//
// That is an observation, of Fourier transforms on an M1 Pro (fixtures/metalsci): with a quotient to nearest,
// or without one, what they differ by from the exact transform is another number at every size.
func Turn(t float32) float32 {
	q := float32(4 * (t - Floor(t)))
	switch {
	case q > 3:
		q -= 4
	case q > 1:
		q = 2 - q
	}
	quotient := math.Pi / 2
	if q != 0 {
		quotient = sinpi64(float64(q)/2) / float64(q)
	}
	return q * towardZero(quotient)
}

// towardZero rounds a positive number down to float32.
func towardZero(x float64) float32 {
	y := float32(x)
	if float64(y) > x {
		y = math.Float32frombits(math.Float32bits(y) - 1)
	}
	return y
}

// TurnSinpi is sin πx by [Turn].
func TurnSinpi(x float32) float32 { return Turn(x / 2) }

// TurnCospi is cos πx by [Turn]. It adds the quarter of a turn between cosine and sine with a rounding of its own.
func TurnCospi(x float32) float32 { return Turn(float32(x/2) + 0.25) }
