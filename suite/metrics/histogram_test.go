package metrics

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A bin holds the errors between its edges, the nearer one included.
func TestHistogramBins(t *testing.T) {
	for _, test := range []struct {
		err  float64
		bins []int // of err and of the number next to it on the side of 0
	}{
		{0x1p-1074, []int{1}},
		{0.125, []int{1, 1}}, {0.25, []int{2, 1}}, {0.5, []int{3, 2}}, {1, []int{4, 3}}, {1.5, []int{4, 4}},
		{0x1p19, []int{23, 22}}, {0x1p20, []int{24, 23}}, {0x1p900, []int{24, 24}},
		{math.MaxFloat64, []int{24}},
	} {
		for _, sign := range []float64{1, -1} {
			x := test.err
			for _, bin := range test.bins {
				var s signedErrors
				s.add(sign * x)
				want := Histogram{int(sign) * bin: 1, 0: 2}
				if diff := cmp.Diff(want, s.histogram(3)); diff != "" {
					t.Errorf("%v (-want +got):\n%s", sign*x, diff)
				}
				if near, far := want.Edges(int(sign) * bin); !(sign*near <= x && x < sign*far) {
					t.Errorf("%v is in bin %d from %v to %v", sign*x, int(sign)*bin, near, far)
				}
				x = math.Nextafter(x, 0)
			}
		}
	}
}

// Bins adjoin each other, and every element is in one.
func TestHistogramIsComplete(t *testing.T) {
	var h Histogram
	for k := 1; k < histogramBins; k++ {
		_, far := h.Edges(k)
		if near, _ := h.Edges(k + 1); near != far {
			t.Errorf("bin %d ends at %v, the next begins at %v", k, far, near)
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	var s signedErrors
	for range 1000 {
		s.add(math.Ldexp(r.NormFloat64(), r.IntN(60)-30))
	}
	total := 0
	for _, n := range s.histogram(1234) {
		total += n
	}
	if total != 1234 {
		t.Errorf("%d elements in bins, want 1234", total)
	}
}

func TestHistogramOfOutput(t *testing.T) {
	ulp := 0x1p-23
	got := []float64{1, 1 + 3*ulp, 1 - ulp, 1.5, -1.5 - 2*ulp, math.NaN(), 0}
	want := []float64{1, 1, 1, 1.5 + 0x1.8p-25, -1.5, math.NaN(), 0x1p-140}
	if diff := cmp.Diff(Histogram{0: 3, 6: 1, -5: 2}, measured(f32, got, want).Histogram); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A histogram of a file has no bins that there are not: their numbers bound loops.
func TestHistogramOfStranger(t *testing.T) {
	for text, ok := range map[string]bool{
		`{"0":1,"-24":2,"24":3}`: true,
		`{"-99999999":1}`:        false,
		`{"999999999":1}`:        false,
		`{"25":1}`:               false,
		`{"1":-1}`:               false,
	} {
		var h Histogram
		if err := json.Unmarshal([]byte(text), &h); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}
