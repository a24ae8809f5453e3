package html

import (
	"strings"
	"testing"

	"metalconform/reports"
)

// A run that goes on says how far it is; one that was cut short says that it is not whole.
func TestLive(t *testing.T) {
	s := handMade(t)
	s.Against, s.Figures, s.Trends, s.Mutants = nil, nil, nil, nil
	s.Planned, s.Ending = 1813, nil
	s.Results = s.Results[:1] // it passes
	s.Flaws = []reports.Flaw{{Message: "the run did not end: it has 1 of 1813 cases", Open: true},
		{File: "a", Line: 3, Message: "damaged"}}
	for _, test := range []struct {
		live bool
		says string
		not  []string
	}{
		{true, "Running: 1 of 1,813 cases", []string{"did not end", "judged in 0 ns", "NOT JUDGED"}},
		{false, "NOT JUDGED the run did not end: it has 1 of 1813 cases, and 1 more flaw; 1 kernel passes",
			[]string{"Running", "judged in 0 ns"}},
	} {
		s.Live = test.live
		text := pages(t, s)["index.html"]
		if !strings.Contains(text, test.says) || !strings.Contains(text, "a:3: damaged") ||
			strings.Contains(text, "did not end") == test.live {
			t.Errorf("live %t: no %q, or other warnings", test.live, test.says)
		}
		for _, not := range test.not {
			if strings.Contains(text, not) {
				t.Errorf("live %t: it says %q", test.live, not)
			}
		}
	}
}
