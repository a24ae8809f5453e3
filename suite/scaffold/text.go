package scaffold

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"metalconform/metalrun"
)

// guess marks a line with something that the source does not say.
const guess = "# guess: "

// Text is the specification, for the kernel of a file.
func (s *Specification) Text(file string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# A first specification of %s in %s. The source does not say what is marked as a guess:\n",
		s.info.Name, file)
	fmt.Fprintf(&b, "# confirm it or put it right. Then say in the oracle what the kernel computes.\n\n")
	if why := cmp.Or(s.spent, s.skipped); why != nil && s.refused == "" {
		fmt.Fprintf(&b, "# Not all that shows lengths was launched, and some are open: %v\n\n", why)
	}
	if s.refused != "" {
		fmt.Fprintf(&b, "# No launch was found that ends well, so lengths are open: %s\n\n",
			strings.ReplaceAll(s.refused, "\n", " "))
	}
	s.oracle(&b)
	fmt.Fprintf(&b, "kernel(\n    name = %q,\n    args = [\n", s.info.Name)
	next := 0
	for _, a := range s.args {
		index := ""
		if a.Index != next {
			index = fmt.Sprintf(", index = %d", a.Index)
		}
		next = a.Index + 1
		for _, line := range s.argument(a, index) {
			fmt.Fprintf(&b, "        %s\n", line)
		}
	}
	b.WriteString("    ],\n")
	s.launch(&b)
	s.sweep(&b)
	fmt.Fprintf(&b, "    oracle = %s,\n)\n", s.oracleName())
	return b.String()
}

// argument is the lines of one argument.
func (s *Specification) argument(a argument, index string) []string {
	if a.passed() {
		return s.passed(a, index)
	}
	role := "input"
	if a.Writable {
		role = "output"
		if a.sees || a.atomic() || a.row > 0 { // rows that nothing picks stay
			role = "inout"
		}
	}
	extents, why := s.extents(a)
	if width := s.width(a); width > 1 && extents != "" {
		extents = vectors(extents, width)
	}
	if a.depends && a.row == 0 {
		why += "; how far, integers in other buffers say"
	}
	fill := ""
	switch {
	case a.offsets != nil:
		fill = fmt.Sprintf(", fill = offsets(%q)", s.axes[a.offsets.end].name)
	case a.atomic():
		fill, why = ", fill = every(0)", why+"; zero before the launch"
	case slices.Contains([]string{"u32", "i32", "u64", "i64"}, a.elements) && role != "output" && !a.words:
		of, of2 := s.bound()
		kind := "below"
		if s.scatters() {
			kind, of2 = "distinct", "integers pick rows to be written, each once"
		}
		fill, why = fmt.Sprintf(", fill = %s(%s)", kind, of), why+"; "+of2
	}
	if a.head > 0 {
		why += fmt.Sprintf("; %d of %s, then its %s", a.head, a.Type, a.Tail.Name)
	} else if fields := len(a.Fields); fields > 1 && a.elements == "u8" {
		why += fmt.Sprintf("; bytes of %s, which has %d members", a.Type, fields)
	}
	return []string{fmt.Sprintf("%s(%q, %s, %s%s%s),  %s%s", role, a.called, a.elements, extents, fill, index, guess,
		why)}
}

// width is how many numbers an element of a buffer has, as in a vector or a struct.
func (s *Specification) width(a argument) int {
	if _, scalar := types[strings.TrimSuffix(a.Type, "*")]; scalar || len(a.Fields) == 0 {
		return 1
	}
	return a.Size / size(a.elements)
}

// vectors are extents of elements with so many numbers each, next to each other.
func vectors(extents string, width int) string {
	list, strides, apart := strings.Cut(extents, ", strides = [")
	if !apart {
		return fmt.Sprintf("%s, %d", list, width)
	}
	var by []string
	for _, stride := range strings.Split(strings.TrimSuffix(strides, "]"), ", ") {
		if strings.HasPrefix(stride, `"`) {
			stride = fmt.Sprintf(`"%s * %d"`, strings.Trim(stride, `"`), width)
		} else {
			stride = fmt.Sprint(width)
		}
		by = append(by, stride)
	}
	return fmt.Sprintf("%s, %d, strides = [%s, 1]", list, width, strings.Join(by, ", "))
}

