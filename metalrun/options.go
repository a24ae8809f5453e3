package metalrun

import "fmt"

// CompileOptions are the choices a host makes when it compiles a library.
// They are always passed explicitly: the defaults of the platform depend on
// the host binary.
type CompileOptions struct {
	LanguageVersion   Version
	MathMode          MathMode
	FastFunctions     bool              // unqualified f32 functions mean fast:: and not precise::
	Macros            map[string]string // predefined object-like macros
	FunctionConstants map[int]any       // values by function_constant index: bool, integers, float32
}

// Version is a version of the language as __METAL_VERSION__ spells it: 310 is 3.1.
type Version int

// DefaultVersion is the oldest language that has everything the catalogue needs (bfloat).
const DefaultVersion Version = 310

// MathMode is the licence given to the compiler for f32 arithmetic.
type MathMode uint8

const (
	MathSafe    MathMode = iota // no value-changing transformation
	MathRelaxed                 // may reassociate; honours infinities and NaN
	MathFast                    // may reassociate and assume finite values
)

// Semantics is what the simulator does where the specification leaves a
// choice to the device. The zero value is the reference semantics: functions
// correctly rounded, no contraction, subnormals kept, sums in ascending order.
type Semantics struct {
	Contract        bool     // fuse a*b+c within an expression
	FlushSubnormals bool     // f32 and bfloat subnormals are zero, as inputs and as results
	SumOrder        SumOrder // order of simd_sum, simd_product and their quad forms; prefix forms ascend always

	// Adversary draws what Metal leaves open, in place of the choices above; nil:
	// none.
	Adversary *Adversary

	// Check observes every launch: see [Finding]. SameValue lets two threads write
	// the same value to one place without any order.
	Check, SameValue bool

	// Schedule, if not 0, runs the simdgroups of a threadgroup one after the other
	// from barrier to barrier, in orders drawn by it, which shows what a race does to
	// the results. It is for launches that are not observed.
	Schedule uint64

	// Steps bounds what one threadgroup may execute before it counts as a
	// runaway, in instructions of the simulator; 0 means 2²⁹.
	Steps int64

	// Portable keeps to loops written in Go, whatever vector instructions the
	// processor has. The results are the same bits.
	Portable bool
}

// SumOrder is the order in which a simdgroup reduction adds its lanes.
type SumOrder uint8

const (
	SumAscending SumOrder = iota // ((l0+l1)+l2)+…
	SumButterfly                 // pairs at distance 16, 8, 4, 2, 1
	SumTree                      // neighbours first: distance 1, 2, 4, 8, 16
)

// Apple is the semantics that others measured on Apple's GPUs and published: f32
// and bfloat arithmetic flushes subnormals, a product and a sum of one
// expression are fused, and so are matrix products. The order of simdgroup sums
// has not been published; it ascends here.
//
// Sources: the mojolearn probe of fp32 matrix products on M4; the TILER
// measurements on Apple9.
func Apple() Semantics { return Semantics{Contract: true, FlushSubnormals: true} }

// Adversary is a device that takes every choice that Metal leaves open against
// the kernel, drawn by a seed: results of functions displaced up to their limits,
// contraction expression by expression, orders of simdgroup and matrix sums,
// subnormals, conversions of floats without an integer, values of lanes that are
// not active, memory that nobody has written. The same seed is the same device.
type Adversary struct {
	Seed uint64
	// Choices is how many of a kernel's choices, in the order of
	// Chooser.Choices, it takes; the others are those of the reference
	// semantics. Negative: all.
	Choices int
}

// Choice is a place where Metal leaves the result to the device.
type Choice struct {
	Position Position
	Kind     string // such as "accuracy of exp"
}

func (c Choice) String() string { return fmt.Sprintf("%s: %s", c.Position, c.Kind) }

// Chooser is a Kernel that knows its choices: those of the device as a whole
// first, then in the order of the program. Kernels of the simulator do.
type Chooser interface{ Choices() []Choice }
