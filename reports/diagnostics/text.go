package diagnostics

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"metalconform/internal/printable"
	"metalconform/metalrun"
)

// Escape sequences of a terminal.
const (
	bold    = "\x1b[1m"
	red     = "\x1b[1;31m"
	magenta = "\x1b[1;35m"
	grey    = "\x1b[1;36m"
	green   = "\x1b[1;32m"
	plain   = "\x1b[0m"
)

// A quoter writes text with lines of the sources.
type quoter struct {
	strings.Builder
	source func(file string) (text string, ok bool)
	texts  documents
	colour bool
}

func (q *quoter) paint(colour, s string) string {
	if !q.colour {
		return s
	}
	return colour + s + plain
}

// diagnostic writes one with its line and its notes.
func (q *quoter) diagnostic(d Diagnostic) {
	for i, at := range d.Included {
		how := "In file included from"
		if i > 0 {
			how = "                 from"
		}
		end := ","
		if i == len(d.Included)-1 {
			end = ":"
		}
		fmt.Fprintf(q, "%s %s:%d%s\n", how, printable.Row(at.File), at.Line, end)
	}
	q.headline(d.Position, d.Severity, d.Message)
	q.quote(d.Position, d.Range)
	if d.Detail != "" {
		for line := range strings.SplitSeq(d.Detail, "\n") {
			fmt.Fprintf(q, "\t%s\n", printable.Row(line))
		}
	}
	for _, n := range d.Notes {
		q.headline(n.Position, Note, n.Message)
		q.quote(n.Position, metalrun.Range{})
	}
}

func (q *quoter) headline(at metalrun.Position, s Severity, message string) {
	colour := map[Severity]string{Error: red, Warning: magenta, Note: grey}[s]
	place := ""
	if at.Line > 0 {
		place = q.paint(bold, printable.Row(at.String())+":") + " "
	}
	fmt.Fprintf(q, "%s%s %s\n", place, q.paint(colour, string(s)+":"), q.paint(bold, printable.Row(message)))
}

// mostQuoted is the length of the longest line that is shown whole, in columns of a
// terminal.
const mostQuoted = 160

// quote writes the line at a position, and below it a caret and the range.
func (q *quoter) quote(at metalrun.Position, r metalrun.Range) {
	line, _, ok := q.texts.of(at.File, q.source).line(at.Line)
	if !ok || at.Col < 1 || at.Col > len(line)+1 {
		return
	}
	from, to := at.Col, at.Col
	if r.Start.Line == at.Line && r.Start.Col >= 1 {
		from = min(r.Start.Col, at.Col)
	}
	switch {
	case r.End.Line == at.Line:
		to = min(max(r.End.Col-1, at.Col), len(line))
	case r.End.Line > at.Line:
		to = len(line)
	}
	if before := farBefore(line, at.Col); before > 0 {
		line, at.Col, from, to = line[before:], at.Col-before, max(from-before, 1), to-before
	}
	line = line[:farBehind(line, at.Col)]
	var shown, marks strings.Builder
	width := 0
	for i := 0; i < len(line); {
		c, size := utf8.DecodeRuneInString(line[i:])
		cell := printable.Row(line[i : i+size])
		if c == '\t' {
			cell = strings.Repeat(" ", 4-width%4)
		}
		n := utf8.RuneCountInString(cell)
		mark := " "
		switch col := i + 1; {
		case col <= at.Col && at.Col < col+size:
			mark = "^"
		case col >= from && col <= to:
			mark = "~"
		}
		if mark == "^" && n > 1 {
			rest := " "
			if to > at.Col {
				rest = "~"
			}
			marks.WriteString("^" + strings.Repeat(rest, n-1))
		} else {
			marks.WriteString(strings.Repeat(mark, n))
		}
		shown.WriteString(cell)
		width += n
		i += size
	}
	if at.Col == len(line)+1 {
		marks.WriteString("^")
	}
	source, under := window([]rune(shown.String()), []rune(marks.String()))
	fmt.Fprintf(q, "  %s\n  %s\n", source, q.paint(green, strings.TrimRight(under, " ")))
}

// farBefore is how many bytes of a line are too far ahead of a column to be shown: a
// character is four bytes at most.
func farBefore(line string, col int) int {
	n := max(col-1-utf8.UTFMax*mostQuoted, 0)
	for n > 0 && !utf8.RuneStart(line[n]) {
		n--
	}
	return n
}

// farBehind is where what is too far behind a column to be shown begins.
func farBehind(line string, col int) int {
	n := min(col-1+utf8.UTFMax*mostQuoted, len(line))
	for n < len(line) && !utf8.RuneStart(line[n]) {
		n++
	}
	return n
}

// window is the part of a long line round its caret.
func window(line, marks []rune) (string, string) {
	if len(line) <= mostQuoted {
		return string(line), string(marks)
	}
	caret := strings.Index(string(marks), "^") // all before it is a blank or a tilde
	from := min(max(caret-mostQuoted/2, 0), len(line)-mostQuoted)
	cut := func(s []rune) string { return string(s[min(from, len(s)):min(from+mostQuoted, len(s))]) }
	return cut(line), cut(marks)
}
