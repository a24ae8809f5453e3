// Package printable is how texts of others are shown: what a terminal, a log or a reader could take for
// something else than a text is spelt out.
package printable

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Harmless reports whether a character is what it looks like. Control characters, marks of direction,
// separators of lines and what cannot be seen are not.
func Harmless(r rune) bool { return unicode.IsPrint(r) || unicode.Is(unicode.Zs, r) }

// Line is a text in one line.
func Line(s string) string { return spell(s, "") }

// longestMessage is longer than any that does not quote a name or text made to fill a log.
const longestMessage = 4096

// Message is a text in one line, without what goes beyond a length that no honest one has.
func Message(s string) string {
	left := len(s) - longestMessage
	if left <= 0 {
		return Line(s)
	}
	return fmt.Sprintf("%s… (%d more bytes)", Line(strings.ToValidUTF8(s[:longestMessage], "")), left)
}

// Text is a text with its line ends and tabs.
func Text(s string) string { return spell(s, "\n\t") }

// Row is a line of a source, with its tabs.
func Row(s string) string { return spell(s, "\t") }

// spell writes what is neither harmless nor among keep as an escape sequence of C.
func spell(s, keep string) string {
	if utf8.ValidString(s) &&
		!strings.ContainsFunc(s, func(r rune) bool { return !Harmless(r) && !strings.ContainsRune(keep, r) }) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case Harmless(r) || strings.ContainsRune(keep, r):
			b.WriteRune(r)
		default:
			b.WriteString(escape(r))
		}
		s = s[n:]
	}
	return b.String()
}

// escape spells a character out.
func escape(r rune) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r < 0x80:
		return fmt.Sprintf(`\x%02x`, r)
	case r <= 0xffff:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}
