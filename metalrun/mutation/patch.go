package mutation

import "strings"

// patch is what an edit changes in a text: with replaces the bytes from first to
// end, both of which are ends of tokens.
type patch struct {
	first, end int
	with       string
}

// difference is the smallest patch that makes b of a, grown to whole words,
// operators and pairs of brackets.
func difference(a, b string) patch {
	first := 0
	for first < len(a) && first < len(b) && a[first] == b[first] {
		first++
	}
	same := 0
	for same < len(a)-first && same < len(b)-first && a[len(a)-1-same] == b[len(b)-1-same] {
		same++
	}
	for {
		x, y := a[first:len(a)-same], b[first:len(b)-same]
		switch {
		case first > 0 && (within(a, first) || within(b, first) || unbalanced(x, y, -1) || called(a[first-1:], x, y)):
			first--
		case same > 0 && (within(a, len(a)-same) || within(b, len(b)-same) || unbalanced(x, y, +1)):
			same--
		default:
			return patch{first, len(a) - same, y}
		}
	}
}

// within reports whether a cut before byte i of text would divide a word or an
// operator.
func within(text string, i int) bool {
	return i > 0 && i < len(text) && class(text[i]) != other && class(text[i-1]) == class(text[i])
}

// Classes of bytes.
const (
	other = iota
	word
	operator
)

func class(c byte) int {
	switch {
	case c == '_', c == '.', '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		return word
	case strings.IndexByte("+-*/%<>=!&|^~", c) >= 0:
		return operator
	}
	return other
}

// unbalanced reports whether x or y closes a bracket that it has not opened (side
// -1), or leaves one open (side +1).
func unbalanced(x, y string, side int) bool {
	return side*depth(x, side) > 0 || side*depth(y, side) > 0
}

// depth is how many brackets text leaves open, or with side -1 the least that are
// open anywhere in it.
func depth(text string, side int) int {
	open, least := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '(', '[', '{':
			open++
		case ')', ']', '}':
			open--
		}
		least = min(least, open)
	}
	if side < 0 {
		return least
	}
	return open
}

// called reports whether x or y begins with the bracket of an index or a call
// whose name ends text's first byte.
func called(text, x, y string) bool {
	bracket := func(s string) bool { return s != "" && (s[0] == '(' || s[0] == '[') }
	return class(text[0]) == word && (bracket(x) || bracket(y))
}

func (p patch) empty() bool { return p.first == p.end && p.with == "" }

func (p patch) apply(text string) string { return text[:p.first] + p.with + text[p.end:] }

// whole is the range of the lines of text that the patch touches, without the
// last newline.
func (p patch) whole(text string) (first, end int) {
	first = strings.LastIndexByte(text[:p.first], '\n') + 1
	end = len(text)
	if i := strings.IndexByte(text[p.end:], '\n'); i >= 0 {
		end = p.end + i
	}
	return first, end
}

// context is how many bytes a marked edit shows of the line on each side, and of
// each end of long text within it.
const context = 60

// marked is the touched lines as one, with «old → new» where the edit is: whole
// lines if there are several. Long text is cut to what surrounds the edit.
func (p patch) marked(text string) string {
	first, end := p.whole(text)
	if strings.Contains(text[p.first:p.end]+p.with, "\n") {
		p = patch{first, end, text[first:p.first] + p.with + text[p.end:end]}
	}
	before, after := joined(text[first:p.first]), joined(text[p.end:end])
	if len(before) > context {
		before = "…" + strings.ToValidUTF8(before[len(before)-context:], "")
	}
	if len(after) > context {
		after = strings.ToValidUTF8(after[:context], "") + "…"
	}
	edit := strings.TrimSpace(middle(text[p.first:p.end]) + " → " + middle(p.with))
	return strings.TrimSpace(before + gap(text, p.first) + "«" + edit + "»" + gap(text, p.end) + after)
}

// gap is the space at a cut, if there is some.
func gap(text string, i int) string {
	if i > 0 && text[i-1] == ' ' || i < len(text) && text[i] == ' ' {
		return " "
	}
	return ""
}

// middle is text on one line, without its middle if it is long.
func middle(text string) string {
	text = joined(text)
	if len(text) > 2*context {
		text = strings.ToValidUTF8(text[:context], "") + " … " + strings.ToValidUTF8(text[len(text)-context:], "")
	}
	return text
}

// lines is the touched lines of text with -, then what replaces them with +.
func (p patch) lines(text string) string {
	first, end := p.whole(text)
	var b strings.Builder
	for line := range strings.Lines(text[first:end] + "\n") {
		b.WriteString("-" + line)
	}
	for line := range strings.Lines(text[first:p.first] + p.with + text[p.end:end] + "\n") {
		b.WriteString("+" + line)
	}
	return b.String()
}

// joined is text on one line.
func joined(text string) string { return strings.Join(strings.Fields(text), " ") }
