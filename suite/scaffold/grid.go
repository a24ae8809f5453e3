package scaffold

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// span is a size of the grid: a product of axes, divided by a number and rounded up, times another.
type span struct {
	axes      []int
	by, times int
}

// of is the size where the axes are as long as they are.
func (s span) of(axes []axis) int {
	n := 1
	for _, i := range s.axes {
		n *= axes[i].base
	}
	return (n + max(s.by, 1) - 1) / max(s.by, 1) * max(s.times, 1)
}

// text is the size in a specification.
func (s span) text(axes []axis) string {
	if len(s.axes) == 0 {
		return fmt.Sprint(max(s.times, 1))
	}
	var names []string
	for _, i := range s.axes {
		names = append(names, axes[i].name)
	}
	text := strings.Join(names, " * ")
	if s.by > 1 {
		text = fmt.Sprintf("ceil_div(%s, %d)", text, s.by)
	}
	if s.times > 1 {
		text = fmt.Sprintf("%s * %d", text, s.times)
	}
	return fmt.Sprintf("%q", text)
}

// guessGrid has as many threads as rows are long along x, or as many threadgroups as there are
// rows: what launches may show to be otherwise.
func (s *Specification) guessGrid() {
	long := s.long()
	var others []int
	for _, likely := range []bool{true, false} {
		for i, a := range s.axes {
			if i != long && usualBase(a.name) == 0 && !a.stride && !a.idle && !placeName.MatchString(a.name) &&
				(a.of == "" || hints(a.name, outer)) == likely {
				others = append(others, i)
			}
		}
	}
	if s.threads = s.reads("thread_position_in_grid"); s.threads && long >= 0 {
		others = append([]int{long}, others...)
	}
	for n, at := range s.along(s.position()) {
		if n < len(others) {
			s.grid[at] = span{axes: []int{others[n]}}
		}
	}
}

// position is the input that tells where in the grid a thread is, or its threadgroup.
func (s *Specification) position() string {
	if s.threads {
		return "thread_position_in_grid"
	}
	return "threadgroup_position_in_grid"
}

// mostGrid is as far as a grid is made longer to find its end.
const mostGrid = 1 << 14

// seekGrid finds how long the grid is. Where a kernel returns beyond some length, a longer grid changes nothing: the
// least that gives the same is that length. Where it does not, each axis is tried, and one of the grid's own: the
// likeliest leaves no gaps in what is touched.
func (t *trial) seekGrid() {
	along := t.along(t.position())
	if t.reads("threads_per_grid") || t.reads("threadgroups_per_grid") {
		return
	}
	t.shorten(along)
	var open []int
	for _, at := range along {
		if found, ok := t.ends(at, along); ok {
			t.grid[at] = found
			continue
		}
		open = append(open, at)
	}
	if len(open) > 0 {
		t.assign(open)
	}
	t.dropUnused()
}

// shorten makes another axis the length of rows if it is how many threadgroups there are.
func (t *trial) shorten(along []int) {
	long := t.long()
	if t.threads || long < 0 || len(t.axes) < 2 {
		return
	}
	for _, at := range along {
		if found, ok := t.ends(at, along); !ok || !slices.Equal(found.axes, []int{long}) || found.by > 1 ||
			found.times > 1 {
			continue
		}
		for i := range t.axes {
			if t.axes[i].of != "" && i != long && !hints(t.axes[i].name, outer) {
				t.axes[i].base, t.axes[long].base = t.axes[long].base, t.axes[i].base
				return
			}
		}
	}
}

