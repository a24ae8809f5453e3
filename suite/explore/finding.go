package explore

import (
	"errors"
	"fmt"
	"strings"

	"metalconform/metalrun"
	"metalconform/suite"
	"metalconform/suite/adhoc"
)

// Provenance is how a kernel was launched.
type Provenance struct {
	Case    string   `json:"case,omitempty"`    // of the catalogue
	Given   []string `json:"given,omitempty"`   // as flags
	Guessed []string `json:"guessed,omitempty"` // likewise
	Part    bool     `json:"part,omitempty"`    // of the grid: the first threadgroup, its neighbours and the last
}

// String is for a reader: what was guessed may be at fault.
func (l Provenance) String() string {
	if l.Case != "" {
		return "launched as case " + l.Case
	}
	text := "nothing guessed"
	if l.Guessed != nil {
		text = "guessed (state what is otherwise): " + spelt(l.Guessed)
	}
	if l.Given != nil {
		text = "given: " + spelt(l.Given) + "\n\t" + text
	}
	if l.Part {
		text += "\n\tof the grid, the first threadgroup, its neighbours and the last: others of its place have shown " +
			"the same in whole grids"
	}
	return text
}

// spelt are flags for a reader. A source may have thousands of function constants, each of which is one.
func spelt(flags []string) string {
	const most = 100
	if n := len(flags) - most; n > 0 {
		return fmt.Sprintf("%s and %d more, which -report json has", strings.Join(flags[:most], " "), n)
	}
	return strings.Join(flags, " ")
}

// Finding is a finding with the launch that showed it.
type Finding struct {
	Source string `json:"source"` // the file on the command line
	metalrun.Finding
	Launch Provenance      `json:"launch"`
	shown  *adhoc.Launch   // that showed it, if its inputs were generated
	fault  *metalrun.Fault // that it is, if it is one
}

func (o Finding) String() string {
	if o.Grade == metalrun.GradeNote {
		return fmt.Sprintf("%s: note: %s", o.Position, o.Message)
	}
	return fmt.Sprintf("%s\n\t%s", o.Finding, o.Launch)
}

// counted is the number of findings without notes.
func counted(list []Finding) int {
	n := 0
	for _, o := range list {
		if o.Grade != metalrun.GradeNote {
			n++
		}
	}
	return n
}

// ends reports whether it ended its launch.
func (o Finding) ends() bool { return o.Check == "fault" || o.Check == "launch" }

// inBuffer reports whether it is a race in device memory.
func (o Finding) inBuffer() bool {
	return o.Check == string(suite.CheckRace) && o.Object.Table == "buffer"
}

// unspecified reports whether it is shown by launches with other values for what is unspecified.
func (o Finding) unspecified() bool {
	return !o.ends() && o.Check != string(suite.CheckRace)
}

// divides reports whether it is a division by zero.
func (o Finding) divides() bool {
	return o.Check == string(suite.CheckUndefined) && o.Does == "division"
}

// is reports whether it is a fault of a kind.
func (o Finding) is(kind metalrun.FaultKind) bool { return o.fault != nil && o.fault.Kind == kind }

// before reports whether it is an access before the beginning of its memory.
func (o Finding) before() bool { return o.is(metalrun.OutOfRange) && o.fault.Access.Offset < 0 }

// leavesArray reports whether it is an access beyond the end of an array that the kernel declares.
func (o Finding) leavesArray() bool {
	return o.is(metalrun.OutOfRange) && o.fault.Access.Index < 0 && !o.before()
}

// findingKey is a check at a place of the source, and of a race in device memory the least group of its parties:
// threads may race there for another reason than threadgroups.
type findingKey struct {
	check string
	at    metalrun.Position
	among metalrun.Scope
}

func (o Finding) key() findingKey {
	at := findingKey{check: o.Check, at: o.Position}
	if o.inBuffer() {
		at.among = o.Among
	}
	return at
}

// same reports whether two findings are of one check at one place.
func (o Finding) same(p Finding) bool { return o.key() == p.key() }

// failed is a launch that ended early: with a fault of the kernel, or before it
// began.
func (q *exploration) failed(info metalrun.KernelInfo, err error) Finding {
	o := Finding{Source: q.file}
	if errors.As(err, &o.fault) {
		f := o.fault
		at := metalrun.Party{Position: f.Position, Does: "fault", Thread: f.Thread, Threadgroup: f.Threadgroup}
		o.Finding = metalrun.Finding{Check: "fault", Kernel: f.Kernel, Message: f.Message, Party: at}
		return o
	}
	o.Finding = metalrun.Finding{Check: "launch", Kernel: info.Name, Message: err.Error(), Party: declared(info)}
	return o
}

// declared is the place of a kernel.
func declared(info metalrun.KernelInfo) metalrun.Party {
	return metalrun.Party{Position: info.Position, Does: "declaration"}
}
