package suite

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWritten lists what is left of a buffer of eight elements beside the ranges that a run must not touch.
func TestWritten(t *testing.T) {
	for _, test := range []struct {
		name         string
		ranges, want []Range
	}{
		{"none", nil, []Range{{0, 8}}},
		{"inside", []Range{{2, 3}, {5, 6}}, []Range{{0, 2}, {3, 5}, {6, 8}}},
		{"at both ends", []Range{{0, 2}, {7, 8}}, []Range{{2, 7}}},
		{"one in another", []Range{{1, 6}, {2, 3}}, []Range{{0, 1}, {6, 8}}},
		{"beyond the end", []Range{{6, 12}}, []Range{{0, 6}}},
		{"behind the end", []Range{{9, 12}}, []Range{{0, 8}}},
		{"all", []Range{{0, 8}}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := buffer{arg: Arg{Type: F32}, data: make([]byte, 8*F32.Bytes()+2*Guard), ranges: test.ranges}
			if diff := cmp.Diff(test.want, b.written()); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// TestFillBeginsWithZeros fills a buffer with a fill that leaves its elements out, after one that does not.
func TestFillBeginsWithZeros(t *testing.T) {
	const n = 8
	leave := func(*rand.Rand, Shape, []float64) {}
	for _, fill := range []Fill{Every(3), leave} {
		b := buffer{arg: Arg{Name: "x", Type: F32}, data: make([]byte, n*F32.Bytes()+2*Guard)}
		b.fill(Case{Kernel: &Kernel{}, Input: Input{Fills: Fills{"x": fill}}}, n, 1)
		want := 0.0
		if b.value(0) == 3 {
			want = 3
		}
		for i := range n {
			if got := b.value(i); got != want {
				t.Errorf("element %d = %g, want %g", i, got, want)
			}
		}
	}
}

// TestEncode holds what is encoded at once against what is encoded number by number.
func TestEncode(t *testing.T) {
	floats := []float64{0, math.Copysign(0, -1), 1, -2.5, 1e-40, 1e-45, 1e30, 1e300, 65519, 65520, 0x1.01p0,
		0x1.0100001p0, math.Inf(-1), math.NaN()}
	integers := []float64{0, math.Copysign(0, -1), 1, 2.5, 3.5}
	for _, test := range []struct {
		t      Type
		values []float64
	}{
		{F32, floats}, {BF16, floats}, {F16, floats},
		{U8, append(integers, 255)}, {U16, append(integers, 65535)}, {U32, append(integers, math.MaxUint32)},
		{U64, append(integers, 1<<53-1)},
		{I8, append(integers, -128)}, {I16, append(integers, -32768)}, {I32, append(integers, math.MinInt32)},
		{I64, append(integers, -1<<53)},
		{Bool, integers[:3]},
	} {
		t.Run(test.t.String(), func(t *testing.T) {
			const first = 2
			n := first + len(test.values)
			b := buffer{arg: Arg{Type: test.t}, data: make([]byte, n*test.t.Bytes()+2*Guard)}
			b.encode(first, test.values)
			want := make([]byte, first*test.t.Bytes())
			for _, x := range test.values {
				want = test.t.append(want, x)
			}
			if diff := cmp.Diff(want, b.payload()); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// TestNormalIsTheSumOfTwelve adds up sixteen bits at a time.
func TestNormalIsTheSumOfTwelve(t *testing.T) {
	r, again := rand.New(rand.NewPCG(1, 2)), rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		sum := -6.0
		for range 3 {
			for w := again.Uint64(); ; w >>= 16 {
				sum += float64(w&0xffff) / (1 << 16)
				if w < 1<<16 {
					break
				}
			}
		}
		if got, want := normal(r), sum+float64(12*again.Float64()/(1<<16)); math.Abs(got-want) > 1e-14 {
			t.Fatalf("normal = %v, want %v", got, want)
		}
	}
}
