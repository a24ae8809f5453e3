package simt

import (
	"math"
	"slices"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/scalar"
)

// withBalls compiles an instruction for values and for balls.
func (c *compiler) withBalls(in *ir.Instr) {
	switch in.Op {
	case ir.Load:
		c.loadBalls(in)
		return
	case ir.Store:
		c.storeBalls(in)
		return
	case ir.Atomic:
		c.atomicBalls(in)
		return
	}
	if !c.hasBalls(in.Dst) {
		c.value(in)
		return
	}
	var before, after op
	b := ballInstr{c: c, in: in}
	for _, r := range in.Args {
		b.args = append(b.args, c.ballOperand(r))
	}
	c.do(func(m *machine) {
		if before != nil {
			before(m)
		}
	})
	c.value(in)
	for _, r := range in.Dst {
		b.dst = append(b.dst, c.destination(r))
	}
	before, after = b.ops()
	before, after = b.rewritten(b.doubled(before), after)
	taped := c.p.options.taped
	if taped {
		b.tapes()
		b.crosses = c.p.exact.crossing.Reaches(in)
		ball := before
		before = func(m *machine) {
			if m.tape != nil {
				m.tape.operands(m, &b)
			}
			if ball != nil {
				ball(m)
			}
		}
	}
	if numbers, ok := b.roundless(); ok && c.does(passAlikeBalls) {
		b.numbers = numbers
		before, after = b.whereAlike(before, after)
	}
	var sampled op
	if c.p.options.Sample != 0 {
		sampled = b.sampled()
	}
	ranges := in.Op.Info().MakesNaN && c.typ(in.Dst[0]).IsFloat() // arithmetic
	c.do(func(m *machine) {
		if after != nil {
			after(m)
		}
		if sampled != nil {
			sampled(m)
		}
		if ranges && m.launch.Ranges {
			b.noteRange(m)
		}
		if m.balls.doubtful {
			for _, d := range b.dst {
				m.doubtRow(m.row(d.slot))
			}
		}
		if taped && m.tape != nil {
			m.tape.result(m, &b)
		}
	})
}

// noteRange notes results that leave the range of their format.
func (b *ballInstr) noteRange(m *machine) {
	largest, normal := 0x1p128-0x1p103, 0x1p-126 // of f32: what rounds to infinity, and the least normal number
	switch b.c.typ(b.in.Dst[0]) {
	case ir.F16:
		largest, normal = 65520, leastHalf
	case ir.BF16:
		largest = 0x1p128 - 0x1p119
	}
	row := m.look(b.dst[0].slot)
	for l, on := range m.rowMask(row) {
		if on == 0 || l >= len(row) {
			continue
		}
		switch size := math.Abs(row[l].X); {
		case size >= largest && size <= math.MaxFloat64:
			m.note(b.in.Pos, Overflow)
		case size < normal && size > 0:
			m.note(b.in.Pos, Underflow)
		}
	}
}

// hasBalls reports whether some of the registers have balls.
func (c *compiler) hasBalls(of []ir.Reg) bool {
	for _, r := range of {
		if c.p.exact.Depends(r) {
			return true
		}
	}
	return false
}

// ballInstr is an instruction on balls under construction.
type ballInstr struct {
	c    *compiler
	in   *ir.Instr
	args []ballOperand
	dst  []destination

	numbers bool // takes floats for what they count as, and not for their bits

	// For tapes.
	formula                    func(a []ball.Ball) ball.Ball
	reduces, multiplies        bool
	selects, prefix, exclusive bool
	crosses                    bool         // what it does may reach another lane
	permutes, reads, anchors   bool         // reads a narrow format, and anchors what it reads
	rounds                     *ball.Format // to it; nil: to none
}

// ballOperand is an argument: a row of balls, or of values that all devices have.
type ballOperand struct {
	at  slot
	typ ir.Type
	has bool
}

