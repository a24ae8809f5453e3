package spec

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.starlark.net/syntax"
)

// The language has no tokens for what people write of tensors: @, **, x[:, 1:3] and x[..., 0]. They are
// replaced before it is parsed, by names that stand for them, and positions are put right afterwards.

// Names that stand for notation.
const (
	matmulName   = "matmul_"
	powerName    = "power_"
	spanName     = "span_"
	ellipsisName = "ellipsis_"
)

// token is a word, a string, or a mark of a text.
type token struct {
	text   string
	at     int   // byte
	line   int32 // from 1
	col    int32 // in runes, from 1
	nested int   // brackets around it
	match  int   // of a bracket: the other one, or -1
}

// end is the byte behind the token.
func (t token) end() int { return t.at + len(t.text) }

// word reports whether a token is a name, a number or a string.
func (t token) word() bool {
	r, _ := utf8.DecodeRuneInString(t.text)
	return r == '_' || r == '"' || r == '\'' || unicode.IsLetter(r) || unicode.IsDigit(r) ||
		r == '.' && len(t.text) > 1 && t.text != "..."
}

// keywords are words that no operand ends with.
var keywords = []string{"and", "or", "not", "in", "if", "elif", "else", "for", "while", "return", "lambda", "def",
	"pass", "break", "continue", "load"}

// operand reports whether an operand may end with the token.
func (t token) operand() bool {
	return t.text == ")" || t.text == "]" || t.text == "}" || t.word() && !slices.Contains(keywords, t.text)
}

// marks are those of several characters.
var marks = []string{"...", "**", "//", "<<", ">>", "<=", ">=", "==", "!="}

// tokens are those of a text, without comments.
func tokens(text string) []token {
	var list []token
	var open []int
	line, col, counted := int32(1), int32(1), 0 // where the byte counted stands
	for i := 0; i < len(text); {
		col, counted = col+int32(utf8.RuneCountInString(text[counted:i])), i
		n := length(text[i:])
		part := text[i : i+n]
		if first := part[0]; first != '#' && first > ' ' && first != '\\' {
			t := token{text: part, at: i, line: line, col: col, nested: len(open), match: -1}
			switch part {
			case "(", "[", "{":
				open = append(open, len(list))
			case ")", "]", "}":
				if len(open) > 0 {
					t.match, open = open[len(open)-1], open[:len(open)-1]
					list[t.match].match, t.nested = len(list), len(open)
				}
			}
			list = append(list, t)
		}
		if newlines := strings.Count(part, "\n"); newlines > 0 {
			line, col, counted = line+int32(newlines), 1, i+strings.LastIndexByte(part, '\n')+1
		}
		i += n
	}
	return list
}

// length is how many bytes the token, space or comment at the beginning of a text has.
func length(text string) int {
	word := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	first, size := utf8.DecodeRuneInString(text)
	switch {
	case first == '#':
		return len(text[:strings.IndexByte(text+"\n", '\n')])
	case first == '"' || first == '\'':
		return quoted(text)
	case unicode.IsDigit(first), first == '.' && len(text) > 1 && unicode.IsDigit(rune(text[1])):
		n := 1
		for n < len(text) &&
			(word(rune(text[n])) || text[n] == '.' || strings.IndexByte("+-", text[n]) >= 0 &&
				strings.IndexByte("eE", text[n-1]) >= 0 && !strings.HasPrefix(text, "0x")) {
			n++
		}
		return n
	case word(first):
		if end := strings.IndexFunc(text, func(r rune) bool { return !word(r) }); end > 0 {
			return end
		}
		return len(text)
	}
	for _, m := range marks {
		if strings.HasPrefix(text, m) {
			return len(m)
		}
	}
	return size
}

// quoted is the length of a string. One that does not end is the scanner's to refuse.
func quoted(text string) int {
	quote := text[:1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(text, triple) {
		quote = triple
	}
	for i := len(quote); i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case strings.HasPrefix(text[i:], quote):
			return i + len(quote)
		case text[i] == '\n' && len(quote) == 1:
			return i
		}
	}
	return len(text)
}

// edit replaces bytes of a text, or inserts some.
type edit struct {
	at, end int
	with    string
}

// edits are those that make a text one of the language, in order.
func edits(text string) []edit {
	if !strings.ContainsAny(text, "@:*") && !strings.Contains(text, "...") {
		return nil
	}
	list := tokens(text)
	var changes []edit
	for i, t := range list {
		switch {
		case t.text == "@" && i > 0:
			changes = append(changes, edit{t.at, t.end(), "*" + matmulName + "*"})
		case t.text == "...":
			changes = append(changes, edit{t.at, t.end(), ellipsisName})
		case t.text == "**" && i > 0 && list[i-1].operand():
			changes = append(changes, power(list, i)...)
		case t.text == "[" && t.match > 0 && i > 0 && list[i-1].operand() &&
			(t.nested > 0 || list[i-1].line == t.line || list[i-1].nested > t.nested):
			changes = append(changes, spans(list, i)...)
		}
	}
	// What is inserted at one place opens from the outermost in, as found from the left, but for the second
	// of two powers, which is in the first.
	slices.SortStableFunc(changes, func(a, b edit) int { return a.at - b.at })
	return changes
}

