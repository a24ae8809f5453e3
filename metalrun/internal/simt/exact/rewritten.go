package exact

import (
	"math"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
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
func (b *BallInstr) rewritten(before, after machine.Op) (machine.Op, machine.Op) {
	of := b.rewriting()
	if !ExactOf(b.C.P).rewritten || of == nil || len(b.Dst) != 1 {
		return before, after
	}
	d := b.Dst[0]
	keep := func(m *machine.Machine) { // operands whose place the result may take
		room := [...][]ball.Ball{BallsOf(m).scratch, BallsOf(m).spare, BallsOf(m).third}
		for i := range min(len(b.Args), len(room)) {
			BallsOf(m).kept[i] = append(BallsOf(m).kept[i][:0], b.Args[i].row(m, room[i])...)
		}
		if before != nil {
			before(m)
		}
	}
	return keep, func(m *machine.Machine) {
		if after != nil {
			after(m)
		}
		row := writableRow(m, d.Slot)
		mask := RowMask(m, row)
		var args [3]ball.Ball
		for l := range row {
			if mask[l] == 0 {
				continue
			}
			for i := range min(len(b.Args), len(args)) {
				args[i] = at(BallsOf(m).kept[i], l)
			}
			row[l] = of(row[l], args)
		}
	}
}

// at is the ball of a lane.
func at(row []ball.Ball, l int) ball.Ball { return row[min(l, len(row)-1)] }

// rewriting is what becomes of a result y as written; nil if it stays what it is.
func (b *BallInstr) rewriting() func(y ball.Ball, of [3]ball.Ball) ball.Ball {
	in, plain := b.In, b.reordering()
	if plain != nil {
		plain = b.unlessSnapped(plain)
	}
	if in.Allow&impossible == 0 {
		return plain
	}
	float, read := b.C.Typ(in.Dst[0]).IsFloat(), len(b.Args)
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

// meets reports whether a number is one that fast-math flags take for impossible.
func meets(allow ir.FastMathFlags, x float64) bool {
	return allow&ir.NoNaNs != 0 && x != x || allow&ir.NoInfs != 0 && math.IsInf(x, 0)
}

// reordering is the same for finite numbers.
func (b *BallInstr) reordering() func(y ball.Ball, of [3]ball.Ball) ball.Ball {
	in, t := b.In, b.C.Typ(b.In.Dst[0])
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
func (b *BallInstr) factor() func(ball.Ball) ball.Ball {
	constant := func(i int) bool { return b.C.P.Kernel.Regs[b.In.Args[i]].Kind == ir.Literal }
	if b.C.P.Options.Sample == 0 || constant(0) || constant(1) {
		return func(x ball.Ball) ball.Ball { return x }
	}
	return ball.Ball.Leaf
}

// joined are functions that a compiler may join with others, or put in place of others.
var joined = map[string]bool{"exp": true, "exp2": true, "exp10": true, "log": true, "log2": true, "log10": true,
	"sqrt": true, "rsqrt": true, "pow": true, "powr": true}

// inARow reports whether an operation reads a result of another one of its format, or a variable that
// may hold one.
func (b *BallInstr) inARow() bool {
	for _, r := range b.In.Args {
		info := b.C.P.Kernel.Regs[r]
		from := b.C.U.Setter(r)
		if info.Kind == ir.Variable || from != nil && from.Allow&rewritable != 0 {
			return true
		}
	}
	return false
}
