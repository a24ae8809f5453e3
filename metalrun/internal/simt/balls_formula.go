package simt

import (
	"math"
	"strings"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/scalar"
)

// tapes prepares an instruction for a tape: its formula, and what kind of rounding it is.
func (b *ballInstr) tapes() {
	in := b.in
	t := b.c.typ(in.Dst[0])
	switch in.Op {
	case ir.Simd:
		name, _ := simdName(in.Fn)
		b.prefix, b.exclusive = strings.HasPrefix(name, "prefix"), strings.Contains(name, "exclusive")
		b.multiplies = strings.HasSuffix(name, "product")
		b.selects = name == "min" || name == "max"
		b.reduces = t.IsFloat() && (b.multiplies || b.selects || strings.HasSuffix(name, "sum"))
		b.permutes = t.IsFloat() && (strings.HasPrefix(name, "shuffle") || strings.HasPrefix(name, "broadcast"))
	case ir.Convert:
		from := narrow(in.From.Type())
		switch to := narrow(t); {
		case !in.From.Type().IsFloat() || !t.IsFloat():
		case to != nil && from != to:
			b.rounds = to
		case from != nil && to == nil:
			b.reads = true
			b.anchors = !b.c.p.options.Unanchored
		}
	}
	b.formula = b.formulaOf(t)
}

// formulaOf is what the instruction computes, in exact arithmetic; nil for what is no function of
// floats.
func (b *ballInstr) formulaOf(t ir.Type) func(a []ball.Ball) ball.Ball {
	in := b.in
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
