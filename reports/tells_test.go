package reports

import (
	"strings"
	"testing"

	"metalconform/reports/statistics"
)

// TestRowsThatTellNothing: of what no test could decide, a factor of 1 is not listed as another accuracy, and one that
// may count is.
func TestRowsThatTellNothing(t *testing.T) {
	for _, test := range []struct {
		name string
		size float64
		why  string
		want bool
	}{
		{"the same", 0, "", false}, {"shown as 1", 0.004, "", false}, {"may count", 0.03, "", true},
		{"with a reason", 0, "no case passed in both", true},
	} {
		m := Measure{Of: "error", Change: 1, P: 1, Verdict: statistics.Inconclusive, least: 0.05,
			effect: statistics.Effect{Size: test.size}}
		c := &Comparison{Rows: []ComparedRow{{Aspect: Accuracy, Name: "k", Verdict: statistics.Inconclusive,
			Why:      test.why,
			Measures: []Measure{m}}}}
		listed := false
		for _, g := range c.groups() {
			listed = listed || strings.Contains(g.title, "accuracy")
		}
		if listed != test.want {
			t.Errorf("%s: listed %v, want %v", test.name, listed, test.want)
		}
	}
}
