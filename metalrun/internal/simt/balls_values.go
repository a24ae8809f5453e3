package simt

import (
	"math"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
)

// A row whose balls are the values of its register is not written out: inputs, indices, bits and
// whatever else every device has alike. It is written when arithmetic that rounds reads it, and
// an operation that does not round, on nothing but such rows, gives another of them.

// rowKind says what a row of balls is: what stands in it, or the values of the register, of a
// type.
type rowKind uint8

const (
	written  rowKind = 0
	asValues rowKind = 1    // and the type
	standing rowKind = 0x80 // they stand in the row as well
)

// kinds are those of the rows of a machine, by slot and by uniform register.
type kinds struct{ narrow, wide, uni32, uni64 []rowKind }

func (p *Program) newKinds() kinds {
	return kinds{make([]rowKind, p.slots32), make([]rowKind, p.slots64), make([]rowKind, len(p.uni32)), make([]rowKind, len(p.uni64))}
}

func (k *kinds) clear() {
	clear(k.narrow)
	clear(k.wide)
	clear(k.uni32)
	clear(k.uni64)
}

// of is the kind of a register's row.
func (k *kinds) of(at slot) *rowKind {
	switch {
	case at.varying && at.wide:
		return &k.wide[at.index]
	case at.varying:
		return &k.narrow[at.index]
	case at.wide:
		return &k.uni64[at.index]
	}
	return &k.uni32[at.index]
}

// spell writes the values of a register to its row.
func (m *machine) spell(row []ball.Ball, at slot, kind rowKind) {
	t := ir.Type(kind - asValues)
	if t == ir.F32 && at.varying {
		m.p.rows.Numbers(row, asF(m.lanes(at.index)))
		return
	}
	for l := range row {
		row[l] = m.valueBall(at, t, l)
	}
}

// valueBall is the ball of a value that every device has.
func (m *machine) valueBall(at slot, t ir.Type, l int) ball.Ball {
	x := m.number(at, t, l)
	if t == ir.F32 {
		return ball.Of(x)
	}
	return ball.Ball{X: x}
}

// look is the balls of a register, to be read.
func (m *machine) look(at slot) []ball.Ball {
	kind := m.balls.kinds.of(at)
	row := m.rawRow(at)
	if *kind != written && *kind&standing == 0 {
		m.spell(row, at, *kind)
		if at.varying { // the counter of a loop moves by itself
			*kind |= standing
		}
	}
	return row
}

// destination is a result.
type destination struct {
	slot
	temp bool // nobody reads lanes that are not active
	lent bool // may look at memory that it is loaded from
	typ  ir.Type
}

func (c *compiler) destination(r ir.Reg) destination {
	at := c.p.slots[r]
	return destination{at, c.p.kernel.Regs[r].Kind == ir.Temp, at.varying && !at.wide && c.reusable(r) && c.does(passCopyOnWrite), c.typ(r)}
}

// target is the row of a result, of which every active lane is about to be written.
func (m *machine) target(d destination) []ball.Ball {
	if m.replaces(d) {
		m.balls.lent.own(d.slot)
		*m.balls.kinds.of(d.slot) = written
	}
	return m.row(d.slot)
}

// replaces reports whether a result leaves nothing of what its register held.
func (m *machine) replaces(d destination) bool { return d.temp || m.full || !d.varying }

// follows makes the balls of a result its values.
func (m *machine) follows(d destination) {
	kind, now := m.balls.kinds.of(d.slot), asValues+rowKind(d.typ)
	if m.replaces(d) || *kind&^standing == now {
		m.balls.lent.own(d.slot)
		*kind = now
		return
	}
	row := m.row(d.slot)
	for l, on := range m.mask {
		if on != 0 {
			row[l] = m.valueBall(d.slot, d.typ, l)
		}
	}
}

