package simt

import (
	"math"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
)

// Where the mode of mathematics lets a compiler rewrite expressions, an operation first does to balls
// what it always does, and is then taken for any expression that is the same in exact arithmetic
// (ball/tree.go). Expressions begin where memory is read, as those of the adversaries do
// (ir/fastmath). Of sums and products of a narrow format in a row nothing is known.

// rewritable is what allows other operations than those of the source, and impossible what makes the
// results of some unspecified.
const (
	rewritable = ir.Reassociate | ir.Reciprocal
	impossible = ir.NoNaNs | ir.NoInfs
)

// mayRewrite reports whether a compiler may rewrite some operation of a kernel.
func mayRewrite(k *ir.Kernel) bool {
	for in := range ir.Instrs(k.Body...) {
		if in.Allow&(rewritable|impossible) != 0 {
			return true
		}
	}
	return false
}

// rewritten gives the result of an operation that a compiler may rewrite what any rewriting may be
// off by, and ends expressions elsewhere.
func (b *ballInstr) rewritten(before, after op) (op, op) {
	of := b.rewriting()
	if !b.c.p.rewritten || of == nil || len(b.dst) != 1 {
		return before, after
	}
	d := b.dst[0]
	keep := func(m *machine) { // operands whose place the result may take
		room := [...][]ball.Ball{m.balls.scratch, m.balls.spare, m.balls.third}
		for i := range min(len(b.args), len(room)) {
			m.balls.kept[i] = append(m.balls.kept[i][:0], b.args[i].row(m, room[i])...)
		}
		if before != nil {
			before(m)
		}
	}
	return keep, func(m *machine) {
		if after != nil {
			after(m)
		}
		row := m.row(d.slot)
		mask := m.rowMask(row)
		var args [3]ball.Ball
		for l := range row {
			if mask[l] == 0 {
				continue
			}
			for i := range min(len(b.args), len(args)) {
				args[i] = at(m.balls.kept[i], l)
			}
			row[l] = of(row[l], args)
		}
	}
}

// at is the ball of a lane.
func at(row []ball.Ball, l int) ball.Ball { return row[min(l, len(row)-1)] }

// rewriting is what becomes of a result y as written; nil if it stays what it is.
func (b *ballInstr) rewriting() func(y ball.Ball, of [3]ball.Ball) ball.Ball {
	in, plain := b.in, b.reordering()
	if plain != nil {
		plain = b.unlessSnapped(plain)
	}
	if in.Allow&impossible == 0 {
		return plain
	}
	float, read := b.c.typ(in.Dst[0]).IsFloat(), len(b.args)
	if in.Op == ir.Select { // what it does not select does not matter
		read = 0
	}
	return func(y ball.Ball, of [3]ball.Ball) ball.Ball {
		special := float && meets(in.Allow, y.X)
		for _, x := range of[:min(read, len(of))] {
			special = special || meets(in.Allow, x.X)
		}
		switch {
		case special:
			return ball.Unknown(y.X)
		case in.Op == ir.Math && (in.Fn == "min" || in.Fn == "max"): // a comparison, to which both may be zero
			return ball.EitherTiny(y, of[0], of[1])
		case plain != nil:
			return plain(y, of)
		}
		return y
	}
}

// meets reports whether a number is one that a licence takes for impossible.
func meets(allow ir.Licence, x float64) bool {
	return allow&ir.NoNaNs != 0 && x != x || allow&ir.NoInfs != 0 && math.IsInf(x, 0)
}

// reordering is the same for finite numbers.
func (b *ballInstr) reordering() func(y ball.Ball, of [3]ball.Ball) ball.Ball {
	in, t := b.in, b.c.typ(b.in.Dst[0])
	leaf := func(y ball.Ball, _ [3]ball.Ball) ball.Ball { return y.Leaf() }
	switch {
	case in.Op == ir.Copy || in.Op == ir.Select || in.Op == ir.Neg || !t.IsFloat():
		return nil
	case in.Allow&rewritable == 0 || in.Op == ir.Convert:
		return leaf
	case t != ir.F32:
		if b.inARow() {
			return func(y ball.Ball, _ [3]ball.Ball) ball.Ball { return ball.Unknown(y.X) }
		}
		return leaf
	}
	switch in.Op {
	case ir.Add, ir.Sub:
		return func(y ball.Ball, of [3]ball.Ball) ball.Ball { return ball.ReorderedSum(y, of[0], of[1]) }
	case ir.Mul:
		factor := b.factor()
		return func(y ball.Ball, of [3]ball.Ball) ball.Ball {
			return ball.ReorderedProduct(y, factor(of[0]), factor(of[1]))
		}
	case ir.FMA:
		factor := b.factor()
		return func(y ball.Ball, of [3]ball.Ball) ball.Ball {
			return ball.ReorderedFMA(y, factor(of[0]), factor(of[1]), of[2])
		}
	case ir.Div:
		over := quotientOf(t, in)
		return func(y ball.Ball, of [3]ball.Ball) ball.Ball {
			return ball.ReorderedQuotient(y, of[0], of[1], over(ball.Ball{X: 1}, of[1].Leaf()))
		}
	case ir.Math:
		if in.Fn == "sqrt" {
			return func(y ball.Ball, of [3]ball.Ball) ball.Ball { return ball.ReorderedRoot(y, of[0]) }
		}
		if joined[in.Fn] {
			return func(y ball.Ball, _ [3]ball.Ball) ball.Ball { return ball.Joined(y) }
		}
	}
	return leaf
}

// factor is what a product takes of a factor. Where errors are drawn, sums are multiplied out by constants alone, as
// compilers do: (d·d + ε)³ with d = a − b is never taken for a sum of the powers of a and b, whose error says nothing
// of a small d.
func (b *ballInstr) factor() func(ball.Ball) ball.Ball {
	constant := func(i int) bool { return b.c.p.kernel.Regs[b.in.Args[i]].Kind == ir.Literal }
	if b.c.p.options.Sample == 0 || constant(0) || constant(1) {
		return func(x ball.Ball) ball.Ball { return x }
	}
	return ball.Ball.Leaf
}

// joined are functions that a compiler may join with others, or put in place of others.
var joined = map[string]bool{"exp": true, "exp2": true, "exp10": true, "log": true, "log2": true, "log10": true,
	"sqrt": true, "rsqrt": true, "pow": true, "powr": true}

// inARow reports whether an operation reads a result of another one of its format, or a variable that
// may hold one.
func (b *ballInstr) inARow() bool {
	for _, r := range b.in.Args {
		info := b.c.p.kernel.Regs[r]
		from := b.c.u.Setter(r)
		if info.Kind == ir.Variable || from != nil && from.Allow&rewritable != 0 {
			return true
		}
	}
	return false
}
