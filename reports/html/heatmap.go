package html

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metalconform/reports"
	"metalconform/suite/metrics"
)

// heatMap is the drawing of where an output is wrong.
type heatMap struct {
	Columns, Rows int // cells
	CellX, CellY  int // width and height of a cell in pixels
	Left          int // of the drawing: labels stand left of 0
	Layers        []layer
	Lines         []gridLine
	Across, Down  string // what the axes are
	Ticks, Sides  []tick // of columns and of rows, in pixels
	Lanes, Tile   []layer
	Worst         []worstCell
	Cells         string // for the script, which tells the cell under the pointer
	Block         [2]int
}

// Width and Height are those of the drawing with its labels.
func (d *heatMap) Width() int  { return d.Columns*d.CellX - d.Left + 12 }
func (d *heatMap) Height() int { return d.Rows*d.CellY + 16 + 8 }

// Legend is what shades stand for.
func (d *heatMap) Legend() []shade { return legend() }

// layer are all cells of one shade, as an SVG path in cells.
type layer struct {
	Shade string // of its style
	Path  string
}

// gridLine is a line between cells: of a group, a simdgroup or a tile.
type gridLine struct {
	Kind           string
	X1, Y1, X2, Y2 int
}

// worstCell is a cell with the range of the output that it stands for.
type worstCell struct {
	Rows, Columns string
	ErrorRatio    string
}

// shades are the steps of the legend: errors up to a fraction of the bound.
var shades = [...]struct {
	name string
	upTo float64
	text string
}{
	{"a", 0, "0"}, {"b", 1. / 64, "≤ 1/64"}, {"c", 1. / 16, "≤ 1/16"}, {"d", 1. / 4, "≤ 1/4"}, {"e", 1. / 2, "≤ 1/2"},
	{"f", 1, "≤ bound"},
	{"g", 2, "≤ 2×"}, {"h", 8, "≤ 8×"}, {"i", 0, "> 8×"},
}

// Shade is a step of the legend.
type shade struct{ Name, Text string }

// legend is all shades.
func legend() []shade {
	list := []shade{{"none", "not judged"}}
	for _, s := range shades {
		list = append(list, shade{s.name, s.text})
	}
	return list
}

// shadeOf is the shade of a character of a map.
func shadeOf(c byte) string {
	ratio, judged := metrics.Level(c)
	if !judged {
		return "none"
	}
	for _, s := range shades[:len(shades)-1] {
		if ratio <= s.upTo {
			return s.name
		}
	}
	return shades[len(shades)-1].name
}

// newHeatMap draws the map of an output with the given extents, whose axes have
// these names.
func newHeatMap(m *metrics.Map, extents []int, axes []string) *heatMap {
	if m == nil || m.Columns < 1 || m.Rows < 1 || len(m.Cells) != m.Rows*m.Columns || m.Block[0] < 1 ||
		m.Block[1] < 1 || m.Groups < 1 || len(extents) == 0 {
		return nil
	}
	f := newFold(m, extents)
	d := &heatMap{Columns: m.Columns, Rows: m.Rows, Cells: m.Cells, Block: m.Block, Layers: layers(m.Cells, m.Columns)}
	d.CellX, d.CellY = cell(m.Columns), cell(m.Rows)
	d.Down, d.Across = f.axes(axes)
	if len(m.Lanes) == lanes {
		d.Lanes = layers(m.Lanes, lanes)
	}
	if len(m.Tile) == side*side {
		d.Tile = layers(m.Tile, side)
	}
	d.Lines = f.lines()
	for at := 0; at < m.Columns; at += f.every(m.Columns) {
		d.Ticks = append(d.Ticks, tick{at*d.CellX + d.CellX/2, fmt.Sprint(at * m.Block[1])})
	}
	for at := 0; at < m.Rows; at += f.every(m.Rows) {
		name := f.rowName(f.row(at))
		d.Sides = append(d.Sides, tick{at*d.CellY + d.CellY/2, name})
		d.Left = min(d.Left, -letterWidth*len(name)-8)
	}
	d.Worst = f.worst()
	return d
}

const (
	lanes      = 32 // of a simdgroup
	side       = 8  // of a tile
	mostWorst  = 10 // cells of the table
	mostLabels = 8  // along an axis

	// Of drawings, in pixels.
	drawn       = 420 // a side, if cells are neither too small nor too large for that
	leastCell   = 6
	mostCell    = 24
	letterWidth = 6
)

// cell is the side of one of n cells in pixels.
func cell(n int) int { return min(max(drawn/n, leastCell), mostCell) }

