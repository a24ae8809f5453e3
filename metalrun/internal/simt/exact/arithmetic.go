package exact

import (
	"math"
	"slices"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/scalar"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/machine"
)

// withBalls compiles an instruction for values and for balls.
func withBalls(c *codegen.Compiler, in *ir.Instr) {
	switch in.Op {
	case ir.Load:
		loadBalls(c, in)
		return
	case ir.Store:
		storeBalls(c, in)
		return
	case ir.Atomic:
		compileAtomic(c, in)
		return
	}
	if !hasBalls(c, in.Dst) {
		c.Value(in)
		return
	}
	var before, after machine.Op
	b := BallInstr{C: c, In: in}
	for _, r := range in.Args {
		b.Args = append(b.Args, ballOperand(c, r))
	}
	c.Do(func(m *machine.Machine) {
		if before != nil {
			before(m)
		}
	})
	c.Value(in)
	for _, r := range in.Dst {
		b.Dst = append(b.Dst, destinationOf(c, r))
	}
	before, after = b.ops()
	before, after = b.rewritten(b.doubled(before), after)
	taped := c.P.Options.Traced
	if taped {
		b.traces()
		b.Crosses = ExactOf(c.P).CrossLaneReads.Reaches(in)
		ball := before
		before = func(m *machine.Machine) {
			if BallsOf(m).Recorder != nil {
				BallsOf(m).Recorder.Operands(m, &b)
			}
			if ball != nil {
				ball(m)
			}
		}
	}
	if numbers, ok := b.roundless(); ok && c.Does(machine.PassAlikeBalls) {
		b.numbers = numbers
		before, after = b.whereAlike(before, after)
	}
	var sampled machine.Op
	if c.P.Options.Sample != 0 {
		sampled = b.sampled()
	}
	ranges := in.Op.Info().MakesNaN && c.Typ(in.Dst[0]).IsFloat() // arithmetic
	c.Do(func(m *machine.Machine) {
		if after != nil {
			after(m)
		}
		if sampled != nil {
			sampled(m)
		}
		if ranges && BallsOf(m).ranges {
			b.noteRange(m)
		}
		if BallsOf(m).anyUncertain {
			for _, d := range b.Dst {
				doubtRow(m, writableRow(m, d.Slot))
			}
		}
		if taped && BallsOf(m).Recorder != nil {
			BallsOf(m).Recorder.Result(m, &b)
		}
	})
}

// noteRange notes results that leave the range of their format.
func (b *BallInstr) noteRange(m *machine.Machine) {
	largest, normal := 0x1p128-0x1p103, 0x1p-126 // of f32: what rounds to infinity, and the least normal number
	switch b.C.Typ(b.In.Dst[0]) {
	case ir.F16:
		largest, normal = 65520, leastHalf
	case ir.BF16:
		largest = 0x1p128 - 0x1p119
	}
	row := ReadRow(m, b.Dst[0].Slot)
	for l, on := range RowMask(m, row) {
		if on == 0 || l >= len(row) {
			continue
		}
		switch size := math.Abs(row[l].X); {
		case size >= largest && size <= math.MaxFloat64:
			note(m, b.In.Pos, Overflow)
		case size < normal && size > 0:
			note(m, b.In.Pos, Underflow)
		}
	}
}

// hasBalls reports whether some of the registers have balls.
func hasBalls(c *codegen.Compiler, of []ir.Reg) bool {
	for _, r := range of {
		if ExactOf(c.P).Depends(r) {
			return true
		}
	}
	return false
}

// BallInstr is an instruction on balls under construction.
type BallInstr struct {
	C    *codegen.Compiler
	In   *ir.Instr
	Args []BallOperand
	Dst  []destination

	numbers bool // takes floats for what they count as, and not for their bits

	// For traces.
	Formula                    func(a []ball.Ball) ball.Ball
	Reduces, Multiplies        bool
	Selects, Prefix, Exclusive bool
	Crosses                    bool         // what it does may reach another lane
	Permutes, Reads, Anchors   bool         // reads a narrow format, and anchors what it reads
	Rounds                     *ball.Format // to it; nil: to none
}

// BallOperand is an argument: a row of balls, or of values that all devices have.
type BallOperand struct {
	At  machine.Slot
	Typ ir.Type
	Has bool
}

