package metrics

import "math"

// Map is the error of an output as a fraction of its bound, reduced by maxima to
// at most 64 by 64 cells, and folded along the patterns that kernels leave.
//
// The output is taken as a matrix: columns are the last axis, rows all others. An
// output of one axis with more than 64 elements has rows of 32, a simdgroup each.
// Where there are more than 64 columns, a cell takes a power of two of them, so
// that it lies within a tile of 8 or holds whole ones. Rows are in groups, as many
// as the outermost axes have indices together while that is at most 64: heads,
// tokens. Within a group a cell takes a power of two of rows, or of slabs of rows
// that share the index on the first axis inside the group.
//
// Cells, Lanes and Tile hold one level per character; see [Level].
type Map struct {
	Rows    int `json:"rows"`    // of cells, of all groups
	Columns int `json:"columns"` // of cells
	Groups  int `json:"groups"`  // of rows
	// rows and columns of the output in a cell; fewer at the end of a group and of a row
	Block [2]int `json:"block"`
	Cells string `json:"cells"` // row by row
	Lanes string `json:"lanes"` // by the element's number modulo 32
	Tile  string `json:"tile"`  // by row and column modulo 8, row by row
}

// mapSide is the largest number of rows and of columns of cells.
const mapSide = 64

// mapped is the part of its bound above which the errors of an output are shown
// as a map though nothing fails.
const mapped = 0.5

// Levels are the digits of base 64.
const levels = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// Level is the largest error that a character of a map stands for, as a fraction
// of the bound, and whether anything was judged there. The value of the character
// as a digit of base 64 is 0 where nothing was, 1 for no error, and v from 2 to 62
// for an error of at most 2^((v−42)/4): 42 is the bound itself. 63 is for all that
// is larger.
func Level(c byte) (ratio float64, judged bool) {
	v := level(c)
	switch {
	case v <= 1:
		return 0, v == 1
	case v == len(levels)-1:
		return math.Inf(1), true
	}
	return math.Exp2(float64(v-boundLevel) / 4), true
}

// boundLevel is the level of an error as large as its bound.
const boundLevel = 42

// level is the value of a digit of base 64, 0 for other characters.
func level(c byte) int {
	for v := range len(levels) {
		if levels[v] == c {
			return v
		}
	}
	return 0
}

// levelOf is the smallest level that holds an error, 0 for unjudged.
func levelOf(ratio float32) int {
	switch {
	case ratio == unjudged:
		return 0
	case ratio == 0:
		return 1
	}
	v := boundLevel + int(min(max(math.Ceil(4*math.Log2(float64(ratio))), -boundLevel), mapSide))
	return min(max(v, 2), len(levels)-1)
}

// unjudged stands for the error of an element that is not judged.
const unjudged = -1

// newMap is the map of the errors of an output with the given extents, of which
// there is at least one and none is 0.
func newMap(extents []int, ratios []float32) *Map {
	last := len(extents) - 1
	width, outer := extents[last], extents[:last]
	if len(ratios) == width && width > mapSide {
		width, outer = lanes, nil
	}
	rows := (len(ratios) + width - 1) / width
	m := &Map{Groups: 1}
	for len(outer) > 0 && m.Groups*outer[0] <= mapSide {
		m.Groups *= outer[0]
		outer = outer[1:]
	}
	slabs := rows / m.Groups // in a group
	if len(outer) > 0 {
		slabs = outer[0]
	}
	slab := rows / m.Groups / slabs // rows
	m.Block = [2]int{slab * block(slabs, mapSide/m.Groups), block(width, mapSide)}
	m.Rows, m.Columns = m.Groups*ceil(rows/m.Groups, m.Block[0]), ceil(width, m.Block[1])
	m.reduce(ratios, rows/m.Groups, width)
	return m
}

// block is the smallest power of two that takes n things into so many blocks.
func block(n, blocks int) int {
	size := 1
	for ceil(n, size) > blocks {
		size *= 2
	}
	return size
}

// ceil is n/d rounded up.
func ceil(n, d int) int { return (n + d - 1) / d }

// reduce takes the maxima of the errors of a matrix with groups of so many rows.
func (m *Map) reduce(ratios []float32, rows, width int) {
	cells, lane, tile := noMaxima(m.Rows*m.Columns), noMaxima(lanes), noMaxima(side*side)
	perGroup := m.Rows / m.Groups
	for i, ratio := range ratios {
		if ratio == unjudged {
			continue
		}
		row, column := i/width, i%width
		cell := (row/rows*perGroup+row%rows/m.Block[0])*m.Columns + column/m.Block[1]
		cells[cell] = max(cells[cell], ratio)
		lane[i%lanes] = max(lane[i%lanes], ratio)
		t := row%side*side + column%side
		tile[t] = max(tile[t], ratio)
	}
	m.Cells, m.Lanes, m.Tile = spell(cells), spell(lane), spell(tile)
}

// noMaxima are n maxima of nothing.
func noMaxima(n int) []float32 {
	list := make([]float32, n)
	for i := range list {
		list[i] = unjudged
	}
	return list
}

// spell writes errors as levels.
func spell(ratios []float32) string {
	text := make([]byte, len(ratios))
	for i, ratio := range ratios {
		text[i] = levels[levelOf(ratio)]
	}
	return string(text)
}
