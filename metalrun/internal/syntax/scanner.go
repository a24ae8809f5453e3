package syntax

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// scanner makes the tokens of one file. It works on text from which line
// continuations are removed; splices remembers where they were, so that
// positions are those of the text as written.
type scanner struct {
	file      string
	text      string
	splices   []int // offsets in text before which a continuation was removed
	off       int
	line      int32
	lineStart int // offset in text of the current line's first byte
	report    func(*Error)
}

// scan returns the tokens of a file. Text that is no token becomes tokens of
// kind bad, which are harmless in groups that #if excludes; only an
// unterminated comment is reported at once. Behind most tokens it makes one more and stops.
func scan(file, text string, most int, report func(*Error)) []Token {
	text = strings.TrimPrefix(text, "\ufeff")
	s := &scanner{file: file, line: 1, report: report}
	s.text, s.splices = removeContinuations(text)
	toks := make([]Token, 0, min(len(s.text)/6+8, most+1))
	for {
		t, ok := s.next()
		if !ok || len(toks) > most {
			return toks
		}
		if len(toks) == 0 {
			t.Line = true
		}
		if len(toks) == cap(toks) { // as dense as up to here, to the end
			whole := float64(len(toks)) * float64(len(s.text)) / float64(s.off)
			toks = slices.Grow(toks, min(int(whole), most)-len(toks)+len(toks)/16+8)
		}
		toks = append(toks, t)
	}
}

// endOf is the position just after the last byte of text.
func endOf(file, text string) Pos {
	line := int32(strings.Count(text, "\n")) + 1
	return Pos{File: file, Line: line, Col: int32(len(text)-strings.LastIndexByte(text, '\n')-1) + 1}
}

// removeContinuations deletes each backslash that ends a line, with its line end.
func removeContinuations(text string) (string, []int) {
	if !strings.Contains(text, "\\\n") && !strings.Contains(text, "\\\r\n") {
		return text, nil
	}
	var b strings.Builder
	b.Grow(len(text))
	var splices []int
	for {
		i := strings.IndexByte(text, '\\')
		if i < 0 {
			b.WriteString(text)
			return b.String(), splices
		}
		n := 0
		switch rest := text[i+1:]; {
		case strings.HasPrefix(rest, "\n"):
			n = 2
		case strings.HasPrefix(rest, "\r\n"):
			n = 3
		}
		if n == 0 {
			b.WriteString(text[:i+1])
			text = text[i+1:]
			continue
		}
		b.WriteString(text[:i])
		splices = append(splices, b.Len())
		text = text[i+n:]
	}
}

// passSplices counts the continuations before offset off as lines.
func (s *scanner) passSplices(off int) {
	for len(s.splices) > 0 && s.splices[0] <= off {
		s.line++
		s.lineStart = s.splices[0]
		s.splices = s.splices[1:]
	}
}

func (s *scanner) newline(off int) {
	s.passSplices(off)
	s.line++
	s.lineStart = off + 1
}

func (s *scanner) pos(off int) Pos {
	s.passSplices(off)
	return Pos{File: s.file, Line: s.line, Col: int32(off-s.lineStart) + 1}
}

// next returns the next token, or false at the end of the text.
func (s *scanner) next() (Token, bool) {
	space, line := s.skipSpace()
	if s.off >= len(s.text) {
		return Token{}, false
	}
	start := s.off
	t := Token{Space: space, Line: line, Pos: s.pos(start)}
	c, rest := s.text[start], s.text[start:]
	switch {
	case strings.HasPrefix(rest, `R"`), strings.HasPrefix(rest, `u8R"`):
		t.Kind, t.Text = s.raw()
		return t, true
	case strings.HasPrefix(rest, `u8"`): // whose type is that of any other string before C++20
		start += len("u8")
		s.off = start
		t.Kind = s.quoted('"', String)
	case isLetter(c):
		for s.off++; s.off < len(s.text) && isWord(s.text[s.off]); s.off++ {
		}
		t.Kind = Ident
	case isDigit(c), c == '.' && start+1 < len(s.text) && isDigit(s.text[start+1]):
		s.number()
		t.Kind = number
	case c == '"':
		t.Kind = s.quoted('"', String)
	case c == '\'':
		t.Kind = s.quoted('\'', Char)
	default:
		t.Kind = s.operator()
	}
	t.Text = s.text[start:s.off]
	return t, true
}

// skipSpace passes white space and comments; it says whether there were any
// and whether a line ended.
func (s *scanner) skipSpace() (space, line bool) {
	for s.off < len(s.text) {
		switch c := s.text[s.off]; {
		case c == '\n':
			s.newline(s.off)
			s.off++
			space, line = true, true
		case c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f':
			s.off++
			space = true
		case strings.HasPrefix(s.text[s.off:], "//"):
			n := strings.IndexByte(s.text[s.off:], '\n')
			if n < 0 {
				n = len(s.text) - s.off
			}
			s.off += n
			space = true
		case strings.HasPrefix(s.text[s.off:], "/*"):
			space = true
			s.comment()
		default:
			return space, line
		}
	}
	return space, line
}

