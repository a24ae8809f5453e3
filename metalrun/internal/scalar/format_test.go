package scalar

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/x448/float16"
)

// narrow names what differs between the two formats of 16 bits.
var narrow = []struct {
	name      string
	f         Format
	precision int // significant bits
	smallest  int // exponent of the smallest subnormal
	infinity  uint32
	round     func(float32) float32
	bits      func(float32) uint16
	from      func(uint16) float32
}{
	{"half", Half, 11, -24, 0x7c00, RoundHalf, HalfBits, FromHalfBits},
	{"bfloat", Bfloat, 8, -133, 0x7f80, RoundBfloat, BfloatBits, FromBfloatBits},
}

// definition is the value of bits by the formula of IEEE 754.
func definition(b uint32, precision, smallest int) float64 {
	fraction := float64(b & (1<<(precision-1) - 1))
	exponent := int(b&0x7fff) >> (precision - 1)
	v := math.Ldexp(fraction, smallest)
	if exponent > 0 {
		v = math.Ldexp(fraction+math.Ldexp(1, precision-1), smallest+exponent-1)
	}
	if b>>15 != 0 {
		v = -v
	}
	return v
}

func TestNarrowBits(t *testing.T) {
	for _, n := range narrow {
		for b := range uint32(1 << 16) {
			x := n.from(uint16(b))
			m := b & 0x7fff
			switch {
			case m > n.infinity:
				quiet := b | 1<<(n.precision-2)
				if x == x || uint32(n.bits(x)) != quiet {
					t.Fatalf("%s %04x: NaN comes back as %04x, want %04x", n.name, b, n.bits(x), quiet)
				}
				continue
			case m == n.infinity:
				if !math.IsInf(float64(x), 1-2*int(b>>15)) {
					t.Fatalf("%s %04x = %g", n.name, b, x)
				}
			case math.Float64bits(float64(x)) != math.Float64bits(definition(b, n.precision, n.smallest)):
				t.Fatalf("%s %04x = %g, want %g", n.name, b, x, definition(b, n.precision, n.smallest))
			}
			if got := n.bits(x); uint32(got) != b {
				t.Fatalf("%s %04x comes back as %04x", n.name, b, got)
			}
			if got := n.round(x); !same(got, x) {
				t.Fatalf("%s rounds its own %g to %g", n.name, x, got)
			}
		}
	}
}

// TestNarrowRounding looks around the midpoint of every two neighbours, the
// largest number and infinity included.
func TestNarrowRounding(t *testing.T) {
	for _, n := range narrow {
		for b := range n.infinity {
			below := definition(b, n.precision, n.smallest)
			above := definition(b+1, n.precision, n.smallest)
			mid := (below + above) / 2
			even := float32(below)
			if b&1 == 1 {
				even = float32(above)
			}
			if b+1 == n.infinity {
				above = math.Inf(1)
				even = float32(above)
			}
			for _, c := range []struct {
				x    float64
				want float32
			}{
				{mid, even},
				{math.Nextafter(mid, 0), float32(below)},
				{math.Nextafter(mid, math.Inf(1)), float32(above)},
			} {
				for sign := float32(1); sign >= -1; sign -= 2 {
					if got := n.f.Round(float64(sign) * c.x); !same(got, sign*c.want) {
						t.Fatalf("%s: Round(%x) = %g, want %g", n.name, c.x, got, sign*c.want)
					}
				}
			}
			m := float32(mid)
			for _, c := range []struct{ x, want float32 }{
				{m, even},
				{math.Nextafter32(m, 0), float32(below)},
				{math.Nextafter32(m, float32(math.Inf(1))), float32(above)},
			} {
				for sign := float32(1); sign >= -1; sign -= 2 {
					if got := n.round(sign * c.x); !same(got, sign*c.want) {
						t.Fatalf("%s: round(%x) = %g, want %g", n.name, c.x, got, sign*c.want)
					}
					if got, want := n.bits(sign*c.x), n.bits(sign*c.want); got != want {
						t.Fatalf("%s: bits(%x) = %04x, want %04x", n.name, c.x, got, want)
					}
				}
			}
		}
	}
}

