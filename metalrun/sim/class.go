package sim

import (
	"math"
	"math/bits"
	"strings"

	"metalconform/metalrun"
	"metalconform/metalrun/internal/ir"
)

// class is that of an operation, and how often it counts.
func (p *planner) class(in *ir.Instr, fused bool) (c metalrun.Class, times float64) {
	t := p.operands(in)
	switch in.Op {
	case ir.MatMul:
		return metalrun.Matrix, 1
	case ir.Simd:
		return p.communication(in)
	case ir.Convert:
		if to := p.k.Regs[in.Dst[0]].Type; t.IsFloat() != to.IsFloat() {
			if t == ir.I64 || to == ir.I64 {
				return metalrun.Conversion, 2
			}
			return metalrun.Conversion, 1
		}
		if t.IsFloat() {
			return metalrun.FloatOther, 1
		}
		return metalrun.Integer, 1
	case ir.Div:
		return metalrun.Division, precisely(in, 5)
	case ir.Math:
		if c, n := p.power(in); n > 0 {
			return c, n
		}
		return p.function(in)
	case ir.SDiv, ir.UDiv, ir.SRem, ir.URem:
		return p.quotient(in)
	}
	switch {
	case t == ir.F16:
		return metalrun.Half, 1
	case t.IsFloat():
		switch {
		case in.Op == ir.FMA:
			return metalrun.FloatFused, 1
		case in.Op == ir.Add || in.Op == ir.Sub:
			return metalrun.FloatAdd, 1
		case in.Op == ir.Mul:
			return metalrun.FloatMultiply, 1
		}
		return metalrun.FloatOther, 1
	case t == ir.I64 || t == ir.Ptr:
		return p.long(in)
	case in.Op == ir.LShr || in.Op == ir.AShr:
		return metalrun.IntegerMultiply, p.stated(in.Args[1], 2)
	case fused || in.Op == ir.Mul || in.Op == ir.Shl:
		return metalrun.IntegerMultiply, 1
	}
	return metalrun.Integer, 1
}

// communication is the class of what threads of a simdgroup, or of four, do together: of four, sums take 6 cycles and
// prefix sums 2 to 4, and from any lane to any is as far for all of them; votes take 2, and products of integers 20
// (philipturner/metal-benchmarks, intra-simd communication).
func (p *planner) communication(in *ir.Instr) (c metalrun.Class, times float64) {
	four, f := strings.HasPrefix(in.Fn, "quad_"), in.Simd().Name
	if f == "shuffle" && !four && p.varying[in.Args[1]] {
		return metalrun.Permutation, 1
	}
	switch prefix := strings.HasPrefix(f, "prefix"); {
	case prefix && four:
		return metalrun.Reduction, .2
	case prefix:
		return metalrun.Reduction, .8
	case f == "product" && !p.operands(in).IsFloat():
		return metalrun.Reduction, 1.4
	case f == "sum", f == "product", f == "min", f == "max", f == "and", f == "or", f == "xor":
		if four {
			return metalrun.Reduction, .4
		}
		return metalrun.Reduction, 1
	}
	return metalrun.Shuffle, 1
}

// stated is 1 if the source says how far bits move, or how many are taken, and otherwise the instructions that the
// device has for it.
func (p *planner) stated(by ir.Reg, otherwise float64) float64 {
	if p.k.Regs[by].Kind == ir.Literal {
		return 1
	}
	return otherwise
}

