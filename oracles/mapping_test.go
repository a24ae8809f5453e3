package oracles

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRepeatTiled(t *testing.T) {
	src := []float64{1, 2, 3, 4, 10, 20, 30, 40} // two tokens of two heads of two channels
	want := []float64{1, 2, 3, 4, 1, 2, 3, 4, 10, 20, 30, 40, 10, 20, 30, 40}
	got := RepeatTiled(src, 2, 2, 4, 2)
	if diff := cmp.Diff(Answer{Want: want, Exact: true}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMapping(t *testing.T) {
	var block, tiled []int
	for h := range 6 {
		block, tiled = append(block, BlockHeads.Head(h, 6, 2)), append(tiled, TiledHeads.Head(h, 6, 2))
	}
	if !slices.Equal(block, []int{0, 0, 0, 1, 1, 1}) || !slices.Equal(tiled, []int{0, 1, 0, 1, 0, 1}) {
		t.Errorf("block %v, tiled %v", block, tiled)
	}
}

func TestRepeatMappings(t *testing.T) {
	src := []float64{1, 2, 3, 4}
	for _, c := range []struct {
		got  Answer
		want []float64
	}{
		{RepeatTiled(src, 1, 2, 4, 2), []float64{1, 2, 3, 4, 1, 2, 3, 4}},
		{RepeatBlock(src, 1, 2, 4, 2), []float64{1, 2, 1, 2, 3, 4, 3, 4}},
	} {
		agree(t, "repeat", c.got.Want, c.want)
	}
}
