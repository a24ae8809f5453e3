package syntax

import (
	"strings"
	"testing"
)

// A near name is named, and none is looked for near one that nobody typed.
func TestNearest(t *testing.T) {
	long := strings.Repeat("q", mostMistyped+1)
	for _, test := range []struct {
		name       string
		candidates []string
		want       string
	}{
		{"lenght", []string{"length", "width"}, "length"},
		{"lenght", []string{"width"}, ""},
		{"vale", []string{"vala", "valb"}, ""},
		{long[1:], []string{long}, long},
		{long, []string{long[1:]}, ""},
	} {
		if got := Nearest(test.name, test.candidates); got != test.want {
			t.Errorf("nearest to %.20s in %.50q: got %.20q, want %.20q", test.name, test.candidates, got, test.want)
		}
	}
}