// power makes a call of the operands on both sides of the operator **.
func power(list []token, i int) []edit {
	first, last := primary(list, i-1), i
	for last+1 < len(list) && (list[last+1].text == "-" || list[last+1].text == "+") {
		last++
	}
	if last = trailed(list, last+1); last >= len(list) {
		return nil
	}
	for last+1 < len(list) && list[last+1].text == "**" { // the right operand is a power itself
		for last++; last+1 < len(list) && (list[last+1].text == "-" || list[last+1].text == "+"); {
			last++
		}
		if last = trailed(list, last+1); last >= len(list) {
			return nil
		}
	}
	return []edit{
		{list[first].at, list[first].at, powerName + "("},
		{list[i].at, list[i].end(), ","},
		{list[last].end(), list[last].end(), ")"},
	}
}

// primary is the first token of the operand that ends with a token: names, calls, indices and attributes.
func primary(list []token, i int) int {
	for {
		if m := list[i].match; m >= 0 {
			if i = m; i == 0 || !list[i-1].operand() || list[i].text == "{" {
				return i
			}
			i--
			continue
		}
		if i < 2 || list[i-1].text != "." {
			return i
		}
		i -= 2
	}
}

// trailed is the last token of the operand that begins with a token.
func trailed(list []token, i int) int {
	if i >= len(list) {
		return i
	}
	if list[i].match > i {
		i = list[i].match
	}
	for i+1 < len(list) {
		switch next := list[i+1]; {
		case next.text == "." && i+2 < len(list):
			i += 2
		case (next.text == "(" || next.text == "[") && next.match > 0:
			i = next.match
		default:
			return i
		}
	}
	return i
}

// spans makes calls of the parts of axes in an index of several.
func spans(list []token, open int) []edit {
	var changes []edit
	inside := list[open].nested + 1
	parts := [][2]int{{open + 1, open + 1}} // from a token to another
	for i := open + 1; i < list[open].match; i++ {
		if parts[len(parts)-1][1] = i + 1; list[i].text == "," && list[i].nested == inside {
			parts[len(parts)-1][1] = i
			parts = append(parts, [2]int{i + 1, i + 1})
		}
	}
	if len(parts) == 1 {
		return nil // the language has it
	}
	for _, p := range parts {
		changes = append(changes, spanOf(list, p[0], p[1], inside)...)
	}
	return changes
}

// spanOf makes a call of one part of an index, if it has a colon.
func spanOf(list []token, first, end, inside int) []edit {
	var changes []edit
	colon := func(i int) bool { return list[i].text == ":" && list[i].nested == inside }
	for i := first; i < end; i++ {
		if list[i].text == "lambda" {
			return nil
		}
		if !colon(i) {
			continue
		}
		with := ","
		if i == first {
			with = spanName + "(None,"
		} else if len(changes) == 0 {
			changes = append(changes, edit{list[first].at, list[first].at, spanName + "("})
		}
		if i+1 == end || colon(i+1) {
			with += "None"
		}
		changes = append(changes, edit{list[i].at, list[i].end(), with})
	}
	if len(changes) > 0 {
		changes = append(changes, edit{list[end-1].end(), list[end-1].end(), ")"})
	}
	return changes
}

// replacement is where an edit stands in the text that it makes.
type replacement struct{ col, was, is int32 }

// positions are the replacements of each line, both from 1.
type positions map[int32][]replacement

// original is a place in the text as it was written.
func (m positions) original(p syntax.Position) syntax.Position {
	shift := int32(0)
	for _, r := range m[p.Line] {
		if p.Col > r.col {
			shift += min(r.is-r.was, p.Col-r.col)
		}
	}
	p.Col -= shift
	return p
}

// behind are the positions with a head in front of the first line.
func (m positions) behind(head string) positions {
	if head == "" {
		return m
	}
	n := int32(utf8.RuneCountInString(head))
	all := maps.Clone(m)
	if all == nil {
		all = positions{}
	}
	all[1] = []replacement{{1, 0, n}}
	for _, r := range m[1] {
		all[1] = append(all[1], replacement{r.col + n, r.was, r.is})
	}
	return all
}

// notation is a text in the language, and where its positions were.
func notation(text string) (string, positions) {
	changes := edits(text)
	if len(changes) == 0 {
		return text, nil
	}
	var b strings.Builder
	at := positions{}
	line, col := int32(1), int32(1)
	write := func(part string) {
		b.WriteString(part)
		for _, r := range part {
			if col++; r == '\n' {
				line, col = line+1, 1
			}
		}
	}
	done := 0
	for _, e := range changes {
		write(text[done:e.at])
		at[line] = append(at[line], replacement{col, int32(e.end - e.at), int32(len(e.with))})
		write(e.with)
		done = e.end
	}
	write(text[done:])
	return b.String(), at
}
