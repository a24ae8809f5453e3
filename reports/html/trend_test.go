package html

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"metalconform/reports"
	"metalconform/reports/trend"
	"metalconform/suite"
	"metalconform/suite/metrics"
)

// Month is the trend of twenty nights in which scale takes longer from the eleventh on,
// and a case of it fails from the sixteenth on.
func Month() []trend.Trend {
	var nights []trend.Night
	for i := range 20 {
		n := trend.Night{
			ID: fmt.Sprint(i),
			Key: trend.Key{Commit: fmt.Sprintf("c%02d", i), Device: "metal: M9", OS: "darwin/arm64",
				Options: "quick sweep <all>", Shaders: "0123456789",
				Started: time.Date(2026, 11, 1+i, 3, 0, 0, 0, time.UTC)},
		}
		var cases []trend.Case
		for c := range 4 {
			noise := 1 + 0.01*math.Sin(float64(7*i+3*c))
			x := trend.Case{Name: fmt.Sprintf("scale/n=%d/input=normal", c), Kernel: "scale", Family: "b",
				Status: suite.Pass, NS: int64(1e5 * noise)}
			x.Errors = &metrics.Errors{Elements: 100, Squares: 0.01 * noise, Outward: 0.1 * noise}
			if i >= 10 {
				x.NS *= 2
			}
			if i >= 15 && c == 3 {
				x.Status = suite.Fail
			}
			cases = append(cases, x)
		}
		n.Kernels = trend.Kernels(cases)
		nights = append(nights, n)
	}
	return trend.Find(nights, reports.DefaultPolicy())
}

// The page of trends names each step with its commits, and marks it in its curve.
func TestTrendPage(t *testing.T) {
	s := handMade(t)
	text := pages(t, s)["trend.html"]
	for _, want := range []string{
		"scale slower: × 2.00, from ", "after commit c09 up to c10 of 2026-11-11",
		"scale began to fail: scale/n=3/input=normal; after commit c14 up to c15 of 2026-11-16",
		"quick sweep &lt;all&gt;", `<a href="kernels/scale.html">scale</a>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	if n := strings.Count(text, `<line class="step"`); n != 2 { // in the list of steps, and in the table
		t.Errorf("%d marks of steps, want 2", n)
	}
	s.Trends = nil
	if _, there := pages(t, s)["trend.html"]; there {
		t.Error("a page of no trends")
	}
}

// The page of changes has a row for each kernel, and the banner of the policy's verdict.
func TestComparisonPage(t *testing.T) {
	s := handMade(t)
	text := pages(t, s)["compare.html"]
	for _, want := range []string{`class="banner fail"`, "FAIL scale: new failures", "Accuracy of kernels",
		"Fixed: 1"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	s.Against = reports.Compare(reports.Set{Run: s.Run}, reports.Set{Run: s.Run}, reports.DefaultPolicy())
	if text := pages(t, s)["compare.html"]; !strings.Contains(text, `class="banner pass"`) {
		t.Error("a run against itself does not pass")
	}
}
