package plot

import (
	"strings"

	"metalconform/suite"
)

// accuracy are the errors of cases by their size: as fractions of the bound, and
// as what is missing to a cosine of 1. Cases are told apart by family, or those of
// a kernel by verdict.
func (d Data) accuracy(kernel string, results []suite.Result) []Figure {
	by := sizes{label: "elements judged", of: func(r suite.Result) float64 { return float64(r.Elements) }}
	group := families
	if kernel != "" {
		group = verdicts
	}
	if axes := d.extents(kernel); len(axes) > 0 {
		by = sizes{label: "size, " + strings.Join(axes, " × "), of: func(r suite.Result) float64 { return size(r.Case, axes) }}
	}
	over := measure{
		name: "over", title: "Error over bound by size", label: "largest error / bound",
		caption: "Each mark is a case: the largest error of its elements as a fraction of the rigorous bound. Above 1 a kernel breaks its promise.",
		of:      func(r suite.Result) float64 { return r.ErrorRatio },
		room:    []float64{bound, 2 * bound}, decades: 6,
	}
	cosine := measure{
		name: "cosine", title: "Cosine deficit by size", label: "1 − cosine",
		caption: "Each mark is a case: how much less than 1 the smallest cosine of an output with its exact value is. Less than 1e-12 is the rounding of the cosine itself and counts as 0.",
		of:      deficit, decades: mostDecades,
	}
	var list []Figure
	if c, ok := over.chart(by, group(results)); ok {
		c.guides = []guide{horizontal(bound, "bound")}
		list = append(list, newFigure(over.name, kernel, over.title, over.caption, c))
	}
	if c, ok := cosine.chart(by, group(results)); ok {
		list = append(list, newFigure(cosine.name, kernel, cosine.title, cosine.caption, c))
	}
	return list
}

// bound is where an error is all that it may be.
const bound = 1

// sizes is how large cases are.
type sizes struct {
	label string
	of    func(suite.Result) float64
}

// measure is a way to say how wrong they are.
type measure struct {
	name, title, label, caption string
	of                          func(suite.Result) float64
	room                        []float64 // numbers that the axis has to show
	decades                     int       // that it has at most
}

// deficit is what is missing to a cosine of 1.
func deficit(r suite.Result) float64 {
	const noise = 1e-12 // of the cosine itself
	if x := 1 - r.Cosine; x > noise {
		return x
	}
	return 0
}

// chart shows groups of results, unless no case has an error.
func (e measure) chart(by sizes, groups []group) (chart, bool) {
	var xs, ys []float64
	var list []series
	some := false
	for _, g := range groups {
		for _, r := range g.results {
			p := point{x: by.of(r), y: e.of(r)}
			g.points = append(g.points, p)
			xs, ys = append(xs, p.x), append(ys, p.y)
			some = some || p.y > 0
		}
		list = append(list, g.series)
	}
	ys = append(ys, e.room...)
	return chart{
		x:      axis{by.label, newLogScale(number, mostDecades, xs...)},
		y:      axis{e.label, newLogScale(number, e.decades, ys...)},
		series: list,
	}, some
}

// group is a series and the results that its points are of.
type group struct {
	series
	results []suite.Result
}

// families are the judged results of each family, in order of appearance.
func families(results []suite.Result) []group {
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
func verdicts(results []suite.Result) []group {
	list := []group{
		{series: series{name: "conforms", colour: blue, mark: disc}},
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
