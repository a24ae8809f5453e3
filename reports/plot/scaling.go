package plot

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"metalconform/reports"
)

// Scaling is a comparison of kernels along one axis.
type Scaling struct {
	Name, Doc string
	Axis      string
	Others    string // the values of the other axes
	Lines     []ScalingLine
	Parts     bool // of one whole: the lines are no alternatives
}

// ScalingLine is one kernel, or several one after the other: cases by the value of the
// axis, which rises, whose times add up.
type ScalingLine struct {
	Name   string
	Values []int
	Cases  [][]string
}

// scalings are the comparisons of which there are times: a line for each kernel, and where
// one becomes faster than another.
func (d Data) scalings() []Figure {
	var list []Figure
	for _, s := range d.Scalings {
		var lines []series
		for i, l := range s.Lines {
			var points []point
			for n, cases := range l.Cases {
				if total, ok := d.Bench.together(cases); ok {
					points = append(points, total.at(float64(l.Values[n])))
				}
			}
			if len(points) >= leastLine {
				lines = append(lines, distinct(l.Name, i).joinedBy(points))
			}
		}
		if len(lines) < 2 {
			continue
		}
		compared := ""
		if !s.Parts {
			compared = crossings(s.Axis, lines) + throughout(lines)
		}
		list = append(list, newFigure("scaling-"+s.Name, "", "Time by "+s.Axis,
			s.Doc+" Median times of all launches at "+s.Others+"."+compared+growth(s.Axis, lines),
			d.timeChart(s.Axis+" at "+s.Others, lines), d.intervals(), d.whatTimes()))
	}
	return list
}

// together is the time of cases one after the other, if all of them have times: samples
// taken in the same turn add up. Intervals of medians do not: their sum would hold less
// surely than each.
func (b Bench) together(cases []string) (total shapeTime, ok bool) {
	for i, c := range cases {
		times := b.Times[c]
		if len(times) == 0 {
			return total, false
		}
		if i == 0 {
			total = shapeTime{samples: slices.Clone(times), known: b.Known[c]}
			continue
		}
		total.samples, total.known = total.samples[:min(len(total.samples), len(times))], [2]float64{}
		for n := range total.samples {
			total.samples[n] += times[n]
		}
	}
	return total, len(cases) > 0
}

// growth says how much longer lines take with an axis twice as long, by the slope of the least squares of logarithms
// over the larger half of the sizes: what a launch costs by itself weighs less there.
func growth(axis string, lines []series) string {
	var b strings.Builder
	for _, l := range lines {
		larger := l.points[min(len(l.points)/2, len(l.points)-leastLine):]
		var xs, ys []float64
		for _, p := range larger {
			xs, ys = append(xs, math.Log2(p.x)), append(ys, math.Log2(p.y))
		}
		slope := slopeOf(xs, ys)
		fmt.Fprintf(&b, " From %s=%s on, %s takes %s times as long with twice the %s.", axis, number(larger[0].x),
			l.name, reports.Figure(math.Exp2(slope)), axis)
	}
	return b.String()
}

// slopeOf is the slope of the line with the least squares of distances in y.
func slopeOf(xs, ys []float64) float64 {
	var x, y, xy, xx float64
	for i := range xs {
		x, y = x+xs[i]/float64(len(xs)), y+ys[i]/float64(len(ys))
	}
	for i := range xs {
		xy += float64((xs[i] - x) * (ys[i] - y))
		xx += float64((xs[i] - x) * (xs[i] - x))
	}
	return xy / xx
}

// throughout says which lines never cross, and which of them is the lower one where that
// is known at all sizes.
func throughout(lines []series) string {
	var b strings.Builder
	for i, one := range lines {
		for _, other := range lines[i+1:] {
			switch below, above, known := one.ordered(other); {
			case below == known && known > 0:
				fmt.Fprintf(&b, " %s is faster than %s at %s.", one.name, other.name, mostly(known, one))
			case above == known && known > 0:
				fmt.Fprintf(&b, " %s is faster than %s at %s.", other.name, one.name, mostly(known, one))
			case known == 0:
				fmt.Fprintf(&b, " Between %s and %s no difference is known.", one.name, other.name)
			}
		}
	}
	return b.String()
}

// ordered counts the sizes at which a line is known to be below another, and above it.
func (s series) ordered(other series) (below, above, known int) {
	for _, p := range s.points {
		for _, q := range other.points {
			if p.x != q.x {
				continue
			}
			switch p.compare(q) {
			case -1:
				below++
			case 1:
				above++
			}
		}
	}
	return below, above, below + above
}

// mostly says at how many sizes of a line something is known.
func mostly(known int, s series) string {
	if known == len(s.points) {
		return "every size"
	}
	return fmt.Sprintf("%d of %d sizes, and not known to be slower at any", known, len(s.points))
}
