package sketch

import (
	"fmt"
	"slices"
	"strings"

	"metalconform/metalrun"
)

// guess marks a line with something that the source does not say.
const guess = "# guess: "

// Text is the specification, for the kernel of a file.
func (s *Sketch) Text(file string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# A first specification of %s in %s. The source does not say what is marked as a guess:\n", s.info.Name, file)
	fmt.Fprintf(&b, "# confirm it or put it right. Then say in the oracle what the kernel computes.\n\n")
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
func (s *Sketch) argument(a argument, index string) []string {
	if a.passed() {
		return s.passed(a, index)
	}
	role, n := "input", a.reads
	if a.Writable {
		role, n = "output", max(a.reads, a.writes)
		if a.sees || a.atomic() {
			role = "inout"
		}
	}
	extents, why := s.extents(n)
	fill := ""
	switch {
	case a.atomic():
		fill, why = ", fill = every(0)", why+"; zero before the launch"
	case slices.Contains([]string{"u32", "i32", "u64", "i64"}, a.elements) && role != "output":
		fill, why = fmt.Sprintf(", fill = below(%s)", s.least()), why+"; integers stay below the least length"
	}
	if fields := len(a.Fields); fields > 1 {
		why += fmt.Sprintf("; bytes of %s, which has %d members", a.Type, fields)
	}
	return []string{fmt.Sprintf("%s(%q, %s, %s%s%s),  %s%s", role, a.Name, a.elements, extents, fill, index, guess, why)}
}

// passed is the lines of what setBytes passes.
func (s *Sketch) passed(a argument, index string) []string {
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
	if len(a.scalars) == 1 && a.scalars[0].name == a.Name {
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

// least is the smallest axis.
func (s *Sketch) least() string {
	at := 0
	for i, a := range s.axes {
		if a.base < s.axes[at].base {
			at = i
		}
	}
	return fmt.Sprintf("%q", s.axes[at].name)
}

// extents are those of a buffer of which a trial has touched so many elements.
func (s *Sketch) extents(n int) (text, why string) {
	switch n {
	case 0:
		return `"` + s.axes[0].name + `"`, "no launch was found that touches it"
	case 1:
		return "1", "a launch touches one element"
	}
	outer, row, ok := s.product(n)
	if v, strided := s.view(n); !ok && strided && s.axes[v.stride].apart != "" {
		rows, row, stride := s.axes[v.rows].name, s.axes[v.row].name, s.axes[v.stride].name
		return fmt.Sprintf("%q, %q, strides = [%q, 1]", rows, row, stride), fmt.Sprintf("a launch touches %d elements, in rows that lie %s apart", n, stride)
	}
	if !ok {
		return fmt.Sprint(n), fmt.Sprintf("a launch touches %d elements, which is no product of axes", n)
	}
	if row != "" {
		outer = append(outer, fmt.Sprintf("%q", row))
	}
	return strings.Join(outer, ", "), fmt.Sprintf("a launch touches %d elements", n)
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
func (s *Sketch) view(n int) (view, bool) {
	var found []view
	for rows := range s.axes {
		for stride := range s.axes {
			for row := range s.axes {
				v := view{rows, stride, row}
				if rows != stride && stride != row && rows != row && s.axes[stride].of != "" && s.axes[stride].base != longBase && v.elements(s.axes) == n {
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

// product are axes, and an expression for the length of rows, whose product is n.
func (s *Sketch) product(n int) (outer []string, row string, ok bool) {
	for _, by := range []int{1, 2, 4, 8, 16, 32, 64} {
		for set := 1; set < 1<<min(len(s.axes), 8); set++ {
			product := 1
			outer, row = nil, ""
			for i, a := range s.axes {
				switch {
				case set>>i&1 == 0:
					continue
				case a.base == longBase:
					row = a.name
				default:
					outer = append(outer, fmt.Sprintf("%q", a.name))
				}
				product *= a.base
			}
			if product%by != 0 || product/by != n || by > 1 && row == "" {
				continue
			}
			if by > 1 {
				row = fmt.Sprintf("%s // %d", row, by)
			}
			return outer, row, true
		}
	}
	return nil, "", n == 1
}

// launch is the lines of the grid.
func (s *Sketch) launch(b *strings.Builder) {
	name := "threadgroups"
	if s.threads {
		name = "threads"
	}
	var extents []string
	for i := range 3 {
		text := "1"
		if s.grid[i] >= 0 {
			text = fmt.Sprintf("%q", s.axes[s.grid[i]].name)
		}
		extents = append(extents, text)
	}
	for len(extents) > 1 && extents[len(extents)-1] == "1" {
		extents = extents[:len(extents)-1]
	}
	fmt.Fprintf(b, "    %s = [%s],  %sthe grid\n", name, strings.Join(extents, ", "), guess)
	of := sizes(s.of)
	if s.perRow {
		of = fmt.Sprintf("%q", s.axes[s.long()].name)
	}
	fmt.Fprintf(b, "    threads_per_threadgroup = %s,  %sthe host's choice\n", of, guess)
	if s.memory > 0 {
		var lengths []string
		for range s.memory {
			lengths = append(lengths, fmt.Sprint((32<<10-(s.info.StaticThreadgroupMemory+15)/16*16)/s.memory/16*16))
		}
		fmt.Fprintf(b, "    threadgroup_memory = [%s],  %sbytes\n", strings.Join(lengths, ", "), guess)
	}
	if len(s.constants) > 0 {
		var list []string
		for i := 0; i+1 < len(s.constants); i += 2 {
			list = append(list, fmt.Sprintf("%q: 1", s.constants[i]))
		}
		fmt.Fprintf(b, "    constants = {%s},  %sthe values\n", strings.Join(list, ", "), guess)
	}
}

func sizes(of metalrun.Size) string {
	if of.Y == 1 && of.Z == 1 {
		return fmt.Sprint(of.X)
	}
	return fmt.Sprintf("[%d, %d, %d]", of.X, of.Y, of.Z)
}

// sweep is the lines of the points: about the one that was tried.
func (s *Sketch) sweep(b *strings.Builder) {
	var base, vary, overlaps []string
	for _, a := range s.axes {
		base = append(base, fmt.Sprintf("%q: %d", a.name, a.base))
		values := "1, 4"
		if a.apart != "" {
			values = "64, 1000"
			overlaps = append(overlaps, a.name, a.apart)
		}
		if a.base == longBase {
			if values = "32, 96, 1024"; s.ragged {
				values = "1, 33, 100, 1000"
			}
		}
		vary = append(vary, fmt.Sprintf("%q: [%s]", a.name, values))
	}
	fmt.Fprintf(b, "    base = {%s},\n", strings.Join(base, ", "))
	fmt.Fprintf(b, "    vary = {%s},  %swhat a host launches\n", strings.Join(vary, ", "), guess)
	if len(overlaps) > 0 {
		s.precondition(b, overlaps)
	}
	s.settings(b)
}

// precondition is the line that refuses points at which rows overlap: strides, and the lengths of
// their rows, in turn.
func (s *Sketch) precondition(b *strings.Builder, overlaps []string) {
	var parameters, apart []string
	for i := 0; i < len(overlaps); i += 2 {
		apart = append(apart, overlaps[i]+" >= "+overlaps[i+1])
	}
	for _, name := range overlaps {
		if !slices.Contains(parameters, name) {
			parameters = append(parameters, name)
		}
	}
	fmt.Fprintf(b, "    check = lambda %s: None if %s else \"rows overlap\",\n", strings.Join(parameters, ", "), strings.Join(apart, " and "))
}

// settings is the line that gives numbers other values than one: a kernel that has them in its source
// fails.
func (s *Sketch) settings(b *strings.Builder) {
	var list []string
	for _, a := range s.args {
		for _, p := range a.scalars {
			switch {
			case !p.guess || !slices.Contains([]string{"f32", "f16", "bf16"}, p.typ):
			case p.value == "1":
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

func (s *Sketch) oracleName() string { return s.identifier() + "_oracle" }

// identifier is the kernel's name as one of Starlark.
func (s *Sketch) identifier() string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, s.info.Name)
}

// oracle is a definition that is yet to be written: it gives zeros.
func (s *Sketch) oracle(b *strings.Builder) {
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
				if strings.HasPrefix(p.value, "1") {
					add(p.name)
				}
			}
		case !a.Writable || a.sees || a.atomic():
			add(a.Name)
		}
		if a.Writable {
			outputs = append(outputs, fmt.Sprintf("%q: 0", a.Name))
		}
	}
	fmt.Fprintf(b, "# Parameters are inputs, as tensors of their extents, scalars and axes (%s).\n", s.axisNames())
	fmt.Fprintf(b, "def %s(%s):\n    # Say what it computes, such as %s\n    return {%s}\n\n", s.oracleName(), strings.Join(parameters, ", "),
		`{"y": softmax(x)}: zeros stand here until then.`, strings.Join(outputs, ", "))
}

func (s *Sketch) axisNames() string {
	var names []string
	for _, a := range s.axes {
		names = append(names, a.name)
	}
	return strings.Join(names, ", ")
}
