package codegen

import (
	"math"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// matmul compiles d = a·b + c on 8×8 matrices that are spread over simdgroups
// two elements a lane (ir.MatMul). Products and sums are f32, rounded to the
// format of d at the end; with contraction each step is one fma. A simdgroup in
// which some lanes are inactive faults, since Metal leaves that undefined.
func (c *Compiler) matmul(in *ir.Instr) {
	args := make([]machine.Vec, len(in.Args))
	for i, r := range in.Args {
		args[i] = c.arg(r, false)
	}
	multiply := c.t.MulAddTile
	if c.P.Options.Contract {
		multiply = c.t.FMATile
	}
	if draw, ok := c.adversary.takes(in.Pos, machine.TileOrder); ok {
		multiply = c.drawnTile(draw)
	}
	finish := c.finish(c.Typ(in.Dst[0]), false)
	c.protect(in.Dst[0])
	c.protect(in.Dst[1])
	d0, d1 := c.Define(in.Dst[0]).Index, c.Define(in.Dst[1]).Index
	c.Do(func(m *machine.Machine) {
		var x [6][]uint32
		for i, a := range args {
			x[i] = a(m)
		}
		out0, out1 := m.Lanes(d0), m.Lanes(d1)
		m.Tiles(in, "product", func(lo, hi int) {
			multiply(out0[lo:hi], out1[lo:hi], x[0][lo:], x[1][lo:], x[2][lo:], x[3][lo:], x[4][lo:], x[5][lo:])
			for _, loop := range finish {
				loop(out0[lo:hi], out0[lo:hi])
				loop(out1[lo:hi], out1[lo:hi])
			}
		})
	})
}

// drawnTile is a matrix product whose sums take their terms in a drawn order, with c
// before or after them, each product fused with the sum or none.
func (c *Compiler) drawnTile(draw uint64) func(d0, d1, a0, a1, b0, b1, c0, c1 []uint32) {
	multiply := c.t.MulAddTile
	if draw&1 != 0 {
		multiply = c.t.FMATile
	}
	last := draw&2 != 0
	terms := [8]int{0, 1, 2, 3, 4, 5, 6, 7}
	for i := len(terms) - 1; i > 0; i-- {
		draw = machine.Mix(draw)
		j := int(draw % uint64(i+1))
		terms[i], terms[j] = terms[j], terms[i]
	}
	columns := machine.Reordered(func(i int) int { return i&^7 | terms[i&7] })
	rows := machine.Reordered(func(i int) int { return 8*terms[i>>3] | i&7 })
	var none [machine.Simdgroup]uint32 // added to a product it changes nothing
	for l := range none {
		none[l] = machine.F32bits(float32(math.Copysign(0, -1)))
	}
	return func(d0, d1, a0, a1, b0, b1, c0, c1 []uint32) {
		t := machine.Tiles.Get().(*[3]machine.Tile)
		defer machine.Tiles.Put(t)
		a, b, sum := &t[0], &t[1], &t[2]
		for lo := 0; lo < len(d0); lo += machine.Simdgroup {
			hi := lo + machine.Simdgroup
			*a, *b = columns.Of(a0[lo:hi], a1[lo:hi]), rows.Of(b0[lo:hi], b1[lo:hi])
			d0, d1, c0, c1 := d0[lo:hi], d1[lo:hi], c0[lo:hi], c1[lo:hi]
			if !last {
				multiply(d0, d1, a[:machine.Simdgroup], a[machine.Simdgroup:], b[:machine.Simdgroup],
					b[machine.Simdgroup:], c0, c1)
				continue
			}
			multiply(sum[:machine.Simdgroup], sum[machine.Simdgroup:], a[:machine.Simdgroup], a[machine.Simdgroup:],
				b[:machine.Simdgroup], b[machine.Simdgroup:], none[:], none[:])
			c.t.AddF.VV(sum[:machine.Simdgroup], sum[:machine.Simdgroup], c0)
			c.t.AddF.VV(sum[machine.Simdgroup:], sum[machine.Simdgroup:], c1)
			copy(d0, sum[:machine.Simdgroup])
			copy(d1, sum[machine.Simdgroup:])
		}
	}
}
