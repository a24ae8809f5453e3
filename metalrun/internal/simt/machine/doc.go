// Package machine executes compiled kernels on the CPU, all threads of a threadgroup in lock-step. Package codegen
// compiles them to what it executes: a [List] of nodes of control flow and straight runs of instructions.
//
// A register is a slot: one value for every lane of the threadgroup, side by side. An instruction is a loop of package
// lanes over slots, in Go or in vector instructions of the processor. A uniform value, which is equal in all threads,
// is a scalar and computed once. A launch-invariant value is computed once in a launch (launch_invariant.go), and the
// machine then goes on without the branches that such values decide (specialise.go). A bytecode computes values that
// are uniform in a threadgroup or in a simdgroup (bytecode.go). A simdgroup-uniform pointer or 64-bit index has one
// value for each simdgroup (simdgroup_uniform.go).
//
// Divergence is a mask of lanes. Both arms of a branch run under their masks. Lanes that leave a loop or a function
// wait until the others arrive. If all lanes leave at once, a jump leaves the construct. If one thread is left and
// threads no longer act together, the machine goes on in single-lane mode (single_lane.go). A scalar interpreter then
// runs common arithmetic (scalar_interpreter.go), and an argmin loop over an array of the thread is one instruction of
// it (argmin.go).
//
// A thread's private memory is stored [word][lane]. An array element at a uniform index is therefore a row that
// arithmetic uses in place. A run of device or threadgroup memory at consecutive indices is used in place, too; runs of
// narrow elements become lanes in one pass. Some forms of loops are one node: down the rows of an array (rowloop.go),
// over weighted rows (weightloop.go), over consecutive elements (wideloop.go). Every other access numbers the elements
// of its object in 32 bits and is one gather or scatter.
//
// Threadgroups run in parallel on all cores; each core has its own machine. Buffers are bound without copies.
//
// Semantics are explicit: Options say what happens where Metal leaves a choice. Every f32 operation rounds once. A
// product that must not be fused is written float32(a*b), because Go may fuse otherwise.
//
// Every memory access is checked against its object. An access out of range, a null pointer, a misaligned scalar, a
// barrier that some live threads do not reach and an exhausted step budget end the launch with a [Fault]; no other
// memory is touched. Threadgroup memory, private memory and locals begin as a conspicuous pattern ([Poison]).
//
// Results have the same bits on any machine, with any number of cores, and with or without vector instructions, except
// for what racing threadgroups write. A NaN that arithmetic made gets the same bits wherever they can be seen. A kernel
// with device atomics runs its threadgroups in order.
//
// BenchmarkSpeed in suite/kernels compares launches with the same kernels in C and prints earlier measurements. This
// profile shows where the time of the quick sweep goes:
//
//	go test ./suite/kernels -run 'TestSimulator$' -cpuprofile p.out
//
// An [Attachment] gives machines state in a slot of its own. An [Observer] sees events of the threads of a machine. A
// machine reports only events that an observer wants, so a launch without observers pays nothing.
//
// Options.Schedule runs the simdgroups of a threadgroup one after the other between barriers, each in its own machine.
//
// The rule of the layer: machine knows the IR and bytes. It knows nothing of source text, types, the suite or the
// compiler, and nothing of what extensions compute: checks, exact values, counters. Hosts are little-endian.
package machine
