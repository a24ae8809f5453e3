package scaffold

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// pickedAxis is the axis of rows that integers pick, if the source has none.
const pickedAxis = "entries"

// extents are those of a buffer of which a trial has touched so much.
func (s *Specification) extents(a argument) (text, why string) {
	n := a.touched()
	switch n {
	case 0:
		return `"` + s.axes[0].name + `"`, "no launch was found that touches it"
	case 1:
		return "1", "a launch touches one element"
	}
	if a.head > 0 && n > a.head {
		return s.behindHead(a), fmt.Sprintf("a launch touches %d elements", n)
	}
	if o := a.offsets; o != nil {
		text := s.axes[o.parts].name
		if o.more > 0 {
			text = fmt.Sprintf("%s + %d", text, o.more)
		}
		return fmt.Sprintf("%q", text),
			fmt.Sprintf("a launch touches %d elements, of which each is where a part begins", n)
	}
	if a.row > 0 {
		list, row, ok := s.product(a.row, 0)
		if row != "" {
			list = append(list, fmt.Sprintf("%q", row))
		}
		switch {
		case a.row == 1:
			list = nil
		case !ok:
			list = []string{fmt.Sprint(a.row)}
		}
		strides := ""
		if a.stride > 0 {
			strides = fmt.Sprintf(", strides = [%q, 1]", s.axes[a.stride-1].name)
		}
		return strings.Join(append([]string{fmt.Sprintf("%q", s.picked())}, list...), ", ") + strides,
			fmt.Sprintf("rows of %d elements, which integers pick", a.row)
	}
	list, row, ok := s.product(n, a.other)
	if v, _ := s.view(n); !ok && s.apart(n) {
		rows, row, stride := s.axes[v.rows].name, s.axes[v.row].name, s.axes[v.stride].name
		return fmt.Sprintf("%q, %q, strides = [%q, 1]", rows, row, stride),
			fmt.Sprintf("a launch touches %d elements, in rows that lie %s apart", n, stride)
	}
	if v := a.spread; v != nil {
		return fmt.Sprintf("%q, %q, strides = [%q, %q]", s.axes[v.rows].name, s.axes[v.columns].name, s.axes[v.by].name,
			s.axes[v.apart].name), fmt.Sprintf("a launch touches %d elements, in rows and columns that lie apart", n)
	}
	if less, last, at := s.shorter(a); at >= 0 {
		list, row, ok = less, last, true
	}
	if !ok && slices.ContainsFunc(s.args, func(b argument) bool { return b.picks() && b.offsets == nil && !b.words }) {
		list, ok = s.upTo(n, a.other)
	}
	if !ok {
		list, by := s.multiple(n, a.other)
		if field := s.field(n, a.other); by == 0 && field != nil {
			return strings.Join(field, ", "),
				fmt.Sprintf("a launch touches %d elements, and not the border of a field", n)
		}
		if by == 0 {
			return fmt.Sprint(n), fmt.Sprintf("a launch touches %d elements, which is no product of axes", n)
		}
		return strings.Join(s.orderedBy(list, a, by), ", "),
			fmt.Sprintf("a launch touches %d elements, %d for each", n, by)
	}
	if row != "" {
		list = append(list, fmt.Sprintf("%q", row))
	}
	if cut, last, ok := s.cutWith(true, -1, n, a.other); ok && !s.fitsSome(list, a) {
		if last != "" {
			cut = append(cut, fmt.Sprintf("%q", last))
		}
		if s.fitsSome(cut, a) {
			list = cut
		}
	}
	return strings.Join(s.ordered(list, a, 1), ", "), fmt.Sprintf("a launch touches %d elements", n)
}

// behindHead is the extent of a buffer that begins with some elements, whatever the axes.
func (s *Specification) behindHead(a argument) string {
	width := a.Tail.Size / a.Size
	list, row, ok := s.product((a.touched()-a.head)/width, max(0, a.other-a.head)/width)
	if !ok || (a.touched()-a.head)%width != 0 {
		return fmt.Sprint(a.touched())
	}
	if row != "" {
		list = append(list, row)
	}
	if width > 1 {
		list = append(list, fmt.Sprint(width))
	}
	for i, factor := range list {
		list[i] = strings.Trim(factor, `"`)
	}
	return fmt.Sprintf("\"%s + %d\"", strings.Join(list, " * "), a.head)
}

