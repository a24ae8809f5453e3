package suite

import (
	"fmt"
	"metalconform/metalrun"
)

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

	// First is what the operations add up to, to first order: got − exact, but for what is of second order, and in a
	// pipeline with what the stages before have lost. Bound is the same of what they may do on any device; unlike Error
	// it knows that the errors of one rounding go several ways and may cancel.
	First Value `json:"first"`
	Bound Value `json:"bound"`

	// Formula says that no rounding is to blame: the exact value is not what the definition has. nil if it is.
	Formula *OtherFormula `json:"formula,omitempty"`

	Lines  []BlamedLine  `json:"lines"` // by their bounds, the largest first
	Inputs []BlamedInput `json:"inputs,omitempty"`
	Runs   int           `json:"runs"` // of threadgroups, each recorded in part
}

// OtherFormula is an exact value that is further from the definition's than roundings of the definition explain.
type OtherFormula struct {
	Ratio float64 `json:"ratio"` // of the distance to what it may be
	// Agrees are elements of other outputs, one each, whose exact values are the definition's. They are intermediate
	// values that the definition has. nil: it has none for this element.
	Agrees []Element `json:"agrees,omitempty"`
	// Stored are the lines that store elements of the output, and Reads the inputs that the definition has to make the
	// element of.
	Stored []metalrun.Position `json:"stored,omitempty"`
	Reads  []Summary           `json:"reads,omitempty"`
	// Lines are those that the element depends on and those do not, in the order of the source.
	Lines []BlamedLine `json:"lines,omitempty"`
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
	Arg string `json:"arg"`
	// Σ|∂y/∂x·x|/|y| over its elements: a relative error of all of them, each for the worse, arrives multiplied by it
	Condition float64 `json:"condition"`
}

// Loss is an output that is less accurate than its definition need be.
type Loss struct {
	Output   string  `json:"output"`
	Format   string  `json:"format"`   // that the definition was evaluated in
	Error    float64 `json:"error"`    // in root mean square
	Naive    float64 `json:"naive"`    // what a straightforward evaluation errs by, with the rounding of the output
	Bits     float64 `json:"bits"`     // lost: log₂ of the quotient
	Elements int     `json:"elements"` // that were compared
	Worst    Element `json:"worst"`    // the one with the largest error
	Got      float64 `json:"got"`
	Want     float64 `json:"want"`
	Narrow   bool    `json:"narrow,omitempty"` // the kernel names a type of 16 bits
}

// String is the loss for a reader.
func (l Loss) String() string {
	narrow := ""
	if l.Narrow {
		narrow = "; if values are meant to be kept in half or bfloat, say intermediates = f16 or bf16"
	}
	return fmt.Sprintf("%s loses %.0f bits of accuracy beyond what its definition costs in %s: errors of %.3g in "+
		"root mean square, and %.3g where the definition is evaluated operation by operation, with %s = %.9g, want "+
		"%.9g: look for a large number that is added and taken away again, or a small difference of large ones "+
		"(blame shows the lines)%s",
		l.Output, l.Bits, l.Format, l.Error, l.Naive, l.Worst, l.Got, l.Want, narrow)
}

// Reliance is a choice of the device without which a case conforms.
type Reliance struct {
	metalrun.Position
	Kind string `json:"kind"` // such as "accuracy of exp"
}

func (r Reliance) String() string { return fmt.Sprintf("%s: %s", r.Position, r.Kind) }

// ThreeWay is one element of an output as the oracle, the simulator and the device of the
// run have it: the one at which the device uses most of its bound.
type ThreeWay struct {
	Element
	Want      Value   `json:"want"`
	Bound     float64 `json:"bound"` // of the device's error; the largest float64 for an open element
	Simulator Value   `json:"simulator"`
	Device    Value   `json:"device"`
	Differ    int     `json:"differ"` // elements of the output that are not the same bits on both
	Of        int     `json:"of"`
}

// Summary tells what a buffer, or a part of it, holds.
type Summary struct {
	Arg     string   `json:"arg"`
	Type    string   `json:"type"`
	Axes    []string `json:"axes,omitempty"` // extents by name, "" for one that is no axis of the case
	Extents []int    `json:"extents"`        // of the whole buffer
	Part    []int    `json:"part,omitempty"` // the indices on the outermost axes that the part has; nil for the whole

	Buffer string `json:"buffer,omitempty"` // of a pipeline, that is bound to the argument under another name
	From   int    `json:"from,omitempty"`   // the element of that buffer which is the argument's first
	Origin

	Elements  int     `json:"elements"`
	Min       float64 `json:"min"` // of what is finite; 0 where nothing is
	Max       float64 `json:"max"`
	Zeros     int     `json:"zeros,omitempty"`
	Subnormal int     `json:"subnormal,omitempty"`
	NonFinite int     `json:"nonfinite,omitempty"`

	First []Value `json:"first,omitempty"` // of a part: some of its elements, near the one that it goes with
	// Before is how many elements of the part stand before those.
	Before int     `json:"before,omitempty"`
	Same   *Sample `json:"same,omitempty"` // of a part: its element at the output's own indices
}

