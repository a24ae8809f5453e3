package metalrun

import (
	"fmt"
	"strings"
)

// Position is a place in a source file; lines and columns count from 1 and
// columns count bytes.
type Position struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Col  int    `json:"col"`
}

func (p Position) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }

// Diagnostic is one error of the front end.
type Diagnostic struct {
	Position
	Code    string `json:"code"`    // stable name of the rule
	Message string `json:"message"` // one lower-case clause
}

func (d Diagnostic) Error() string { return d.Position.String() + ": " + d.Message }

// Diagnostics is a list of errors, sorted by position.
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

// Fault is an error of the running kernel: the launch ended there, and no
// memory outside the kernel's bindings was touched.
type Fault struct {
	Position
	Kernel      string // entry point
	Message     string // one lower-case clause
	Thread      [3]int // position of the thread in its threadgroup
	Threadgroup [3]int // position of the threadgroup in the grid
}

func (f *Fault) Error() string {
	return fmt.Sprintf("%s: %s\n\tin %s, thread (%d,%d,%d) of threadgroup (%d,%d,%d)", f.Position, f.Message, f.Kernel,
		f.Thread[0], f.Thread[1], f.Thread[2], f.Threadgroup[0], f.Threadgroup[1], f.Threadgroup[2])
}