// fold is how a map folds an output of several axes into rows and columns.
type fold struct {
	*metrics.Map
	extents  []int // of the axes that are rows; nil for an output of one axis
	rows     int   // of the output
	width    int
	perGroup int  // rows of cells
	chunks   bool // rows are runs of one axis
}

func newFold(m *metrics.Map, extents []int) fold {
	last := len(extents) - 1
	f := fold{Map: m, extents: extents[:last], width: extents[last], rows: 1, perGroup: max(m.Rows/m.Groups, 1)}
	for _, n := range f.extents {
		f.rows *= n
	}
	if f.rows == 1 && m.Rows > 1 {
		f.chunks, f.rows, f.width = true, (f.width+lanes-1)/lanes, lanes
	}
	return f
}

// row is the first row of the output in a row of cells.
func (f fold) row(cell int) int {
	return cell/f.perGroup*(f.rows/f.Groups) + cell%f.perGroup*f.Block[0]
}

// rowName is a row of the output by its index on the axes that are rows.
func (f fold) rowName(row int) string {
	if f.chunks {
		return fmt.Sprint(row * lanes)
	}
	at := make([]string, len(f.extents))
	for i := len(at) - 1; i >= 0; i-- {
		n := max(f.extents[i], 1)
		at[i] = fmt.Sprint(row % n)
		row /= n
	}
	return strings.Join(at, ", ")
}

// axes names what goes down and what goes across.
func (f fold) axes(names []string) (down, across string) {
	if f.chunks {
		return names[0] + ", 32 to a row", "lane"
	}
	last := len(names) - 1
	if last == 0 {
		return "", names[0]
	}
	return strings.Join(names[:last], ", "), names[last]
}

// every is the distance of labels on an axis of n cells, a power of two.
func (f fold) every(n int) int {
	step := 1
	for n > step*mostLabels {
		step *= 2
	}
	return step
}

// lines are those between groups, and between simdgroups and tiles where cells are
// small enough to tell.
func (f fold) lines() []gridLine {
	var list []gridLine
	for x := 1; x < f.Columns; x++ {
		switch at := x * f.Block[1]; {
		case at%lanes == 0:
			list = append(list, gridLine{"lane", x, 0, x, f.Rows})
		case at%side == 0 && f.Block[1] < side:
			list = append(list, gridLine{"tile", x, 0, x, f.Rows})
		}
	}
	for y := 1; y < f.Rows; y++ {
		switch within := y % f.perGroup; {
		case within == 0 && f.perGroup > 1:
			list = append(list, gridLine{"group", 0, y, f.Columns, y})
		case f.row(y)%side == 0 && f.Block[0] < side:
			list = append(list, gridLine{"tile", 0, y, f.Columns, y})
		}
	}
	return list
}

// worst are the cells with the largest errors.
func (f fold) worst() []worstCell {
	type at struct {
		cell  int
		ratio float64
	}
	var cells []at
	for i := range len(f.Cells) {
		if ratio, _ := metrics.Level(f.Cells[i]); ratio > 0 {
			cells = append(cells, at{i, ratio})
		}
	}
	slices.SortStableFunc(cells, func(a, b at) int { return cmp.Compare(b.ratio, a.ratio) })
	var list []worstCell
	for _, c := range cells[:min(mostWorst, len(cells))] {
		x := c.cell % f.Columns * f.Block[1]
		first := f.row(c.cell / f.Columns)
		last := min(first+f.Block[0], f.rows) - 1
		w := worstCell{Rows: span(f.rowName(first), f.rowName(last)), Columns: span(fmt.Sprint(x),
			fmt.Sprint(min(x+f.Block[1], f.width)-1)), ErrorRatio: "at most " + reports.Figure(c.ratio)}
		if c.ratio > 30 {
			w.ErrorRatio = "more than 30"
		}
		list = append(list, w)
	}
	return list
}

// span is a range, or its only member.
func span(first, last string) string {
	if first == last {
		return first
	}
	return first + " to " + last
}

// layers are the cells of a map by shade, runs of a row as one.
func layers(cells string, columns int) []layer {
	paths := map[string]*strings.Builder{}
	for i := 0; i < len(cells); {
		shade, end := shadeOf(cells[i]), i+1
		for end%columns != 0 && end < len(cells) && shadeOf(cells[end]) == shade {
			end++
		}
		if paths[shade] == nil {
			paths[shade] = &strings.Builder{}
		}
		fmt.Fprintf(paths[shade], "M%d %dh%dv1h-%dz", i%columns, i/columns, end-i, end-i)
		i = end
	}
	var list []layer
	for _, shade := range sorted(paths) {
		list = append(list, layer{shade, paths[shade].String()})
	}
	return list
}
