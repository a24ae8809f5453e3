package differential

import (
	"fmt"
	"strings"

	"metalconform/metalrun/internal/syntax"
)

// text is a program as C++, in pieces, so that what clang refuses can be left out.
type text struct {
	pieces  []*piece
	entries map[string]*entry // by host name
	err     string            // why there is none
}

// piece is a declaration outside of functions, or the beginning or the end of a namespace.
type piece struct {
	whole   string
	rest    string // of a function or class: what stands there if it is refused, so that nobody may use it
	name    string // likewise
	body    string // likewise
	refused string // by clang
	out     bool   // without the rest
	fixed   bool   // it is left in, whatever clang says
}

// entry is a function of the translation that can be launched.
type entry struct {
	name      string          // its address as C++, from its namespace on
	as        syntax.TypeExpr // that the arguments of its template follow from; nil: they are named
	arguments []argument
	decl      *syntax.FuncDecl
	of        *piece // with that
	scope     string // the namespace around its text, with ::
	number    int    // in the batch, -1 if nobody asks for it
	refused   string // by clang
}

// argument says what a parameter of an entry point gets: which of kinds, and the index as C++.
type argument struct {
	kind  int
	index string
}

func newText(l Launch) *text {
	t, err := translate(l.Source, l.Options)
	if err != nil {
		return &text{err: err.Error()}
	}
	return t
}

// entry is the entry point with a host name, nil with a reason if there is none.
func (t *text) entry(host string) (*entry, string) {
	e := t.entries[host]
	switch {
	case t.err != "":
		return nil, t.err
	case e == nil:
		return nil, "a kernel whose arguments are not known from its text"
	}
	return e, ""
}

// current is the piece as far as clang takes it.
func (p *piece) current() string {
	switch {
	case p.out:
		return ""
	case p.refused != "" && p.rest != "":
		return p.rest
	}
	return p.whole
}

// refuse leaves the piece out, at first only what is inside. It reports whether there was
// anything to leave out.
func (p *piece) refuse(message string) bool {
	if p.out || p.fixed {
		return false
	}
	p.out = p.refused != "" || p.rest == ""
	if p.refused == "" {
		p.refused = message
	}
	return true
}

// refuse leaves out a piece, or all of a text of which only one entry is asked for. It reports whether there was
// anything to leave out.
func (t *text) refuse(n int, message string) bool {
	var asked []*entry
	for _, e := range t.entries {
		if e.number >= 0 && e.refused == "" {
			asked = append(asked, e)
		}
	}
	if len(asked) > 1 {
		return t.pieces[n].refuse(message)
	}
	for _, e := range asked {
		e.refused = message
	}
	some := t.pieces != nil
	t.pieces = nil
	return some
}

// linesPerPiece tells the pieces of a text apart in what clang says of lines.
const linesPerPiece = 100000

// write writes the text, in which a line with the number n·linesPerPiece + i is line i of piece n.
func (t *text) write(b *strings.Builder, file string) {
	for n, p := range t.pieces {
		if s := p.current(); s != "" {
			fmt.Fprintf(b, "#line %d %q\n%s\n", n*linesPerPiece+1, file, s)
		}
	}
}
