package plot

import (
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// legend names series, each with its mark, in lines at the top of a canvas. A
// single series needs none.
type legend struct {
	series []series
	style  text.Style
}

// Distances, in points.
const (
	legendMargin = 10 // from the edges of the canvas
	legendMark   = 12 // from one name's mark to the name
	legendSpace  = 18 // from one name to the next mark
	legendLine   = 15 // from line to line
)

// draw draws the names and returns how high they are together.
func (l legend) draw(c draw.Canvas) vg.Length {
	if len(l.series) < 2 {
		return 0
	}
	x, y := c.Min.X+legendMargin, c.Max.Y-legendLine/2
	for _, s := range l.series {
		width := legendMark + l.style.Width(s.name) + legendSpace
		if x+width > c.Max.X && x > c.Min.X+legendMargin {
			x, y = c.Min.X+legendMargin, y-legendLine
		}
		var path vg.Path
		s.mark.add(&path, vg.Point{X: x, Y: y})
		s.mark.paint(&c, path, s.colour)
		c.FillText(l.style, vg.Point{X: x + legendMark, Y: y}, s.name)
		x += width
	}
	return c.Max.Y - y + legendLine/2
}
