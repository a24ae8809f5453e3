package oracles

// Cast is the conversion of words of one format to another by rounding to
// nearest, ties to even, with gradual underflow and with overflow to infinity.
// To a wider format it is exact.
//
// Special cases: ±0 and ±Inf stay. NaN stays NaN; to a narrower format it is
// quiet, of any payload.
//
// Source: IEEE 754-2019, 4.3.1, 5.4.2 and 6.2.
func Cast(src []uint32, from, to Format) Answer {
	a := Answer{Want: make([]float64, len(src)), Exact: true, Quiet: to.Width() < from.Width()}
	for i, w := range src {
		a.Want[i] = to.Round(from.FromBits(w))
	}
	return a
}

// CastTruncated are the upper halves of words of binary32 as integers: the
// bits of a bfloat16 rounded towards zero.
//
// Special cases: a NaN keeps the upper half of its bits. Where its payload lies
// in the lower half only, that is the word of an infinity.
func CastTruncated(src []uint32) Answer {
	a := Answer{Want: make([]float64, len(src)), Exact: true}
	for i, w := range src {
		a.Want[i] = float64(w >> 16)
	}
	return a
}
