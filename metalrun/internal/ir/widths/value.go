package widths

import (
	"math"
	"math/bits"

	"metalconform/metalrun/internal/ir"
)

// value is what a register holds: the machine's bits, and the integer that they stand for. For a pointer that is the
// object and the offset, as for the machine.
type value struct {
	known bool
	guess bool // it depends on memory that the launch does not give
	bits  uint64
	exact int64
	of    *ir.Instr // that made it leave its type first; nil if nothing has
	sign  *ir.Instr // that took it beyond the integers of its width that have a sign
}

// cell is what a store has left in memory.
type cell struct {
	value
	size int
}

func truth(b bool) value {
	if b {
		return value{known: true, bits: 1, exact: 1}
	}
	return value{known: true}
}

// canonical is a machine's integer of a type.
func canonical(t ir.Type, b uint64) uint64 {
	if t == ir.I32 {
		return b & math.MaxUint32
	}
	return b
}

// signed is the machine's integer with its sign.
func (v value) signed(t ir.Type) int64 {
	if t == ir.I32 {
		return int64(int32(v.bits))
	}
	return int64(v.bits)
}

// unsigned is the integer as an unsigned type of some bits has it: one below zero counts from the end, as it is meant.
func (v value) unsigned(width int) int64 {
	if width < 64 && v.exact < 0 && v.exact >= -1<<(width-1) {
		return v.exact + 1<<width
	}
	return v.exact
}

// outside reports whether an integer is in no type of some bits.
func outside(x int64, width int) bool {
	return width < 64 && (x < -1<<(width-1) || x >= 1<<width)
}

// beyondSign reports whether an integer is in no signed type of some bits.
func beyondSign(x int64, width int) bool {
	return width < 64 && (x < -1<<(width-1) || x >= 1<<(width-1))
}

// scalarWidth is that of a scalar in bits, and whether it has a sign.
func scalarWidth(s ir.Scalar) (width int, signed bool) {
	return 8 * s.Size(), s == ir.S8 || s == ir.S16 || s == ir.S32 || s == ir.S64
}

// as is a value read as a scalar: by the machine, and as it should be. It is of the instruction that leaves the type.
func (v value) as(s ir.Scalar, in *ir.Instr) value {
	width, signed := scalarWidth(s)
	if width == 64 || !v.known {
		return v
	}
	if signed {
		v.bits = uint64(int64(v.bits<<(64-width)) >> (64 - width))
	} else {
		v.bits &= 1<<width - 1
		v.exact = v.unsigned(width)
	}
	if int64(v.bits) != v.exact && v.of == nil {
		if v.of = in; signed && v.sign != nil {
			v.of = v.sign
		}
	}
	return v
}

// arithmetic computes an operation on two integers, twice. Division by zero and integers beyond 64 bits are unknown.
func arithmetic(in *ir.Instr, t ir.Type, a, b value) value {
	if !a.known || !b.known {
		return value{}
	}
	width := 64
	if t == ir.I32 {
		width = 32
	}
	x, y := a.exact, b.exact
	switch in.Op {
	case ir.UDiv, ir.URem, ir.LShr:
		x = a.unsigned(width)
		if in.Op != ir.LShr {
			y = b.unsigned(width)
		}
	}
	got, ok := machine(in.Op, width, a.signed(t), b.signed(t), a.bits, b.bits)
	exact, fits := unbounded(in.Op, width, x, y)
	if !ok || !fits {
		return value{}
	}
	r := value{known: true, guess: a.guess || b.guess, bits: canonical(t, got), exact: exact, of: a.of}
	if r.of == nil {
		r.of = b.of
	}
	if r.of == nil && outside(exact, width) {
		r.of = in
	}
	if beyondSign(exact, width) {
		for _, in := range []*ir.Instr{a.sign, b.sign, in} {
			if r.sign == nil {
				r.sign = in
			}
		}
	}
	return r
}

// machine is an operation on integers of some bits.
func machine(op ir.Op, width int, a, b int64, ua, ub uint64) (got uint64, ok bool) {
	shift := ub % uint64(width)
	switch op {
	case ir.Add:
		return ua + ub, true
	case ir.Sub:
		return ua - ub, true
	case ir.Mul:
		return ua * ub, true
	case ir.And:
		return ua & ub, true
	case ir.Or:
		return ua | ub, true
	case ir.Xor:
		return ua ^ ub, true
	case ir.Shl:
		return ua << shift, true
	case ir.LShr:
		return ua >> shift, true
	case ir.AShr:
		return uint64(a >> shift), true
	}
	if b == 0 {
		return 0, false
	}
	switch op {
	case ir.SDiv:
		return uint64(a / b), true
	case ir.SRem:
		return uint64(a % b), true
	case ir.UDiv:
		return ua / ub, true
	case ir.URem:
		return ua % ub, true
	}
	return 0, false
}

// unbounded is the same operation on integers without a type, as far as 64 bits hold them.
func unbounded(op ir.Op, width int, a, b int64) (exact int64, ok bool) {
	switch op {
	case ir.Add:
		return a + b, (a+b > a) == (b > 0)
	case ir.Sub:
		return a - b, (a-b < a) == (b > 0)
	case ir.Mul:
		return product(a, b)
	case ir.And:
		return a & b, true
	case ir.Or:
		return a | b, true
	case ir.Xor:
		return a ^ b, true
	case ir.Shl:
		if b &= int64(width - 1); b < 62 {
			return product(a, 1<<b)
		}
	case ir.LShr, ir.AShr:
		return a >> (b & int64(width-1)), true
	case ir.SDiv, ir.UDiv:
		if b != 0 {
			return a / b, true
		}
	case ir.SRem, ir.URem:
		if b != 0 {
			return a % b, true
		}
	}
	return 0, false
}

// product is that of two integers, as far as 64 bits hold it.
func product(a, b int64) (c int64, ok bool) {
	size := func(n int64) uint64 { return uint64(max(n, -n)) }
	hi, lo := bits.Mul64(size(a), size(b))
	return a * b, hi == 0 && lo < 1<<63
}

// relation compares two integers, by the machine and without a type. They differ only if one is beyond its type: what
// wraps below zero may be meant to.
func relation(in *ir.Instr, t ir.Type, a, b value) value {
	if !a.known || !b.known || a.guess || b.guess {
		return value{}
	}
	width := 64
	if t == ir.I32 {
		width = 32
	}
	x, y := a.exact, b.exact
	var got, want bool
	switch in.Op {
	case ir.Eq, ir.Ne:
		got, want = a.bits == b.bits, x == y
		if !outside(x, width) && !outside(y, width) {
			want = got
		}
		if in.Op == ir.Ne {
			got, want = !got, !want
		}
	case ir.SLt, ir.SLe:
		m, n := a.signed(t), b.signed(t)
		got, want = m < n || m == n && in.Op == ir.SLe, x < y || x == y && in.Op == ir.SLe
	default:
		x, y = a.unsigned(width), b.unsigned(width)
		got, want = a.bits < b.bits || a.bits == b.bits && in.Op == ir.ULe, x < y || x == y && in.Op == ir.ULe
	}
	r := truth(got)
	if got == want {
		return r
	}
	for _, v := range []value{a, b} {
		if v.exact >= 1<<(width-1) && uint64(v.exact) != v.bits || in.Op <= ir.SLe && v.exact != v.signed(t) {
			r.of, r.exact = in, v.exact
			if v.of != nil {
				r.of = v.of
			}
			return r
		}
	}
	return r
}