// long is the class of an operation on 64 bits, which is made of some on 32. A sum takes 4 cycles, and a product 16, or
// 8 if both factors have 32 bits (philipturner/metal-benchmarks, integer performance); bits that move by 32 or more do
// so between words.
func (p *planner) long(in *ir.Instr) (c metalrun.Class, times float64) {
	switch in.Op {
	case ir.And, ir.Or, ir.Xor, ir.Not, ir.Eq, ir.Ne, ir.Select:
		return metalrun.Integer, 2
	case ir.Mul:
		times = 4
		for _, r := range in.Args {
			if info := p.k.Regs[r]; p.extended[r] || info.Kind == ir.Literal && info.Bits>>32 == 0 {
				times--
			}
		}
		return metalrun.IntegerMultiply, times
	case ir.Shl, ir.LShr, ir.AShr:
		by := p.k.Regs[in.Args[1]]
		switch n := by.Bits & 63; {
		case by.Kind != ir.Literal:
			return metalrun.IntegerMultiply, 4
		case n == 32:
			return metalrun.Integer, 1
		case n > 32:
			return metalrun.IntegerMultiply, 1
		}
		return metalrun.IntegerMultiply, 2
	}
	return metalrun.Integer64, 1
}

// power is what a compiler makes of a power by a literal in fast math: products, or a square root; 0 if it leaves the
// power.
func (p *planner) power(in *ir.Instr) (c metalrun.Class, times float64) {
	if in.Fn != "pow" && in.Fn != "powr" || !in.Fast {
		return 0, 0
	}
	by := p.k.Regs[in.Args[1]]
	if by.Kind != ir.Literal || by.Type != ir.F32 {
		return 0, 0
	}
	switch e := math.Float32frombits(uint32(by.Bits)); {
	case e == .5:
		return metalrun.Root, 1
	case e >= 2 && e <= longestPower && e == float32(int(e)):
		n := uint(e)
		return metalrun.FloatMultiply, float64(bits.Len(n) + bits.OnesCount(n) - 2)
	}
	return 0, 0
}

// longestPower is the last one that is products alone.
const longestPower = 32

// quotient is the class of a quotient of integers or of what is left of one. By a literal it is a shift or a mask, or,
// if that is no power of two, the upper half of a product and a shift; what is left takes another product.
func (p *planner) quotient(in *ir.Instr) (c metalrun.Class, times float64) {
	if p.byCall(in) {
		if p.operands(in) == ir.I64 {
			return metalrun.IntegerDivision, 4 // whose products take four times as long
		}
		return metalrun.IntegerDivision, 1
	}
	by := p.k.Regs[in.Args[1]].Bits
	power, signed := by&(by-1) == 0, in.Op == ir.SDiv || in.Op == ir.SRem
	switch {
	case p.operands(in) == ir.I64 && power:
		return metalrun.Integer64, 1
	case power && !signed && in.Op == ir.URem:
		return metalrun.Integer, 1
	case power && !signed:
		return metalrun.IntegerMultiply, 1
	case power || in.Op == ir.UDiv || in.Op == ir.SDiv:
		return metalrun.IntegerMultiply, 2
	}
	return metalrun.IntegerMultiply, 3
}

// byCall reports whether a quotient of integers is a sequence of many instructions: by what the compiler does not
// know, or of 64 bits.
func (p *planner) byCall(in *ir.Instr) bool {
	by := p.k.Regs[in.Args[1]]
	return by.Kind != ir.Literal || by.Type == ir.I64 && by.Bits&(by.Bits-1) != 0
}

// operands is the type that an operation computes with.
func (p *planner) operands(in *ir.Instr) ir.Type {
	list := in.Args
	if in.Op == ir.Select {
		list = in.Args[1:]
	}
	if len(list) == 0 {
		list = in.Dst
	}
	if len(list) == 0 {
		return ir.I32
	}
	return p.k.Regs[list[0]].Type
}

