// Package directive recognises preprocessing directives in the lines of a
// source, without preprocessing it.
//
// The rule of the layer: it knows comments, string literals and continued lines,
// and no macros and no conditions. What it calls an include may stand in a group
// that the preprocessor skips.
package directive

import (
	"regexp"
	"strings"
)

// Lines reads a file line by line. The zero value is ready for the first line.
type Lines struct {
	block     bool // inside /* */
	comment   bool // inside a // comment that a backslash continues
	continued bool // the line before ended in a backslash
}

// Next returns text, the next line, without its comments if a directive can
// begin there, and "" if it continues a line or a comment.
func (l *Lines) Next(text string) string {
	text = strings.TrimSuffix(text, "\r")
	begins := !l.continued
	l.continued = strings.HasSuffix(text, `\`)
	if l.comment {
		l.comment = l.continued
		return ""
	}
	var out strings.Builder
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		two := text[i:min(i+2, len(text))]
		switch {
		case l.block:
			if two == "*/" {
				l.block = false
				out.WriteByte(' ')
				i++
			}
			continue
		case quote != 0:
			if c == '\\' && i+1 < len(text) {
				out.WriteByte(c)
				i++
				c = text[i]
			} else if c == quote {
				quote = 0
			}
		case two == "/*":
			l.block = true
			i++
			continue
		case two == "//":
			l.comment = l.continued
			i = len(text)
			continue
		case c == '"' || c == '\'':
			quote = c
		}
		out.WriteByte(c)
	}
	if !begins {
		return ""
	}
	return out.String()
}

var include = regexp.MustCompile(`^\s*#\s*(include|import)\s*(?:"([^"]+)"|<([^>]+)>)\s*$`)

// Include is the file that a line from [Lines.Next] includes, named in quotes or in
// angle brackets. imported says that it is to be seen once.
func Include(line string) (name string, imported, ok bool) {
	m := include.FindStringSubmatch(line)
	if m == nil {
		return "", false, false
	}
	return m[2] + m[3], m[1] == "import", true
}
