package plot

import (
	"math"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The axes are drawn here and not by package plot of gonum. That package links PDF, PostScript and TeX, and twelve
// fonts, which together were an eighth of the program.

// Sizes of axes, in points.
const (
	tickLength   = vg.Length(5) // of a tick with a label; others are half as long
	tickWidth    = vg.Length(0.6)
	axisWidth    = vg.Length(0.8)
	labelPadding = vg.Length(3) // between the label of an axis and those of its ticks
)

// tick is a mark on an axis. A tick without a label is a short one between others.
type tick struct {
	value float64
	label string
}

// ruler is an axis on its way to a canvas.
type ruler struct {
	axis
	ticks       []tick
	low, high   float64
	label, tick text.Style
	ink
}

// ruler returns the axis with its styles; ticks have labels of the given size.
func (a axis) ruler(with ink, size vg.Length, x draw.XAlignment, y draw.YAlignment) ruler {
	r := ruler{
		axis: a, ticks: a.Ticks(), ink: with,
		label: textStyle(with.text, textSize), tick: textStyle(with.text, size),
	}
	r.low, r.high = a.span()
	r.label.XAlign, r.label.YAlign = draw.XCenter, draw.YBottom
	r.tick.XAlign, r.tick.YAlign = x, y
	return r
}

// fraction is the place of a number on the axis, from 0 to 1.
func (r ruler) fraction(x float64) float64 { return (x - r.low) / (r.high - r.low) }

// largest is the size of the largest label of a tick, by one of its sides.
func (r ruler) largest(side func(vg.Rectangle) vg.Length) vg.Length {
	var most vg.Length
	for _, t := range r.ticks {
		if t.label != "" {
			most = max(most, side(r.tick.Rectangle(t.label)))
		}
	}
	return most
}

func width(r vg.Rectangle) vg.Length  { return r.Max.X - r.Min.X }
func height(r vg.Rectangle) vg.Length { return r.Max.Y - r.Min.Y }

// placed is a text at a place on an axis, as a rectangle about that place.
type placed struct {
	at   float64
	text vg.Rectangle
}

// labels are the boxes of all texts of the axis; label is that of the axis itself.
func (r ruler) labels(label vg.Rectangle) []placed {
	var list []placed
	if r.axis.label != "" {
		list = append(list, placed{r.fraction(0.5 * (r.high + r.low)), label})
	}
	for _, t := range r.ticks {
		if t.label != "" {
			list = append(list, placed{r.fraction(t.value), r.tick.Rectangle(t.label)})
		}
	}
	return list
}

// shortened returns the end of an axis from low to high such that no text reaches beyond high. Ends are those of a
// text, at its place.
func shortened(low, high vg.Length, boxes []placed, ends func(vg.Rectangle) (from, size vg.Length)) vg.Length {
	beyond, last := high, placed{at: 1}
	for _, b := range boxes {
		from, size := ends(b.text)
		end := low + vg.Length(vg.Length(b.at)*(high-low)) + from + size
		if size > 0 && end > beyond && b.at <= 1 {
			beyond, last = end, b
		}
	}
	from, size := ends(last.text)
	at, most := vg.Length(last.at), high-(from+size)
	return (most + vg.Length(at*low) - low) / at
}

// across is the axis below a chart.
type across struct{ ruler }

// size is the height of the axis.
func (a across) size() vg.Length {
	h := vg.Length(0)
	if a.axis.label != "" {
		h += a.label.Height(a.axis.label)
		h += labelPadding
	}
	if len(a.ticks) > 0 {
		h += tickLength
		h += a.largest(height)
	}
	return h + axisWidth/2
}

// shorten makes the canvas as narrow as the texts of the axis need.
func (a across) shorten(c draw.Canvas) draw.Canvas {
	label := a.label.Rectangle(a.axis.label)
	c.Max.X = shortened(c.Min.X, c.Max.X, a.labels(label), func(r vg.Rectangle) (from, size vg.Length) {
		return r.Min.X, width(r)
	})
	return c
}

func (a across) draw(c draw.Canvas) {
	y := c.Min.Y
	if a.axis.label != "" {
		c.FillText(a.label, vg.Point{X: c.Center().X, Y: y + a.label.FontExtents().Descent}, a.axis.label)
		y += a.label.Height(a.axis.label)
		y += labelPadding
	}
	high, descent := a.largest(height), a.tick.FontExtents().Descent
	for _, t := range a.ticks {
		if x := c.X(a.fraction(t.value)); c.ContainsX(x) && t.label != "" {
			c.FillText(a.tick, vg.Point{X: x, Y: y + high + descent}, t.label)
		}
	}
	if len(a.ticks) > 0 {
		y += high
		for _, t := range a.ticks {
			if x := c.X(a.fraction(t.value)); c.ContainsX(x) {
				c.StrokeLine2(draw.LineStyle{Color: a.line, Width: tickWidth}, x, y+t.start(), x, y+tickLength)
			}
		}
		y += tickLength
	} else {
		y += axisWidth / 2
	}
	c.StrokeLine2(draw.LineStyle{Color: a.line, Width: axisWidth}, c.Min.X, y, c.Max.X, y)
}

// start is where the line of a tick begins.
func (t tick) start() vg.Length {
	if t.label == "" {
		return tickLength / 2
	}
	return 0
}

// upright is the axis on the left of a chart.
type upright struct{ ruler }

// size is the width of the axis.
func (a upright) size() vg.Length {
	w := vg.Length(0)
	if a.axis.label != "" {
		w += a.label.FontExtents().Descent
		w += a.label.Height(a.axis.label)
		w += labelPadding
	}
	if len(a.ticks) > 0 {
		if widest := a.largest(width); widest > 0 {
			w += widest
			w += a.label.Width(" ")
		}
		w += tickLength
	}
	return w + axisWidth/2
}

// shorten makes the canvas as low as the texts of the axis need.
func (a upright) shorten(c draw.Canvas) draw.Canvas {
	turned := a.label
	turned.Rotation += math.Pi / 2
	boxes := a.labels(turned.Rectangle(a.axis.label))
	extents := a.tick.FontExtents()
	for i := range boxes {
		if i > 0 || a.axis.label == "" { // a tick's
			boxes[i].text = boxes[i].text.Add(vg.Point{Y: extents.Height - extents.Ascent})
		}
	}
	c.Max.Y = shortened(c.Min.Y, c.Max.Y, boxes, func(r vg.Rectangle) (from, size vg.Length) {
		return r.Min.Y, height(r)
	})
	return c
}

func (a upright) draw(c draw.Canvas) {
	x := c.Min.X
	if a.axis.label != "" {
		turned := a.label
		turned.Rotation += math.Pi / 2
		descent := a.label.FontExtents().Descent
		x += a.label.Height(a.axis.label)
		c.FillText(turned, vg.Point{X: x - descent, Y: c.Center().Y}, a.axis.label)
		x += descent
		x += labelPadding
	}
	x += a.largest(width)
	major, descent := false, a.tick.FontExtents().Descent
	for _, t := range a.ticks {
		if y := c.Y(a.fraction(t.value)); c.ContainsY(y) && t.label != "" {
			c.FillText(a.tick, vg.Point{X: x, Y: y + descent}, t.label)
			major = true
		}
	}
	if major {
		x += a.tick.Width(" ")
	}
	if len(a.ticks) > 0 {
		for _, t := range a.ticks {
			if y := c.Y(a.fraction(t.value)); c.ContainsY(y) {
				c.StrokeLine2(draw.LineStyle{Color: a.line, Width: tickWidth}, x+t.start(), y, x+tickLength, y)
			}
		}
		x += tickLength
	}
	c.StrokeLine2(draw.LineStyle{Color: a.line, Width: axisWidth}, x, c.Min.Y, x, c.Max.Y)
}

// frame is a canvas within axes.
type frame struct {
	draw.Canvas
	x, y func(float64) vg.Length // places of positions on the axes
}

// axes draws both axes, and returns the canvas that they leave.
func (c chart) axes(canvas draw.Canvas, with ink) *frame {
	size := textSize
	if c.rows > 0 {
		size = rowText
	}
	x := across{c.x.ruler(with, textSize, draw.XCenter, draw.YTop)}
	y := upright{c.y.ruler(with, size, draw.XRight, draw.YCenter)}
	left, below := y.size(), x.size()
	x.draw(x.shorten(draw.Crop(canvas, left, 0, 0, 0)))
	y.draw(y.shorten(draw.Crop(canvas, 0, 0, below, 0)))
	f := &frame{Canvas: y.shorten(x.shorten(draw.Crop(canvas, left, 0, below, 0)))}
	f.x = func(v float64) vg.Length { return f.X(x.fraction(v)) }
	f.y = func(v float64) vg.Length { return f.Y(y.fraction(v)) }
	return f
}