// upTo is a product of axes a little beyond what is touched, where integers pick elements of rows: not the last of the
// last row. The axis that they pick on varies fastest.
func (s *Specification) upTo(n, other int) (list []string, ok bool) {
	least := s.least()
	for _, a := range s.axes {
		if fmt.Sprintf("%q", a.name) != least || other == 0 {
			continue
		}
		for more := 1; more < a.base; more++ {
			for others := range a.otherBase() {
				list, row, ok := s.product(n+more, other+others)
				if !ok {
					continue
				}
				if row != "" {
					list = append(list, fmt.Sprintf("%q", row))
				}
				if i := slices.Index(list, least); i >= 0 {
					return append(slices.Delete(list, i, i+1), least), true
				}
			}
		}
	}
	return nil, false
}

// ordered are extents in the order that they have in memory, the last varying fastest, as far as shorter grids show
// it: one turn of the grid is as long as all that varies faster, of which there are some elements each. Where they
// show nothing the indices of the source do, and where these do not, an axis that some buffer has alone varies fastest,
// unless a name says that another is the length of rows.
func (s *Specification) ordered(list []string, a argument, each int) []string {
	touched, other := a.touched(), a.other
	fits := func(list []string) bool { return s.fits(list, a, each) }
	orders := permutations(list)
	named := func(extent string) bool { return lengthOfRows(strings.SplitN(strings.Trim(extent, `"`), " ", 2)[0]) }
	slices.SortStableFunc(orders, func(x, y []string) int {
		last, other := x[len(x)-1], y[len(y)-1]
		switch alone := s.alone(last); {
		case alone == s.alone(other) || named(last) || named(other):
			return 0
		case alone:
			return -1
		}
		return 1
	})
	s.bySource(orders, a.Name)
	if i := slices.IndexFunc(orders, fits); i >= 0 && a.tells() {
		return orders[i]
	}
	// a shorter grid reads as far for the neighbours of elements: as long a buffer may say more
	for _, b := range s.args {
		if a = b; b.tells() && b.touched() == touched && b.other == other {
			if i := slices.IndexFunc(orders, fits); i >= 0 {
				return orders[i]
			}
		}
	}
	return orders[0]
}

// mostBorder is how wide the border of a field may be that a launch leaves alone.
const mostBorder = 2

// field are extents over axes of the grid, the last varying fastest, of which all is touched up to a border along some
// of them. It takes two sets of lengths to tell; nil if there are none such.
func (s *Specification) field(n, other int) []string {
	var along []string
	for _, g := range slices.Backward(s.grid[:]) { // x varies fastest more often than not
		if len(g.axes) == 1 {
			along = append(along, fmt.Sprintf("%q", s.axes[g.axes[0]].name))
		}
	}
	if len(along) < 2 || other == 0 {
		return nil
	}
	for _, order := range permutations(along) {
		for border := range power(mostBorder+1, len(order)) {
			if s.upToBorder(order, border, func(a axis) int { return a.base }) == n &&
				s.upToBorder(order, border, axis.otherBase) == other {
				return order
			}
		}
	}
	return nil
}

// upToBorder are the elements up to the last of extents that lies within a border, which is a digit of a number for
// each.
func (s *Specification) upToBorder(order []string, border int, length func(axis) int) int {
	n := 0
	for _, name := range order {
		a := s.axes[slices.IndexFunc(s.axes, func(a axis) bool { return fmt.Sprintf("%q", a.name) == name })]
		n, border = n*length(a)+length(a)-1-border%(mostBorder+1), border/(mostBorder+1)
	}
	return n + 1
}

func power(base, exponent int) int {
	n := 1
	for range exponent {
		n *= base
	}
	return n
}

// orderedBy is ordered with a number that is no axis: elements next to each other, or as many planes if shorter grids
// show that.
func (s *Specification) orderedBy(list []string, a argument, by int) []string {
	next := s.ordered(list, a, by)
	if planes := s.ordered(list, a, 1); a.tells() && !s.fits(next, a, by) && s.fits(planes, a, 1) {
		return append([]string{fmt.Sprint(by)}, planes...)
	}
	return append(next, fmt.Sprint(by))
}

