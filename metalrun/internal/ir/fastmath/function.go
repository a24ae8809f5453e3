package fastmath

import (
	"math"

	"metalconform/metalrun/internal/ir"
)

// Functions join calls of functions: exp(x)·exp(y) is exp(x + y), log(exp(x)) is x, √x·√x is
// x, x/exp(y) is x·exp(−y), and powers to small numbers are products.
var Functions = &Rule{Name: "joining of functions", at: func(p *pass, in *ir.Instr) {
	switch in.Op {
	case ir.Mul:
		if may(ir.Reassociate, in) {
			p.productOfCalls(in)
		}
	case ir.Div:
		if e := p.function(in.Args[1], ir.Reassociate, "exp", "exp2"); e != nil &&
			may(ir.Reassociate|ir.Reciprocal, in) && p.own(e.Dst[0]) {
			if _, ok := p.take(in); ok {
				minus := p.emit(e, ir.Neg, p.typ(e.Dst[0]), e.Args[0])
				become(in, ir.Mul, in.Args[0], p.call(e, e.Fn, minus))
			}
		}
	case ir.Math:
		p.callOfCall(in)
	}
}}

// productOfCalls joins two calls of one function.
func (p *pass) productOfCalls(in *ir.Instr) {
	t := p.typ(in.Dst[0])
	a := p.function(in.Args[0], ir.Reassociate, "exp", "exp2", "sqrt")
	if a == nil {
		return
	}
	b := p.function(in.Args[1], ir.Reassociate, a.Fn)
	switch {
	case b == nil:
	case a.Fn != "sqrt":
		if _, ok := p.take(in); ok {
			call(in, a.Fn, a.Fast, p.emit(a, ir.Add, t, a.Args[0], b.Args[0]))
		}
	case !may(ir.NoNaNs, in, a, b):
	case p.same(a.Args[0], b.Args[0]):
		if may(ir.NoSignedZeros, in) {
			p.becomes(in, ir.Copy, a.Args[0])
		}
	default:
		if _, ok := p.take(in); ok {
			call(in, "sqrt", a.Fast, p.emit(a, ir.Mul, t, a.Args[0], b.Args[0]))
		}
	}
}

// call makes in the call of a function of one argument.
func call(in *ir.Instr, name string, fast bool, x ir.Reg) {
	become(in, ir.Math, x)
	in.Fn, in.Fast = name, fast
}

// inverses undo one another.
var inverses = map[string]string{"log": "exp", "exp": "log", "log2": "exp2", "exp2": "log2"}

// callOfCall rewrites a call whose argument is another.
func (p *pass) callOfCall(in *ir.Instr) {
	if inverse, ok := inverses[in.Fn]; ok && may(ir.Reassociate, in) {
		if of := p.function(in.Args[0], ir.Reassociate, inverse); of != nil {
			p.becomes(in, ir.Copy, of.Args[0])
		}
		return
	}
	if in.Fn != "pow" && in.Fn != "powr" || !may(ir.Approximate, in) {
		return
	}
	x, t := in.Args[0], p.typ(in.Dst[0])
	of := p.function(x, ir.Approximate|ir.Reassociate, "exp", "exp2")
	switch n, ok := p.literal(in.Args[1]); {
	case ok && n == 0.5 && may(ir.NoInfs|ir.NoSignedZeros, in):
		if _, ok := p.take(in); ok {
			call(in, "sqrt", in.Fast, x)
		}
	case ok && n == math.Trunc(n) && 2 <= n && n <= 8:
		if _, ok := p.take(in); ok {
			become(in, ir.Mul, p.power(in, x, int(n)-1), x)
		}
	case p.equals(x, 2):
		if _, ok := p.take(in); ok {
			call(in, "exp2", in.Fast, in.Args[1])
		}
	case of != nil && may(ir.Reassociate, in):
		if _, ok := p.take(in); ok {
			call(in, of.Fn, of.Fast, p.emit(of, ir.Mul, t, of.Args[0], in.Args[1]))
		}
	}
}

// power multiplies x by itself.
func (p *pass) power(in *ir.Instr, x ir.Reg, n int) ir.Reg {
	if n == 1 {
		return x
	}
	return p.emit(in, ir.Mul, p.typ(x), p.power(in, x, n-1), x)
}
