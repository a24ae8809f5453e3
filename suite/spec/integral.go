package spec

import (
	"math"
	"math/big"
	"slices"

	"go.starlark.net/starlark"

	"metalconform/suite/tensor"
)

// Integers of a definition are those of Python: they have no end, and nothing rounds them. A tensor is exact as long as
// it is made of integers by the operations of this file. An output that is exact is decided bit for bit.

// integerFunctions are functions of an integer.
var integerFunctions = map[string]func(n tensor.Integer) tensor.Integer{
	"absolute": magnitude, "square": func(n tensor.Integer) tensor.Integer { return n.Mul(n) },
	"sign":  func(n tensor.Integer) tensor.Integer { return tensor.Whole(int64(n.Sign())) },
	"relu":  func(n tensor.Integer) tensor.Integer { return larger(n, tensor.Whole(0)) },
	"floor": itself, "ceil": itself, "trunc": itself, "round": itself, "rint": itself,
	"logical_not": func(n tensor.Integer) tensor.Integer { return truthOf(n.Sign() == 0) },
	"bool":        func(n tensor.Integer) tensor.Integer { return truthOf(n.Sign() != 0) },
	"u8":          wrapping(8, false), "u16": wrapping(16, false), "u32": wrapping(32, false),
	"u64": wrapping(64, false),
	"i8":  wrapping(8, true), "i16": wrapping(16, true), "i32": wrapping(32, true), "i64": wrapping(64, true),
	"-": tensor.Integer.Neg, "~": func(n tensor.Integer) tensor.Integer { return n.Neg().Sub(tensor.Whole(1)) },
}

func itself(n tensor.Integer) tensor.Integer { return n }

func magnitude(n tensor.Integer) tensor.Integer {
	if n.Sign() < 0 {
		return n.Neg()
	}
	return n
}

func wrapping(width int, signed bool) func(tensor.Integer) tensor.Integer {
	return func(n tensor.Integer) tensor.Integer { return n.Wrap(width, signed) }
}

func truthOf(b bool) tensor.Integer {
	if b {
		return tensor.Whole(1)
	}
	return tensor.Whole(0)
}

// integerPairs are functions and operators of two integers.
var integerPairs = map[string]func(x, y tensor.Integer) tensor.Integer{
	"+": tensor.Integer.Add, "-": tensor.Integer.Sub, "*": tensor.Integer.Mul, "//": tensor.Integer.Div,
	"%": tensor.Integer.Mod, "<<": tensor.Integer.Shl, ">>": tensor.Integer.Shr,
	"&":       onBits(func(x, y int64) int64 { return x & y }, (*big.Int).And),
	"|":       onBits(func(x, y int64) int64 { return x | y }, (*big.Int).Or),
	"^":       onBits(func(x, y int64) int64 { return x ^ y }, (*big.Int).Xor),
	"maximum": larger, "minimum": func(x, y tensor.Integer) tensor.Integer { return larger(x.Neg(), y.Neg()).Neg() },
	"fmod": remainder, "power": raised, powerName: raised, "**": raised,
	"less": ordered(func(c int) bool { return c < 0 }), "less_equal": ordered(func(c int) bool { return c <= 0 }),
	"greater":       ordered(func(c int) bool { return c > 0 }),
	"greater_equal": ordered(func(c int) bool { return c >= 0 }),
	"equal":         ordered(func(c int) bool { return c == 0 }),
	"not_equal":     ordered(func(c int) bool { return c != 0 }),
	"logical_and":   func(x, y tensor.Integer) tensor.Integer { return truthOf(x.Sign() != 0 && y.Sign() != 0) },
	"logical_or":    func(x, y tensor.Integer) tensor.Integer { return truthOf(x.Sign() != 0 || y.Sign() != 0) },
}

func onBits(small func(x, y int64) int64,
	large func(z, x, y *big.Int) *big.Int) func(x, y tensor.Integer) tensor.Integer {
	return func(x, y tensor.Integer) tensor.Integer { return x.Bits(y, small, large) }
}

