package codegen

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// Contention takes part in a compared exchange, lane by lane.
type Contention interface {
	// Refuses lets an exchange fail that has found what it expects: it is a weak one.
	Refuses(m *machine.Machine, lane int, mem *machine.Memory, off int64) bool
	// Exchanged is called after an exchange, swapped or not.
	Exchanged(m *machine.Machine, lane int, mem *machine.Memory, off int64, swapped bool)
}

// atomic compiles atomic operations: lanes take their turns in ascending order, or in one that the adversary draws.
func (c *Compiler) atomic(in *ir.Instr) {
	if in.Mem.Space == syntax.Device {
		c.P.InOrder = true
	}
	a := c.Access(in)
	size := int(a.Size)
	apply := machine.AtomicFunc(in)
	var args []func(m *machine.Machine) machine.Elements
	for _, r := range in.Args {
		args = append(args, c.stored(r, false, machine.Encode32(in.From)))
	}
	var set []func(m *machine.Machine, lane int, v uint64)
	for _, r := range in.Dst {
		set = append(set, c.setLane(r, in.From))
	}
	c.protectMemory()
	iteration, contention := c.iteration(in), c.Contention
	c.Do(func(m *machine.Machine) {
		var room [3]machine.Elements
		values := room[:len(args)]
		for i, v := range args {
			values[i] = v(m)
		}
		var operandRoom [3]uint64
		operands := operandRoom[:len(args)]
		for i := range m.Mask {
			l := iteration(i, len(m.Mask))
			if m.Mask[l] == 0 {
				continue
			}
			mem, off := a.Anywhere(m, l)
			m.Writable(a, mem)
			for i, v := range values {
				operands[i] = v.At(l)
			}
			old := mem.Raw(off, size)
			now, swapped := apply(old, operands)
			if contention != nil && contention.Refuses(m, l, mem, off) {
				now, swapped = old, false
			}
			mem.SetRaw(off, size, now)
			if contention != nil {
				contention.Exchanged(m, l, mem, off, swapped)
			}
			switch len(set) {
			case 1:
				set[0](m, l, old)
			case 2:
				set[0](m, l, uint64(machine.Lane(swapped)))
				set[1](m, l, old)
			}
		}
	})
}

// iteration is which of n lanes comes to an atomic operation as number i.
func (c *Compiler) iteration(in *ir.Instr) func(i, n int) int {
	draw, ok := c.adversary.takes(in.Pos, machine.ArrivalOrder)
	switch {
	case !ok:
		return func(i, _ int) int { return i }
	case draw&1 != 0:
		return func(i, n int) int { return n - 1 - i }
	}
	return func(i, n int) int { // by steps that have no divisor with n in common, and do not begin with lane 0
		step := 3 + int(draw>>3&0xff)
		for machine.Divisor(step, n) > 1 {
			step++
		}
		return ((i+n/2)*step + n/3) % n
	}
}

// setLane writes one lane of a register that an atomic defines.
func (c *Compiler) setLane(r ir.Reg, s ir.Scalar) func(m *machine.Machine, lane int, v uint64) {
	c.protect(r)
	i := c.Define(r).Index
	if c.P.Slots[r].Wide {
		return func(m *machine.Machine, l int, v uint64) { m.Wide(i)[l] = v }
	}
	if decode := machine.Decode32(s); decode != nil && c.Typ(r) != ir.Bool {
		return func(m *machine.Machine, l int, v uint64) { m.Lanes(i)[l] = decode(uint32(v)) }
	}
	if s == ir.B8 {
		return func(m *machine.Machine, l int, v uint64) { m.Lanes(i)[l] = machine.Lane(v != 0) }
	}
	return func(m *machine.Machine, l int, v uint64) { m.Lanes(i)[l] = uint32(v) }
}
