package reports

import (
	"html"
	"strings"

	"metalconform/internal/printable"
)

// word is a visible text without blanks.
func word(s string) string { return strings.Join(strings.Fields(printable.Text(s)), "_") }

// summaryLine is a text in a summary of Markdown, which HTML is, or behind the first mark of an
// item: one line, with what either would take for a mark escaped.
func summaryLine(s string) string {
	escaped := html.EscapeString(strings.Join(strings.Fields(printable.Text(s)), " "))
	return strings.NewReplacer("[", "&#91;", "]", "&#93;", "`", "&#96;", "*", "&#42;", "_", "&#95;", "~", "&#126;", "@",
		mentionless).Replace(escaped)
}

// mentionless is an @ that tells nobody.
const mentionless = "@<!-- -->"