// fits reports whether extents in this order, with so many elements for each, touch as much less as they do where
// grids are shorter.
func (s *Specification) fits(list []string, a argument, each int) bool {
	for at, step := range a.steps {
		if step <= 0 || len(s.grid[at].axes) != 1 {
			continue
		}
		along := s.axes[s.grid[at].axes[0]]
		turn := each * max(along.parts, 1)
		i := slices.Index(list, fmt.Sprintf("%q", along.name))
		if i < 0 {
			i, turn = slices.Index(list, fmt.Sprintf(`"%s // %d"`, along.name, along.parts)), each
		}
		if i < 0 {
			continue
		}
		for _, inner := range list[i+1:] {
			turn *= s.length(inner)
		}
		if turn > 0 && turn != step { // a part of an axis is not told
			return false
		}
	}
	return true
}

// fitsSome reports whether some order of the extents does, or nothing is told.
func (s *Specification) fitsSome(list []string, a argument) bool {
	return !a.tells() || slices.ContainsFunc(permutations(list), func(list []string) bool { return s.fits(list, a, 1) })
}

// tells reports whether shorter grids touch less of the buffer.
func (a argument) tells() bool {
	return slices.ContainsFunc(a.steps[:], func(step int) bool { return step > 0 })
}

// length is that of an extent in quotes, an axis or a part of one.
func (s *Specification) length(extent string) int {
	name, by, divided := strings.Cut(strings.Trim(extent, `"`), " // ")
	n, parts := 0, 1
	for _, a := range s.axes {
		if a.name == name {
			n = a.base
		}
		if a.name == by {
			parts = a.base
		}
	}
	if number, err := strconv.Atoi(by); divided && err == nil && number > 0 {
		parts = number
	}
	return n / parts
}

// alone reports whether some buffer is as long as one axis.
func (s *Specification) alone(extent string) bool {
	return slices.ContainsFunc(s.args, func(a argument) bool {
		list, row, ok := s.product(a.touched(), a.other)
		return ok && !a.passed() && a.row == 0 &&
			(len(list) == 0 && fmt.Sprintf("%q", row) == extent || len(list) == 1 && row == "" && list[0] == extent)
	})
}

// permutations are all orders of a few names, the given one first.
func permutations(list []string) [][]string {
	if len(list) < 2 {
		return [][]string{list}
	}
	var all [][]string
	for i := len(list) - 1; i >= 0; i-- { // what stands last stays there longest
		rest := slices.Delete(slices.Clone(list), i, i+1)
		for _, p := range permutations(rest) {
			all = append(all, append(p, list[i]))
		}
	}
	return all
}

// strideBase is how far rows lie apart: further than they are long.
const strideBase = 71

// view is rows that lie apart, each part an axis.
type view struct{ rows, stride, row int }

// elements are those up to the end of the last row.
func (v view) elements(axes []axis) int {
	return (axes[v.rows].base-1)*axes[v.stride].base + axes[v.row].base
}

// view is the one that has n elements. Rows as long as most are come first.
func (s *Specification) view(n int) (view, bool) {
	var found []view
	for rows := range s.axes {
		for stride := range s.axes {
			for row := range s.axes {
				v := view{rows, stride, row}
				if rows != stride && stride != row && rows != row && s.axes[stride].of != "" &&
					s.axes[stride].base != longBase && v.elements(s.axes) == n {
					found = append(found, v)
				}
			}
		}
	}
	if i := slices.IndexFunc(found, func(v view) bool { return s.axes[v.row].base == longBase }); i > 0 {
		return found[i], true
	}
	if len(found) == 0 {
		return view{}, false
	}
	return found[0], true
}

// apart reports whether elements are those of rows that were found to lie apart.
func (s *Specification) apart(n int) bool {
	v, ok := s.view(n)
	return ok && s.axes[v.stride].apart != ""
}

// product are axes, and an expression for the length of rows, whose product is n, and where all axes have other
// lengths another number, unless that is 0.
func (s *Specification) product(n, other int) (list []string, row string, ok bool) {
	return s.productWith(-1, n, other)
}

// multiple are axes and the least number whose product is n, and where all axes have other lengths another number:
// what the source itself says of a buffer, such as the width of a window, is no axis.
func (s *Specification) multiple(n, other int) (list []string, by int) {
	for set := 1; set < 1<<min(len(s.axes), 8); set++ {
		product, others := 1, 1
		var names []string
		for i, a := range s.axes {
			switch {
			case set>>i&1 == 0:
				continue
			case a.below != "" || a.flag() || usualBase(a.name) > 2:
				product = 0
			}
			names = append(names, fmt.Sprintf("%q", a.name))
			product *= a.base
			others *= a.otherBase()
		}
		if product == 0 || n%product != 0 || n/product*others != other {
			continue
		}
		if m := n / product; m > 1 && (by == 0 || m < by) {
			list, by = names, m
		}
	}
	return list, by
}

