package types

import (
	"math"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

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
		if e.Decimal.Known() {
			return e.Decimal, true
		}
		if kind.IsFloat() {
			return syntax.Decimal{Value: hir.FloatValue(kind, e.Bits)}, true
		}
		return syntax.Decimal{Value: float64(int64(e.Bits))}, kind.IsInteger()
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
