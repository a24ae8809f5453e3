package suite

import (
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
			b := buffer{arg: Arg{Type: F32}, data: make([]byte, 8*F32.Bytes()+2*guard), ranges: test.ranges}
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
		b := buffer{arg: Arg{Name: "x", Type: F32}, data: make([]byte, n*F32.Bytes()+2*guard)}
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
