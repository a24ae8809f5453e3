package plot

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"metalconform/reports"
)

// alternatives are the kernels that take the same arguments, such as a recurrence token
// by token and the same one in chunks: their times along the axis on which most
// of them were run, and where one becomes faster than another.
func (d Data) alternatives() []Figure {
	byKernel := map[string][]shapeTime{}
	for _, results := range d.kernels() {
		byKernel[results[0].Kernel] = d.timings(results)
	}
	var list []Figure
	for _, group := range alike(d.Run.Kernels) {
		axis, lines := race(group, byKernel)
		if len(lines) < 2 {
			continue
		}
		list = append(list,
			newFigure("alternatives-"+group[0].Name, "", "Time by "+axis+" of kernels with the same arguments",
				"Median times of all launches at the same shapes, all inputs of a shape together."+
					crossings(axis, lines),
				d.timeChart(axis, lines), d.intervals(), d.whatTimes()))
	}
	return list
}

// alike are the groups of kernels with the same axes and bindings.
func alike(kernels []reports.Kernel) [][]reports.Kernel {
	var groups [][]reports.Kernel
	index := map[string]int{}
	for _, k := range kernels {
		if k.Pipeline != nil || len(k.Bindings) == 0 { // arguments that are not known are not the same
			continue
		}
		signature := fmt.Sprintf("%q %+v", k.Axes, k.Bindings)
		i, ok := index[signature]
		if !ok {
			i = len(groups)
			index[signature] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], k)
	}
	return slices.DeleteFunc(groups, func(g []reports.Kernel) bool { return len(g) < 2 })
}

// race is the axis along which the kernels of a group have most times together,
// the other axes being equal, and the line of each.
func race(group []reports.Kernel, timings map[string][]shapeTime) (axis string, lines []series) {
	most := 0
	for _, a := range group[0].Axes {
		others := map[string][]series{} // by the values of the other axes
		count := map[string]int{}
		for i, k := range group {
			for rest, points := range along(timings[k.Name], a) {
				if len(points) >= leastLine {
					others[rest] = append(others[rest], distinct(k.Name, i).joinedBy(points))
					count[rest] += len(points)
				}
			}
		}
		for _, rest := range slices.Sorted(maps.Keys(others)) {
			if len(others[rest]) > 1 && count[rest] > most {
				most, axis, lines = count[rest], a, others[rest]
			}
		}
	}
	return axis, lines
}

// crossings says in sentences between which sizes one line gets below another.
func crossings(axis string, lines []series) string {
	var b strings.Builder
	for i, one := range lines {
		for _, other := range lines[i+1:] {
			for _, c := range one.crossed(other) {
				fmt.Fprintf(&b, " From %s=%s on %s is faster than %s.", axis, number(c.x), c.winner, c.loser)
			}
		}
	}
	return b.String()
}

// crossing is the first size at which one series is known to be below another that
// was known to be below it.
type crossing struct {
	x             float64
	winner, loser string
}

// crossed are the crossings of two series at the sizes that both have.
func (s series) crossed(other series) []crossing {
	var list []crossing
	was := 0
	for _, p := range s.points {
		i, there := slices.BinarySearchFunc(other.points, p.x,
			func(q point, x float64) int { return cmp.Compare(q.x, x) })
		if !there {
			continue
		}
		is := p.compare(other.points[i])
		switch {
		case was > 0 && is < 0:
			list = append(list, crossing{p.x, s.name, other.name})
		case was < 0 && is > 0:
			list = append(list, crossing{p.x, other.name, s.name})
		}
		if is != 0 {
			was = is
		}
	}
	return list
}

// compare is -1 if p is below q and 1 if it is above; 0 if that is not known,
// because their intervals meet or one of them has none.
func (p point) compare(q point) int {
	switch {
	case !p.interval || !q.interval:
		return 0
	case p.high < q.low:
		return -1
	case p.low > q.high:
		return 1
	}
	return 0
}
