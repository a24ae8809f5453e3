package simt

import "metalconform/metalrun/internal/ir"

// matmul compiles d = a·b + c on 8×8 matrices that are spread over simdgroups
// two elements a lane (ir.MatMul). Products and sums are f32, rounded to the
// format of d at the end; with contraction each step is one fma. A simdgroup in
// which some lanes are inactive faults, since Metal leaves that undefined.
func (c *compiler) matmul(in *ir.Instr) {
	args := make([]vec, len(in.Args))
	for i, r := range in.Args {
		args[i] = c.arg(r, false)
	}
	multiply := c.t.MulAddTile
	if c.p.options.Contract {
		multiply = c.t.FMATile
	}
	finish := c.finish(c.typ(in.Dst[0]), false)
	c.protect(in.Dst[0])
	c.protect(in.Dst[1])
	d0, d1 := c.define(in.Dst[0]).index, c.define(in.Dst[1]).index
	c.do(func(m *machine) {
		var x [6][]uint32
		for i, a := range args {
			x[i] = a(m)
		}
		out0, out1 := m.lanes(d0), m.lanes(d1)
		m.tiles(in, func(lo, hi int) {
			multiply(out0[lo:hi], out1[lo:hi], x[0][lo:], x[1][lo:], x[2][lo:], x[3][lo:], x[4][lo:], x[5][lo:])
			for _, loop := range finish {
				loop(out0[lo:hi], out0[lo:hi])
				loop(out1[lo:hi], out1[lo:hi])
			}
		})
	})
}

// tiles calls f for runs of simdgroups that take part, all of them whole.
func (m *machine) tiles(in *ir.Instr, f func(lo, hi int)) {
	if m.whole && m.n%Simdgroup == 0 {
		f(0, m.n)
		return
	}
	m.groups(Simdgroup, func(lo, hi int) {
		switch active := m.activeIn(lo, hi); active {
		case 0:
		case Simdgroup:
			f(lo, hi)
		default:
			m.fail(in.Pos, m.firstIn(lo, hi), "simdgroup matrix product with %d of 32 threads active", active)
		}
	})
}

func (m *machine) activeIn(lo, hi int) int {
	n := 0
	for l := lo; l < hi; l++ {
		n += int(m.mask[l] & 1)
	}
	return n
}