// Origin is where the contents of a buffer come from.
type Origin struct {
	Inputs string `json:"inputs,omitempty"` // the family of inputs that filled it
	Stage  string `json:"stage,omitempty"`  // of a pipeline, that wrote it last
	Host   bool   `json:"host,omitempty"`   // the pipeline's host made it
}

// Sample is an element with its value.
type Sample struct {
	Index []int `json:"index"`
	Value Value `json:"value"`
}

// Account is how one element of an output came to its verdict.
type Account struct {
	Output string    `json:"output"`
	Type   string    `json:"type"`
	Index  []int     `json:"index"`
	Number int       `json:"number"` // of the element, counted through all extents
	Reads  []Summary `json:"reads,omitempty"`

	Want    Value `json:"want"` // exact
	Rounded Word  `json:"rounded"`
	Got     Word  `json:"got"`

	Deviation
	Bound       Bound             `json:"bound"`                 // rigorous; its terms only where it decides
	Rule        ElementRule       `json:"rule,omitempty"`        // what conforms, where it is no matter of a bound
	Same        *Element          `json:"same,omitempty"`        // of the rule bits: the one whose bits it must have
	Statistical *StatisticalBound `json:"statistical,omitempty"` // nil where none was derived
	Sums        []Sums            `json:"sums,omitempty"`        // that the bound rests on, where it is finite

	Exactly    *ExactAccount `json:"exactly,omitempty"`    // what exact execution knows
	Neighbours []Neighbour   `json:"neighbours,omitempty"` // of want in the output's format, below and above

	Conforms bool  `json:"conforms"`
	Check    Check `json:"check,omitempty"` // that it fails
}

// ExactAccount is what exact execution knows of an element.
type ExactAccount struct {
	Value    Value   `json:"value"`    // what the same instructions give in exact arithmetic
	Error    Value   `json:"error"`    // that any device may have, before it rounds to the output's format
	Formula  float64 `json:"formula"`  // how far the value is from the definition, as a part of what it may be
	Rounding float64 `json:"rounding"` // how far got is from it, as a part of what any device may be
}

// Deviation is how far a value is from want.
type Deviation struct {
	Error      float64 `json:"error"`       // value − want
	Ulp        float64 `json:"ulp"`         // the same in units in the last place at want
	ErrorRatio float64 `json:"error_ratio"` // |value − want| as a fraction of the rigorous bound
}

// Word is a value with its bits.
type Word struct {
	Value Value  `json:"value"`
	Bits  string `json:"bits"`
}

// ElementRule is what conforms where the bound of an element is no positive number.
type ElementRule string

// Rules of an element.
const (
	RuleExact ElementRule = "exact" // want in the output's format, bit for bit
	RuleWant  ElementRule = "want"  // want itself
	// an integer that roundings of floats on the way may make of want
	RuleRounded ElementRule = "rounded"
	// NaN or an infinity: which of them depends on an order that the contract leaves open
	RuleNonFinite ElementRule = "nonfinite"
	RuleAnything  ElementRule = "anything" // the contract promises nothing for the element
	RuleBits      ElementRule = "bits"     // the bits of an element of another buffer
)

// StatisticalBound is the statistical bound of an element: the sharper of its terms'
// sum and the rigorous one.
type StatisticalBound struct {
	Bound
	ErrorRatio float64 `json:"error_ratio"` // |got − want| over the bound
	Gates      bool    `json:"gates"`       // the inputs are random
}

// Neighbour is a number of the output's format next to want, and what its error
// would be.
type Neighbour struct {
	Word
	Deviation
}

// Sums are the sums of one name that the bound of an element rests on: of which
// nothing may be unknown without the bound becoming infinite.
type Sums struct {
	Name   string  `json:"name"`           // that the oracle gives them
	Order  string  `json:"order"`          // of the terms, in words
	Formed int     `json:"formed"`         // for all elements
	Found  []int   `json:"found"`          // their numbers in the order in which they are formed, from 0
	More   bool    `json:"more,omitempty"` // there are more than were looked for
	Error  float64 `json:"error"`          // of the bound: what it would lose if none of them rounded
	Share  float64 `json:"share"`          // the same as a fraction

	Most Partials `json:"most"` // the one that contributes most
}

// Partials is one sum with its partial sums in float64, in its order; what the
// order leaves open goes by ascending index.
type Partials struct {
	Number   int     `json:"number"`
	Elements int     `json:"elements"` // of the output that rest on it
	Error    float64 `json:"error"`    // of the element's bound: what it would lose if only this one did not round
	Share    float64 `json:"share"`    // the same as a fraction

	Terms     int        `json:"terms"`
	Lanes     int        `json:"lanes"` // that have a term
	Value     float64    `json:"value"`
	Within    float64    `json:"within"`    // bound on what the kernel's sum may be off
	Magnitude float64    `json:"magnitude"` // Σ|p_j| of the terms
	Running   float64    `json:"running"`   // Σ|s_k| of the partial sums
	Steps     []Addition `json:"steps"`     // the first, the one with the largest term, and the last
}

// Addition is that of a term to the partial sum of a lane.
type Addition struct {
	Step    int     `json:"step"` // its number among all, from 0
	Lane    int     `json:"lane"`
	Term    int     `json:"term"`
	Value   float64 `json:"value"`
	Partial float64 `json:"partial"` // once it has taken the term
}
