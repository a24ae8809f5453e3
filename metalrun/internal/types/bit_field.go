package types

import (
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// bitField adds a bit-field to a struct. One without name leaves a gap, of width 0 to the
// next unit of its type.
func (c *checker) bitField(info *structInfo, d *syntax.VarDecl, q qual) {
	k := hir.ScalarKind(q.typ)
	width, ok := c.bitWidth(d, q, k)
	if !ok {
		if d.Name != "" {
			c.addField(info, nameOf(d), d.Name, q, d.Init) // its uses are silent
		}
		return
	}
	if width == 0 {
		if info.gaps == nil {
			info.gaps = map[int]int{}
		}
		i := len(info.typ.Fields)
		info.gaps[i] = max(info.gaps[i], 8*k.Size())
		return
	}
	if d.Name == "" {
		info.typ.Fields = append(info.typ.Fields, hir.Field{Type: q.typ, Bits: int(width)})
		info.inits = append(info.inits, nil)
		return
	}
	c.addField(info, nameOf(d), d.Name, q, d.Init)
	info.typ.Fields[len(info.typ.Fields)-1].Bits = int(width)
}

// bitWidth is the width of a bit-field of kind k.
func (c *checker) bitWidth(d *syntax.VarDecl, q qual, k hir.Kind) (width int64, ok bool) {
	if k != hir.Bool && !k.IsInteger() {
		c.errorf(nameOf(d), codeBitField, "bit-field '%s' has non-integral type '%s'", d.Name, q.typ)
		return 0, false
	}
	if width, ok = c.constInt(d.Bits, "the width of a bit-field"); !ok {
		return 0, false
	}
	most := int64(8 * k.Size())
	if k == hir.Bool {
		most = 1
	}
	switch {
	case width < 0:
		c.errorf(nameOf(d), codeBitField, "bit-field '%s' has negative width (%d)", d.Name, width)
	case width == 0 && d.Name != "":
		c.errorf(nameOf(d), codeBitField, "named bit-field '%s' has zero width", d.Name)
	case width > most:
		c.errorf(nameOf(d), codeBitField,
			"width of bit-field '%s' (%d bits) exceeds the width of its type, %d bits: the rest would be padding",
			d.Name, width, most)
	default:
		return width, true
	}
	return 0, false
}

// placeBits lays a bit-field out at the bits that are free next, inside of one unit of its type
// unless the class is packed, and returns the first bit after it.
func placeBits(f *hir.Field, bits int, packed bool) int {
	if packed {
		f.Offset, f.Shift = bits/8, bits%8
		return bits + f.Bits
	}
	unit := 8 * f.Type.Size()
	if bits%unit+f.Bits > unit {
		bits = roundUp(bits, unit)
	}
	f.Offset, f.Shift = bits/unit*f.Type.Size(), bits%unit
	return bits + f.Bits
}

// promotedBits gives a bit-field that int can hold that type: it is promoted in arithmetic.
func (c *checker) promotedBits(e hir.Expr) hir.Expr {
	if load, ok := e.(*hir.Load); ok && intHoldsBits(load.X) {
		return c.cast(e, hir.Int)
	}
	return e
}

// promotedKind is the kind to which op, of type t, is promoted when the other operand has another type.
func promotedKind(op operand, t hir.Type) hir.Kind {
	if op.lvalue && intHoldsBits(op.expr) {
		return hir.Int
	}
	return arithmeticKind(t)
}

// intHoldsBits reports whether x is a bit-field and int holds all its values.
func intHoldsBits(x hir.Expr) bool {
	f, ok := x.(*hir.FieldExpr)
	if !ok {
		return false
	}
	width := f.X.Type().(*hir.Struct).Fields[f.Field].Bits
	k, scalar := f.Type().(hir.Kind)
	return width > 0 && scalar && (width < 32 || width == 32 && k.IsSigned())
}
