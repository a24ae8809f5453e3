package sim

import (
	"fmt"
	"time"

	"metalconform/metalrun"
	"metalconform/metalrun/internal/simt"
)

// Semantics is what the simulator does where the specification leaves a
// choice to the device. The zero value is the reference semantics: functions
// correctly rounded, no contraction, subnormals kept, sums in ascending order.
//
// One choice is never made: operations round to nearest, and not toward zero, which
// section 8.2 permits too. [metalrun.CheckRounding] asks real devices.
type Semantics struct {
	Contract bool // fuse a*b+c within an expression
	// DefaultBuild rewrites relaxed and fast arithmetic as LLVM does in Apple's default build. Lanes read the last
	// value that an inactive lane has computed, as on Apple's GPUs.
	DefaultBuild    bool
	FlushSubnormals bool     // f32 and bfloat subnormals are zero, as inputs and as results
	SumOrder        SumOrder // order of simd_sum, simd_product and their quad forms; prefix forms always ascend

	// Adversary, if not nil, draws what Metal leaves unspecified instead of the choices above.
	Adversary *Adversary

	// Check observes every launch: see [metalrun.Finding]. SameValue lets two threads
	// write the same value to one address without any order.
	Check, SameValue bool

	// Exact carries an exact value and an error bound with every floating value, and stores those of buffers in
	// [metalrun.Binding.Exact]. A rounding to a narrow format that is read back is part of the kernel's formula; with
	// Unanchored it is an error. Exact is for launches that are not observed.
	Exact, Unanchored bool
	// Snapped, with Exact, takes the rounding of a sum with a magic number, such as 1.5·2²³, for part of what a kernel
	// computes. Notes tell of such sums where it is not set.
	Snapped bool
	// Doubles, with Exact, carries exact values in double-double: 106 bits, for what float64 itself
	// may have made. It takes several times as long.
	Doubles bool
	// Literals, with Exact, says which exact values literals have: 0 the numbers of their formats, 1 those that their
	// texts say, 2 the numbers of their formats with constants computed exactly from them, and from 3 to
	// [LiteralPatterns] those of their texts with one literal of many digits moved by half a unit of its last digit.
	// Machine values do not change.
	Literals int
	// Sample, with Exact, if not 0, is the seed of an error in each operation, of the largest size and of a random
	// sign. The errors propagate: exact values are those of one such draw, and there are no bounds.
	Sample uint64
	// Ranges, with Exact, adds notes on values that leave the range of their format ([metalrun.Outcome]) to those on
	// decisions and on reinterpreted bits.
	Ranges bool

	// Guard lets a launch go on after an access that is out of range or misaligned ([metalrun.Guarded]), and tells what
	// each instruction accesses ([metalrun.Accessed]). It is for launches that are not observed.
	Guard bool

	// Cover tells which statements every launch executes ([metalrun.Covered]). It is for launches that are not
	// observed.
	Cover bool

	// Count counts the work of every launch ([metalrun.Work]).
	Count bool

	// Profile counts the work of every launch by resource ([metalrun.Profile]). It is for launches that are neither
	// observed nor scheduled.
	Profile bool

	// Schedule, if not 0, is the seed of random orders in which the simdgroups of a threadgroup run, one by one from
	// barrier to barrier. They show the effect of races on the results. It is for launches that are not observed.
	Schedule uint64

	// Steps is the number of instructions of the simulator that a threadgroup may execute before it counts as a
	// runaway; 0 means 2²⁶.
	Steps int64

	// ThreadSteps, if not 0, is the number of instructions that its threads together may execute.
	ThreadSteps int64

	// ThreadMemory is the number of bytes that the variables of its threads may take; 0 means 64 MiB.
	ThreadMemory int

	// Threadgroups is the number of threadgroups that a launch may run; 0 means 2²⁰.
	Threadgroups int

	// TotalSteps, if not 0, is the number of instructions that all threads of a launch, its trials among them, may
	// execute together. A launch that executes more counts as a runaway: see [StepsIn].
	TotalSteps int64

	// Portable keeps to loops written in Go, whatever vector instructions the
	// processor has. The results are the same bits.
	Portable bool

	// Without names passes of the simulator that are left out ([PassList]), with commas between them. The results are
	// the same bits.
	Without string
}

