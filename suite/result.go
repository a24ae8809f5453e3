package suite

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"metalconform/internal/crash"
	"metalconform/metalrun"
	"metalconform/metalrun/forecast"
	"metalconform/suite/metrics"
)

// Unjudged are elements that exact execution knows nothing of, and that nothing else bounds.
type Unjudged struct {
	Elements   int    `json:"elements"`
	Held       int    `json:"held,omitempty"` // of these, those that are held to what their definition costs
	Reason     string `json:"reason"`
	TakenApart bool   `json:"taken_apart,omitempty"` // bits of floats are among the reasons

	Edge bool `json:"-"` // inputs hold subnormal numbers, infinities or NaN
}

// Result is the verdict on one case, one line of results.jsonl. Infinite
// figures are written as the largest float64.
type Result struct {
	Case     string `json:"case"`
	Kernel   string `json:"kernel"`             // or pipeline
	Pipeline bool   `json:"pipeline,omitempty"` // it is one
	Family   string `json:"family"`
	Backend  string `json:"backend"`
	Status   Status `json:"status"`
	Math     string `json:"math,omitempty"` // that the kernel was built in; "" for safe

	ErrorRatio float64 `json:"error_ratio"` // largest error as a fraction of its bound
	// largest error against the kernel's second definition in units in the last place; it gates nothing
	UlpSecondary float64        `json:"ulp_secondary,omitempty"`
	NS           int64          `json:"ns"`              // time of all launches
	Clock        metalrun.Clock `json:"clock,omitempty"` // of NS, where it was not that of the device
	// wall time of the case as a whole, inputs and oracles included
	CostNS int64  `json:"cost_ns"`
	Seed   uint64 `json:"seed"`

	// of all launches, on a device that counts; of a case that passes or fails by value
	Work *metalrun.Work `json:"work,omitempty"`

	// Forecast is how long a GPU is likely to take for the launches, where that was asked for.
	Forecast *forecast.Forecast `json:"forecast,omitempty"`

	Elements int       `json:"elements"`           // judged
	Open     int       `json:"open,omitempty"`     // not judged: the contract promises nothing for them
	Unjudged *Unjudged `json:"unjudged,omitempty"` // those that exact execution has to bound, and cannot
	// the one with the largest error as a fraction of its bound; nil where nothing is off
	Worst *Element `json:"worst,omitempty"`

	// of every byte that the kernel could write, after the run: equal where all bits are
	Digest   string `json:"digest,omitempty"`
	Distinct int    `json:"distinct,omitempty"` // outputs of repeated launches; 0 if they were not repeated
	// how far each output is off; of a pipeline, those of each stage and invariant
	Outputs []metrics.Output `json:"outputs,omitempty"`

	// ThreeWays are elements as the oracle, the simulator and the device of the run have
	// them, one of each output, if the run was asked for that.
	ThreeWays []ThreeWay `json:"three_ways,omitempty"`

	// Losses are outputs that are less accurate than their definition need be, where that was asked for.
	Losses []Loss `json:"losses,omitempty"`

	// Blame is where the error of the worst element comes from, where that was asked for: of
	// the first case of each kernel and pipeline.
	Blame *Blame `json:"blame,omitempty"`

	// Explained is the background of the first element that fails, where that was asked for.
	Explained *Background `json:"explained,omitempty"`

	// Relies is the first choice of the device that the case cannot do without, if it
	// fails on an adversary alone.
	Relies *Reliance `json:"relies,omitempty"`

	Contracts []JudgedContract `json:"contracts,omitempty"` // declared instead of the catalogue's
	Declared  []Position       `json:"declared,omitempty"`  // where the verdict was declared

	// Warnings are what does not fail the case and is not to go unread: no flag hides
	// them.
	Warnings []string  `json:"warnings,omitempty"`
	Notes    []string  `json:"notes,omitempty"` // on tables that the oracle read, and figures that gate nothing
	Failures []Failure `json:"failures,omitempty"`
	// Findings are what the case does not fail by and a strict run does, each of them a
	// warning too.
	Findings []Failure `json:"findings,omitempty"`

	// Why there is nothing to judge: what the host, the compiler or the device said,
	// word for word, and at which stage of a pipeline; or the waiver that kept the case
	// from being launched.
	Reason string `json:"reason,omitempty"`
	// the file that has the kernel, if the reason is that it does not compile
	Uncompiled string `json:"uncompiled,omitempty"`
	StoppedAt  string `json:"stopped_at,omitempty"`
	Panicked   bool   `json:"panicked,omitempty"` // an oracle, a specification or the compiler did, with that reason
	Waiver     *Entry `json:"waiver,omitempty"`

	// Crash is the panic, with where it happened.
	Crash *crash.Crash `json:"-"`

	Hung bool `json:"hung,omitempty"` // a launch did not end by itself

	// Steps are the instructions that single threads have executed in all launches of the case on simulators, and
	// OutOfSteps says that a launch, or its checks, used up those that it may execute: nothing is known of the kernel.
	Steps      int64 `json:"-"`
	OutOfSteps bool  `json:"-"`

	// Defined are the operations that the definition took for all that it was asked, where it counts them. Exceeds says
	// that it asked for more than an evaluation or a case may take.
	Defined int64 `json:"-"`
	Exceeds bool  `json:"-"`

	// Unusable is why the device can judge no case any more: this is no verdict, and
	// Run reports none after it.
	Unusable error `json:"-"`

	Replay string `json:"replay,omitempty"` // the command that repeats the case
}

