package simt

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/scalar"
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
	multiply := c.t.MulAddTile
	if c.p.options.Contract {
		multiply = c.t.FMATile
	}
	if draw, ok := c.adversary.takes(in.Pos, tileOrder); ok {
		multiply = drawnTile(draw)
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
		m.tiles(in, "product", func(lo, hi int) {
			multiply(out0[lo:hi], out1[lo:hi], x[0][lo:], x[1][lo:], x[2][lo:], x[3][lo:], x[4][lo:], x[5][lo:])
			for _, loop := range finish {
				loop(out0[lo:hi], out0[lo:hi])
				loop(out1[lo:hi], out1[lo:hi])
			}
		})
	})
}

// tiles calls f for runs of simdgroups that take part, all of them whole.
func (m *machine) tiles(in *ir.Instr, what string, f func(lo, hi int)) {
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
			m.fail(in.Pos, m.firstIn(lo, hi), "simdgroup matrix %s with %d of 32 threads active", what, active)
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

// drawnTile is a matrix product whose sums take their terms in a drawn order, c
// among them, each product fused with the sum or none.
func drawnTile(draw uint64) func(d0, d1, a0, a1, b0, b1, c0, c1 []uint32) {
	terms := []int{0, 1, 2, 3, 4, 5, 6, 7, 8} // 8 is c
	for i := len(terms) - 1; i > 0; i-- {
		draw = mix(draw)
		j := int(draw % uint64(i+1))
		terms[i], terms[j] = terms[j], terms[i]
	}
	fused := draw>>40&1 != 0
	return func(d0, d1, a0, a1, b0, b1, c0, c1 []uint32) {
		for lo := 0; lo < len(d0); lo += Simdgroup {
			a, b, c := tile(a0[lo:], a1[lo:]), tile(b0[lo:], b1[lo:]), tile(c0[lo:], c1[lo:])
			for l := range Simdgroup {
				i := lanes.TileIndex(l)
				d0[lo+l] = f32bits(drawnSum(&a, &b, &c, i, terms, fused))
				d1[lo+l] = f32bits(drawnSum(&a, &b, &c, i+1, terms, fused))
			}
		}
	}
}

// drawnSum is one element of a matrix product.
func drawnSum(a, b, c *[64]float32, at int, terms []int, fused bool) float32 {
	var sum float32
	for n, k := range terms {
		if k == 8 {
			if sum += c[at]; n == 0 {
				sum = c[at]
			}
			continue
		}
		x, y := a[at&^7+k], b[8*k+at&7]
		switch {
		case n == 0:
			sum = x * y
		case fused:
			sum = scalar.FMA32(x, y, sum)
		default:
			sum += float32(x * y)
		}
	}
	return sum
}

// tile is a matrix of one simdgroup by rows.
func tile(x0, x1 []uint32) (t [64]float32) {
	for l := range Simdgroup {
		i := lanes.TileIndex(l)
		t[i], t[i+1] = f32frombits(x0[l]), f32frombits(x1[l])
	}
	return t
}
