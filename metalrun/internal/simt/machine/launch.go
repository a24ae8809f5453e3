package machine

import (
	"sync/atomic"

	"metalconform/metalrun/internal/ball"
)

// Simdgroup is the number of lanes in a simdgroup.
const Simdgroup = 32

// Limits of a launch, as on every Apple GPU.
const (
	MaxThreads           = 1024
	MaxThreadgroupMemory = 32 << 10
)

// MaxThreadMemory is how many bytes the variables of the threads of a threadgroup may take together: 64 KiB in each of
// 1024 threads. A launch has a machine for each core, and the checks take several times as much for their records.
const MaxThreadMemory = 64 << 20 // unless the host says otherwise

// MaxThreadgroups is how many threadgroups a launch may run: enough for a thread for each of a billion elements. Each
// costs about a microsecond whatever it does.
const MaxThreadgroups = 1 << 20 // unless the host says otherwise

// DefaultSteps is the step budget of one threadgroup. An iteration of a loop costs its instructions and IterationCost.
// The budget is three times what the longest threadgroup of the catalogue takes: 19 million steps, for a recurrence
// over 4096 tokens.
const DefaultSteps = 1 << 26

// IterationCost is what an iteration of a loop costs in addition to its instructions, in steps.
const IterationCost = 8

// Options are the semantics of a run. The zero value is the reference semantics.
type Options struct {
	Contract     bool // fuse multiplications and additions of one contraction group
	DefaultBuild bool // rewrite as Apple's compiler does where fast-math flags allow it
	// round the product of an fma of F32: more loops become one call, for launches whose results do not matter
	Separate        bool
	FlushSubnormals bool // F32 and BF16 subnormals are zero as operands and as results
	SumOrder        SumOrder
	Adversary       *Adversary // draws what Metal leaves unspecified and overrides the choices above; nil: none
	Portable        bool       // loops written in Go, without vector instructions: the same bits
	Workers         int        // threadgroups in flight; 0 means one per core
	Steps           int64      // step budget per threadgroup; 0 means DefaultSteps

	// ThreadSteps, if not 0, is the number of steps that the threads of a threadgroup may take together.
	ThreadSteps int64
	// ThreadMemory is how many bytes the variables of a threadgroup's threads may take; 0 means 64 MiB.
	ThreadMemory int
	// Threadgroups is how many a launch may run; 0 means 2²⁰.
	Threadgroups int
	// TotalSteps, if not 0, are the steps that all threads of a launch may take together. They are counted, and the
	// clock is not read: a busy machine changes no verdict.
	TotalSteps int64

	// Check makes a program for Program.Check. SameValue allows unordered writes of the same value to the same cell.
	Check, SameValue bool

	// Guard lets launches go on after accesses that are out of range or misaligned, and records all accesses.
	Guard bool

	// Schedule, if not 0, is the seed of orders in which the simdgroups of a threadgroup run one after the other from
	// barrier to barrier.
	Schedule uint64

	// Count makes a program whose launches count work.
	Count bool

	// Exact computes balls in addition to values. A rounding to a narrow format whose result is converted back is part
	// of the exact value; with Unanchored it is an error.
	Exact, Unanchored bool

	// Snapped makes the rounding of a sum with a magic number part of the exact value.
	Snapped bool

	// Doubles computes exact values in double-double.
	Doubles bool

	// Sample, if not 0, is the seed of errors that are drawn in place of bounds.
	Sample uint64

	// Literals says which exact values literals have (package exact).
	Literals int

	// Without are passes that are left out.
	Without Passes

	FlushHalf      bool   // F16 subnormals are zero as operands and results of arithmetic, though not of conversions
	SampleAccesses bool   // sample the accesses to memory that threads share
	Traced         bool   // with Exact: launches can be traced
	InputShadows   uint32 // buffers, by bit, that hold balls from an earlier launch
	Open           bool   // machines may replace unspecified values
	Single         bool   // with a schedule: threads run one after the other
	Private        bool   // observe private memory
}

// SumOrder is the order in which simd and quad reductions combine lanes.
type SumOrder uint8

const (
	Ascending SumOrder = iota // ((l0+l1)+l2)+…
	Butterfly                 // distance 16, 8, 4, 2, 1
	Tree                      // distance 1, 2, 4, 8, 16
)

// Size is an extent in x, y and z.
type Size [3]int

// Count is the number of threads or threadgroups of an extent.
func (s Size) Count() int { return s[0] * s[1] * s[2] }

// Dispatch is one dispatch. Threads is the size of the grid in threads. If Groups is set, it is the size in
// threadgroups instead, and all of them are whole.
type Dispatch struct {
	Groups, Threads Size
	PerGroup        Size
	Buffers         []Buffer
	Threadgroup     []int // bytes at [[threadgroup(i)]]
	Wanted          []any // what observers report to, by its type
	// grows by the number of executed instructions, each for all threads of a threadgroup; nil: not wanted
	Executed *atomic.Int64
	// grows by the additional cost of slow instructions, in instructions; nil: not wanted
	Costly *atomic.Int64
	Skip   int // number of threadgroups at the beginning of the grid that do not run

	even  bool          // all threadgroups are whole
	Steps int64         // overrides Options.Steps; 0: none
	Left  *atomic.Int64 // of Options.TotalSteps, for this launch and its trials; nil: any number
}

// Wanted is what a launch wants of a type, or nil.
func Wanted[T any](l *Dispatch) (w T) {
	for _, x := range l.Wanted {
		if x, ok := x.(T); ok {
			w = x
		}
	}
	return w
}

// Buffer is the memory at one index of the buffer table.
type Buffer struct {
	Index    int
	Bytes    []byte
	Before   int64 // number of bytes of the buffer before Bytes, which do not exist
	ReadOnly bool  // stores fault; for inline bindings
	// Undefined says that the contents of the buffer before the launch are undefined: the kernel has to write what it
	// reads.
	Undefined bool
	// Free has the bytes that may hold anything after the launch; nil for none.
	Free []bool
	// Exact are the balls of its elements, one for each 1<<Cells bytes, before and after the launch; nil if nobody
	// wants them, or if Balls makes them.
	Exact []ball.Ball
	// Balls, if not nil, makes room for the balls when the launch stores the first one.
	Balls func() []ball.Ball
	// Written, if not nil, gets the bytes that a checked launch has stored to.
	Written []bool
}

// Adversary draws what Metal leaves unspecified. The draws of a seed are the same every time.
type Adversary struct {
	Seed uint64
	// Number is the number of a device of the seed, from 1 on. Devices come in pairs: the second of a pair takes the
	// choices that the first does not take. If the first errs to one side in a function, the second errs to both sides,
	// or the reverse.
	Number int
	// Choices is how many of the choices of the kernel it may take, in the order of [Choices]; it resolves the others
	// as the reference semantics do. Negative: all.
	Choices int
	// Measured gives the largest measured error of an f32 function of the device, in ulp; results respect it, too. ok
	// is false if it is not known; nil: none is known.
	Measured func(name string, fast bool) (ulps float64, ok bool)
}