// passed is the lines of what setBytes passes.
func (s *Specification) passed(a argument, index string) []string {
	line := func(p scalar, offset string) string {
		typ, mark := p.typ, ""
		if typ == "" {
			typ = "u32"
		}
		if p.guess {
			mark = "  " + guess + "the value"
		}
		return fmt.Sprintf("scalar(%q, %s, %s%s),%s", p.name, typ, p.value, offset, mark)
	}
	if len(a.scalars) == 1 && a.scalars[0].name == a.called {
		return []string{line(a.scalars[0], index)}
	}
	name := ""
	if len(a.Fields) > 0 && a.Fields[0].Name != "" {
		name = fmt.Sprintf(", struct = %q", a.Type)
	}
	lines := []string{fmt.Sprintf("struct(\n            %q,", a.Name)}
	end := 0
	for _, p := range a.scalars {
		size := size(p.typ)
		offset := ""
		if natural := (end + size - 1) / size * size; natural != p.offset {
			offset = fmt.Sprintf(", offset = %d", p.offset)
		}
		end = p.offset + size
		lines = append(lines, "    "+line(p, offset))
	}
	return append(lines, fmt.Sprintf("    bytes = %d%s%s,", a.Size, name, index), "),")
}

// size is that of a type in bytes.
func size(typ string) int {
	switch typ {
	case "u8", "i8", "bool":
		return 1
	case "u16", "i16", "f16", "bf16":
		return 2
	case "u64", "i64":
		return 8
	}
	return 4
}

// scatters reports whether integers pick rows that are written.
func (s *Specification) scatters() bool {
	return slices.ContainsFunc(s.args, func(a argument) bool { return a.Writable && a.row > 0 })
}

// pickedLengths are other lengths of the axis of rows that integers pick: of rows that are written there are enough
// for all.
func (s *Specification) pickedLengths() string {
	if s.scatters() {
		return "100"
	}
	return "1, 100"
}

// least is the smallest axis.
func (s *Specification) least() string {
	at := 0
	for i, a := range s.axes {
		if a.base < s.axes[at].base && usualBase(a.name) == 0 && a.below == "" {
			at = i
		}
	}
	return fmt.Sprintf("%q", s.axes[at].name)
}

// bound is what integers in buffers stay below, and why.
func (s *Specification) bound() (text, why string) {
	if slices.ContainsFunc(s.args, func(a argument) bool { return a.row > 0 }) {
		return fmt.Sprintf("%q", s.picked()), "integers pick rows"
	}
	return s.least(), "integers stay below the least length"
}

// picked is the axis of rows that integers pick: one that no other buffer has, if there is such.
func (s *Specification) picked() string {
	used := map[string]bool{}
	for _, a := range s.args {
		n := a.touched()
		if a.row > 0 {
			n = a.row
		}
		if list, row, ok := s.product(n, 0); ok && n > 1 && !a.passed() && a.offsets == nil {
			for _, name := range append(list, fmt.Sprintf("%q", strings.SplitN(row, " ", 2)[0])) {
				used[name] = true
			}
		}
	}
	for i, a := range s.axes {
		strides := slices.ContainsFunc(s.args, func(of argument) bool { return of.stride == i+1 })
		if a.of != "" && !strides && !used[fmt.Sprintf("%q", a.name)] && !s.inGrid(i) && usualBase(a.name) == 0 &&
			a.below == "" && a.apart == "" {
			return a.name
		}
	}
	return pickedAxis
}