func ballOperand(c *codegen.Compiler, r ir.Reg) BallOperand {
	return BallOperand{c.P.Slots[r], c.Typ(r), ExactOf(c.P).Depends(r)}
}

// row is the operand's balls; scratch is for those of values.
func (o *BallOperand) row(m *machine.Machine, scratch []ball.Ball) []ball.Ball {
	if o.Has {
		return ReadRow(m, o.At)
	}
	if !o.At.Varying {
		scratch[0] = ball.Ball{X: Number(m, o.At, o.Typ, 0)}
		return scratch[:1]
	}
	for l, on := range m.Mask {
		if on != 0 {
			scratch[l] = ball.Ball{X: Number(m, o.At, o.Typ, l)}
		}
	}
	return scratch[:m.N]
}

// Number is the value of a register in a lane, a float, an integer with sign, or 0 or 1.
func Number(m *machine.Machine, at machine.Slot, t ir.Type, l int) float64 {
	if at.Wide {
		if at.Varying {
			return float64(int64(m.Wide(at.Index)[l]))
		}
		return float64(int64(m.Uni64[at.Index]))
	}
	v := uint32(0)
	if at.Varying {
		v = m.Lanes(at.Index)[l]
	} else {
		v = m.Uni32[at.Index]
	}
	switch {
	case t.IsFloat():
		return float64(machine.F32frombits(v))
	case t == ir.Bool:
		return float64(v & 1)
	}
	return float64(int32(v))
}

// narrow is the format of a type, nil for f32.
func narrow(t ir.Type) *ball.Format {
	switch t {
	case ir.F16:
		return ball.Half
	case ir.BF16:
		return ball.Bfloat
	}
	return nil
}

// binary is d = f(a, b), on rows.
func (b *BallInstr) binary(loop func(d, x, y []ball.Ball, mask []uint32)) machine.Op {
	d, x, y := b.Dst[0], b.Args[0], b.Args[len(b.Args)-1]
	return func(m *machine.Machine) {
		p, q := x.row(m, BallsOf(m).scratch), y.row(m, BallsOf(m).spare)
		row := target(m, d)
		loop(row, p, q, lanesOf(m, row, d))
	}
}

// mapped is the same for a function of balls.
func (b *BallInstr) mapped(f func(x, y ball.Ball) ball.Ball) machine.Op {
	return b.binary(func(d, x, y []ball.Ball, mask []uint32) { ball.Map(d, x, y, mask, f) })
}

// unary is d = f(a).
func (b *BallInstr) unary(f func(x ball.Ball) ball.Ball) machine.Op {
	return b.mapped(func(x, _ ball.Ball) ball.Ball { return f(x) })
}

// ops are what runs before the instruction and after it.
func (b *BallInstr) ops() (before, after machine.Op) {
	in, t := b.In, b.C.Typ(b.In.Dst[0])
	switch in.Op {
	case ir.Copy:
		return b.binary(ball.CopyRow), nil
	case ir.Poison:
		return nil, b.settle(func(*machine.Machine, int) bool { return false })
	case ir.Select:
		return b.selection(), nil
	case ir.Convert:
		return b.conversion()
	case ir.Math:
		return b.function(t)
	case ir.Simd:
		return b.simd()
	case ir.MatMul:
		return b.product(), nil
	case ir.Eq, ir.Ne, ir.FLt, ir.FLe, ir.SLt, ir.SLe:
		return b.comparison(), nil
	case ir.ULt, ir.ULe:
		if b.Args[0].Typ == ir.I32 {
			return b.comparison(), nil
		}
	case ir.And, ir.Or, ir.Xor, ir.Not:
		if t == ir.Bool {
			return b.logic(), nil
		}
	case ir.Bitcast:
		return b.recast()
	}
	switch {
	case t == ir.I32 && b.onBits() != nil:
		return b.bitwise(b.onBits())
	case t.IsFloat():
		return b.arithmetic(t), nil
	case t == ir.I32 || t == ir.I64:
		if f := integerBalls(in.Op); f != nil {
			return b.mapped(f), b.exactIntegers()
		}
	}
	return nil, b.opaque()
}

