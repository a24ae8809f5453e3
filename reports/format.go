package reports

import (
	"io"
	"slices"
	"strings"

	"metalconform/metalrun"
	"metalconform/suite"
	"metalconform/suite/metrics"
)

// Format writes a view. The same view gives the same bytes.
type Format struct {
	Name  string
	Write func(io.Writer, View) error
	// Plain: the writer is an output sanitiser, which keeps lines from being commands to what reads a log. Other
	// formats escape all that they write.
	Plain bool
}

// Formats are all that there are.
func Formats() []Format {
	return []Format{
		{Name: "text", Write: Text, Plain: true},
		{Name: "markdown", Write: Markdown, Plain: true},
		{Name: "junit", Write: JUnit},
		{Name: "github", Write: GitHub},
		{Name: "csv", Write: CSV, Plain: true},
		{Name: "bench", Write: Benchmarks},
		{Name: "json", Write: jsonFormat},
	}
}

// Table sums up what the view shows: the cases, and what else fails.
func (v View) Table() Table {
	t := NewTable(v.Judged(), v.Metrics)
	t.Problems, t.Lacks = v.Problems(), v.lacks()
	return t
}

// Known is the verdict on a case that fails as it did in the baseline, where only what
// is new is to fail.
const Known suite.Status = "known"

// Judged are the results with what is known of them. A mistake of this program is never known.
func (v View) Judged() []suite.Result {
	if !v.New || v.Against == nil {
		return v.Results
	}
	list := slices.Clone(v.Results)
	for i, r := range list {
		if fails(r.Status) && !r.Panicked && !v.Against.fresh[r.Case] {
			list[i].Status = Known
		}
	}
	return list
}

// Verdict is what the run comes to, and why.
func (v View) Verdict() Verdict { return v.Table().Verdict() }

// lacks are what keeps the run from being known: flaws of results, and mistakes of this program.
func (v View) lacks() []string {
	list := v.flaws()
	for _, name := range v.fileNames() {
		if s := v.Shaders[name]; s.Panicked && len(s.Diagnostics) > 0 {
			first, _, _ := strings.Cut(s.Diagnostics[0].Message, "\n")
			list = append(list, name+": "+first)
		}
	}
	if v.Crashed != nil {
		first, _, _ := strings.Cut(v.Crashed.Error(), "\n")
		list = append(list, first)
	}
	return list
}

// View is what a report shows.
type View struct {
	Run
	Metrics metrics.Table // that are shown; nil: metrics.All
	Against *Comparison   // with another run; nil for none
	New     bool          // only what that one did not have fails
	Limit   int           // bytes that Markdown may have; 0: no limit
	Colour  bool          // in text, for a terminal
	// Change says that only what a change concerns is judged, which may be nothing. What is
	// required has to be in the shaders, whether or not the other run had it.
	Change bool
	// Blame are lines of the shaders that failures are shown at: of a case the one that it
	// fails for, and of a kernel or pipeline one for failures without a place of their own.
	Blame map[string]metalrun.Position
	// More are problems that neither the run nor the comparison shows.
	More []Problem
	// Crashed are mistakes of this program in judging what the run is compared with, a line each; nil: none.
	Crashed error
}