// launch is the lines of the grid.
func (s *Specification) launch(b *strings.Builder) {
	name := "threadgroups"
	if s.threads {
		name = "threads"
	}
	var extents []string
	for _, size := range s.grid {
		extents = append(extents, size.text(s.axes))
	}
	for len(extents) > 1 && extents[len(extents)-1] == "1" {
		extents = extents[:len(extents)-1]
	}
	fmt.Fprintf(b, "    %s = [%s],  %sthe grid\n", name, strings.Join(extents, ", "), guess)
	of := sizes(s.of)
	if s.perAxis > 0 {
		of = fmt.Sprintf("%q", s.axes[s.perAxis-1].name)
	}
	fmt.Fprintf(b, "    threads_per_threadgroup = %s,  %sthe host's choice\n", of, guess)
	if s.memory > 0 {
		var lengths []string
		for range s.memory {
			lengths = append(lengths, fmt.Sprint((32<<10-(s.info.StaticThreadgroupMemory+15)/16*16)/s.memory/16*16))
		}
		fmt.Fprintf(b, "    threadgroup_memory = [%s],  %sbytes\n", strings.Join(lengths, ", "), guess)
	}
	var list []string
	for _, c := range s.constants {
		switch {
		case c.varies:
			list = append(list, fmt.Sprintf("%q: %q", c.Name, constantAxis(c.Name)))
		case c.Bool:
			list = append(list, fmt.Sprintf("%q: 1", c.Name))
		default:
			list = append(list, fmt.Sprintf("%q: %s", c.Name, c.Value))
		}
	}
	if len(list) > 0 {
		fmt.Fprintf(b, "    constants = {%s},  %sthe values\n", strings.Join(list, ", "), guess)
	}
}

// constantAxis is the axis of a function constant.
func constantAxis(name string) string { return strings.ToLower(name) }

func sizes(of metalrun.Size) string {
	if of.Y == 1 && of.Z == 1 {
		return fmt.Sprint(of.X)
	}
	return fmt.Sprintf("[%d, %d, %d]", of.X, of.Y, of.Z)
}

// sweep is the lines of the points: about the one that was tried.
func (s *Specification) sweep(b *strings.Builder) {
	var base, vary, conditions, parameters []string
	demand := func(condition string, names ...string) {
		conditions = append(conditions, condition)
		for _, name := range names {
			if !slices.Contains(parameters, name) {
				parameters = append(parameters, name)
			}
		}
	}
	by, shorter := s.divisions()
	for i, a := range s.axes {
		base = append(base, fmt.Sprintf("%q: %d", a.name, s.baseOf(i, by)))
		values := "1, 4"
		if a.name == totalAxis {
			values = "1, 100"
		}
		if a.parts > 1 {
			values = fmt.Sprintf("%d, %d", a.parts, 4*a.parts)
		}
		if slices.Contains(shorter, i) {
			values = "2, 4"
		}
		if a.apart != "" {
			values = "64, 1000"
			demand(a.name+" >= "+a.apart, append([]string{a.name}, s.namesIn(a.apart)...)...)
		}
		if a.below != "" {
			values = "0, 1"
			demand(a.name+" < "+a.below, a.name, a.below)
		}
		if a.base == longBase {
			if values = "32, 96, 1024"; s.perAxis > 0 {
				values = "32, 256, 1024"
			} else if by := max(by, a.parts); by > 1 {
				values = fmt.Sprintf("%d, %d, 1024", by, 3*by)
			} else if s.ragged && !slices.ContainsFunc(s.axes, func(a axis) bool { return usualBase(a.name) > 2 }) {
				values = "1, 33, 100, 1000"
			}
		}
		if s.perAxis == i+1 && a.base != longBase {
			values = "256, 1024"
		}
		switch {
		case slices.ContainsFunc(s.axes, func(place axis) bool { return place.below == a.name }) && a.base != longBase:
			values = fmt.Sprintf("%d, %d", a.base+1, 3*a.base)
		case a.flag():
			values = "0"
		case usualBase(a.name) > 2:
			values = fmt.Sprint(2 * a.base)
		}
		vary = append(vary, fmt.Sprintf("%q: [%s]", a.name, values))
	}
	if of, _ := s.bound(); of == fmt.Sprintf("%q", pickedAxis) {
		base, vary = append(base, fmt.Sprintf("%q: 11", pickedAxis)),
			append(vary, fmt.Sprintf("%q: [%s]", pickedAxis, s.pickedLengths()))
	}
	for _, c := range s.constants {
		if c.varies {
			base = append(base, fmt.Sprintf("%q: 1", constantAxis(c.Name)))
			vary = append(vary, fmt.Sprintf("%q: [0]", constantAxis(c.Name)))
		}
	}
	fmt.Fprintf(b, "    base = {%s},\n", strings.Join(base, ", "))
	fmt.Fprintf(b, "    vary = {%s},  %swhat a host launches\n", strings.Join(vary, ", "), guess)
	if len(conditions) > 0 {
		fmt.Fprintf(b, "    check = lambda %s: None if %s else \"no place for the rows\",\n",
			strings.Join(parameters, ", "), strings.Join(conditions, " and "))
	}
	s.settings(b)
}

