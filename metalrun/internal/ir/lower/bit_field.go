package lower

import (
	"metalconform/metalrun/internal/ir"
)

// Bit-fields. An access touches the bytes that hold the field and no other, so that
// neighbouring members stay what they are.

// bitBytes are the first byte of a bit-field, from its address, and the one after it.
func (r run) bitBytes() (first, end int) { return r.shift / 8, (r.shift + r.bits + 7) / 8 }

// word is the type in which a bit-field is put together.
func (r run) word() ir.Scalar {
	if r.scalar.Size() == 8 {
		return ir.U64
	}
	return ir.U32
}

// loadBits reads a bit-field.
func (l *lowerer) loadBits(a address, r run) ir.Reg {
	first, end := r.bitBytes()
	w := r.word()
	all := l.literal(w.Type(), 0)
	for i := first; i < end; i++ {
		b := l.widened(l.load(a.plus(i), run{scalar: ir.U8, n: 1, align: 1})[0], w)
		if at := 8*i - r.shift; at >= 0 {
			b = l.op(ir.Shl, w.Type(), b, l.literal(w.Type(), uint64(at)))
		} else {
			b = l.op(ir.LShr, w.Type(), b, l.literal(w.Type(), uint64(-at)))
		}
		all = l.op(ir.Or, w.Type(), all, b)
	}
	if r.scalar.Type() == ir.Bool {
		all = l.op(ir.And, w.Type(), all, l.literal(w.Type(), 1))
		return l.op(ir.Ne, ir.Bool, all, l.literal(w.Type(), 0))
	}
	return l.truncated(all, r.scalar, r.bits)
}

// storeBits writes a bit-field.
func (l *lowerer) storeBits(a address, r run, value ir.Reg) {
	first, end := r.bitBytes()
	w := r.word()
	if r.scalar.Type() == ir.Bool {
		value = l.op(ir.Select, w.Type(), value, l.literal(w.Type(), 1), l.literal(w.Type(), 0))
	}
	one := run{scalar: ir.U8, n: 1, align: 1}
	for i := first; i < end; i++ {
		low, high := max(r.shift, 8*i)-8*i, min(r.shift+r.bits, 8*i+8)-8*i // in this byte
		mask := uint64(1)<<high - uint64(1)<<low
		part := value
		if skipped := 8*i + low - r.shift; skipped > 0 {
			part = l.op(ir.LShr, w.Type(), value, l.literal(w.Type(), uint64(skipped)))
		}
		part = l.op(ir.Shl, w.Type(), part, l.literal(w.Type(), uint64(low)))
		part = l.op(ir.And, w.Type(), part, l.literal(w.Type(), mask))
		if w == ir.U64 {
			part = l.convert(ir.U64, ir.U32, part)
		}
		if mask != 0xff {
			rest := l.op(ir.And, ir.I32, l.load(a.plus(i), one)[0], l.i32(int64(0xff&^mask)))
			part = l.op(ir.Or, ir.I32, rest, part)
		}
		l.store(a.plus(i), one, []ir.Reg{part})
	}
}

// widened is a byte as a word.
func (l *lowerer) widened(b ir.Reg, w ir.Scalar) ir.Reg {
	if w == ir.U64 {
		return l.convert(ir.U32, ir.U64, b)
	}
	return b
}

// truncated is a value of a scalar type reduced to its lowest bits, as an assignment to a
// bit-field does.
func (l *lowerer) truncated(value ir.Reg, s ir.Scalar, bits int) ir.Reg {
	t := s.Type()
	if t == ir.Bool {
		return value
	}
	width := 32
	if s.Size() == 8 {
		width = 64
	}
	n := l.literal(t, uint64(width-bits))
	right := ir.LShr
	switch s {
	case ir.S8, ir.S16, ir.S32, ir.S64:
		right = ir.AShr
	}
	return l.op(right, t, l.op(ir.Shl, t, value, n), n)
}
