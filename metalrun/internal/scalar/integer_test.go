package scalar

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

var intTypes = []Int{{8, true}, {8, false}, {16, true}, {16, false}, {32, true}, {32, false}, {64, true}, {64, false}}

// value is the number that x holds in canonical form.
func (t Int) value(x uint64) *big.Int {
	if t.Signed {
		return big.NewInt(int64(x))
	}
	return new(big.Int).SetUint64(x)
}

// wrap is v modulo 2^width in canonical form.
func (t Int) wrap(v *big.Int) uint64 {
	m := new(big.Int).And(v, new(big.Int).SetUint64(Int{Bits: t.Bits}.Canonical(^uint64(0))))
	return t.Canonical(m.Uint64())
}

// saturate is v or the limit that it passes.
func (t Int) saturate(v *big.Int) uint64 {
	low, high := t.limits()
	switch {
	case v.Cmp(t.value(low)) < 0:
		return low
	case v.Cmp(t.value(high)) > 0:
		return high
	}
	return t.wrap(v)
}

// operands draws limits, small numbers and any bits.
func (t Int) operands(r *rand.Rand) uint64 {
	low, high := t.limits()
	switch r.IntN(5) {
	case 0:
		return t.Canonical(low + uint64(r.IntN(3)))
	case 1:
		return t.Canonical(high - uint64(r.IntN(3)))
	case 2:
		return t.Canonical(uint64(r.IntN(7) - 3))
	}
	return t.Canonical(r.Uint64() >> r.IntN(64))
}

// integerLaws are the definitions over unbounded integers.
func (t Int) unaryLaw(name string, x *big.Int) uint64 {
	bit := func(i int) uint { return uint(t.wrap(x) >> i & 1) }
	w := int(t.Bits)
	switch name {
	case "abs":
		return t.wrap(new(big.Int).Abs(x))
	case "clz":
		n := 0
		for n < w && bit(w-1-n) == 0 {
			n++
		}
		return uint64(n)
	case "ctz":
		n := 0
		for n < w && bit(n) == 0 {
			n++
		}
		return uint64(n)
	case "popcount":
		n := uint64(0)
		for i := range w {
			n += uint64(bit(i))
		}
		return n
	case "reverse_bits":
		y := new(big.Int)
		for i := range w {
			y.SetBit(y, w-1-i, bit(i))
		}
		return t.wrap(y)
	}
	panic("integer_test.go has no definition of " + name)
}

func (t Int) binaryLaw(name string, x, y *big.Int) uint64 {
	z := new(big.Int)
	w := big.NewInt(int64(t.Bits))
	count := uint(new(big.Int).Mod(y, w).Uint64())
	switch name {
	case "absdiff":
		return Int{Bits: t.Bits}.wrap(z.Abs(z.Sub(x, y)))
	case "addsat":
		return t.saturate(z.Add(x, y))
	case "subsat":
		return t.saturate(z.Sub(x, y))
	case "hadd":
		return t.wrap(z.Rsh(z.Add(x, y), 1))
	case "rhadd":
		return t.wrap(z.Rsh(z.Add(z.Add(x, y), big.NewInt(1)), 1))
	case "mulhi":
		return t.wrap(z.Rsh(z.Mul(x, y), uint(t.Bits)))
	case "max":
		if x.Cmp(y) < 0 {
			return t.wrap(y)
		}
		return t.wrap(x)
	case "min":
		if x.Cmp(y) > 0 {
			return t.wrap(y)
		}
		return t.wrap(x)
	case "rotate":
		u := Int{Bits: t.Bits}
		v := u.value(u.wrap(x))
		return t.wrap(z.Or(z.Lsh(v, count), new(big.Int).Rsh(v, uint(t.Bits)-count)))
	}
	panic("integer_test.go has no definition of " + name)
}

func (t Int) ternaryLaw(name string, x, y, z *big.Int) uint64 {
	v := new(big.Int)
	switch name {
	case "madhi":
		return t.wrap(v.Add(v.Rsh(v.Mul(x, y), uint(t.Bits)), z))
	case "madsat":
		return t.saturate(v.Add(v.Mul(x, y), z))
	}
	panic("integer_test.go has no definition of " + name)
}

// definition is the definition over unbounded integers; ok is false for functions that
// tests of their own hold.
func (t Int) definition(f *IntegerFunction, x []uint64) (want uint64, ok bool) {
	switch {
	case f.Field || f.Words:
		return 0, false
	case f.Args == 1:
		return t.unaryLaw(f.Name, t.value(x[0])), true
	case f.Args == 2:
		return t.binaryLaw(f.Name, t.value(x[0]), t.value(x[1])), true
	}
	return t.ternaryLaw(f.Name, t.value(x[0]), t.value(x[1]), t.value(x[2])), true
}

func TestIntegerFunctions(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for _, typ := range intTypes {
		for range 400 {
			x := []uint64{typ.operands(r), typ.operands(r), typ.operands(r)}
			for _, f := range IntegerFunctions[typ] {
				if want, ok := typ.definition(&f, x); ok && f.Of(x) != want {
					t.Fatalf("%v: %s(%v) = %v, want %v", typ, f.Name, x[:f.Args], typ.value(f.Of(x)), typ.value(want))
				}
			}
		}
		if typ.Function("sin") != nil || (typ.Function("mul24") != nil) != (typ.Bits == 32) {
			t.Errorf("%v has functions that MSL has not", typ)
		}
	}
	if (Int{Bits: 24}).Function("min") != nil {
		t.Error("a type of 24 bits has functions")
	}
}

