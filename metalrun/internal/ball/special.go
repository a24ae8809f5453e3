package ball

import "math"

// Special does all iterations of a loop whose every row and sum is then the same on every device: not finite, or zero.
// It reports whether that is so; if not, nothing is done.
func (t *RowLoop) Special(sum, rows []Ball, n int) bool {
	if !t.leavesZeros(sum, rows) && !t.leavesRange(sum, rows, n) {
		return false
	}
	for at, factor := range t.Factor {
		row := rows[at*n:][:n]
		for l := range row {
			x := row[l].X
			switch {
			case t.Scale != nil:
				x = float64(x * t.Scale.X)
			case t.Add != nil:
				x += float64(t.Add[l].X * t.Change[at])
			}
			row[l] = Ball{X: x}
			sum[l] = Ball{X: sum[l].X + float64(x*factor)}
		}
	}
	return true
}

// leavesZeros reports whether scaled rows are zeros, and so are the sums.
func (t *RowLoop) leavesZeros(sum, rows []Ball) bool {
	if t.Add != nil || t.Scale != nil && !t.Scale.number() {
		return false
	}
	for _, factor := range t.Factor {
		if !finite(factor) {
			return false
		}
	}
	for _, a := range sum {
		if !a.None() {
			return false
		}
	}
	vanishes := t.Scale != nil && t.Scale.None()
	for _, a := range rows {
		if !a.None() && !(vanishes && a.number()) {
			return false
		}
	}
	return true
}

// leavesRange reports whether all rows and products with them are not finite, on every device.
func (t *RowLoop) leavesRange(sum, rows []Ball, n int) bool {
	for _, a := range sum {
		if !a.settled() {
			return false
		}
	}
	if t.Scale != nil && !(t.Scale.settled() && t.Scale.signed()) {
		return false
	}
	most := 0.0
	for _, x := range t.Change {
		most = math.Max(most, math.Abs(x))
	}
	for _, a := range t.Add {
		if !a.beyond() && !((math.Abs(a.X)+a.E)*most < largest/4) {
			return false
		}
	}
	for i, a := range rows {
		beyond := a.beyond()
		switch {
		case t.Scale != nil:
			beyond = a.signed() && (beyond || t.Scale.beyond())
		case t.Add != nil:
			beyond = beyond || t.Add[i%n].beyond()
		}
		if !beyond || !a.settled() {
			return false
		}
	}
	return true
}

// beyond reports whether a is not finite, and the same on every device.
func (a Ball) beyond() bool { return a.E == 0 && !finite(a.X) }

// number reports whether a is finite on every device.
func (a Ball) number() bool { return finite(a.X) && a.Known() }

// specialSum gives a sum the products of a lane of rows with the factors, some of which are not finite while
// the others are far from overflow; false if that is not so.
func (t *RowLoop) specialSum(sum *Ball, rows []Ball, n int) bool {
	x, size, certain, special := sum.X, math.Abs(sum.X)+sum.E, true, false
	for at, factor := range t.Factor {
		a := rows[at*n]
		p := float64(a.X * factor)
		if x += p; finite(p) {
			size += float64((math.Abs(a.X) + a.E) * math.Abs(factor))
			continue
		}
		certain, special = certain && a.settled() && a.signed(), true
	}
	if !special || !(size < largest/4) {
		return false
	}
	*sum = Unknown(x)
	if certain {
		sum.E = 0
	}
	return true
}
