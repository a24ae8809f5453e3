package machine

import (
	"metalconform/metalrun/internal/simt/lanes"
)

// vec gives the lanes of a 32-bit operand: all of the threadgroup's, or one
// where the result is uniform.
type vec func(m *Machine) []uint32

// vec64 is vec for 64-bit operands.
type vec64 func(m *Machine) []uint64

// asF views lanes as floats.
func AsF(u []uint32) []float32 { return lanes.Float32s(u) }

// operand is where an instruction finds a 32-bit argument or leaves its result.
type Operand struct {
	kind operandKind
	At   int  // slot, or uniform register
	Row  *row // private array element
	run  *run // run of memory
}

type operandKind uint8

const (
	inSlot operandKind = iota
	inRow
	inMemory
	isUniform
)

// operand gives an operand's lanes; those of a uniform operand are one.
func (m *Machine) Operand(o *Operand) []uint32 {
	if o.kind != inSlot {
		return m.elsewhere(o)
	}
	return m.slots[o.At]
}

func (m *Machine) elsewhere(o *Operand) []uint32 {
	switch o.kind {
	case isUniform:
		return m.Uni32[o.At : o.At+1 : o.At+1]
	case inMemory:
		return o.run.lanes(m)
	}
	return o.Row.lanes(m)
}

func (o Operand) uniform() bool { return o.kind == isUniform }

// operand64 is operand for 64-bit arguments.
type operand64 struct {
	uniform bool
	grouped bool // a value for each simdgroup
	at      int
	row     int // slot to spread those in, if the result has one for each lane
}

// lanes are those of a varying operand, or the values of the simdgroups where the result is such.
func (o operand64) lanes(m *Machine) []uint64 {
	if !o.grouped {
		return m.Wide(o.at)
	}
	if o.row < 0 {
		return m.grouped(o.at)
	}
	d := m.Wide(o.row)
	m.spread64(d, m.grouped(o.at))
	return d
}

// zipped64 applies a loop to two 64-bit operands.
func zipped64(loop *lanes.BinaryQ, a, b operand64) func(m *Machine, d []uint64) {
	switch {
	case a.uniform && b.uniform:
		return func(m *Machine, d []uint64) {
			loop.VV(d[:1], m.Uni64[a.at:a.at+1], m.Uni64[b.at:b.at+1])
			for l := 1; l < len(d); l++ {
				d[l] = d[0]
			}
		}
	case a.uniform:
		return func(m *Machine, d []uint64) { loop.SV(d, m.Uni64[a.at], b.lanes(m)) }
	case b.uniform:
		return func(m *Machine, d []uint64) { loop.VS(d, a.lanes(m), m.Uni64[b.at]) }
	}
	return func(m *Machine, d []uint64) { loop.VV(d, a.lanes(m), b.lanes(m)) }
}
