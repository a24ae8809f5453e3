package eval

import (
	"math/big"
	"math/bits"

	"metalconform/metalrun/internal/ir"
)

// integers are the arguments of a function: the numbers that they stand for and,
// of the first, the low bits.
type integers struct {
	s    ir.Scalar
	args []uint64
	x    []*big.Int
	low  uint64
}

// width is the number of bits of the type.
func (a *integers) width() uint { return uint(8 * a.s.Size()) }

// integerFunction computes on the mathematical integers that the arguments
// stand for; the caller keeps the low bits of the result.
func integerFunction(fn string, s ir.Scalar, args []uint64) uint64 {
	a := &integers{s: s, args: args, low: args[0] & widthMask(s)}
	for _, v := range args {
		a.x = append(a.x, integer(s, v))
	}
	f, ok := integerFunctions[fn]
	if !ok {
		panic("eval: function " + fn)
	}
	return f(a)
}

var integerFunctions = map[string]func(a *integers) uint64{
	"min": func(a *integers) uint64 {
		if a.x[1].Cmp(a.x[0]) < 0 {
			return modulo(a.x[1])
		}
		return modulo(a.x[0])
	},
	"max": func(a *integers) uint64 {
		if a.x[1].Cmp(a.x[0]) > 0 {
			return modulo(a.x[1])
		}
		return modulo(a.x[0])
	},
	"abs":     func(a *integers) uint64 { return modulo(new(big.Int).Abs(a.x[0])) },
	"absdiff": func(a *integers) uint64 { return modulo(new(big.Int).Abs(minus(a.x[0], a.x[1]))) & widthMask(a.s) },
	"addsat":  func(a *integers) uint64 { return saturate(a.s, plus(a.x[0], a.x[1])) },
	"subsat":  func(a *integers) uint64 { return saturate(a.s, minus(a.x[0], a.x[1])) },
	"hadd":    func(a *integers) uint64 { return modulo(shifted(plus(a.x[0], a.x[1]), 1)) },
	"rhadd":   func(a *integers) uint64 { return modulo(shifted(plus(plus(a.x[0], a.x[1]), big.NewInt(1)), 1)) },
	"mulhi":   func(a *integers) uint64 { return modulo(shifted(times(a.x[0], a.x[1]), a.width())) },
	"madhi": func(a *integers) uint64 {
		return modulo(plus(shifted(times(a.x[0], a.x[1]), a.width()), a.x[2]))
	},
	"madsat":   func(a *integers) uint64 { return saturate(a.s, plus(times(a.x[0], a.x[1]), a.x[2])) },
	"mul24":    func(a *integers) uint64 { return modulo(times(a.x[0], a.x[1])) },
	"mad24":    func(a *integers) uint64 { return modulo(plus(times(a.x[0], a.x[1]), a.x[2])) },
	"clz":      func(a *integers) uint64 { return uint64(bits.LeadingZeros64(a.low)) - uint64(64-a.width()) },
	"ctz":      func(a *integers) uint64 { return uint64(min(uint(bits.TrailingZeros64(a.low)), a.width())) },
	"popcount": func(a *integers) uint64 { return uint64(bits.OnesCount64(a.low)) },

	"reverse_bits": func(a *integers) uint64 { return bits.Reverse64(a.low) >> (64 - a.width()) },
	"rotate": func(a *integers) uint64 {
		n := uint(a.args[1]) % a.width()
		return a.low<<n | a.low>>((a.width()-n)%a.width())&(1<<n-1)
	},
	"extract_bits": func(a *integers) uint64 { return extract(a.s, a.low, a.within(1), a.within(2)) },
	"insert_bits": func(a *integers) uint64 {
		field := (uint64(1)<<a.within(3) - 1) << a.within(2)
		return a.low&^field | a.args[1]<<a.args[2]&field
	},
}

// within is an offset or, after one, a number of bits: what lies past the end is missing.
func (a *integers) within(arg int) uint {
	most := a.width()
	if arg == len(a.args)-1 {
		most -= a.within(arg - 1)
	}
	return min(uint(uint32(a.args[arg])), most)
}

func plus(x, y *big.Int) *big.Int  { return new(big.Int).Add(x, y) }
func minus(x, y *big.Int) *big.Int { return new(big.Int).Sub(x, y) }
func times(x, y *big.Int) *big.Int { return new(big.Int).Mul(x, y) }

// shifted is x divided by a power of two, rounded down.
func shifted(x *big.Int, by uint) *big.Int { return new(big.Int).Rsh(x, by) }

// integer is the number that a register holds.
func integer(s ir.Scalar, v uint64) *big.Int {
	switch s {
	case ir.U64:
		return new(big.Int).SetUint64(v)
	case ir.S64:
		return big.NewInt(int64(v))
	case ir.S8, ir.S16, ir.S32:
		return big.NewInt(int64(int32(v)))
	}
	return new(big.Int).SetUint64(v & widthMask(s))
}

// modulo is x mod 2⁶⁴.
func modulo(x *big.Int) uint64 {
	m := new(big.Int).Lsh(big.NewInt(1), 64)
	return new(big.Int).Mod(x, m).Uint64()
}

func saturate(s ir.Scalar, x *big.Int) uint64 {
	width := uint(8 * s.Size())
	lo, hi := new(big.Int), new(big.Int).Lsh(big.NewInt(1), width)
	switch s {
	case ir.S8, ir.S16, ir.S32, ir.S64:
		hi.Rsh(hi, 1)
		lo.Neg(hi)
	}
	hi.Sub(hi, big.NewInt(1))
	switch {
	case x.Cmp(lo) < 0:
		x = lo
	case x.Cmp(hi) > 0:
		x = hi
	}
	return modulo(x)
}

func extract(s ir.Scalar, low uint64, offset, n uint) uint64 {
	if n == 0 {
		return 0
	}
	field := low >> offset & (1<<n - 1)
	switch s {
	case ir.S8, ir.S16, ir.S32, ir.S64:
		return uint64(int64(field<<(64-n)) >> (64 - n))
	}
	return field
}
