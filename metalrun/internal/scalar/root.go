package scalar

import "math"

// Sqrt returns the square root of x; NaN for x < 0. The second rounding, of a
// square root in float64 to float32, is innocuous: 53 ≥ 2·24 + 2 (Figueroa).
func Sqrt(x float32) float32 { return F32.Round(math.Sqrt(float64(x))) }

// Rsqrt returns 1/√x; ±Inf at ±0, NaN for x < 0.
func Rsqrt(x float32) float32 {
	y := rsqrt64(float64(x))
	if roundable(y) {
		return float32(y)
	}
	return resolve(F32, float64(x), y, wide.rsqrt)
}

// rsqrt64 is 1/√x, to 2 units; at powers of four it is exact.
func rsqrt64(x float64) float64 { return 1 / math.Sqrt(x) }

// Divide returns x/y rounded once.
func Divide(x, y float32) float32 { return F32.Round(float64(x) / float64(y)) }
