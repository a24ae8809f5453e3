package reports

import (
	"io"

	"metalconform/suite/metrics"
)

// Format writes a view. The same view gives the same bytes.
type Format struct {
	Name  string
	Write func(io.Writer, View) error
}

// Formats are all that there are.
func Formats() []Format {
	return []Format{
		{"text", Text},
		{"markdown", Markdown},
		{"junit", JUnit},
		{"github", GitHub},
		{"csv", CSV},
		{"bench", Benchmarks},
		{"json", func(w io.Writer, v View) error { return JSON(w, v.Run) }},
	}
}

// View is what a report shows.
type View struct {
	Run
	Metrics metrics.Table // that are shown; nil: metrics.All
	Against *Comparison   // with another run; nil for none
	Limit   int           // bytes that Markdown may have; 0: no limit
	Colour  bool          // in text, for a terminal
}
