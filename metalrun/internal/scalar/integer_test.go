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
	case "-":
		return t.wrap(new(big.Int).Neg(x))
	case "~":
		return t.wrap(new(big.Int).Not(x))
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
	panic(name)
}

func (t Int) binaryLaw(name string, x, y *big.Int) uint64 {
	z := new(big.Int)
	w := big.NewInt(int64(t.Bits))
	count := uint(new(big.Int).Mod(y, w).Uint64())
	switch name {
	case "+":
		return t.wrap(z.Add(x, y))
	case "-":
		return t.wrap(z.Sub(x, y))
	case "*":
		return t.wrap(z.Mul(x, y))
	case "/":
		if y.Sign() == 0 {
			return 0
		}
		return t.wrap(z.Quo(x, y))
	case "%":
		if y.Sign() == 0 {
			return 0
		}
		return t.wrap(z.Rem(x, y))
	case "&":
		return t.wrap(z.And(x, y))
	case "|":
		return t.wrap(z.Or(x, y))
	case "^":
		return t.wrap(z.Xor(x, y))
	case "<<":
		return t.wrap(z.Lsh(x, count))
	case ">>":
		return t.wrap(z.Rsh(x, count))
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
	panic(name)
}

func (t Int) ternaryLaw(name string, x, y, z *big.Int) uint64 {
	v := new(big.Int)
	switch name {
	case "madhi":
		return t.wrap(v.Add(v.Rsh(v.Mul(x, y), uint(t.Bits)), z))
	case "madsat":
		return t.saturate(v.Add(v.Mul(x, y), z))
	case "max3":
		return t.binaryLaw("max", x, t.value(t.binaryLaw("max", y, z)))
	case "min3":
		return t.binaryLaw("min", x, t.value(t.binaryLaw("min", y, z)))
	case "median3":
		s := v.Add(v.Add(x, y), z)
		s.Sub(s, t.value(t.ternaryLaw("max3", x, y, z)))
		return t.wrap(s.Sub(s, t.value(t.ternaryLaw("min3", x, y, z))))
	case "clamp":
		return t.binaryLaw("min", t.value(t.binaryLaw("max", x, y)), z)
	}
	panic(name)
}

var (
	unaryNames   = []string{"-", "~", "abs", "clz", "ctz", "popcount", "reverse_bits"}
	binaryNames  = []string{"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "absdiff", "addsat", "subsat", "hadd", "rhadd", "mulhi", "max", "min", "rotate"}
	ternaryNames = []string{"madhi", "madsat", "max3", "min3", "median3", "clamp"}
)

func TestIntegerFunctions(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for _, typ := range intTypes {
		for range 400 {
			a, b, c := typ.operands(r), typ.operands(r), typ.operands(r)
			x, y, z := typ.value(a), typ.value(b), typ.value(c)
			for _, name := range unaryNames {
				if got, want := typ.Unary(name)(a), typ.unaryLaw(name, x); got != want {
					t.Fatalf("%v: %s(%v) = %v, want %v", typ, name, x, typ.value(got), typ.value(want))
				}
			}
			for _, name := range binaryNames {
				if got, want := typ.Binary(name)(a, b), typ.binaryLaw(name, x, y); got != want {
					t.Fatalf("%v: %v %s %v = %v, want %v", typ, x, name, y, typ.value(got), typ.value(want))
				}
			}
			for _, name := range ternaryNames {
				if got, want := typ.Ternary(name)(a, b, c), typ.ternaryLaw(name, x, y, z); got != want {
					t.Fatalf("%v: %s(%v, %v, %v) = %v, want %v", typ, name, x, y, z, typ.value(got), typ.value(want))
				}
			}
		}
		if typ.Unary("sin") != nil || typ.Binary("pow") != nil || typ.Ternary("fma") != nil {
			t.Errorf("%v has functions that MSL has not", typ)
		}
	}
	if none := (Int{Bits: 24}); none.Unary("-") != nil || none.Binary("+") != nil || none.Ternary("clamp") != nil {
		t.Error("a type of 24 bits has functions")
	}
}

// TestByteFunctions tries every pair of bytes.
func TestByteFunctions(t *testing.T) {
	if testing.Short() {
		t.Skip("a million pairs")
	}
	for _, typ := range intTypes[:2] {
		for _, name := range binaryNames {
			f := typ.Binary(name)
			for i := range uint64(1 << 16) {
				a, b := typ.Canonical(i), typ.Canonical(i>>8)
				if got, want := f(a, b), typ.binaryLaw(name, typ.value(a), typ.value(b)); got != want {
					t.Fatalf("%v: %v %s %v = %v, want %v", typ, typ.value(a), name, typ.value(b), typ.value(got), typ.value(want))
				}
			}
		}
	}
}

func TestMul24(t *testing.T) {
	for _, c := range []struct{ x, y, z, signed, unsigned int64 }{
		{3, 5, 7, 15, 15}, {0x7fffff, 0x7fffff, 0, -16777215, 4278190081}, {-1, 5, 1, -5, 83886075}, {0x1000001, 3, 0, 3, 3},
	} {
		s, u := Int{32, true}, Int{32, false}
		if got := int64(s.Binary("mul24")(uint64(c.x), uint64(c.y))); got != c.signed {
			t.Errorf("mul24(%d, %d) = %d, want %d", c.x, c.y, got, c.signed)
		}
		if got := int64(u.Binary("mul24")(u.Canonical(uint64(c.x)), u.Canonical(uint64(c.y)))); got != c.unsigned {
			t.Errorf("unsigned mul24(%d, %d) = %d, want %d", c.x, c.y, got, c.unsigned)
		}
		if got := int64(s.Ternary("mad24")(uint64(c.x), uint64(c.y), uint64(c.z))); got != c.signed+c.z {
			t.Errorf("mad24(%d, %d, %d) = %d, want %d", c.x, c.y, c.z, got, c.signed+c.z)
		}
		if got := int64(u.Ternary("mad24")(u.Canonical(uint64(c.x)), u.Canonical(uint64(c.y)), uint64(c.z))); got != c.unsigned+c.z {
			t.Errorf("unsigned mad24(%d, %d, %d) = %d, want %d", c.x, c.y, c.z, got, c.unsigned+c.z)
		}
	}
	if (Int{16, true}).Binary("mul24") != nil {
		t.Error("short has mul24")
	}
}

// TestBitFields tries all offsets and counts, those past the end included.
func TestBitFields(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	for _, typ := range intTypes {
		extract := typ.Ternary("extract_bits")
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
				if got := extract(a, uint64(offset), uint64(count)); got != typ.wrap(field) {
					t.Fatalf("%v: extract_bits(%x, %d, %d) = %x, want %x", typ, a, offset, count, got, typ.wrap(field))
				}
				if got := typ.InsertBits(a, b, uint32(offset), uint32(count)); got != typ.wrap(merged) {
					t.Fatalf("%v: insert_bits(%x, %x, %d, %d) = %x, want %x", typ, a, b, offset, count, got, typ.wrap(merged))
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
