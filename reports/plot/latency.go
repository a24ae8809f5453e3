package plot

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"metalconform/suite"

	"golang.org/x/perf/benchmath"
)

// confidence is that of the intervals of times.
const confidence = 0.95

// shapeTime is the time of one shape, with all inputs together.
type shapeTime struct {
	values  []value
	samples []float64  // seconds
	known   [2]float64 // the interval of a single sample that is a median; zero if there is none
}

// at is the median of the samples at x, with the interval that holds the true one
// if there are enough of them to know.
func (t shapeTime) at(x float64) point {
	if len(t.samples) == 1 && t.known[0] > 0 && !math.IsInf(t.known[1], 0) {
		return point{x: x, y: t.samples[0], low: t.known[0], high: t.known[1], interval: true}
	}
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(slices.Clone(t.samples), &benchmath.DefaultThresholds),
		confidence)
	return point{
		x: x, y: s.Center, low: s.Lo, high: s.Hi,
		interval: len(t.samples) > 1 && s.Lo > 0 && !math.IsInf(s.Hi, 0),
	}
}

// timings are the shapes of results in order of appearance. What failed or was
// not launched has no time.
func (d Data) timings(results []*suite.Result) []shapeTime {
	var list []shapeTime
	index := map[string]int{}
	for _, r := range results {
		times := d.times(r)
		if r.Status != suite.Pass || len(times) == 0 {
			continue
		}
		values, _ := shape(r.Case)
		name := fmt.Sprint(values)
		i, ok := index[name]
		if !ok {
			i = len(list)
			index[name] = i
			list = append(list, shapeTime{values: values})
		}
		if d.Bench.forecast() && len(list[i].samples) > 0 {
			continue // that of the first inputs stands for the shape: its interval is none of a sample
		}
		list[i].samples = append(list[i].samples, times...)
		list[i].known = d.Bench.Known[r.Case]
	}
	return list
}

// leastLine is the number of points from which a line says how a time grows.
const leastLine = 3

// latency is a line for each axis of a kernel: the time as that axis grows and the
// others stay, where they do so for most values.
func (d Data) latency(kernel string, results []*suite.Result) []Figure {
	timings := d.timings(results)
	var lines []series
	for _, axis := range d.extents(kernel) {
		points, others := longest(timings, axis)
		if len(points) < leastLine {
			continue
		}
		name := axis
		if others != "" {
			name += " at " + others
		}
		lines = append(lines, distinct(name, len(lines)).joinedBy(points))
	}
	if len(lines) == 0 {
		return nil
	}
	label := "value of the axis"
	if len(lines) == 1 {
		label = lines[0].name
	}
	return []Figure{newFigure("latency", kernel, "Time by size",
		"The median time of all launches of a case, all inputs of a shape together, as one axis grows and the "+
			"others stay.",
		d.timeChart(label, lines), d.intervals(), d.whatTimes())}
}

// intervals says what the bars and bands of times are.
func (d Data) intervals() string {
	if d.Bench.forecast() {
		return "Bars and bands hold four of five times of kernels that the forecast was not fitted to."
	}
	return intervals
}

const intervals = "Bars and bands hold the true median with a confidence of 95 %, where there are enough samples " +
	"to tell."

// timeChart has seconds upwards.
func (d Data) timeChart(label string, lines []series) chart {
	var xs, ys []float64
	for _, s := range lines {
		for _, p := range s.points {
			xs, ys = append(xs, p.x), append(ys, p.y)
			if p.interval {
				ys = append(ys, p.low, p.high)
			}
		}
	}
	return chart{x: axis{label, newLogScale(number, mostDecades, xs...)},
		y: axis{"time, " + d.backend(), newLogScale(prefixed("s"), mostDecades, ys...)}, series: lines}
}

// longest is the line along an axis that has most points, and the values of the
// other axes there: of several the first in alphabetical order.
func longest(timings []shapeTime, axis string) (points []point, others string) {
	lines := along(timings, axis)
	for _, rest := range slices.Sorted(maps.Keys(lines)) {
		if len(lines[rest]) > len(points) {
			points, others = lines[rest], rest
		}
	}
	return points, others
}

// along are the lines along an axis, by the values of the others.
func along(timings []shapeTime, axis string) map[string][]point {
	lines := map[string][]point{}
	for _, t := range timings {
		if x, rest := t.along(axis); x > 0 {
			lines[rest] = append(lines[rest], t.at(float64(x)))
		}
	}
	for _, points := range lines {
		slices.SortFunc(points, func(a, b point) int { return cmp.Compare(a.x, b.x) })
	}
	return lines
}

// along is the value of an axis, and those of the others in words.
func (t shapeTime) along(axis string) (x int, others string) {
	var words []string
	for _, v := range t.values {
		if v.axis == axis {
			x = v.n
		} else {
			words = append(words, fmt.Sprintf("%s=%d", v.axis, v.n))
		}
	}
	return x, strings.Join(words, " ")
}
