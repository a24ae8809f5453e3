package oracles

import (
	"strings"
	"testing"
)

// What a schedule says of itself is read back as the same order of additions.
func TestParseSchedule(t *testing.T) {
	for text, want := range map[string]Schedule{
		"any order":                               AnyOrder(),
		"sequential":                              Sequential(),
		"sequential by 8":                         MatrixTiles(),
		"256 lanes":                               Strided(256, 1),
		"64 lanes by blocks of 4":                 Strided(64, 4),
		"64 lanes, 2 at a time":                   {Lanes: 64, Block: 1, Simd: 32, Tile: 2},
		"64 lanes, simdgroups of 16":              {Lanes: 64, Block: 1, Simd: 16},
		"8 lanes by blocks of 2, then a tree":     {Lanes: 8, Block: 2, Tree: true},
		"64 lanes, 2 at a time, then a tree":      {Lanes: 64, Block: 1, Tile: 2, Tree: true},
		"128 lanes, without simdgroups":           {Lanes: 128, Block: 1, Simd: 1},
		"9 lanes by blocks of 3, simdgroups of 3": {Lanes: 9, Block: 3, Simd: 3},
	} {
		got, err := ParseSchedule(text)
		if err != nil || got != want {
			t.Errorf("ParseSchedule(%q) = %+v, %v, want %+v", text, got, err, want)
		}
		if got.String() != text {
			t.Errorf("%q reads back as %q", text, got)
		}
	}
	if got := Halved(64).String(); got != "64 lanes, then a tree" {
		t.Errorf("a halved sum says %q", got)
	}
	for _, text := range []string{
		"", "Any order", "sequential ", "sequential by 1", "1 lanes", "0 lanes", "-4 lanes", "64 lanes by blocks of 1",
		"64 lanes, then a bush", "64 lanes, then a tree, simdgroups of 4", "any order, sequential", "64 lanes 32",
		"sequential by 8x",
	} {
		if got, err := ParseSchedule(text); err == nil || !strings.Contains(err.Error(), `"64 lanes, then a tree"`) {
			t.Errorf("ParseSchedule(%q) = %+v, %v, want an error that lists what it takes", text, got, err)
		}
	}
}
