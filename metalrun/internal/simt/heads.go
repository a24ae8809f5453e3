package simt

import "metalconform/metalrun/internal/ir"

// numbering is how pointers that simdgroups have become numbers of elements of 1<<shift bytes, in an object that
// begins at origin.
type numbering struct {
	numbers *elementSlot
	origin  uint64
	shift   uint
}

// headCodes are the operations of two values.
var headCodes = map[ir.Op]uniformCode{
	ir.Add: headAdd, ir.PtrAdd: headAdd, ir.Sub: headSub, ir.Mul: headMul, ir.Shl: headShl,
}

// headsAlone is what the flag of numbers is while only the slot for simdgroups has them.
const headsAlone = 1

// take gives each simdgroup the value of its first active lane.
func (o *uniformOp) take(m *machine) {
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
		for g, row := 0, m.wide(int(o.a)); g < len(d); g++ {
			d[g] = row[m.head(g)]
		}
	}
}

// headsOf is a slot of 64-bit values for so many simdgroups.
func (m *machine) headsOf(s int32, heads int) []uint64 { return m.u64[int(s)*m.stride:][:heads] }

// compute does an operation of two values.
func (o *uniformOp) compute(m *machine) {
	heads := m.heads()
	d, a := m.headsOf(o.d, heads), m.headsOf(o.a, heads)
	a = a[:len(d)]
	if !o.withB {
		o.pair(d, a, m.headsOf(o.b, heads))
		return
	}
	b := m.uni64[o.b]
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
func (o *uniformOp) number(m *machine) {
	n, heads := o.numbering, m.heads()
	e := n.numbers
	d, a := m.slots[e.heads][:heads], m.headsOf(o.a, heads)
	limit, odd := uint64(mostElements)<<n.shift, uint64(1)<<n.shift-1
	ok := true
	for g := range d {
		off := a[g] - n.origin
		if (off >= limit || off&odd != 0) && m.mask[m.head(g)] != 0 {
			ok = false
		}
		d[g] = uint32(off >> n.shift)
	}
	m.uni32[e.valid] = lane(ok) & headsAlone
}

// numbersOf gives the numbers that lanes have.
func (m *machine) numbersOf(e *elementSlot) []uint32 {
	d := m.lanes(e.slot)
	if m.uni32[e.valid] == headsAlone {
		m.spread(d, m.lanes(e.heads)[:m.heads()])
		m.uni32[e.valid] = lane(true)
	}
	return d
}

// head emits an operation.
func (c *compiler) head(o uniformOp) { c.emit(instr{uniform: o, do: bytecode{o}.run}) }

// ofHeads compiles an operation on values of simdgroups, if it is one of these.
func (c *compiler) ofHeads(in *ir.Instr) bool {
	code := headCodes[in.Op]
	if code == noUniformOp {
		return false
	}
	a, b := in.Args[0], in.Args[1]
	if c.uniform(a) && (code == headAdd || code == headMul) {
		a, b = b, a
	}
	if c.uniform(a) {
		return false
	}
	x, y := c.heads64(a), c.heads64(b)
	c.head(uniformOp{code: code, d: int32(c.define(in.Dst[0]).index), a: int32(x.at), b: int32(y.at), withB: y.uniform})
	return true
}

// heads64 gives an operand of an instruction that has a value for each simdgroup.
func (c *compiler) heads64(r ir.Reg) operand64 {
	o := c.grouped64(r)
	if o.uniform || o.grouped {
		return o
	}
	s := c.scratch64()
	c.head(uniformOp{code: headTake, d: int32(s), a: int32(o.at)})
	return operand64{grouped: true, at: s, row: -1}
}

// extendHeads extends the value of each simdgroup in a row of 32-bit lanes.
func (c *compiler) extendHeads(in *ir.Instr, extend func(d []uint64, a []uint32)) {
	d, x := in.Dst[0], c.operand(in.Args[0])
	if x.kind == inSlot {
		code := headExtendU
		if t, _ := intOf(in.From); t.Signed {
			code = headExtendS
		}
		c.head(uniformOp{code: code, d: int32(c.define(d).index), a: int32(x.at)})
		return
	}
	row := x.vec(c, false)
	c.compute64(d, func(m *machine, d []uint64) {
		heads, lanes := m.scratch[:len(d)], row(m)
		for g := range heads {
			heads[g] = lanes[m.head(g)]
		}
		extend(d, heads)
	})
}

// numberHeads is what numbered emits for a pointer that has a value for each simdgroup.
func (c *compiler) numberHeads(e *elementSlot, from int, shift uint) {
	c.head(uniformOp{code: headNumber, a: int32(from), numbering: &numbering{e, c.origin(e.object), shift}})
}
