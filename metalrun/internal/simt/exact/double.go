package exact

import (
	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/scalar"
	"metalconform/metalrun/internal/simt/machine"
)

// With Options.Doubles the exact value of a float is carried in double-double. An operation first
// does to balls what it always does, and then gives its result the value that the
// operands' values have in double-double: errors, and what lanes decide, stay as they are. What
// only moves balls moves their values whole. Functions that package ball does not have in
// double-double, and what atomic operations add up, have a value of float64.

// doubled gives the results of an operation their values in double-double.
func (b *BallInstr) doubled(plain machine.Op) machine.Op {
	of := b.double()
	if !b.C.P.Options.Doubles || of == nil || plain == nil {
		return plain
	}
	d := b.Dst[0]
	return func(m *machine.Machine) {
		room := [...][]ball.Ball{BallsOf(m).scratch, BallsOf(m).spare, BallsOf(m).third}
		var args [3][]ball.Ball
		for i := range args {
			args[i] = b.Args[min(i, len(b.Args)-1)].row(m, room[i])
		}
		row := target(m, d)
		mask := RowMask(m, row)
		values := BallsOf(m).doubles[:len(row)]
		for l := range row {
			if mask[l] != 0 {
				values[l] = of(double(args[0], l), double(args[1], l), double(args[2], l))
			}
		}
		plain(m)
		for l := range row {
			if mask[l] != 0 {
				row[l] = row[l].Valued(values[l])
			}
		}
	}
}

// double is the value of a lane.
func double(row []ball.Ball, l int) ball.Double { return row[min(l, len(row)-1)].Double() }

// double is the operation in double-double; nil if there is none.
func (b *BallInstr) double() func(x, y, z ball.Double) ball.Double {
	if !b.C.Typ(b.In.Dst[0]).IsFloat() {
		return nil
	}
	two := func(f func(x, y ball.Double) ball.Double) func(x, y, z ball.Double) ball.Double {
		return func(x, y, _ ball.Double) ball.Double { return f(x, y) }
	}
	switch b.In.Op {
	case ir.Add:
		return two(ball.AddDouble)
	case ir.Sub:
		return two(ball.SubDouble)
	case ir.Mul:
		return two(ball.MulDouble)
	case ir.Div:
		return two(ball.DivDouble)
	case ir.FMA:
		return func(x, y, z ball.Double) ball.Double { return ball.AddDouble(ball.MulDouble(x, y), z) }
	case ir.Math:
		if fn := scalar.Float(b.In.Fn); fn != nil {
			if f := ball.DoubleFunction(fn.Name); f != nil {
				return two(f)
			}
		}
	}
	return nil
}

// doubleReducer is a reduction f of the lanes of a group with the value in double-double.
func (b *BallInstr) doubleReducer(f func(of []ball.Ball) ball.Ball, start ball.Double,
	by func(x, y ball.Double) ball.Double) func(of []ball.Ball) ball.Ball {
	if !b.C.P.Options.Doubles {
		return f
	}
	return func(of []ball.Ball) ball.Ball {
		value := start
		for _, x := range of {
			value = by(value, x.Double())
		}
		return f(of).Valued(value)
	}
}

// doubleElement gives element i of a·b + c its value in double-double.
func doubleElement(d ball.Ball, a, b, c *[64]ball.Ball, i int) ball.Ball {
	value := c[i].Double()
	for k := range 8 {
		value = ball.AddDouble(value, ball.MulDouble(a[i&^7+k].Double(), b[i&7+8*k].Double()))
	}
	return d.Valued(value)
}
