package loops

import "math"

func tiles(d *DotSums, a, panel []float64, tile int, c *DotTile) {
	for ; len(a) > 0; a, panel = a[tile:], panel[tile*Panel:] {
		for i := range Panel {
			v, magnitude, squares := d.Value[i], 0.0, 0.0
			for j, x := range a[:tile] {
				p := float64(x * panel[j*Panel+i])
				v += p
				magnitude += math.Abs(p)
				squares += float64(p * p)
				d.Products[i] += float64(p * p)
			}
			most := math.Abs(d.Value[i]) + magnitude
			mean := lesser(float64(most*most), float64(v*v)+float64(d.Value[i]*d.Value[i])+squares)
			d.Magnitude[i] += magnitude
			d.Squares[i] += squares + float64(c.Terms*mean)
			d.Error[i] = float64((d.Error[i] + float64(c.Rounding*most)) * c.Grown)
			d.Value[i] = v
		}
	}
}

func decay(d *Products, panel, column []float64, by float64) {
	*d = Products{}
	for at := range panel {
		panel[at] *= by
		d.take(at%Panel, float64(panel[at]*column[at/Panel]))
	}
}

func learn(d *Products, panel, column, other []float64, by *[Panel]float64) {
	*d = Products{}
	for at := range panel {
		panel[at] += float64(by[at%Panel] * column[at/Panel])
		d.take(at%Panel, float64(panel[at]*other[at/Panel]))
	}
}

// take adds a product to column i.
func (d *Products) take(i int, p float64) {
	t := d.Value[i] + p
	part := t - d.Value[i]
	d.Correction[i] += (d.Value[i] - (t - part)) + (p - part)
	d.Value[i] = t
	d.Size[i] += math.Abs(p)
}

func solve(d *ChunkSums, c []Coefficient, tokens []ChunkToken) {
	for j := range c {
		c, token := &c[j], &tokens[j]
		for i, u := range token.Solution {
			d.Error[i] += float64(c.Error * token.Top[i])
			d.Most[i] += float64(c.Most * token.Top[i])
			d.Reached[i] += float64(c.Reach * token.Residual[i])
			d.term(i, float64(c.V*u), float64(c.Systematic*math.Abs(u)), float64(float64(c.Variance*u)*u))
		}
	}
}

func reach(d *ChunkSums, c []Coefficient, tokens []ChunkToken) {
	for j := range c {
		c, token := &c[j], &tokens[j]
		for i, u := range token.Solution {
			d.Error[i] += float64(c.Error*token.Top[i]) + float64(c.Reach*token.Residual[i])
			d.Most[i] += float64(c.Most * token.Top[i])
			systematic := float64(c.Systematic*math.Abs(u)) + float64(c.Reach*token.Systematic[i])
			variance := float64(float64(c.Variance*u)*u) + float64(c.ReachSquare*token.Variance[i])
			d.term(i, float64(c.V*u), systematic, variance)
		}
	}
}

// term adds x to column i.
func (d *ChunkSums) term(i int, x, systematic, variance float64) {
	d.Magnitude[i] += math.Abs(x)
	d.Squares[i] += float64(x * x)
	d.Systematic[i] += systematic
	d.Variance[i] += variance
}
