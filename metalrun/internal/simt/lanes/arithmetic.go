package lanes

// number is a type that the lane loops add, subtract and multiply.
type number interface {
	float32 | int32 | uint32 | int64 | uint64
}

// Lane loops. d receives the result and may be one of the operands; all slices
// have the length of d at least. The names end with the kinds of the operands:
// V for a slice, S for a scalar.
//
// The loops of + - * are unrolled by eight through array pointers, which costs one
// bounds check a slice for eight lanes; the simple loop takes up to 1.7 times as
// long, depending on how its few instructions fall into fetch blocks.

// addVV sets d = a + b.
func addVV[T number](d, a, b []T) {
	n := len(d)
	a, b = a[:n], b[:n]
	i := 0
	for ; i <= n-8; i += 8 {
		w, x, y := (*[8]T)(d[i:]), (*[8]T)(a[i:]), (*[8]T)(b[i:])
		w[0] = x[0] + y[0]
		w[1] = x[1] + y[1]
		w[2] = x[2] + y[2]
		w[3] = x[3] + y[3]
		w[4] = x[4] + y[4]
		w[5] = x[5] + y[5]
		w[6] = x[6] + y[6]
		w[7] = x[7] + y[7]
	}
	for ; i < n; i++ {
		d[i] = a[i] + b[i]
	}
}

// addVS sets d = a + s.
func addVS[T number](d, a []T, s T) {
	n := len(d)
	a = a[:n]
	i := 0
	for ; i <= n-8; i += 8 {
		w, x := (*[8]T)(d[i:]), (*[8]T)(a[i:])
		w[0] = x[0] + s
		w[1] = x[1] + s
		w[2] = x[2] + s
		w[3] = x[3] + s
		w[4] = x[4] + s
		w[5] = x[5] + s
		w[6] = x[6] + s
		w[7] = x[7] + s
	}
	for ; i < n; i++ {
		d[i] = a[i] + s
	}
}

// subVV sets d = a - b.
func subVV[T number](d, a, b []T) {
	n := len(d)
	a, b = a[:n], b[:n]
	i := 0
	for ; i <= n-8; i += 8 {
		w, x, y := (*[8]T)(d[i:]), (*[8]T)(a[i:]), (*[8]T)(b[i:])
		w[0] = x[0] - y[0]
		w[1] = x[1] - y[1]
		w[2] = x[2] - y[2]
		w[3] = x[3] - y[3]
		w[4] = x[4] - y[4]
		w[5] = x[5] - y[5]
		w[6] = x[6] - y[6]
		w[7] = x[7] - y[7]
	}
	for ; i < n; i++ {
		d[i] = a[i] - b[i]
	}
}

// subVS sets d = a - s.
func subVS[T number](d, a []T, s T) {
	n := len(d)
	a = a[:n]
	i := 0
	for ; i <= n-8; i += 8 {
		w, x := (*[8]T)(d[i:]), (*[8]T)(a[i:])
		w[0] = x[0] - s
		w[1] = x[1] - s
		w[2] = x[2] - s
		w[3] = x[3] - s
		w[4] = x[4] - s
		w[5] = x[5] - s
		w[6] = x[6] - s
		w[7] = x[7] - s
	}
	for ; i < n; i++ {
		d[i] = a[i] - s
	}
}

// subSV sets d = s - a.
func subSV[T number](d []T, s T, a []T) {
	n := len(d)
	a = a[:n]
	i := 0
	for ; i <= n-8; i += 8 {
		w, x := (*[8]T)(d[i:]), (*[8]T)(a[i:])
		w[0] = s - x[0]
		w[1] = s - x[1]
		w[2] = s - x[2]
		w[3] = s - x[3]
		w[4] = s - x[4]
		w[5] = s - x[5]
		w[6] = s - x[6]
		w[7] = s - x[7]
	}
	for ; i < n; i++ {
		d[i] = s - a[i]
	}
}

// mulVV sets d = a·b.
func mulVV[T number](d, a, b []T) {
	n := len(d)
	a, b = a[:n], b[:n]
	i := 0
	for ; i <= n-8; i += 8 {
		w, x, y := (*[8]T)(d[i:]), (*[8]T)(a[i:]), (*[8]T)(b[i:])
		w[0] = x[0] * y[0]
		w[1] = x[1] * y[1]
		w[2] = x[2] * y[2]
		w[3] = x[3] * y[3]
		w[4] = x[4] * y[4]
		w[5] = x[5] * y[5]
		w[6] = x[6] * y[6]
		w[7] = x[7] * y[7]
	}
	for ; i < n; i++ {
		d[i] = a[i] * b[i]
	}
}

// mulVS sets d = a·s.
func mulVS[T number](d, a []T, s T) {
	n := len(d)
	a = a[:n]
	i := 0
	for ; i <= n-8; i += 8 {
		w, x := (*[8]T)(d[i:]), (*[8]T)(a[i:])
		w[0] = x[0] * s
		w[1] = x[1] * s
		w[2] = x[2] * s
		w[3] = x[3] * s
		w[4] = x[4] * s
		w[5] = x[5] * s
		w[6] = x[6] * s
		w[7] = x[7] * s
	}
	for ; i < n; i++ {
		d[i] = a[i] * s
	}
}
