package lanes

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"metalconform/metalrun/internal/simt/scalar"
)

// lengths cover no lane, less and more than one unrolled block, and a simdgroup.
var lengths = []int{0, 1, 7, 8, 9, 16, 31, 32, 33}

// laneValues draws lanes of a type from bit patterns and small numbers.
func laneValues[T Lane](r *rand.Rand, n int) []T {
	x := make([]T, n)
	for i := range x {
		switch p := any(&x[i]).(type) {
		case *float32:
			*p = random(r)
		case *uint32:
			*p = r.Uint32() >> r.IntN(32)
		case *int32:
			*p = int32(r.Uint32()) >> r.IntN(32)
		case *uint64:
			*p = r.Uint64() >> r.IntN(64)
		case *int64:
			*p = int64(r.Uint64()) >> r.IntN(64)
		}
		if i > 0 && r.IntN(4) == 0 {
			x[i] = x[i-1]
		}
	}
	return x
}

// sameLanes compares lanes, all NaN being one.
func sameLanes[T Lane](got, want []T) bool {
	return slices.EqualFunc(got, want, func(x, y T) bool {
		if a, ok := any(x).(float32); ok {
			return same(a, any(y).(float32))
		}
		return x == y
	})
}

// check runs a loop on d apart and on d in the place of its first operand, with
// room behind that must stay as it is.
func check[T Lane](t *testing.T, name string, a []T, run func(d, a []T), want func(i int) T) {
	t.Helper()
	wanted := make([]T, len(a))
	for i := range wanted {
		wanted[i] = want(i)
	}
	room := make([]T, len(a)+8)
	for i := range room {
		room[i] = 77
	}
	if run(room[:len(a)], a); !sameLanes(room[:len(a)], wanted) {
		t.Errorf("%s of %d lanes: %v, want %v", name, len(a), room[:len(a)], wanted)
	}
	for _, x := range room[len(a):] {
		if x != 77 {
			t.Errorf("%s of %d lanes writes beyond", name, len(a))
		}
	}
	d := slices.Clone(a)
	if run(d, d); !sameLanes(d, wanted) {
		t.Errorf("%s of %d lanes in place: %v, want %v", name, len(a), d, wanted)
	}
}

func testArithmetic[T Lane](t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for _, n := range lengths {
		a, b, s := laneValues[T](r, n), laneValues[T](r, n+3), laneValues[T](r, 1)[0]
		check(t, "AddVV", a, func(d, a []T) { AddVV(d, a, b) }, func(i int) T { return a[i] + b[i] })
		check(t, "AddVS", a, func(d, a []T) { AddVS(d, a, s) }, func(i int) T { return a[i] + s })
		check(t, "SubVV", a, func(d, a []T) { SubVV(d, a, b) }, func(i int) T { return a[i] - b[i] })
		check(t, "SubVS", a, func(d, a []T) { SubVS(d, a, s) }, func(i int) T { return a[i] - s })
		check(t, "SubSV", a, func(d, a []T) { SubSV(d, s, a) }, func(i int) T { return s - a[i] })
		check(t, "MulVV", a, func(d, a []T) { MulVV(d, a, b) }, func(i int) T { return a[i] * b[i] })
		check(t, "MulVS", a, func(d, a []T) { MulVS(d, a, s) }, func(i int) T { return a[i] * s })
		check(t, "NegV", a, func(d, a []T) { NegV(d, a) }, func(i int) T { return -a[i] })
		check(t, "Fill", a, func(d, _ []T) { Fill(d, s) }, func(int) T { return s })
		testComparisons(t, a, b, s)
	}
}

func testComparisons[T Lane](t *testing.T, a, b []T, s T) {
	t.Helper()
	m := make([]uint32, len(a))
	for name, c := range map[string]struct {
		run  func()
		want func(i int) bool
	}{
		"EqualVV":        {func() { EqualVV(m, a, b) }, func(i int) bool { return a[i] == b[i] }},
		"NotEqualVV":     {func() { NotEqualVV(m, a, b) }, func(i int) bool { return a[i] != b[i] }},
		"LessVV":         {func() { LessVV(m, a, b) }, func(i int) bool { return a[i] < b[i] }},
		"LessEqualVV":    {func() { LessEqualVV(m, a, b) }, func(i int) bool { return a[i] <= b[i] }},
		"LessEqualVV/=":  {func() { LessEqualVV(m, a, a) }, func(i int) bool { return a[i] == a[i] }},
		"EqualVV/=":      {func() { EqualVV(m, a, a) }, func(i int) bool { return a[i] == a[i] }},
		"LessVV/=":       {func() { LessVV(m, a, a) }, func(i int) bool { return false }},
		"EqualVS":        {func() { EqualVS(m, a, s) }, func(i int) bool { return a[i] == s }},
		"NotEqualVS":     {func() { NotEqualVS(m, a, s) }, func(i int) bool { return a[i] != s }},
		"LessVS":         {func() { LessVS(m, a, s) }, func(i int) bool { return a[i] < s }},
		"LessEqualVS":    {func() { LessEqualVS(m, a, s) }, func(i int) bool { return a[i] <= s }},
		"GreaterVS":      {func() { GreaterVS(m, a, s) }, func(i int) bool { return a[i] > s }},
		"GreaterEqualVS": {func() { GreaterEqualVS(m, a, s) }, func(i int) bool { return a[i] >= s }},
	} {
		c.run()
		for i, got := range m {
			if want := -btou(c.want(i)); got != want {
				t.Fatalf("%s: mask of %v is %08x, want %08x", name, a[i], got, want)
			}
		}
	}
}