// StepsIn is how many steps the threads of a launch take together in a duration, counted for one core at rest. A limit
// that is given as a duration is a number of steps, so that a busy or a slow machine gives the same verdicts.
func StepsIn(d time.Duration) int64 { return int64(d.Seconds() * stepsPerSecond) }

// stepsPerSecond is between what loops execute on one core of a server of 2023: 0.9e9 where a division decides what a
// lane reads, 3e9 with sines and exponentials, and 20e9 where all lanes do the same.
const stepsPerSecond = 1 << 32

// LiteralPatterns are the values of [Semantics.Literals] other than 0.
const LiteralPatterns = simt.LiteralPatterns

// Exactly are the semantics that carry exact values, by an arithmetic.
func Exactly(a metalrun.Arithmetic) Semantics {
	return Semantics{Exact: true, Unanchored: a.Unanchored, Snapped: a.Snapped, Literals: a.Literals, Sample: a.Sample,
		Ranges: a.Ranges}
}

// String names the semantics: "reference", or what differs from it.
func (s Semantics) String() string {
	s.Check, s.SameValue, s.Schedule, s.Steps, s.ThreadSteps, s.ThreadMemory, s.Threadgroups, s.TotalSteps, s.Portable,
		s.Exact, s.Doubles, s.Unanchored, s.Snapped, s.Literals, s.Sample, s.Ranges, s.Cover, s.Count, s.Profile,
		s.Guard, s.Without =
		false, false, 0, 0, 0, 0, 0, 0, false, false, false, false, false, 0, 0, false, false, false, false, false, ""
	if s == (Semantics{}) {
		return "reference"
	}
	if s.Adversary != nil {
		return s.Adversary.String()
	}
	if s == Apple() {
		return "apple"
	}
	name := "custom"
	if s.Contract {
		name += ", contracted"
	}
	if s.FlushSubnormals {
		name += ", subnormals flushed"
	}
	return name + ", " + [...]string{"ascending sums", "butterfly sums", "tree sums"}[s.SumOrder]
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
// Of relaxed and fast math it makes what LLVM does, on which Apple's compiler is built: sums and products in the order
// of ranks, x/y as x·(1/y), products fused across statements, whoever else reads them, and the fast sine and cosine of
// an angle in turns, with the three roundings of the GPU's instructions. On kernels of other people whose errors on an
// M1 Pro are recorded, it gives the same error in all digits for seven in eight, and for all 24 Fourier transforms of
// 64³ numbers (TestRecorded and TestRecordedSine of fixtures/metalsci).
//
// Sources: the mojolearn probe of fp32 matrix products on M4; the TILER
// measurements on Apple9.
func Apple() Semantics { return Semantics{Contract: true, DefaultBuild: true, FlushSubnormals: true} }

// Adversary is a device that draws every unspecified behaviour from a seed:
// results of functions displaced up to their limits, and fast ones made of others
// where the specification says so; fast quotients as products with reciprocals;
// contraction expression by expression, orders of simdgroup and matrix sums and of
// the threads of a threadgroup that come to an atomic operation,
// subnormals, floats converted to integer types that cannot hold them, values of
// inactive lanes, memory that nobody has written. The same seed and number are the same
// device.
type Adversary struct {
	Seed uint64
	// Number tells the devices of a seed apart, from 1 on. Each odd number and the next one are a pair: exactly one of
	// the two fuses an expression or flushes subnormals. A function that one displaces to one side, the other displaces
	// to either side.
	Number int
	// Choices is how many of a kernel's choices the device draws, in the order of [metalrun.Chooser]. The others follow
	// the reference semantics. With a negative number it draws all.
	Choices int
	// Measured, if not nil, has the largest error in ulp that a function of the device was
	// found to have, such as exp, precise or fast: results keep to that as well as to the
	// specification.
	Measured func(name string, fast bool) (ulps float64, ok bool)
}

func (a Adversary) String() string { return fmt.Sprintf("adversary %d of seed %d", a.Number, a.Seed) }
