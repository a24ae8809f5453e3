package exact

import (
	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// With Options.Snapped a sum that a constant rounds (ball.Snapped) has that rounding in exact arithmetic, too, as a
// kernel means it that rounds by a magic number. Without, a note tells of such sums. Where a compiler may rewrite them
// they are still what is written, as decisions are: a device that takes (x + c) - c for x relies on what safe math does
// not allow.

// snaps reports whether a kernel has a constant that may round sums.
func snaps(k *ir.Kernel) bool {
	for _, r := range k.Regs {
		if r.Kind == ir.Literal && r.Type.IsFloat() &&
			ball.Snapping(float64(machine.F32frombits(machine.Literal32(r))), narrow(r.Type)) {
			return true
		}
	}
	return false
}

// snapped is a sum in a kernel that has such a constant: of(args), of which terms are the operands.
func (b *BallInstr) snapped(f *ball.Format, of func(x, y, z ball.Ball) ball.Ball,
	terms func(x, y, z ball.Ball) (a, b ball.Ball)) machine.Op {
	d, x, y, z := b.Dst[0], b.Args[0], b.Args[1], b.Args[len(b.Args)-1]
	pos, rounds, read := b.In.Pos, b.C.P.Options.Snapped, reader(b.C, f)
	return func(m *machine.Machine) {
		p, q, r := x.row(m, BallsOf(m).scratch), y.row(m, BallsOf(m).spare), z.row(m, BallsOf(m).third)
		row := target(m, d)
		for l, on := range RowMask(m, row) {
			if on == 0 || l >= len(row) {
				continue
			}
			u, v, w := at(p, l), at(q, l), at(r, l)
			sum := of(u, v, w)
			first, second := terms(read(u), read(v), read(w))
			to, tied, ok := ball.Snapped(sum, first, second, f)
			if ok && !rounds {
				note(m, pos, Snapped)
			} else if ok {
				sum = to
			}
			if tied && rounds {
				note(m, pos, Tied)
			}
			row[l] = sum
		}
	}
}

// snappedSum is the same for a sum or a difference.
func (b *BallInstr) snappedSum(f *ball.Format, of func(x, y ball.Ball) ball.Ball) machine.Op {
	sum := func(x, y, _ ball.Ball) ball.Ball { return of(x, y) }
	if b.In.Op == ir.Sub {
		return b.snapped(f, sum, func(x, y, _ ball.Ball) (ball.Ball, ball.Ball) { return x, ball.Neg(y) })
	}
	return b.snapped(f, sum, func(x, y, _ ball.Ball) (ball.Ball, ball.Ball) { return x, y })
}

// snappedFMA is the same for x·y + z.
func (b *BallInstr) snappedFMA(f *ball.Format, of func(x, y, z ball.Ball) ball.Ball) machine.Op {
	return b.snapped(f, of, func(x, y, z ball.Ball) (ball.Ball, ball.Ball) { return ball.Times(x, y), z })
}

// unlessSnapped is what becomes of a result that a compiler may rewrite, but for that of a sum with a constant that
// rounds.
func (b *BallInstr) unlessSnapped(of func(y ball.Ball, of [3]ball.Ball) ball.Ball) func(y ball.Ball,
	of [3]ball.Ball) ball.Ball {
	first := 0 // of the terms
	switch b.In.Op {
	case ir.Add, ir.Sub:
	case ir.FMA:
		first = 2
	default:
		return of
	}
	f := narrow(b.C.Typ(b.In.Dst[0]))
	if !b.C.P.Options.Snapped || !ExactOf(b.C.P).snaps {
		return of
	}
	return func(y ball.Ball, args [3]ball.Ball) ball.Ball {
		for _, c := range args[first:len(b.Args)] {
			if c.E == 0 && ball.Snapping(c.X, f) {
				return y.Leaf()
			}
		}
		return of(y, args)
	}
}
