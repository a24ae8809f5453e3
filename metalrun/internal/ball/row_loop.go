package ball

import "math"

// RowLoop is a loop whose iteration j works on row j of some rows, with one ball for each lane, and adds a product with
// the row to a sum:
//
//	row_j = row_j·Scale             if Scale is not nil
//	row_j = row_j + Add·Change_j    if Add is not nil
//	sum   = sum + row_j·Factor_j
//
// Every operation rounds. Factors and changes are the same on every device.
//
// Its bounds are those of the single operations, except that the contributions to the bound of the sum are added up
// first, and then multiplied by the most that n additions can make of them: with G = (1+u)ⁿ
//
//	E ≤ G·(E_0 + Σ_j ((1+u)·|Factor_j|·E_j + u·(|row_j·Factor_j| + |sum_j|)))
//
// and in the same way for a product and a sum of a row. Each operation is assumed to flush its result, whether it is
// small or not. E therefore exceeds that of single operations by at most 2nu of itself and 2n times the least normal
// number.
//
// Eight lanes are done at a time. If a ball of a row is near the ends of the range, or if no operation on it has an
// error, four or eight lanes take an iteration by the definitions of the operations, which know the rounding of each
// result.
type RowLoop struct {
	Scale  *Ball
	Add    []Ball // by lane
	Change []float64
	Factor []float64

	constants rowLoopConstants
	t, u      []factor
	exactly   bool // the first row and what scales it have no error: each product is off by its own rounding
}

// factor is a number and its size, times 1 + u for each rounding to come.
type factor struct{ x, size float64 }

// rowLoopConstants are constants for assembly, four times each.
type rowLoopConstants struct {
	abs                                    [4]uint64
	scale, byE, byX, twice, normal, u, end [4]float64
	inexact                                [4]uint64 // mask of X: exact rows may be scaled, but for zeros
}

// Eights is the number of lanes that a RowLoop does at a time.
const Eights = 8

// Suits reports whether these bounds hold for a loop that begins with this sum and row.
func (t *RowLoop) Suits(sum, row []Ball) bool {
	if a := row[0]; a.E == 0 && t.Add == nil && (a.X == 0 || t.Scale == nil || t.Scale.E == 0 && isPower(t.Scale.X)) {
		return false
	}
	for l := range t.Add {
		if t.Add[l].E == 0 {
			return false
		}
	}
	for l := range sum {
		if sum[l].E == 0 && sum[l].X != 0 {
			return false
		}
	}
	return t.Scale == nil || t.Scale.X != 0 && t.Scale.Known()
}

// isPower reports whether products with x are not rounded.
func isPower(x float64) bool {
	m, _ := math.Frexp(x)
	return math.Abs(m) == 0.5
}

// Run does the iterations on consecutive rows of n lanes, a multiple of [Eights].
func (r *Rows) Run(t *RowLoop, sum, rows []Ball, n int) {
	t.prepare()
	t.exactly = t.Scale != nil && t.Scale.E == 0 && rows[0].E == 0
	trips := len(t.Factor)
	var before [Eights]Ball
	for g := 0; g < n; g += Eights {
		copy(before[:], sum[g:])
		for at := 0; at < trips; {
			done, half := r.rowLoop(t, sum[g:g+Eights], rows[at*n+g:], n, at, g)
			if at += done; at < trips {
				from := g + half*Eights/2
				r.byDefinition(t, sum, rows[at*n:(at+1)*n], at, from, g+Eights)
				at++
			}
		}
		for l := g; l < g+Eights; l++ {
			if !finishRowLoop(&sum[l], trips) {
				if sum[l] = before[l-g]; t.specialSum(&sum[l], rows[l:], n) {
					continue
				}
				for at := range trips {
					sum[l] = Add(sum[l], Mul(rows[at*n+l], Ball{X: t.Factor[at]}))
				}
			}
		}
	}
}

// finishRowLoop makes what was gathered of a sum its bound, false if a sum may have left the range.
func finishRowLoop(sum *Ball, trips int) bool {
	switch {
	case !(sum.E < largest*unit/4):
		return false
	case sum.E != 0: // or all that was added is 0
		sum.E = (sum.E + float64(2*normal*float64(trips))) * (1 + float64(1.01*unit*float64(trips)))
	}
	return true
}

