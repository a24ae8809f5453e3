package loops

import "math"

// Portable is the table in Go.
var Portable = &Table{
	Name:            "portable",
	WeighInTurn:     weighInTurn,
	WeighInAnyOrder: weighInAnyOrder,
	Carry:           carry,
	Keep:            keep,
	Weigh:           weigh,
	Compensated:     compensated,
	Scale:           scale,
	Binades:         binades,
	Update:          update,
	Dots:            dots,
	Blocks:          blocks,
	Tiles:           tiles,
	Inner:           inner,
	Decay:           decay,
	Learn:           learn,
	Solve:           solve,
	Reach:           reach,
	Forget:          forget,
	Strides:         strides,
	Take:            take,
	Gather:          gather,
	Open:            open,
	Range:           inRange,
	Decayed:         decayed,
	Updated:         updated,
	Rounded:         rounded,
	Give:            give,
	Sharpen:         sharpen,
}

func weighInTurn(d, values []float64, weights []Weight, c *TileConstants) {
	n := len(d) / TilePlanes
	for i := range n {
		var s, rounded, squares float64
		var t inherited
		for j := range weights {
			w, v := &weights[j], values[j*n+i]
			s += float64(w.W * v)
			if j > 0 {
				rounded += float64(math.Abs(s) * w.Rounded)
				squares += float64(s * s)
			}
			t.take(w, v)
		}
		t.set(d[i:], n, c, s, t.terms+rounded, t.variance+float64(c.SumScatter*squares))
	}
}

func weighInAnyOrder(d, values []float64, weights []Weight, c *TileConstants, depth []float64) {
	n := len(d) / TilePlanes
	for i := range n {
		var s, squares float64
		var t inherited
		for j := range weights {
			w, v := &weights[j], values[j*n+i]
			p := float64(w.W * v)
			s += p
			squares += float64(p * p)
			t.take(w, v)
		}
		passed, grown := depth[i], depth[n+i]
		e := float64((t.terms + float64(float64(passed*c.SumU)*t.magnitude)) * grown)
		most := lesser(float64(t.magnitude*t.magnitude), float64(s*s)+squares) + float64(t.systematic*t.systematic)
		t.set(d[i:], n, c, s, e, t.variance+float64(float64(passed*c.SumScatter)*most))
	}
}

// inherited is what a sum inherits from its terms.
type inherited struct{ magnitude, scores, terms, systematic, variance float64 }

func (t *inherited) take(w *Weight, v float64) {
	size := math.Abs(v)
	t.magnitude += float64(w.W * size)
	t.scores += float64(w.Scores * size)
	t.terms += float64(w.Error * size)
	t.systematic += float64(w.Systematic * size)
	t.variance += float64(w.Variance * float64(size*size))
}

// set stores the sum s of a column, with its error but for underflow.
func (t *inherited) set(d []float64, n int, c *TileConstants, s, e, variance float64) {
	d[TileValue*n], d[TileError*n] = s, e+c.Underflow
	d[TileVariance*n], d[TileSystematic*n] = variance, t.systematic
	d[TileScores*n], d[TileMagnitude*n] = t.scores, t.magnitude
	d[TileExponentials*n] = positive(t.terms - t.scores - float64(c.U*t.magnitude))
}

// positive is x, or 0 if that is not positive.
func positive(x float64) float64 {
	if x > 0 {
		return x
	}
	return 0
}

// lesser and greater are b if the two do not compare.
func lesser(a, b float64) float64 {
	if a < b {
		return a
	}
	return b
}

func greater(a, b float64) float64 {
	if a > b {
		return a
	}
	return b
}

func carry(next, sums, tile []float64, c *CarryConstants) (least, most float64) {
	n := len(sums) / SumPlanes
	least = math.Inf(1)
	for i := range n {
		s := sums[i:]
		v, e := s[SumValue*n], s[SumError*n]
		p := v * c.Factor
		pe := float64(math.Abs(v)*c.FactorError) + float64(c.Factor*e) + float64(e*c.FactorError)
		x := math.Abs(v) + s[SumSystematic*n]
		a, b := float64(float64(x*x)*c.FactorVariance), float64(c.FactorSquare*s[SumVariance*n])
		variance := a + b + float64(2*math.Sqrt(float64(a*b)))
		systematic := float64(x*c.FactorSystematic) + float64(c.Factor*s[SumSystematic*n])
		pe += float64(c.U * (math.Abs(p) + pe))
		product := carried{
			p, pe, scattered(p, variance, systematic, c), systematic,
			float64(c.Factor * s[SumScores*n]), float64(c.Factor * s[SumExponentials*n]),
			float64(c.Factor * s[SumCarried*n]),
			float64(c.Factor * e),
		}
		least, most = lesser(tile[TileError*n+i], lesser(e, least)), greater(math.Abs(v), greater(e, most))
		product.merge(next[i:], tile[i:], n, c)
	}
	return least, most
}

