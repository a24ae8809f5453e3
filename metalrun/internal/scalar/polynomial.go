package scalar

// The polynomials of this file are truncated Taylor series in float64. Where
// four or more terms follow one another they are paired (Estrin's scheme), which
// shortens the chain of dependent operations; rounding errors stay below two
// units of the last place because every argument is below 1 and the first
// terms dominate.

// mulAdd is a·b + c with both operations rounded.
func mulAdd(a, b, c float64) float64 { return float64(a*b) + c }

// expm1Poly is e^r - 1 for |r| < 0.0055, good for adding to 1: the first term
// left out is r⁶/720 < 2⁻⁵⁴, which is small beside 1, though not beside r.
func expm1Poly(r float64) float64 {
	r2 := r * r
	p := mulAdd(r, 1.0/6, 0.5)
	q := mulAdd(r, 1.0/120, 1.0/24)
	return mulAdd(r2, mulAdd(r2, q, p), r)
}

// log1pPoly is log(1+r) for |r| < 2⁻⁷·⁹ to 2⁻⁵⁸: the first term left out is
// r⁸/8.
func log1pPoly(r float64) float64 {
	r2 := r * r
	p := mulAdd(r, 1.0/3, -0.5)
	q := mulAdd(r, 1.0/5, -0.25)
	s := mulAdd(r, 1.0/7, -1.0/6)
	return mulAdd(r2, mulAdd(r2, mulAdd(r2, s, q), p), r)
}

// sinPoly is sin r for |r| < 0.7854 to 2⁻⁵³·⁸: the first term left out is
// r¹⁷/17!.
func sinPoly(r float64) float64 {
	z := r * r
	z2 := z * z
	p := mulAdd(z, 1.0/120, -1.0/6)
	q := mulAdd(z, 1.0/362880, -1.0/5040)
	s := mulAdd(z, 1.0/6227020800, -1.0/39916800)
	s = mulAdd(z2, -1.0/1307674368000, s)
	return mulAdd(float64(r*z), mulAdd(z2, mulAdd(z2, s, q), p), r)
}

// cosPoly is cos r for |r| < 0.7854 to 2⁻⁵⁸: the first term left out is
// r¹⁸/18!.
func cosPoly(r float64) float64 {
	z := r * r
	z2 := z * z
	p := mulAdd(z, -1.0/720, 1.0/24)
	q := mulAdd(z, -1.0/3628800, 1.0/40320)
	s := mulAdd(z, -1.0/87178291200, 1.0/479001600)
	s = mulAdd(z2, 1.0/20922789888000, s)
	return mulAdd(z2, mulAdd(z2, mulAdd(z2, s, q), p), mulAdd(z, -0.5, 1))
}

// sinhPoly is sinh r for |r| ≤ 1 to 2⁻⁵⁶: the first term left out is r¹⁹/19!.
func sinhPoly(r float64) float64 {
	z := r * r
	z2 := z * z
	p := mulAdd(z, 1.0/120, 1.0/6)
	q := mulAdd(z, 1.0/362880, 1.0/5040)
	s := mulAdd(z, 1.0/6227020800, 1.0/39916800)
	t := mulAdd(z, 1.0/355687428096000, 1.0/1307674368000)
	s = mulAdd(z2, t, s)
	return mulAdd(float64(r*z), mulAdd(z2, mulAdd(z2, s, q), p), r)
}

// coshPoly is cosh r for |r| ≤ 1/2 to 2⁻⁶⁰: the first term left out is
// r¹⁶/16!.
func coshPoly(r float64) float64 {
	z := r * r
	z2 := z * z
	p := mulAdd(z, 1.0/720, 1.0/24)
	q := mulAdd(z, 1.0/3628800, 1.0/40320)
	s := mulAdd(z, 1.0/87178291200, 1.0/479001600)
	return mulAdd(z2, mulAdd(z2, mulAdd(z2, s, q), p), mulAdd(z, 0.5, 1))
}

// atanPoly is atan t for |t| ≤ 1/31 to 2⁻⁵⁷: the first term left out is t¹³/13.
func atanPoly(t float64) float64 {
	z := t * t
	z2 := z * z
	p := mulAdd(z, 1.0/5, -1.0/3)
	q := mulAdd(z, 1.0/9, -1.0/7)
	q = mulAdd(z2, -1.0/11, q)
	return mulAdd(float64(t*z), mulAdd(z2, q, p), t)
}
