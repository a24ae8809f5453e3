package lanes

import "math"

// Extrema of floats, as their bits, so that the compiler chooses without
// branches: those would follow the data.

// smaller is b if b < a or a is a NaN, and a otherwise.
func smaller(a, b uint32) uint32 {
	x, c := math.Float32frombits(a), a
	if math.Float32frombits(b) < x {
		c = b
	}
	if x != x {
		c = b
	}
	return c
}

// greater is b if a < b or a is a NaN, and a otherwise.
func greater(a, b uint32) uint32 {
	x, c := math.Float32frombits(a), a
	if x < math.Float32frombits(b) {
		c = b
	}
	if x != x {
		c = b
	}
	return c
}

func minVV(d, a, b []uint32) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = smaller(a[i], b[i])
	}
}

func minVS(d, a []uint32, s uint32) {
	a = a[:len(d)]
	for i := range d {
		d[i] = smaller(a[i], s)
	}
}

func minSV(d []uint32, s uint32, b []uint32) {
	b = b[:len(d)]
	for i := range d {
		d[i] = smaller(s, b[i])
	}
}

func maxVV(d, a, b []uint32) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = greater(a[i], b[i])
	}
}

func maxVS(d, a []uint32, s uint32) {
	a = a[:len(d)]
	for i := range d {
		d[i] = greater(a[i], s)
	}
}

func maxSV(d []uint32, s uint32, b []uint32) {
	b = b[:len(d)]
	for i := range d {
		d[i] = greater(s, b[i])
	}
}