func (c *compiler) ballOperand(r ir.Reg) ballOperand {
	return ballOperand{c.p.slots[r], c.typ(r), c.p.exact.Depends(r)}
}

// row is the operand's balls; scratch is for those of values.
func (o *ballOperand) row(m *machine, scratch []ball.Ball) []ball.Ball {
	if o.has {
		return m.look(o.at)
	}
	if !o.at.varying {
		scratch[0] = ball.Ball{X: m.number(o.at, o.typ, 0)}
		return scratch[:1]
	}
	for l, on := range m.mask {
		if on != 0 {
			scratch[l] = ball.Ball{X: m.number(o.at, o.typ, l)}
		}
	}
	return scratch[:m.n]
}

// number is the value of a register in a lane, a float, an integer with sign, or 0 or 1.
func (m *machine) number(at slot, t ir.Type, l int) float64 {
	if at.wide {
		if at.varying {
			return float64(int64(m.wide(at.index)[l]))
		}
		return float64(int64(m.uni64[at.index]))
	}
	v := uint32(0)
	if at.varying {
		v = m.lanes(at.index)[l]
	} else {
		v = m.uni32[at.index]
	}
	switch {
	case t.IsFloat():
		return float64(f32frombits(v))
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
func (b *ballInstr) binary(loop func(d, x, y []ball.Ball, mask []uint32)) op {
	d, x, y := b.dst[0], b.args[0], b.args[len(b.args)-1]
	return func(m *machine) {
		p, q := x.row(m, m.balls.scratch), y.row(m, m.balls.spare)
		row := m.target(d)
		loop(row, p, q, m.lanesOf(row, d))
	}
}

// mapped is the same for a function of balls.
func (b *ballInstr) mapped(f func(x, y ball.Ball) ball.Ball) op {
	return b.binary(func(d, x, y []ball.Ball, mask []uint32) { ball.Map(d, x, y, mask, f) })
}

// unary is d = f(a).
func (b *ballInstr) unary(f func(x ball.Ball) ball.Ball) op {
	return b.mapped(func(x, _ ball.Ball) ball.Ball { return f(x) })
}

// ops are what runs in front of the instruction and behind it.
func (b *ballInstr) ops() (before, after op) {
	in, t := b.in, b.c.typ(b.in.Dst[0])
	switch in.Op {
	case ir.Copy:
		return b.binary(ball.CopyRow), nil
	case ir.Poison:
		return nil, b.settle(func(*machine, int) bool { return false })
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
		if b.args[0].typ == ir.I32 {
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
func (b *ballInstr) arithmetic(t ir.Type) op {
	f := narrow(t)
	switch b.in.Op {
	case ir.Neg:
		if f != nil {
			return b.unary(f.Neg)
		}
		return b.unary(ball.Neg)
	case ir.FMA:
		return b.fma(f)
	case ir.Div:
		return b.mapped(b.c.ofOperands(f, b.c.anchored(f), quotientOf(t, b.in)))
	case ir.Add:
		switch {
		case f == nil && b.c.p.exact.snaps:
			return b.snappedSum(f, ball.Add)
		case f == nil:
			return b.binary(b.c.p.rows.Add)
		case b.c.p.exact.snaps:
			return b.snappedSum(f, b.c.ofOperands(f, f.Rounded, f.Add))
		}
		return b.mapped(b.c.ofOperands(f, f.Rounded, f.Add))
	case ir.Sub:
		switch {
		case f == nil && b.c.p.exact.snaps:
			return b.snappedSum(f, ball.Sub)
		case f == nil:
			return b.binary(b.c.p.rows.Sub)
		case b.c.p.exact.snaps:
			return b.snappedSum(f, b.c.ofOperands(f, f.Rounded, f.Sub))
		}
		return b.mapped(b.c.ofOperands(f, f.Rounded, f.Sub))
	case ir.Mul:
		if f == nil {
			return b.binary(b.c.p.rows.Mul)
		}
		return b.mapped(b.c.ofOperands(f, b.c.anchored(f), f.Mul))
	}
	panic(unknown(b.in))
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
func (b *ballInstr) fma(f *ball.Format) op {
	d, x, y, z := b.dst[0], b.args[0], b.args[1], b.args[2]
	snaps := b.c.p.exact.snaps
	if rows := b.c.p.rows; f == nil && snaps {
		return b.snappedFMA(f, ball.FMA)
	} else if f == nil {
		return func(m *machine) {
			p, q, r := m.look(x.at), m.look(y.at), m.look(z.at)
			row := m.target(d)
			rows.FMA(row, p, q, r, m.lanesOf(row, d))
		}
	}
	read := b.c.reader(f)
	of := func(x, y, z ball.Ball) ball.Ball { return f.FMA(read(x), read(y), read(z)) }
	if snaps {
		return b.snappedFMA(f, of)
	}
	return func(m *machine) {
		p, q, r := m.look(x.at), m.look(y.at), m.look(z.at)
		row := m.target(d)
		for l, on := range m.rowMask(row) {
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
func (b *ballInstr) exactIntegers() op {
	d, t := b.dst[0], b.c.typ(b.in.Dst[0])
	return func(m *machine) {
		row := m.row(d.slot)
		for l, on := range m.rowMask(row) {
			if on == 0 || l >= len(row) {
				continue
			}
			if e := row[l].E; e == 0 {
				row[l] = ball.Ball{X: m.number(d.slot, t, l)}
			} else if !(math.Abs(row[l].X)+e < 1<<31) {
				row[l] = ball.Unknown(m.number(d.slot, t, l))
			}
		}
	}
}

// settle gives results their values: certain if f says so of the lane, and otherwise
// unknown.
func (b *ballInstr) settle(certain func(m *machine, l int) bool) op {
	return b.settling(certain, func(*machine, int) {})
}

// settling also tells count of how many lanes nothing is known any more.
func (b *ballInstr) settling(certain func(m *machine, l int) bool, count func(m *machine, unsure int)) op {
	has := make([]bool, len(b.in.Dst))
	for i, r := range b.in.Dst {
		has[i] = b.c.p.exact.Depends(r)
	}
	return func(m *machine) {
		first := m.rawRow(b.dst[slices.Index(has, true)].slot)
		mask, sure, unsure := m.rowMask(first)[:len(first)], m.balls.sure[:len(first)], 0
		for l, on := range mask { // before anything is set: a result may be an operand
			sure[l] = on != 0 && certain(m, l)
			if on != 0 && !sure[l] {
				unsure++
			}
		}
		count(m, unsure)
		for i, d := range b.dst {
			if !has[i] {
				continue
			}
			row := m.target(d)
			for l, on := range mask {
				if on == 0 || l >= len(row) {
					continue
				}
				if row[l] = m.valueBall(d.slot, d.typ, l); !sure[l] {
					row[l] = ball.Unknown(row[l].X)
				}
			}
		}
	}
}

// certainArgs reports whether all operands are the same on every device, and values that errors were
// drawn for are not the device's.
func (b *ballInstr) certainArgs() func(m *machine, l int) bool {
	var of []ballOperand
	for _, a := range b.args {
		if a.has {
			of = append(of, a)
		}
	}
	sampled := b.c.p.options.Sample != 0
	return func(m *machine, l int) bool {
		for i := range of {
			row := m.look(of[i].at)
			x := row[min(l, len(row)-1)]
			if of[i].typ == ir.I32 && !sampled && x.One() {
				continue
			}
			if x.E != 0 || sampled && x.X != m.number(of[i].at, of[i].typ, l) {
				return false
			}
		}
		return true
	}
}

// opaque is an operation whose errors are not followed: certain operands have a certain
// result, others none.
func (b *ballInstr) opaque() op {
	certain := b.certainArgs()
	return b.settle(func(m *machine, l int) bool {
		if certain(m, l) {
			return true
		}
		for _, a := range b.args {
			if !a.has || a.typ != ir.I32 {
				continue
			}
			if row := m.look(a.at); between(row[min(l, len(row)-1)]) {
				m.note(b.in.Pos, TakenApart)
			}
		}
		return false
	})
}

// bits takes a float apart, or makes one of bits.
func (b *ballInstr) bits() op {
	pos := b.in.Pos
	return b.settling(b.certainArgs(), func(m *machine, unsure int) {
		if unsure > 0 {
			m.balls.notes[Note{pos, TakenApart}] += unsure
		}
	})
}

// logic is on bools: balls of 0 and 1.
func (b *ballInstr) logic() op { return b.mapped(logical(b.in.Op)) }

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
func (b *ballInstr) comparison() op {
	return b.mapped(compared(b.in.Op, narrow(b.args[0].typ), b.c.p.rewritten))
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
func (b *ballInstr) selection() op {
	d, cond, x, y := b.dst[0], b.args[0], b.args[1], b.args[2]
	pos := b.in.Pos
	return func(m *machine) {
		k := cond.row(m, m.balls.scratch)
		p, q := x.row(m, m.balls.spare), y.row(m, m.balls.third)
		row := m.target(d)
		for l, on := range m.rowMask(row) {
			if on == 0 || l >= len(row) {
				continue
			}
			which, taken, other := k[min(l, len(k)-1)], p[min(l, len(p)-1)], q[min(l, len(q)-1)]
			if which.X == 0 {
				taken, other = other, taken
			}
			if which.E != 0 {
				if taken = ball.Either(taken, other); taken.E != 0 {
					m.note(pos, Unstable)
				}
			}
			row[l] = taken
		}
	}
}

// conversion is between formats of floats and integers.
func (b *ballInstr) conversion() (before, after op) {
	in, from, to := b.in, b.in.From.Type(), b.in.To.Type()
	of, integer := intOf(in.To)
	source, _ := intOf(in.From)
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
	case to.IsFloat() && b.args[0].has:
		return b.unary(func(x ball.Ball) ball.Ball { return ball.Integer(unsigned(x, source), narrow(to)) }), nil
	case to.IsFloat():
		return b.fromIntegers(source, narrow(to))
	case integer && b.args[0].typ != ir.Bool:
		return b.unary(within(source, in.To)), b.exactIntegers()
	}
	return nil, b.opaque()
}

// within makes an integer one of another type.
func within(from scalar.Int, to ir.Scalar) func(x ball.Ball) ball.Ball {
	low, high := limits(to)
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
func (b *ballInstr) refloat(from *ball.Format, to ir.Type) op {
	if from == nil || from == narrow(to) {
		return b.binary(ball.CopyRow)
	}
	switch o := b.c.p.options; {
	case !o.Unanchored && o.Sample != 0:
		return b.unary(b.c.anchored(from))
	case !o.Unanchored:
		anchored := b.c.p.rows.Anchored
		return b.binary(func(d, x, _ []ball.Ball, mask []uint32) { anchored(from, d, x, mask) })
	}
	return b.unary(from.Read)
}

// widened is what a reader of a format, nil for f32, gets in a wider one: where it takes
// its rounding for an error, or for a part of the definition.
func (c *compiler) widened(from *ball.Format) func(x ball.Ball) ball.Ball {
	switch {
	case from == nil:
		return func(x ball.Ball) ball.Ball { return x }
	case c.p.options.Unanchored:
		return from.Read
	}
	return c.anchored(from)
}

// reader is what an operation of a format, nil for f32, reads of its own values where no device
// contracts it with the one that made them.
func (c *compiler) reader(f *ball.Format) func(x ball.Ball) ball.Ball {
	switch {
	case f == nil:
		return func(x ball.Ball) ball.Ball { return x }
	case c.p.options.Unanchored:
		return f.Read
	}
	return c.anchored(f)
}

// ofOperands is a function of what an operation of a format reads, where roundings belong to the
// definition.
func (c *compiler) ofOperands(f *ball.Format, read func(x ball.Ball) ball.Ball, of func(x, y ball.Ball) ball.Ball) func(x, y ball.Ball) ball.Ball {
	if f == nil || c.p.options.Unanchored { // it reads them itself
		return of
	}
	return func(x, y ball.Ball) ball.Ball { return of(read(x), read(y)) }
}

// truncation makes integers of floats.
func (b *ballInstr) truncation(of scalar.Int, from *ball.Format) op {
	low, high := limits(b.in.To)
	pos := b.in.Pos
	f := func(m *machine, x ball.Ball) ball.Ball {
		if x = b.decisive(x); from != nil {
			x = from.Read(x)
		}
		y := ball.Truncated(x)
		if !(y.X-y.E > low-1 && y.X+y.E < high) { // a device gives any integer
			y = ball.Unknown(y.X)
		}
		if y.E != 0 {
			m.note(pos, Unstable)
			b.tie(m, x, ball.Truncated)
		}
		return y
	}
	d, x := b.dst[0], b.args[0]
	return func(m *machine) {
		p := m.look(x.at)
		row := m.target(d)
		for l, on := range m.rowMask(row) {
			if on != 0 && l < len(row) {
				row[l] = f(m, p[min(l, len(p)-1)])
			}
		}
	}
}

// fromIntegers makes floats of integers that every device has.
func (b *ballInstr) fromIntegers(of scalar.Int, to *ball.Format) (before, after op) {
	d, a := b.dst[0], b.args[0]
	signed := of.Signed || a.typ == ir.Bool
	each := func(m *machine) {
		row := m.target(d)
		for l, on := range m.rowMask(row) {
			if on == 0 || l >= len(row) {
				continue
			}
			x := m.number(a.at, a.typ, l)
			if !signed && x < 0 {
				x += math.Ldexp(1, int(of.Bits))
			}
			row[l] = ball.Integer(ball.Ball{X: x}, to)
		}
	}
	if to != nil || a.typ != ir.I32 || !a.at.varying || b.c.p.options.taped {
		return each, nil
	}
	return func(m *machine) {
			if m.balls.alike = m.short(a.at, signed); !m.balls.alike {
				each(m)
			}
		}, func(m *machine) {
			if m.balls.alike {
				m.follows(d)
			}
		}
}

// short reports whether all active lanes hold integers that f32 has.
func (m *machine) short(at slot, signed bool) bool {
	const most = 1 << 24
	t, d, v := m.p.table, m.scratch, m.lanes(at.index)
	if signed {
		t.AddI.VS(d, v, most)
		t.LtU.VS(d, d, 2*most+1)
	} else {
		t.LtU.VS(d, v, most+1)
	}
	return t.AndNotMask(d, m.mask, d) == 0
}

// function is an elementary function, or one of integers.
func (b *ballInstr) function(t ir.Type) (before, after op) {
	in := b.in
	if fn, of := in.Integer(); fn != nil {
		switch {
		case fn.Name == "min" && of.Signed:
			return b.mapped(ball.Min), b.exactIntegers()
		case fn.Name == "max" && of.Signed:
			return b.mapped(ball.Max), b.exactIntegers()
		}
		return nil, b.opaque()
	}
	fn := scalar.Float(in.Fn)
	f := narrow(b.args[0].typ)
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
		return b.step(b.c.ofOperands(f, b.c.anchored(f), of), !ball.Nearest(fn)), nil
	} else if of != nil && fn.SeesSign {
		return b.mapped(b.c.ofOperands(f, b.c.anchored(f), func(x, y ball.Ball) ball.Ball { return of(x, b.decisive(y)) })), nil
	} else if of != nil {
		return b.mapped(b.c.ofOperands(f, b.c.anchored(f), of)), nil
	}
	return nil, b.bits()
}

// decisive is what a decision is made on: where a compiler may rewrite what has led to it, what is written.
func (b *ballInstr) decisive(x ball.Ball) ball.Ball {
	if b.c.p.rewritten {
		return x.AsWritten()
	}
	return x
}

// step is a function that is constant between steps. One that rounds to nearest may go either way between
// two numbers, which are as good as each other; from a whole number to the next one may not go back.
func (b *ballInstr) step(of func(x, y ball.Ball) ball.Ball, oneWay bool) op {
	d, x := b.dst[0], b.args[0]
	return func(m *machine) {
		p := m.look(x.at)
		row := m.target(d)
		for l, on := range m.rowMask(row) {
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
func (b *ballInstr) tie(m *machine, x ball.Ball, of func(x ball.Ball) ball.Ball) {
	if off := math.Abs(x.X) * ball.Allowance; x.E > 0 && of(ball.Ball{X: x.X - off}).X != of(ball.Ball{X: x.X + off}).X {
		m.note(b.in.Pos, Tied)
	}
}

// test asks what class of number a float is of.
func (b *ballInstr) test(sign bool) op {
	a := b.args[0]
	return b.settle(func(m *machine, l int) bool {
		row := m.look(a.at)
		x := row[min(l, len(row)-1)]
		if sign {
			x = b.decisive(x)
		}
		return x.E == 0 || x.Known() && (!sign || math.Abs(x.X) > x.E)
	})
}

// scale is a product with a power of two.
func (b *ballInstr) scale() op {
	return b.mapped(func(x, n ball.Ball) ball.Ball {
		if n.E != 0 {
			return ball.Unknown(x.X)
		}
		by := int(max(-1<<12, min(1<<12, n.X)))
		return ball.Scaled(x, by)
	})
}

// frexp takes a float into fraction and exponent. They are known where every device has the same exponent.
func (b *ballInstr) frexp() op {
	const normal = 0x1p-126
	has := [2]bool{b.c.p.exact.Depends(b.in.Dst[0]), b.c.p.exact.Depends(b.in.Dst[1])}
	certain := b.certainArgs()
	return func(m *machine) {
		rows := [2][]ball.Ball{m.balls.scratch[:m.n], m.balls.spare[:m.n]}
		from, unsure := m.look(b.args[0].at), 0
		for l, on := range m.mask {
			if on == 0 {
				continue
			}
			x := from[min(l, len(from)-1)]
			if m.p.rewritten {
				x = x.Leaf()
			}
			fraction, e := math.Frexp(x.X)
			_, low := math.Frexp(math.Abs(x.X) - x.E)
			_, high := math.Frexp(math.Abs(x.X) + x.E)
			switch size := math.Abs(x.X); {
			case x.Known() && size-x.E >= normal && size <= math.MaxFloat32 && low == high:
				rows[0][l], rows[1][l] = ball.Ball{X: fraction, E: math.Ldexp(x.E, -e), L: math.Ldexp(x.L, -e)}, ball.Ball{X: float64(e)}
			case certain(m, l):
				rows[0][l], rows[1][l] = m.valueBall(b.dst[0].slot, b.dst[0].typ, l), m.valueBall(b.dst[1].slot, b.dst[1].typ, l)
			default:
				rows[0][l], rows[1][l] = ball.Unknown(fraction), ball.Unknown(float64(e))
				unsure++
			}
		}
		if unsure > 0 {
			m.balls.notes[Note{b.in.Pos, TakenApart}] += unsure
		}
		for i, d := range b.dst {
			if has[i] {
				m.copyActive(m.target(d), rows[i])
			}
		}
	}
}

// copyActive sets the balls of active lanes.
func (m *machine) copyActive(row, from []ball.Ball) {
	for l, on := range m.mask {
		if on != 0 {
			row[min(l, len(row)-1)] = from[l]
		}
	}
}
