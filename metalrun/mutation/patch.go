package mutation

import "strings"

// patch is what an edit changes in a text: with is put in place of the bytes from
// first to end. It begins and ends at ends of tokens.
type patch struct {
	first, end int
	with       string
}

// difference is the smallest patch that makes b of a.
func difference(a, b string) patch {
	first := 0
	for first < len(a) && first < len(b) && a[first] == b[first] {
		first++
	}
	same := 0
	for same < len(a)-first && same < len(b)-first && a[len(a)-1-same] == b[len(b)-1-same] {
		same++
	}
	// Not within a word: grow to the left and to the right while both texts
	// have a letter or digit on each side of the cut.
	for first > 0 && word(a[first-1]) && (at(a, first) || at(b, first)) {
		first--
	}
	for same > 0 && word(a[len(a)-same]) && (at(a, len(a)-same-1) && len(a)-same > first || at(b, len(b)-same-1) && len(b)-same > first) {
		same--
	}
	return patch{first, len(a) - same, b[first : len(b)-same]}
}

// at reports whether text has a letter, digit, point or underscore at i.
func at(text string, i int) bool { return i >= 0 && i < len(text) && word(text[i]) }

func word(c byte) bool {
	return c == '_' || c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
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

// context is how many bytes of a line a marked edit shows on each side, and how
// many of what goes or comes at each end.
const context = 60

// marked is the touched lines as one, with «old → new» where the edit is. Long
// text is cut to what surrounds the edit.
func (p patch) marked(text string) string {
	first, end := p.whole(text)
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

// lines is the touched lines of text with - in front, then those that come with +.
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