// ends is how long the grid is on an axis, if the kernel knows. Where one threadgroup or thread does for all, there is
// to be more.
func (t *trial) ends(at int, along []int) (span, bool) {
	before := slices.Clone(t.axes)
	defer func() { t.axes = before }()
	for _, times := range []int{1, 16} {
		first, second := slices.Clone(before), slices.Clone(before)
		for i, a := range before {
			if usualBase(a.name) == 0 && a.base != longBase {
				first[i].base = a.base * times
			}
			second[i].base = first[i].otherBase()
		}
		t.axes = first
		n, ok := t.end(at, along)
		if !ok {
			continue
		}
		t.axes = second
		m, both := t.end(at, along)
		if i := bordered(n, m, first, second); i >= 0 && both {
			return span{axes: []int{i}}, true
		}
		for _, s := range t.spans() {
			if s.of(first) == n && (!both || s.of(second) == m) {
				return s, true
			}
		}
	}
	return span{}, false
}

// bordered is an axis that a grid ends one or two places before, as those that leave the border of a field alone do,
// at two sets of lengths, if no axis ends there; -1 for none.
func bordered(n, m int, first, second []axis) int {
	at := func(less int) int {
		return slices.IndexFunc(first, func(a axis) bool {
			i := slices.IndexFunc(first, func(b axis) bool { return b.name == a.name })
			return a.base-less == n && second[i].base-less == m
		})
	}
	for less := range 3 {
		if i := at(less); i >= 0 {
			return i
		}
	}
	return -1
}

// end is the least length on an axis beyond which a longer grid changes nothing.
func (t *trial) end(at int, along []int) (int, bool) {
	defer func() { t.size = [3]int{} }()
	for _, other := range along {
		if other != at {
			t.size[other] = 2
		}
	}
	before := t.memoryOf(0xa5)
	result := func(n int) []byte {
		t.size[at] = n
		after, _, err := t.launch(t.kernel, before, nil)
		if err != nil {
			return nil
		}
		var all []byte
		for i, a := range t.args {
			if a.Writable {
				all = append(all, after[i]...)
			}
		}
		return all
	}
	most := mostGrid
	if !t.threads {
		most /= 32
	}
	whole := result(most)
	one := result(1)
	if whole == nil || one == nil || bytes.Equal(one, whole) || !bytes.Equal(result(most/2), whole) {
		return 1, false
	}
	// the grid is too short at low, and long enough at high; short ones are launched first
	low, high, next := 1, most, 2
	for low+1 < high {
		n := min(next, (low+high)/2)
		if bytes.Equal(result(n), whole) {
			high, next = n, n
		} else {
			low, next = n, 2*n
		}
	}
	return high, true
}

// spans are what a size of the grid may be, the simplest first.
func (t *trial) spans() []span {
	var products [][]int
	for n := 1; n <= min(len(t.axes), 4); n++ {
		for set := 1; set < 1<<min(len(t.axes), 8); set++ {
			var list []int
			for i := range t.axes {
				if set>>i&1 != 0 {
					list = append(list, i)
				}
			}
			if len(list) == n {
				products = append(products, list)
			}
		}
	}
	numbers := []int{1, 2, 4, 8, 16, 32, 64, 128, 256}
	if !t.threads {
		numbers = append(numbers, t.of.X, t.of.Y)
	}
	var list []span
	for _, axes := range products {
		list = append(list, span{axes: axes})
	}
	for _, axes := range products {
		for _, n := range numbers[1:] {
			list = append(list, span{axes: axes, by: n}, span{axes: axes, times: n})
		}
	}
	return list
}

// ownAxes are names of axes that the grid has and the source does not name.
var ownAxes = []string{"rows", "planes", "batches"}

// placeName are names of places on an axis, which are no lengths.
var placeName = regexp.MustCompile(`(?i)(^|_)(pos|position|offset|index|idx|start|begin|first)$`)

