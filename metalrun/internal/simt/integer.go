package simt

import (
	"math/bits"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/scalar"
	"metalconform/metalrun/internal/simt/lanes"
)

// integer compiles 32-bit integer and boolean arithmetic. A bool's lanes are 0
// or ^0, so its logical operations are the bitwise ones.
func (c *compiler) integer(in *ir.Instr) {
	d := in.Dst[0]
	if code := scalarCodes[in.Op]; code != noUniformOp && c.uniform(d) {
		c.scalar(code, d, in.Args...)
		return
	}
	if in.Op == ir.Not && c.uniform(d) {
		c.scalar(scalarNot, d, in.Args...)
		return
	}
	if in.Op == ir.Add && c.offsets(in) {
		return
	}
	if c.tryDivideUnspecified(in, func() { c.divide(in, c.operand(in.Args[0]), c.operand(in.Args[1])) }) {
		return
	}
	if in.Op == ir.And && c.field(in) {
		return
	}
	table := c.loops(c.uniform(d))
	a := c.operand(in.Args[0])
	if len(in.Args) == 1 {
		loop := table.Not
		if in.Op == ir.Neg {
			loop = table.NegI
		}
		c.assign(d, c.unary(loop, a, c.uniform(d)))
		return
	}
	b := c.operand(in.Args[1])
	if loop := integerLoop(table, in.Op); loop != nil {
		c.assign(d, c.zipped(loop, a, b, c.uniform(d)))
		return
	}
	c.divide(in, a, b)
}

// divide compiles division and remainder. Most divisors are uniform powers of two.
func (c *compiler) divide(in *ir.Instr, a, b operand) {
	u, divide := c.uniform(in.Dst[0]), division(in)
	c.watchDivision(in, a.reader(), b.reader())
	if u || !b.uniform() || !c.does(passPowerDivisors) || in.Op == ir.SDiv || in.Op == ir.SRem {
		x, y := a.vec(c, u), b.vec(c, u)
		c.compute(in.Dst[0], func(m *machine, d []uint32) { divide(d, x(m), y(m)) })
		return
	}
	a, y := c.spread(a), operand{at: c.scratch()}
	c.compute(in.Dst[0], func(m *machine, d []uint32) {
		x, s := m.operand(&a), m.uni32[b.at]
		switch {
		case s&(s-1) != 0 || s == 0:
			c.t.Fill(m.operand(&y), s)
			divide(d, x, m.operand(&y))
		case in.Op == ir.URem:
			c.t.And.VS(d, x, s-1)
		default:
			c.t.LShr.VS(d, x, uint32(bits.TrailingZeros32(s)))
		}
	})
}

// offsets defers an index whose readers, loads and stores, add up lanes and a
// uniform part themselves.
func (c *compiler) offsets(in *ir.Instr) bool {
	d, x, s := in.Dst[0], in.Args[0], in.Args[1]
	if c.uniform(x) {
		x, s = s, x
	}
	if !c.does(passOffsets) || !c.defers(d) || c.uniform(x) || !c.uniform(s) || c.u.IndexReads(d) != c.u.Reads(d) {
		return false
	}
	w := &deferred{reg: d}
	w.offset = &offset{x: c.within(w, x), scalar: c.read(s).index}
	w.in = c.zipped(&c.t.AddI, w.offset.x, operand{kind: isUniform, at: w.offset.scalar}, false)
	c.put(w, in.Args...)
	return true
}

// integerLoop is the table's loop for an operation, or nil.
func integerLoop(t *lanes.Table, o ir.Op) *lanes.Binary {
	switch o {
	case ir.Add:
		return &t.AddI
	case ir.Sub:
		return &t.SubI
	case ir.Mul:
		return &t.MulI
	case ir.And:
		return &t.And
	case ir.Or:
		return &t.Or
	case ir.Xor:
		return &t.Xor
	case ir.Shl:
		return &t.Shl
	case ir.LShr:
		return &t.LShr
	case ir.AShr:
		return &t.AShr
	}
	return nil
}

