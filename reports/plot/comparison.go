package plot

import (
	"fmt"

	"metalconform/reports"
	"metalconform/suite"
	"metalconform/suite/metrics"
)

// comparison puts two runs side by side: each case at its figure in the baseline and
// in the run. Above the diagonal it got worse.
func (d Data) comparison() []Figure {
	if d.Baseline == nil {
		return nil
	}
	before := map[string]*suite.Result{}
	for _, r := range (Data{Run: *d.Baseline}).results() {
		before[r.Case] = r
	}
	var list []Figure
	for _, p := range []pairing{
		{metrics.ErrorRatio, "Error over bound, two runs", "largest error / bound", number,
			deficit(metrics.ErrorRatio)},
		{metrics.Ulp, "Errors in units in the last place, two runs", "largest error, ulp", number,
			deficit(metrics.Ulp)},
		{"time", "Times, two runs", "time", prefixed("s"),
			func(r *suite.Result) float64 { return float64(r.NS) / 1e9 }},
	} {
		c, n := p.chart(before, families(d.results()))
		if n == 0 {
			continue
		}
		caption := fmt.Sprintf("The %d cases that both runs judged; above the diagonal the run has more than the "+
			"baseline.", n)
		var notes []string
		if p.name == "time" {
			caption += " Each time is a single one."
			notes = []string{whatTimes(reports.Timed(d.Run.Device.Backend, d.Run.Device.Clock), d.Run.Device.Observes)}
		}
		list = append(list, newFigure("comparison-"+p.name, "", p.title, caption, c, notes...))
	}
	return list
}

// pairing is a figure of both runs.
type pairing struct {
	name, title, label string
	tick               func(float64) string
	of                 func(*suite.Result) float64
}

// chart has a point per case of both runs, of which there are n; none if nothing
// is above 0 in either.
func (p pairing) chart(before map[string]*suite.Result, groups []group) (c chart, n int) {
	var all []float64
	some := false
	for _, g := range groups {
		for _, r := range g.results {
			was, ok := before[r.Case]
			if !ok || !judged(was) {
				continue
			}
			x, y := p.of(was), p.of(r)
			g.points = append(g.points, point{x: x, y: y})
			all = append(all, x, y)
			some = some || x > 0 || y > 0
			n++
		}
		c.series = append(c.series, g.series)
	}
	if !some {
		return chart{}, 0
	}
	scale := newLogScale(p.tick, mostDecades, all...)
	c.x, c.y = axis{"baseline: " + p.label, scale}, axis{"run: " + p.label, scale}
	low, high := scale.ends()
	c.guides = []guide{{from: point{x: low, y: low}, to: point{x: high, y: high}, name: "the same"}}
	return c, n
}
