package plot

import (
	"math"

	"metalconform/suite"

	"golang.org/x/perf/benchmath"
)

// rates are what kernels achieved: bytes per second by size, and operations per
// second by operations per byte, under the roof if it is known.
func (d Data) rates() []Figure {
	groups := d.costed()
	if len(groups) == 0 {
		return nil
	}
	const achieved = "What a case needs at least, as its definition has it, over its median time."
	var list []Figure
	if c, ok := bandwidth.chart(groups, d.roof().Bandwidth); ok {
		c.y.label += d.forecastFor()
		if r := d.roof(); r.Bandwidth > 0 {
			c.guides = []guide{horizontal(r.Bandwidth, r.known()+" bandwidth")}
		}
		list = append(list, newFigure("bandwidth", "", "Achieved bandwidth", achieved, c, d.whatTimes(),
			d.roof().says()))
	}
	if c, ok := arithmetic.chart(groups, d.roof().Arithmetic); ok {
		c.y.label += d.forecastFor()
		c.guides = d.roof().guides(c)
		list = append(list, newFigure("roofline", "", "Arithmetic against the roofline", achieved, c, d.whatTimes(),
			d.roof().says()))
	}
	return list
}

// forecastFor ends the label of an axis of rates whose times were not measured.
func (d Data) forecastFor() string {
	if d.Bench.forecast() {
		return ", " + d.backend()
	}
	return ""
}

// rate is an amount per second, by another figure of a case.
type rate struct {
	x, y         string // labels
	xName, yName func(float64) string
	of           func(c suite.Cost, seconds float64) point
}

var (
	bandwidth = rate{"bytes to be moved", "bandwidth, bytes per second", prefixed("B"), prefixed("B/s"),
		func(c suite.Cost, seconds float64) point {
			return point{x: float64(c.Bytes), y: float64(c.Bytes) / seconds}
		}}
	arithmetic = rate{"operations per byte", "arithmetic, operations per second", number, prefixed("op/s"),
		func(c suite.Cost, seconds float64) point {
			return point{x: float64(c.Operations) / float64(c.Bytes), y: float64(c.Operations) / seconds}
		}}
)

// says where the roof is from.
func (r Roof) says() string {
	switch {
	case r == (Roof{}):
		return "No rates of the device are known, so that there is no roof."
	case r.Measured:
		return "The roof is what a copy and multiply-adds in f32 reached there, measured at the same time."
	}
	return "The roof is what was stated of the device, not measured here."
}

// known says how the roof is.
func (r Roof) known() string {
	if r.Measured {
		return "measured"
	}
	return "stated"
}

// guides are the parts of the roof that are known.
func (r Roof) guides(c chart) []guide {
	low, high := c.x.span()
	var list []guide
	if r.Arithmetic > 0 {
		list = append(list, horizontal(r.Arithmetic, r.known()+" arithmetic"))
	}
	if r.Bandwidth > 0 {
		from, to := math.Pow(10, low), math.Pow(10, high)
		if r.Arithmetic > 0 {
			to = min(to, r.Arithmetic/r.Bandwidth)
		}
		list = append(list, guide{from: point{x: from, y: r.Bandwidth * from}, to: point{x: to, y: r.Bandwidth * to}})
	}
	return list
}

// costed are the results of each family that have a cost and a time.
func (d Data) costed() []rated {
	if d.Cost == nil {
		return nil
	}
	var list []rated
	for _, g := range families(d.results()) {
		r := rated{series: g.series}
		for _, result := range g.results {
			cost, ok := d.Cost(result.Case)
			times := d.times(result)
			if !ok || len(times) == 0 || result.Status != suite.Pass || cost.Bytes == 0 {
				continue
			}
			s := benchmath.AssumeNothing.Summary(benchmath.NewSample(times, &benchmath.DefaultThresholds), confidence)
			r.costs, r.seconds = append(r.costs, cost), append(r.seconds, s.Center)
		}
		if len(r.costs) > 0 {
			list = append(list, r)
		}
	}
	return list
}

// rated are the cases of a series: what each needs and how long it took.
type rated struct {
	series
	costs   []suite.Cost
	seconds []float64
}

// chart has a point per case, but for those that need nothing of the kind. There
// is room up to top.
func (r rate) chart(groups []rated, top float64) (chart, bool) {
	var list []series
	var xs, ys []float64
	if top > 0 {
		ys = append(ys, top)
	}
	some := false
	for _, g := range groups {
		for i, cost := range g.costs {
			if p := r.of(cost, g.seconds[i]); p.x > 0 && p.y > 0 {
				g.points = append(g.points, p)
				xs, ys = append(xs, p.x), append(ys, p.y)
				some = true
			}
		}
		list = append(list, g.series)
	}
	return chart{x: axis{r.x, newLogScale(r.xName, mostDecades, xs...)},
		y: axis{r.y, newLogScale(r.yName, mostDecades, ys...)}, series: list}, some
}
