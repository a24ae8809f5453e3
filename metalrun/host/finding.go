package host

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"metalconform/metalrun"
)

// Names of what is found. A fault of a kernel has the name of its [metalrun.FaultKind].
const (
	CheckAssertion = "assertion" // Metal's debug layer would end the program here
	CheckHazard    = "hazard"    // two commands access memory, one of them to write, and nothing orders them
	CheckUnwritten = "unwritten" // a kernel reads memory that nothing has written
	CheckReleased  = "released"  // a resource is released while a command buffer needs it
	CheckEarly     = "early"     // the program accesses memory that a command in flight uses
	CheckRegion    = "region"    // a launch leaves the parts of a buffer that it binds, which the program announced
	CheckEmpty     = "empty"     // a grid without threads
	CheckUnbound   = "unbound"   // an argument of a kernel has no memory
	CheckCompile   = "compile"   // a library or a pipeline is refused
	CheckEvent     = "event"     // nothing signals the value that a queue waits for
	CheckRefused   = "refused"   // the simulator does not execute this part of Metal
)

// Finding is a mistake of the program at one place, however often it happens there.
type Finding struct {
	Check   string         `json:"check"`
	Grade   metalrun.Grade `json:"grade"`
	Message string         `json:"message"`
	Remedy  string         `json:"remedy,omitempty"`
	Command string         `json:"command,omitempty"` // the dispatch or the copy, with labels
	Kernel  string         `json:"kernel,omitempty"`
	metalrun.Position
	Text  string `json:"text,omitempty"` // the line of the source
	Other *Side  `json:"other,omitempty"`
	Times int    `json:"times,omitempty"` // in the summary
}

// Side is the other command of a finding.
type Side struct {
	Command string `json:"command"`
	Kernel  string `json:"kernel,omitempty"`
	Does    string `json:"does"` // "reads" or "writes"
	metalrun.Position
	Text string `json:"text,omitempty"`
}

// Fails reports whether the finding is more than a note.
func (f Finding) Fails() bool { return f.Grade != metalrun.GradeNote }

// String is the finding as text of a few lines.
func (f Finding) String() string {
	s := string(f.Check) + ": " + f.Message
	if f.Position != (metalrun.Position{}) {
		s = fmt.Sprintf("%s: %s", f.Position, s)
	}
	if f.Text != "" {
		s += "\n\t\t" + f.Text
	}
	if f.Command != "" {
		s += "\n\tin " + f.Command
	}
	if o := f.Other; o != nil {
		s += fmt.Sprintf("\n\tother: %s", o.Command)
		if o.Position != (metalrun.Position{}) {
			s += fmt.Sprintf(", which %s at %s\n\t\t%s", o.Does, o.Position, o.Text)
		}
	}
	if f.Remedy != "" {
		s += "\n\tremedy: " + f.Remedy
	}
	if f.Times > 1 {
		s += fmt.Sprintf("\n\t%d times", f.Times)
	}
	return s
}

// key is the place of the finding.
func (f Finding) key() string {
	key := fmt.Sprint(f.Check, "|", f.Kernel, "|", f.Position)
	if f.Position == (metalrun.Position{}) { // it is in the host's code, of which the message tells
		key += "|" + withoutNumbers(f.Message)
	}
	if f.Other != nil {
		key += fmt.Sprint("|", f.Other.Kernel, f.Other.Position)
	}
	return key
}

// withoutNumbers is a message for all values that the program may have passed at one place.
func withoutNumbers(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, s)
}

// Summary is what a run ends with.
type Summary struct {
	Device       string    `json:"device"`
	Dispatches   int       `json:"dispatches"`
	Threadgroups int       `json:"threadgroups"`
	Kernels      []string  `json:"kernels,omitempty"`
	Findings     []Finding `json:"findings,omitempty"`
}

// Fails reports whether a finding of the run is more than a note.
func (s Summary) Fails() bool { return slices.ContainsFunc(s.Findings, Finding.Fails) }

// Line is a line of a report: a finding as it is first made, or the summary.
type Line struct {
	Finding *Finding `json:"finding,omitempty"`
	Summary *Summary `json:"summary,omitempty"`
}

// report collects findings.
type report struct {
	mu      sync.Mutex
	to      io.Writer // gets a line for each place at once, as the program may crash; nil: nobody wants them
	known   map[string]*Finding
	order   []*Finding
	summary Summary
	kernels map[string]bool
}

// add counts a finding.
func (r *report) add(f Finding) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f.Grade = cmp.Or(f.Grade, metalrun.GradeUndefined)
	if known := r.known[f.key()]; known != nil {
		known.Times++
		return
	}
	r.write(Line{Finding: &f})
	f.Times = 1
	r.known[f.key()] = &f
	r.order = append(r.order, &f)
}

func (r *report) write(l Line) {
	if r.to == nil {
		return
	}
	text, err := json.Marshal(l)
	if err != nil {
		panic(err) // strings and numbers alone
	}
	if _, err := r.to.Write(append(text, '\n')); err != nil {
		r.to = nil
	}
}

// ran counts a dispatch.
func (r *report) ran(kernel string, threadgroups int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.summary.Dispatches++
	r.summary.Threadgroups += threadgroups
	r.kernels[kernel] = true
}

// close writes the summary.
func (r *report) close() Summary {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.summary
	for k := range r.kernels {
		s.Kernels = append(s.Kernels, k)
	}
	slices.Sort(s.Kernels)
	for _, f := range r.order {
		s.Findings = append(s.Findings, *f)
	}
	r.write(Line{Summary: &s})
	return s
}
