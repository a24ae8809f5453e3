package metrics

import "fmt"

// Slices are the worst part of an output among parts of one kind, by each metric
// that there is of parts. Metrics of a whole tensor are blind to a small part that
// is wrong: the cosine of 64 heads hardly moves where one of them is zero.
//
// The kinds are: for each axis of more than one element, the elements at one of
// its indices (a token, a head, a channel), where there is more than one axis;
// "row", the elements along the last axis, where there are more than two; "tile",
// 8 by 8 elements of the last two axes, or 8 of an only one; "lane", the elements
// at one position modulo 32. A kind is left out if it has one part only, or one
// element in each.
type Slices struct {
	By      string // the kind: an axis by its name or its position, row, tile or lane
	Of      int    // parts
	Metrics Values // each at the first element of its part
}

const (
	lanes = 32 // of a simdgroup
	side  = 8  // of a tile, as of a simdgroup's matrix
)

// slicer sums up an output, whole and by parts of each kind.
type slicer struct {
	axes    []axis // of more than one element, outermost first
	width   int    // extent of the last of them
	height  int    // of the one before it
	total   Sums
	tiles   []Sums
	rows    []Sums // along the last axis; nil for less than three axes
	columns []Sums // of the last axis; nil for an only one
	lanes   []Sums // nil for no more elements than lanes, and where they are sums of columns
	folded  bool   // they are

	first int  // element of the row under way
	row   int  // its number
	tile  int  // the first tile that it crosses
	sum   Sums // of the row so far
}

// axis is one axis of a slicer.
type axis struct {
	position int // among the output's extents
	n        int
	stride   int
	sums     []Sums
}

// newSlicer is a slicer for an output with the given extents.
func newSlicer(extents []int) *slicer {
	s := &slicer{width: 1, height: 1}
	count := 1
	for _, n := range extents {
		count *= n
	}
	stride := count
	for i, n := range extents {
		if n > 1 && count > 0 {
			stride /= n
			s.axes = append(s.axes, axis{position: i, n: n, stride: stride})
			s.width, s.height = n, s.width
		}
	}
	if len(s.axes) == 0 {
		return s
	}
	s.tiles = make([]Sums, s.tileRows(count/s.width)*s.across())
	if len(s.axes) > 1 {
		for i := range s.axes {
			s.axes[i].sums = make([]Sums, s.axes[i].n)
		}
		s.columns = s.axes[len(s.axes)-1].sums
	}
	if len(s.axes) > 2 {
		s.rows = make([]Sums, count/s.width)
	}
	if count > lanes {
		s.folded = s.columns != nil && s.width%lanes == 0
		if !s.folded {
			s.lanes = make([]Sums, lanes)
		}
	}
	return s
}

// across is the number of tiles along the last axis.
func (s *slicer) across() int { return (s.width + side - 1) / side }

// tileRows is the number of rows of tiles in so many whole matrices' rows.
func (s *slicer) tileRows(rows int) int { return rows / s.height * s.down() }

// down is the number of tiles along the axis before the last.
func (s *slicer) down() int { return (s.height + side - 1) / side }

// add takes in element i. Elements come in order; some may be missing.
func (s *slicer) add(i int, e *Sums) {
	for i >= s.first+s.width {
		s.end()
	}
	s.sum.add(e)
	if s.tiles == nil {
		return
	}
	j := i - s.first
	s.tiles[s.tile+j/side].add(e)
	if s.columns != nil {
		s.columns[j].add(e)
	}
	if s.lanes != nil {
		s.lanes[i%lanes].add(e)
	}
}

// end completes a row.
func (s *slicer) end() {
	s.total.add(&s.sum)
	if s.rows != nil {
		s.rows[s.row] = s.sum
	}
	if s.columns != nil {
		for _, a := range s.axes[:len(s.axes)-1] {
			a.sums[s.first/a.stride%a.n].add(&s.sum)
		}
	}
	s.sum = Sums{}
	s.first += s.width
	s.row++
	s.tile = (s.tileRows(s.row) + s.row%s.height/side) * s.across()
}

// finish completes the last row. Rows that are as wide as a multiple of the
// lanes have each lane's elements in the same columns.
func (s *slicer) finish() {
	s.end()
	if !s.folded {
		return
	}
	s.lanes = make([]Sums, lanes)
	for j := range s.columns {
		s.lanes[j%lanes].add(&s.columns[j])
	}
}

// worst are the worst parts of each kind.
func (s *slicer) worst(t Table, b *Buffer) []Slices {
	var sliced Table
	for _, m := range t {
		if m.Sliced {
			sliced = append(sliced, m)
		}
	}
	var all []Slices
	note := func(by string, parts []Sums, first func(int) int) {
		if len(parts) < 2 {
			return
		}
		kind := Slices{By: by, Of: len(parts), Metrics: make(Values, len(sliced))}
		for i, m := range sliced {
			part, x := m.worstOf(parts)
			kind.Metrics[i] = Value{m.Key, x, b.position(first(part))}
		}
		all = append(all, kind)
	}
	for _, x := range s.axes {
		note(x.name(b), x.sums, func(i int) int { return i * x.stride })
	}
	note("row", s.rows, func(i int) int { return i * s.width })
	note("tile", s.tiles, s.corner)
	note("lane", s.lanes, func(i int) int { return i })
	return all
}

// name is the axis as case names spell it, or its position where the extent is
// no axis of the case.
func (x axis) name(b *Buffer) string {
	if x.position < len(b.Axes) && b.Axes[x.position] != "" {
		return b.Axes[x.position]
	}
	return fmt.Sprintf("axis %d", x.position)
}

// corner is the first element of a tile.
func (s *slicer) corner(tile int) int {
	row, column := tile/s.across(), tile%s.across()
	return (row/s.down()*s.height+row%s.down()*side)*s.width + column*side
}

// worstOf is the first of the worst parts, and its value.
func (m Metric) worstOf(parts []Sums) (part int, x float64) {
	x = m.Sums(parts[0])
	for i := range parts[1:] {
		if y := m.Sums(parts[i+1]); m.Worst.worse(y, x) {
			part, x = i+1, y
		}
	}
	return part, x
}
