package terminal

import (
	"fmt"
	"io"
	"regexp"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"metalconform/internal/printable"
)

// Sanitizer is where text leaves the program for a terminal or for the log of a CI system. What
// sources, results and file names put into it cannot do there what a terminal or a runner
// does on command: control characters are shown and not sent, and no line begins with the
// two colons of a workflow command, or holds the ##[ of an older form or the ##vso[ of
// another system.
type Sanitizer struct {
	w      io.Writer
	part   []byte // of a character that is not whole yet
	begun  bool   // the line has begun
	colon  bool   // with a colon
	hashes int    // that the text ends with, but for a word behind them

	limit int // bytes that a line may have before the rest is left out; 0: any number
	line  int // bytes of this line
}

// NewSanitizer is an edge that writes to w lines of at most most bytes, or of any number for 0.
func NewSanitizer(w io.Writer, most int) *Sanitizer { return &Sanitizer{w: w, limit: most} }

// MaxMessage is longer than any line of a message that tells somebody something.
const MaxMessage = 16 << 10

// Colours are the escape sequences of our own: bold text, and colours that can be seen.
var Colours = regexp.MustCompile(`^\x1b\[(0|1|(1;)?3[1-6])?m`)

func (e *Sanitizer) Write(b []byte) (int, error) {
	text := append(e.part, b...)
	e.part = nil
	out := make([]byte, 0, len(text)+8)
	for len(text) > 0 {
		if !utf8.FullRune(text) {
			e.part = append(e.part, text...)
			break
		}
		r, n := utf8.DecodeRune(text)
		before := len(out)
		if own := Colours.Find(text); own != nil {
			out = append(out, own...)
			text = text[len(own):]
			continue
		}
		command := r == ':' && e.colon || r == '[' && e.hashes >= 2
		e.colon = r == ':' && !e.begun
		switch {
		case r == '#':
			e.hashes++
		case e.hashes < 2 || !letter(r):
			e.hashes = 0
		}
		e.begun = r != '\n' && (e.begun || !unicode.IsSpace(r))
		switch {
		case r == utf8.RuneError && n == 1:
			out = fmt.Appendf(out, `\x%02x`, text[0])
		case r == '\n' || r == '\t' || printable.Harmless(r) && !command:
			out = append(out, text[:n]...)
		default:
			out = appendEscape(out, r)
		}
		text = text[n:]
		out = e.cut(out, before)
	}
	if _, err := e.w.Write(out); err != nil {
		return 0, err
	}
	return len(b), nil
}

// cut leaves the bytes behind those before out if the line has too many, and says so at its end.
func (e *Sanitizer) cut(out []byte, before int) []byte {
	last := out[before:]
	if e.limit == 0 || len(last) == 0 {
		return out
	}
	over := e.line - e.limit
	if last[len(last)-1] == '\n' {
		e.line = 0
		if over > 0 {
			return fmt.Appendf(out[:before], "… (%d more bytes)\n", over)
		}
		return out
	}
	if e.line += len(last); e.line > e.limit {
		return out[:before]
	}
	return out
}

// letter reports whether a character may be of the name of a system of builds.
func letter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

// appendEscape spells a character out as strings of JSON do, which passes here, too.
func appendEscape(out []byte, r rune) []byte {
	if high, low := utf16.EncodeRune(r); high != unicode.ReplacementChar {
		return fmt.Appendf(out, `\u%04x\u%04x`, high, low)
	}
	return fmt.Appendf(out, `\u%04x`, r)
}

// Unsanitized is what an edge writes to, for formats that have an escape of their own.
func Unsanitized(w io.Writer) io.Writer {
	if e, ok := w.(*Sanitizer); ok {
		return e.w
	}
	return w
}
