package conform

import (
	"metalconform/oracles"
	"metalconform/suite"
)

// Arguments of a kernel.
type (
	// Arg is an argument: a buffer, a scalar or a struct of scalars. Its position is its buffer index.
	Arg = suite.Arg
	// Field is one scalar of a struct.
	Field = suite.Field
	// Type is the type of an element or of a scalar.
	Type = suite.Type
)

// Element types.
const (
	F32  = suite.F32
	BF16 = suite.BF16
	F16  = suite.F16
	U8   = suite.U8
	U16  = suite.U16
	U32  = suite.U32
	U64  = suite.U64
	I8   = suite.I8
	I16  = suite.I16
	I32  = suite.I32
	I64  = suite.I64
	Bool = suite.Bool
)

// In is a buffer that the kernel only reads, with its extents, outermost first.
func In(name string, t Type, extents ...Extent) Arg { return suite.In(name, t, extents...) }

// Out is a buffer that the kernel writes whole.
func Out(name string, t Type, extents ...Extent) Arg { return suite.Out(name, t, extents...) }

// InOut is a buffer that the kernel reads and writes.
func InOut(name string, t Type, extents ...Extent) Arg { return suite.InOut(name, t, extents...) }

// Const is a scalar passed by setBytes.
func Const(name string, t Type, value Scalar) Arg { return suite.Const(name, t, value) }

// Struct is a struct of scalars, laid out as Metal does.
func Struct(name string, fields ...Field) Arg { return suite.Params(name, fields...) }

// Lengths and numbers, which depend on the point of the sweep.
type (
	// Axis is a named dimension of the sweep; as a length and as a number it is its value.
	Axis = suite.Axis
	// Shape is a point of the sweep: a value for each axis.
	Shape = suite.Shape
	// Extent is a length, and Scalar a number, that depend on the point.
	Extent = suite.Extent
	// Scalar is a number that depends on the point.
	Scalar = suite.Scalar
	// Fixed is a length, or an integer, that does not.
	Fixed = suite.Fixed
	// Number is a number that does not.
	Number = suite.Number
	// Func is a length computed from the point.
	Func = suite.Func
	// Variation is an axis and the values that it takes.
	Variation = suite.Variation
)

// Vary is an axis and the values that it takes.
func Vary(a Axis, values ...int) Variation { return suite.Vary(a, values...) }

// Ceil is e/n rounded up.
func Ceil(e Extent, n int) Extent { return suite.Ceil(e, n) }

// Product is the product of lengths.
func Product(es ...Extent) Extent { return suite.Product(es...) }

// Inputs.
type (
	// Input is a family of inputs: how each buffer is filled.
	Input = suite.Input
	// Fill writes the elements of a buffer.
	Fill = suite.Fill
	// Fills are fills by argument.
	Fills = suite.Fills
)

// Standard are the families that every kernel should meet, over the floating-point arguments named: random ones, cancelling sums, small
// integers, subnormal, extreme, infinite and undefined numbers, ties between integers and between codes of eight and of four bits, and
// extremes in the first and in the last place. defaults are fills of the others.
func Standard(defaults Fills, args ...string) []Input {
	return append(suite.Standard(defaults, args...), suite.Placed(args...)...)
}

// Finite are the families without those that have infinite, undefined or the largest numbers.
func Finite(families []Input) []Input { return suite.Finite(families) }

// Normal draws from the standard normal distribution.
var Normal Fill = suite.Normal

// Uniform draws from [low, high).
func Uniform(low, high float64) Fill { return suite.Uniform(low, high) }

// Choice draws from the values.
func Choice(values ...float64) Fill { return suite.Choice(values...) }

// Below draws integers from 0 up to a length, and not that.
func Below(end Extent) Fill { return suite.Below(end) }

// Distinct draws integers from 0 up to a length, each at most once: places that no two threads share. With a value for
// what is missing about every fourth element is that instead, and so are those that no integer is left for.
func Distinct(end Extent, missing ...float64) Fill { return suite.Distinct(end, missing...) }

// Scaled is a fill with every element multiplied.
func Scaled(fill Fill, factor float64) Fill { return suite.Scaled(fill, factor) }

// Definitions.
type (
	// Problem is what a definition is asked: the point, Values of floating-point buffers, Words of
	// integer ones, and the Scalar of a name, all as the kernel is given them.
	Problem = suite.Problem
	// Answer is what one output has to hold: its Want, and how far it may be off.
	Answer = oracles.Answer
	// Answers are answers by output.
	Answers = suite.Answers
)

// Definition is an answer of values alone: exact execution says how far any device may be from them. Integers have to be
// equal.
func Definition(values ...float64) Answer { return Answer{Want: values, Plain: true} }

// Equal is an answer that has to be met bit for bit, once rounded to the output's type.
func Equal(values ...float64) Answer { return Answer{Want: values, Exact: true} }

// Bounds of definitions that give their own.
type (
	// Contract is what a kernel promises of its arithmetic: the zero value is f32, with precise functions and
	// sums in any order.
	Contract = oracles.Contract
	// Schedule is the order of a sum.
	Schedule = oracles.Schedule
	// Bounds computes as a kernel under a contract does: Contract{}.Bounds().
	Bounds = oracles.Bounds
	// Bounded is an exact value, and how far the kernel may be from it.
	Bounded = oracles.Bounded
	// Format is a floating-point format, for [Bounds.Stored].
	Format = oracles.Format
)

// Formats that a kernel may store results in.
const (
	Single   = oracles.F32
	Half     = oracles.F16
	BFloat16 = oracles.BF16
)

// Exactly is a number that the kernel has without an error, such as an element of an input.
func Exactly(x float64) Bounded { return oracles.Exactly(x) }

// Sequential is the order of one running sum.
func Sequential() Schedule { return oracles.Sequential() }

// AnyOrder allows every order of a sum.
func AnyOrder() Schedule { return oracles.AnyOrder() }

// Verdicts.
type (
	// Result is the verdict on one case, with everything that was found.
	Result = suite.Result
	// Failure is one check that a case failed; String explains it.
	Failure = suite.Failure
	// Status is a verdict.
	Status = suite.Status
)

// Verdicts of cases.
const (
	Pass  = suite.Pass
	Fail  = suite.Fail
	Skip  = suite.Skip
	Error = suite.Error
)