func btou(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

func testBits[T Word](t *testing.T, width uint) {
	r := rand.New(rand.NewPCG(33, 34))
	for _, n := range lengths {
		a, b, s := laneValues[T](r, n), laneValues[T](r, n), laneValues[T](r, 1)[0]
		count := func(x T) uint { return uint(x) % width }
		check(t, "AndVV", a, func(d, a []T) { AndVV(d, a, b) }, func(i int) T { return a[i] & b[i] })
		check(t, "AndVS", a, func(d, a []T) { AndVS(d, a, s) }, func(i int) T { return a[i] & s })
		check(t, "OrVV", a, func(d, a []T) { OrVV(d, a, b) }, func(i int) T { return a[i] | b[i] })
		check(t, "OrVS", a, func(d, a []T) { OrVS(d, a, s) }, func(i int) T { return a[i] | s })
		check(t, "XorVV", a, func(d, a []T) { XorVV(d, a, b) }, func(i int) T { return a[i] ^ b[i] })
		check(t, "XorVS", a, func(d, a []T) { XorVS(d, a, s) }, func(i int) T { return a[i] ^ s })
		check(t, "NotV", a, func(d, a []T) { NotV(d, a) }, func(i int) T { return ^a[i] })
		check(t, "ShlVV", a, func(d, a []T) { ShlVV(d, a, b) }, func(i int) T { return a[i] << count(b[i]) })
		check(t, "ShlVS", a, func(d, a []T) { ShlVS(d, a, s) }, func(i int) T { return a[i] << count(s) })
		check(t, "ShrVV", a, func(d, a []T) { ShrVV(d, a, b) }, func(i int) T { return a[i] >> count(b[i]) })
		check(t, "ShrVS", a, func(d, a []T) { ShrVS(d, a, s) }, func(i int) T { return a[i] >> count(s) })
	}
}

func TestLaneArithmetic(t *testing.T) {
	t.Run("float32", testArithmetic[float32])
	t.Run("uint32", testArithmetic[uint32])
	t.Run("int32", testArithmetic[int32])
	t.Run("uint64", testArithmetic[uint64])
	t.Run("int64", testArithmetic[int64])
}

func TestLaneBits(t *testing.T) {
	t.Run("uint32", func(t *testing.T) { testBits[uint32](t, 32) })
	t.Run("int32", func(t *testing.T) { testBits[int32](t, 32) })
	t.Run("uint64", func(t *testing.T) { testBits[uint64](t, 64) })
	t.Run("int64", func(t *testing.T) { testBits[int64](t, 64) })
}

func TestLaneFloats(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 36))
	type lanes = []float32
	for _, n := range slices.Concat(lengths, []int{1000}) {
		a, b, c := make(lanes, n), make(lanes, n), make(lanes, n)
		for i := range a {
			a[i], b[i], c[i] = triples(r, i%5)
		}
		s, _, _ := triples(r, 4)
		product := func(x, y float32) float32 { return float32(x * y) }
		check(t, "DivVV", a, func(d, a lanes) { DivVV(d, a, b) }, func(i int) float32 { return a[i] / b[i] })
		check(t, "DivVS", a, func(d, a lanes) { DivVS(d, a, s) }, func(i int) float32 { return a[i] / s })
		check(t, "DivSV", a, func(d, a lanes) { DivSV(d, s, a) }, func(i int) float32 { return s / a[i] })
		check(t, "MulAddVVV", a, func(d, a lanes) { MulAddVVV(d, a, b, c) }, func(i int) float32 { return product(a[i], b[i]) + c[i] })
		check(t, "MulAddVSV", a, func(d, a lanes) { MulAddVSV(d, a, s, c) }, func(i int) float32 { return product(a[i], s) + c[i] })
		check(t, "FMAVVV", a, func(d, a lanes) { FMAVVV(d, a, b, c) }, func(i int) float32 { return scalar.FMA32(a[i], b[i], c[i]) })
		check(t, "FMAVSV", a, func(d, a lanes) { FMAVSV(d, a, s, c) }, func(i int) float32 { return scalar.FMA32(a[i], s, c[i]) })
		check(t, "RoundHalfV", a, func(d, a lanes) { RoundHalfV(d, a) }, func(i int) float32 { return scalar.RoundHalf(a[i]) })
		check(t, "RoundBfloatV", a, func(d, a lanes) { RoundBfloatV(d, a) }, func(i int) float32 { return scalar.RoundBfloat(a[i]) })
	}
}

