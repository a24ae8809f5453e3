package simt

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/lanes"
	"metalconform/metalrun/internal/simt/scalar"
)

// integer compiles 32-bit integer and boolean arithmetic. A bool's lanes are 0
// or ^0, so its logical operations are the bitwise ones.
func (c *compiler) integer(in *ir.Instr) {
	d := in.Dst[0]
	if in.Op == ir.Add && c.uniform(d) {
		c.protect(d)
		i, a, b := c.define(d).index, c.read(in.Args[0]).index, c.read(in.Args[1]).index
		c.emit(func(m *machine) { m.uni32[i] = m.uni32[a] + m.uni32[b] })
		return
	}
	if vs := withScalar(in.Op); vs != nil && !c.uniform(d) && c.uniform(in.Args[1]) {
		a, s := c.arg(in.Args[0], false), c.read(in.Args[1]).index
		c.into(d, func(m *machine, d []uint32) { vs(d, a(m), m.uni32[s]) })
		return
	}
	if vs := withScalar(in.Op); vs != nil && commutes(in.Op) && !c.uniform(d) && c.uniform(in.Args[0]) {
		s, a := c.read(in.Args[0]).index, c.arg(in.Args[1], false)
		c.into(d, func(m *machine, d []uint32) { vs(d, a(m), m.uni32[s]) })
		return
	}
	a := c.arg(in.Args[0], c.uniform(d))
	if len(in.Args) == 1 {
		unary := lanes.NotV[uint32]
		if in.Op == ir.Neg {
			unary = lanes.NegV[uint32]
		}
		c.into(d, func(m *machine, d []uint32) { unary(d, a(m)) })
		return
	}
	b := c.arg(in.Args[1], c.uniform(d))
	loop := integerLoop(in)
	c.into(d, func(m *machine, d []uint32) { loop(d, a(m), b(m)) })
}

// withScalar is the loop for a uniform second operand, or nil.
func withScalar(o ir.Op) func(d, a []uint32, s uint32) {
	switch o {
	case ir.Add:
		return lanes.AddVS[uint32]
	case ir.Mul:
		return lanes.MulVS[uint32]
	case ir.And:
		return lanes.AndVS[uint32]
	case ir.Shl:
		return lanes.ShlVS[uint32]
	case ir.LShr:
		return lanes.ShrVS[uint32]
	}
	return nil
}

func commutes(o ir.Op) bool { return o == ir.Add || o == ir.Mul || o == ir.And }

