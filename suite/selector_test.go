package suite

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseSelector(t *testing.T) {
	for text, want := range map[string]Selector{
		"out[3, 17]": {"", "out", []int{3, 17}}, "3,17": {"", "", []int{3, 17}}, "[3,17]": {"", "", []int{3, 17}},
		" 17 ": {"", "", []int{17}},
		"out":  {"", "out", nil}, "": {}, "v_new[0]": {"", "v_new", []int{0}},
		"stage 2, norm: x[0, 5]": {"stage 2, norm", "x", []int{0, 5}}, "a = b:": {"a = b", "", nil},
		"end to end:out": {"end to end", "out", nil},
	} {
		if got, err := ParseSelector(text); err != nil || !cmp.Equal(got, want) {
			t.Errorf("ParseSelector(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"out[]", "[]", "out[1", "1]", "out 1", "-1", "stage 2, norm", "1,,2", "out[x]",
		"99999999999999999999"} {
		if got, err := ParseSelector(text); err == nil {
			t.Errorf("ParseSelector(%q) = %v, want an error", text, got)
		}
	}
}
