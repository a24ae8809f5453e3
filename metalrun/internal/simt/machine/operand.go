package machine

import (
	"metalconform/metalrun/internal/simt/lanes"
)

// Vec gives the lanes of a 32-bit operand: all lanes, or one if the result is uniform.
type Vec func(m *Machine) []uint32

// Vec64 is Vec for 64-bit operands.
type Vec64 func(m *Machine) []uint64

// AsF views lanes as floats.
func AsF(u []uint32) []float32 { return lanes.Float32s(u) }

// Operand is where an instruction reads a 32-bit argument or writes its result.
type Operand struct {
	Kind operandKind
	At   int  // slot, or uniform register
	Row  *Row // private array element
	Run  *Run // run of memory
}

type operandKind uint8

const (
	InSlot operandKind = iota
	InRow
	InMemory
	IsUniform
)

// Operand gives the lanes of an operand: one if it is uniform.
func (m *Machine) Operand(o *Operand) []uint32 {
	if o.Kind != InSlot {
		return m.Elsewhere(o)
	}
	return m.slots[o.At]
}

// Elsewhere is an operand that is not a slot.
func (m *Machine) Elsewhere(o *Operand) []uint32 {
	switch o.Kind {
	case IsUniform:
		return m.Uni32[o.At : o.At+1 : o.At+1]
	case InMemory:
		return o.Run.lanes(m)
	}
	return o.Row.lanes(m)
}

// Uniform reports whether the operand is one value for all lanes.
func (o Operand) Uniform() bool { return o.Kind == IsUniform }

// Operand64 is Operand for 64-bit arguments.
type Operand64 struct {
	Uniform bool
	Grouped bool // it is simdgroup-uniform
	At      int
	Row     int // slot to spread a simdgroup-uniform operand to, if the result is varying
}

// Lanes are the lanes of a varying operand, or the values of the simdgroups if the result is simdgroup-uniform.
func (o Operand64) Lanes(m *Machine) []uint64 {
	if !o.Grouped {
		return m.Wide(o.At)
	}
	if o.Row < 0 {
		return m.Grouped(o.At)
	}
	d := m.Wide(o.Row)
	m.spread64(d, m.Grouped(o.At))
	return d
}

// Zipped64 applies a loop to two 64-bit operands.
func Zipped64(loop *lanes.BinaryQ, a, b Operand64) func(m *Machine, d []uint64) {
	switch {
	case a.Uniform && b.Uniform:
		return func(m *Machine, d []uint64) {
			loop.VV(d[:1], m.Uni64[a.At:a.At+1], m.Uni64[b.At:b.At+1])
			for l := 1; l < len(d); l++ {
				d[l] = d[0]
			}
		}
	case a.Uniform:
		return func(m *Machine, d []uint64) { loop.SV(d, m.Uni64[a.At], b.Lanes(m)) }
	case b.Uniform:
		return func(m *Machine, d []uint64) { loop.VS(d, a.Lanes(m), m.Uni64[b.At]) }
	}
	return func(m *Machine, d []uint64) { loop.VV(d, a.Lanes(m), b.Lanes(m)) }
}
