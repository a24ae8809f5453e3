package machine

import "metalconform/metalrun/internal/ir"

// Numbering is how pointers that simdgroups have become numbers of elements of 1<<shift bytes, in an object that
// begins at origin.
type Numbering struct {
	Numbers *ElementSlot
	Origin  uint64
	Shift   uint
}

// headCodes are the operations of two values.
var HeadCodes = map[ir.Op]UniformCode{ir.Add: HeadAdd, ir.PtrAdd: HeadAdd, ir.Sub: headSub, ir.Mul: HeadMul,
	ir.Shl: headShl}

// headsAlone is what the flag of numbers is while only the slot for simdgroups has them.
const headsAlone = 1

// take gives each simdgroup the value of its first active lane.
func (o *UniformOp) take(m *Machine) {
	d := m.headsOf(o.D, m.heads())
	switch o.Code {
	case HeadExtendU:
		for g, row := 0, m.slots[o.A]; g < len(d); g++ {
			d[g] = uint64(row[m.Head(g)])
		}
	case HeadExtendS:
		for g, row := 0, m.slots[o.A]; g < len(d); g++ {
			d[g] = uint64(int32(row[m.Head(g)]))
		}
	case HeadTake:
		for g, row := 0, m.Wide(int(o.A)); g < len(d); g++ {
			d[g] = row[m.Head(g)]
		}
	}
}

// headsOf is a slot of 64-bit values for so many simdgroups.
func (m *Machine) headsOf(s int32, heads int) []uint64 { return m.u64[int(s)*m.Stride:][:heads] }

// compute does an operation of two values.
func (o *UniformOp) compute(m *Machine) {
	heads := m.heads()
	d, a := m.headsOf(o.D, heads), m.headsOf(o.A, heads)
	a = a[:len(d)]
	if !o.WithB {
		o.pair(d, a, m.headsOf(o.B, heads))
		return
	}
	b := m.Uni64[o.B]
	switch o.Code {
	case HeadAdd:
		for g := range d {
			d[g] = a[g] + b
		}
	case headSub:
		for g := range d {
			d[g] = a[g] - b
		}
	case HeadMul:
		for g := range d {
			d[g] = a[g] * b
		}
	case headShl:
		for g := range d {
			d[g] = a[g] << (b & 63)
		}
	}
}

func (o *UniformOp) pair(d, a, b []uint64) {
	a, b = a[:len(d)], b[:len(d)]
	for g := range d {
		switch x, y := a[g], b[g]; o.Code {
		case HeadAdd:
			d[g] = x + y
		case headSub:
			d[g] = x - y
		case HeadMul:
			d[g] = x * y
		case headShl:
			d[g] = x << (y & 63)
		}
	}
}

// number numbers the elements that pointers point to. Lanes get these numbers where something reads them.
func (o *UniformOp) number(m *Machine) {
	n, heads := o.Numbering, m.heads()
	e := n.Numbers
	d, a := m.slots[e.Heads][:heads], m.headsOf(o.A, heads)
	limit, odd := uint64(MostElements)<<n.Shift, uint64(1)<<n.Shift-1
	ok := true
	for g := range d {
		off := a[g] - n.Origin
		if (off >= limit || off&odd != 0) && m.Mask[m.Head(g)] != 0 {
			ok = false
		}
		d[g] = uint32(off >> n.Shift)
	}
	m.Uni32[e.Valid] = Lane(ok) & headsAlone
}

// numbersOf gives the numbers that lanes have.
func (m *Machine) numbersOf(e *ElementSlot) []uint32 {
	d := m.Lanes(e.Slot)
	if m.Uni32[e.Valid] == headsAlone {
		m.spread(d, m.Lanes(e.Heads)[:m.heads()])
		m.Uni32[e.Valid] = Lane(true)
	}
	return d
}
