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
func AddRow(d, a, b []Ball, mask []uint32) { sumRow(d, a, b, mask, 1, Add) }

// SubRow sets d to a − b.
func SubRow(d, a, b []Ball, mask []uint32) { sumRow(d, a, b, mask, -1, Sub) }

// sumRow sets d to a + sign·b, as of does.
func sumRow(d, a, b []Ball, mask []uint32, sign float64, of func(a, b Ball) Ball) {
	i, j := stride(a), stride(b)
	for l := range d {
		if mask[l] == 0 {
			continue
		}
		p, q := a[l*i], b[l*j]
		x, spread := p.X+float64(sign*q.X), p.E+q.E
		if y := middle(x, spread); spread != 0 && y.E >= 0 {
			d[l] = y
		} else {
			d[l] = of(p, q)
		}
	}
}

// middle is a result in the middle of the range whose operands are off by spread, which is not 0;
// its E is −1 for any other.
func middle(x, spread float64) Ball {
	size := math.Abs(x)
	if spread += float64(unit * (size + spread)); size-spread >= normal && size+spread < largest {
		return Ball{X: x, E: spread}
	}
	return Ball{X: x, E: -1}
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
		spread := float64(math.Abs(p.X)*q.E) + float64((math.Abs(q.X)+q.E)*p.E)
		if y := middle(x, spread); spread != 0 && y.E >= 0 {
			d[l] = y
		} else {
			d[l] = Mul(p, q)
		}
	}
}

// FMARow sets d to a·b + c.
func FMARow(d, a, b, c []Ball, mask []uint32) {
	i, j, k := stride(a), stride(b), stride(c)
	for l := range d {
		if mask[l] == 0 {
			continue
		}
		p, q, r := a[l*i], b[l*j], c[l*k]
		x := float64(p.X*q.X) + r.X
		spread := float64(math.Abs(p.X)*q.E) + float64((math.Abs(q.X)+q.E)*p.E) + r.E
		if y := middle(x, spread); spread != 0 && y.E >= 0 {
			d[l] = y
		} else {
			d[l] = FMA(p, q, r)
		}
	}
}
