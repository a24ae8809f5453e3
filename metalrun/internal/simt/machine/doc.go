// Package machine executes compiled kernels on the CPU, all threads of a threadgroup in lock-step. Package codegen
// compiles them to what it executes: a [List] of nodes of control flow and straight runs of instructions.
//
// A register is a slot: one value for every lane of the threadgroup, side by side. An instruction is a loop of package
// lanes over slots, in Go or in the processor's vector instructions. What uniformity analysis proves equal in all
// threads is kept as a scalar and computed once, and once a launch where it follows from constant arguments
// (settled.go); the machine then goes on without the branches that such values decide (flatten.go). What is uniform in
// a threadgroup or a simdgroup is computed by a bytecode (bytecode.go). A pointer or 64-bit index that is the same in
// all threads of a simdgroup has one value for each of these (persimdgroup.go).
//
// Divergence is a mask of lanes. Both sides of a branch run under their masks. Lanes that leave a loop or a function
// wait until the others arrive. Where all leave at once, a jump leaves the construct. Where one thread is left and
// threads no longer act together, the machine goes on in single-lane mode (alone.go). Common arithmetic then runs as a
// program of scalars (solo.go), and a search through an array of the thread is one instruction of it (solo_search.go).
//
// A thread's private memory is stored [word][lane]. An array element at a uniform index is therefore a row that
// arithmetic uses in place. A run of device or threadgroup memory at consecutive indices is used in place, too; runs of
// narrow elements become lanes in one pass. Whole loops of some forms are one node: down the rows of an array
// (rowloop.go), over weighted rows (weightloop.go), over consecutive elements (wideloop.go). Every other access numbers
// the elements of its object in 32 bits and is one gather or scatter.
//
// Threadgroups run in parallel on all cores, each of which has a machine of its own. Buffers are bound without copies.
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
// Results are the same bits on any machine, with any number of cores and with or without vector instructions, except
// what racing threadgroups leave behind. A NaN that arithmetic made gets the same bits wherever they can be seen. A
// kernel with device atomics runs its threadgroups in order.
//
// BenchmarkSpeed in suite/kernels compares launches with the same kernels in C and prints what
// was measured before. Where the time of the quick sweep goes is a profile of
//
//	go test ./suite/kernels -run 'TestSimulator$' -cpuprofile p.out
//
// An [Attachment] gives machines state in a slot of its own. An [Observer] sees what the threads of a machine do; a
// machine asks nobody about what no observer wants to see, so that a launch without observers pays nothing.
//
// Options.Schedule runs the simdgroups of a threadgroup one after the other between barriers, each in a machine of its
// own.
//
// The rule of the layer: machine knows the IR and bytes. It knows nothing of source text, types or the suite, and
// nothing of compiling, nor of what extensions find out: checks, exact values, counters. Hosts are little-endian.
package machine
