package lanes

// Comparisons of lanes. Masks have all bits of a lane set where the comparison
// holds and none elsewhere; a NaN compares unequal to everything and neither less
// nor greater.

// EqualVV sets m where a == b.
func EqualVV[T Lane](m []uint32, a, b []T) {
	a, b = a[:len(m)], b[:len(m)]
	for i := range m {
		var t uint32
		if a[i] == b[i] {
			t = ^uint32(0)
		}
		m[i] = t
	}
}

// NotEqualVV sets m where a != b.
func NotEqualVV[T Lane](m []uint32, a, b []T) {
	a, b = a[:len(m)], b[:len(m)]
	for i := range m {
		var t uint32
		if a[i] != b[i] {
			t = ^uint32(0)
		}
		m[i] = t
	}
}

// LessVV sets m where a < b.
func LessVV[T Lane](m []uint32, a, b []T) {
	a, b = a[:len(m)], b[:len(m)]
	for i := range m {
		var t uint32
		if a[i] < b[i] {
			t = ^uint32(0)
		}
		m[i] = t
	}
}

// LessEqualVV sets m where a <= b.
func LessEqualVV[T Lane](m []uint32, a, b []T) {
	a, b = a[:len(m)], b[:len(m)]
	for i := range m {
		var t uint32
		if a[i] <= b[i] {
			t = ^uint32(0)
		}
		m[i] = t
	}
}

// EqualVS sets m where a == s.
func EqualVS[T Lane](m []uint32, a []T, s T) {
	a = a[:len(m)]
	for i := range m {
		var t uint32
		if a[i] == s {
			t = ^uint32(0)
		}
		m[i] = t
	}
}

// NotEqualVS sets m where a != s.
func NotEqualVS[T Lane](m []uint32, a []T, s T) {
	a = a[:len(m)]
	for i := range m {
		var t uint32
		if a[i] != s {
			t = ^uint32(0)
		}
		m[i] = t
	}
}

// LessVS sets m where a < s.
func LessVS[T Lane](m []uint32, a []T, s T) {
	a = a[:len(m)]
	for i := range m {
		var t uint32
		if a[i] < s {
			t = ^uint32(0)
		}
		m[i] = t
	}
}

// LessEqualVS sets m where a <= s.
func LessEqualVS[T Lane](m []uint32, a []T, s T) {
	a = a[:len(m)]
	for i := range m {
		var t uint32
		if a[i] <= s {
			t = ^uint32(0)
		}
		m[i] = t
	}
}

// GreaterVS sets m where a > s.
func GreaterVS[T Lane](m []uint32, a []T, s T) {
	a = a[:len(m)]
	for i := range m {
		var t uint32
		if a[i] > s {
			t = ^uint32(0)
		}
		m[i] = t
	}
}

// GreaterEqualVS sets m where a >= s.
func GreaterEqualVS[T Lane](m []uint32, a []T, s T) {
	a = a[:len(m)]
	for i := range m {
		var t uint32
		if a[i] >= s {
			t = ^uint32(0)
		}
		m[i] = t
	}
}
