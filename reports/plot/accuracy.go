package plot

import (
	"strings"

	"metalconform/suite"
	"metalconform/suite/metrics"
)

// accuracy are the errors of cases by their size: as fractions of the bound, and as what is
// missing to a cosine of 1. Cases are told apart by family, or those of a kernel by verdict.
func (d Data) accuracy(kernel string, results []*suite.Result) []Figure {
	by := sizes{label: "elements judged", of: func(r *suite.Result) float64 { return float64(r.Elements) }}
	group := families
	if kernel != "" {
		group = verdicts
	}
	if axes := d.extents(kernel); len(axes) > 0 {
		by = sizes{label: "size, " + strings.Join(axes, " × "),
			of: func(r *suite.Result) float64 { return size(r.Case, axes) }}
	}
	ratio := measure{
		key: metrics.ErrorRatio, title: "Error over bound by size", label: "largest error / bound",
		caption: "Each mark is a case: the largest error of its elements as a fraction of the rigorous bound. Above " +
			"1 a kernel breaks its promise.",
		scale: newBoundScale,
	}
	cosine := measure{
		key: metrics.Cosine, title: "Cosine deficit by size", label: "1 − cosine",
		caption: "Each mark is a case: how much less than 1 the smallest cosine of an output with its exact value " +
			"is. Less than 1e-12 is the rounding of the cosine itself and counts as 0.",
		scale: func(deficits ...float64) logScale { return newLogScale(number, mostDecades, deficits...) },
	}
	var list []Figure
	if c, ok := ratio.chart(by, group(results)); ok {
		c.guides = []guide{horizontal(bound, "bound")}
		list = append(list, newFigure(ratio.key, kernel, ratio.title, ratio.caption, c))
	}
	if c, ok := cosine.chart(by, group(results)); ok {
		list = append(list, newFigure(cosine.key, kernel, cosine.title, cosine.caption, c))
	}
	return list
}

// bound is where an error is all that it may be.
const bound = 1

// sizes is how large cases are.
type sizes struct {
	label string
	of    func(*suite.Result) float64
}

// measure is a metric that says how wrong they are, by its deficit.
type measure struct {
	key, title, label, caption string
	scale                      func(deficits ...float64) logScale
}

// deficit is that of the worst value of a metric over the outputs of a case, 0 if
// none has one.
func deficit(key string) func(*suite.Result) float64 {
	m, _ := metrics.All().Find(key)
	return func(r *suite.Result) float64 {
		x, ok := m.Of(r.Outputs)
		if !ok {
			return 0
		}
		return m.Deficit(x)
	}
}

// chart shows groups of results, unless no case has an error.
func (e measure) chart(by sizes, groups []group) (chart, bool) {
	var xs, ys []float64
	var list []series
	some := false
	of := deficit(e.key)
	for _, g := range groups {
		for _, r := range g.results {
			p := point{x: by.of(r), y: of(r)}
			g.points = append(g.points, p)
			xs, ys = append(xs, p.x), append(ys, p.y)
			some = some || p.y > 0
		}
		list = append(list, g.series)
	}
	return chart{
		x:      axis{by.label, newLogScale(number, mostDecades, xs...)},
		y:      axis{e.label, e.scale(ys...)},
		series: list,
	}, some
}

// group is a series and the results that its points are of.
type group struct {
	series
	results []*suite.Result
}

// families are the judged results of each family, in order of appearance.
func families(results []*suite.Result) []group {
	var list []group
	index := map[string]int{}
	for _, r := range results {
		if !judged(r) {
			continue
		}
		i, ok := index[r.Family]
		if !ok {
			i = len(list)
			index[r.Family] = i
			list = append(list, group{series: distinct(r.Family, i)})
		}
		list[i].results = append(list[i].results, r)
	}
	return list
}

// verdicts are the judged results of each verdict.
func verdicts(results []*suite.Result) []group {
	list := []group{
		{series: series{name: "passes", colour: blue, mark: disc}},
		{series: series{name: "declared", colour: orange, mark: diamond}},
		{series: series{name: "fails", colour: vermillion, mark: cross}},
	}
	for _, r := range results {
		i := 0
		switch r.Status {
		case suite.Expected, suite.Waived:
			i = 1
		case suite.Fail, suite.Error:
			i = 2
		}
		if judged(r) {
			list[i].results = append(list[i].results, r)
		}
	}
	return list
}
