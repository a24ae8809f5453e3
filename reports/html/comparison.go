package html

import (
	"cmp"
	"fmt"
	"math"

	"metalconform/reports"
	"metalconform/reports/statistics"
)

// comparisonBody is the page of what a run changes against another.
type comparisonBody struct {
	Base, Head reports.Header
	Banner     banner
	About      []string
	Counts     []string
	Policy     string
	Changes    []changes
	Parts      []comparedPart
}

// comparedPart are the rows of an aspect.
type comparedPart struct {
	Title, Means string
	Rows         []comparedRow // other than unchanged ones
	Same         []comparedRow
}

// comparedRow is the verdict on one aspect of a kernel or case.
type comparedRow struct {
	reports.ComparedRow
	Page    string
	Verdict verdict
	Measure []comparedMeasure
}

// comparedMeasure is a quantity in both runs.
type comparedMeasure struct {
	Of, Base, Head, Change, Interval, P string
	Verdict                             verdict
}

// compared is a verdict as it is shown.
func compared(v statistics.Verdict) verdict {
	class := map[statistics.Verdict]string{statistics.Regressed: "fail", statistics.Improved: "pass",
		statistics.Unchanged: "skip", statistics.Inconclusive: "waived"}[v]
	glyph := map[statistics.Verdict]string{statistics.Regressed: "▼", statistics.Improved: "▲",
		statistics.Unchanged: "=", statistics.Inconclusive: "?"}[v]
	return verdict{Class: class, Glyph: glyph, Word: string(v)}
}

func (s *site) comparisonPage(w writer) error {
	c := s.View.Against
	if c == nil {
		return nil
	}
	indices := s.indices()
	b := comparisonBody{Base: c.Base, Head: c.Head, About: c.About(), Counts: c.Counts(), Policy: c.Explain(),
		Changes: s.changes(*c, indices)}
	verdict := c.Verdict()
	b.Banner = banner{Class: "pass", Glyph: "✓", Verdict: verdict.String(),
		Detail: "since " + cmp.Or(c.Base.Commit, "an earlier run")}
	if verdict.Outcome != reports.Passed {
		b.Banner.Class, b.Banner.Glyph = "fail", "▼"
	}
	for _, part := range []struct {
		aspect       reports.Aspect
		title, means string
	}{
		{reports.Accuracy, "Accuracy of kernels",
			"Errors are fractions of their bounds, in root mean square over a case; each case is compared with " +
				"itself. Part toward zero and systematic part are 0 for errors without a direction and ±1 for errors " +
				"that are all alike. Headroom is what the worst error leaves of its bound."},
		{reports.Speed, "Times of cases", "Samples of conform bench."},
		{reports.Counted, "Work of kernels",
			"What the simulator counts over all cases: instructions are those of simdgroups, operations and bytes " +
				"those of threads. They say little of the time that a GPU takes, so that only a gross change counts."},
		{reports.Expected, "Forecasts",
			"Times of a GPU that was not there, forecast from what the simulator counts. An interval holds four of " +
				"five times of kernels that the forecast was not fitted to; what changes within it is no change."},
	} {
		p := comparedPart{Title: part.title, Means: part.means}
		for _, r := range c.Rows {
			if r.Aspect != part.aspect {
				continue
			}
			row := comparedRow{ComparedRow: r, Verdict: compared(r.Verdict), Page: s.names.kernel[r.Name]}
			if i, ok := indices[r.Name]; ok && row.Page == "" {
				row.Page = s.casePage(i)
			}
			for _, m := range r.Measures {
				row.Measure = append(row.Measure, newComparedMeasure(m))
			}
			if r.Verdict == statistics.Unchanged {
				p.Same = append(p.Same, row)
			} else {
				p.Rows = append(p.Rows, row)
			}
		}
		if len(p.Rows)+len(p.Same) > 0 {
			b.Parts = append(b.Parts, p)
		}
	}
	return s.render(w, "compare.html", "comparison", "Changes", nil, b)
}

// newComparedMeasure is a measure as text.
func newComparedMeasure(m reports.Measure) comparedMeasure {
	t := comparedMeasure{Of: m.Name(), Base: m.Text(m.Base), Head: m.Text(m.Head), Verdict: compared(m.Verdict)}
	change := func(x float64) string {
		if m.Factor() {
			return "× " + reports.Figure(x)
		}
		return fmt.Sprintf("%+.3f", x)
	}
	t.Change = change(float64(m.Change))
	if m.Tested() && !math.IsInf(float64(m.High), 0) {
		t.Interval = change(float64(m.Low)) + " to " + change(float64(m.High))
	}
	if m.Tested() {
		t.P = reports.Figure(m.P)
	}
	return t
}

// indices are the places of cases in the results.
func (s *site) indices() map[string]int {
	indices := map[string]int{}
	for i, r := range s.Results {
		indices[r.Case] = i
	}
	return indices
}
