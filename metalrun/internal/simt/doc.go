// Package simt executes an ir.Kernel on the CPU, all threads of a threadgroup
// in lock-step.
//
// A register is a slot: one value for every lane of the threadgroup, side by
// side. An instruction is a loop of package lanes over slots, in Go or in the
// processor's vector instructions. What uniformity analysis proves equal in all
// threads is kept as a scalar and computed once, and once a launch where it follows from constant
// arguments (settled.go); the machine then goes on without the branches that such values decide
// (flatten.go). What is uniform in a threadgroup or a simdgroup is computed by a bytecode (bytecode.go). A pointer or 64-bit index that is the same in all threads of a simdgroup has one
// value for each of these (persimdgroup.go). Divergence is a mask of lanes:
// both sides of a branch run under their masks, and lanes that leave a loop or a
// function wait until the others arrive; where all leave at once, the construct
// is left by a jump. Where one thread is left and threads act together no more, the
// machine goes on with one lane (alone.go), by a program of its own where that is common
// arithmetic (solo.go), observed and in exact arithmetic, too; a search through an array of the thread is one
// instruction of that (solo_search.go). A thread's private memory is stored
// [word][lane], so that an array element at a uniform index is a row that arithmetic uses
// in place, and so is a run of device or threadgroup memory at consecutive indices; runs of narrow
// elements become lanes in one pass. A product and a sum or another factor become one loop, and so do
// shift, mask and conversion of a bit field (field.go), a mask and the word of a table that it chooses (lookup.go), a
// scaled and shifted weight with its factor and the sum (affine.go), a whole loop down the rows of an array, and
// loops around loops that add rows with the weights of a simdgroup's lanes (weightloop.go).
// Loops that stride over memory do several turns at a time, as those of more lanes (wideloop.go).
// Every other access numbers the elements of its object in 32 bits and is one gather or
// scatter. Threadgroups run in parallel on all cores, each of which has a machine of its own; buffers
// are bound without copies.
//
// Semantics are explicit: Options say what happens where Metal leaves a
// choice. Every f32 operation rounds once; products that are not to be fused
// are written float32(a*b), because Go may fuse otherwise.
//
// Every memory access is checked against its object, always. An access out of
// range, a null pointer, a misaligned scalar, a barrier that some live threads
// do not reach and an exhausted step budget end the launch with a [Fault]; no
// other memory is touched. Threadgroup memory, private memory and locals
// begin as a conspicuous pattern (Poison).
//
// With Options.Check a launch is observed. An instruction in front of each access
// to memory that threads share and can write (observeOp) enters it in a shadow
// of the object and compares it with what nothing has ordered before it; barriers
// advance a clock. Memory that is only read needs no shadow, an array that is
// only read or only written between two barriers is shadowed as a whole, and
// threadgroups run one after the other, so that findings are the same on every
// machine. Whether unspecified values matter (uninitialised memory, inactive lanes,
// quotients and integers that do not exist) is probed: the launch runs again with
// other values for them, and its outputs and branches are compared. Private memory and what a kernel cannot write is
// never observed, which leaves those loops as they are.
// Of large buffers launches access little: what is kept of accesses, and what buffers held before, takes pages for what is
// written and read alone (ledger.go).
//
// Options.Schedule runs the simdgroups of a threadgroup one after the other between
// barriers, each in a machine of its own.
//
// With Options.Exact every floating value has a ball beside it (package ball): its exact
// value and a bound on that of any device. Each instruction is compiled twice, once as ever
// and once for rows of balls; loops that do several instructions at once are left out.
// Integers, bools and memory have balls where analysis shows that they follow from
// floats. A row of values that every device has stays what it is until arithmetic that
// rounds reads it (balls_values.go). BenchmarkChecks in suite/kernels shows what balls cost.
//
// Results are the same bits on any machine, with any number of cores and with or
// without vector instructions, except what racing threadgroups leave behind. A NaN that arithmetic made gets the same bits wherever
// they can be seen. A kernel with device atomics runs its threadgroups in order.
//
// BenchmarkSpeed in suite/kernels compares launches with the same kernels in C and prints what
// was measured before. Where the time of the quick sweep goes is a profile of
//
//	go test ./suite/kernels -run 'TestSimulator$' -cpuprofile p.out
//
// The rule of the layer: simt knows the IR and bytes. It knows nothing of
// source text, types or the suite. Hosts are little-endian.
package simt