// arithmetic is on floats.
func (b *BallInstr) arithmetic(t ir.Type) machine.Op {
	f := narrow(t)
	switch b.In.Op {
	case ir.Neg:
		if f != nil {
			return b.unary(f.Neg)
		}
		return b.unary(ball.Neg)
	case ir.FMA:
		return b.fma(f)
	case ir.Div:
		return b.mapped(ofOperands(b.C, f, anchored(b.C, f), quotientOf(t, b.In)))
	case ir.Add:
		switch {
		case f == nil && ExactOf(b.C.P).snaps:
			return b.snappedSum(f, ball.Add)
		case f == nil:
			return b.binary(ExactOf(b.C.P).rows.Add)
		case ExactOf(b.C.P).snaps:
			return b.snappedSum(f, ofOperands(b.C, f, f.Rounded, f.Add))
		}
		return b.mapped(ofOperands(b.C, f, f.Rounded, f.Add))
	case ir.Sub:
		switch {
		case f == nil && ExactOf(b.C.P).snaps:
			return b.snappedSum(f, ball.Sub)
		case f == nil:
			return b.binary(ExactOf(b.C.P).rows.Sub)
		case ExactOf(b.C.P).snaps:
			return b.snappedSum(f, ofOperands(b.C, f, f.Rounded, f.Sub))
		}
		return b.mapped(ofOperands(b.C, f, f.Rounded, f.Sub))
	case ir.Mul:
		if f == nil {
			return b.binary(ExactOf(b.C.P).rows.Mul)
		}
		return b.mapped(ofOperands(b.C, f, anchored(b.C, f), f.Mul))
	}
	panic(machine.Unknown(b.In))
}

// quotientOf is the quotient of a type, of fast division or not.
func quotientOf(t ir.Type, in *ir.Instr) func(x, y ball.Ball) ball.Ball {
	limit := scalar.Quotients(t.Format(), in.Fast)
	if f := narrow(t); f != nil {
		return func(x, y ball.Ball) ball.Ball { return f.Quotient(x, y, &limit, in.Allow&ir.Reciprocal != 0) }
	}
	return func(x, y ball.Ball) ball.Ball { return ball.Quotient(x, y, &limit) }
}

// fma has three operands.
func (b *BallInstr) fma(f *ball.Format) machine.Op {
	d, x, y, z := b.Dst[0], b.Args[0], b.Args[1], b.Args[2]
	snaps := ExactOf(b.C.P).snaps
	if rows := ExactOf(b.C.P).rows; f == nil && snaps {
		return b.snappedFMA(f, ball.FMA)
	} else if f == nil {
		return func(m *machine.Machine) {
			p, q, r := ReadRow(m, x.At), ReadRow(m, y.At), ReadRow(m, z.At)
			row := target(m, d)
			rows.FMA(row, p, q, r, lanesOf(m, row, d))
		}
	}
	read := reader(b.C, f)
	of := func(x, y, z ball.Ball) ball.Ball { return f.FMA(read(x), read(y), read(z)) }
	if snaps {
		return b.snappedFMA(f, of)
	}
	return func(m *machine.Machine) {
		p, q, r := ReadRow(m, x.At), ReadRow(m, y.At), ReadRow(m, z.At)
		row := target(m, d)
		for l, on := range RowMask(m, row) {
			if on != 0 && l < len(row) {
				row[l] = of(at(p, l), at(q, l), at(r, l))
			}
		}
	}
}

// integerBalls is arithmetic on integers as that on their values; nil for what works on
// bits.
func integerBalls(o ir.Op) func(x, y ball.Ball) ball.Ball {
	switch o {
	case ir.Add:
		return func(x, y ball.Ball) ball.Ball { return ball.Ball{X: x.X + y.X, E: x.E + y.E} }
	case ir.Sub:
		return func(x, y ball.Ball) ball.Ball { return ball.Ball{X: x.X - y.X, E: x.E + y.E} }
	case ir.Mul:
		return func(x, y ball.Ball) ball.Ball {
			return ball.Ball{X: x.X * y.X, E: float64(math.Abs(x.X)*y.E) + float64((math.Abs(y.X)+y.E)*x.E)}
		}
	case ir.Neg:
		return func(x, _ ball.Ball) ball.Ball { return ball.Neg(x) }
	}
	return nil
}

