package loops

// widened is the table for processors with AVX-512: that for AVX2 with other loops over panels.
func widened() *Table {
	t := *avx2
	t.Name = "avx512"
	t.Scale = func(d *Norms, panel []float64, by float64, more *[Panel]float64) {
		avx512Scale(&d.Squares[0][0], &panel[0], &more[0], by, len(panel)/Panel)
	}
	t.Binades = func(d *Norms, panel []float64, more *[Panel]float64) {
		avx512Binades(&d.Squares[0][0], &panel[0], &more[0], len(panel)/Panel)
	}
	t.Update = func(d *Sizes, panel, column []float64, by *[Panel]float64) {
		avx512Update(&d.Squares[0][0], &panel[0], &column[0], &by[0], len(panel)/Panel)
	}
	t.Dots = func(d *DotSums, a, grown, panel []float64, at []int) {
		avx512Dots(&d.Value[0], &a[0], &grown[0], &panel[0], &at[0], len(a))
	}
	t.Blocks = func(d *DotSums, values, errors, a, grown, panel []float64) {
		avx512Blocks(&d.Value[0], &values[0], &errors[0], &a[0], &grown[0], &panel[0], len(grown), len(a)/len(grown))
	}
	t.Inner = func(d *Inner, a, panel []float64) {
		if len(a) == 0 {
			*d = Inner{}
			return
		}
		avx512Inner(&d.Value[0], &a[0], &panel[0], len(a))
	}
	t.Tiles = func(d *DotSums, a, panel []float64, tile int, c *DotTile) {
		avx512Tiles(&d.Value[0], &a[0], &panel[0], &c.Terms, tile, len(a)/tile)
	}
	t.Decay = func(d *Products, panel, column []float64, by float64) {
		avx512Decay(&d.Value[0], &panel[0], &column[0], by, len(column))
	}
	t.Learn = func(d *Products, panel, column, other []float64, by *[Panel]float64) {
		avx512Learn(&d.Value[0], &panel[0], &column[0], &other[0], &by[0], len(column))
	}
	t.Solve = func(d *ChunkSums, c []Coefficient, tokens []ChunkToken) {
		if len(c) > 0 {
			avx512Solve(&d.Error[0], &c[0].V, &tokens[0].Solution[0], len(c))
		}
	}
	t.Reach = func(d *ChunkSums, c []Coefficient, tokens []ChunkToken) {
		if len(c) > 0 {
			avx512Reach(&d.Error[0], &c[0].V, &tokens[0].Solution[0], len(c))
		}
	}
	t.Forget = func(d *[Panel]float64, panel, column, before []float64, by *[Panel]float64) {
		avx512Forget(&d[0], &panel[0], &column[0], &before[0], &by[0], len(column))
	}
	t.Strides = func(d *[Panel]float64, panel, column []float64) {
		avx512Strides(&d[0], &panel[0], &column[0], len(column))
	}
	t.Gather = func(d *Gathered, values, errors []float64) {
		avx512Gather(&d.Sum[0], &values[0], &errors[0], len(values)/Panel)
	}
	return &t
}
