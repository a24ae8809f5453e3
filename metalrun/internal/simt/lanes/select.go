package lanes

// Choice and copies of lanes under masks whose lanes are all ones or all zeros.

// Select sets d to a where m is set and to b elsewhere.
func Select(d, m, a, b []uint32) {
	m, a, b = m[:len(d)], a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = b[i] ^ (a[i]^b[i])&m[i]
	}
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

// CopyMasked64 sets d to a where m is set.
func CopyMasked64(d []uint64, m []uint32, a []uint64) { Select64(d, m, a, d) }

// Fill sets every lane of d to s.
func Fill[T Lane](d []T, s T) {
	for i := range d {
		d[i] = s
	}
}

// mask64 repeats a mask of 32 bits.
func mask64(m uint32) uint64 { return uint64(int64(int32(m))) }

func andMask(d, a, b []uint32) int {
	a, b = a[:len(d)], b[:len(d)]
	n := 0
	for i := range d {
		d[i] = a[i] & b[i]
		n += int(d[i] & 1)
	}
	return n
}

func andNotMask(d, a, b []uint32) int {
	a, b = a[:len(d)], b[:len(d)]
	n := 0
	for i := range d {
		d[i] = a[i] &^ b[i]
		n += int(d[i] & 1)
	}
	return n
}