// exactIntegers gives integers that every device has their values, and forgets those that
// may have wrapped around.
func (b *BallInstr) exactIntegers() machine.Op {
	d, t := b.Dst[0], b.C.Typ(b.In.Dst[0])
	return func(m *machine.Machine) {
		row := writableRow(m, d.Slot)
		for l, on := range RowMask(m, row) {
			if on == 0 || l >= len(row) {
				continue
			}
			if e := row[l].E; e == 0 {
				row[l] = ball.Ball{X: Number(m, d.Slot, t, l)}
			} else if !(math.Abs(row[l].X)+e < 1<<31) {
				row[l] = ball.Unknown(Number(m, d.Slot, t, l))
			}
		}
	}
}

// settle gives results their values: certain if f says so of the lane, and otherwise
// unknown.
func (b *BallInstr) settle(certain func(m *machine.Machine, l int) bool) machine.Op {
	return b.settling(certain, func(*machine.Machine, int) {})
}

// settling also tells count of how many lanes nothing is known any more.
func (b *BallInstr) settling(certain func(m *machine.Machine, l int) bool,
	count func(m *machine.Machine, unsure int)) machine.Op {
	has := make([]bool, len(b.In.Dst))
	for i, r := range b.In.Dst {
		has[i] = ExactOf(b.C.P).Depends(r)
	}
	return func(m *machine.Machine) {
		first := rawRow(m, b.Dst[slices.Index(has, true)].Slot)
		mask, sure, unsure := RowMask(m, first)[:len(first)], BallsOf(m).sure[:len(first)], 0
		for l, on := range mask { // before anything is set: a result may be an operand
			sure[l] = on != 0 && certain(m, l)
			if on != 0 && !sure[l] {
				unsure++
			}
		}
		count(m, unsure)
		for i, d := range b.Dst {
			if !has[i] {
				continue
			}
			row := target(m, d)
			for l, on := range mask {
				if on == 0 || l >= len(row) {
					continue
				}
				if row[l] = valueBall(m, d.Slot, d.typ, l); !sure[l] {
					row[l] = ball.Unknown(row[l].X)
				}
			}
		}
	}
}

// certainArgs reports whether all operands are the same on every device, and values that errors were
// drawn for are not the device's.
func (b *BallInstr) certainArgs() func(m *machine.Machine, l int) bool {
	var of []BallOperand
	for _, a := range b.Args {
		if a.Has {
			of = append(of, a)
		}
	}
	sampled := b.C.P.Options.Sample != 0
	return func(m *machine.Machine, l int) bool {
		for i := range of {
			row := ReadRow(m, of[i].At)
			x := row[min(l, len(row)-1)]
			if of[i].Typ == ir.I32 && !sampled && x.One() {
				continue
			}
			if x.E != 0 || sampled && x.X != Number(m, of[i].At, of[i].Typ, l) {
				return false
			}
		}
		return true
	}
}

// opaque is an operation whose errors are not followed: certain operands have a certain
// result, others none.
func (b *BallInstr) opaque() machine.Op {
	certain := b.certainArgs()
	return b.settle(func(m *machine.Machine, l int) bool {
		if certain(m, l) {
			return true
		}
		for _, a := range b.Args {
			if !a.Has || a.Typ != ir.I32 {
				continue
			}
			if row := ReadRow(m, a.At); between(row[min(l, len(row)-1)]) {
				note(m, b.In.Pos, TakenApart)
			}
		}
		return false
	})
}

// bits takes a float apart, or makes one of bits.
func (b *BallInstr) bits() machine.Op {
	pos := b.In.Pos
	return b.settling(b.certainArgs(), func(m *machine.Machine, unsure int) {
		if unsure > 0 {
			BallsOf(m).notes[Note{pos, TakenApart}] += unsure
		}
	})
}

// logic is on bools: balls of 0 and 1.
func (b *BallInstr) logic() machine.Op { return b.mapped(logical(b.In.Op)) }

