package machine

import "metalconform/metalrun/internal/ir"

// numbering is how pointers that simdgroups have become numbers of elements of 1<<shift bytes, in an object that begins at
// origin.
type numbering struct {
	numbers *elementSlot
	origin  uint64
	shift   uint
}

// headCodes are the operations of two values.
var headCodes = map[ir.Op]uniformCode{ir.Add: headAdd, ir.PtrAdd: headAdd, ir.Sub: headSub, ir.Mul: headMul, ir.Shl: headShl}

// headsAlone is what the flag of numbers is while only the slot for simdgroups has them.
const headsAlone = 1

// take gives each simdgroup the value of its first active lane.
func (o *uniformOp) take(m *Machine) {
	d := m.headsOf(o.d, m.heads())
	switch o.code {
	case headExtendU:
		for g, row := 0, m.slots[o.a]; g < len(d); g++ {
			d[g] = uint64(row[m.head(g)])
		}
	case headExtendS:
		for g, row := 0, m.slots[o.a]; g < len(d); g++ {
			d[g] = uint64(int32(row[m.head(g)]))
		}
	case headTake:
		for g, row := 0, m.Wide(int(o.a)); g < len(d); g++ {
			d[g] = row[m.head(g)]
		}
	}
}

// headsOf is a slot of 64-bit values for so many simdgroups.
func (m *Machine) headsOf(s int32, heads int) []uint64 { return m.u64[int(s)*m.Stride:][:heads] }

// compute does an operation of two values.
func (o *uniformOp) compute(m *Machine) {
	heads := m.heads()
	d, a := m.headsOf(o.d, heads), m.headsOf(o.a, heads)
	a = a[:len(d)]
	if !o.withB {
		o.pair(d, a, m.headsOf(o.b, heads))
		return
	}
	b := m.Uni64[o.b]
	switch o.code {
	case headAdd:
		for g := range d {
			d[g] = a[g] + b
		}
	case headSub:
		for g := range d {
			d[g] = a[g] - b
		}
	case headMul:
		for g := range d {
			d[g] = a[g] * b
		}
	case headShl:
		for g := range d {
			d[g] = a[g] << (b & 63)
		}
	}
}

func (o *uniformOp) pair(d, a, b []uint64) {
	a, b = a[:len(d)], b[:len(d)]
	for g := range d {
		switch x, y := a[g], b[g]; o.code {
		case headAdd:
			d[g] = x + y
		case headSub:
			d[g] = x - y
		case headMul:
			d[g] = x * y
		case headShl:
			d[g] = x << (y & 63)
		}
	}
}

// number numbers the elements that pointers point to. Lanes get these numbers where something reads them.
func (o *uniformOp) number(m *Machine) {
	n, heads := o.numbering, m.heads()
	e := n.numbers
	d, a := m.slots[e.Heads][:heads], m.headsOf(o.a, heads)
	limit, odd := uint64(mostElements)<<n.shift, uint64(1)<<n.shift-1
	ok := true
	for g := range d {
		off := a[g] - n.origin
		if (off >= limit || off&odd != 0) && m.Mask[m.head(g)] != 0 {
			ok = false
		}
		d[g] = uint32(off >> n.shift)
	}
	m.Uni32[e.Valid] = Lane(ok) & headsAlone
}

// numbersOf gives the numbers that lanes have.
func (m *Machine) numbersOf(e *elementSlot) []uint32 {
	d := m.Lanes(e.slot)
	if m.Uni32[e.Valid] == headsAlone {
		m.spread(d, m.Lanes(e.Heads)[:m.heads()])
		m.Uni32[e.Valid] = Lane(true)
	}
	return d
}
