package docs

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Render shows Markdown as plain text in lines of at most width characters. It knows what the manual uses: headings,
// paragraphs, lists, tables, code between fences or indented by four spaces, and comments, which it leaves out.
func Render(markdown string, width int) string {
	r := &renderer{width: width, lines: strings.Split(strings.TrimRight(markdown, "\n"), "\n")}
	for r.at < len(r.lines) {
		r.block()
	}
	return strings.Trim(blanks.ReplaceAllString(r.out.String(), "\n\n"), "\n") + "\n"
}

var blanks = regexp.MustCompile(`\n{3,}`)

// renderer goes through the lines of a page once.
type renderer struct {
	out   strings.Builder
	lines []string
	at    int
	width int
}

func (r *renderer) print(lines ...string) {
	for _, l := range lines {
		r.out.WriteString(strings.TrimRight(l, " ") + "\n")
	}
}

// block renders what begins at the current line.
func (r *renderer) block() {
	line := r.lines[r.at]
	switch {
	case line == "" || strings.HasPrefix(line, "<!--"):
		r.at++
		r.print("")
	case strings.HasPrefix(line, "#"):
		r.at++
		r.heading(line)
	case strings.HasPrefix(line, "```"):
		r.at++
		code := r.take(func(l string) bool { return !strings.HasPrefix(l, "```") })
		r.at++
		r.code(code)
	case strings.HasPrefix(line, "    "):
		code := r.take(func(l string) bool { return strings.HasPrefix(l, "    ") || l == "" })
		for i, l := range code {
			code[i] = strings.TrimPrefix(l, "    ")
		}
		r.code(code)
	case strings.HasPrefix(line, "|"):
		r.table(r.take(func(l string) bool { return strings.HasPrefix(l, "|") }))
	case item.MatchString(line):
		r.list()
	default:
		text := r.take(func(l string) bool { return l != "" && !strings.HasPrefix(l, "```") && !item.MatchString(l) })
		r.print(wrap(plain(strings.Join(text, " ")), r.width, "", "")...)
	}
}

// item is the beginning of an entry of a list.
var item = regexp.MustCompile(`^(-|\d+\.) `)

// take is the lines from the current one on for which more holds.
func (r *renderer) take(more func(string) bool) []string {
	first := r.at
	for r.at < len(r.lines) && more(r.lines[r.at]) {
		r.at++
	}
	return append([]string(nil), r.lines[first:r.at]...)
}

// heading underlines the title and the sections of a page.
func (r *renderer) heading(line string) {
	level := len(line) - len(strings.TrimLeft(line, "#"))
	text := plain(strings.TrimLeft(line, "# "))
	r.print("", text)
	if level < 3 {
		r.print(strings.Repeat([]string{"=", "-"}[level-1], utf8.RuneCountInString(text)))
	}
}

// code is indented. Lines that are too long go on in the next one, further to the right.
func (r *renderer) code(lines []string) {
	for _, l := range lines {
		l = strings.ReplaceAll(l, "\t", "    ")
		indent := "    " + l[:len(l)-len(strings.TrimLeft(l, " "))]
		for utf8.RuneCountInString("    "+l) > r.width {
			cut := cutAt(l, r.width-4, len(indent)-4)
			r.print("    " + l[:cut])
			l = indent + strings.TrimLeft(l[cut:], " ")
		}
		r.print("    " + l)
	}
}

// cutAt is where a line of at most width characters ends, after least bytes: at its last space if there is one.
func cutAt(line string, width, least int) int {
	cut, n := 0, 0
	for i, c := range line {
		if n == width {
			if cut > least && c != ' ' {
				return cut
			}
			return i
		}
		if c == ' ' && i > least {
			cut = i
		}
		n++
	}
	return len(line)
}

