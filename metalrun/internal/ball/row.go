package ball

import "math"

// A row is the balls of all lanes, or one for all of them. A loop sets d for the lanes that
// mask has on; for all if it is nil. d may be an operand, whole.

// Rows is the loops that exact execution spends its time in. Every table gives the same bits;
// [Portable] is their definition.
type Rows struct {
	Name string

	Add, Sub, Mul func(d, a, b []Ball, mask []uint32)
	FMA           func(d, a, b, c []Ball, mask []uint32) // a·b + c
	Anchored      func(f *Format, d, a []Ball, mask []uint32)
	Numbers       func(d []Ball, v []float32) // [Of] each
	Tile          func(d, a, b, c *Matrix)    // a·b + c; d is none of them

	rowLoop func(t *RowLoop, sum, rows []Ball, n, at, first int) (done, half int)
}

// Portable is written in Go.
var Portable = &Rows{
	Name:     "portable",
	Add:      func(d, a, b []Ball, mask []uint32) { sumRow(d, a, b, mask, 1, Add) },
	Sub:      func(d, a, b []Ball, mask []uint32) { sumRow(d, a, b, mask, -1, Sub) },
	Mul:      mulRow,
	FMA:      fmaRow,
	Anchored: (*Format).anchoredRow,
	Numbers: func(d []Ball, v []float32) {
		for l := range d {
			d[l] = Of(float64(v[l]))
		}
	},
	Tile:    portableTile,
	rowLoop: portableRowLoop,
}

// Map sets d to f of a and b.
func Map(d, a, b []Ball, mask []uint32, f func(a, b Ball) Ball) {
	i, j := stride(a), stride(b)
	for l := range d {
		if mask == nil || mask[l] != 0 {
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
		if mask == nil || mask[l] != 0 {
			d[l] = a[l*i]
		}
	}
}

// The hot operations have loops of their own, for operands and results in the middle of the
// range; the others are left to the definitions.

// sumRow sets d to a + sign·b, as of does.
func sumRow(d, a, b []Ball, mask []uint32, sign float64, of func(a, b Ball) Ball) {
	i, j := stride(a), stride(b)
	for l := range d {
		if mask != nil && mask[l] == 0 {
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

// mulRow sets d to a·b.
func mulRow(d, a, b []Ball, mask []uint32) {
	i, j := stride(a), stride(b)
	for l := range d {
		if mask != nil && mask[l] == 0 {
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

// fmaRow sets d to a·b + c.
func fmaRow(d, a, b, c []Ball, mask []uint32) {
	i, j, k := stride(a), stride(b), stride(c)
	for l := range d {
		if mask != nil && mask[l] == 0 {
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

// anchoredRow sets d to what a reader of the format gets of a, as Anchored does.
func (f *Format) anchoredRow(d, a []Ball, mask []uint32) {
	i := stride(a)
	for l := range d {
		if mask != nil && mask[l] == 0 {
			continue
		}
		x := a[l*i]
		size := math.Abs(x.X)
		if !(x.L == 0 && size > float64(4*f.normal)+float64(2*x.E) && size+x.E < f.huge/2) {
			d[l] = f.Anchored(x)
			continue
		}
		y := f.among(x.X)
		d[l] = Ball{X: y, E: max(f.among(x.X+x.E)-y, y-f.among(x.X-x.E))}
	}
}

// among is x rounded to a normal number of the format.
func (f *Format) among(x float64) float64 {
	u := math.Float64bits(x)
	return math.Float64frombits((u + 1<<(f.cut-1) - 1 + u>>f.cut&1) &^ (1<<f.cut - 1))
}
