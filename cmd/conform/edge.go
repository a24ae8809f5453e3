package main

import (
	"fmt"
	"io"
	"regexp"
	"unicode"
	"unicode/utf8"
)

// edge is where text leaves the program for a terminal or for the log of a CI system. What
// sources, results and file names put into it cannot do there what a terminal or a runner
// does on command: control characters are shown and not sent, and no line begins with the
// two colons of a workflow command, or holds the ##[ of an older form.
type edge struct {
	w      io.Writer
	part   []byte // of a character that is not whole yet
	begun  bool   // the line has begun
	colon  bool   // with a colon
	hashes int    // that the text ends with
}

// colours are the escape sequences of our own: bold text, and colours that can be seen.
var colours = regexp.MustCompile(`^\x1b\[(0|1|(1;)?3[1-6])?m`)

func (e *edge) Write(b []byte) (int, error) {
	text := append(e.part, b...)
	e.part = nil
	out := make([]byte, 0, len(text)+8)
	for len(text) > 0 {
		if !utf8.FullRune(text) {
			e.part = append(e.part, text...)
			break
		}
		r, n := utf8.DecodeRune(text)
		if own := colours.Find(text); own != nil {
			out = append(out, own...)
			text = text[len(own):]
			continue
		}
		if r == ':' && e.colon {
			out = append(out, '\\')
		}
		e.colon = r == ':' && !e.begun
		if r == '[' && e.hashes >= 2 {
			out = append(out, '\\')
		}
		if e.hashes++; r != '#' {
			e.hashes = 0
		}
		e.begun = r != '\n' && (e.begun || !unicode.IsSpace(r))
		switch {
		case r == utf8.RuneError && n == 1:
			out = fmt.Appendf(out, `\x%02x`, text[0])
		case r == '\n' || r == '\t' || !forged(r):
			out = append(out, text[:n]...)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		text = text[n:]
	}
	if _, err := e.w.Write(out); err != nil {
		return 0, err
	}
	return len(b), nil
}

// forged reports whether a character can make text look like another: control characters,
// separators of lines, and marks of direction.
func forged(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r)
}

// behind is what an edge writes to, for formats that have an escape of their own.
func behind(w io.Writer) io.Writer {
	if e, ok := w.(*edge); ok {
		return e.w
	}
	return w
}