// shorter is an axis that is one longer than what a product of axes has of it, such as the width of a window over what
// came before. Only one that is named alone is.
func (s *Specification) shorter(a argument) (list []string, row string, axis int) {
	if _, _, ok := s.product(a.touched(), a.other); ok || a.passed() || a.row > 0 || a.spread != nil ||
		a.touched() == 0 || s.apart(a.touched()) {
		return nil, "", -1
	}
	for i, of := range s.axes {
		if list, row, ok := s.productWith(i, a.touched(), a.other); ok && of.base != longBase && a.other > 0 {
			return list, row, i
		}
	}
	return nil, "", -1
}

// productWith is product with one axis a place shorter; -1 is none.
func (s *Specification) productWith(shorter, n, other int) (list []string, row string, ok bool) {
	if list, row, ok = s.cutWith(false, shorter, n, other); ok {
		return list, row, ok
	}
	return s.cutWith(true, shorter, n, other)
}

// cutWith is the same with axes of which parts may count in place of elements, or none.
func (s *Specification) cutWith(cuts bool, shorter, n, other int) (list []string, row string, ok bool) {
	for _, by := range []int{1, 2, 4, 8, 16, 32, 64} {
		for set, cut := 1, 0; set < 1<<min(len(s.axes), 8); set, cut = s.next(set, cut, cuts) {
			product, others := 1, 1
			list, row = nil, ""
			for i, a := range s.axes {
				switch {
				case set>>i&1 == 0:
					continue
				case a.below != "" || a.flag() || usualBase(a.name) > 2:
					product = 0
				case cut>>i&1 != 0:
					list = append(list, fmt.Sprintf(`"%s // %d"`, a.name, a.parts))
					product *= a.base / a.parts
					others *= a.otherBase() / a.parts
					continue
				case i == shorter:
					list = append(list, fmt.Sprintf(`"%s - 1"`, a.name))
					product *= a.base - 1
					others *= a.otherBase() - 1
					continue
				case a.base == longBase:
					row = a.name
				default:
					list = append(list, fmt.Sprintf("%q", a.name))
				}
				product *= a.base
				others *= a.otherBase()
			}
			if shorter >= 0 && set>>shorter&1 == 0 || product%by != 0 || product/by != n ||
				other > 0 && others/by != other || by > 1 && row == "" {
				continue
			}
			if by > 1 {
				row = s.quotient(row, by)
			}
			return list, row, true
		}
	}
	return nil, "", n == 1
}

// next is what comes behind a set of axes, some of which are cut into their parts: another cut of it, or the next set.
func (s *Specification) next(set, cut int, cuts bool) (int, int) {
	for cut++; cuts && cut <= set; cut++ {
		if cut&^set == 0 && !slices.ContainsFunc(s.indices(cut),
			func(i int) bool { return s.axes[i].parts < 2 || s.axes[i].base == longBase }) {
			return set, cut
		}
	}
	return set + 1, 0
}

// indices are the axes of a set.
func (s *Specification) indices(set int) (list []int) {
	for i := range s.axes {
		if set>>i&1 != 0 {
			list = append(list, i)
		}
	}
	return list
}

// quotient is an expression for rows divided by a number, which may be that of elements that share a scale, or follow
// from that of the bits of a code in words.
func (s *Specification) quotient(row string, by int) string {
	for _, a := range s.axes {
		switch of := usualBase(a.name); {
		case of > 2 && of == by && of >= 32:
			return row + " // " + a.name
		case of == 4 && by == 32/of:
			return row + " * " + a.name + " // 32"
		}
	}
	return fmt.Sprintf("%s // %d", row, by)
}

// namesIn are the axes in an expression.
func (s *Specification) namesIn(text string) []string {
	var list []string
	for _, word := range strings.Fields(text) {
		if slices.ContainsFunc(s.axes, func(a axis) bool { return a.name == word }) {
			list = append(list, word)
		}
	}
	return list
}
