package syntax

import (
	"fmt"
	"sort"
	"strings"
)

// Pos is a place in a source file. Lines and columns count from 1; columns
// count bytes. A token that a macro's body produced has the position of the
// macro's use, an argument's token keeps its own.
type Pos struct {
	File      string
	Line, Col int32
}

func (p Pos) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }

// IsValid reports whether p names a place.
func (p Pos) IsValid() bool { return p.Line > 0 }

// Error is a fault in the source text.
type Error struct {
	Pos   Pos
	Code  string // stable name of the rule, for machines
	Msg   string // one lower-case clause without a period
	Name  string // what is missing, if a declaration of it may be
	Notes []Note // in the order in which they are to be read

	Behind   Pos   // in lists the error stands here, if that is set: it is found at the end of a declaration
	Included []Pos // the #include directives that led to the file, the nearest first
}

// Note is what a reader of an error also wants to see: another declaration, a candidate, the place that asked for an
// instance.
type Note struct {
	Pos Pos
	Msg string
}

// Note adds a note and returns e, which may be nil: an error that is not reported.
func (e *Error) Note(pos Pos, format string, args ...any) *Error {
	if e != nil {
		e.Notes = append(e.Notes, Note{pos, fmt.Sprintf(format, args...)})
	}
	return e
}

// Place is where the error stands in lists.
func (e *Error) Place() Pos {
	if e.Behind.IsValid() {
		return e.Behind
	}
	return e.Pos
}

func (e *Error) Error() string { return e.Pos.String() + ": " + e.Msg }

// ErrorList is every fault found in a translation unit, sorted by position.
type ErrorList []*Error

func (l ErrorList) Error() string {
	lines := make([]string, len(l))
	for i, e := range l {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Sort orders the list by file, line and column.
func (l ErrorList) Sort() {
	sort.SliceStable(l, func(i, j int) bool {
		a, b := l[i].Place(), l[j].Place()
		if a.File != b.File {
			return a.File < b.File
		}
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return a.Col < b.Col
	})
}

// before reports whether a comes before b in one file.
func before(a, b Pos) bool { return a.Line < b.Line || a.Line == b.Line && a.Col < b.Col }
