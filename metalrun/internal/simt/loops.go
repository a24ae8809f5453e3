package simt

import "metalconform/metalrun/internal/simt/scalar"

// The loops that instructions run. Every loop writes len(d) lanes; operands
// are at least as long. An operand may be the destination itself.

func fill(d []uint32, v uint32) {
	for i := range d {
		d[i] = v
	}
}

func copyMasked(d, s, mask []uint32) {
	s, mask = s[:len(d)], mask[:len(d)]
	for i, on := range mask {
		d[i] = d[i]&^on | s[i]&on
	}
}

func copyMasked64(d, s []uint64, mask []uint32) {
	s, mask = s[:len(d)], mask[:len(d)]
	for i, on := range mask {
		if on != 0 {
			d[i] = s[i]
		}
	}
}

func addF(d, a, b []float32) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] + b[i]
	}
}

func addFS(d, a []float32, s float32) {
	a = a[:len(d)]
	for i := range d {
		d[i] = a[i] + s
	}
}

func subF(d, a, b []float32) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] - b[i]
	}
}

func mulF(d, a, b []float32) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] * b[i]
	}
}

func mulFS(d, a []float32, s float32) {
	a = a[:len(d)]
	for i := range d {
		d[i] = a[i] * s
	}
}

func divF(d, a, b []float32) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] / b[i]
	}
}

// mulAddF is d = c + x*y with two roundings.
func mulAddF(d, c, x, y []float32) {
	c, x, y = c[:len(d)], x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = c[i] + float32(x[i]*y[i])
	}
}

func mulAddFS(d, c, x []float32, s float32) {
	c, x = c[:len(d)], x[:len(d)]
	for i := range d {
		d[i] = c[i] + float32(x[i]*s)
	}
}

// fmaF is d = x*y + c with one rounding.
func fmaF(d, x, y, c []float32) {
	x, y, c = x[:len(d)], y[:len(d)], c[:len(d)]
	for i := range d {
		d[i] = scalar.FMA32(x[i], y[i], c[i])
	}
}

func addI(d, a, b []uint32) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] + b[i]
	}
}

func addIS(d, a []uint32, s uint32) {
	a = a[:len(d)]
	for i := range d {
		d[i] = a[i] + s
	}
}

func subI(d, a, b []uint32) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] - b[i]
	}
}

func mulI(d, a, b []uint32) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] * b[i]
	}
}

func mulIS(d, a []uint32, s uint32) {
	a = a[:len(d)]
	for i := range d {
		d[i] = a[i] * s
	}
}

func andI(d, a, b []uint32) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] & b[i]
	}
}

func andIS(d, a []uint32, s uint32) {
	a = a[:len(d)]
	for i := range d {
		d[i] = a[i] & s
	}
}

func orI(d, a, b []uint32) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] | b[i]
	}
}

func xorI(d, a, b []uint32) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] ^ b[i]
	}
}

func shlI(d, a, b []uint32) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] << (b[i] & 31)
	}
}

func shlIS(d, a []uint32, s uint32) {
	a = a[:len(d)]
	s &= 31
	for i := range d {
		d[i] = a[i] << s
	}
}

func lshrI(d, a, b []uint32) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] >> (b[i] & 31)
	}
}

func lshrIS(d, a []uint32, s uint32) {
	a = a[:len(d)]
	s &= 31
	for i := range d {
		d[i] = a[i] >> s
	}
}

func ashrI(d, a, b []uint32) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = uint32(int32(a[i]) >> (b[i] & 31))
	}
}

func notI(d, a []uint32) {
	a = a[:len(d)]
	for i := range d {
		d[i] = ^a[i]
	}
}

func selectI(d, c, a, b []uint32) {
	c, a, b = c[:len(d)], a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = b[i]&^c[i] | a[i]&c[i]
	}
}

func floatFromU(d []float32, a []uint32) {
	a = a[:len(d)]
	for i := range d {
		d[i] = float32(a[i])
	}
}

func floatFromS(d []float32, a []uint32) {
	a = a[:len(d)]
	for i := range d {
		d[i] = float32(int32(a[i]))
	}
}

// lane is a bool's lane value.
func lane(b bool) uint32 {
	if b {
		return ^uint32(0)
	}
	return 0
}

// compareI fills d with the outcome of an integer comparison.
func compareI(d, a, b []uint32, less func(a, b uint32) bool) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = lane(less(a[i], b[i]))
	}
}
