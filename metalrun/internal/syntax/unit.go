package syntax

import (
	"sort"
	"strings"
)

// Unit is a translation unit after preprocessing, as one text without quoted
// includes, conditionals or macros of its own. Metal's own headers are still
// included, for what they declare.
type Unit struct {
	Text     string
	mappings []mapping // in ascending order
}

// mapping maps the position of a token in the text of a unit to its origin.
type mapping struct {
	line, col int
	origin    Pos
}

// NewUnit preprocesses a translation unit as [Preprocess] does.
func NewUnit(name string, files map[string]string, cfg Config) (Unit, ErrorList) {
	pp := newPreprocessor(files, cfg)
	toks := pp.run(name)
	if len(pp.errs.list) > 0 {
		return Unit{}, pp.errs.sorted()
	}
	w := unitWriter{line: 1, col: 1}
	for _, h := range pp.headers {
		w.write("#include <" + h + ">\n")
	}
	for _, m := range pp.removed {
		w.write("#undef " + m + "\n")
	}
	for i := range toks {
		w.write(gap(toks, i))
		w.mappings = append(w.mappings, mapping{w.line, w.col, toks[i].Pos})
		w.write(toks[i].spelling())
	}
	w.write("\n")
	return Unit{w.String(), w.mappings}, nil
}

// Origin is where the token came from that stands at a line and column of the text,
// both from 1, or that began before. It reports false ahead of the first token.
func (u Unit) Origin(line, col int) (Pos, bool) {
	after := sort.Search(len(u.mappings), func(i int) bool {
		p := u.mappings[i]
		return p.line > line || p.line == line && p.col > col
	})
	if after == 0 {
		return Pos{}, false
	}
	return u.mappings[after-1].origin, true
}

// unitWriter keeps count of lines and columns, the latter in bytes.
type unitWriter struct {
	strings.Builder
	line, col int
	mappings  []mapping
}

func (w *unitWriter) write(s string) {
	w.WriteString(s)
	if n := strings.Count(s, "\n"); n > 0 {
		w.line += n
		w.col = len(s) - strings.LastIndexByte(s, '\n')
	} else {
		w.col += len(s)
	}
}