// baseOf is the length of an axis at base, where all families of inputs are tried. Rows that a threadgroup goes along
// are long enough for all its simdgroups to have a part.
func (s *Specification) baseOf(i, by int) int {
	a := s.axes[i]
	if a.base != longBase || s.threads || s.inGrid(i) || s.perAxis > 0 || s.of.Y > 1 || s.of.X <= longBase ||
		a.below != "" || a.apart != "" {
		return a.base
	}
	if slices.ContainsFunc(s.axes, func(other axis) bool { return other.below == a.name || other.apart != "" }) {
		return a.base
	}
	if s.ragged && by == 1 {
		return s.of.X + 44
	}
	return 2 * s.of.X
}

// divisions are what the length of rows is divided by, at most, in some buffer, and the axes of which some buffer has
// one less.
func (s *Specification) divisions() (by int, shorter []int) {
	by = 1
	for _, a := range s.args {
		_, row, _ := s.product(a.touched(), a.other)
		if _, of, divided := strings.Cut(row, " // "); divided && !a.passed() && a.row == 0 {
			if n, err := strconv.Atoi(of); err == nil {
				by = max(by, n)
			} else if n := s.length(of); n > 0 {
				by = max(by, n)
			}
		}
		if _, _, at := s.shorter(a); at >= 0 {
			shorter = append(shorter, at)
		}
	}
	return by, shorter
}

// settings is the line that gives numbers other values: a kernel that has them in its source fails.
func (s *Specification) settings(b *strings.Builder) {
	var list []string
	for _, a := range s.args {
		for _, p := range a.scalars {
			switch {
			case !p.guess || padding(p.name) || !slices.Contains([]string{"f32", "f16", "bf16"}, p.typ):
			case p.value == usualFloat:
				list = append(list, fmt.Sprintf("%q: [0.5]", p.name))
			default:
				list = append(list, fmt.Sprintf("%q: [0.1]", p.name))
			}
		}
	}
	if len(list) > 0 {
		fmt.Fprintf(b, "    settings = {%s},  %sother values\n", strings.Join(list, ", "), guess)
	}
}

func (s *Specification) oracleName() string { return s.identifier() + "_oracle" }

// identifier is the kernel's name as one of Starlark.
func (s *Specification) identifier() string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, s.info.Name)
}

// oracle is a definition that is yet to be written. Until then the kernel is not judged: zeros would be taken for what
// it should compute.
func (s *Specification) oracle(b *strings.Builder) {
	var parameters, outputs []string
	seen := map[string]bool{}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			parameters = append(parameters, name)
		}
	}
	for _, a := range s.args {
		switch {
		case a.passed():
			for _, p := range a.scalars {
				if p.guess && !padding(p.name) {
					add(p.name)
				}
			}
		case !a.Writable || a.sees || a.atomic() || a.row > 0:
			add(a.called)
		}
		if a.Writable {
			outputs = append(outputs, fmt.Sprintf("%q: 0", a.called))
		}
	}
	fmt.Fprintf(b, "# Parameters are inputs, as tensors of their extents, scalars and axes (%s).\n", s.axisNames())
	fmt.Fprintf(b, "def %s(%s):\n    fail(%q)  # say it below, such as %s\n    return {%s}\n\n", s.oracleName(),
		strings.Join(parameters, ", "), "say what "+s.info.Name+" computes", `{"y": softmax(x)}, and remove this line`,
		strings.Join(outputs, ", "))
}

func (s *Specification) axisNames() string {
	var names []string
	if of, _ := s.bound(); of == fmt.Sprintf("%q", pickedAxis) {
		names = append(names, pickedAxis)
	}
	for _, a := range s.axes {
		names = append(names, a.name)
	}
	for _, c := range s.constants {
		if c.varies {
			names = append(names, constantAxis(c.Name))
		}
	}
	return strings.Join(names, ", ")
}
