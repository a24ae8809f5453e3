package loops

import "golang.org/x/sys/cpu"

//go:generate go run ./avx2 -pkg loops -out avx2_amd64.s -stubs avx2_amd64.go
//go:generate go run ./avx2 -wide -pkg loops -out avx512_amd64.s -stubs avx512_amd64.go

// Native is the fastest table that this processor can run.
func Native() *Table { return tables[0] }

// tables are those that this processor can run, the fastest first.
var tables = runnable()

func runnable() []*Table {
	list := []*Table{Portable}
	if cpu.X86.HasAVX2 {
		list = append([]*Table{avx2}, list...)
		if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL {
			list = append([]*Table{widened()}, list...)
		}
	}
	return list
}

// avx2 is the table for processors with AVX2. The generator of the assembly knows no types of
// this package: it is handed where numbers begin.
var avx2 = &Table{
	Name: "avx2",
	WeighInTurn: func(d, values []float64, weights []Weight, c *TileConstants) {
		avxWeighInTurn(&d[0], &values[0], &weights[0].W, &c.U, len(d)/TilePlanes, len(weights))
	},
	WeighInAnyOrder: func(d, values []float64, weights []Weight, c *TileConstants, depth []float64) {
		avxWeighInAnyOrder(&d[0], &values[0], &weights[0].W, &c.U, &depth[0], len(d)/TilePlanes, len(weights))
	},
	Carry: func(next, sums, tile []float64, c *CarryConstants) (least, most float64) {
		var x limits
		avxCarry(&next[0], &sums[0], &tile[0], &c.Factor, &x[0], len(sums)/SumPlanes)
		return x.limits()
	},
	Keep: func(next, sums, tile []float64, c *CarryConstants) (least, most float64) {
		var x limits
		avxKeep(&next[0], &sums[0], &tile[0], &c.Factor, &x[0], len(sums)/SumPlanes)
		return x.limits()
	},
	Weigh: func(sums, magnitudes, a, b []float64, x, y float64) {
		avxWeigh(&sums[0], &magnitudes[0], &a[0], &b[0], x, y, len(sums))
	},
	Compensated: func(sums, corrections, magnitudes, a []float64, x float64) {
		avxCompensated(&sums[0], &corrections[0], &magnitudes[0], &a[0], x, len(sums))
	},
	Scale: func(d *Norms, panel []float64, by float64, more *[Panel]float64) {
		avxScale(&d.Squares[0][0], &panel[0], &more[0], by, len(panel)/Panel)
	},
	Binades: func(d *Norms, panel []float64, more *[Panel]float64) {
		avxBinades(&d.Squares[0][0], &panel[0], &more[0], len(panel)/Panel)
	},
	Update: func(d *Sizes, panel, column []float64, by *[Panel]float64) {
		avxUpdate(&d.Squares[0][0], &panel[0], &column[0], &by[0], len(panel)/Panel)
	},
	Dots: func(d *DotSums, a, grown, panel []float64, at []int) {
		avxDots(&d.Value[0], &a[0], &grown[0], &panel[0], &at[0], len(a))
	},
	Blocks: func(d *DotSums, values, errors, a, grown, panel []float64) {
		avxBlocks(&d.Value[0], &values[0], &errors[0], &a[0], &grown[0], &panel[0], len(grown), len(a)/len(grown))
	},
	Tiles: func(d *DotSums, a, panel []float64, tile int, c *DotTile) {
		avxTiles(&d.Value[0], &a[0], &panel[0], &c.Terms, tile, len(a)/tile)
	},
	Inner: func(d *Inner, a, panel []float64) {
		if len(a) == 0 {
			*d = Inner{}
			return
		}
		avxInner(&d.Value[0], &a[0], &panel[0], len(a))
	},
	Decay: func(d *Products, panel, column []float64, by float64) {
		avxDecay(&d.Value[0], &panel[0], &column[0], by, len(column))
	},
	Learn: func(d *Products, panel, column, other []float64, by *[Panel]float64) {
		avxLearn(&d.Value[0], &panel[0], &column[0], &other[0], &by[0], len(column))
	},
	Solve: func(d *ChunkSums, c []Coefficient, tokens []ChunkToken) {
		if len(c) > 0 {
			avxSolve(&d.Error[0], &c[0].V, &tokens[0].Solution[0], len(c))
		}
	},
	Reach: func(d *ChunkSums, c []Coefficient, tokens []ChunkToken) {
		if len(c) > 0 {
			avxReach(&d.Error[0], &c[0].V, &tokens[0].Solution[0], len(c))
		}
	},
	Forget: func(d *[Panel]float64, panel, column, before []float64, by *[Panel]float64) {
		avxForget(&d[0], &panel[0], &column[0], &before[0], &by[0], len(column))
	},
	Strides: func(d *[Panel]float64, panel, column []float64) {
		avxStrides(&d[0], &panel[0], &column[0], len(column))
	},
	Take: func(d, errors []float64, weights *[3][2]float64) {
		avxTake(&d[0], &errors[0], &weights[0][0], len(d)/(3*Width))
	},
	Gather: func(d *Gathered, values, errors []float64) {
		avxGather(&d.Sum[0], &values[0], &errors[0], len(values)/Panel)
	},
	Decayed: func(r *StepRows, own *Local, n *Norms, c *StepToken) (beyond int) {
		return avxDecayed(&r.Error[0], &own[0], &n.Squares[0][0], &c.Decay)
	},
	Updated: func(r *StepRows, own *Local, y *Sums, s *Sizes, c *StepToken) {
		if c.Narrow {
			updated(r, own, y, s, c)
			return
		}
		avxUpdated(&r.Error[0], &own[0], &y.Value[0], &s.Squares[0][0], &c.Decay)
	},
	Rounded: func(r *StepRows, own *Local, n *Norms, c *StepToken) (beyond int) {
		return avxRounded(&r.Error[0], &own[0], &n.Squares[0][0], &c.Decay)
	},
	Give: func(p *Passed, r *StepRows, y *Sums, c *StepToken) (others int) {
		if !c.Regrouped {
			return give(p, r, y, c)
		}
		return avxGive(&p.Inherited[0], &r.Error[0], &y.Value[0], &c.Decay)
	},
	Sharpen: func(p *Passed, carried *Origins, slack, deviations float64) {
		avxSharpen(&p.Inherited[0], &carried[0], slack, deviations)
	},
	Open: func(d *Sums, g *Gathered, c *OpenConstants) (others int) {
		return avxOpen(&d.Value[0], &g.Sum[0], &c.Rounding)
	},
	Range: func(d *Sums, of *DotSums, sizes *[Panel]float64, c *RangeConstants) (others int) {
		return avxRange(&d.Value[0], &of.Value[0], &sizes[0], &c.Underflow)
	},
}

// limits are least numbers, and then the most, of some columns each.
type limits [2 * Width]float64

func (x *limits) limits() (least, most float64) {
	least, most = x[0], x[Width]
	for i := range Width {
		least, most = lesser(x[i], least), greater(x[Width+i], most)
	}
	return least, most
}
