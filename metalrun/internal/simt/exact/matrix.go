package exact

import (
	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/lanes"
	"metalconform/metalrun/internal/simt/machine"
)

// tileOperand is how balls of lanes become a matrix: two rows, one for each of the elements of a lane.
type tileOperand struct {
	rows [2]BallOperand
	read func(x ball.Ball) ball.Ball // what a product reads of them

	anchors *ball.Format // that is what a reader of the format gets; nil: it is something else
	plain   bool         // a value that every device has is read as it is
	half    bool         // subnormals of half may count as zero
}

// tileRow is such a row in a launch: balls, or values that every device has.
type tileRow struct {
	balls  []ball.Ball
	values []float32
}

// product is a product of 8×8 matrices: each element is a sum of eight products and of c, in any
// order, each product rounded or not.
func (b *BallInstr) product() machine.Op {
	c := b.C
	f := narrow(c.Typ(b.In.Dst[0]))
	var x [3]tileOperand
	for k := range x {
		own := narrow(b.Args[2*k].Typ)
		x[k] = tileOperand{rows: [2]BallOperand(b.Args[2*k:]), read: widened(c, own), plain: c.P.Options.Sample == 0}
		x[k].half = own == ball.Half
		if k == 2 {
			x[k].read = reader(c, f)
		}
		if !c.P.Options.Unanchored && c.P.Options.Sample == 0 {
			x[k].anchors = own
		}
	}
	if c.P.Options.Doubles {
		return b.productOfDoubles(&x)
	}
	return func(m *machine.Machine) {
		var in [3][2]tileRow
		for k := range x {
			in[k] = x[k].in(m)
		}
		out := [2][]ball.Ball{target(m, b.Dst[0]), target(m, b.Dst[1])}
		t := BallsOf(m).tiles
		m.Groups(machine.Simdgroup, func(lo, hi int) {
			if hi-lo < machine.Simdgroup || m.Mask[lo] == 0 {
				return
			}
			for k := range x {
				for j := range 2 {
					x[k].take(m, &t[k], &in[k][j], lo, j)
				}
			}
			d := &t[3]
			ExactOf(c.P).rows.Tile(d, &t[0], &t[1], &t[2])
			for j, row := range out {
				row := (*[machine.Simdgroup]ball.Ball)(row[lo:hi])
				for l := range row {
					at := tileAt[l] + j&1
					if row[l] = (ball.Ball{X: d.X[at&63], E: d.E[at&63]}); f == ball.Half {
						row[l] = f.Flushed(row[l])
					}
				}
			}
		})
	}
}

// tileAt is where lanes have their first elements.
var tileAt = func() (at [machine.Simdgroup]int) {
	for l := range at {
		at[l] = lanes.TileIndex(l)
	}
	return at
}()

// in is the operand in a launch.
func (o *tileOperand) in(m *machine.Machine) (rows [2]tileRow) {
	for j := range o.rows {
		at := o.rows[j].At
		if o.plain && at.Varying && *BallsOf(m).representations.of(at) != written {
			rows[j].values = machine.AsF(m.Lanes(at.Index))
		} else {
			rows[j].balls = ReadRow(m, at)
		}
	}
	return rows
}

// take puts element j of each lane of the simdgroup from lo on into a matrix.
func (o *tileOperand) take(m *machine.Machine, t *ball.Matrix, from *tileRow, lo, j int) {
	if from.values != nil {
		for l, v := range (*[machine.Simdgroup]float32)(from.values[lo:]) {
			y := o.operand(ball.Of(float64(v)))
			at := (tileAt[l] + j) & 63
			t.X[at], t.E[at] = y.X, y.E
		}
		return
	}
	row := from.balls
	switch {
	case len(row) == 1:
		y := o.operand(o.read(row[0]))
		for l := range tileAt {
			at := (tileAt[l] + j) & 63
			t.X[at], t.E[at] = y.X, y.E
		}
		return
	case o.anchors != nil:
		anchored := BallsOf(m).anchored[:]
		ExactOf(m.P).rows.Anchored(o.anchors, anchored, row[lo:lo+machine.Simdgroup], nil)
		row = anchored
	case o.rows[j].Typ == ir.F32:
		row = row[lo : lo+machine.Simdgroup]
	default:
		read := BallsOf(m).anchored[:]
		for l := range read {
			read[l] = o.read(row[lo+l])
		}
		row = read
	}
	for l := range (*[machine.Simdgroup]ball.Ball)(row) {
		y := o.operand(row[l])
		at := (tileAt[l] + j) & 63
		t.X[at], t.E[at] = y.X, y.E
	}
}

// operand is what a product may read of an element.
func (o *tileOperand) operand(x ball.Ball) ball.Ball {
	if o.half {
		return ball.Half.Flushed(x)
	}
	return x
}

// productOfDoubles also carries what X lacks.
func (b *BallInstr) productOfDoubles(of *[3]tileOperand) machine.Op {
	half := narrow(b.C.Typ(b.In.Dst[0])) == ball.Half
	return func(m *machine.Machine) {
		m.Groups(machine.Simdgroup, func(lo, hi int) {
			if hi-lo < machine.Simdgroup || m.Mask[lo] == 0 {
				return
			}
			var x [3][64]ball.Ball
			t := BallsOf(m).tiles
			for k := range x {
				for j := range 2 {
					row := ReadRow(m, of[k].rows[j].At)
					for l, at := range tileAt {
						y := of[k].operand(of[k].read(row[min(lo+l, len(row)-1)]))
						x[k][at+j], t[k].X[at+j], t[k].E[at+j] = y, y.X, y.E
					}
				}
			}
			ExactOf(b.C.P).rows.Tile(&t[3], &t[0], &t[1], &t[2])
			for j := range 2 {
				row := writableRow(m, b.Dst[j].Slot)
				for l, at := range tileAt {
					value := ball.Ball{X: t[3].X[at+j], E: t[3].E[at+j]}
					if half {
						value = ball.Half.Flushed(value)
					}
					row[min(lo+l, len(row)-1)] = doubleElement(value, &x[0], &x[1], &x[2], at+j)
				}
			}
		})
	}
}
