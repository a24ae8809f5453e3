package metalrun

import (
	"fmt"
	"strings"
)

// Finding is what a check found in a launch on a device that observes: behaviour that Metal does not define, although
// the results may be right.
//
// The checks are
//
//   - race: two threads access memory, one of them to write, and nothing orders
//     them. A threadgroup_barrier or simdgroup_barrier orders the memory that its
//     flags name; only atomics order the threadgroups of a launch. Two atomics race if
//     their order decides a result;
//   - uninitialised: memory that nobody has written reaches an output or a branch;
//   - inactive: the value of a lane that is not active does so;
//   - undefined: the result of an integer division by zero does so, that of
//     converting a float to an integer type that cannot hold it, or that of a
//     broadcast or shuffle from a lane that does not exist, or by a lane, mask or
//     delta that has to be the same in all threads and is not. Metal defines shifts
//     for every count, and the conversion of NaN;
//   - fastmath: in fast math, which takes every number for finite, what an operation makes of a
//     NaN or an infinity does so;
//   - return, a note: threads return before a barrier, which Apple GPUs alone are
//     known to accept.
//
// Trials decide the grade: the launch runs again from the same memory in another way that Metal allows, and the bits of
// all memory that it can write are compared.
//
// Accesses out of range, misaligned ones, barriers that some threads do not reach
// and matrix products of partial simdgroups end a launch with a [Fault], checked or
// not.
type Finding struct {
	Check   string `json:"check"`
	Kernel  string `json:"kernel"` // entry point
	Message string `json:"message"`
	Party
	Object *Object `json:"object,omitempty"` // of a race, or what is read before it is written; nil: of none
	Among  Scope   `json:"among,omitempty"`  // of a race
	Other  *Party  `json:"other,omitempty"`  // the other access, or the declaration of the memory
	Grade  Grade   `json:"grade,omitempty"`  // none of what ended the launch
	Trials []Trial `json:"trials,omitempty"`
}

// Scope is the smallest group that contains both parties of a race: what would have to be ordered.
type Scope string

// Scopes.
const (
	Threads      Scope = "threads"      // of a simdgroup
	Simdgroups   Scope = "simdgroups"   // of a threadgroup
	Threadgroups Scope = "threadgroups" // of a launch
)

// Grade says how much a finding weighs.
type Grade string

// Grades of findings.
const (
	GradeWrong     Grade = "wrong"     // a trial changed a result
	GradeUndefined Grade = "undefined" // Metal does not define it, and no trial changed a result
	GradeNote      Grade = "note"      // worth knowing, but not an error
)

// Trial is another run of the launch, as Metal allows it: with threads in another order,
// with stores that others see late, or with other values in place of an unspecified one.
type Trial struct {
	What    string `json:"what"`              // is different
	Changes string `json:"changes,omitempty"` // the first result that it changes; none if empty
}

// Party is one side of a finding.
type Party struct {
	Position
	Does        string `json:"does"` // such as "write", "read", "declaration"
	Thread      [3]int `json:"thread"`
	Threadgroup [3]int `json:"threadgroup"`
}

func (p Party) String() string {
	if p.Does == "declaration" {
		return fmt.Sprintf("declared at %s", p.Position)
	}
	return fmt.Sprintf("%s at %s by thread (%d,%d,%d) of threadgroup (%d,%d,%d)", p.Does, p.Position,
		p.Thread[0], p.Thread[1], p.Thread[2], p.Threadgroup[0], p.Threadgroup[1], p.Threadgroup[2])
}

func (f Finding) String() string {
	s := fmt.Sprintf("%s: %s: %s\n\tin %s, %s", f.Position, f.Check, f.Message, f.Kernel, f.Party)
	if f.Other != nil {
		s += "\n\t" + f.Other.String()
	}
	return s + Evidence(f.Trials)
}

// Evidence describes the trials of a finding: a line for each trial that changed a result, and one line for the others.
func Evidence(trials []Trial) string {
	text := ""
	var without []string
	for _, t := range trials {
		if t.Changes == "" {
			without = append(without, t.What)
			continue
		}
		text += fmt.Sprintf("\n\twrong: with %s, %s", t.What, t.Changes)
	}
	switch {
	case without == nil:
		return text
	case text == "":
		text = "\n\tundefined: no result changes"
	default:
		text += "\n\tno result changes"
	}
	return text + " with " + strings.Join(without, "; with ")
}
