package scalar

import "math"

// The classes of floats.

func isFinite(_ Format, x float32) bool { return math.Abs(float64(x)) <= math.MaxFloat32 }

func isInf(_ Format, x float32) bool { return math.IsInf(float64(x), 0) }

func isNaN(_ Format, x float32) bool { return x != x }

// isNormal reports whether x is finite and neither zero nor subnormal in the format.
func isNormal(f Format, x float32) bool {
	smallest := 0x1p-126
	if f == Half {
		smallest = 0x1p-14
	}
	return math.Abs(float64(x)) >= smallest && math.Abs(float64(x)) <= math.MaxFloat32
}

func signBit(_ Format, x float32) bool { return math.Signbit(float64(x)) }
