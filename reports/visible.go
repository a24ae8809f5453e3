package reports

import (
	"fmt"
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// visible is a text without what makes it look like another: control characters but line ends and
// tabs, separators of lines, and marks of direction are spelt out.
func visible(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], string(r)):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n' || r == '\t' || !unicode.IsControl(r) && r != '\u2028' && r != '\u2029' && !unicode.Is(unicode.Bidi_Control, r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// word is a visible text without blanks.
func word(s string) string { return strings.Join(strings.Fields(visible(s)), "_") }

// summaryLine is a text in a summary of Markdown, which HTML is, or behind the first mark of an
// item: one line, with what either would take for a mark escaped.
func summaryLine(s string) string {
	escaped := html.EscapeString(strings.Join(strings.Fields(visible(s)), " "))
	return strings.NewReplacer("[", "&#91;", "]", "&#93;", "`", "&#96;", "*", "&#42;", "_", "&#95;", "~", "&#126;", "@", mentionless).Replace(escaped)
}

// mentionless is an @ that tells nobody.
const mentionless = "@<!-- -->"
