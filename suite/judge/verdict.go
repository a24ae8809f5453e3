package judge

import (
	"cmp"
	"io/fs"
	"path"
	"slices"

	"metalconform/internal/crash"
	"metalconform/metalrun"
	"metalconform/suite"
)

// Request is a source to be judged.
type Request struct {
	ID     string            `json:"id,omitempty"`     // given back
	Name   string            `json:"name,omitempty"`   // of the file, in positions; kernel.metal if not given
	Source string            `json:"source"`           // in Metal Shading Language
	Files  map[string]string `json:"files,omitempty"`  // that it includes, by name
	Kernel string            `json:"kernel,omitempty"` // of the specification; none for the only one
	Seed   uint64            `json:"seed,omitempty"`   // of inputs and points; 0: the session's
}

// file is the name of the source in positions: the one given, if it is one of a file.
func (r Request) file() string {
	if !fs.ValidPath(r.Name) || path.Base(r.Name) != r.Name || path.Ext(r.Name) != ".metal" || len(r.Name) > 255 {
		return file
	}
	return r.Name
}

// Verdict is what a source came to.
type Verdict struct {
	ID       string    `json:"id,omitempty"`
	Kernel   string    `json:"kernel,omitempty"`
	Conforms bool      `json:"conforms"`
	Seed     uint64    `json:"seed"`
	Cases    int       `json:"cases"`              // judged
	Findings []Finding `json:"findings,omitempty"` // the first matters most
	Work     []Work    `json:"work,omitempty"`     // nil where nothing could be counted
	// Unreached is code that no launch reached: nothing is known of it.
	Unreached []suite.Unreached `json:"unreached,omitempty"`
	// NotJudged is why some cases were not judged. Without findings nothing is known of the source.
	NotJudged string `json:"not_judged,omitempty"`
	// of the request, or of the specification, or of this program: no verdict
	Error string `json:"error,omitempty"`

	Crash *crash.Crash `json:"-"` // the error is a panic
}

// crash ends the verdict with a panic, the first that there was, and what brought it up.
func (v *Verdict) crash(of string, c *crash.Crash) {
	if v.Crash == nil {
		v.Conforms, v.Error, v.Crash = false, of+c.Error(), c
	}
}

// Kind orders findings.
type Kind string

// Kinds, as they are ranked.
const (
	Compile  Kind = "compile"  // the front end refuses it
	Fault    Kind = "fault"    // a launch ends in a fault, races, or uses what nobody has written
	Cheat    Kind = "cheat"    // it conforms where it could expect to be asked, and not elsewhere
	Formula  Kind = "formula"  // it computes something else than the definition
	Value    Kind = "value"    // a value is wrong
	Rounding Kind = "rounding" // a value is less accurate than it may be
	Accuracy Kind = "accuracy" // a value may be as inaccurate as it is, but the definition need not be
	Unknown  Kind = "unknown"  // exact execution cannot tell what it computes
)

var kinds = []Kind{Compile, Fault, Cheat, Formula, Value, Rounding, Accuracy, Unknown}

// Finding is one thing that is wrong.
type Finding struct {
	Kind   Kind   `json:"kind"`
	Check  string `json:"check"` // its name: of a case, or one of those of cheats
	Text   string `json:"text"`
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	Case   string `json:"case,omitempty"`  // the smallest that shows it
	Cases  int    `json:"cases,omitempty"` // that show it

	size int // of the case
}

// Lossy is the check of results that lose accuracy beyond what their definition costs.
const Lossy = "lossy"

// Unjudged is the check of results that nothing is known of.
const Unjudged = "unjudged"

// Checks of cheats.
const (
	Ignored  = "ignored"  // results do not depend on an input that the definition depends on
	Constant = "constant" // a scalar is taken for the number that the specification gives it
	Tuned    = "tuned"    // it conforms at the sizes of the specification, and not between them
	Skipped  = "skipped"  // it conforms up to the sizes of the specification, and not beyond
	// it conforms elsewhere, and not where a size or an element is a number that the source decides by
	Switched = "switched"
	Left     = "left" // results depend on what an output holds before the launch, such as an earlier launch's
)

// Work is what one case has asked of the kernel, and what its definition asks for.
type Work struct {
	Case       string        `json:"case"`
	Counted    metalrun.Work `json:"counted"`
	Definition Definition    `json:"definition"`
}

// Definition is the least that the definition asks for.
type Definition struct {
	Bytes      int `json:"bytes"`                // of buffers, each element once
	Operations int `json:"operations,omitempty"` // if the specification says how many
}

// kindOf are the kinds of the checks of cases.
func kindOf(c suite.Check) Kind {
	switch c.Info().Subject {
	case suite.SubjectConduct:
		return Fault
	case suite.SubjectFormula:
		return Formula
	case suite.SubjectRounding:
		return Rounding
	}
	return Value
}

// leaveUnknown gives no verdict on a source without findings if code that writes buffers has never run: it may write
// anything.
func (v *Verdict) leaveUnknown() {
	if len(v.Unreached) > 0 && v.Unreached[0].Stores && len(v.Findings) == 0 && v.NotJudged == "" {
		v.NotJudged = "code that writes a buffer never ran, and nothing is known of it: " + v.Unreached[0].String()
	}
}

// add enters a finding of a case: of each check the smallest case.
func (v *Verdict) add(f Finding) {
	for i := range v.Findings {
		own := &v.Findings[i]
		if own.Kind != f.Kind || own.Check != f.Check || own.Line != f.Line || own.File != f.File {
			continue
		}
		f.Cases += own.Cases
		if f.size < own.size {
			*own = f
		}
		own.Cases = f.Cases
		return
	}
	v.Findings = append(v.Findings, f)
}

// rank sorts findings, and says whether there are any.
func (v *Verdict) rank() {
	slices.SortStableFunc(v.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)),
			cmp.Compare(a.size, b.size))
	})
	v.Conforms = len(v.Findings) == 0 && v.Error == "" && v.NotJudged == "" && v.Cases > 0
}
