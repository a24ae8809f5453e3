package scalar

import "math"

// sqrt returns the square root of x; NaN for x < 0. The second rounding, of a
// square root in float64, is innocuous: 53 ≥ 2·24 + 2 (Figueroa).
func (f Format) sqrt(x float32) float32 { return f.Round(math.Sqrt(float64(x))) }

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