func division(in *ir.Instr) func(d, a, b []uint32) {
	switch in.Op {
	case ir.SDiv:
		return eachI(scalar.Quotient[int32])
	case ir.SRem:
		return eachI(scalar.Remainder[int32])
	case ir.UDiv:
		return eachI(scalar.Quotient[uint32])
	case ir.URem:
		return eachI(scalar.Remainder[uint32])
	}
	panic(unknown(in))
}

func eachI[T int32 | uint32](f func(a, b T) T) func(d, a, b []uint32) {
	return func(d, a, b []uint32) {
		a, b = a[:len(d)], b[:len(d)]
		for i := range d {
			d[i] = uint32(f(T(a[i]), T(b[i])))
		}
	}
}

// integer64 compiles 64-bit integer and pointer arithmetic.
func (c *compiler) integer64(in *ir.Instr) {
	d := in.Dst[0]
	u := c.uniform(d)
	if code := scalarCodesQ[in.Op]; code != noUniformOp && u {
		c.scalar(code, d, in.Args...)
		return
	}
	if c.tryDivideUnspecified(in, func() { c.zip64(in) }) {
		return
	}
	if c.p.slots[d].grouped {
		if c.ofHeads(in) {
			return
		}
		c.compute64(d, zipped64(integer64Loop(c.t, in.Op), c.heads64(in.Args[0]), c.heads64(in.Args[1])))
		return
	}
	if loop := integer64Loop(c.loops(u), in.Op); loop != nil && len(in.Args) == 2 {
		c.compute64(d, zipped64(loop, c.operand64(in.Args[0]), c.operand64(in.Args[1])))
		return
	}
	if len(in.Args) == 2 {
		c.zip64(in)
		return
	}
	f, a := integer64Func(in), c.vec64(c.operand64(in.Args[0]), u)
	c.compute64(d, func(m *machine, d []uint64) {
		x := a(m)
		for i := range d {
			d[i] = f(x[i], 0)
		}
	})
}

// zip64 compiles an operation on two operands that no table has.
func (c *compiler) zip64(in *ir.Instr) {
	d, u := in.Dst[0], c.uniform(in.Dst[0])
	f, first, second := integer64Func(in), c.operand64(in.Args[0]), c.operand64(in.Args[1])
	c.watchDivision(in, first.reader(), second.reader())
	a, b := c.vec64(first, u), c.vec64(second, u)
	c.compute64(d, func(m *machine, d []uint64) {
		x, y := a(m), b(m)
		x, y = x[:len(d)], y[:len(d)]
		for i := range d {
			d[i] = f(x[i], y[i])
		}
	})
}

// integer64Loop is the table's loop for an operation, or nil.
func integer64Loop(t *lanes.Table, o ir.Op) *lanes.BinaryQ {
	switch o {
	case ir.Add, ir.PtrAdd:
		return &t.AddQ
	case ir.Sub, ir.PtrSub:
		return &t.SubQ
	case ir.Mul:
		return &t.MulQ
	case ir.And:
		return &t.AndQ
	case ir.Or:
		return &t.OrQ
	case ir.Xor:
		return &t.XorQ
	case ir.Shl:
		return &t.ShlQ
	case ir.LShr:
		return &t.LShrQ
	case ir.AShr:
		return &t.AShrQ
	}
	return nil
}

// integer64Func is an operation that no table has.
func integer64Func(in *ir.Instr) func(a, b uint64) uint64 {
	switch in.Op {
	case ir.Neg:
		return func(a, _ uint64) uint64 { return -a }
	case ir.Not:
		return func(a, _ uint64) uint64 { return ^a }
	}
	return quotient64(in)
}

// quotient64 is a division or remainder.
func quotient64(in *ir.Instr) func(a, b uint64) uint64 {
	switch in.Op {
	case ir.SDiv:
		return func(a, b uint64) uint64 { return uint64(scalar.Quotient(int64(a), int64(b))) }
	case ir.SRem:
		return func(a, b uint64) uint64 { return uint64(scalar.Remainder(int64(a), int64(b))) }
	case ir.UDiv:
		return scalar.Quotient[uint64]
	case ir.URem:
		return scalar.Remainder[uint64]
	}
	panic(unknown(in))
}

