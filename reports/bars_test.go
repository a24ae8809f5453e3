package reports

import (
	"strings"
	"testing"
	"unicode/utf8"

	"metalconform/metalrun"
)

// A bar is as long as its value is large, to an eighth of a character, and all take the same room.
func TestBars(t *testing.T) {
	for _, test := range []struct {
		value, most float64
		want        string // without the blanks behind it
	}{
		{1, 1, strings.Repeat("█", 32)}, {1, 2, strings.Repeat("█", 16)}, {1, 32, "█"}, {1, 256, "▏"}, {2, 256, "▎"},
		{5, 256, "▋"}, {7, 256, "▉"}, {9, 256, "█▏"}, {0, 1, ""}, {0, 0, ""}, {3, 2, strings.Repeat("█", 32)},
		{1, 1e9, ""}, {2, 3, strings.Repeat("█", 21) + "▍"},
	} {
		got := bar(test.value, test.most)
		if strings.TrimRight(got, " ") != test.want || utf8.RuneCountInString(got) != barWidth {
			t.Errorf("%g of %g: %q, want %q in %d characters", test.value, test.most, got, test.want, barWidth)
		}
	}
}

// What has become better or worse is shown before and after, to one scale.
func TestPictures(t *testing.T) {
	set := func(level float64, operations int64) Set {
		s := night{seed: uint64(operations), kernels: map[string]spread{"norm": {cases: 40, level: level}}}.set()
		for i := range s.Results {
			s.Results[i].Work = &metalrun.Work{Launches: 1, Floating: operations}
		}
		return s
	}
	if list := Compare(set(0.02, 100), set(0.02, 101), DefaultPolicy()).pictures(); len(list) > 0 {
		t.Errorf("nothing has changed, and there are pictures: %q", list)
	}
	list := Compare(set(0.02, 100), set(0.08, 25), DefaultPolicy()).pictures()
	if len(list) != 2 || !strings.HasPrefix(list[0], "norm: error × 4") ||
		!strings.HasPrefix(list[1], "norm: operations × 0.250\n") {
		t.Fatalf("pictures: %q", list)
	}
	want := "norm: operations × 0.250\n" +
		"  before ████████████████████████████████ 4000\n" +
		"  after  ████████                         1000\n"
	if list[1] != want {
		t.Errorf("a picture:\n%swant\n%s", list[1], want)
	}
}
