package exact

import (
	"math"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/machine"
)

// A row is not materialised if every device has the same values: inputs, indices, bits. Its balls are then the values
// of the register. Arithmetic that rounds materialises the rows that it reads. An operation that does not round, on
// rows that are not materialised, gives such a row.

// representation says what the balls of a row are: those in the row, or the values of the register, of a type.
type representation uint8

const (
	written      representation = 0
	asValues     representation = 1    // plus the type
	materialised representation = 0x80 // the values are in the row as well
)

// representations are the representations of the rows of a machine, by slot and by uniform register.
type representations struct{ narrow, wide, uni32, uni64 []representation }

func newRepresentations(p *machine.Program) representations {
	return representations{make([]representation, p.Slots32), make([]representation, p.Slots64),
		make([]representation, len(p.Uni32)), make([]representation, len(p.Uni64))}
}

func (k *representations) clear() {
	clear(k.narrow)
	clear(k.wide)
	clear(k.uni32)
	clear(k.uni64)
}

// of is the representation of the row of a register.
func (k *representations) of(at machine.Slot) *representation {
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

// materialise writes the values of a register to its row, as balls.
func materialise(m *machine.Machine, row []ball.Ball, at machine.Slot, kind representation) {
	t := ir.Type(kind - asValues)
	if t == ir.F32 && at.Varying {
		ExactOf(m.P).rows.Numbers(row, machine.AsF(m.Lanes(at.Index)))
		return
	}
	for l := range row {
		row[l] = valueBall(m, at, t, l)
	}
}

// valueBall is the ball of a value that is the same on every device.
func valueBall(m *machine.Machine, at machine.Slot, t ir.Type, l int) ball.Ball {
	x := Number(m, at, t, l)
	if t == ir.F32 {
		return ball.Of(x)
	}
	return ball.Ball{X: x}
}

// ReadRow is the balls of a register, to be read.
func ReadRow(m *machine.Machine, at machine.Slot) []ball.Ball {
	kind := BallsOf(m).representations.of(at)
	row := rawRow(m, at)
	if *kind != written && *kind&materialised == 0 {
		materialise(m, row, at, *kind)
		if at.Varying { // a loop may step a uniform counter without its balls
			*kind |= materialised
		}
	}
	return row
}

// destination is where a result goes.
type destination struct {
	machine.Slot
	temp     bool // a temporary: nothing reads its inactive lanes
	mayAlias bool // may alias the memory that it is loaded from
	typ      ir.Type
}

func destinationOf(c *codegen.Compiler, r ir.Reg) destination {
	at := c.P.Slots[r]
	return destination{at, c.P.Kernel.Regs[r].Kind == ir.Temp,
		at.Varying && !at.Wide && c.Reusable(r) && c.Does(machine.PassCopyOnWrite), c.Typ(r)}
}

// target is the row of a result, in which every active lane is about to be written.
func target(m *machine.Machine, d destination) []ball.Ball {
	if replaces(m, d) {
		BallsOf(m).aliases.drop(d.Slot)
		*BallsOf(m).representations.of(d.Slot) = written
	}
	return writableRow(m, d.Slot)
}

// replaces reports whether a result replaces all that its register held.
func replaces(m *machine.Machine, d destination) bool { return d.temp || m.Full || !d.Varying }

// follows makes the balls of a result its values.
func follows(m *machine.Machine, d destination) {
	kind, now := BallsOf(m).representations.of(d.Slot), asValues+representation(d.typ)
	if replaces(m, d) || *kind&^materialised == now {
		BallsOf(m).aliases.drop(d.Slot)
		*kind = now
		return
	}
	row := writableRow(m, d.Slot)
	for l, on := range m.Mask {
		if on != 0 {
			row[l] = valueBall(m, d.Slot, d.typ, l)
		}
	}
}

// alike reports whether the operands of an operation are the same on every device, and no lane is uncertain.
func alike(m *machine.Machine, b *BallInstr) bool {
	if BallsOf(m).anyUncertain {
		return false
	}
	for i := range b.Args {
		if o := &b.Args[i]; o.Has && !alikeRow(m, o, b.numbers) {
			return false
		}
	}
	return true
}

// alikeRow reports whether an operand is the same on every device: its bits, or, with numbers, its number. A subnormal
// number may be zero on some device.
func alikeRow(m *machine.Machine, o *BallOperand, numbers bool) bool {
	kind := *BallsOf(m).representations.of(o.At) &^ materialised
	switch {
	case kind != written && o.At.Varying:
		return !numbers || !subnormals(m, m.Lanes(o.At.Index), o.Typ)
	case o.At.Varying:
		return false
	}
	b, x := ReadRow(m, o.At)[0], Number(m, o.At, o.Typ, 0)
	if numbers && o.Typ == ir.F16 && x != 0 && math.Abs(x) < leastHalf {
		return false
	}
	return b.L == 0 && (b.X == x || b.X != b.X && x != x) && (b.E == 0 || kind != written && !numbers)
}

// leastHalf is the least normal half.
const leastHalf = 0x1p-14

// subnormals reports whether some active lane holds a subnormal number of a type.
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

// roundless reports whether an operation on values that are the same on every device gives such values: it moves or
// compares them, or works on integers and bits. numbers says that it reads floats as numbers, not as bits.
func (b *BallInstr) roundless() (numbers, ok bool) {
	in, p := b.In, b.C.P
	if p.Deviates || p.Options.Traced || ExactOf(p).rewritten && in.Allow&impossible != 0 {
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

// whereAlike runs an operation on balls only if an operand may differ between devices.
func (b *BallInstr) whereAlike(before, after machine.Op) (machine.Op, machine.Op) {
	first := func(m *machine.Machine) {
		BallsOf(m).alike = alike(m, b)
		if BallsOf(m).alike {
			return
		}
		for i := range b.Args { // the instruction may replace the values
			if o := &b.Args[i]; o.Has {
				ReadRow(m, o.At)
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