func (s *scanner) comment() {
	start := s.off
	n := strings.Index(s.text[start+2:], "*/")
	if n < 0 {
		s.report(&Error{Pos: s.pos(start), Code: codeUnterminated, Msg: "comment is not terminated"})
		s.off = len(s.text)
		return
	}
	s.off = start + 2 + n + 2
	for i := start; i < s.off; i++ {
		if s.text[i] == '\n' {
			s.newline(i)
		}
	}
}

// number passes a preprocessing number: digits, letters, points, digit
// separators and signs after an exponent letter.
func (s *scanner) number() {
	hex := strings.HasPrefix(s.text[s.off:], "0x") || strings.HasPrefix(s.text[s.off:], "0X")
	for s.off++; s.off < len(s.text); s.off++ {
		c := s.text[s.off]
		switch prev := s.text[s.off-1]; {
		case isWord(c) || c == '.':
		case c == '\'' && s.off+1 < len(s.text) && isWord(s.text[s.off+1]):
		case (c == '+' || c == '-') && (prev == 'p' || prev == 'P' || !hex && (prev == 'e' || prev == 'E')):
		default:
			return
		}
	}
}

// quoted passes a literal in quotes q.
func (s *scanner) quoted(q byte, kind Kind) Kind {
	for s.off++; s.off < len(s.text); s.off++ {
		switch s.text[s.off] {
		case q:
			s.off++
			return kind
		case '\n':
			return bad
		case '\\':
			if s.off+1 < len(s.text) && s.text[s.off+1] != '\n' {
				s.off++
			}
		}
	}
	return bad
}

// raw passes R"mark(text)mark" and spells it as an ordinary string.
func (s *scanner) raw() (Kind, string) {
	start := s.off
	quote := start + strings.IndexByte(s.text[start:], '"')
	mark, _, ok := strings.Cut(s.text[quote+1:], "(")
	if !ok || len(mark) > 16 || strings.ContainsAny(mark, " )\\\t\v\f\n\"") {
		s.off = quote + 1
		return bad, s.text[start:s.off]
	}
	body := quote + 1 + len(mark) + 1
	n := strings.Index(s.text[body:], ")"+mark+`"`)
	if n < 0 {
		s.off = len(s.text)
		return bad, s.text[start:s.off]
	}
	for i := body; i < body+n; i++ {
		if s.text[i] == '\n' {
			s.newline(i)
		}
	}
	s.off = body + n + len(mark) + 2
	return String, quoteString(s.text[body : body+n])
}

func (s *scanner) operator() Kind {
	rest := s.text[s.off:]
	switch {
	case strings.HasPrefix(rest, "<<="), strings.HasPrefix(rest, ">>="), strings.HasPrefix(rest, "..."),
		strings.HasPrefix(rest, "->*"):
		s.off += 3
	case len(rest) >= 2 && isOperator2(rest[0], rest[1]):
		s.off += 2
	case strings.IndexByte(operators1, rest[0]) >= 0:
		s.off++
	default:
		r, n := utf8.DecodeRuneInString(rest)
		s.off += n
		for r == utf8.RuneError && n == 1 && s.off < len(s.text) { // what is not UTF-8 is one token
			if r, n = utf8.DecodeRuneInString(s.text[s.off:]); r == utf8.RuneError && n == 1 {
				s.off++
			}
		}
		return bad
	}
	return Op
}

// badToken is the error for text that is no token.
func badToken(t *Token) *Error {
	switch t.Text[0] {
	case 'R', 'u':
		return &Error{Pos: t.Pos, Code: codeUnterminated,
			Msg: "raw string is not terminated, or its mark is not one of at most 16 characters without parentheses, " +
				"backslashes and spaces"}
	case '"':
		return &Error{Pos: t.Pos, Code: codeUnterminated, Msg: "string is not terminated"}
	case '\'':
		return &Error{Pos: t.Pos, Code: codeUnterminated, Msg: "character constant is not terminated"}
	}
	r, n := utf8.DecodeRuneInString(t.Text)
	if r == utf8.RuneError && n == 1 {
		return &Error{Pos: t.Pos, Code: codeIllegalChar, Msg: "text is not valid UTF-8"}
	}
	return &Error{Pos: t.Pos, Code: codeIllegalChar, Msg: "illegal character " + quoteRune(r)}
}

func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == '$' // which clang takes in names
}
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isWord(c byte) bool  { return isLetter(c) || isDigit(c) }

// reporter collects errors up to a limit; later ones are most likely
// consequences of the first.
type reporter struct {
	list ErrorList
	max  int
}

const maxErrors = 20

func (r *reporter) add(e *Error) {
	if len(r.list) < r.max {
		r.list = append(r.list, e)
	}
}

// has reports whether there is an error of a code.
func (r *reporter) has(code string) bool {
	return slices.ContainsFunc(r.list, func(e *Error) bool { return e.Code == code })
}

// sorted returns the errors in the order of the text, without repetition.
func (r *reporter) sorted() ErrorList {
	r.list.Sort()
	var out ErrorList
	for _, e := range r.list {
		if n := len(out); n > 0 && out[n-1].Pos == e.Pos && out[n-1].Msg == e.Msg {
			continue
		}
		out = append(out, e)
	}
	return out
}
