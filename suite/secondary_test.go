package suite

import (
	"testing"

	"metalconform/oracles"
)

// TestLargestUlp measures against a second definition: where an element is off
// by three units of f32, and where nothing can be measured.
func TestLargestUlp(t *testing.T) {
	b, err := poisoned(Out("out", F32, Fixed(2)), Shape{})
	if err != nil {
		t.Fatal(err)
	}
	copy(b.payload(), []byte{3, 0, 0xc0, 0x3f, 0, 0, 0x80, 0x3f})
	for _, c := range []struct {
		want []float64
		ulp  float64
	}{
		{[]float64{1.5, 1}, 3}, {[]float64{1.5 + 3.0/(1<<23), 1}, 0},
	} {
		if got := largestUlp([]*buffer{nil, b}, Answers{"out": oracles.Answer{Want: c.want}}); got != c.ulp {
			t.Errorf("got %v, want %v", got, c.ulp)
		}
	}
}
