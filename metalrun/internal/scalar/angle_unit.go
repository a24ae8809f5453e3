package scalar

// Degrees returns x·180/π.
func Degrees(x float32) float32 {
	return resolve(F32, float64(x), degrees64(float64(x)), wide.degrees)
}

// Radians returns x·π/180.
func Radians(x float32) float32 {
	return resolve(F32, float64(x), radians64(float64(x)), wide.radians)
}

// degrees64 and radians64 round twice: the factor and the product.
func degrees64(x float64) float64 { return x * 0x1.ca5dc1a63c1f8p5 }
func radians64(x float64) float64 { return x * 0x1.1df46a2529d39p-6 }
