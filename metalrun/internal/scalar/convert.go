package scalar

import "math"

// Conversions between numbers. To integers they truncate; NaN gives 0, and what
// lies out of range gives the nearest limit of the type. MSL promises only the
// former two; the last is what Apple's GPUs were measured to do. From integers
// and to narrower formats they round once, ties to even.

// ToInteger returns x truncated to T. Values of half and bfloat come as the
// float32 of the same value.
func ToInteger[T Integer](x float32) T {
	low, high := limits[T]()
	v := float64(x)
	switch {
	case v != v:
		return 0
	case v <= float64(low):
		return low
	case v >= float64(high): // rounded up to 2⁶³ or 2⁶⁴ for 64 bits
		return high
	case !isSigned[T]() && v >= 1<<63:
		return T(uint64(v-(1<<63)) + 1<<63)
	}
	return T(int64(v))
}

// Truncate returns x truncated to the type, in canonical form.
func (t Int) Truncate(x float32) uint64 {
	low, high := t.limits()
	if t.Signed {
		return uint64(min(max(ToInteger[int64](x), int64(low)), int64(high)))
	}
	return min(ToInteger[uint64](x), high)
}

func (t Int) limits() (low, high uint64) {
	if t.Signed {
		high = 1<<(t.Bits-1) - 1
		return ^high, high
	}
	return 0, Int{Bits: t.Bits}.Canonical(math.MaxUint64)
}

// FromInt returns n rounded once to the format.
func (f Format) FromInt(n int64) float32 {
	if n < 0 {
		return -f.FromUint(-uint64(n))
	}
	return f.FromUint(uint64(n))
}

// FromUint returns n rounded once to the format. Numbers of more than 53 bits
// are first rounded to odd to 53 bits, which float64 holds.
func (f Format) FromUint(n uint64) float32 {
	if n >= 1<<53 {
		sticky := n & (1<<11 - 1)
		n &^= 1<<11 - 1
		if sticky != 0 {
			n |= 1 << 11
		}
	}
	return f.Round(float64(n))
}

// FromInteger returns the number of type t that x holds in canonical form,
// rounded once to the format.
func (f Format) FromInteger(t Int, x uint64) float32 {
	if t.Signed {
		return f.FromInt(int64(x))
	}
	return f.FromUint(x)
}
