package eval

import (
	"math/big"
	"math/bits"

	"metalconform/metalrun/internal/ir"
)

// integerFunction computes on the mathematical integers that the arguments
// stand for; the caller keeps the low bits of the result.
func integerFunction(fn string, s ir.Scalar, args []uint64) uint64 {
	width := 8 * s.Size()
	low := args[0] & widthMask(s)
	x := make([]*big.Int, len(args))
	for i, a := range args {
		x[i] = integer(s, a)
	}
	one := big.NewInt(1)
	result := new(big.Int)
	switch fn {
	case "min":
		result = x[0]
		if x[1].Cmp(x[0]) < 0 {
			result = x[1]
		}
	case "max":
		result = x[0]
		if x[1].Cmp(x[0]) > 0 {
			result = x[1]
		}
	case "abs":
		result.Abs(x[0])
	case "absdiff":
		result.Abs(result.Sub(x[0], x[1]))
		return modulo(result) & widthMask(s)
	case "addsat":
		return saturate(s, result.Add(x[0], x[1]))
	case "subsat":
		return saturate(s, result.Sub(x[0], x[1]))
	case "madsat":
		return saturate(s, result.Add(result.Mul(x[0], x[1]), x[2]))
	case "hadd":
		result.Rsh(result.Add(x[0], x[1]), 1)
	case "rhadd":
		result.Rsh(result.Add(result.Add(x[0], x[1]), one), 1)
	case "mulhi":
		result.Rsh(result.Mul(x[0], x[1]), uint(width))
	case "madhi":
		result.Add(result.Rsh(result.Mul(x[0], x[1]), uint(width)), x[2])
	case "mul24":
		result.Mul(x[0], x[1])
	case "mad24":
		result.Add(result.Mul(x[0], x[1]), x[2])
	case "clz":
		return uint64(bits.LeadingZeros64(low) - (64 - width))
	case "ctz":
		return uint64(min(bits.TrailingZeros64(low), width))
	case "popcount":
		return uint64(bits.OnesCount64(low))
	case "reverse_bits":
		return bits.Reverse64(low) >> (64 - width)
	case "rotate":
		n := uint(args[1]) % uint(width)
		return low<<n | low>>((uint(width)-n)%uint(width))&(1<<n-1)
	case "extract_bits":
		return extract(s, low, uint(args[1]), uint(args[2]))
	case "insert_bits":
		field := (uint64(1)<<args[3] - 1) << args[2]
		return low&^field | args[1]<<args[2]&field
	default:
		panic("eval: function " + fn)
	}
	return modulo(result)
}

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
