package adjoint

import (
	"math"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/exact"
	"metalconform/metalrun/internal/simt/lanes"
	"metalconform/metalrun/internal/simt/machine"
)

// derivatives sets by to those of the formula at exact operands, where it is y.
func derivatives(b *exact.BallInstr, by []float64, at []ball.Ball, y float64) {
	clear(by)
	switch b.In.Op {
	case ir.Copy, ir.Convert:
		if by[0] = 1; b.Anchors || !b.In.From.Type().IsFloat() && b.In.Op == ir.Convert {
			by[0] = 0
		}
	case ir.Select:
		by[2] = 1
		if at[0].X != 0 {
			by[1], by[2] = 1, 0
		}
	case ir.Add:
		by[0], by[1] = 1, 1
	case ir.Sub:
		by[0], by[1] = 1, -1
	case ir.Mul:
		by[0], by[1] = at[1].X, at[0].X
	case ir.Div:
		by[0], by[1] = 1/at[1].X, -y/at[1].X
	case ir.Neg:
		by[0] = -1
	case ir.FMA:
		by[0], by[1], by[2] = at[1].X, at[0].X, 1
	default: // by differences: they are for shares, of which three digits are shown
		for j := range by {
			x := at[j].X
			h := math.Max(math.Abs(x), 0x1p-60) * 0x1p-18
			at[j].X = x + h
			above := b.Formula(at).X
			at[j].X = x - h
			by[j] = (above - b.Formula(at).X) / (2 * h)
			at[j].X = x
		}
	}
}

// product records a product of 8×8 matrices: each element is a sum of nine terms.
func (t *trace) product(m *machine.Machine, b *exact.BallInstr) {
	typ := b.C.Typ(b.In.Dst[0])
	through := 1.0 // operands that are rounded in the definition too pass nothing on
	if b.Args[0].Typ != ir.F32 && !b.C.P.Options.Unanchored {
		through = 0
	}
	for lo := 0; lo+machine.Simdgroup <= len(t.lanes); lo += machine.Simdgroup {
		first := t.lanes[lo]
		for l := range machine.Simdgroup {
			for j := range 2 {
				row, col := tilePlace(l, j)
				r := operation{sum: true, dst: []int32{t.register(b.Dst[j].Slot, first+l)}, actual: make([]float64, 1),
					bound: make([]float64, 1)}
				result := exact.ReadRow(m, b.Dst[j].Slot)
				known, got := result[min(first+l, len(result)-1)], exact.Number(m, b.Dst[j].Slot, typ, first+l)
				exact, bound := t.values[4+j][lo+l], known.E
				term := func(arg, lane int, by float64) {
					r.src, r.by = append(r.src, t.register(b.Args[arg].At, first+lane)), append(r.by, sane(by))
					bound -= math.Abs(by) * t.errors[arg][lo+lane]
				}
				term(4+j, l, 1)
				for k := range 8 {
					la, ja := tileLane(row, k)
					lb, jb := tileLane(k, col)
					exact += float64(t.values[ja][lo+la] * t.values[2+jb][lo+lb])
					term(ja, la, through*t.exacts[2+jb][lo+lb])
					term(2+jb, lb, through*t.exacts[ja][lo+la])
				}
				r.actual[0], r.bound[0] = sane(got-exact), math.Max(0, sane(bound))
				t.add(b.In, r)
			}
		}
	}
}

// tilePlace is the element of an 8×8 matrix that register j of a lane has.
func tilePlace(lane, j int) (row, col int) {
	i := lanes.TileIndex(lane) + j
	return i / 8, i % 8
}

// tileLane is the lane that has an element, and the register.
func tileLane(row, col int) (lane, j int) {
	return row&4<<2 | row&3<<1 | col&4<<1 | col>>1&1, col & 1
}
