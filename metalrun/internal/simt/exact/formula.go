package exact

import (
	"math"
	"strings"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/scalar"
	"metalconform/metalrun/internal/simt/machine"
)

// traces prepares an instruction for a trace: its formula, and what kind of rounding it is.
func (b *BallInstr) traces() {
	in := b.In
	t := b.C.Typ(in.Dst[0])
	switch in.Op {
	case ir.Simd:
		name, _ := machine.SimdName(in.Fn)
		b.Prefix, b.Exclusive = strings.HasPrefix(name, "prefix"), strings.Contains(name, "exclusive")
		b.Multiplies = strings.HasSuffix(name, "product")
		b.Selects = name == "min" || name == "max"
		b.Reduces = t.IsFloat() && (b.Multiplies || b.Selects || strings.HasSuffix(name, "sum"))
		b.Permutes = t.IsFloat() && (strings.HasPrefix(name, "shuffle") || strings.HasPrefix(name, "broadcast"))
	case ir.Convert:
		from := narrow(in.From.Type())
		switch to := narrow(t); {
		case !in.From.Type().IsFloat() || !t.IsFloat():
		case to != nil && from != to:
			b.Rounds = to
		case from != nil && to == nil:
			b.Reads = true
			b.Anchors = !b.C.P.Options.Unanchored
		}
	}
	b.Formula = b.formulaOf(t)
}

// formulaOf is what the instruction computes, in exact arithmetic; nil for what is no function of
// floats.
func (b *BallInstr) formulaOf(t ir.Type) func(a []ball.Ball) ball.Ball {
	in := b.In
	two := func(f func(x, y ball.Ball) ball.Ball) func(a []ball.Ball) ball.Ball {
		return func(a []ball.Ball) ball.Ball { return f(a[0], a[len(a)-1]) }
	}
	if !t.IsFloat() {
		return nil
	}
	switch in.Op {
	case ir.Copy, ir.Convert:
		return func(a []ball.Ball) ball.Ball { return a[0] }
	case ir.Select:
		return func(a []ball.Ball) ball.Ball {
			if a[0].X != 0 {
				return a[1]
			}
			return a[2]
		}
	case ir.Add:
		return two(ball.Add)
	case ir.Sub:
		return two(ball.Sub)
	case ir.Mul:
		return two(ball.Mul)
	case ir.Div:
		return two(ball.Div)
	case ir.Neg:
		return func(a []ball.Ball) ball.Ball { return ball.Neg(a[0]) }
	case ir.FMA:
		return func(a []ball.Ball) ball.Ball { return ball.FMA(a[0], a[1], a[2]) }
	case ir.Math:
		if fn, _ := in.Integer(); fn != nil {
			return nil
		}
		fn := scalar.Float(in.Fn)
		if fn.Scale != nil {
			return func(a []ball.Ball) ball.Ball { return ball.Ball{X: math.Ldexp(a[0].X, int(a[1].X))} }
		}
		if of := ball.Float(fn, nil, false); of != nil {
			return two(of)
		}
	}
	return nil
}
