package suite

import (
	"fmt"
	"math"
	"strings"

	"metalconform/metalrun"
	"metalconform/suite/metrics"
)

// Status is the verdict on a case.
type Status string

// Verdicts.
const (
	Pass  Status = "pass"  // the kernel conforms
	Fail  Status = "fail"  // it does not
	Skip  Status = "skip"  // there was nothing to judge; the message says why
	Error Status = "error" // it could not be judged; the message says why

	Expected Status = "expected" // it does not conform, as is declared
	Waived   Status = "waived"   // it exceeds bounds by no more than is declared, or is declared not to be judged
)

// Statuses are all verdicts.
func Statuses() []Status { return []Status{Pass, Fail, Skip, Error, Expected, Waived} }

// Result is the verdict on one case, one line of results.jsonl. Infinite
// figures are written as the largest float64.
type Result struct {
	Case    string `json:"case"`
	Kernel  string `json:"kernel"` // or pipeline
	Family  string `json:"family"`
	Backend string `json:"backend"`
	Status  Status `json:"status"`

	ErrorRatio   float64 `json:"over"`                 // largest error as a fraction of its bound
	UlpSecondary float64 `json:"ulp_beside,omitempty"` // largest error against the kernel's second definition in units in the last place; it gates nothing
	NS           int64   `json:"ns"`                   // time of all launches
	Seed         uint64  `json:"seed"`

	Elements int    `json:"elements"`       // judged
	Open     int    `json:"open,omitempty"` // not judged: the contract promises nothing for them
	Worst    string `json:"worst,omitempty"`

	Digest   string           `json:"digest,omitempty"`   // of every byte that the kernel could write, after the run: equal where all bits are
	Distinct int              `json:"distinct,omitempty"` // outputs of repeated launches; 0 if they were not repeated
	Outputs  []metrics.Output `json:"outputs,omitempty"`  // how far each output is off; of a pipeline, those of each stage and invariant

	// Relies is the first choice of the device, by place and kind, that the case
	// cannot do without, if it fails on an adversary alone.
	Relies string `json:"relies,omitempty"`

	Contracts []string `json:"contracts,omitempty"` // that are declared in place of the catalogue's: where, of which kernel, and what they say
	Declared  []string `json:"declared,omitempty"`  // where the verdict was declared, file:line

	Notes    []string  `json:"notes,omitempty"`   // on tables that the oracle read, and figures that gate nothing
	Message  string    `json:"message,omitempty"` // of everything but a pass: what is wrong, for a reader
	Failures []Failure `json:"failures,omitempty"`
	Replay   string    `json:"replay,omitempty"` // the command that repeats the case
}

// Check names what a kernel can fail.
type Check string

// Checks of a run, in the order in which they are reported.
const (
	CheckBound       Check = "bound"         // an element is further from its exact value than its rigorous bound
	CheckStatistical Check = "statistical"   // inputs are random, and an element is further from its exact value than its statistical bound
	CheckExact       Check = "exact"         // an element is not the one value that it can be
	CheckNonFinite   Check = "nonfinite"     // NaN or Inf where a number has to be, or the reverse
	CheckUnwritten   Check = "unwritten"     // an element of an output was never written
	CheckDeterminism Check = "determinism"   // the same launches from the same inputs gave other bits
	CheckUntouched   Check = "untouched"     // an element that has to stay changed
	CheckReadOnly    Check = "readonly"      // an input changed
	CheckGuard       Check = "guard"         // a write outside a buffer
	CheckFault       Check = "fault"         // the launch ended in a fault of the kernel
	CheckArguments   Check = "arguments"     // the argument table is not the catalogue's
	CheckTables      Check = "tables"        // a table that the catalogue names is missing or of another type
	CheckEqual       Check = "equal"         // two buffers that must have the same bits differ
	CheckRefusal     Check = "refusal"       // a shape that the host has to refuse was accepted
	CheckRace        Check = "race"          // two threads access memory in no order, one of them to write: see metalrun.Finding for this and the next three
	CheckUninitial   Check = "uninitialised" // memory that nobody has written reaches an output or a branch
	CheckInactive    Check = "inactive"      // the value of a lane that is not active does
	CheckUndefined   Check = "undefined"     // a division by zero or an impossible conversion does
	CheckExpected    Check = "expected"      // a case did not fail as it is declared to
)

// Failure is one check of a case that failed, with the element that failed it
// worst.
type Failure struct {
	Check      Check   `json:"check"`
	Stage      string  `json:"stage,omitempty"` // of a pipeline, or the invariant between its buffers
	Arg        string  `json:"arg,omitempty"`
	Index      []int   `json:"index,omitempty"` // over the argument's extents
	Got        string  `json:"got,omitempty"`
	Want       string  `json:"want,omitempty"`
	ErrorRatio float64 `json:"over,omitempty"`       // error as a fraction of the bound
	Error      float64 `json:"error,omitempty"`      // |got − want|
	Bound      float64 `json:"bound,omitempty"`      // what it may be
	Derivation string  `json:"derivation,omitempty"` // of the bound
	Count      int     `json:"count,omitempty"`      // elements that fail
	Of         int     `json:"of,omitempty"`         // elements judged
	First      []int   `json:"first,omitempty"`      // the first that fails
	Message    string  `json:"message"`

	At    *metalrun.Party `json:"at,omitempty"`    // of what was found in a launch: where, and by which thread
	Other *metalrun.Party `json:"other,omitempty"` // the other party
}

// element spells an element: out[3, 17].
func element(arg string, index []int) string {
	return fmt.Sprintf("%s%s", arg, strings.ReplaceAll(fmt.Sprint(index), " ", ", "))
}

// figure is x, or the largest float64 in place of what JSON cannot write, with
// the sign of an infinity.
func figure(x float64) float64 {
	switch {
	case math.IsNaN(x) || x > math.MaxFloat64:
		return math.MaxFloat64
	case x < -math.MaxFloat64:
		return -math.MaxFloat64
	}
	return x
}

// message joins the failures, the case's name in front of each.
func (r *Result) fail(failures []Failure) {
	r.Status = Fail
	r.Failures = failures
	var lines []string
	for _, f := range failures {
		lines = append(lines, r.Case+": "+f.Message)
	}
	r.Message = strings.Join(lines, "\n")
}

// because ends the case with a status and its reason.
func (r *Result) because(s Status, format string, args ...any) {
	r.Status = s
	r.Message = r.Case + ": " + fmt.Sprintf(format, args...)
}
