package conform

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"metalconform/oracles"
	"metalconform/suite"
	"metalconform/suite/spec"
)

// Type is the type of an element or of a scalar.
type Type string

// Element types. F8E4M3 and F8E5M2 are codes in bytes that definitions see as numbers.
const (
	F32    Type = "f32"
	BF16   Type = "bf16"
	F16    Type = "f16"
	F8E4M3 Type = "f8e4m3"
	F8E5M2 Type = "f8e5m2"
	U8     Type = "u8"
	U16    Type = "u16"
	U32    Type = "u32"
	U64    Type = "u64"
	I8     Type = "i8"
	I16    Type = "i16"
	I32    Type = "i32"
	I64    Type = "i64"
	Bool   Type = "bool"
)

// Points of a sweep.
type (
	// Axis is a named dimension of the sweep.
	Axis = suite.Axis
	// Shape is a point of the sweep: a value for each axis.
	Shape = suite.Shape
	// Points are the values that axes take.
	Points map[Axis][]int
	// Launch is what one launch of a sequence has of its own.
	Launch = suite.Launch
	// Range is from one element to another, that not.
	Range = suite.Range
)

// in are the points in the order of axes; what is no axis comes last.
func (p Points) in(axes []string) []spec.Named {
	var list []spec.Named
	rank := func(a Axis) int {
		if i := slices.Index(axes, string(a)); i >= 0 {
			return i
		}
		return len(axes)
	}
	names := slices.SortedFunc(maps.Keys(p), func(a, b Axis) int { return cmp.Or(rank(a)-rank(b), cmp.Compare(a, b)) })
	for _, a := range names {
		list = append(list, spec.Named{Name: string(a), Value: p[a]})
	}
	return list
}

// Definitions.
type (
	// Problem is what a definition is asked: the point, Values of floating-point buffers, Integers and Words of
	// integer ones, and the Scalar of a name, all as the kernel is given them.
	Problem = spec.Problem
	// Answer is what one output has to hold: the values in Want, and the error that is allowed.
	Answer = oracles.Answer
	// Answers are answers by output.
	Answers = suite.Answers
)

// Definition is an answer that has only values. Exact execution gives the error that any device may have. Integers have
// to be equal.
func Definition(values ...float64) Answer { return Answer{Want: values, Plain: true} }

// Equal is an answer that has to be met bit for bit, once rounded to the output's type.
func Equal(values ...float64) Answer { return Answer{Want: values, Exact: true} }

// Within is an answer that has to be met to a fraction of its size. The fraction replaces the error that devices may
// have.
func Within(part float64, values ...float64) Answer {
	off := make([]float64, len(values))
	for i, x := range values {
		off[i] = part * math.Abs(x)
	}
	return Answer{Want: values, BudgetOnly: true, Budget: []oracles.Term{{Label: "given", Error: off}}}
}

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
