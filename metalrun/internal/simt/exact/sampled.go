package exact

import (
	"math"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/machine"
)

// With Options.Sample errors are not bounded but drawn: each operation that may round errs by the most
// that it may, up or down by a fair coin, and what follows is exact. To first order the distance of such a
// value from the exact one is
//
//	z = Σ s_v·g_v·δ_v,  s_v = ±1,
//
// over the operations v, with the derivatives g of the result and the largest errors δ. Its variance
// V = Σ (g_v·δ_v)² is that of independent errors of mean 0 at the most, which paths that cancel make
// smaller: a bound E adds up sizes and does not see that. Where a value
// is rounded to a narrow format and read back, where bits are taken apart and in sums of atomics errors
// are not such, and nothing is known.

// sampled draws the errors of an operation's results.
func (b *BallInstr) sampled() machine.Op {
	moves := b.In.Op == ir.Copy || b.In.Op == ir.Select || b.In.Op == ir.Convert
	return func(m *machine.Machine) {
		for i, d := range b.Dst {
			if !d.typ.IsFloat() || !ExactOf(b.C.P).Depends(b.In.Dst[i]) ||
				*BallsOf(m).representations.of(d.Slot)&^materialised != written {
				continue
			}
			row := writableRow(m, d.Slot)
			if d.typ == ir.F32 {
				BallsOf(m).draw(row, RowMask(m, row))
			} else if !moves {
				forget(row)
			}
		}
	}
}

// draw moves values by their errors, and leaves them exact.
func (b *balls) draw(row []ball.Ball, mask []uint32) {
	var coins uint64
	for l := range row {
		if l%64 == 0 {
			coins = b.coins()
		}
		if mask[l] != 0 {
			move(&row[l], coins>>(l%64))
		}
	}
}

// move moves a value by its error, up or down by the last bit of coins, and leaves it exact.
func move(x *ball.Ball, coins uint64) {
	if x.E == 0 || !x.Known() {
		return
	}
	off := math.Max(x.E, float64(math.Abs(x.X)*0x1p-24))
	x.X += math.Float64frombits(math.Float64bits(off) ^ coins<<63)
	x.E = 0
}

// coins are the next 64 (Vigna, An experimental exploration of Marsaglia's xorshift generators, scrambled,
// 2016).
func (b *balls) coins() uint64 {
	b.drawn ^= b.drawn >> 12
	b.drawn ^= b.drawn << 25
	b.drawn ^= b.drawn >> 27
	return b.drawn * 0x2545f4914f6cdd1d
}

// enterSample begins the draws of a threadgroup.
func enterSample(m *machine.Machine) {
	z := m.P.Options.Sample<<40 ^ uint64(m.Group[2])<<26 ^ uint64(m.Group[1])<<13 ^ uint64(m.Group[0])
	z = (z + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	BallsOf(m).drawn = z ^ z>>31 | 1
}

// forget makes nothing known of inexact balls.
func forget(row []ball.Ball) {
	for l := range row {
		if row[l].E != 0 {
			row[l] = ball.Unknown(row[l].X)
		}
	}
}

// anchored is what a definition reads of a narrow format. A sample knows nothing of a rounding that
// may go another way.
func anchored(c *codegen.Compiler, f *ball.Format) func(x ball.Ball) ball.Ball {
	if c.P.Options.Sample == 0 {
		return f.Anchored
	}
	return func(x ball.Ball) ball.Ball {
		y := f.Anchored(x)
		if y.X != x.X {
			return ball.Unknown(y.X)
		}
		return y
	}
}