func larger(x, y tensor.Integer) tensor.Integer {
	switch {
	case x.IsNone() || y.IsNone():
		return tensor.None
	case x.Compare(y) < 0:
		return y
	}
	return x
}

// remainder is what a division that rounds to zero leaves.
func remainder(x, y tensor.Integer) tensor.Integer {
	r := magnitude(x).Mod(magnitude(y))
	if x.Sign() < 0 {
		return r.Neg()
	}
	return r
}

// mostPower bounds the bits of a power.
const mostPower = 1 << 16

// raised is a power; none of those that are no integers, or have too many bits.
func raised(x, y tensor.Integer) tensor.Integer {
	n := y.Big()
	if x.IsNone() || y.IsNone() || n.Sign() < 0 || !n.IsInt64() || int64(x.Big().BitLen())*n.Int64() > mostPower {
		return tensor.None
	}
	return tensor.Large(new(big.Int).Exp(x.Big(), n, nil))
}

func ordered(holds func(order int) bool) func(x, y tensor.Integer) tensor.Integer {
	return func(x, y tensor.Integer) tensor.Integer {
		return truthOf(!x.IsNone() && !y.IsNone() && holds(x.Compare(y)))
	}
}

// integerReductions are functions from a line of integers to one.
var integerReductions = map[string]func(line []tensor.Integer) tensor.Integer{
	"sum":    func(line []tensor.Integer) tensor.Integer { return folded(line, tensor.Whole(0), tensor.Integer.Add) },
	"prod":   func(line []tensor.Integer) tensor.Integer { return folded(line, tensor.Whole(1), tensor.Integer.Mul) },
	"amax":   func(line []tensor.Integer) tensor.Integer { return extreme(line, larger) },
	"amin":   func(line []tensor.Integer) tensor.Integer { return extreme(line, integerPairs["minimum"]) },
	"argmax": func(line []tensor.Integer) tensor.Integer { return extremeAt(line, 1) },
	"argmin": func(line []tensor.Integer) tensor.Integer { return extremeAt(line, -1) },
	"any": func(line []tensor.Integer) tensor.Integer {
		return truthOf(slices.ContainsFunc(line, func(n tensor.Integer) bool { return n.Sign() != 0 }))
	},
	"all": func(line []tensor.Integer) tensor.Integer {
		return truthOf(!slices.ContainsFunc(line, func(n tensor.Integer) bool { return n.Sign() == 0 }))
	},
}

func folded(line []tensor.Integer, first tensor.Integer, of func(x, y tensor.Integer) tensor.Integer) tensor.Integer {
	for _, n := range line {
		first = of(first, n)
	}
	return first
}

func extreme(line []tensor.Integer, of func(x, y tensor.Integer) tensor.Integer) tensor.Integer {
	if len(line) == 0 {
		return tensor.None
	}
	return folded(line[1:], line[0], of)
}

func extremeAt(line []tensor.Integer, sign int) tensor.Integer {
	best := 0
	for i, n := range line {
		if sign*n.Compare(line[best]) > 0 {
			best = i
		}
	}
	return tensor.Whole(int64(best))
}

// integerLines are functions from a line of integers to one of as many.
var integerLines = map[string]func(line []tensor.Integer){
	"cumsum":  accumulated(tensor.Integer.Add),
	"cumprod": accumulated(tensor.Integer.Mul),
	"cummax":  accumulated(larger),
}

func accumulated(of func(x, y tensor.Integer) tensor.Integer) func(line []tensor.Integer) {
	return func(line []tensor.Integer) {
		for i := 1; i < len(line); i++ {
			line[i] = of(line[i-1], line[i])
		}
	}
}

// mapped applies a function of that name to elements.
func mapped(name string, x *tensor.Tensor, f func(float64) float64) *tensor.Tensor {
	exactly := integerFunctions[name]
	switch {
	case !x.Exact() || exactly == nil:
		return x.Map(f)
	case !x.Wide() && !hasNone(x):
		if r := x.Map(f).Exactly(); r.Exact() {
			return r
		}
	}
	return x.MapIntegers(exactly)
}