// assign gives axes of the grid that the kernel does not end a length: of those that leave no gaps the first.
func (t *trial) assign(open []int) {
	axes, grid := t.axes, t.grid
	var candidates []int
	for i, a := range axes {
		if a.of == "" || usualBase(a.name) == 0 && !a.stride && !a.idle && !placeName.MatchString(a.name) &&
			(hints(a.name, outer) || t.threads) {
			candidates = append(candidates, i)
		}
	}
	if long := t.long(); t.threads && long >= 0 { // x is along rows more often than not
		candidates = append([]int{long}, slices.DeleteFunc(candidates, func(i int) bool { return i == long })...)
	}
	var try func(rest []int) bool
	try = func(rest []int) bool {
		if len(rest) == 0 {
			return t.gapless()
		}
		for _, i := range candidates {
			// a power of two would pass for any other
			if !t.inGrid(i) && !(t.rows && t.axes[i].base&(t.axes[i].base-1) == 0) {
				t.grid[rest[0]] = span{axes: []int{i}}
				if try(rest[1:]) {
					return true
				}
				t.grid[rest[0]] = span{}
			}
		}
		before := t.axes
		if own, ok := t.own(); ok {
			t.axes = append(slices.Clone(before), own)
			t.grid[rest[0]] = span{axes: []int{len(before)}}
			if try(rest[1:]) {
				return true
			}
			t.axes, t.grid[rest[0]] = before, span{}
		}
		return false
	}
	for _, t.rows = range []bool{false, true} {
		for _, at := range open {
			t.grid[at] = span{}
		}
		if try(open) {
			return
		}
		t.axes, t.grid = axes, grid
	}
	for _, at := range open { // nothing fits: a length of its own is better than none
		if own, ok := t.own(); ok && len(t.grid[at].axes) == 0 {
			t.axes = append(slices.Clone(t.axes), own)
			t.grid[at] = span{axes: []int{len(t.axes) - 1}}
		}
	}
}

// own is an axis for the grid alone, if a name and a number are left.
func (t *trial) own() (axis, bool) {
	for _, name := range ownAxes {
		if slices.ContainsFunc(t.axes, func(a axis) bool { return a.name == name }) {
			continue
		}
		for _, p := range primes {
			if !slices.ContainsFunc(t.axes, func(a axis) bool { return a.base == p }) {
				return axis{name: name, base: p}, true
			}
		}
	}
	return axis{}, false
}

// inGrid reports whether the grid has an axis.
func (s *Specification) inGrid(i int) bool {
	return slices.ContainsFunc(s.grid[:], func(g span) bool { return slices.Contains(g.axes, i) })
}

// gapless reports whether all that is touched is a product of axes, or of them and a power of two where rows may have
// as many elements as the source says, and what is written has all that are the grid's own.
func (t *trial) gapless() bool {
	before, inverse := t.memoryOf(0xa5), t.memoryOf(0x5a)
	after, _, err := t.launch(t.kernel, before, nil)
	other, _, wrong := t.launch(t.kernel, inverse, nil)
	if err != nil || wrong != nil {
		return false
	}
	for i, a := range t.args {
		if a.Writable {
			if n := written(before[i], after[i], inverse[i], other[i], max(a.Size, 1)); !t.covers(n, true) {
				return false
			}
		}
	}
	for i, a := range t.args {
		if a.passed() || a.Size == 0 || a.Writable {
			continue
		}
		if n := t.reach(i); n > 0 {
			if !t.covers(n, false) {
				return false
			}
		}
	}
	return true
}

// covers reports whether axes cover so many elements of a buffer, which a launch writes or only reads.
func (t *trial) covers(n int, written bool) bool {
	if _, _, ok := t.product(n, 0); ok || !t.rows {
		return ok
	}
	for set := 1; set < 1<<min(len(t.axes), 8); set++ {
		product, own := 1, true
		for i, a := range t.axes {
			if set>>i&1 != 0 {
				product *= a.base
			} else if a.of == "" && t.inGrid(i) {
				own = false
			}
		}
		if by := n / product; n%product == 0 && by > 0 && by&(by-1) == 0 && (own || !written) {
			return true
		}
	}
	return false
}

// dropUnused takes away the axis that was meant for the grid, if the grid does without.
func (t *trial) dropUnused() {
	last := len(t.axes) - 1
	if last > 0 && t.axes[last].of == "" && !t.inGrid(last) {
		t.axes = t.axes[:last]
	}
}
