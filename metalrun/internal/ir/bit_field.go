package ir

// Bit-fields. An access touches the bytes that hold the field and no other, so that
// neighbouring members stay what they are.

// bitBytes are the first byte of a bit-field, from its address, and the one after it.
func (r run) bitBytes() (first, end int) { return r.shift / 8, (r.shift + r.bits + 7) / 8 }

// word is the type in which a bit-field is put together.
func (r run) word() Scalar {
	if r.scalar.Size() == 8 {
		return U64
	}
	return U32
}

// loadBits reads a bit-field.
func (l *lowerer) loadBits(a address, r run) Reg {
	first, end := r.bitBytes()
	w := r.word()
	all := l.literal(w.Type(), 0)
	for i := first; i < end; i++ {
		b := l.widened(l.load(a.plus(i), run{scalar: U8, n: 1, align: 1})[0], w)
		if at := 8*i - r.shift; at >= 0 {
			b = l.op(Shl, w.Type(), b, l.literal(w.Type(), uint64(at)))
		} else {
			b = l.op(LShr, w.Type(), b, l.literal(w.Type(), uint64(-at)))
		}
		all = l.op(Or, w.Type(), all, b)
	}
	if r.scalar.Type() == Bool {
		all = l.op(And, w.Type(), all, l.literal(w.Type(), 1))
		return l.op(Ne, Bool, all, l.literal(w.Type(), 0))
	}
	return l.truncated(all, r.scalar, r.bits)
}

// storeBits writes a bit-field.
func (l *lowerer) storeBits(a address, r run, value Reg) {
	first, end := r.bitBytes()
	w := r.word()
	if r.scalar.Type() == Bool {
		value = l.op(Select, w.Type(), value, l.literal(w.Type(), 1), l.literal(w.Type(), 0))
	}
	one := run{scalar: U8, n: 1, align: 1}
	for i := first; i < end; i++ {
		low, high := max(r.shift, 8*i)-8*i, min(r.shift+r.bits, 8*i+8)-8*i // in this byte
		mask := uint64(1)<<high - uint64(1)<<low
		part := value
		if skipped := 8*i + low - r.shift; skipped > 0 {
			part = l.op(LShr, w.Type(), value, l.literal(w.Type(), uint64(skipped)))
		}
		part = l.op(Shl, w.Type(), part, l.literal(w.Type(), uint64(low)))
		part = l.op(And, w.Type(), part, l.literal(w.Type(), mask))
		if w == U64 {
			part = l.convert(U64, U32, part)
		}
		if mask != 0xff {
			rest := l.op(And, I32, l.load(a.plus(i), one)[0], l.i32(int64(0xff&^mask)))
			part = l.op(Or, I32, rest, part)
		}
		l.store(a.plus(i), one, []Reg{part})
	}
}

// widened is a byte as a word.
func (l *lowerer) widened(b Reg, w Scalar) Reg {
	if w == U64 {
		return l.convert(U32, U64, b)
	}
	return b
}

// truncated is a value of a scalar type reduced to its lowest bits, as an assignment to a
// bit-field does.
func (l *lowerer) truncated(value Reg, s Scalar, bits int) Reg {
	t := s.Type()
	if t == Bool {
		return value
	}
	width := 32
	if s.Size() == 8 {
		width = 64
	}
	n := l.literal(t, uint64(width-bits))
	right := LShr
	switch s {
	case S8, S16, S32, S64:
		right = AShr
	}
	return l.op(right, t, l.op(Shl, t, value, n), n)
}
