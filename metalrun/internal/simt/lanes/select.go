package lanes

// Choice and copies of lanes under masks whose lanes are all ones or all zeros.

// choose sets d to a where m is set and to b elsewhere.
func choose(d, m, a, b []uint32) {
	m, a, b = m[:len(d)], a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = b[i] ^ (a[i]^b[i])&m[i]
	}
}

// chooseQ sets d to a where m is set and to b elsewhere.
func chooseQ(d []uint64, m []uint32, a, b []uint64) {
	m, a, b = m[:len(d)], a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = b[i] ^ (a[i]^b[i])&maskQ(m[i])
	}
}

// copyMasked sets d to a where m is set.
func copyMasked(d, m, a []uint32) { choose(d, m, a, d) }

// copyMaskedQ sets d to a where m is set.
func copyMaskedQ(d []uint64, m []uint32, a []uint64) { chooseQ(d, m, a, d) }

// fill sets every lane of d to s.
func fill[T number](d []T, s T) {
	for i := range d {
		d[i] = s
	}
}

// maskQ repeats a mask of 32 bits.
func maskQ(m uint32) uint64 { return uint64(int64(int32(m))) }

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

func keepLtU(d, a []uint32, s uint32) int {
	a = a[:len(d)]
	n := 0
	for i := range d {
		if a[i] >= s {
			d[i] = 0
		}
		n += int(d[i] & 1)
	}
	return n
}

func keepLtS(d, a []uint32, s uint32) int {
	a = a[:len(d)]
	n := 0
	for i := range d {
		if int32(a[i]) >= int32(s) {
			d[i] = 0
		}
		n += int(d[i] & 1)
	}
	return n
}

func addIndex(d, a, b []uint32) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = (a[i] + b[i]) | b[i]&(1<<31)
	}
}
