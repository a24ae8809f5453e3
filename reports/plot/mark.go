package plot

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// mark is the shape of a point. Those from firstOutline on are drawn as lines.
type mark int

const (
	disc mark = iota
	square
	triangle
	diamond
	cross
	plus
	ring
	box
	marks // how many there are

	firstOutline = cross
)

// radius is that of a mark, in points.
const radius = vg.Length(2.8)

// add appends the mark at a point to a path.
func (m mark) add(path *vg.Path, at vg.Point) {
	polygon := func(sides int, turn float64, r vg.Length) {
		for i := range sides {
			sin, cos := math.Sincos(turn + 2*math.Pi*float64(i)/float64(sides))
			p := vg.Point{X: at.X + r*vg.Length(cos), Y: at.Y + r*vg.Length(sin)}
			if i == 0 {
				path.Move(p)
			} else {
				path.Line(p)
			}
		}
		path.Close()
	}
	stroke := func(dx, dy vg.Length) {
		path.Move(vg.Point{X: at.X - dx, Y: at.Y - dy})
		path.Line(vg.Point{X: at.X + dx, Y: at.Y + dy})
	}
	switch m {
	case disc, ring:
		path.Move(vg.Point{X: at.X + radius, Y: at.Y})
		path.Arc(at, radius, 0, 2*math.Pi)
		path.Close()
	case square, box:
		polygon(4, math.Pi/4, 1.3*radius)
	case triangle:
		polygon(3, math.Pi/2, 1.4*radius)
	case diamond:
		polygon(4, 0, 1.4*radius)
	case cross:
		stroke(radius, radius)
		stroke(radius, -radius)
	case plus:
		stroke(1.3*radius, 0)
		stroke(0, 1.3*radius)
	}
}

// paint draws a path of marks in a colour of the palette.
func (m mark) paint(c *draw.Canvas, path vg.Path, colour int) {
	c.SetColor(faded(hue(colour), 0xe6))
	if m >= firstOutline {
		c.SetLineWidth(1.5)
		c.SetLineDash(nil, 0)
		c.Stroke(path)
		return
	}
	c.Fill(path)
}