func TestLaneChoice(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 38))
	for _, n := range lengths {
		m := make([]uint32, n)
		for i := range m {
			m[i] = -uint32(r.IntN(2))
		}
		a, b := laneValues[uint32](r, n), laneValues[uint32](r, n)
		u, v := laneValues[uint64](r, n), laneValues[uint64](r, n)
		check(t, "Select", a, func(d, a []uint32) { Select(d, m, a, b) }, func(i int) uint32 { return pick(m[i], a[i], b[i]) })
		check(t, "Select64", u, func(d, u []uint64) { Select64(d, m, u, v) }, func(i int) uint64 { return pick(m[i], u[i], v[i]) })
		check(t, "CopyMasked", a, func(d, a []uint32) { copy(d, a); CopyMasked(d, m, b) }, func(i int) uint32 { return pick(m[i], b[i], a[i]) })
		check(t, "CopyMasked64", u, func(d, u []uint64) { copy(d, u); CopyMasked64(d, m, v) }, func(i int) uint64 { return pick(m[i], v[i], u[i]) })
	}
}

func pick[T any](m uint32, a, b T) T {
	if m != 0 {
		return a
	}
	return b
}

func TestLaneConversions(t *testing.T) {
	var bits []uint32
	for b := uint64(0); b < 1<<32; b += 1000003 {
		bits = append(bits, uint32(b), uint32(b>>8))
	}
	bits = append(bits, 0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x4f000000, 0xcf000000, 0x4f800000, 0x4effffff)
	u := make([]uint32, len(bits))
	for name, c := range map[string]struct {
		run  Unary
		want func(b uint32, x float32) uint32
	}{
		"ToI32":   {Portable.ToI32, func(_ uint32, x float32) uint32 { return uint32(scalar.Int{Bits: 32, Signed: true}.Truncate(x)) }},
		"ToU32":   {Portable.ToU32, func(_ uint32, x float32) uint32 { return uint32(scalar.Int{Bits: 32}.Truncate(x)) }},
		"FromU32": {Portable.FromU32, func(b uint32, _ float32) uint32 { return math.Float32bits(scalar.F32.FromUint(uint64(b))) }},
		"FromI32": {Portable.FromI32, func(b uint32, _ float32) uint32 { return math.Float32bits(scalar.F32.FromInt(int64(int32(b)))) }},
		"Flush":   {Portable.Flush, func(_ uint32, x float32) uint32 { return math.Float32bits(scalar.FlushF32(x)) }},
		"QuietNaN": {Portable.QuietNaN, func(b uint32, x float32) uint32 {
			if x != x {
				return 0x7fc00000
			}
			return b
		}},
	} {
		c.run(u, bits)
		for i, b := range bits {
			x := math.Float32frombits(b)
			if want := c.want(b, x); u[i] != want {
				t.Fatalf("%s of %08x (%g) = %08x, want %08x", name, b, x, u[i], want)
			}
		}
	}
}

func TestViews(t *testing.T) {
	if got := Int32s([]uint32{0xffffffff, 3}); !slices.Equal(got, []int32{-1, 3}) {
		t.Errorf("Int32s: %v", got)
	}
	if got := Int64s([]uint64{^uint64(0)}); !slices.Equal(got, []int64{-1}) {
		t.Errorf("Int64s: %v", got)
	}
	if Int32s(nil) != nil || Float32s(nil) != nil || Int64s(nil) != nil {
		t.Error("a view of nothing is something")
	}
}

// triples draws operands of the kinds that matter: any bits, results among the
// subnormals, cancellation, short significands with their exact ties, and an
// addend beyond the last place of the product's midpoint.
func triples(r *rand.Rand, kind int) (a, b, c float32) {
	u := func() float32 { return float32(r.Float64()*2 - 1) }
	switch kind {
	case 0:
		return math.Float32frombits(r.Uint32()), math.Float32frombits(r.Uint32()), math.Float32frombits(r.Uint32())
	case 1:
		return u() * 0x1p-70, u() * 0x1p-70, math.Float32frombits(r.Uint32() & 0x807fffff)
	case 2:
		a, b = u(), u()
		return a, b, -a * b * (1 + 0x1p-20*u())
	case 3:
		return float32(int32(r.Uint32()) >> 20), float32(int32(r.Uint32()) >> 18),
			float32(int32(r.Uint32())>>8) * float32(math.Ldexp(1, r.IntN(16)-8))
	}
	a, b = float32(r.IntN(1<<12)|1), float32(r.IntN(1<<13)|1<<12|1)
	return a, b, float32(math.Ldexp(float64(r.IntN(5)-2), -r.IntN(120)))
}

// random draws any bits or a number of moderate size.
func random(r *rand.Rand) float32 {
	if r.IntN(2) == 0 {
		return math.Float32frombits(r.Uint32())
	}
	return float32(math.Ldexp(r.Float64()*2-1, r.IntN(16)-8))
}

// same compares bits, all NaN being one.
func same(x, y float32) bool {
	return math.Float32bits(x) == math.Float32bits(y) || x != x && y != y
}
