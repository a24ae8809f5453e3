package simt

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/lanes"
)

// matmul compiles d = a·b + c on 8×8 matrices that are spread over simdgroups
// two elements a lane (ir.MatMul). Products and sums are f32, rounded to the
// format of d at the end; with contraction each step is one fma. A simdgroup in
// which some lanes are inactive faults, since Metal leaves that undefined.
func (c *compiler) matmul(in *ir.Instr) {
	args := make([]vec, len(in.Args))
	for i, r := range in.Args {
		args[i] = c.arg(r, false)
	}
	multiply := lanes.MulAddTile
	if c.p.options.Contract {
		multiply = lanes.FMATile
	}
	round := c.finish(c.typ(in.Dst[0]))
	c.protect(in.Dst[0])
	c.protect(in.Dst[1])
	d0, d1 := c.define(in.Dst[0]).index, c.define(in.Dst[1]).index
	c.emit(func(m *machine) {
		var x [6][]float32
		for i, a := range args {
			x[i] = asF(a(m))
		}
		out0, out1 := asF(m.lanes(d0)), asF(m.lanes(d1))
		m.groups(Simdgroup, func(lo, hi int) {
			switch m.activeIn(lo, hi) {
			case 0:
				return
			case Simdgroup:
			default:
				m.fail(in.Pos, m.firstIn(lo, hi), "simdgroup matrix product with %d of 32 threads active", m.activeIn(lo, hi))
			}
			a, b, sum := gather8(x[0][lo:hi], x[1][lo:hi]), gather8(x[2][lo:hi], x[3][lo:hi]), gather8(x[4][lo:hi], x[5][lo:hi])
			multiply(&sum, &a, &b)
			round(sum[:])
			scatter8(&sum, out0[lo:hi], out1[lo:hi])
		})
	})
}

func (m *machine) activeIn(lo, hi int) int {
	n := 0
	for l := lo; l < hi; l++ {
		n += int(m.mask[l] & 1)
	}
	return n
}

// tileIndex is the place in a row-major 8×8 matrix of a lane's first element.
func tileIndex(lane int) int {
	q := lane / 4
	row := q&4 + lane/2%4
	col := (q&2)*2 + lane%2*2
	return row*8 + col
}

func gather8(e0, e1 []float32) (t [64]float32) {
	for l := range e0 {
		i := tileIndex(l)
		t[i], t[i+1] = e0[l], e1[l]
	}
	return t
}

func scatter8(t *[64]float32, e0, e1 []float32) {
	for l := range e0 {
		i := tileIndex(l)
		e0[l], e1[l] = t[i], t[i+1]
	}
}