// TestDivision holds what the language leaves undefined, and signs.
func TestDivision(t *testing.T) {
	for _, c := range []struct{ x, y, quotient, remainder int32 }{
		{7, 2, 3, 1}, {-7, 2, -3, -1}, {7, -2, -3, 1}, {-7, -2, 3, -1}, {5, 0, 0, 0}, {-1 << 31, -1, -1 << 31, 0},
		{-1 << 31, 1, -1 << 31, 0},
	} {
		if q, r := Quotient(c.x, c.y), Remainder(c.x, c.y); q != c.quotient || r != c.remainder {
			t.Errorf("%d by %d is %d, remainder %d, want %d and %d", c.x, c.y, q, r, c.quotient, c.remainder)
		}
	}
	if q, r := Quotient[uint32](1<<31, 3), Remainder[uint32](1<<31, 3); q != 715827882 || r != 2 {
		t.Errorf("2³¹ by 3 is %d, remainder %d", q, r)
	}
}

// TestByteFunctions tries every byte with every fifth, and with the limits.
func TestByteFunctions(t *testing.T) {
	for _, typ := range intTypes[:2] {
		for _, f := range IntegerFunctions[typ] {
			if f.Args != 2 || f.Words {
				continue
			}
			for i := range uint64(1 << 16) {
				if b := i >> 8; b%5 != 0 && (b+2)&127 > 4 {
					continue
				}
				x := []uint64{typ.Canonical(i), typ.Canonical(i >> 8)}
				if got, want := f.Of(x), typ.binaryLaw(f.Name, typ.value(x[0]), typ.value(x[1])); got != want {
					t.Fatalf("%v: %s(%v) = %v, want %v", typ, f.Name, x, typ.value(got), typ.value(want))
				}
			}
		}
	}
}

func TestMul24(t *testing.T) {
	for _, c := range []struct{ x, y, z, signed, unsigned int64 }{
		{3, 5, 7, 15, 15}, {0x7fffff, 0x7fffff, 0, -16777215, 4278190081}, {-1, 5, 1, -5, 83886075},
		{0x1000001, 3, 0, 3, 3},
	} {
		s, u := Int{32, true}, Int{32, false}
		if got := int64(s.Function("mul24").Of([]uint64{uint64(c.x), uint64(c.y)})); got != c.signed {
			t.Errorf("mul24(%d, %d) = %d, want %d", c.x, c.y, got, c.signed)
		}
		if got := int64(u.Function("mul24").Of([]uint64{uint64(c.x), uint64(c.y)})); got != c.unsigned {
			t.Errorf("unsigned mul24(%d, %d) = %d, want %d", c.x, c.y, got, c.unsigned)
		}
		if got := int64(s.Function("mad24").Of([]uint64{uint64(c.x), uint64(c.y), uint64(c.z)})); got != c.signed+c.z {
			t.Errorf("mad24(%d, %d, %d) = %d, want %d", c.x, c.y, c.z, got, c.signed+c.z)
		}
		if got := int64(u.Function("mad24").Of([]uint64{uint64(c.x), uint64(c.y), uint64(c.z)})); got !=
			c.unsigned+c.z {
			t.Errorf("unsigned mad24(%d, %d, %d) = %d, want %d", c.x, c.y, c.z, got, c.unsigned+c.z)
		}
	}
}

// TestBitFields tries all offsets and counts, those past the end included.
func TestBitFields(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	for _, typ := range intTypes {
		extract, insert := typ.Function("extract_bits").Of, typ.Function("insert_bits").Of
		w := int(typ.Bits)
		for offset := range w + 3 {
			for count := range w + 3 {
				a, b := typ.operands(r), typ.operands(r)
				end := min(offset+count, w)
				field, merged := new(big.Int), typ.value(Int{Bits: typ.Bits}.Canonical(a))
				for i := offset; i < end; i++ {
					field.SetBit(field, i-offset, uint(a>>i&1))
					merged.SetBit(merged, i, uint(b>>(i-offset)&1))
				}
				if typ.Signed && end > offset && field.Bit(end-offset-1) == 1 {
					field.Sub(field, new(big.Int).Lsh(big.NewInt(1), uint(end-offset)))
				}
				if got := extract([]uint64{a, uint64(offset), uint64(count)}); got != typ.wrap(field) {
					t.Fatalf("%v: extract_bits(%x, %d, %d) = %x, want %x", typ, a, offset, count, got, typ.wrap(field))
				}
				if got := insert([]uint64{a, b, uint64(offset), uint64(count)}); got != typ.wrap(merged) {
					t.Fatalf("%v: insert_bits(%x, %x, %d, %d) = %x, want %x", typ, a, b, offset, count, got,
						typ.wrap(merged))
				}
			}
		}
	}
	if got := InsertBits(int16(-1), 0, 4, 8); got != -0xff1 { // f00f
		t.Errorf("InsertBits(int16(-1), 0, 4, 8) = %x", uint16(got))
	}
	if got := ExtractBits(uint32(0xdeadbeef), 0xffffffff, 0xffffffff); got != 0 {
		t.Errorf("extract_bits far past the end = %x", got)
	}
}
