package lanes

// Multiplication followed by addition, both rounded: the explicit conversion of
// the product keeps compilers from fusing the two.

// mulAddVVV sets d = a·b + c.
func mulAddVVV(d, a, b, c []float32) {
	n := len(d)
	a, b, c = a[:n], b[:n], c[:n]
	i := 0
	for ; i <= n-8; i += 8 {
		w, x, y, z := (*[8]float32)(d[i:]), (*[8]float32)(a[i:]), (*[8]float32)(b[i:]), (*[8]float32)(c[i:])
		w[0] = float32(x[0]*y[0]) + z[0]
		w[1] = float32(x[1]*y[1]) + z[1]
		w[2] = float32(x[2]*y[2]) + z[2]
		w[3] = float32(x[3]*y[3]) + z[3]
		w[4] = float32(x[4]*y[4]) + z[4]
		w[5] = float32(x[5]*y[5]) + z[5]
		w[6] = float32(x[6]*y[6]) + z[6]
		w[7] = float32(x[7]*y[7]) + z[7]
	}
	for ; i < n; i++ {
		d[i] = float32(a[i]*b[i]) + c[i]
	}
}

// mulMulVVV sets d = a·b·c.
func mulMulVVV(d, a, b, c []float32) {
	a, b, c = a[:len(d)], b[:len(d)], c[:len(d)]
	for i := range d {
		d[i] = float32(a[i]*b[i]) * c[i]
	}
}

// mulMulVSV sets d = a·s·c.
func mulMulVSV(d, a []float32, s float32, c []float32) {
	a, c = a[:len(d)], c[:len(d)]
	for i := range d {
		d[i] = float32(a[i]*s) * c[i]
	}
}

// mulScalars sets d = a·s·t by a loop of a·s.
func mulScalars(mul func(d, a []uint32, s uint32)) func(d, a []uint32, s, t uint32) {
	return func(d, a []uint32, s, t uint32) {
		mul(d, a, s)
		mul(d, d, t)
	}
}

// mulAddVSV sets d = a·s + c.
func mulAddVSV(d, a []float32, s float32, c []float32) {
	n := len(d)
	a, c = a[:n], c[:n]
	i := 0
	for ; i <= n-8; i += 8 {
		w, x, y := (*[8]float32)(d[i:]), (*[8]float32)(a[i:]), (*[8]float32)(c[i:])
		w[0] = float32(x[0]*s) + y[0]
		w[1] = float32(x[1]*s) + y[1]
		w[2] = float32(x[2]*s) + y[2]
		w[3] = float32(x[3]*s) + y[3]
		w[4] = float32(x[4]*s) + y[4]
		w[5] = float32(x[5]*s) + y[5]
		w[6] = float32(x[6]*s) + y[6]
		w[7] = float32(x[7]*s) + y[7]
	}
	for ; i < n; i++ {
		d[i] = float32(a[i]*s) + c[i]
	}
}
