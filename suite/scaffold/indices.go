package scaffold

import (
	"regexp"
	"slices"
	"strings"
)

// The order in which the extents of a buffer lie in memory stands in the index of an access, where the source writes it
// out: in (t * heads + h) * width + i each axis but the outermost is a factor, the outer before the inner.

// factor is an axis that an index is multiplied by, alone or as a member of a struct.
var factor = regexp.MustCompile(`\*\s*(?:\w+(?:\.|->))*([A-Za-z_]\w*)\b`)

// indicesOf are the texts of the indices, and of what is added to the pointer, with which lines access a buffer.
func indicesOf(lines []string, buffer string) (list []string) {
	text := strings.Join(lines, " ")
	access := regexp.MustCompile(`\b` + regexp.QuoteMeta(buffer) + `\s*(\[|\+)`)
	for _, m := range access.FindAllStringIndex(text, -1) {
		depth := 0
		end := strings.IndexFunc(text[m[1]:], func(r rune) bool {
			switch r {
			case '[', '(':
				depth++
			case ']', ')':
				depth--
			}
			return depth < 0 || depth == 0 && (r == ';' || r == ',')
		})
		if end > 0 {
			list = append(list, text[m[1]:m[1]+end])
		}
	}
	return list
}

// factors are those of some extents that the source multiplies an index of a buffer by, in the order of an access that
// has all but one of them; nil if none has.
func (s *Specification) factors(extents []string, buffer string) []string {
	for _, index := range indicesOf(s.body, buffer) {
		var found []string
		for _, m := range factor.FindAllStringSubmatch(index, -1) {
			name := `"` + m[1] + `"`
			if slices.Contains(extents, name) && !slices.Contains(found, name) {
				found = append(found, name)
			}
		}
		if len(found) > 0 && len(found) == len(extents)-1 {
			return found
		}
	}
	return nil
}

// bySource puts the orders of extents first that the source's indices have.
func (s *Specification) bySource(orders [][]string, buffer string) {
	factors := s.factors(orders[0], buffer)
	if factors == nil {
		return
	}
	other := func(order []string) int {
		if slices.Equal(order[1:], factors) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(orders, func(x, y []string) int { return other(x) - other(y) })
}

// bodyOf are the lines of a text from that of a kernel to the end of its body.
func bodyOf(text string, line int) []string {
	lines := strings.Split(text, "\n")
	depth, begun := 0, false
	for i := max(line-1, 0); i < len(lines); i++ {
		code, _, _ := strings.Cut(lines[i], "//")
		depth += strings.Count(code, "{") - strings.Count(code, "}")
		if begun = begun || strings.Contains(code, "{"); begun && depth <= 0 {
			return lines[max(line-1, 0) : i+1]
		}
	}
	return nil
}
