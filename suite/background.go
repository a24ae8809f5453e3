package suite

import "slices"

// Background is what an element came from, and how it came to its verdict.
type Background struct {
	Contract string `json:"contract"` // in words

	Stage *Stage `json:"stage,omitempty"` // of a pipeline: what the contract, the inputs and the element are of

	Scalars []NamedScalar `json:"scalars,omitempty"` // of the first launch
	Inputs  []Summary     `json:"inputs,omitempty"`  // before it
	Element *Account      `json:"element,omitempty"` // nil where nothing was judged
}

// Stage is a stage of a pipeline, or an invariant between its buffers.
type Stage struct {
	Name   string `json:"name"`             // as failures have it
	Named  bool   `json:"named,omitempty"`  // by the pipeline, and not after its kernel
	Kernel string `json:"kernel,omitempty"` // that it launches; none for an invariant
	Doc    string `json:"doc,omitempty"`    // what the kernel does
	Want   string `json:"want,omitempty"`   // of an invariant between two buffers: the one that want is from
}

// NamedScalar is a scalar argument, or a field of a struct, as the kernel sees
// it.
type NamedScalar struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Value Value  `json:"value"`
}

// Blame says where the error of one element comes from. Figures that no float64 has are written as the
// largest.
type Blame struct {
	Case   string `json:"case"`
	Stage  string `json:"stage,omitempty"` // of a pipeline, whose result the element is
	Kernel string `json:"kernel"`
	Output string `json:"output"`
	Type   string `json:"type"`
	Index  []int  `json:"index"`

	Want  Value `json:"want"`  // of the definition
	Exact Value `json:"exact"` // of the same instructions in exact arithmetic, in a pipeline on what the stage got
	Got   Value `json:"got"`   // on the reference device
	Error Value `json:"error"` // that any device may have

	// First is what the operations add up to, to first order: got − exact, but for what is of second
	// order, and in a pipeline with what the stages before have lost. Bound is the same of what they may do on any device; unlike Error it knows that the
	// errors of one rounding go several ways and may cancel.
	First Value `json:"first"`
	Bound Value `json:"bound"`

	Lines  []BlamedLine  `json:"lines"` // by their bounds, the largest first
	Inputs []BlamedInput `json:"inputs,omitempty"`
	Runs   int           `json:"runs"` // of threadgroups, each recorded in part
}

// BlamedLine is the part of one line of the source.
type BlamedLine struct {
	File   string  `json:"file"`
	Line   int     `json:"line"`
	Code   string  `json:"code"`
	Actual Value   `json:"actual"`         // what its roundings have changed in the element
	Bound  Value   `json:"bound"`          // and what they may change on any device
	Share  float64 `json:"share"`          // of all bounds
	Lost   float64 `json:"lost,omitempty"` // the most bits that a cancellation of inexact values costs there
	Times  int     `json:"times"`          // operations that the element depends on
}

// BlamedInput is the part of one buffer, as it is before the first launch.
type BlamedInput struct {
	Arg       string  `json:"arg"`
	Condition float64 `json:"condition"` // Σ|∂y/∂x·x|/|y| over its elements: a relative error of all of them, each for the worse, arrives multiplied by it
}

// Blamer finds where errors come from.
type Blamer interface {
	// BlameCase blames the worst element of a case that has been compared with exact execution, with the
	// result so far; nil if nothing is known of it.
	BlameCase(t *CaseRun, r Result) *Blame
	// BlamePipeline runs a case of a pipeline, and blames the worst element of its stages.
	BlamePipeline(opts Options, c Case) *Blame
}

// firstBlamed are the cases, with the first of each kernel and pipeline to be blamed.
func firstBlamed(cases []Case) []Case {
	cases, seen := slices.Clone(cases), map[string]bool{}
	for i := range cases {
		if c := &cases[i]; c.Input.Name != refused && !seen[c.Kernel.Name] {
			c.blamed, seen[c.Kernel.Name] = true, true
		}
	}
	return cases
}
