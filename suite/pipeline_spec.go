package suite

import (
	"fmt"
	"metalconform/oracles"
)

// Pipeline is a run of several kernels over shared buffers, with what has to hold
// between their results: two that must give the same bits, or a sequence
// that must agree with one float64 pass from end to end.
//
// A pipeline has cases like a kernel. Its name stands where a kernel's does, its
// inputs come from the case's name and the run's seed, and its verdict is one
// [Result], whose failures name the first stage that went wrong.
//
// A stage is judged by the rigorous bound of its kernel's oracle on what it got,
// and in cases of a random family by the statistical one too if all that it got
// are buffers as that family filled them. What a stage or the host has written is
// not random in that sense, though it was made from what is: elements depend on
// each other (weights of a softmax add up to one, normalised rows have one
// length, a state holds every token before), and nothing is known of how
// the roundings of a sum of them go together. As many standard deviations of
// independent ones would be no promise there. Nor would they be in an invariant, whose
// bound adds up what stages with common inputs may have lost.
type Pipeline struct {
	Name    string
	Doc     string   // one sentence
	Axes    []Axis   // in the order in which case names spell them
	Kernels []string // that it launches

	// Buffers are what the pipeline starts from: In and InOut are filled by the
	// case's input family, where InOut says that a stage may change it. Out is
	// a buffer that stages write, in parts; one that a single stage writes
	// whole need not be declared.
	Buffers Args

	// Check is as that of a kernel. What a stage's own kernel refuses needs no
	// rule here.
	Check func(Shape) error
	// Math is the loosest mode in which the pipeline holds; nil for any in which its
	// kernels do.
	Math  *MathLimit
	Sweep Sweep

	// Run launches the stages and checks what has to hold. It ends early at the
	// first failure that is not waived.
	Run func(*PipelineRun)

	// Alter, if not nil, changes each step before it is launched: what seeds a
	// fault in a pipeline, such as a stage that is bound to the wrong buffer, to
	// see that an invariant finds it.
	Alter func(*PipelineRun, *Step)

	// Audit, if not nil, is given each definition that a run checks: what holds the
	// definition itself to exact values.
	Audit func(Definition)
}

// Step is one stage of a pipeline: a kernel with its arguments bound to the
// pipeline's buffers.
type Step struct {
	Name   string // in failures; the kernel's if empty
	Kernel string
	// Shape gives axes of the kernel. Those that it lacks are the pipeline's.
	Shape Shape
	// Set gives scalars, by argument or field name, in place of their Value.
	Set map[string]float64
	// Buffers are the pipeline's buffers by argument. An argument without one is
	// bound to the buffer of its own name.
	Buffers map[string]string
	// Windows narrows arguments to a part of their buffers, in elements: the
	// stage sees no more than that.
	Windows map[string]Range
}

// StageName names a stage in failures and on the command line.
func StageName(number int, name string) string { return fmt.Sprintf("stage %d, %s", number, name) }

// name is the step's part of that.
func (s Step) name() string {
	if s.Name != "" {
		return s.Name
	}
	return s.Kernel
}

// asKernel is what a pipeline has in common with a kernel: what its cases are made
// from.
func (c *Pipeline) asKernel() *Kernel {
	return &Kernel{Name: c.Name, Doc: c.Doc, Axes: c.Axes, Args: c.Buffers, Check: c.Check, Sweep: c.Sweep}
}

// with is the kernel with the scalars that the step sets.
func (s Step) with(k *Kernel) *Kernel {
	changed := *k
	changed.Launches = func(shape Shape) []Launch {
		launches := Case{Kernel: k, Shape: shape}.LaunchSequence()
		for i, l := range launches {
			set := map[string]float64{}
			for _, from := range []map[string]float64{l.Set, s.Set} {
				for name, x := range from {
					set[name] = x
				}
			}
			launches[i].Set = set
		}
		return launches
	}
	return &changed
}

// Buffer is the name of the pipeline's buffer that is bound to an argument.
func (s Step) Buffer(arg string) string {
	if name, ok := s.Buffers[arg]; ok {
		return name
	}
	return arg
}

// Definition is a float64 pass over a pipeline, which a buffer is checked against.
type Definition struct {
	Invariant, Buffer string
	Type              Type // of the buffer's elements
	Want              oracles.Answer
	Exact             oracles.Reference // the values of the pass in 256 bits
}

// PipelineRun is a pipeline at a shape on its way through a runner, as its Run sees it.
type PipelineRun struct {
	Shape Shape
	PipelineStages
}

// PipelineStages launches the stages of a pipeline, and checks what has to hold between its buffers. A
// check that fails ends the case, unless its failure is waived.
type PipelineStages interface {
	// Launch runs one stage and judges it by its kernel's own oracle on the inputs that it got: every
	// output, the guards, what must not change.
	Launch(s Step)

	// Values are the elements of a floating-point buffer.
	Values(name string) []float64
	// Words are the elements of an integer buffer, i32 in two's complement.
	Words(name string) []uint32
	// Bounds are the rigorous bounds of a buffer's elements: of the error that the stage which wrote the
	// element may have made, given the inputs that it got. 0 for what no stage has written.
	Bounds(name string) []float64
	// BoundsIn are those of a range of elements, the others of which need not be written yet.
	BoundsIn(name string, r Range) []float64

	// Store makes a buffer on the host, such as rows gathered for a launch, or replaces one. The values
	// are rounded to the type.
	Store(name string, t Type, values []float64)
	// Copy makes a buffer with the contents of another, such as a state that two stages start from.
	Copy(from, to string)

	// Equal checks that two buffers have the same bits.
	Equal(a, b string)
	// Close checks two buffers that stages computed by the same mathematics from the same bits: no two
	// elements may differ by more than both stages' own bounds together.
	Close(a, b string)
	// Bounded checks a buffer against an answer that says how far each element may be from what it has to
	// be. The invariant's name stands in failures.
	Bounded(invariant, name string, want oracles.Answer)
	// Definition checks a buffer against a float64 pass over the pipeline, as Bounded does. exact has the
	// values of that pass in 256 bits, which a run does not ask for.
	Definition(invariant, name string, want oracles.Answer, exact oracles.Reference)

	// Notef adds a clause for the reader of the result: a figure that is measured and gates nothing.
	Notef(format string, args ...any)
}
