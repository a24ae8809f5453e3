package metalrun

import (
	"fmt"
	"strings"
)

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
