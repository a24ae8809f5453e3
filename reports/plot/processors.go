package plot

import (
	"fmt"
	"maps"
	"slices"

	"metalconform/internal/printable"
	"metalconform/reports"
)

// Processors are times with so many threads at once.
type Processors struct {
	Threads int
	Bench   Bench
}

// mostCases are shown one by one beside all of them together.
const mostCases = 7

// processors is how much faster cases become with more threads: the time with the fewest of them over that with each
// number. All together are the sums of times of the cases that have one with every number.
func (d Data) processors() []Figure {
	if len(d.Processors) < 2 {
		return nil
	}
	cases := d.everywhere()
	if len(cases) == 0 {
		return nil
	}
	var lines []series
	if all := "all " + printable.Count(len(cases), "case"); len(cases) > 1 {
		lines = append(lines, d.faster(all, 0, cases))
	}
	if len(cases) <= mostCases {
		for _, c := range cases {
			lines = append(lines, d.faster(c, len(lines), []string{c}))
		}
	}
	var xs, ys []float64
	for _, l := range lines {
		for _, p := range l.points {
			xs, ys = append(xs, p.x), append(ys, p.y, p.x/l.points[0].x)
		}
	}
	least, most := xs[0], slices.Max(xs)
	c := chart{
		x:      axis{"threads", newLogScale(number, mostDecades, xs...)},
		y:      axis{"times as fast as with " + number(least), newLogScale(number, mostDecades, ys...)},
		series: lines, guides: []guide{{from: point{x: least, y: 1}, to: point{x: most, y: most / least},
			name: "each thread as much as the first"}},
	}
	last := lines[0].points[len(lines[0].points)-1]
	return []Figure{newFigure("processors", "", "Speed by number of threads",
		fmt.Sprintf("Median times of all launches. With %s threads %s: %s times as fast as with %s.", number(most),
			lines[0].name, reports.Figure(last.y), number(least)),
		c, whatTimes(d.Processors[0].Bench.Backend, false))}
}

// everywhere are the cases that have times with every number of threads, in alphabetical order.
func (d Data) everywhere() []string {
	var list []string
	for _, c := range slices.Sorted(maps.Keys(d.Processors[0].Bench.Times)) {
		if !slices.ContainsFunc(d.Processors, func(p Processors) bool { return len(p.Bench.Times[c]) == 0 }) {
			list = append(list, c)
		}
	}
	return list
}

// faster is the line of some cases together.
func (d Data) faster(name string, i int, cases []string) series {
	var points []point
	first := 0.0
	for n, p := range d.Processors {
		total := 0.0
		for _, c := range cases {
			total += shapeTime{samples: p.Bench.Times[c]}.at(0).y
		}
		if n == 0 {
			first = total
		}
		points = append(points, point{x: float64(p.Threads), y: first / total})
	}
	return distinct(name, i).joinedBy(points)
}
