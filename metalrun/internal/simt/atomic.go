package simt

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// atomic compiles atomic operations: lanes take their turns in ascending order, or in one that the adversary draws.
func (c *compiler) atomic(in *ir.Instr) {
	if in.Mem.Space == syntax.Device {
		c.p.inOrder = true
	}
	if c.p.options.Check {
		c.p.named(c.p.sites[len(c.p.sites)-1], in.Fn) // its observeOp is before it
	}
	a := c.access(in)
	size := int(a.size)
	apply := atomicFunc(in)
	var args []func(m *machine) elements
	for _, r := range in.Args {
		args = append(args, c.stored(r, false, encode32(in.From)))
	}
	var set []func(m *machine, lane int, v uint64)
	for _, r := range in.Dst {
		set = append(set, c.setLane(r, in.From))
	}
	c.protectMemory()
	turn := c.turn(in)
	c.do(func(m *machine) {
		var room [3]elements
		values := room[:len(args)]
		for i, v := range args {
			values[i] = v(m)
		}
		var operandRoom [3]uint64
		operands := operandRoom[:len(args)]
		for i := range m.mask {
			l := turn(i, len(m.mask))
			if m.mask[l] == 0 {
				continue
			}
			mem, off := a.anywhere(m, l)
			m.writable(a, mem)
			for i, v := range values {
				operands[i] = v.at(l)
			}
			old := mem.raw(off, size)
			now, swapped := apply(old, operands)
			mem.setRaw(off, size, now)
			switch len(set) {
			case 1:
				set[0](m, l, old)
			case 2:
				set[0](m, l, uint64(lane(swapped)))
				set[1](m, l, old)
			}
		}
	})
}

// turn is which of n lanes comes to an atomic operation as number i.
func (c *compiler) turn(in *ir.Instr) func(i, n int) int {
	draw, ok := c.adversary.takes(in.Pos, arrivalOrder)
	switch {
	case !ok:
		return func(i, _ int) int { return i }
	case draw&1 != 0:
		return func(i, n int) int { return n - 1 - i }
	}
	return func(i, n int) int { // by steps that have no divisor with n in common, and do not begin with lane 0
		step := 3 + int(draw>>3&0xff)
		for divisor(step, n) > 1 {
			step++
		}
		return ((i+n/2)*step + n/3) % n
	}
}

// divisor is the greatest that two numbers have in common.
func divisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// anywhere resolves lane l's address of any kind of access.
func (a *access) anywhere(m *machine, l int) (*memory, int64) {
	if a.uniform {
		return a.one(m, 0)
	}
	if a.base != nil {
		return a.lane(m, l, 0)
	}
	off := a.step(m, l)
	mem, at := m.find(a.in, m.uni64[a.base64], l)
	off += at
	if uint64(off) > uint64(mem.size-a.size) || mem.size < a.size || off&(a.size-1) != 0 {
		m.outOfRange(a, off, mem, m.uni64[a.base64], l)
	}
	return mem, off
}

// setLane writes one lane of a register that an atomic defines.
func (c *compiler) setLane(r ir.Reg, s ir.Scalar) func(m *machine, lane int, v uint64) {
	c.protect(r)
	i := c.define(r).index
	if c.p.slots[r].wide {
		return func(m *machine, l int, v uint64) { m.wide(i)[l] = v }
	}
	if decode := decode32(s); decode != nil && c.typ(r) != ir.Bool {
		return func(m *machine, l int, v uint64) { m.lanes(i)[l] = decode(uint32(v)) }
	}
	if s == ir.B8 {
		return func(m *machine, l int, v uint64) { m.lanes(i)[l] = lane(v != 0) }
	}
	return func(m *machine, l int, v uint64) { m.lanes(i)[l] = uint32(v) }
}

// atomicFunc gives the new contents of the element from the old and the operands.
func atomicFunc(in *ir.Instr) func(old uint64, v []uint64) (now uint64, swapped bool) {
	plain := func(f func(a, b uint64) uint64) func(uint64, []uint64) (uint64, bool) {
		return func(old uint64, v []uint64) (uint64, bool) { return f(old, v[0]), false }
	}
	if in.From == ir.R32 {
		switch in.Fn {
		case "add":
			return plain(func(a, b uint64) uint64 {
				return floatBits(f32frombits(uint32(a)) + f32frombits(uint32(b)))
			})
		case "sub":
			return plain(func(a, b uint64) uint64 {
				return floatBits(f32frombits(uint32(a)) - f32frombits(uint32(b)))
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
	panic(unknown(in))
}

// floatBits is the bits of a result, which memory shows.
func floatBits(x float32) uint64 {
	if x != x {
		return 0x7fc00000
	}
	return uint64(f32bits(x))
}
