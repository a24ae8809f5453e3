package metalrun

import (
	"fmt"
	"strings"

	"metalconform/internal/printable"
	"metalconform/metalrun/internal/syntax"
)

// Diagnostic is one error of the front end, or a warning.
type Diagnostic struct {
	Position
	Warning  bool             `json:"warning,omitzero"`
	Range    Range            `json:"range,omitzero"`
	Code     string           `json:"code"`               // stable name of the rule
	Message  string           `json:"message"`            // one lower-case clause
	Notes    []DiagnosticNote `json:"notes,omitempty"`    // in the order in which they are to be read
	Included []Position       `json:"included,omitempty"` // the directives that led to the file, the nearest first
}

// Range is the source text of an error: from Start up to End, which is not part of it. It contains the position of the
// error.
type Range struct {
	Start Point `json:"start"`
	End   Point `json:"end"`
}

// Point is a position in a file that is known.
type Point struct {
	Line int `json:"line"`
	Col  int `json:"col"`
}

// DiagnosticNote is further information about an error, such as a previous declaration.
type DiagnosticNote struct {
	Position
	Message string `json:"message"`
}

func (d Diagnostic) Error() string { return d.Position.String() + ": " + d.Message }

// Diagnostics is a list of errors and warnings, sorted by position.
type Diagnostics []Diagnostic

func (d Diagnostics) Error() string {
	lines := make([]string, 0, len(d))
	for i, x := range d {
		if i == 10 {
			lines = append(lines, fmt.Sprintf("and %d more", len(d)-i))
			break
		}
		lines = append(lines, x.Error())
	}
	return strings.Join(lines, "\n")
}

// mostRanged bounds the text that is looked through for the ranges of diagnostics: each takes
// that of its file.
const mostRanged = 16 << 20

// diagnostics are the errors of a translation unit. Its tree, if there is one, knows
// their ranges; of very many errors only the first have some.
func diagnostics(src Source, file *syntax.File, errs syntax.ErrorList) Diagnostics {
	d, ranged := make(Diagnostics, len(errs)), 0
	for i, e := range errs {
		d[i] = Diagnostic{Position: position(e.Pos), Code: e.Code, Message: printable.Message(e.Msg)}
		text, _ := src.Text(e.Pos.File)
		ranged += len(text)
		if ranged > mostRanged && i > 0 {
			text = ""
		}
		if start, end, ok := syntax.Extent(file, text, e.Pos); ok {
			d[i].Range = Range{Point{int(start.Line), int(start.Col)}, Point{int(end.Line), int(end.Col)}}
		}
		for _, n := range e.Notes {
			d[i].Notes = append(d[i].Notes, DiagnosticNote{position(n.Pos), printable.Message(n.Msg)})
		}
		for _, at := range e.Included {
			d[i].Included = append(d[i].Included, position(at))
		}
	}
	return d
}
