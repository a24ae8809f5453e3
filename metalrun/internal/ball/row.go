package ball

import "math"

// A row is the balls of all lanes, or one for all of them. A loop sets d for the lanes that
// mask has on.

// Map sets d to f of a and b.
func Map(d, a, b []Ball, mask []uint32, f func(a, b Ball) Ball) {
	i, j := stride(a), stride(b)
	for l := range d {
		if mask[l] != 0 {
			d[l] = f(a[l*i], b[l*j])
		}
	}
}

func stride(a []Ball) int {
	if len(a) == 1 {
		return 0
	}
	return 1
}

// CopyRow sets d to a.
func CopyRow(d, a, _ []Ball, mask []uint32) {
	i := stride(a)
	for l := range d {
		if mask[l] != 0 {
			d[l] = a[l*i]
		}
	}
}

// The hot operations have loops of their own, for operands and results in the middle of the
// range; the others are left to the definitions.

// AddRow sets d to a + b.
func AddRow(d, a, b []Ball, mask []uint32) {
	i, j := stride(a), stride(b)
	for l := range d {
		if mask[l] == 0 {
			continue
		}
		p, q := a[l*i], b[l*j]
		x, spread := p.X+q.X, p.E+q.E
		size := math.Abs(x)
		if spread += float64(unit * (size + spread)); p.E+q.E != 0 && size-spread >= normal && size+spread < largest {
			d[l] = Ball{x, spread}
		} else {
			d[l] = Add(p, q)
		}
	}
}

// SubRow sets d to a − b.
func SubRow(d, a, b []Ball, mask []uint32) {
	i, j := stride(a), stride(b)
	for l := range d {
		if mask[l] == 0 {
			continue
		}
		p, q := a[l*i], b[l*j]
		x, spread := p.X-q.X, p.E+q.E
		size := math.Abs(x)
		if spread += float64(unit * (size + spread)); p.E+q.E != 0 && size-spread >= normal && size+spread < largest {
			d[l] = Ball{x, spread}
		} else {
			d[l] = Sub(p, q)
		}
	}
}

// MulRow sets d to a·b.
func MulRow(d, a, b []Ball, mask []uint32) {
	i, j := stride(a), stride(b)
	for l := range d {
		if mask[l] == 0 {
			continue
		}
		p, q := a[l*i], b[l*j]
		x := float64(p.X * q.X)
		size := math.Abs(x)
		first := float64(math.Abs(p.X)*q.E) + float64((math.Abs(q.X)+q.E)*p.E)
		if spread := first + float64(unit*(size+first)); first != 0 && size-spread >= normal && size+spread < largest {
			d[l] = Ball{x, spread}
		} else {
			d[l] = Mul(p, q)
		}
	}
}