// logical is an operation on bools; of one operand it takes the first.
func logical(o ir.Op) func(x, y ball.Ball) ball.Ball {
	switch o {
	case ir.Not:
		return func(x, _ ball.Ball) ball.Ball { return ball.Ball{X: 1 - x.X, E: x.E} }
	case ir.And:
		return both
	case ir.Or:
		return func(x, y ball.Ball) ball.Ball {
			z := both(ball.Ball{X: 1 - x.X, E: x.E}, ball.Ball{X: 1 - y.X, E: y.E})
			return ball.Ball{X: 1 - z.X, E: z.E}
		}
	}
	return func(x, y ball.Ball) ball.Ball {
		return ball.Ball{X: math.Abs(x.X - y.X), E: math.Max(x.E, y.E)}
	}
}

// both is x and y.
func both(x, y ball.Ball) ball.Ball {
	if x.X == 0 && x.E == 0 || y.X == 0 && y.E == 0 {
		return ball.Ball{}
	}
	return ball.Ball{X: x.X * y.X, E: math.Max(x.E, y.E)}
}

// comparison gives what exact arithmetic does, with an E of 1 if another device may find
// otherwise.
func (b *BallInstr) comparison() machine.Op {
	return b.mapped(compared(b.In.Op, narrow(b.Args[0].Typ), ExactOf(b.C.P).rewritten))
}

// compared is that of numbers of a format, nil for f32 and integers. Where a compiler may rewrite what has led to
// equal numbers, they are equal: a kernel that counts on it, such as on two sums in one order, or on a·b − b·a, is
// right in safe math, and a device that finds otherwise relies on more.
func compared(o ir.Op, f *ball.Format, rewritten bool) func(x, y ball.Ball) ball.Ball {
	holds := map[ir.Op]func(x, y float64) bool{
		ir.Eq: func(x, y float64) bool { return x == y }, ir.Ne: func(x, y float64) bool { return x != y },
		ir.FLt: func(x, y float64) bool { return x < y }, ir.FLe: func(x, y float64) bool { return x <= y },
		ir.SLt: func(x, y float64) bool { return x < y }, ir.SLe: func(x, y float64) bool { return x <= y },
		ir.ULt: func(x, y float64) bool { return x < y }, ir.ULe: func(x, y float64) bool { return x <= y },
	}[o]
	unsigned := o == ir.ULt || o == ir.ULe
	return func(x, y ball.Ball) ball.Ball {
		if rewritten {
			x, y = x.AsWritten(), y.AsWritten()
		}
		switch f {
		case nil:
			if unsigned {
				x, y = ball.Unsigned(x), ball.Unsigned(y)
			}
		case ball.Half:
			x, y = ball.Half.Flushed(ball.Half.Read(x)), ball.Half.Flushed(ball.Half.Read(y))
		default: // reading it allows for that
			x, y = f.Read(x), f.Read(y)
		}
		var d ball.Ball
		p, q := x.X, y.X
		if p == q {
			p, q = x.L, y.L
		}
		if holds(p, q) {
			d.X = 1
		}
		if !ball.Apart(x, y) && !(rewritten && x.X == y.X && x.Known() && y.Known()) {
			d.E = 1
		}
		return d
	}
}

// selection takes what exact arithmetic takes.
func (b *BallInstr) selection() machine.Op {
	d, cond, x, y := b.Dst[0], b.Args[0], b.Args[1], b.Args[2]
	pos := b.In.Pos
	return func(m *machine.Machine) {
		k := cond.row(m, BallsOf(m).scratch)
		p, q := x.row(m, BallsOf(m).spare), y.row(m, BallsOf(m).third)
		row := target(m, d)
		for l, on := range RowMask(m, row) {
			if on == 0 || l >= len(row) {
				continue
			}
			which, taken, other := k[min(l, len(k)-1)], p[min(l, len(p)-1)], q[min(l, len(q)-1)]
			if which.X == 0 {
				taken, other = other, taken
			}
			if which.E != 0 {
				if taken = ball.Either(taken, other); taken.E != 0 {
					note(m, pos, Unstable)
				}
			}
			row[l] = taken
		}
	}
}

