package suite

import (
	"fmt"
	"metalconform/metalrun"
	"metalconform/oracles"
)

// Family is a group of kernels that share a file in every directory of the
// catalogue, or a group of pipelines of kernels of any family.
type Family struct {
	Name      string
	Kernels   []Kernel
	Pipelines []Pipeline
}

// Kernel is the specification of one entry point.
type Kernel struct {
	Name string // the entry point's host name
	Doc  string // one sentence
	Axes []Axis // in the order in which case names spell them

	Args              Args
	Grid              Grid
	ThreadgroupMemory []Extent // bytes at [[threadgroup(i)]]

	// Check refuses shapes that the host must not launch, in one clause: what
	// is wrong and the limit. nil accepts every shape.
	Check func(Shape) error
	// Limits are the largest sizes at which hosts launch the kernel, by axis. Memory limits an axis that it lacks.
	Limits Shape
	// MostElements, if not 0, is how many elements the buffers of a case may have together: its definition takes no
	// more.
	MostElements int
	// Launches is the sequence of launches that makes one run, carrying state
	// in their buffers. nil means a single launch with nothing special.
	Launches func(Shape) []Launch
	// Tables are the constant data that the oracle goes by and programs hold. nil
	// means none.
	Tables func(Shape) []Table
	// Build is what the host chooses when it compiles the kernel. nil chooses nothing.
	Build func(Shape) Build
	// Work is what the definition asks for, the scale of a time.
	Work Work

	// Built is how the kernel's project builds it, where no declaration says otherwise; nil for safe.
	Built *metalrun.Math
	// Math is the loosest mode that the kernel can be built in; nil for any.
	Math *MathLimit

	Sweep    Sweep
	Contract oracles.Contract
	// Oracle returns the answer for each writable buffer by name.
	Oracle func(*Problem) Answers
	// Secondary is a second definition, nil for none: results give the largest
	// error against it too, but it gates nothing. It tells the error of a
	// kernel from that of the format its definition is stated in.
	Secondary func(*Problem) Answers
	// Roundings are those inside the kernel that belong to its definition, for exact
	// execution.
	Roundings Roundings
	// Wide says that the definition has integers of 64 bits as they are: it asks [Problem.Wide], and gives
	// [oracles.Answer.Words]. Others have them as float64, and get none beyond 2⁵³.
	Wide bool
	// Arithmetic, if not nil, is the format in which the definition may be evaluated, operation by operation: a kernel
	// without a contract that errs by far more loses accuracy ([Loss]). A definition that makes nothing of
	// [Problem.Arithmetic] leaves it nil.
	Arithmetic *oracles.Format
}

// Promise is the contract that bounds follow from. It is empty for a kernel that has a definition alone, whose bounds
// are what exact execution finds.
func (k Kernel) Promise() string {
	if k.Arithmetic != nil {
		return ""
	}
	return k.Contract.String()
}

// Answers are the oracle's answers by argument name.
type Answers map[string]oracles.Answer

// Grid is the geometry of a launch. Exactly one of Threadgroups and Threads is
// set; missing dimensions count as 1.
type Grid struct {
	Threadgroups []Extent // whole threadgroups, x first
	Threads      []Extent // threads; those at the edge make smaller threadgroups
	Of           []Extent // threads per threadgroup
}

// Flat is a one-dimensional grid of ceil(n/of) threadgroups of so many threads.
func Flat(n Extent, of int) Grid {
	return Grid{Threadgroups: []Extent{Ceil(n, of)}, Of: []Extent{Fixed(of)}}
}

// Launch is what one launch of a sequence has of its own.
type Launch struct {
	// Shape overrides axes: scalars and grid are those of the changed shape,
	// while buffers keep the size that the case gives them.
	Shape Shape
	// Set gives scalars, by argument or field name, in place of their Value.
	Set map[string]float64
	// Windows narrows buffers to the part that this launch sees, in elements.
	Windows map[string]Range
	// Buffers binds another buffer of the kernel in place of the named one,
	// such as the last launch's state_out as state_in.
	Buffers map[string]string

	// Of the end of a launch: threadgroups that do not run, and elements in front of
	// those of a buffer that do not exist.
	skip   int
	before map[string]int
}

// Sweep is the set of points at which a kernel is judged.
type Sweep struct {
	Shapes  []Shape // judged with the first input family, in both sweeps
	Full    []Shape // judged with the first input family, in the full sweep only
	Probes  []Shape // judged with every input family, in both sweeps; the full sweep adds Shapes
	Refused []Shape // Check must refuse these
	// Sensible says which shapes may bring sizes together that Sweep does not; nil: all that Check accepts.
	Sensible func(Shape) bool
	// Decides says that the definition decides: the first probe comes with inputs near where it does, too.
	Decides bool
	// AllDecide says that these inputs start from each random family of the first probe, and not from the first alone.
	AllDecide bool
	Inputs    []Input
	// Settings are points at which scalars have other values than the shape gives
	// them, in both sweeps.
	Settings []Setting
	// Ends are points at the end of launches that are too large to be held, in both
	// sweeps.
	Ends []End
}

// Setting is a point with scalars of its own and the first input family. Its name
// stands where that of a family does.
type Setting struct {
	Name   string
	Shape  Shape
	Set    map[string]float64 // by argument or field name
	Fills  Fills              // in place of those of the first family
	Random bool               // the fills are as random as those of [Input.Random]
	// Recorded says that what the oracle answers there is recorded and holds for these inputs
	// alone.
	Recorded bool
}

// MathLimit is the loosest mode of floating-point mathematics in which what a kernel is to
// compute can be had, and what the next one breaks.
type MathLimit struct {
	Loosest metalrun.MathMode
	Where   func(Shape) bool // the shapes of which that is so; nil for all
	Why     string
}

// unsupported says why a shape is not judged in a mode, or "".
func (l *MathLimit) unsupported(m metalrun.MathMode, s Shape) string {
	if l == nil || m <= l.Loosest || l.Where != nil && !l.Where(s) {
		return ""
	}
	return fmt.Sprintf("not supported in %s math: %s", metalrun.Math{Mode: m, FastFunctions: true}, l.Why)
}

// Roundings says which roundings to half or bfloat, of values that a kernel reads back, belong to
// the definition that its oracle gives. What is stored in an output is always held against
// the value before that rounding.
type Roundings uint8

const (
	RoundingsEither  Roundings = iota // all of them or none, whichever makes the formula right
	RoundingsDefined                  // all: the definition has them too, or the kernel has none
	RoundingsErrors                   // none: the definition has no such value, and each is an error of its size
)

// Plain reports whether exact execution has to bound any of the answers.
func (a Answers) Plain() bool {
	for _, answer := range a {
		if answer.Plain {
			return true
		}
	}
	return false
}

// first is the name of the first family of inputs.
func (s Sweep) first() string {
	if len(s.Inputs) == 0 {
		return "normal"
	}
	return s.Inputs[0].Name
}

// Mistake is what is wrong with a specification, in the words of whoever reads it. Functions of
// a specification panic with it.
type Mistake string

// Excess is a mistake, too: that a definition asks for more than it may. It would at other points as well.
type Excess string

// mistaken is what a panic says of a specification, if it is about that.
func mistaken(p any) (string, bool) {
	switch p := p.(type) {
	case Mistake:
		return string(p), true
	case Excess:
		return string(p), true
	}
	return "", false
}

// check is the host's validation.
func (k *Kernel) check(s Shape) error {
	if k.Check == nil {
		return nil
	}
	return k.Check(s)
}