// functions are the classes of those that are one instruction or a short sequence of them:
// philipturner/metal-benchmarks.
var functions = map[string]metalrun.Class{
	"exp": metalrun.Exponential, "exp2": metalrun.Exponential, "exp10": metalrun.Exponential,
	"log": metalrun.Exponential, "log2": metalrun.Exponential, "log10": metalrun.Exponential,
	"sqrt": metalrun.Root, "rsqrt": metalrun.Root,
	"sin": metalrun.Circular, "cos": metalrun.Circular, "tan": metalrun.Circular, "sincos": metalrun.Circular,
	// the fast build's sines are of turns
	"sinpi": metalrun.Circular, "cospi": metalrun.Circular, "tanpi": metalrun.Circular,
	"fmin": metalrun.FloatOther, "fmax": metalrun.FloatOther, "min": metalrun.FloatOther, "max": metalrun.FloatOther,
	"fabs": metalrun.FloatOther, "abs": metalrun.FloatOther, "copysign": metalrun.FloatOther,
	"sign": metalrun.FloatOther, "isnan": metalrun.FloatOther, "isinf": metalrun.FloatOther,
	"isfinite": metalrun.FloatOther, "isnormal": metalrun.FloatOther, "signbit": metalrun.FloatOther,
	"fdim": metalrun.FloatOther, "nextafter": metalrun.FloatOther,
	"floor": metalrun.Conversion, "ceil": metalrun.Conversion, "rint": metalrun.Conversion,
	"round": metalrun.Conversion, "trunc": metalrun.Conversion, "fract": metalrun.Conversion,
	"modf": metalrun.Conversion, "ldexp": metalrun.IntegerMultiply, "frexp": metalrun.IntegerMultiply,
	"ilogb": metalrun.IntegerMultiply,
}

// composed are functions whose fast forms are made of a few others, and how many of the one that takes the longest:
// powers are exp2(y·log2 x) (MSL 8.2), hyperbolic functions are of exponentials, a remainder is of a quotient.
var composed = map[string]struct {
	class metalrun.Class
	times float64
}{
	"pow": {metalrun.Exponential, 3}, "powr": {metalrun.Exponential, 2}, "sinh": {metalrun.Exponential, 3},
	"cosh": {metalrun.Exponential, 3}, "tanh": {metalrun.Exponential, 3},
	"fmod": {metalrun.Division, 2},
}

// function is the class of a function of the standard library.
func (p *planner) function(in *ir.Instr) (metalrun.Class, float64) {
	if f, t := in.Integer(); f != nil {
		return p.integer(in, f.Name, t.Bits == 64)
	}
	if f, ok := composed[in.Fn]; ok && in.Fast {
		return f.class, f.times
	}
	switch c := functions[in.Fn]; c {
	case 0:
	case metalrun.Conversion:
		if in.Fn == "round" { // ties away from zero: 8 cycles
			return c, 2
		}
		return c, 1
	case metalrun.Root:
		return c, precisely(in, 2)
	case metalrun.Circular:
		return c, precisely(in, 1.7)
	default:
		return c, 1
	}
	return metalrun.Function, 1
}

// integer is the class of a function of integers, such as the upper half of a product, of 8 cycles, or of 22 for 64
// bits.
func (p *planner) integer(in *ir.Instr, name string, long bool) (c metalrun.Class, times float64) {
	c, times = metalrun.IntegerMultiply, 1
	switch name {
	case "min", "max", "abs", "addsat", "subsat":
		c = metalrun.Integer
		if long {
			c = metalrun.Integer64
		}
		return c, 1
	case "mulhi", "madhi", "madsat":
		if long {
			return c, 5.5
		}
		return c, 2
	case "rotate", "ctz": // of a pair of instructions each
		times = 2
	case "hadd", "rhadd":
		times = 1.5
	case "extract_bits", "insert_bits":
		times = p.stated(in.Args[len(in.Args)-1], 2)
	}
	if long {
		times *= 2
	}
	return c, times
}

// precisely is how many times as long the precise form of a function takes as the fast one,
// whose rounding is not repaired: quotients 30.7 cycles by 6, square roots 15 by 8, sines 24.4
// by 14.3 (philipturner/metal-benchmarks).
func precisely(in *ir.Instr, times float64) float64 {
	if in.Fast {
		return 1
	}
	return times
}
