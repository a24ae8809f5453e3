package machine

import (
	"metalconform/metalrun/internal/ir"
)

// Divisor is the greatest common divisor of two numbers.
func Divisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Anywhere resolves the address of lane l of any access.
func (a *MemoryAccess) Anywhere(m *Machine, l int) (*Memory, int64) {
	if a.Uniform {
		return a.One(m, 0)
	}
	if a.Base != nil {
		return a.Lane(m, l, 0)
	}
	off := a.step(m, l)
	mem, at := m.find(a.In, m.Uni64[a.Base64], l)
	off += at
	if uint64(off) > uint64(mem.Size-a.Size) || mem.Size < a.Size || off&(a.Size-1) != 0 {
		m.outOfRange(a, off, mem, m.Uni64[a.Base64], l)
	}
	return mem, off
}

// AtomicFunc gives the new contents of the element from the old and the operands.
func AtomicFunc(in *ir.Instr) func(old uint64, v []uint64) (now uint64, swapped bool) {
	plain := func(f func(a, b uint64) uint64) func(uint64, []uint64) (uint64, bool) {
		return func(old uint64, v []uint64) (uint64, bool) { return f(old, v[0]), false }
	}
	if in.From == ir.R32 {
		switch in.Fn {
		case "add":
			return plain(func(a, b uint64) uint64 {
				return floatBits(F32frombits(uint32(a)) + F32frombits(uint32(b)))
			})
		case "sub":
			return plain(func(a, b uint64) uint64 {
				return floatBits(F32frombits(uint32(a)) - F32frombits(uint32(b)))
			})
		}
	}
	signed := in.From == ir.S32
	less := func(a, b uint64) bool {
		if signed {
			return int32(a) < int32(b)
		}
		return a < b
	}
	switch in.Fn {
	case "load":
		return func(old uint64, _ []uint64) (uint64, bool) { return old, false }
	case "store", "exchange":
		return plain(func(_, b uint64) uint64 { return b })
	case "compare_exchange":
		return func(old uint64, v []uint64) (uint64, bool) {
			if old == v[0] {
				return v[1], true
			}
			return old, false
		}
	case "add":
		return plain(func(a, b uint64) uint64 { return a + b })
	case "sub":
		return plain(func(a, b uint64) uint64 { return a - b })
	case "and":
		return plain(func(a, b uint64) uint64 { return a & b })
	case "or":
		return plain(func(a, b uint64) uint64 { return a | b })
	case "xor":
		return plain(func(a, b uint64) uint64 { return a ^ b })
	case "min":
		return plain(func(a, b uint64) uint64 {
			if less(b, a) {
				return b
			}
			return a
		})
	case "max":
		return plain(func(a, b uint64) uint64 {
			if less(a, b) {
				return b
			}
			return a
		})
	}
	panic(Unknown(in))
}

// floatBits is the bits of a result as memory gets it.
func floatBits(x float32) uint64 {
	if x != x {
		return 0x7fc00000
	}
	return uint64(F32bits(x))
}