// compare compiles comparisons.
func (c *compiler) compare(in *ir.Instr) {
	d := in.Dst[0]
	u := c.uniform(d)
	if c.p.slots[in.Args[0]].wide {
		a, b, f := c.arg64(in.Args[0], u), c.arg64(in.Args[1], u), compare64(in)
		c.compute(d, func(m *machine, d []uint32) {
			x, y := a(m), b(m)
			for i := range d {
				d[i] = lane(f(x[i], y[i]))
			}
		})
		return
	}
	t := c.typ(in.Args[0])
	if code := scalarComparisons[in.Op]; u && code != noUniformOp && !t.IsFloat() {
		c.scalar(code, d, in.Args...)
		return
	}
	a, b := c.operand(in.Args[0]), c.operand(in.Args[1])
	if t.IsFloat() {
		a, b = c.flushed(a, t), c.flushed(b, t)
	}
	c.assign(d, c.zipped(comparison(c.loops(u), in, t.IsFloat()), a, b, u))
}

// comparison is the table's loop for a comparison of floats or of integers.
func comparison(t *lanes.Table, in *ir.Instr, float bool) *lanes.Binary {
	switch {
	case in.Op == ir.Eq && float:
		return &t.EqF
	case in.Op == ir.Ne && float:
		return &t.NeF
	case in.Op == ir.FLt:
		return &t.LtF
	case in.Op == ir.FLe:
		return &t.LeF
	case in.Op == ir.Eq:
		return &t.EqI
	case in.Op == ir.Ne:
		return &t.NeI
	case in.Op == ir.SLt:
		return &t.LtS
	case in.Op == ir.SLe:
		return &t.LeS
	case in.Op == ir.ULt:
		return &t.LtU
	case in.Op == ir.ULe:
		return &t.LeU
	}
	panic(unknown(in))
}

func compare64(in *ir.Instr) func(a, b uint64) bool {
	switch in.Op {
	case ir.Eq:
		return func(a, b uint64) bool { return a == b }
	case ir.Ne:
		return func(a, b uint64) bool { return a != b }
	case ir.SLt:
		return func(a, b uint64) bool { return int64(a) < int64(b) }
	case ir.SLe:
		return func(a, b uint64) bool { return int64(a) <= int64(b) }
	case ir.ULt:
		return func(a, b uint64) bool { return a < b }
	case ir.ULe:
		return func(a, b uint64) bool { return a <= b }
	}
	panic(unknown(in))
}

func (c *compiler) selectOp(in *ir.Instr) {
	d := in.Dst[0]
	u := c.uniform(d)
	cond := c.arg(in.Args[0], u)
	if c.p.slots[d].wide {
		a, b := c.arg64(in.Args[1], u), c.arg64(in.Args[2], u)
		c.compute64(d, func(m *machine, d []uint64) { c.t.SelectQ(d, cond(m), a(m), b(m)) })
		return
	}
	a, b := c.arg(in.Args[1], u), c.arg(in.Args[2], u)
	c.compute(d, func(m *machine, d []uint32) { c.t.Select(d, cond(m), a(m), b(m)) })
}

// halves compiles Pack and Unpack.
func (c *compiler) halves(in *ir.Instr) {
	u := c.uniform(in.Dst[0])
	if in.Op == ir.Pack {
		lo, hi := c.arg(in.Args[0], u), c.arg(in.Args[1], u)
		c.compute64(in.Dst[0], func(m *machine, d []uint64) {
			l, h := lo(m), hi(m)
			for i := range d {
				d[i] = uint64(l[i]) | uint64(h[i])<<32
			}
		})
		return
	}
	a := c.arg64(in.Args[0], u)
	for part, r := range in.Dst {
		take := c.t.Low
		if part == 1 {
			take = c.t.High
		}
		c.compute(r, func(m *machine, d []uint32) { take(d, a(m)) })
	}
}
