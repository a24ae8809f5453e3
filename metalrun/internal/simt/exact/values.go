package exact

import (
	"math"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/machine"
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

func newKinds(p *machine.Program) kinds {
	return kinds{make([]rowKind, p.Slots32), make([]rowKind, p.Slots64), make([]rowKind, len(p.Uni32)),
		make([]rowKind, len(p.Uni64))}
}

func (k *kinds) clear() {
	clear(k.narrow)
	clear(k.wide)
	clear(k.uni32)
	clear(k.uni64)
}

// of is the kind of a register's row.
func (k *kinds) of(at machine.Slot) *rowKind {
	switch {
	case at.Varying && at.Wide:
		return &k.wide[at.Index]
	case at.Varying:
		return &k.narrow[at.Index]
	case at.Wide:
		return &k.uni64[at.Index]
	}
	return &k.uni32[at.Index]
}

// spell writes the values of a register to its row.
func spell(m *machine.Machine, row []ball.Ball, at machine.Slot, kind rowKind) {
	t := ir.Type(kind - asValues)
	if t == ir.F32 && at.Varying {
		ExactOf(m.P).rows.Numbers(row, machine.AsF(m.Lanes(at.Index)))
		return
	}
	for l := range row {
		row[l] = valueBall(m, at, t, l)
	}
}

// valueBall is the ball of a value that every device has.
func valueBall(m *machine.Machine, at machine.Slot, t ir.Type, l int) ball.Ball {
	x := Number(m, at, t, l)
	if t == ir.F32 {
		return ball.Of(x)
	}
	return ball.Ball{X: x}
}

// Look is the balls of a register, to be read.
func Look(m *machine.Machine, at machine.Slot) []ball.Ball {
	kind := BallsOf(m).kinds.of(at)
	row := rawRow(m, at)
	if *kind != written && *kind&standing == 0 {
		spell(m, row, at, *kind)
		if at.Varying { // the counter of a loop moves by itself
			*kind |= standing
		}
	}
	return row
}

// destination is a result.
type destination struct {
	machine.Slot
	temp bool // nobody reads lanes that are not active
	lent bool // may look at memory that it is loaded from
	typ  ir.Type
}

func destinationOf(c *codegen.Compiler, r ir.Reg) destination {
	at := c.P.Slots[r]
	return destination{at, c.P.Kernel.Regs[r].Kind == ir.Temp,
		at.Varying && !at.Wide && c.Reusable(r) && c.Does(machine.PassCopyOnWrite), c.Typ(r)}
}

// target is the row of a result, of which every active lane is about to be written.
func target(m *machine.Machine, d destination) []ball.Ball {
	if replaces(m, d) {
		BallsOf(m).lent.own(d.Slot)
		*BallsOf(m).kinds.of(d.Slot) = written
	}
	return ballRow(m, d.Slot)
}

// replaces reports whether a result leaves nothing of what its register held.
func replaces(m *machine.Machine, d destination) bool { return d.temp || m.Full || !d.Varying }

// follows makes the balls of a result its values.
func follows(m *machine.Machine, d destination) {
	kind, now := BallsOf(m).kinds.of(d.Slot), asValues+rowKind(d.typ)
	if replaces(m, d) || *kind&^standing == now {
		BallsOf(m).lent.own(d.Slot)
		*kind = now
		return
	}
	row := ballRow(m, d.Slot)
	for l, on := range m.Mask {
		if on != 0 {
			row[l] = valueBall(m, d.Slot, d.typ, l)
		}
	}
}

// alike reports whether every device has the operands of an operation, and nothing is in doubt.
func alike(m *machine.Machine, b *BallInstr) bool {
	if BallsOf(m).doubtful {
		return false
	}
	for i := range b.Args {
		if o := &b.Args[i]; o.Has && !alikeRow(m, o, b.numbers) {
			return false
		}
	}
	return true
}

// alikeRow reports whether every device has an operand: its bits, or, if it is taken for numbers,
// what it counts as. A subnormal may count as zero.
func alikeRow(m *machine.Machine, o *BallOperand, numbers bool) bool {
	kind := *BallsOf(m).kinds.of(o.At) &^ standing
	switch {
	case kind != written && o.At.Varying:
		return !numbers || !subnormals(m, m.Lanes(o.At.Index), o.Typ)
	case o.At.Varying:
		return false
	}
	b, x := Look(m, o.At)[0], Number(m, o.At, o.Typ, 0)
	if numbers && o.Typ == ir.F16 && x != 0 && math.Abs(x) < leastHalf {
		return false
	}
	return b.L == 0 && (b.X == x || b.X != b.X && x != x) && (b.E == 0 || kind != written && !numbers)
}

// leastHalf is the least normal half.
const leastHalf = 0x1p-14

// subnormals reports whether some active lanes hold subnormal floats of a type.
func subnormals(m *machine.Machine, lanes []uint32, of ir.Type) bool {
	least := uint32(1 << 24) // twice the size of the least normal number
	switch of {
	case ir.F32, ir.BF16:
	case ir.F16:
		least = machine.F32bits(leastHalf) << 1
	default:
		return false
	}
	t, d := m.P.Table, m.Scratch
	t.Shl.VS(d, lanes, 1) // twice the size; zeros become the largest number
	t.SubI.VS(d, d, 2)
	t.LtU.VS(d, d, least-2)
	return t.AndMask(d, d, m.Mask) > 0
}

// roundless reports whether an operation on values that every device has gives one: it moves or
// compares them, or works on integers and bits. numbers says that it takes floats for what they
// count as, and not for their bits.
func (b *BallInstr) roundless() (numbers, ok bool) {
	in, p := b.In, b.C.P
	if p.Deviates || p.Options.Taped || ExactOf(p).rewritten && in.Allow&impossible != 0 {
		return false, false
	}
	switch in.Op {
	case ir.Copy, ir.Select, ir.Bitcast, ir.And, ir.Or, ir.Xor, ir.Not, ir.ULt, ir.ULe, ir.Shl, ir.LShr, ir.AShr,
		ir.Pack, ir.Unpack:
		return false, true
	case ir.Eq, ir.Ne, ir.FLt, ir.FLe, ir.SLt, ir.SLe:
		return true, true
	case ir.Add, ir.Sub, ir.Mul, ir.Neg:
		return false, !b.C.Typ(in.Dst[0]).IsFloat()
	case ir.Convert:
		from, to := in.From.Type(), in.To.Type()
		switch {
		case from.IsFloat() && to.IsFloat():
			// every narrow number is one of f32; conversions keep subnormals of half
			return from != ir.F16, from == to || to == ir.F32
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
func (b *BallInstr) whereAlike(before, after machine.Op) (machine.Op, machine.Op) {
	first := func(m *machine.Machine) {
		BallsOf(m).alike = alike(m, b)
		if BallsOf(m).alike {
			return
		}
		for i := range b.Args { // the instruction may replace the values
			if o := &b.Args[i]; o.Has {
				Look(m, o.At)
			}
		}
		if before != nil {
			before(m)
		}
	}
	return first, func(m *machine.Machine) {
		switch {
		case BallsOf(m).alike:
			for i, d := range b.Dst {
				if ExactOf(b.C.P).Depends(b.In.Dst[i]) {
					follows(m, d)
				}
			}
		case after != nil:
			after(m)
		}
	}
}
