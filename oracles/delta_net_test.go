package oracles

import (
	"slices"
	"testing"
)

func TestConvOut(t *testing.T) {
	q, k, v := ConvOut([]float64{1, 2, 3, 4, 5, 6, 7, 8}, 2, 1, 2, 1)
	if !slices.Equal(q, []float64{1, 5}) || !slices.Equal(k, []float64{2, 6}) || !slices.Equal(v, []float64{3, 4, 7, 8}) {
		t.Errorf("q %v, k %v, v %v", q, k, v)
	}
}