// TestNarrowOverAllMagnitudes compares with roundings written by others or by
// definition, on bit patterns of every kind.
func TestNarrowOverAllMagnitudes(t *testing.T) {
	for b := uint64(0); b < 1<<32; b += 16411 {
		x := math.Float32frombits(uint32(b))
		if got, want := HalfBits(x), float16.Fromfloat32(x).Bits(); got != want {
			t.Fatalf("HalfBits(%g [%08x]) = %04x, want %04x", x, b, got, want)
		}
		if got, want := FromHalfBits(uint16(b>>16)), float16.Frombits(uint16(b>>16)).Float32(); !same(got, want) {
			t.Fatalf("FromHalfBits(%04x) = %g, want %g", b>>16, got, want)
		}
		if x != x || math.IsInf(float64(x), 0) || x == 0 {
			continue
		}
		if got, want := RoundBfloat(x), round(Bfloat, bf(float64(x))); !same(got, want) {
			t.Fatalf("RoundBfloat(%g) = %g, want %g", x, got, want)
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 20000 {
		x := math.Ldexp(r.Float64()-0.5, r.IntN(320)-160)
		for _, f := range []Format{F32, Half, Bfloat} {
			if got, want := f.Round(x), round(f, bf(x)); !same(got, want) {
				t.Fatalf("format %d: Round(%x) = %g, want %g", f, x, got, want)
			}
		}
	}
}

// TestNarrowArithmetic shows that rounding the float32 result is rounding once:
// 24 ≥ 2·11 + 2 bits leave no second tie.
func TestNarrowArithmetic(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for range 40000 {
		n := narrow[r.IntN(2)]
		x, y := n.from(uint16(r.Uint32())), n.from(uint16(r.Uint32()))
		if r.IntN(2) == 0 {
			y = n.round(x * n.from(uint16(n.bits(1)+uint16(r.IntN(64))-32)))
		}
		if x-x != 0 || y-y != 0 || y == 0 || x == 0 {
			continue
		}
		a, b := bf(float64(x)), bf(float64(y))
		for _, c := range []struct {
			op   string
			got  float32
			want *big.Float
		}{{"+", x + y, bAdd(a, b)}, {"-", x - y, bSub(a, b)}, {"*", x * y, bMul(a, b)}, {"/", x / y, bQuo(a, b)}} {
			if c.want.Sign() == 0 {
				continue
			}
			if got, want := n.round(c.got), round(n.f, c.want); !same(got, want) {
				t.Fatalf("%s: %g %s %g = %g, want %g", n.name, x, c.op, y, got, want)
			}
		}
	}
}

func TestFormat(t *testing.T) {
	for _, f := range []Format{F32, Half, Bfloat} {
		one := f.FromBits(f.Bits(1))
		below := f.belowOne()
		if one != 1 || below >= 1 || f.nextafter(below, 2) != 1 || f.Narrow(below) != below {
			t.Errorf("format %d: 1 is %g, below it %g", f, one, below)
		}
		if nan := f.Round(math.NaN()); math.Float32bits(nan) != 0x7fc00000 {
			t.Errorf("format %d: NaN rounds to %08x", f, math.Float32bits(nan))
		}
	}
	if F32.Size() != 4 || Half.Size() != 2 || Bfloat.Size() != 2 {
		t.Error("sizes are not 4, 2, 2")
	}
}

func TestFlushF32(t *testing.T) {
	for _, c := range []struct{ x, want float32 }{
		{0x1p-126, 0x1p-126}, {-0x1p-126, -0x1p-126}, {0x1p-127, 0}, {0x1p-149, 0}, {1.5, 1.5}, {0, 0},
		{-0x1.fffffcp-127, float32(math.Copysign(0, -1))}, {float32(math.Inf(-1)), float32(math.Inf(-1))},
		{float32(math.NaN()), float32(math.NaN())},
	} {
		if got := FlushF32(c.x); !same(got, c.want) {
			t.Errorf("FlushF32(%g) = %g, want %g", c.x, got, c.want)
		}
	}
}
