package diagnostics

import (
	"metalconform/metalrun"
)

// Severity is how bad something is.
type Severity string

// The severities, which are the levels of SARIF.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
)

// Diagnostic is one thing to say about a place in a source.
type Diagnostic struct {
	metalrun.Diagnostic
	Severity Severity
	Detail   string // lines below the message, for a reader; "" for none
	Raw      any    // what JSON has; the metalrun.Diagnostic if nil
}

// Of are the errors and warnings of a compiler.
func Of(list metalrun.Diagnostics) []Diagnostic {
	out := make([]Diagnostic, len(list))
	for i, d := range list {
		out[i] = Diagnostic{Diagnostic: d, Severity: Error}
		if d.Warning {
			out[i].Severity = Warning
		}
	}
	return out
}

// Format is a form in which diagnostics are written.
type Format string

// The formats. JSON has one object a line; GitHub has the commands of workflows, which
// become annotations of a change; SARIF is version 2.1.0.
const (
	Text   Format = "text"
	JSON   Format = "json"
	GitHub Format = "github"
	SARIF  Format = "sarif"
)

// Formats are all of them.
func Formats() []Format { return []Format{Text, JSON, GitHub, SARIF} }

// Style is how they are to be written.
type Style struct {
	Format Format
	Colour bool   // text with the escape sequences of a terminal
	Limit  int    // of one cause in text and annotations; 0 for none
	Tool   string // the version of the program that says them
}
