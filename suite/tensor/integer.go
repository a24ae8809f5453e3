package tensor

import (
	"math"
	"math/big"
	"math/bits"
)

// Integer is an integer of any size, or none: what a division by zero gives. The zero value is 0.
type Integer struct {
	small int64
	large *big.Int // in place of small, if that has no room
	none  bool
}

// None is no integer.
var None = Integer{none: true}

// Whole is an integer of 64 bits.
func Whole(n int64) Integer { return Integer{small: n} }

// Large is an integer of any size, which it takes as its own.
func Large(n *big.Int) Integer {
	if n.IsInt64() {
		return Integer{small: n.Int64()}
	}
	return Integer{large: n}
}

// wholeOf is a number of float64 that is an integer; none for others.
func wholeOf(x float64) Integer {
	switch {
	case x-x != 0 || x != math.Trunc(x):
		return None
	case -0x1p63 <= x && x < 0x1p63:
		return Integer{small: int64(x)}
	}
	n, _ := big.NewFloat(x).Int(nil)
	return Integer{large: n}
}

// Big is the integer, 0 for none.
func (n Integer) Big() *big.Int {
	if n.large != nil {
		return n.large
	}
	return big.NewInt(n.small)
}

// IsNone reports whether there is no integer.
func (n Integer) IsNone() bool { return n.none }

// float is the nearest number of float64, NaN for none.
func (n Integer) float() float64 {
	switch {
	case n.none:
		return math.NaN()
	case n.large != nil:
		x, _ := new(big.Float).SetInt(n.large).Float64()
		return x
	}
	return float64(n.small)
}

// Sign is that of the integer.
func (n Integer) Sign() int { return n.Big().Sign() }

// Compare is the order of two integers.
func (n Integer) Compare(m Integer) int {
	if n.large == nil && m.large == nil {
		switch {
		case n.small < m.small:
			return -1
		case n.small > m.small:
			return 1
		}
		return 0
	}
	return n.Big().Cmp(m.Big())
}

// Add is n + m.
func (n Integer) Add(m Integer) Integer {
	if n.none || m.none {
		return None
	}
	if sum := n.small + m.small; n.large == nil && m.large == nil && (sum > n.small) == (m.small > 0) {
		return Integer{small: sum}
	}
	return Large(new(big.Int).Add(n.Big(), m.Big()))
}

// Neg is −n.
func (n Integer) Neg() Integer {
	if n.none {
		return None
	}
	if n.large == nil && n.small != math.MinInt64 {
		return Integer{small: -n.small}
	}
	return Large(new(big.Int).Neg(n.Big()))
}

// Sub is n − m.
func (n Integer) Sub(m Integer) Integer { return n.Add(m.Neg()) }

// Mul is n · m.
func (n Integer) Mul(m Integer) Integer {
	if n.none || m.none {
		return None
	}
	if n.large == nil && m.large == nil {
		if high, low := bits.Mul64(magnitude(n.small), magnitude(m.small)); high == 0 && low < 1<<63 {
			return Integer{small: n.small * m.small}
		}
	}
	return Large(new(big.Int).Mul(n.Big(), m.Big()))
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// Div is n / m, rounded down, and Mod what is left of it, with the sign of m; none for a division by 0.
func (n Integer) Div(m Integer) Integer {
	quotient, _ := n.divided(m)
	return quotient
}

// Mod is n − m·⌊n/m⌋.
func (n Integer) Mod(m Integer) Integer {
	_, rest := n.divided(m)
	return rest
}

func (n Integer) divided(m Integer) (quotient, rest Integer) {
	if n.none || m.none || m.Sign() == 0 {
		return None, None
	}
	q, r := new(big.Int).QuoRem(n.Big(), m.Big(), new(big.Int))
	if r.Sign() != 0 && r.Sign() != m.Sign() {
		q.Sub(q, big.NewInt(1))
		r.Add(r, m.Big())
	}
	return Large(q), Large(r)
}

// Bits is an operation on the bits of two integers in two's complement.
func (n Integer) Bits(m Integer, small func(x, y int64) int64, large func(z, x, y *big.Int) *big.Int) Integer {
	switch {
	case n.none || m.none:
		return None
	case n.large == nil && m.large == nil:
		return Integer{small: small(n.small, m.small)}
	}
	return Large(large(new(big.Int), n.Big(), m.Big()))
}

// mostShift bounds a shift to the left.
const mostShift = 1 << 10

// Shl is n · 2ᵐ, and Shr that rounded down with −m. There is none for a negative m, or a large one.
func (n Integer) Shl(m Integer) Integer {
	if n.none || m.none || m.large != nil || m.small < 0 || m.small > mostShift {
		return None
	}
	if n.large == nil && m.small < 64 {
		if shifted := n.small << uint(m.small); shifted>>uint(m.small) == n.small {
			return Integer{small: shifted}
		}
	}
	return Large(new(big.Int).Lsh(n.Big(), uint(m.small)))
}

// Shr is n / 2ᵐ, rounded down.
func (n Integer) Shr(m Integer) Integer {
	switch {
	case n.none || m.none || m.Sign() < 0:
		return None
	case n.large == nil && m.large == nil:
		return Integer{small: n.small >> uint64(m.small)}
	case m.large != nil || m.small > math.MaxInt32:
		return Integer{small: int64(min(n.Sign(), 0))}
	}
	return Large(new(big.Int).Rsh(n.Big(), uint(m.small)))
}

// Wrap is the integer of so many bits, at most 64, that has the low bits of n.
func (n Integer) Wrap(width int, signed bool) Integer {
	if n.none {
		return None
	}
	low, unused := uint64(n.small), 64-width
	if n.large != nil {
		low = new(big.Int).And(n.large, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
	}
	if signed {
		return Integer{small: int64(low<<unused) >> unused}
	}
	return Unsigned(low << unused >> unused)
}

// Unsigned is an integer of 64 bits without a sign.
func Unsigned(n uint64) Integer {
	if n < 1<<63 {
		return Integer{small: int64(n)}
	}
	return Integer{large: new(big.Int).SetUint64(n)}
}

// Held is the word of 64 bits of an integer that such a type has; ok is false if it has none.
func (n Integer) Held(width int, signed bool) (word uint64, ok bool) {
	w := n.Wrap(width, signed)
	if n.none || w.Compare(n) != 0 {
		return 0, false
	}
	if w.large != nil {
		return w.large.Uint64(), true
	}
	return uint64(w.small), true
}
