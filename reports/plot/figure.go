package plot

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Figure is one plot.
type Figure struct {
	Name    string // of a file without its extension; no two figures of a run share one
	Title   string
	Caption string // what is shown, in sentences
	// Notes are sentences behind the caption that other figures may have too.
	Notes  []string
	Kernel string // or pipeline; empty for a figure of the whole run
	// SVG is an element svg to stand in a page: as wide as there is room for, in
	// the colour of the text around it.
	SVG []byte

	chart chart
}

// newFigure draws a chart.
func newFigure(name, kernel, title, caption string, c chart, notes ...string) Figure {
	f := Figure{Name: name, Title: title, Caption: caption, Notes: notes, Kernel: kernel, chart: c}
	if kernel != "" {
		f.Name = kernel + "-" + name
	}
	canvas := vgsvg.New(chartWidth, c.height())
	c.draw(draw.New(canvas), pageInk)
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		panic(err) // a buffer takes everything
	}
	f.SVG = themed(b.Bytes(), f)
	return f
}

// Widths of a picture, in pixels.
const (
	LeastWidth = 100
	MostWidth  = 10_000

	titleHeight = vg.Length(28) // points, of its row above the chart
)

// PNG writes the figure with its title on white, so many pixels wide. It fails for
// a width below 100 or above 10,000 and if w does.
func (f *Figure) PNG(w io.Writer, width int) error {
	if width < LeastWidth || width > MostWidth {
		return fmt.Errorf("a picture %d pixels wide: want %d to %d", width, LeastWidth, MostWidth)
	}
	// Dots per inch are a whole number; the chart is as wide as that leaves.
	dpi := max(int(math.Round(float64(width)/chartWidth.Points()*vg.Inch.Points())), 1)
	across := vg.Length(width) / vg.Length(dpi) * vg.Inch
	canvas := vgimg.NewWith(vgimg.UseWH(across, f.chart.height()+titleHeight), vgimg.UseDPI(dpi))
	c := draw.New(canvas)
	style := textStyle(paperInk.text, 13)
	style.YAlign = draw.YTop
	c.FillText(style, vg.Point{X: 8, Y: c.Max.Y - 8}, f.Title)
	f.chart.draw(draw.Crop(c, 0, 0, 0, -titleHeight), paperInk)
	_, err := vgimg.PngCanvas{Canvas: canvas}.WriteTo(w)
	return err
}
