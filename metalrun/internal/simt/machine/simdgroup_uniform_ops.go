package machine

import "metalconform/metalrun/internal/ir"

// Numbering is how simdgroup-uniform pointers become numbers of elements of 1<<Shift bytes, in an object that begins at
// Origin.
type Numbering struct {
	Numbers *ElementSlot
	Origin  uint64
	Shift   uint
}

// SimdgroupCodes are the operations of two values.
var SimdgroupCodes = map[ir.Op]UniformCode{ir.Add: SimdgroupAdd, ir.PtrAdd: SimdgroupAdd, ir.Sub: simdgroupSub,
	ir.Mul: SimdgroupMul, ir.Shl: simdgroupShl}

// onlySimdgroups is the value of ElementSlot.Valid while only the slot for simdgroups has the numbers.
const onlySimdgroups = 1

// take gives each simdgroup the value of its first active lane.
func (o *UniformOp) take(m *Machine) {
	d := m.simdgroupValues(o.D, m.simdgroups())
	switch o.Code {
	case SimdgroupExtendU:
		for g, row := 0, m.slots[o.A]; g < len(d); g++ {
			d[g] = uint64(row[m.Leader(g)])
		}
	case SimdgroupExtendS:
		for g, row := 0, m.slots[o.A]; g < len(d); g++ {
			d[g] = uint64(int32(row[m.Leader(g)]))
		}
	case SimdgroupTake:
		for g, row := 0, m.Wide(int(o.A)); g < len(d); g++ {
			d[g] = row[m.Leader(g)]
		}
	}
}

// simdgroupValues is a slot of 64-bit values, one for each of so many simdgroups.
func (m *Machine) simdgroupValues(s int32, groups int) []uint64 {
	return m.u64[int(s)*m.Stride:][:groups]
}

// compute does an operation on two values.
func (o *UniformOp) compute(m *Machine) {
	groups := m.simdgroups()
	d, a := m.simdgroupValues(o.D, groups), m.simdgroupValues(o.A, groups)
	a = a[:len(d)]
	if !o.WithB {
		o.pair(d, a, m.simdgroupValues(o.B, groups))
		return
	}
	b := m.Uni64[o.B]
	switch o.Code {
	case SimdgroupAdd:
		for g := range d {
			d[g] = a[g] + b
		}
	case simdgroupSub:
		for g := range d {
			d[g] = a[g] - b
		}
	case SimdgroupMul:
		for g := range d {
			d[g] = a[g] * b
		}
	case simdgroupShl:
		for g := range d {
			d[g] = a[g] << (b & 63)
		}
	}
}

func (o *UniformOp) pair(d, a, b []uint64) {
	a, b = a[:len(d)], b[:len(d)]
	for g := range d {
		switch x, y := a[g], b[g]; o.Code {
		case SimdgroupAdd:
			d[g] = x + y
		case simdgroupSub:
			d[g] = x - y
		case SimdgroupMul:
			d[g] = x * y
		case simdgroupShl:
			d[g] = x << (y & 63)
		}
	}
}

// number computes the numbers of the elements that pointers point to. Lanes get the numbers when something reads them.
func (o *UniformOp) number(m *Machine) {
	n, groups := o.Numbering, m.simdgroups()
	e := n.Numbers
	d, a := m.slots[e.Simdgroups][:groups], m.simdgroupValues(o.A, groups)
	limit, odd := uint64(MostElements)<<n.Shift, uint64(1)<<n.Shift-1
	ok := true
	for g := range d {
		off := a[g] - n.Origin
		if (off >= limit || off&odd != 0) && m.Mask[m.Leader(g)] != 0 {
			ok = false
		}
		d[g] = uint32(off >> n.Shift)
	}
	m.Uni32[e.Valid] = Lane(ok) & onlySimdgroups
}

// numbersOf gives the numbers of lanes.
func (m *Machine) numbersOf(e *ElementSlot) []uint32 {
	d := m.Lanes(e.Slot)
	if m.Uni32[e.Valid] == onlySimdgroups {
		m.spread(d, m.Lanes(e.Simdgroups)[:m.simdgroups()])
		m.Uni32[e.Valid] = Lane(true)
	}
	return d
}