// conversion is between formats of floats and integers.
func (b *BallInstr) conversion() (before, after machine.Op) {
	in, from, to := b.In, b.In.From.Type(), b.In.To.Type()
	of, integer := machine.IntOf(in.To)
	source, _ := machine.IntOf(in.From)
	switch {
	case from.IsFloat() && to.IsFloat():
		return b.refloat(narrow(from), to), nil
	case from.IsFloat() && to == ir.Bool:
		return b.unary(func(x ball.Ball) ball.Ball {
			if d := (ball.Ball{X: 1}); ball.Apart(x, ball.Ball{}) {
				if x.X == 0 {
					d.X = 0
				}
				return d
			}
			return ball.Ball{X: 1, E: 1}
		}), nil
	case from.IsFloat() && integer:
		return b.truncation(of, narrow(from)), b.exactIntegers()
	case to.IsFloat() && b.Args[0].Has:
		return b.unary(func(x ball.Ball) ball.Ball { return ball.Integer(unsigned(x, source), narrow(to)) }), nil
	case to.IsFloat():
		return b.fromIntegers(source, narrow(to))
	case integer && b.Args[0].Typ != ir.Bool:
		return b.unary(within(source, in.To)), b.exactIntegers()
	}
	return nil, b.opaque()
}

// within makes an integer one of another type.
func within(from scalar.Int, to ir.Scalar) func(x ball.Ball) ball.Ball {
	low, high := codegen.Limits(to)
	return func(x ball.Ball) ball.Ball {
		x = unsigned(x, from)
		if least, most := x.Span(); !(least >= low && most < high) {
			return ball.Ball{X: x.X, E: unlessCertain(x.E)}
		}
		return x
	}
}

// unsigned is an integer, carried with a sign, as one of its type.
func unsigned(x ball.Ball, of scalar.Int) ball.Ball {
	switch low, high := x.Span(); {
	case of.Signed || low >= 0:
		return x
	case high < 0:
		return ball.Ball{X: x.X + math.Ldexp(1, int(of.Bits)), E: x.E}
	}
	return ball.Unknown(x.X)
}

// unlessCertain is the error of an integer that may wrap around.
func unlessCertain(e float64) float64 {
	if e == 0 {
		return 0
	}
	return math.Inf(1)
}

// refloat converts between formats of floats. Values of narrow ones are carried before
// their rounding.
func (b *BallInstr) refloat(from *ball.Format, to ir.Type) machine.Op {
	if from == nil || from == narrow(to) {
		return b.binary(ball.CopyRow)
	}
	switch o := b.C.P.Options; {
	case !o.Unanchored && o.Sample != 0:
		return b.unary(anchored(b.C, from))
	case !o.Unanchored:
		anchored := ExactOf(b.C.P).rows.Anchored
		return b.binary(func(d, x, _ []ball.Ball, mask []uint32) { anchored(from, d, x, mask) })
	}
	return b.unary(from.Read)
}

// widened is what a reader of a format, nil for f32, gets in a wider one: where it takes
// its rounding for an error, or for a part of the definition.
func widened(c *codegen.Compiler, from *ball.Format) func(x ball.Ball) ball.Ball {
	switch {
	case from == nil:
		return func(x ball.Ball) ball.Ball { return x }
	case c.P.Options.Unanchored:
		return from.Read
	}
	return anchored(c, from)
}

// reader is what an operation of a format, nil for f32, reads of its own values where no device
// contracts it with the one that made them.
func reader(c *codegen.Compiler, f *ball.Format) func(x ball.Ball) ball.Ball {
	switch {
	case f == nil:
		return func(x ball.Ball) ball.Ball { return x }
	case c.P.Options.Unanchored:
		return f.Read
	}
	return anchored(c, f)
}

// ofOperands is a function of what an operation of a format reads, where roundings belong to the
// definition.
func ofOperands(c *codegen.Compiler, f *ball.Format, read func(x ball.Ball) ball.Ball,
	of func(x, y ball.Ball) ball.Ball) func(x, y ball.Ball) ball.Ball {
	if f == nil || c.P.Options.Unanchored { // it reads them itself
		return of
	}
	return func(x, y ball.Ball) ball.Ball { return of(read(x), read(y)) }
}