// list renders the entries of a list, each of which may go on in indented lines.
func (r *renderer) list() {
	for r.at < len(r.lines) && item.MatchString(r.lines[r.at]) {
		mark := item.FindString(r.lines[r.at])
		text := []string{strings.TrimPrefix(r.lines[r.at], mark)}
		r.at++
		for _, l := range r.take(func(l string) bool { return strings.HasPrefix(l, " ") }) {
			text = append(text, strings.TrimSpace(l))
		}
		r.print(wrap(plain(strings.Join(text, " ")), r.width, "  "+mark, "  "+strings.Repeat(" ", len(mark)))...)
	}
}

// table sets columns, of which the last ones wrap. If a column has no room for its words, each row becomes a
// paragraph below its first cell.
func (r *renderer) table(lines []string) {
	var rows [][]string
	for _, l := range lines {
		if !rule.MatchString(l) {
			rows = append(rows, cells(l))
		}
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i := range widths {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
		}
	}
	head := strings.Join(rows[0], "") != ""
	if !head {
		rows = rows[1:]
	}
	if !narrow(widths, r.width) {
		for _, row := range rows {
			r.print(wrap(row[0], r.width, "", "    ")...)
			r.print(wrap(strings.Join(row[1:], "; "), r.width, "    ", "    ")...)
		}
		return
	}
	for i, row := range rows {
		r.row(row, widths)
		if i == 0 && head {
			r.row(underlines(row), widths)
		}
	}
}

// underlines are as long as the heads of the columns.
func underlines(row []string) []string {
	lines := make([]string, len(row))
	for i, c := range row {
		lines[i] = strings.Repeat("-", utf8.RuneCountInString(c))
	}
	return lines
}

var rule = regexp.MustCompile(`^\|[ :|-]*-[ :|-]*\|$`)

// cells are those of a line. A bar after a backslash is a character.
func cells(line string) []string {
	line = strings.Trim(strings.ReplaceAll(line, `\|`, "\x00"), "|")
	parts := strings.Split(line, "|")
	for i, p := range parts {
		parts[i] = plain(strings.TrimSpace(strings.ReplaceAll(p, "\x00", "|")))
	}
	return parts
}

// readable is how narrow a column may become.
const readable = 18

// narrow takes from the widest columns until the table fits, and reports whether it does.
func narrow(widths []int, width int) bool {
	for {
		total, widest := 2*(len(widths)-1), 0
		for i, w := range widths {
			total += w
			if w >= widths[widest] {
				widest = i
			}
		}
		if total <= width {
			return true
		}
		if widths[widest] <= readable {
			return false
		}
		widths[widest]--
	}
}

// row prints cells side by side, each in as many lines as it needs.
func (r *renderer) row(row []string, widths []int) {
	columns, height := make([][]string, len(widths)), 0
	for i, w := range widths {
		columns[i] = wrap(row[i], w, "", "")
		height = max(height, len(columns[i]))
	}
	for n := range height {
		var line strings.Builder
		for i, w := range widths {
			text := ""
			if n < len(columns[i]) {
				text = columns[i][n]
			}
			line.WriteString(text + strings.Repeat(" ", max(0, w-utf8.RuneCountInString(text))+2))
		}
		r.print(line.String())
	}
}

// wrap breaks text into lines at spaces; a word that no line can hold is broken, too.
func wrap(text string, width int, first, rest string) []string {
	var lines []string
	line, empty := first, true
	for _, word := range strings.Fields(text) {
		for {
			room := width - utf8.RuneCountInString(line)
			if !empty {
				room--
			}
			if utf8.RuneCountInString(word) <= room {
				break
			}
			if empty {
				cut := cutAt(word, room, 0)
				line, word = line+word[:cut], word[cut:]
			}
			lines = append(lines, line)
			line, empty = rest, true
		}
		if !empty {
			line += " "
		}
		line, empty = line+word, false
	}
	return append(lines, line)
}

var (
	linked   = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	emphasis = regexp.MustCompile(`\*{1,2}([^* ](?:[^*]*[^* ])?)\*{1,2}`)
)

// plain takes the marks out of a line of Markdown. Code stays as it is.
func plain(text string) string {
	parts := strings.Split(text, "`")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = emphasis.ReplaceAllString(linked.ReplaceAllString(parts[i], "$1"), "$1")
	}
	return strings.Join(parts, "")
}
