package plot

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes of a chart, in points.
const (
	chartWidth  = vg.Length(640)
	chartHeight = vg.Length(330)
	rowHeight   = vg.Length(13) // of a chart that is a list of rows
	textSize    = vg.Length(11)
	rowText     = vg.Length(9)
)

// chart is what a figure shows: points and lines, or cells, on two axes.
type chart struct {
	x, y   axis
	series []series
	cells  []cell
	guides []guide
	rows   int // of a list, which is as high as it is long; 0 for none
}

// series are points that belong together.
type series struct {
	name   string
	colour int // of the palette
	mark   mark
	joined bool // by a line, in their order
	points []point
}

// distinct is series i of several, with a colour and a mark that differ from those
// of its neighbours.
func distinct(name string, i int) series {
	return series{name: name, colour: i, mark: mark(i) % marks}
}

// joinedBy is the series as a line through points.
func (s series) joinedBy(points []point) series {
	s.joined, s.points = true, points
	return s
}

// point is one of a series. If there is an interval it is about Y.
type point struct {
	x, y      float64
	low, high float64
	interval  bool
}

// cell is a rectangle between numbers of the axes' own coordinates, filled as much
// as its weight says, from 0 to 1.
type cell struct {
	x0, x1, y0, y1 float64
	weight         float64
	colour         int
}

// guide is a dashed line from one point to another, which may lie beyond the axes,
// and what it means.
type guide struct {
	from, to point
	name     string
}

// horizontal is a guide at the height y from one side to the other.
func horizontal(y float64, name string) guide {
	return guide{from: point{x: 0, y: y}, to: point{x: math.MaxFloat64, y: y}, name: name}
}

func (c chart) height() vg.Length {
	if c.rows > 0 {
		return rowHeight*vg.Length(c.rows) + 60
	}
	return chartHeight
}

// draw draws the chart with the names of its series above it.
func (c chart) draw(canvas draw.Canvas, with ink) {
	l := legend{series: c.named(), style: textStyle(with.text, textSize)}
	height := l.draw(canvas)
	f := c.axes(draw.Crop(canvas, 4, -14, 4, -height-6), with)
	c.grid(f, with)
	c.plot(f, with)
}

// named are the series that have a name and something to show.
func (c chart) named() []series {
	var list []series
	for _, s := range c.series {
		if s.name != "" && len(s.points) > 0 {
			list = append(list, s)
		}
	}
	return list
}

// grid draws a faint line at each tick that has a label.
func (c chart) grid(f *frame, with ink) {
	style := draw.LineStyle{Color: with.faint, Width: 0.5}
	for _, t := range c.x.Ticks() {
		if t.label != "" && c.rows == 0 {
			f.StrokeLine2(style, f.x(t.value), f.Min.Y, f.x(t.value), f.Max.Y)
		}
	}
	for _, t := range c.y.Ticks() {
		if t.label != "" && c.rows == 0 {
			f.StrokeLine2(style, f.Min.X, f.y(t.value), f.Max.X, f.y(t.value))
		}
	}
}

// plot draws everything within the axes.
func (c chart) plot(f *frame, with ink) {
	at := func(p point) vg.Point { return vg.Point{X: f.x(c.x.position(p.x)), Y: f.y(c.y.position(p.y))} }
	for _, r := range c.cells {
		r.fill(&f.Canvas, vg.Point{X: f.x(r.x0), Y: f.y(r.y0)}, vg.Point{X: f.x(r.x1), Y: f.y(r.y1)})
	}
	for _, g := range c.guides {
		g.draw(&f.Canvas, with, at(g.from), at(g.to))
	}
	for _, s := range c.series {
		s.bands(&f.Canvas, at)
		if s.joined {
			s.line(&f.Canvas, at)
		}
		s.dots(&f.Canvas, at)
	}
}

func (r cell) fill(c *draw.Canvas, low, high vg.Point) {
	var path vg.Path
	path.Move(low)
	path.Line(vg.Point{X: high.X, Y: low.Y})
	path.Line(high)
	path.Line(vg.Point{X: low.X, Y: high.Y})
	path.Close()
	c.SetColor(faded(hue(r.colour), uint8(math.Round(255*r.weight))))
	c.Fill(path)
}

// draw draws a dashed line, and its name at the end on the right.
func (g guide) draw(c *draw.Canvas, with ink, from, to vg.Point) {
	style := draw.LineStyle{Color: with.line, Width: 1, Dashes: []vg.Length{4, 3}}
	c.StrokeLines(style, c.ClipLinesXY([]vg.Point{from, to})...)
	text := textStyle(with.text, textSize)
	text.XAlign, text.YAlign = draw.XRight, draw.YBottom
	height := to.Y + 2
	if from.Y != to.Y {
		height = to.Y - 3*textSize // beside a line that rises
	}
	c.FillText(text, vg.Point{X: c.Max.X - 4, Y: height}, g.name)
}

// dots draws the marks. Of those in one square point a single one is drawn.
func (s series) dots(c *draw.Canvas, at func(point) vg.Point) {
	type dot struct{ x, y int }
	seen := map[dot]bool{}
	var path vg.Path
	for _, p := range s.points {
		where := at(p)
		d := dot{int(math.Round(float64(where.X))), int(math.Round(float64(where.Y)))}
		if !seen[d] {
			seen[d] = true
			s.mark.add(&path, where)
		}
	}
	s.mark.paint(c, path, s.colour)
}

// line joins the points.
func (s series) line(c *draw.Canvas, at func(point) vg.Point) {
	var line []vg.Point
	for _, p := range s.points {
		line = append(line, at(p))
	}
	c.StrokeLines(draw.LineStyle{Color: hue(s.colour), Width: 1.2}, line)
}

// bands draws the intervals: a bar at each point that has one, and of a line an
// area between neighbours that do.
func (s series) bands(c *draw.Canvas, at func(point) vg.Point) {
	for i, p := range s.points {
		if !p.interval {
			continue
		}
		low, high := at(point{x: p.x, y: p.low}), at(point{x: p.x, y: p.high})
		c.StrokeLine2(draw.LineStyle{Color: hue(s.colour), Width: 1.2}, low.X, low.Y, high.X, high.Y)
		if !s.joined || i == 0 || !s.points[i-1].interval {
			continue
		}
		last := s.points[i-1]
		c.FillPolygon(faded(hue(s.colour), 0x40), []vg.Point{
			at(point{x: last.x, y: last.low}), low, high, at(point{x: last.x, y: last.high}),
		})
	}
}