func keep(next, sums, tile []float64, c *CarryConstants) (least, most float64) {
	n := len(sums) / SumPlanes
	least = math.Inf(1)
	for i := range n {
		s := sums[i:]
		v, e := s[SumValue*n], s[SumError*n]
		same := carried{v, e, s[SumVariance*n], s[SumSystematic*n], s[SumScores*n], s[SumExponentials*n],
			s[SumCarried*n], e}
		least, most = lesser(tile[TileError*n+i], lesser(e, least)), greater(math.Abs(v), greater(e, most))
		same.merge(next[i:], tile[i:], n, c)
	}
	return least, most
}

// carried is a sum times its factor, and what its error comes to.
type carried struct{ p, e, variance, systematic, scores, exponentials, carried, inherited float64 }

// merge adds a tile's own sum.
func (x *carried) merge(next, t []float64, n int, c *CarryConstants) {
	own, te := math.Abs(t[TileValue*n]), t[TileError*n]
	ownVariance := float64(float64(t[TileVariance*n]*c.MergedFactor) * c.MergedFactor)
	systematic := x.systematic + (t[TileSystematic*n] + float64(c.Merged*(own+t[TileSystematic*n])))
	oe := te + float64(c.Merged*(own+te))

	y, ye := x.p+t[TileValue*n], x.e+oe
	variance := scattered(y, x.variance, systematic, c) + ownVariance
	ye += float64(c.U*(math.Abs(y)+ye)) + c.Underflow
	ye += float64(c.Added * (math.Abs(x.p) + x.e))
	variance += float64(float64(c.AddedScatter*x.p) * x.p)
	again := float64(c.Again * (math.Abs(x.p) + x.e + t[TileMagnitude*n] + oe))
	ye += again

	next[SumValue*n], next[SumError*n], next[SumVariance*n], next[SumSystematic*n] = y, ye, variance, systematic+again
	next[SumScores*n] = x.scores + t[TileScores*n]
	next[SumExponentials*n] = x.exponentials + t[TileExponentials*n]
	next[SumCarried*n] = x.carried + positive(ye-x.inherited-te)
}

// scattered is a variance after one more rounding, of v.
func scattered(v, variance, systematic float64, c *CarryConstants) float64 {
	largest := math.Abs(v) + systematic
	return variance + float64(c.Scatter*(float64(largest*largest)+variance))
}

func weigh(sums, magnitudes, a, b []float64, x, y float64) {
	for i := range sums {
		p, q := float64(x*a[i]), float64(y*b[i])
		sums[i] += p + q
		magnitudes[i] += math.Abs(p) + math.Abs(q)
	}
}

func compensated(sums, corrections, magnitudes, a []float64, x float64) {
	for i, s := range sums {
		p := float64(x * a[i])
		t := s + p
		part := t - s
		sums[i] = t
		corrections[i] += (s - (t - part)) + (p - part)
		magnitudes[i] += math.Abs(p)
	}
}

func scale(d *Norms, panel []float64, by float64, more *[Panel]float64) {
	for i := range panel {
		panel[i] *= by
	}
	binades(d, panel, more)
}

func binades(d *Norms, panel []float64, more *[Panel]float64) {
	*d = Norms{}
	for i, x := range panel {
		column, half := i%Panel, i/Panel%2
		size := math.Abs(x) + more[column]
		power := math.Float64frombits(math.Float64bits(size) &^ (1<<52 - 1))
		square := float64(power * power)
		d.Squares[half][column] += square
		d.Fourths[half][column] += float64(square * square)
	}
}

func update(d *Sizes, panel, column []float64, by *[Panel]float64) {
	*d = Sizes{}
	for i := range panel {
		at, half := i%Panel, i/Panel%2
		panel[i] += float64(by[at] * column[i/Panel])
		size := math.Abs(panel[i])
		d.Squares[half][at] += float64(size * size)
		d.Totals[half][at] += size
		d.Peak[at] = greater(size, d.Peak[at])
	}
}

func dots(d *DotSums, a, grown, panel []float64, at []int) {
	running(d, a, grown, panel, func(j int) int { return at[j] })
}

func blocks(d *DotSums, values, errors, a, grown, panel []float64) {
	for n := len(grown); len(a) > 0; a, panel = a[n:], panel[n*Panel:] {
		running(d, a[:n], grown, panel, func(j int) int { return j * Panel })
		copy(values, d.Value[:])
		copy(errors, d.Error[:])
		values, errors = values[Panel:], errors[Panel:]
	}
}

