package diagnostics

import (
	"fmt"
	"strings"
	"unicode"
)

// Printable is text on one line without anything that a terminal or the log of a
// workflow obeys: control characters, line ends and marks of direction are spelled.
func Printable(s string) string {
	clean := true
	for _, r := range s {
		clean = clean && harmless(r)
	}
	if clean {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == unicode.ReplacementChar && s[i] != "\uFFFD"[0]:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case harmless(r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// harmless reports whether a terminal shows r and does nothing else.
func harmless(r rune) bool {
	return r == '\t' || r != unicode.ReplacementChar && unicode.IsPrint(r)
}
