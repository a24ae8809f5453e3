package scalar

// Choice and copies of lanes under masks whose lanes are all ones or all zeros.

// Select sets d to a where m is set and to b elsewhere.
func Select(d, m, a, b []uint32) {
	m, a, b = m[:len(d)], a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = b[i] ^ (a[i]^b[i])&m[i]
	}
}

// SelectF32 sets d to a where m is set and to b elsewhere.
func SelectF32(d []float32, m []uint32, a, b []float32) {
	Select(Uint32s(d), m, Uint32s(a), Uint32s(b))
}

// Select64 sets d to a where m is set and to b elsewhere.
func Select64(d []uint64, m []uint32, a, b []uint64) {
	m, a, b = m[:len(d)], a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = b[i] ^ (a[i]^b[i])&mask64(m[i])
	}
}

// CopyMasked sets d to a where m is set.
func CopyMasked(d, m, a []uint32) { Select(d, m, a, d) }

// CopyMaskedF32 sets d to a where m is set.
func CopyMaskedF32(d []float32, m []uint32, a []float32) { SelectF32(d, m, a, d) }

// CopyMasked64 sets d to a where m is set.
func CopyMasked64(d []uint64, m []uint32, a []uint64) { Select64(d, m, a, d) }

// FillMasked sets d to s where m is set.
func FillMasked(d, m []uint32, s uint32) {
	m = m[:len(d)]
	for i := range d {
		d[i] ^= (d[i] ^ s) & m[i]
	}
}

// FillMasked64 sets d to s where m is set.
func FillMasked64(d []uint64, m []uint32, s uint64) {
	m = m[:len(d)]
	for i := range d {
		d[i] ^= (d[i] ^ s) & mask64(m[i])
	}
}

// Fill sets every lane of d to s.
func Fill[T Lane](d []T, s T) {
	for i := range d {
		d[i] = s
	}
}

// AnySet reports whether a lane of m is set.
func AnySet(m []uint32) bool {
	for _, x := range m {
		if x != 0 {
			return true
		}
	}
	return false
}

// AllSet reports whether every lane of m is set.
func AllSet(m []uint32) bool {
	for _, x := range m {
		if x == 0 {
			return false
		}
	}
	return true
}

// mask64 repeats a mask of 32 bits.
func mask64(m uint32) uint64 { return uint64(int64(int32(m))) }