// running are the running sums of one lane, given where the rows of its elements begin.
func running(d *DotSums, a, grown, panel []float64, at func(int) int) {
	for i := range Panel {
		s := float64(a[0] * panel[at(0)+i])
		before := grown[0]
		e := float64(math.Abs(s) * before)
		magnitude, squares, products := d.Magnitude[i]+math.Abs(s), d.Squares[i]+float64(s*s),
			d.Products[i]+float64(s*s)
		for j := 1; j < len(a); j++ {
			p := float64(a[j] * panel[at(j)+i])
			s += p
			size := math.Abs(p)
			magnitude += size
			e += float64(size*before) + float64(math.Abs(s)*grown[j])
			squares += float64(p*p) + float64(s*s)
			products += float64(p * p)
			before = grown[j]
		}
		d.Value[i], d.Error[i], d.Magnitude[i], d.Squares[i], d.Products[i] = s, e, magnitude, squares, products
	}
}

func inner(d *Inner, a, panel []float64) {
	*d = Inner{}
	for j, x := range a {
		row := (*[Panel]float64)(panel[j*Panel:])
		for i, y := range row {
			p := float64(x * y)
			d.Value[i] += p
			d.Magnitude[i] += math.Abs(p)
			d.Squares[i] += float64(p * p)
		}
	}
}

func gather(d *Gathered, values, errors []float64) {
	*d = Gathered{}
	for i := range Panel {
		d.Least[i] = math.Inf(1)
	}
	for at, x := range values {
		i, e, size := at%Panel, errors[at], math.Abs(x)
		t := d.Sum[i] + x
		part := t - d.Sum[i]
		d.Correction[i] += (d.Sum[i] - (t - part)) + (x - part)
		d.Sum[i] = t
		d.Magnitude[i] += size
		d.Squares[i] += float64(x * x)
		d.Error[i] += e
		d.Least[i] = lesser(size-e, d.Least[i])
	}
}

func open(d *Sums, g *Gathered, c *OpenConstants) (others int) {
	for i := range Panel {
		v, size, e := g.Sum[i]+g.Correction[i], g.Magnitude[i], g.Error[i]
		far := float64((size+math.Abs(v))*0.5) + e
		off := float64((e + float64(c.Rounding*size)) * c.Grown)
		most := lesser(float64(size*size), float64(v*v)+g.Squares[i])
		d.Value[i], d.Error[i], d.Variance[i], d.Systematic[i] = v, off, float64(c.Scatter*most), 0
		if !(e > 0 && g.Least[i] > 0 && far <= c.Largest && float64(c.U*g.Least[i]) >= c.Least &&
			math.Abs(v)-off >= c.Tiny && math.Abs(v)+off <= c.Largest) {
			others |= 1 << i
		}
	}
	return others
}

func inRange(d *Sums, of *DotSums, sizes *[Panel]float64, c *RangeConstants) (others int) {
	for i := range Panel {
		if !(float64(of.Magnitude[i]*c.Grown) <= c.Largest) {
			others |= 1 << i
			continue
		}
		underflow := float64(c.Underflow * (float64(sizes[i]*c.Factors) + c.Terms))
		d.Error[i] += underflow
		d.Systematic[i] += underflow
		d.Variance[i] += float64(c.Scatter * of.Squares[i])
	}
	return others
}

func forget(d *[Panel]float64, panel, column, before []float64, by *[Panel]float64) {
	for i := range panel {
		panel[i] -= float64(by[i%Panel] * column[i/Panel])
	}
	strides(d, panel, before)
}

func strides(d *[Panel]float64, panel, column []float64) {
	var sums [4][Panel]float64
	whole := len(column) / len(sums) * len(sums)
	for i, x := range panel {
		row, at := i/Panel, 0
		if row < whole {
			at = row % len(sums)
		}
		sums[at][i%Panel] += float64(x * column[row])
	}
	for i := range d {
		d[i] = (sums[0][i] + sums[1][i]) + (sums[2][i] + sums[3][i])
	}
}

func take(d, errors []float64, weights *[3][2]float64) {
	const numbers = 3
	for first := 0; first < len(d); first += numbers * Width {
		for kind, w := range weights {
			x := errors[first*len(weights)+kind*numbers*Width:]
			for i := range Width {
				d[first+i] += float64(w[0] * x[i])
				d[first+Width+i] += float64(w[0] * x[Width+i])
				d[first+2*Width+i] += float64(w[1] * x[2*Width+i])
			}
		}
	}
}