// Figure is x, or the largest float64 in place of what JSON cannot write, with
// the sign of an infinity.
func Figure(x float64) float64 {
	switch {
	case math.IsNaN(x) || x > math.MaxFloat64:
		return math.MaxFloat64
	case x < -math.MaxFloat64:
		return -math.MaxFloat64
	}
	return x
}

// FailBy ends the case with what its checks found.
func (r *Result) FailBy(failures []Failure) { r.Status, r.Failures = Fail, failures }

// warn adds a warning, once.
func (r *Result) warn(text string) { r.Warnings = with(r.Warnings, text) }

// note adds a note, once.
func (r *Result) note(text string) { r.Notes = with(r.Notes, text) }

// with is the list with x in it, once.
func with[T comparable](list []T, x T) []T {
	if slices.Contains(list, x) {
		return list
	}
	return append(list, x)
}

// Because ends the case with a status and the reason for it. A device that lacks
// what the kernel needs makes it a skip, one that is unusable ends the run, and what has
// panicked is a mistake of this program.
func (r *Result) Because(s Status, format string, args ...any) {
	r.Status, r.Reason = s, fmt.Sprintf(format, args...)
	for _, a := range args {
		err, _ := a.(error)
		switch {
		case errors.As(err, &r.Crash):
			r.Status, r.Panicked = Error, true
		case errors.Is(err, metalrun.ErrUnsupported):
			r.Status = Skip
		case errors.Is(err, metalrun.ErrUnusable):
			r.Unusable = err
		}
	}
}

// Crashed is the error of a case that this program could not judge; nil of any other.
func (r Result) Crashed() error {
	if r.Crash == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", r.Case, r.Crash)
}

// Status is the verdict on a case.
type Status string

// Verdicts.
const (
	Pass  Status = "pass"  // the kernel passes
	Fail  Status = "fail"  // it does not
	Skip  Status = "skip"  // there was nothing to judge; the reason says why
	Error Status = "error" // it could not be judged; the reason says why

	Expected Status = "expected" // it fails, as is declared
	Waived   Status = "waived"   // it exceeds bounds by no more than is declared, or is declared not to be judged
)

// Statuses are all verdicts.
func Statuses() []Status { return []Status{Pass, Fail, Skip, Error, Expected, Waived} }
