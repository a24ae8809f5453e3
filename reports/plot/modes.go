package plot

import (
	"slices"

	"metalconform/reports"
)

// modes is a row per kernel: what each mode of floating-point mathematics costs it.
func (d Data) modes() []Figure {
	m := reports.NewModes(d.Run.Results)
	if m == nil {
		return nil
	}
	var names rows
	var list []reports.ModeRow
	var numbers []float64
	for _, r := range m.Rows {
		if !slices.ContainsFunc(r.In, func(c reports.ModeCell) bool { return c.Judged > 0 && c.Worst > 0 }) {
			continue // nothing in it is rounded
		}
		list, names = append(list, r), append(names, r.Kernel)
		for _, c := range r.In {
			if c.Judged > 0 {
				numbers = append(numbers, c.Median, c.Worst)
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	slices.Reverse(names) // the first is on top
	c := chart{x: axis{"error, u·Σ|terms|", newLogScale(number, 6, numbers...)}, y: axis{"", names}, rows: len(names)}
	for i, mode := range m.Names {
		worst := distinct(mode, i)
		for k, r := range list {
			cell := r.In[i]
			if cell.Judged == 0 {
				continue
			}
			y := float64(len(list)-1-k) + 0.25*(float64(len(m.Names)-1)/2-float64(i))
			worst.points = append(worst.points, point{x: cell.Worst, y: y})
			c.guides = append(c.guides, guide{from: point{x: cell.Median, y: y}, to: point{x: cell.Worst, y: y}})
		}
		c.series = append(c.series, worst)
	}
	return []Figure{newFigure("modes", "", "What modes of floating-point mathematics cost",
		"Each row is a kernel, and each mark a mode that it was built in: the largest error of its cases in units of "+
			"u·Σ|terms|. The line before it begins at the median of the cases' largest errors.", c)}
}