// hasNone reports whether some element of an exact tensor is no integer.
func hasNone(x *tensor.Tensor) bool {
	return slices.ContainsFunc(x.Data(), func(x float64) bool { return x-x != 0 })
}

// zipped applies a function or an operator of that name to elements of two tensors.
func zipped(name string, x, y *tensor.Tensor, f func(x, y float64) float64) (*tensor.Tensor, error) {
	exactly := integerPairs[name]
	if !x.Exact() || !y.Exact() || exactly == nil || raises[name] && slices.Min(append([]float64{0}, y.Data()...)) < 0 {
		return tensor.Zip(name, x, y, f)
	}
	if !x.Wide() && !y.Wide() && !hasNone(x) && !hasNone(y) && name != "<<" && !raises[name] {
		r, err := tensor.Zip(name, x, y, f)
		if err != nil {
			return nil, err
		}
		if r = r.Exactly(); r.Exact() && !hasNone(r) {
			return r, nil
		}
	}
	return tensor.ZipIntegers(name, x, y, exactly)
}

// raises are the names of powers.
var raises = map[string]bool{"power": true, powerName: true, "**": true}

// sums reports whether all sums of elements of a tensor are exact in float64.
func sumsExactly(x *tensor.Tensor) bool {
	sum := 0.0
	for _, v := range x.Data() {
		sum += math.Abs(v)
	}
	return sum < 1<<53
}

// reduced is a reduction of that name.
func reduced(name string, x *tensor.Tensor, axes []int, keep bool, f func([]float64) float64) (*tensor.Tensor, error) {
	exactly := integerReductions[name]
	if x.Exact() && exactly != nil && (x.Wide() || hasNone(x) || !sumsExactly(x)) {
		return x.ReduceIntegers(name, axes, keep, exactly)
	}
	r, err := x.Reduce(name, axes, keep, f)
	if err != nil || !x.Exact() || exactly == nil {
		return r, err
	}
	if r = r.Exactly(); r.Exact() {
		return r, nil
	}
	return x.ReduceIntegers(name, axes, keep, exactly)
}

// lined is a function along an axis, of that name.
func lined(name string, x *tensor.Tensor, axis int, f func([]float64)) (*tensor.Tensor, error) {
	exactly := integerLines[name]
	if !x.Exact() || exactly == nil {
		return x.Along(name, axis, f)
	}
	if !x.Wide() && !hasNone(x) && sumsExactly(x) {
		r, err := x.Along(name, axis, f)
		if err != nil {
			return nil, err
		}
		if r = r.Exactly(); r.Exact() {
			return r, nil
		}
	}
	return x.AlongIntegers(name, axis, exactly)
}

// exactIf is a tensor of integers below 2⁵³ that is exact if what it was computed from is.
func exactIf(r *tensor.Tensor, of ...*tensor.Tensor) *tensor.Tensor {
	for _, t := range of {
		if t != nil && (!t.Exact() || t.Wide()) {
			return r.Inexact()
		}
	}
	return r.Exactly()
}

// multiplied is a sum of products of elements of tensors, exact if no such sum has room for more than float64 holds.
func multiplied(r *tensor.Tensor, of ...*tensor.Tensor) *tensor.Tensor {
	most, terms := 1.0, 1
	for _, t := range of {
		largest := 0.0
		for _, x := range t.Data() {
			largest = math.Max(largest, math.Abs(x))
		}
		most, terms = most*largest, max(terms, t.Len())
	}
	if most*float64(terms) < 1<<53 {
		return exactIf(r, of...)
	}
	return r.Inexact()
}

// integerOf is the integer that a tensor without axes has; nil if it is not exact, or none.
func integerOf(t *tensor.Tensor) starlark.Value {
	if !t.Exact() || t.Integer(0).IsNone() {
		return nil
	}
	return starlark.MakeBigInt(t.Integer(0).Big())
}

// floats notes that a float decides what is computed.
func (m *meter) floats() {
	if m != nil {
		m.decided = true
	}
}

// decides notes that values decide what is computed.
func (m *meter) decides(values ...starlark.Value) {
	for _, v := range values {
		if _, float := v.(starlark.Float); float {
			m.floats()
		}
	}
}
