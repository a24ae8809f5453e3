package metrics

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A level is the smallest that holds an error: up to the bound are those that end
// with the level of the bound.
func TestLevels(t *testing.T) {
	for _, test := range []struct {
		ratio float32
		c     byte
		most  float64
	}{
		{unjudged, 'A', 0}, {0, 'B', 0}, {1e-30, 'C', 0x1p-10}, {0.5, 'm', 0.5},
		{math.Nextafter32(0.5, 1), 'n', math.Exp2(-0.75)},
		{1, 'q', 1}, {math.Nextafter32(1, 2), 'r', math.Exp2(0.25)}, {32, '+', 32}, {33, '/', math.Inf(1)},
		{float32(math.Inf(1)), '/', math.Inf(1)},
	} {
		if c := levels[levelOf(test.ratio)]; c != test.c {
			t.Errorf("an error of %v of its bound is %q, want %q", test.ratio, c, test.c)
		}
		if most, judged := Level(test.c); most != test.most || judged != (test.ratio != unjudged) {
			t.Errorf("%q is %v, judged %v; want %v", test.c, most, judged, test.most)
		}
	}
}

// Reductions of outputs in which one element has an error of its bound.
func TestMap(t *testing.T) {
	const none, bound = "B", "q"
	at := func(n, i int) string { return strings.Repeat(none, i) + bound + strings.Repeat(none, n-i-1) }
	for _, test := range []struct {
		name    string
		extents []int
		element int
		rows    int
		columns int
		groups  int
		block   [2]int
		cell    int
	}{
		{"vector that fits", []int{64}, 63, 1, 64, 1, [2]int{1, 1}, 63},
		{"vector in simdgroups", []int{96}, 64, 3, 32, 1, [2]int{1, 1}, 64},
		{"long vector", []int{4096}, 70, 64, 32, 1, [2]int{2, 1}, 32 + 6},
		{"matrix that fits", []int{3, 5}, 7, 3, 5, 3, [2]int{1, 1}, 7},
		{"wide matrix", []int{2, 130}, 130 + 129, 2, 33, 2, [2]int{1, 4}, 33 + 32},
		{"high matrix", []int{130, 2}, 259, 33, 2, 1, [2]int{4, 1}, 65},
		{"heads by tokens", []int{4, 100, 8}, (2*100+17)*8 + 3, 4 * 13, 8, 4, [2]int{8, 1}, (2*13+2)*8 + 3},
		{"more heads than rows", []int{100, 3, 2}, 99*6 + 5, 50, 2, 1, [2]int{6, 1}, 49*2 + 1},
		{"ones among the axes", []int{1, 100, 1, 2}, 199, 50, 2, 1, [2]int{2, 1}, 99},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := 1
			for _, e := range test.extents {
				n *= e
			}
			ratios := make([]float32, n)
			ratios[test.element] = 1
			m := newMap(test.extents, ratios)
			width := test.extents[len(test.extents)-1]
			if len(test.extents) == 1 && width > 64 {
				width = 32
			}
			row, column := test.element/width, test.element%width
			want := &Map{
				Rows: test.rows, Columns: test.columns, Groups: test.groups, Block: test.block,
				Cells: at(test.rows*test.columns, test.cell), Lanes: m.Lanes, Tile: m.Tile,
			}
			if diff := cmp.Diff(want, m); diff != "" {
				t.Errorf("map (-want +got):\n%s", diff)
			}
			if i := strings.Index(m.Lanes, bound); i != test.element%32 || strings.Count(m.Lanes, bound) != 1 {
				t.Errorf("lanes %s, want %d alone", m.Lanes, test.element%32)
			}
			if i := strings.Index(m.Tile, bound); i != row%8*8+column%8 || strings.Count(m.Tile, bound) != 1 {
				t.Errorf("tile %s, want %d alone", m.Tile, row%8*8+column%8)
			}
		})
	}
}

// A cell has the largest error of its elements, and is empty if none is judged.
func TestMapTakesMaxima(t *testing.T) {
	ratios := make([]float32, 2*128)
	for i := range ratios {
		ratios[i] = unjudged
	}
	ratios[2], ratios[3], ratios[129] = 0.25, 0.125, 2
	m := newMap([]int{2, 128}, ratios)
	want := "AiA" + strings.Repeat("A", 61) + "u" + strings.Repeat("A", 63)
	if m.Cells != want {
		t.Errorf("cells %s, want %s", m.Cells, want)
	}
}
