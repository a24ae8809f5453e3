package lanes

// Comparisons of lanes. Masks have all bits of a lane set where the comparison
// holds and none elsewhere; a NaN compares unequal to everything and neither less
// nor greater.

// equalVV sets m where a == b.
func equalVV[T number](m []uint32, a, b []T) {
	a, b = a[:len(m)], b[:len(m)]
	for i := range m {
		var t uint32
		if a[i] == b[i] {
			t = ^uint32(0)
		}
		m[i] = t
	}
}

// notEqualVV sets m where a != b.
func notEqualVV[T number](m []uint32, a, b []T) {
	a, b = a[:len(m)], b[:len(m)]
	for i := range m {
		var t uint32
		if a[i] != b[i] {
			t = ^uint32(0)
		}
		m[i] = t
	}
}

// lessVV sets m where a < b.
func lessVV[T number](m []uint32, a, b []T) {
	a, b = a[:len(m)], b[:len(m)]
	for i := range m {
		var t uint32
		if a[i] < b[i] {
			t = ^uint32(0)
		}
		m[i] = t
	}
}

// lessEqualVV sets m where a <= b.
func lessEqualVV[T number](m []uint32, a, b []T) {
	a, b = a[:len(m)], b[:len(m)]
	for i := range m {
		var t uint32
		if a[i] <= b[i] {
			t = ^uint32(0)
		}
		m[i] = t
	}
}

// equalVS sets m where a == s.
func equalVS[T number](m []uint32, a []T, s T) {
	a = a[:len(m)]
	for i := range m {
		var t uint32
		if a[i] == s {
			t = ^uint32(0)
		}
		m[i] = t
	}
}

// notEqualVS sets m where a != s.
func notEqualVS[T number](m []uint32, a []T, s T) {
	a = a[:len(m)]
	for i := range m {
		var t uint32
		if a[i] != s {
			t = ^uint32(0)
		}
		m[i] = t
	}
}

// lessVS sets m where a < s.
func lessVS[T number](m []uint32, a []T, s T) {
	a = a[:len(m)]
	for i := range m {
		var t uint32
		if a[i] < s {
			t = ^uint32(0)
		}
		m[i] = t
	}
}

// lessEqualVS sets m where a <= s.
func lessEqualVS[T number](m []uint32, a []T, s T) {
	a = a[:len(m)]
	for i := range m {
		var t uint32
		if a[i] <= s {
			t = ^uint32(0)
		}
		m[i] = t
	}
}

// greaterVS sets m where a > s.
func greaterVS[T number](m []uint32, a []T, s T) {
	a = a[:len(m)]
	for i := range m {
		var t uint32
		if a[i] > s {
			t = ^uint32(0)
		}
		m[i] = t
	}
}

// greaterEqualVS sets m where a >= s.
func greaterEqualVS[T number](m []uint32, a []T, s T) {
	a = a[:len(m)]
	for i := range m {
		var t uint32
		if a[i] >= s {
			t = ^uint32(0)
		}
		m[i] = t
	}
}
