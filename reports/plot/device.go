package plot

import (
	"fmt"
	"slices"

	"metalconform/suite"
	"metalconform/suite/metrics"
)

// anyDevice is the metric that exact execution adds: the most that a device may be off by at an
// element, over what the contract allows it.
const anyDevice = "any_device"

// devices is a row per kernel: by exact execution, how far any device may be off in its cases,
// as a fraction of the bound.
func (d Data) devices() []Figure {
	var names rows
	var ratios [][]float64 // of the cases of a row, ascending
	for _, results := range d.kernels() {
		if list := deviceRatios(results); len(list) > 0 {
			names, ratios = append(names, results[0].Kernel), append(ratios, list)
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Reverse(names) // the first is on top
	slices.Reverse(ratios)
	x := newBoundScale(slices.Concat(ratios...)...)
	c := chart{x: axis{"error of any device / bound", x}, y: axis{"", names}, rows: len(names)}
	median := series{name: "median case", colour: blue, mark: disc}
	largest := series{name: "largest", colour: vermillion, mark: plus}
	within := 0
	for row, list := range ratios {
		middle, most := list[len(list)/2], list[len(list)-1]
		if middle <= 2*bound {
			within++
		}
		y := float64(row)
		c.cells = append(c.cells, cell{x0: x.position(list[0]), x1: x.position(most), y0: y - 0.3, y1: y + 0.3,
			weight: 0.25, colour: blue})
		median.points = append(median.points, point{x: middle, y: y})
		largest.points = append(largest.points, point{x: most, y: y})
	}
	c.series = []series{median, largest}
	c.guides = []guide{{from: point{x: bound, y: -1}, to: point{x: bound, y: float64(len(names))}}}
	return []Figure{newFigure(anyDevice, "", "Any device over bound by kernel",
		fmt.Sprintf("Each row is a kernel. Of each case the most counts that any device may be off by at an element, "+
			"by exact execution, as a fraction of the rigorous bound of the contract; "+
			"a bar goes from the least case to the largest. Far above 1 the contract knows of something that "+
			"cancels; far below it allows more than the kernel needs. "+
			"The median is at most 2 in %d of %d kernels.", within, len(names)), c)}
}

// deviceRatios are those of cases, ascending.
func deviceRatios(results []*suite.Result) (list []float64) {
	of, _ := metrics.All().Find(anyDevice)
	for _, r := range results {
		if x, ok := of.Of(r.Outputs); ok && judged(r) {
			list = append(list, x)
		}
	}
	slices.Sort(list)
	return list
}
