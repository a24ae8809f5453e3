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

// maxThreadMemory is how many bytes the variables of a threadgroup's threads may take
// together: 64 KiB in each of 1024 threads. A machine holds a few threadgroups at a time,
// and several times as much for what is known of each byte.
const MaxThreadMemory = 64 << 20 // unless the host says otherwise

// maxThreadgroups is how many threadgroups a launch may run, each of which costs about a microsecond whatever it does:
// as many as have a thread for each of a billion elements.
const MaxThreadgroups = 1 << 20 // unless the host says otherwise

// DefaultSteps is the step budget of one threadgroup. A turn of a loop costs its
// instructions and turnCost more. It is three times what the longest-running
// threadgroup of the catalogue takes: 19 million steps, for a recurrence over 4096
// tokens.
const DefaultSteps = 1 << 26

// TurnCost is what an iteration of a loop costs beside its instructions, in steps.
const TurnCost = 8

// Options are the semantics of a run. The zero value is the reference semantics.
type Options struct {
	Contract     bool // fuse multiplications and additions of one contraction group
	DefaultBuild bool // rewrite what is licensed as Apple's compiler does
	// round the product of an fma of F32, for launches whose results do not matter: more loops are one call
	Separate        bool
	FlushSubnormals bool // F32 and BF16 subnormals are zero as operands and as results
	SumOrder        SumOrder
	Adversary       *Adversary // draws what Metal leaves unspecified and overrides the choices above; nil: none
	Portable        bool       // loops written in Go, whatever the processor offers: the same bits
	Workers         int        // threadgroups in flight; 0 means one per core
	Steps           int64      // step budget per threadgroup; 0 means DefaultSteps

	// ThreadSteps, if not 0, are the steps that the threads of a threadgroup may take together.
	ThreadSteps int64
	// ThreadMemory is how many bytes the variables of a threadgroup's threads may take; 0 means 64 MiB.
	ThreadMemory int
	// Threadgroups is how many a launch may run; 0 means 2²⁰.
	Threadgroups int
	// TotalSteps, if not 0, are the steps that all threads of a launch may take together. They are counted, and the
	// clock is not read: a busy machine changes no verdict.
	TotalSteps int64

	// Check makes a program for Program.Check. SameValue allows threads to write the same
	// value to the same cell without any order.
	Check, SameValue bool

	// Schedule, if not 0, runs the simdgroups of a threadgroup one after the other
	// from barrier to barrier, in orders drawn by it.
	Schedule uint64

	// Count makes a program whose launches count work.
	Count bool

	// Exact carries balls beside the values. Roundings to a narrow format whose results are
	// converted back are part of what is computed; Unanchored takes them for errors.
	Exact, Unanchored bool

	// Snapped takes the rounding of a sum with a magic number for part of what is computed.
	Snapped bool

	// Doubles carries exact values in double-double.
	Doubles bool

	// Sample, if not 0, draws errors in place of their bounds, by that number.
	Sample uint64

	// Literals, if not 0, moves the exact values of literals that fill their format by an
	// ulp, each up or down as the pattern of that number has it.
	Literals int

	// Without are passes that are left out.
	Without Passes

	FlushHalf bool   // F16 subnormals are zero as operands and results of arithmetic, though not of conversions
	Watched   bool   // observe all memory that threads share
	Taped     bool   // with Exact: launches can be recorded
	Carried   uint32 // buffers, by bit, that hold balls from a launch before
	Open      bool   // machines may replace unspecified values
	Single    bool   // with a schedule: threads run one by one
	Private   bool   // observe private memory
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

// Dispatch is one dispatch. Threads counts threads; when Groups is set it counts
// threadgroups instead and all of them are whole.
type Dispatch struct {
	Groups, Threads Size
	PerGroup        Size
	Buffers         []Buffer
	Threadgroup     []int // bytes at [[threadgroup(i)]]
	Wanted          []any // what observers are to report to, by its type
	// grows by the instructions that are executed, each for all threads of a threadgroup; nil: not wanted
	Executed *atomic.Int64
	// grows by how many more could have been executed while some took longer than others; nil: not wanted
	Costly *atomic.Int64
	Skip   int // threadgroups at the beginning of the grid that do not run

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
	Before   int64 // bytes of the buffer in front of Bytes, which do not exist
	ReadOnly bool  // stores fault; for inline bindings
	// Undefined says that what the buffer holds before the launch means nothing:
	// the kernel has to write what it reads.
	Undefined bool
	// Free has the bytes that may hold anything after the launch; nil for none.
	Free []bool
	// Exact are the balls of its elements, each in 1<<Cells bytes, before the
	// launch and after it; nil if nobody wants them, or if Balls makes them.
	Exact []ball.Ball
	// Balls, if not nil, makes room for such balls, none of them known, when the launch stores the first.
	Balls func() []ball.Ball
	// Written, if not nil, gets the bytes that a checked launch has stored to.
	Written []bool
}

// Adversary draws what Metal leaves unspecified, by a seed: which of a device's choices
// it is, and then the same every time.
type Adversary struct {
	Seed uint64
	// Number tells the devices of a seed apart, from 1 on. They come in pairs: what the
	// first does the second leaves, and a function that the first displaces to one
	// side the second displaces to either side, or the reverse.
	Number int
	// Choices is how many of the kernel's choices, in the order of [Choices], it
	// may take; the others are those of the reference semantics. Negative: all.
	Choices int
	// Measured is the largest error in ulp that an f32 function of the device has, where
	// that is known; results keep to it too. nil: nothing is.
	Measured func(name string, fast bool) (ulps float64, ok bool)
}
