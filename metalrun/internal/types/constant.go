package types

import (
	"math"

	"metalconform/metalrun/internal/consteval"
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// constants evaluates constant expressions for c.
func (c *checker) constants() *consteval.Evaluator {
	e := &consteval.Evaluator{Limits: &c.cfg.Budget.Limits, Spend: c.spend, Body: c.constBody,
		Unset: map[*hir.Var]bool{}, Addresses: map[*hir.Var]hir.Expr{}}
	if c.cfg.Coverage != nil {
		e.Cover = c.cfg.Coverage.Execute
	}
	return e
}

// constBody is the body of a constexpr function, nil for other functions and
// where it is not known yet.
func (c *checker) constBody(f *hir.Func, pos syntax.Pos) *hir.Block {
	r := c.routines[f]
	if r == nil || !r.decl.Specs.Constexpr && (r.def == nil || !r.def.Specs.Constexpr) {
		return nil
	}
	c.ensureBody(r, pos)
	return f.Body
}

// whyNotConstant says, for an expression that is no constant, which part of it is to blame and
// why: a clause for a message.
func (c *checker) whyNotConstant(e hir.Expr) (syntax.Pos, string) {
	if _, fault := c.eval.Eval(e); fault != nil {
		return fault.Pos, fault.Why
	}
	return e.Pos(), "it is not a scalar"
}

func constant(pos syntax.Pos, t hir.Type, bits uint64) *hir.Const {
	return &hir.Const{Node: hir.At(pos, t), Bits: bits}
}

// intLit gives an integer literal the first type that holds it.
func (c *checker) intLit(x *syntax.IntLit) operand {
	v := x.Value
	switch {
	case x.Chars == 1:
		return value(constant(x.Pos(), hir.Char, uint64(int64(int8(v)))))
	case x.Chars > 4:
		c.warnOnce(x, x.Pos(), codeCharacters, "character constant too long for its type")
	case x.Chars > 1:
		c.warnOnce(x, x.Pos(), codeCharacters, "multi-character character constant [-Wmultichar]")
	}
	if x.Chars > 1 {
		return value(constant(x.Pos(), hir.Int, v))
	}
	k := hir.ULong
	switch x.Suffix {
	case "":
		switch {
		case v <= math.MaxInt32:
			k = hir.Int
		case x.Hex && v <= math.MaxUint32:
			k = hir.UInt
		case v <= math.MaxInt64:
			k = hir.Long
		}
	case "u":
		if v <= math.MaxUint32 {
			k = hir.UInt
		}
	case "l":
		if v <= math.MaxInt64 {
			k = hir.Long
		}
	}
	op := value(constant(x.Pos(), k, v))
	op.null = v == 0
	return op
}

// floatLit gives a floating literal its type; the scanner has rounded it already.
func (c *checker) floatLit(x *syntax.FloatLit) operand {
	k := hir.Float
	switch x.Suffix {
	case "h":
		k = hir.Half
	case "bf":
		k = hir.BFloat
		if !c.since(310, x.Pos(), "a bfloat literal") {
			return operand{}
		}
	}
	literal := constant(x.Pos(), k, floatBits(k, x.Value))
	if says := syntax.DecimalOf(x.Text); says.Value != x.Value {
		literal.Decimal = says
	}
	return value(literal)
}

// floatBits is the pattern of a value that format k holds exactly.
func floatBits(k hir.Kind, v float64) uint64 {
	bits := math.Float32bits(float32(v))
	switch k {
	case hir.Float:
		return uint64(bits)
	case hir.BFloat:
		return uint64(bits >> 16)
	}
	sign := uint64(bits>>16) & 0x8000
	v = math.Abs(v)
	switch {
	case math.IsNaN(v):
		return sign | 0x7e00
	case v > 65504:
		return sign | 0x7c00
	case v < 0x1p-14:
		return sign | uint64(v*0x1p24)
	}
	frac, exp := math.Frexp(v) // v = frac·2^exp, frac in [1/2, 1)
	return sign | uint64(exp+14)<<10 | uint64((frac*2-1)*1024)
}

// stringLit is an array of characters in the constant address space, with a zero at its end.
func (c *checker) stringLit(x *syntax.StringLit) operand {
	v := &hir.Var{Name: "(string)", Pos: x.Pos(), Type: &hir.Array{Elem: hir.Char, Len: len(x.Value) + 1},
		Space: syntax.Constant,
		Const: true, Global: true, Data: append([]byte(x.Value), 0)}
	return variable(x.Pos(), v, false)
}

// decimalOf is the number that the texts of the literals of a constant float make, which has these bits. What else than
// arithmetic makes one, such as a function, is known to within half a unit of its last place.
func decimalOf(e hir.Expr, bits uint64) syntax.Decimal {
	kind := hir.ScalarKind(e.Type())
	if !kind.IsFloat() {
		return syntax.Decimal{}
	}
	if d, known := decimalPart(e); known {
		return d
	}
	x, unit := hir.FloatValue(kind, bits), 0x1p-24
	switch kind {
	case hir.Half:
		unit = 0x1p-11
	case hir.BFloat:
		unit = 0x1p-8
	}
	if x-x != 0 {
		return syntax.Decimal{}
	}
	return syntax.Decimal{Value: x, Half: float64(math.Abs(x) * unit)}
}

// decimalIn is the same for the contents of a variable.
func decimalIn(e hir.Expr, data []byte) syntax.Decimal {
	if !hir.ScalarKind(e.Type()).IsFloat() {
		return syntax.Decimal{}
	}
	return decimalOf(e, hir.BitsOf(data, e.Type()))
}

// decimalPart is the number of an expression; known is false if it is not followed.
func decimalPart(e hir.Expr) (d syntax.Decimal, known bool) {
	kind := hir.ScalarKind(e.Type())
	switch e := e.(type) {
	case *hir.Const:
		if kind.IsFloat() {
			return e.Decimal.In(hir.FloatValue(kind, e.Bits)), true
		}
		return syntax.Decimal{}.In(float64(int64(e.Bits))), kind.IsInteger()
	case *hir.Convert:
		if d, known = decimalPart(e.X); known && kind.IsFloat() {
			return d, true
		}
	case *hir.Unary:
		if d, known = decimalPart(e.X); known && e.Op == hir.Neg && kind.IsFloat() {
			return d.Neg(), true
		}
	case *hir.Binary:
		a, first := decimalPart(e.X)
		b, second := decimalPart(e.Y)
		if !first || !second || !kind.IsFloat() {
			return syntax.Decimal{}, false
		}
		switch e.Op {
		case hir.Add:
			return a.Plus(b), true
		case hir.Sub:
			return a.Plus(b.Neg()), true
		case hir.Mul:
			return a.Times(b), true
		case hir.Div:
			return a.Over(b), b.Value != 0
		}
	}
	return syntax.Decimal{}, false
}
