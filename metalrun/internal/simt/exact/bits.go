package exact

import (
	"math"
	"math/bits"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// Kernels round floats, and take their signs and exponents, by arithmetic on their bits. As long as it keeps their
// order it is followed (package ball); what is not takes bits apart.

// bitwise compiles an operation on bits with what it makes of balls that are not certain; nil for
// what is not followed.
func (b *BallInstr) bitwise(of func(x, y ball.Ball) ball.Ball) (before, after machine.Op) {
	if of == nil || b.C.P.Options.Sample != 0 {
		return nil, b.opaque()
	}
	d, x, y := b.Dst[0], b.Args[0], b.Args[len(b.Args)-1]
	return func(m *machine.Machine) {
		p, q := x.row(m, BallsOf(m).scratch), y.row(m, BallsOf(m).spare)
		row := target(m, d)
		for l, on := range RowMask(m, row) {
			if on == 0 || l >= len(row) {
				continue
			}
			u, v := p[min(l, len(p)-1)], q[min(l, len(q)-1)]
			if u.E == 0 && v.E == 0 {
				row[l] = ball.Ball{}
				continue
			}
			if row[l] = of(u, v); !row[l].Known() && (b.In.Op == ir.Bitcast || between(u) || between(v)) {
				note(m, b.In.Pos, TakenApart)
			}
		}
	}, b.ownValues()
}

// between reports whether an integer was made of bits: exact arithmetic has it between two.
func between(x ball.Ball) bool { return x.Known() && x.X != math.Floor(x.X) }

// ownValues gives results that every device has their values, and forgets integers that may have wrapped around.
func (b *BallInstr) ownValues() machine.Op {
	d := b.Dst[0]
	if !d.typ.IsFloat() {
		return b.exactIntegers()
	}
	return func(m *machine.Machine) {
		row := writableRow(m, d.Slot)
		for l, on := range RowMask(m, row) {
			if on != 0 && l < len(row) && row[l].E == 0 {
				row[l] = valueBall(m, d.Slot, d.typ, l)
			}
		}
	}
}

// recast takes a float for an integer, or the other way round.
func (b *BallInstr) recast() (before, after machine.Op) {
	from, to := b.Args[0].Typ, b.C.Typ(b.In.Dst[0])
	switch {
	case b.C.P.Options.Sample != 0:
	case from.IsFloat() && to == ir.I32:
		return b.bitwise(func(x, _ ball.Ball) ball.Ball { return ball.Bits(x, narrow(from)) })
	case from == ir.I32 && to.IsFloat():
		return b.bitwise(func(x, _ ball.Ball) ball.Ball { return ball.FromBits(x, narrow(to)) })
	}
	return nil, b.bits()
}

// onBits is an operation on integers of 32 bits; nil if it is not followed. Where an integer that was made of
// bits moves up, what was dropped below is gone: it is rounded.
func (b *BallInstr) onBits() func(x, y ball.Ball) ball.Ball {
	rounded := ball.Ball.Whole
	if b.C.P.Options.Unanchored {
		rounded = func(x ball.Ball) ball.Ball { return x }
	}
	switch b.In.Op {
	case ir.Shl:
		return byCertain(func(x ball.Ball, k int) ball.Ball { return shiftedLeft(rounded(x), k) })
	case ir.LShr:
		return byCertain(func(x ball.Ball, k int) ball.Ball { return ball.Shifted(ball.Unsigned(x), k) })
	case ir.AShr:
		return byCertain(ball.Shifted)
	case ir.And:
		return func(x, y ball.Ball) ball.Ball {
			if x.E == 0 {
				x, y = y, x
			}
			if y.E != 0 {
				return ball.Unknown(0)
			}
			return masked(x, uint32(int64(y.X)), rounded)
		}
	case ir.Or:
		return func(x, y ball.Ball) ball.Ball {
			if x.One() && y.One() { // what it is stands in the register
				return ball.Ball{}
			}
			if x.One() {
				x, y = y, x
			}
			return topped(x, y)
		}
	}
	return nil
}

// byCertain shifts by a number of bits that every device has.
func byCertain(shift func(x ball.Ball, k int) ball.Ball) func(x, y ball.Ball) ball.Ball {
	return func(x, y ball.Ball) ball.Ball {
		if y.E != 0 || !x.Known() {
			return ball.Unknown(0)
		}
		return shift(x, int(int64(y.X))&31)
	}
}

// shiftedLeft is x shifted left by k bits.
func shiftedLeft(x ball.Ball, k int) ball.Ball {
	return signed(ball.Within(ball.Ball{X: x.X * float64(uint64(1)<<k), E: x.E * float64(uint64(1)<<k)}, 1<<32))
}

// signed is an integer of 32 bits as it is carried, with a sign.
func signed(x ball.Ball) ball.Ball {
	switch low, high := x.Span(); {
	case high < 1<<31:
		return x
	case low >= 1<<31:
		x.X -= 1 << 32
		return x
	}
	return ball.Unknown(0)
}

// withoutSign is an operation on integers of 32 bits without a sign.
func withoutSign(of func(x, y ball.Ball) ball.Ball) func(x, y ball.Ball) ball.Ball {
	return func(x, y ball.Ball) ball.Ball {
		if x, y = ball.Unsigned(x), ball.Unsigned(y); !x.Known() || !y.Known() {
			return ball.Unknown(x.X)
		}
		return signed(of(x, y))
	}
}

// topped is x with bits of y, which every device has, above all that x may have.
func topped(x, y ball.Ball) ball.Ball {
	low, high := x.Span()
	above, _ := y.Span()
	if !x.Known() || !y.One() || low < 0 || bits.TrailingZeros32(uint32(int64(above))) < bits.Len64(uint64(high)) {
		return ball.Unknown(0)
	}
	x.X += above
	return x
}

// masked is x with the bits of a mask that has them all in a row.
func masked(x ball.Ball, mask uint32, rounded func(x ball.Ball) ball.Ball) ball.Ball {
	low, high := bits.TrailingZeros32(mask), bits.Len32(mask)
	if !x.Known() || mask == 0 || bits.OnesCount32(mask) != high-low {
		return ball.Unknown(0)
	}
	if low > 0 {
		x = rounded(ball.Shifted(x, low))
	}
	if high < 32 {
		x = ball.Within(x, float64(uint64(1)<<(high-low)))
	}
	return shiftedLeft(x, low)
}
