package plot

import (
	"math"

	gonum "gonum.org/v1/plot"
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
	p := gonum.New()
	p.BackgroundColor = nil
	c.x.set(&p.X, with, textSize)
	size := textSize
	if c.rows > 0 {
		size = rowText
	}
	c.y.set(&p.Y, with, size)
	p.Add(grid{c, with})
	p.Add(drawing{c, with})
	p.Draw(draw.Crop(canvas, 4, -14, 4, -height-6))
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

// set makes an axis of gonum of ours.
func (a axis) set(to *gonum.Axis, with ink, size vg.Length) {
	to.Min, to.Max = a.span()
	to.Label.Text = a.label
	to.Label.TextStyle.Color, to.Label.TextStyle.Font = with.text, textStyle(with.text, textSize).Font
	to.Label.Padding = 3
	to.Tick.Label.Color, to.Tick.Label.Font = with.text, textStyle(with.text, size).Font
	to.Tick.Marker = a
	to.Tick.LineStyle = draw.LineStyle{Color: with.line, Width: 0.6}
	to.Tick.Length = 5
	to.LineStyle = draw.LineStyle{Color: with.line, Width: 0.8}
	to.Padding = 0
}

// grid is a faint line at each tick that has a label.
type grid struct {
	chart
	ink
}

func (g grid) Plot(c draw.Canvas, p *gonum.Plot) {
	x, y := p.Transforms(&c)
	style := draw.LineStyle{Color: g.faint, Width: 0.5}
	for _, t := range g.x.Ticks(0, 0) {
		if t.Label != "" && g.rows == 0 {
			c.StrokeLine2(style, x(t.Value), c.Min.Y, x(t.Value), c.Max.Y)
		}
	}
	for _, t := range g.y.Ticks(0, 0) {
		if t.Label != "" && g.rows == 0 {
			c.StrokeLine2(style, c.Min.X, y(t.Value), c.Max.X, y(t.Value))
		}
	}
}

// drawing is everything within the axes.
type drawing struct {
	chart
	ink
}

func (d drawing) Plot(c draw.Canvas, p *gonum.Plot) {
	x, y := p.Transforms(&c)
	at := func(p point) vg.Point { return vg.Point{X: x(d.x.position(p.x)), Y: y(d.y.position(p.y))} }
	for _, r := range d.cells {
		d.fill(&c, r, vg.Point{X: x(r.x0), Y: y(r.y0)}, vg.Point{X: x(r.x1), Y: y(r.y1)})
	}
	for _, g := range d.guides {
		d.guide(&c, g, at(g.from), at(g.to))
	}
	for _, s := range d.series {
		s.bands(&c, at)
		if s.joined {
			s.line(&c, at)
		}
		s.dots(&c, at)
	}
}

func (d drawing) fill(c *draw.Canvas, r cell, low, high vg.Point) {
	var path vg.Path
	path.Move(low)
	path.Line(vg.Point{X: high.X, Y: low.Y})
	path.Line(high)
	path.Line(vg.Point{X: low.X, Y: high.Y})
	path.Close()
	c.SetColor(faded(hue(r.colour), uint8(math.Round(255*r.weight))))
	c.Fill(path)
}

// guide draws a dashed line, and its name at the end on the right.
func (d drawing) guide(c *draw.Canvas, g guide, from, to vg.Point) {
	style := draw.LineStyle{Color: d.line, Width: 1, Dashes: []vg.Length{4, 3}}
	c.StrokeLines(style, c.ClipLinesXY([]vg.Point{from, to})...)
	text := textStyle(d.text, textSize)
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