func integerLoop(in *ir.Instr) func(d, a, b []uint32) {
	switch in.Op {
	case ir.Add:
		return lanes.AddVV[uint32]
	case ir.Sub:
		return lanes.SubVV[uint32]
	case ir.Mul:
		return lanes.MulVV[uint32]
	case ir.And:
		return lanes.AndVV[uint32]
	case ir.Or:
		return lanes.OrVV[uint32]
	case ir.Xor:
		return lanes.XorVV[uint32]
	case ir.Shl:
		return lanes.ShlVV[uint32]
	case ir.LShr:
		return lanes.ShrVV[uint32]
	case ir.AShr:
		return func(d, a, b []uint32) { lanes.ShrVV(lanes.Int32s(d), lanes.Int32s(a), lanes.Int32s(b)) }
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
	args := make([]vec64, len(in.Args))
	for i, r := range in.Args {
		args[i] = c.arg64(r, u)
	}
	f := integer64Func(in)
	if len(args) == 1 {
		a := args[0]
		c.into64(d, func(m *machine, d []uint64) {
			x := a(m)
			for i := range d {
				d[i] = f(x[i], 0)
			}
		})
		return
	}
	a, b := args[0], args[1]
	c.into64(d, func(m *machine, d []uint64) {
		x, y := a(m), b(m)
		x, y = x[:len(d)], y[:len(d)]
		for i := range d {
			d[i] = f(x[i], y[i])
		}
	})
}

func integer64Func(in *ir.Instr) func(a, b uint64) uint64 {
	switch in.Op {
	case ir.Add, ir.PtrAdd:
		return func(a, b uint64) uint64 { return a + b }
	case ir.Sub, ir.PtrSub:
		return func(a, b uint64) uint64 { return a - b }
	case ir.Mul:
		return func(a, b uint64) uint64 { return a * b }
	case ir.Neg:
		return func(a, _ uint64) uint64 { return -a }
	case ir.Not:
		return func(a, _ uint64) uint64 { return ^a }
	case ir.And:
		return func(a, b uint64) uint64 { return a & b }
	case ir.Or:
		return func(a, b uint64) uint64 { return a | b }
	case ir.Xor:
		return func(a, b uint64) uint64 { return a ^ b }
	case ir.Shl:
		return func(a, b uint64) uint64 { return a << (b & 63) }
	case ir.LShr:
		return func(a, b uint64) uint64 { return a >> (b & 63) }
	case ir.AShr:
		return func(a, b uint64) uint64 { return uint64(int64(a) >> (b & 63)) }
	case ir.SDiv:
		return scalar.Int{Bits: 64, Signed: true}.Binary("/")
	case ir.SRem:
		return scalar.Int{Bits: 64, Signed: true}.Binary("%")
	case ir.UDiv:
		return scalar.Int{Bits: 64}.Binary("/")
	case ir.URem:
		return scalar.Int{Bits: 64}.Binary("%")
	}
	panic(unknown(in))
}

// compare compiles comparisons.
func (c *compiler) compare(in *ir.Instr) {
	d := in.Dst[0]
	u := c.uniform(d)
	if c.p.places[in.Args[0]].wide {
		a, b, f := c.arg64(in.Args[0], u), c.arg64(in.Args[1], u), compare64(in)
		c.into(d, func(m *machine, d []uint32) {
			x, y := a(m), b(m)
			for i := range d {
				d[i] = lane(f(x[i], y[i]))
			}
		})
		return
	}
	if less := uniformLess(in.Op); u && less != nil {
		c.protect(d)
		i, a, b := c.define(d).index, c.read(in.Args[0]).index, c.read(in.Args[1]).index
		c.emit(func(m *machine) { m.uni32[i] = less(m.uni32[a], m.uni32[b]) })
		return
	}
	t := c.typ(in.Args[0])
	a, b := c.arg(in.Args[0], u), c.arg(in.Args[1], u)
	if t.IsFloat() {
		a, b = c.flushed(a, t, u), c.flushed(b, t, u)
		loop := compareFloats(in)
		c.into(d, func(m *machine, d []uint32) { loop(d, asF(a(m)), asF(b(m))) })
		return
	}
	loop := compareIntegers(in)
	c.into(d, func(m *machine, d []uint32) { loop(d, a(m), b(m)) })
}

// uniformLess is the comparison that ends most loops, or nil.
func uniformLess(o ir.Op) func(a, b uint32) uint32 {
	switch o {
	case ir.ULt:
		return func(a, b uint32) uint32 { return lane(a < b) }
	case ir.SLt:
		return func(a, b uint32) uint32 { return lane(int32(a) < int32(b)) }
	}
	return nil
}

func compareIntegers(in *ir.Instr) func(d, a, b []uint32) {
	switch in.Op {
	case ir.Eq:
		return lanes.EqualVV[uint32]
	case ir.Ne:
		return lanes.NotEqualVV[uint32]
	case ir.SLt:
		return func(d, a, b []uint32) { lanes.LessVV(d, lanes.Int32s(a), lanes.Int32s(b)) }
	case ir.SLe:
		return func(d, a, b []uint32) { lanes.LessEqualVV(d, lanes.Int32s(a), lanes.Int32s(b)) }
	case ir.ULt:
		return lanes.LessVV[uint32]
	case ir.ULe:
		return lanes.LessEqualVV[uint32]
	}
	panic(unknown(in))
}

func compareFloats(in *ir.Instr) func(d []uint32, a, b []float32) {
	switch in.Op {
	case ir.Eq:
		return lanes.EqualVV[float32]
	case ir.Ne:
		return lanes.NotEqualVV[float32]
	case ir.FLt:
		return lanes.LessVV[float32]
	case ir.FLe:
		return lanes.LessEqualVV[float32]
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
	if c.p.places[d].wide {
		a, b := c.arg64(in.Args[1], u), c.arg64(in.Args[2], u)
		c.into64(d, func(m *machine, d []uint64) { lanes.Select64(d, cond(m), a(m), b(m)) })
		return
	}
	a, b := c.arg(in.Args[1], u), c.arg(in.Args[2], u)
	c.into(d, func(m *machine, d []uint32) { lanes.Select(d, cond(m), a(m), b(m)) })
}

// halves compiles Pack and Unpack.
func (c *compiler) halves(in *ir.Instr) {
	u := c.uniform(in.Dst[0])
	if in.Op == ir.Pack {
		lo, hi := c.arg(in.Args[0], u), c.arg(in.Args[1], u)
		c.into64(in.Dst[0], func(m *machine, d []uint64) {
			l, h := lo(m), hi(m)
			for i := range d {
				d[i] = uint64(l[i]) | uint64(h[i])<<32
			}
		})
		return
	}
	a := c.arg64(in.Args[0], u)
	for part, r := range in.Dst {
		shift := 32 * part
		c.into(r, func(m *machine, d []uint32) {
			x := a(m)
			for i := range d {
				d[i] = uint32(x[i] >> shift)
			}
		})
	}
}
