package suite

import (
	"fmt"
	"strings"

	"metalconform/metalrun"
	"metalconform/oracles"
)

// Failure is one check of a case that failed, with the element that failed it
// worst. It holds facts; [Failure.String] makes the sentence for a reader from them.
type Failure struct {
	Check Check  `json:"check"`
	Stage string `json:"stage,omitempty"` // of a pipeline, or the invariant between its buffers
	// Adversary is the number of the adversarial device that shows it; 0 for the device
	// of the run.
	Adversary int `json:"adversary,omitempty"`

	// Grade is that of what was found in a launch or in the source, with the trials that
	// it rests on. Others have none: they are wrong. What Metal or the contract forbids and
	// no trial has shown to change a result fails where that is asked for, and warns
	// otherwise.
	Grade  metalrun.Grade   `json:"grade,omitempty"`
	Trials []metalrun.Trial `json:"trials,omitempty"`

	// The element: absent where the failure is about none.
	Arg         string      `json:"arg,omitempty"`
	Type        string      `json:"type,omitempty"`
	Extents     []int       `json:"extents,omitempty"` // of the argument
	Index       []int       `json:"index,omitempty"`
	Got         *Value      `json:"got,omitempty"`
	Want        *Value      `json:"want,omitempty"`        // exact; of determinism what the first run gave
	GotBits     string      `json:"got_bits,omitempty"`    // where the bits decide
	WantBits    string      `json:"want_bits,omitempty"`   // the same
	Quiet       bool        `json:"quiet,omitempty"`       // every quiet NaN is right
	Error       float64     `json:"error,omitempty"`       // |got − want|
	ErrorRatio  float64     `json:"error_ratio,omitempty"` // the same as a fraction of the bound that it breaks
	Bound       *Bound      `json:"bound,omitempty"`       // rigorous
	Statistical *Bound      `json:"statistical,omitempty"` // nil unless that is the one it breaks
	Exact       *ExactValue `json:"exact,omitempty"`       // of formula and rounding: what exact execution gives
	Count       int         `json:"count,omitempty"`       // elements that fail
	Finite      int         `json:"finite,omitempty"`      // of nonfinite: those that are finite and must not be
	Of          int         `json:"of,omitempty"`          // elements judged
	First       []int       `json:"first,omitempty"`       // the first that fails
	// where those that fail lie, in words: the last element of every row, lane 31
	Place string `json:"place,omitempty"`

	Same    *Element    `json:"same,omitempty"`    // of equal: the one whose bits it must have
	Repeat  *Repetition `json:"repeat,omitempty"`  // of determinism
	Outside *Outside    `json:"outside,omitempty"` // of guard
	Cosine  *Value      `json:"cosine,omitempty"`  // of cosine

	Expected *UnmetExpectation `json:"expected,omitempty"` // of expected: what was declared

	// Of a value that has a bound: the declaration under which this and all that was found
	// with it would conform.
	Remedy   *Remedy `json:"remedy,omitempty"`
	NoRemedy bool    `json:"no_remedy,omitempty"` // there is none
	// Of what is not finite and must be, or the reverse, by a definition alone: the inputs are not finite either, and
	// a specification may do without such.
	Unasked bool `json:"unasked,omitempty"`
	// Of such where the inputs are finite: their family, if it is one of those that stand for inputs that are not
	// given.
	Family string `json:"family,omitempty"`
	// By a definition alone: an input holds subnormal numbers, which a specification may do without.
	Subnormal bool `json:"subnormal,omitempty"`
	// Of another formula, by a definition alone: the scalars that it does not ask for and that are rounded on their
	// way to the kernel, so that one that computes them itself has other numbers.
	Rounded []string `json:"rounded,omitempty"`

	// Of what was found in a launch or in the source: in which entry point, in the
	// words of the device or of the front end, where, and by which thread.
	Kernel string          `json:"kernel,omitempty"`
	Text   string          `json:"text,omitempty"` // all that there is to say where no entry point is known
	At     *metalrun.Party `json:"at,omitempty"`
	Other  *metalrun.Party `json:"other,omitempty"` // the other party
	Pairs  [][2]int        `json:"pairs,omitempty"` // of a race: other lines that the same barrier orders; in reports
}

// ExactValue is an element in exact arithmetic, and how far any device may be from it.
type ExactValue struct {
	Value float64 `json:"value"`
	Error float64 `json:"error"`
}

// Bound is what an error may be, and what that is made of.
type Bound struct {
	Value float64 `json:"value"`
	Terms []Term  `json:"terms,omitempty"`
}

// Term is one origin of error in a bound.
type Term struct {
	Label string  `json:"label"`
	Value float64 `json:"value"`
}

// Element names an element of a buffer.
type Element struct {
	Stage string `json:"stage,omitempty"` // of a pipeline, or the invariant between its buffers
	Arg   string `json:"arg"`
	Index []int  `json:"index,omitempty"` // over the argument's extents
}

// String spells the element as [ParseSelector] reads it: stage 2, softmax: out[3, 17].
func (e Element) String() string {
	name := e.Arg
	if e.Index != nil {
		name += tuple(e.Index)
	}
	if e.Stage != "" {
		name = e.Stage + ": " + name
	}
	return name
}

// Repetition is how launches from the same inputs differ.
type Repetition struct {
	Run      int `json:"run"` // the first that differs from run 1
	Runs     int `json:"runs"`
	Distinct int `json:"distinct"` // outputs
}

// Outside is how far from a buffer a byte lies that was written.
type Outside struct {
	Bytes  int  `json:"bytes"`
	Before bool `json:"before,omitempty"` // the buffer's start; else behind its end
}

// UnmetExpectation is a declared failure that did not come, or did not come alone.
type UnmetExpectation struct {
	Entry
	Check    Check  `json:"check"`
	Stage    string `json:"stage,omitempty"` // as it was declared: a pattern
	Conforms bool   `json:"conforms"`        // nothing failed
}

// Element is the element that fails worst.
func (f Failure) Element() Element { return Element{f.Stage, f.Arg, f.Index} }

// FirstElement is the first that fails.
func (f Failure) FirstElement() Element { return Element{f.Stage, f.Arg, f.First} }

// Broken is the bound that the element breaks; nil where it breaks none.
func (f Failure) Broken() *Bound {
	if f.Statistical != nil {
		return f.Statistical
	}
	return f.Bound
}

// tuple spells indices or extents: [3, 17].
func tuple(n []int) string { return strings.ReplaceAll(fmt.Sprint(n), " ", ", ") }

// Remedy is a declaration under which what the kernel wrote conforms: the contract that
// its author may have meant. It is found by judging the same outputs again.
type Remedy struct {
	Kernel   string            `json:"kernel"`
	Contract []oracles.Setting `json:"contract,omitempty"` // all that the entry declares
	Table    *TableRemedy      `json:"table,omitempty"`    // that it declares instead of a contract
	// largest error as a fraction of the bound that it gives; 0 if nothing was launched
	ErrorRatio float64 `json:"error_ratio"`
	Expires    string  `json:"expires"`           // a last day, three months after the run
	Instead    string  `json:"instead,omitempty"` // file:line of the entry that it replaces
}

// TableRemedy is a table of the program that may be meant to count in place of the
// catalogue's.
type TableRemedy struct {
	Name     string `json:"name"`     // in the catalogue
	Constant string `json:"constant"` // in the program
}
