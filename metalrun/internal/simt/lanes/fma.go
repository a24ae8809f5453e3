package lanes

import (
	"math"

	"metalconform/metalrun/internal/scalar"
)

// Division, negation and the fused multiply-add of lanes.

// divVV sets d = a/b.
func divVV(d, a, b []float32) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] / b[i]
	}
}

// divVS sets d = a/s.
func divVS(d, a []float32, s float32) {
	a = a[:len(d)]
	for i := range d {
		d[i] = a[i] / s
	}
}

// divSV sets d = s/a.
func divSV(d []float32, s float32, a []float32) {
	a = a[:len(d)]
	for i := range d {
		d[i] = s / a[i]
	}
}

// negV sets d = -a, for integers modulo 2^width.
func negV[T number](d, a []T) {
	a = a[:len(d)]
	for i := range d {
		d[i] = -a[i]
	}
}

// fmaVVV sets d = a·b + c, rounded once.
func fmaVVV(d, a, b, c []float32) {
	a, b, c = a[:len(d)], b[:len(d)], c[:len(d)]
	for i := range d {
		p := float64(float64(a[i]) * float64(b[i]))
		q := float64(c[i])
		sum := p + q
		if u := math.Float64bits(sum); scalar.Doubtful(u) {
			v := sum - p
			if e := float64(p-float64(sum-v)) + float64(q-v); e != 0 {
				sum = scalar.NextOdd(u, e)
			}
		}
		d[i] = float32(sum)
	}
}

// affine is [Table.Affine], made of loops of one operation each for some lanes at a time.
func affine(multiply func(d, a, b []uint32), fuse func(d, a, b, c []uint32),
	add func(d, a, b []uint32)) func(d, q, s, c, x, e []uint32) {
	const some = 64
	return func(d, q, s, c, x, e []uint32) {
		var scaled, shift [some]uint32
		for first := 0; first < len(d); first += some {
			end := min(first+some, len(d))
			y, z, by := scaled[:end-first], shift[:end-first], x[first:end]
			multiply(y, s[first:end], by)
			multiply(z, c[first:end], by)
			fuse(y, q[first:end], y, z)
			add(d[first:end], e[first:end], y)
		}
	}
}

// fmaVSV sets d = a·s + c, rounded once.
func fmaVSV(d, a []float32, s float32, c []float32) {
	a, c = a[:len(d)], c[:len(d)]
	m := float64(s)
	for i := range d {
		p := float64(float64(a[i]) * m)
		q := float64(c[i])
		sum := p + q
		if u := math.Float64bits(sum); scalar.Doubtful(u) {
			v := sum - p
			if e := float64(p-float64(sum-v)) + float64(q-v); e != 0 {
				sum = scalar.NextOdd(u, e)
			}
		}
		d[i] = float32(sum)
	}
}