// byDefinition does one iteration on some lanes.
func (r *Rows) byDefinition(t *RowLoop, sum, row []Ball, at, from, to int) {
	var product [Eights]Ball
	p, row, sum := product[:to-from], row[from:to], sum[from:to]
	switch {
	case t.Scale != nil:
		r.Mul(row, row, []Ball{*t.Scale}, nil)
	case t.Add != nil:
		r.Mul(p, t.Add[from:to], []Ball{{X: t.Change[at]}}, nil)
		r.Add(row, row, p, nil)
	}
	r.Mul(p, row, []Ball{{X: t.Factor[at]}}, nil)
	r.Add(sum, sum, p, nil)
}

// prepare computes what is the same in all lanes.
func (t *RowLoop) prepare() {
	const once, twice = 1 + unit, (1 + unit) * (1 + unit)
	t.t = factors(t.t, t.Factor, once)
	t.u = factors(t.u, t.Change, twice)
	c := rowLoopConstants{u: four(unit), end: four(largest / 4), normal: four(normal), byE: four(once)}
	for i := range c.abs {
		c.abs[i] = 1<<63 - 1
	}
	switch {
	case t.Scale != nil:
		size := math.Abs(t.Scale.X)
		c.scale = four(t.Scale.X)
		c.byE = four((size + t.Scale.E) * once)
		c.byX = four(float64(t.Scale.E*once) + float64(unit*size))
		if t.Scale.E > 0 {
			c.inexact = c.abs
		}
	case t.Add != nil:
		c.twice, c.normal = four(unit*once), four(2*once*normal)
	}
	t.constants = c
}

func four(x float64) [4]float64 { return [4]float64{x, x, x, x} }

func factors(room []factor, of []float64, by float64) []factor {
	room = room[:0]
	for _, x := range of {
		room = append(room, factor{x, float64(math.Abs(x) * by)})
	}
	return room
}

// portableRowLoop does iterations from at on for the eight lanes from first on, of rows that are n lanes apart. It
// stops at the first iteration that needs the definitions, and gives the number of iterations that are done, and the
// half of the lanes from which on that iteration is not done.
func portableRowLoop(t *RowLoop, sum, rows []Ball, n, at, first int) (done, half int) {
	for iteration := at; iteration < len(t.t); iteration++ {
		row := rows[(iteration-at)*n:][:Eights]
		for half := range 2 {
			from := half * Eights / 2
			if !t.iterate(sum[from:from+Eights/2], row[from:from+Eights/2], first+from, iteration) {
				return iteration - at, half
			}
		}
	}
	return len(t.t) - at, 0
}

// iterate does one iteration on four lanes.
func (t *RowLoop) iterate(sum, row []Ball, first, at int) bool {
	c := &t.constants
	var x, e [Eights / 2]float64
	for l, a := range row {
		x[l], e[l] = a.X, a.E
		inexact, size := a.E > 0, math.Abs(a.X)
		switch {
		case t.Scale != nil:
			inexact = inexact || t.Scale.E > 0 && a.X != 0
			x[l] = float64(a.X * c.scale[0])
			size = math.Abs(x[l])
			e[l] = float64(a.E*c.byE[0]) + float64(math.Abs(a.X)*c.byX[0])
			if t.exactly && a.E == 0 {
				e[l] = math.Abs(float64(float32(x[l])) - x[l])
				inexact = e[l] > 0
			}
			e[l] += c.normal[0]
		case t.Add != nil:
			d := t.Add[first+l]
			inexact = inexact || t.u[at].x != 0
			p := float64(d.X * t.u[at].x)
			x[l] = a.X + p
			size = math.Abs(x[l]) + math.Abs(p)
			e[l] = float64(a.E*c.byE[0]) + float64(size*c.twice[0]) + float64(d.E*t.u[at].size) + c.normal[0]
		}
		if !(inexact && size < c.end[0] && e[l] < c.end[0]) {
			return false
		}
	}
	for l := range row {
		row[l].X, row[l].E = x[l], e[l]
		p := float64(x[l] * t.t[at].x)
		s := sum[l].X + p
		sum[l].X = s
		sum[l].E = sum[l].E + float64((math.Abs(p)+math.Abs(s))*c.u[0]) + float64(e[l]*t.t[at].size)
	}
	return true
}