// alike reports whether every device has the operands of an operation, and nothing is in doubt.
func (m *machine) alike(b *ballInstr) bool {
	if m.balls.doubtful {
		return false
	}
	for i := range b.args {
		if o := &b.args[i]; o.has && !m.alikeRow(o, b.numbers) {
			return false
		}
	}
	return true
}

// alikeRow reports whether every device has an operand: its bits, or, if it is taken for numbers,
// what it counts as. A subnormal may count as zero.
func (m *machine) alikeRow(o *ballOperand, numbers bool) bool {
	kind := *m.balls.kinds.of(o.at) &^ standing
	switch {
	case kind != written && o.at.varying:
		return !numbers || !m.subnormals(m.lanes(o.at.index), o.typ)
	case o.at.varying:
		return false
	}
	b, x := m.look(o.at)[0], m.number(o.at, o.typ, 0)
	if numbers && o.typ == ir.F16 && x != 0 && math.Abs(x) < leastHalf {
		return false
	}
	return b.L == 0 && (b.X == x || b.X != b.X && x != x) && (b.E == 0 || kind != written && !numbers)
}

// leastHalf is the least normal half.
const leastHalf = 0x1p-14

// subnormals reports whether some active lanes hold subnormal floats of a type.
func (m *machine) subnormals(lanes []uint32, of ir.Type) bool {
	least := uint32(1 << 24) // twice the size of the least normal number
	switch of {
	case ir.F32, ir.BF16:
	case ir.F16:
		least = f32bits(leastHalf) << 1
	default:
		return false
	}
	t, d := m.p.table, m.scratch
	t.Shl.VS(d, lanes, 1) // twice the size; zeros become the largest number
	t.SubI.VS(d, d, 2)
	t.LtU.VS(d, d, least-2)
	return t.AndMask(d, d, m.mask) > 0
}

// roundless reports whether an operation on values that every device has gives one: it moves or
// compares them, or works on integers and bits. numbers says that it takes floats for what they
// count as, and not for their bits.
func (b *ballInstr) roundless() (numbers, ok bool) {
	in, p := b.in, b.c.p
	if p.deviates || p.options.taped || p.rewritten && in.Allow&impossible != 0 {
		return false, false
	}
	switch in.Op {
	case ir.Copy, ir.Select, ir.Bitcast, ir.And, ir.Or, ir.Xor, ir.Not, ir.ULt, ir.ULe, ir.Shl, ir.LShr, ir.AShr, ir.Pack, ir.Unpack:
		return false, true
	case ir.Eq, ir.Ne, ir.FLt, ir.FLe, ir.SLt, ir.SLe:
		return true, true
	case ir.Add, ir.Sub, ir.Mul, ir.Neg:
		return false, !b.c.typ(in.Dst[0]).IsFloat()
	case ir.Convert:
		from, to := in.From.Type(), in.To.Type()
		switch {
		case from.IsFloat() && to.IsFloat():
			return from != ir.F16, from == to || to == ir.F32 // every narrow number is one of f32; conversions keep subnormals of half
		case from.IsFloat():
			return from != ir.F16, to == ir.Bool
		}
		return false, !to.IsFloat() // integers; bools
	case ir.Math:
		fn, _ := in.Integer()
		return false, fn != nil
	}
	return false, false
}

// whereAlike runs an operation on balls only where something is not alike on every device.
func (b *ballInstr) whereAlike(before, after op) (op, op) {
	first := func(m *machine) {
		m.balls.alike = m.alike(b)
		if m.balls.alike {
			return
		}
		for i := range b.args { // the instruction may replace the values
			if o := &b.args[i]; o.has {
				m.look(o.at)
			}
		}
		if before != nil {
			before(m)
		}
	}
	return first, func(m *machine) {
		switch {
		case m.balls.alike:
			for i, d := range b.dst {
				if b.c.p.exact.Depends(b.in.Dst[i]) {
					m.follows(d)
				}
			}
		case after != nil:
			after(m)
		}
	}
}