// truncation makes integers of floats.
func (b *BallInstr) truncation(of scalar.Int, from *ball.Format) machine.Op {
	low, high := codegen.Limits(b.In.To)
	pos := b.In.Pos
	f := func(m *machine.Machine, x ball.Ball) ball.Ball {
		if x = b.decisive(x); from != nil {
			x = from.Read(x)
		}
		y := ball.Truncated(x)
		if !(y.X-y.E > low-1 && y.X+y.E < high) { // a device gives any integer
			y = ball.Unknown(y.X)
		}
		if y.E != 0 {
			note(m, pos, Unstable)
			b.tie(m, x, ball.Truncated)
		}
		return y
	}
	d, x := b.Dst[0], b.Args[0]
	return func(m *machine.Machine) {
		p := ReadRow(m, x.At)
		row := target(m, d)
		for l, on := range RowMask(m, row) {
			if on != 0 && l < len(row) {
				row[l] = f(m, p[min(l, len(p)-1)])
			}
		}
	}
}

// fromIntegers makes floats of integers that every device has.
func (b *BallInstr) fromIntegers(of scalar.Int, to *ball.Format) (before, after machine.Op) {
	d, a := b.Dst[0], b.Args[0]
	signed := of.Signed || a.Typ == ir.Bool
	each := func(m *machine.Machine) {
		row := target(m, d)
		for l, on := range RowMask(m, row) {
			if on == 0 || l >= len(row) {
				continue
			}
			x := Number(m, a.At, a.Typ, l)
			if !signed && x < 0 {
				x += math.Ldexp(1, int(of.Bits))
			}
			row[l] = ball.Integer(ball.Ball{X: x}, to)
		}
	}
	if to != nil || a.Typ != ir.I32 || !a.At.Varying || b.C.P.Options.Traced {
		return each, nil
	}
	return func(m *machine.Machine) {
			if BallsOf(m).alike = short(m, a.At, signed); !BallsOf(m).alike {
				each(m)
			}
		}, func(m *machine.Machine) {
			if BallsOf(m).alike {
				follows(m, d)
			}
		}
}

// short reports whether all active lanes hold integers that f32 has.
func short(m *machine.Machine, at machine.Slot, signed bool) bool {
	const most = 1 << 24
	t, d, v := m.P.Table, m.Scratch, m.Lanes(at.Index)
	if signed {
		t.AddI.VS(d, v, most)
		t.LtU.VS(d, d, 2*most+1)
	} else {
		t.LtU.VS(d, v, most+1)
	}
	return t.AndNotMask(d, m.Mask, d) == 0
}

// function is an elementary function, or one of integers.
func (b *BallInstr) function(t ir.Type) (before, after machine.Op) {
	in := b.In
	if fn, of := in.Integer(); fn != nil {
		switch {
		case fn.Name == "min" && of.Signed:
			return b.mapped(ball.Min), b.exactIntegers()
		case fn.Name == "max" && of.Signed:
			return b.mapped(ball.Max), b.exactIntegers()
		case fn.Name == "min" && t == ir.I32:
			return b.mapped(withoutSign(ball.Min)), b.exactIntegers()
		case fn.Name == "max" && t == ir.I32:
			return b.mapped(withoutSign(ball.Max)), b.exactIntegers()
		}
		return nil, b.opaque()
	}
	fn := scalar.Float(in.Fn)
	f := narrow(b.Args[0].Typ)
	switch {
	case fn.Test != nil:
		return nil, b.test(fn.SeesSign)
	case fn.Scale != nil && f == nil:
		return b.scale(), nil
	case fn.Frexp != nil && f == nil:
		return nil, b.frexp()
	case fn.Scale != nil, fn.Exponent != nil, fn.Parts != nil, fn.Frexp != nil:
		return nil, b.bits()
	}
	if of := ball.Float(fn, f, in.Fast); of != nil && ball.Stepped(fn) {
		return b.step(ofOperands(b.C, f, anchored(b.C, f), of), !ball.Nearest(fn)), nil
	} else if of != nil && fn.SeesSign {
		return b.mapped(ofOperands(b.C, f, anchored(b.C, f),
			func(x, y ball.Ball) ball.Ball { return of(x, b.decisive(y)) })), nil
	} else if of != nil {
		return b.mapped(ofOperands(b.C, f, anchored(b.C, f), of)), nil
	}
	return nil, b.bits()
}

// decisive is what a decision is made on: where a compiler may rewrite what has led to it, what is written.
func (b *BallInstr) decisive(x ball.Ball) ball.Ball {
	if ExactOf(b.C.P).rewritten {
		return x.AsWritten()
	}
	return x
}

