package plot

import (
	"fmt"
	"math"
	"slices"

	"metalconform/suite"
	"metalconform/suite/metrics"
)

// ulpScale has a column for each bin of a histogram of errors in units in the last
// place: 0 for no error, then powers of two outwards.
type ulpScale struct {
	first, last int // bins
}

// position is that of an error. Bin k has its column about k, and begins at 2^(k−4).
func (s ulpScale) position(x float64) float64 {
	if x == 0 {
		return 0
	}
	column := float64(s.last) + 0.5
	if a := math.Abs(x); a < math.MaxFloat64 {
		column = min(max(math.Log2(a)+3.5, 0.5), column)
	}
	return math.Copysign(column, x)
}

func (s ulpScale) span() (low, high float64) { return float64(s.first) - 0.5, float64(s.last) + 0.5 }

// Ticks are the ends of bins.
func (s ulpScale) Ticks() []tick {
	ticks := []tick{{value: 0, label: "0"}}
	step := 1 + (s.last-s.first)/20
	for k := s.first; k <= s.last; k++ {
		_, far := metrics.Histogram(nil).Edges(k)
		if k == 0 || math.IsInf(far, 0) {
			continue
		}
		t := tick{value: float64(k) + math.Copysign(0.5, far)}
		if (max(k, -k)-1)%step == 0 {
			t.label = ulpLabel(far)
		}
		ticks = append(ticks, t)
	}
	return ticks
}

// ulpLabel spells a power of two.
func ulpLabel(x float64) string {
	a, sign := math.Abs(x), ""
	if x < 0 {
		sign = "−"
	}
	switch {
	case a < 1:
		return fmt.Sprintf("%s1/%.0f", sign, 1/a)
	case a < 1024:
		return fmt.Sprintf("%s%.0f", sign, a)
	case a < 1<<20:
		return fmt.Sprintf("%s%.0fk", sign, a/1024)
	}
	return fmt.Sprintf("%s%.0fM", sign, a/(1<<20))
}

// ulps are the errors of all outputs of results together.
type ulps struct {
	bins     metrics.Histogram
	elements int
	largest  float64
}

func newUlps(results []*suite.Result) ulps {
	u := ulps{bins: metrics.Histogram{}}
	for _, r := range results {
		for _, m := range r.Outputs {
			for k, n := range m.Histogram {
				u.bins[k] += n
				u.elements += n
			}
			if largest, ok := m.Metrics.Find(metrics.Ulp); ok && len(m.Histogram) > 0 {
				u.largest = max(u.largest, largest.Value)
			}
		}
	}
	return u
}

// last is the bin furthest from 0.
func (u ulps) last() int {
	most := 0
	for k, n := range u.bins {
		if n > 0 {
			most = max(most, k, -k)
		}
	}
	return most
}

// profile is a row per kernel: how its errors in units in the last place are
// distributed.
func (d Data) profile() []Figure {
	var list []ulps
	var names rows
	last := 0
	for _, results := range d.kernels() {
		if u := newUlps(results); u.elements > 0 {
			list = append(list, u)
			names = append(names, results[0].Kernel)
			last = max(last, u.last())
		}
	}
	if last == 0 {
		return nil
	}
	slices.Reverse(names) // the first is on top
	c := chart{x: axis{"|error|, ulp", ulpScale{first: 0, last: last}}, y: axis{"", names}, rows: len(names)}
	largest := series{name: "largest error", colour: vermillion, mark: plus}
	for i, u := range list {
		row := len(list) - 1 - i
		c.cells = append(c.cells, u.shades(row)...)
		largest.points = append(largest.points, point{x: u.largest, y: float64(row)})
	}
	c.series = []series{largest}
	return []Figure{newFigure("ulp", "", "Errors in units in the last place by kernel",
		"Each row is a kernel with all elements of its floating-point outputs. The fuller the colour the more of "+
			"them have such an error: each shade is a tenth of the one before. A cross is the largest.", c)}
}

// shades are the cells of a row: full for all elements, fainter for each power of
// ten less.
func (u ulps) shades(row int) []cell {
	const faintest = 1e-7
	share := map[int]int{}
	for k, n := range u.bins {
		share[max(k, -k)] += n
	}
	var cells []cell
	for k := 0; k <= u.last(); k++ {
		if share[k] == 0 {
			continue
		}
		part := float64(share[k]) / float64(u.elements)
		weight := 1 - math.Log10(max(part, faintest))/math.Log10(faintest/10)
		x, y := float64(k), float64(row)
		cells = append(cells, cell{x0: x - 0.5, x1: x + 0.5, y0: y - 0.42, y1: y + 0.42, weight: weight, colour: blue})
	}
	return cells
}

// histogram are the errors of a kernel with their signs.
func (d Data) histogram(kernel string, results []*suite.Result) []Figure {
	u := newUlps(results)
	last := u.last()
	if last == 0 {
		return nil
	}
	y := newLogScale(percent, mostDecades, 1, 1/float64(u.elements))
	c := chart{x: axis{"error, ulp", ulpScale{first: -last, last: last}}, y: axis{"share of elements", y}}
	floor, _ := y.span()
	for k := -last; k <= last; k++ {
		if n := u.bins[k]; n > 0 {
			top := max(y.position(float64(n)/float64(u.elements)), floor+0.01)
			c.cells = append(c.cells, cell{x0: float64(k) - 0.45, x1: float64(k) + 0.45, y0: floor, y1: top, weight: 1,
				colour: blue})
		}
	}
	return []Figure{newFigure("ulp", kernel, "Errors in units in the last place",
		fmt.Sprintf("All %d elements of floating-point outputs by their error with its sign, in units in the last "+
			"place of the output's format. Columns are powers of two; the one at 0 has the elements that are rounded "+
			"to nearest.", u.elements), c)}
}

// percent spells a share.
func percent(x float64) string { return number(rounded(100*x)) + " %" }