// step is a function that is constant between steps. One that rounds to nearest may go either way between
// two numbers, which are as good as each other; from a whole number to the next one may not go back.
func (b *BallInstr) step(of func(x, y ball.Ball) ball.Ball, oneWay bool) machine.Op {
	d, x := b.Dst[0], b.Args[0]
	return func(m *machine.Machine) {
		p := ReadRow(m, x.At)
		row := target(m, d)
		for l, on := range RowMask(m, row) {
			if on == 0 || l >= len(row) {
				continue
			}
			from := p[min(l, len(p)-1)]
			if oneWay {
				from = b.decisive(from)
			}
			if row[l] = of(from, from); row[l].E != 0 {
				b.tie(m, from, func(x ball.Ball) ball.Ball { return of(x, x) })
			}
		}
	}
}

// tie notes a number that is as good as at a step: float64 does not tell where exact arithmetic has it.
func (b *BallInstr) tie(m *machine.Machine, x ball.Ball, of func(x ball.Ball) ball.Ball) {
	if off := math.Abs(x.X) * ball.Allowance; x.E > 0 &&
		of(ball.Ball{X: x.X - off}).X != of(ball.Ball{X: x.X + off}).X {
		note(m, b.In.Pos, Tied)
	}
}

// test asks what class of number a float is of.
func (b *BallInstr) test(sign bool) machine.Op {
	a := b.Args[0]
	return b.settle(func(m *machine.Machine, l int) bool {
		row := ReadRow(m, a.At)
		x := row[min(l, len(row)-1)]
		if sign {
			x = b.decisive(x)
		}
		return x.E == 0 || x.Known() && (!sign || math.Abs(x.X) > x.E)
	})
}

// scale is a product with a power of two.
func (b *BallInstr) scale() machine.Op {
	return b.mapped(func(x, n ball.Ball) ball.Ball {
		if n.E != 0 {
			return ball.Unknown(x.X)
		}
		by := int(max(-1<<12, min(1<<12, n.X)))
		return ball.Scaled(x, by)
	})
}

// frexp takes a float into fraction and exponent. They are known where every device has the same exponent.
func (b *BallInstr) frexp() machine.Op {
	const normal = 0x1p-126
	has := [2]bool{ExactOf(b.C.P).Depends(b.In.Dst[0]), ExactOf(b.C.P).Depends(b.In.Dst[1])}
	certain := b.certainArgs()
	return func(m *machine.Machine) {
		rows := [2][]ball.Ball{BallsOf(m).scratch[:m.N], BallsOf(m).spare[:m.N]}
		from, unsure := ReadRow(m, b.Args[0].At), 0
		for l, on := range m.Mask {
			if on == 0 {
				continue
			}
			x := from[min(l, len(from)-1)]
			if ExactOf(m.P).rewritten {
				x = x.Leaf()
			}
			fraction, e := math.Frexp(x.X)
			_, low := math.Frexp(math.Abs(x.X) - x.E)
			_, high := math.Frexp(math.Abs(x.X) + x.E)
			switch size := math.Abs(x.X); {
			case x.Known() && size-x.E >= normal && size <= math.MaxFloat32 && low == high:
				rows[0][l], rows[1][l] = ball.Ball{X: fraction, E: math.Ldexp(x.E, -e), L: math.Ldexp(x.L, -e)},
					ball.Ball{X: float64(e)}
			case certain(m, l):
				rows[0][l], rows[1][l] = valueBall(m, b.Dst[0].Slot, b.Dst[0].typ, l),
					valueBall(m, b.Dst[1].Slot, b.Dst[1].typ, l)
			default:
				rows[0][l], rows[1][l] = ball.Unknown(fraction), ball.Unknown(float64(e))
				unsure++
			}
		}
		if unsure > 0 {
			BallsOf(m).notes[Note{b.In.Pos, TakenApart}] += unsure
		}
		for i, d := range b.Dst {
			if has[i] {
				copyActive(m, target(m, d), rows[i])
			}
		}
	}
}

// copyActive sets the balls of active lanes.
func copyActive(m *machine.Machine, row, from []ball.Ball) {
	for l, on := range m.Mask {
		if on != 0 {
			row[min(l, len(row)-1)] = from[l]
		}
	}
}
