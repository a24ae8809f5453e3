// Package codegen compiles an ir.Kernel to what package machine executes.
//
// Each instruction becomes a loop of package lanes over slots, or a function of its own; a branch, a loop or an inlined
// function becomes a node. Registers get slots by what analysis proves of them: what is equal in all threads is a
// scalar, what is equal in a simdgroup has one value for each of these, and a temporary's row serves others after its
// last read. Arithmetic whose only reader follows in the same run is deferred and evaluated where it is read, so that a
// product and a sum become one loop. Whole loops of known forms become one node. machine.PassList names the passes,
// what each does and what it gains.
//
// A [Compiler] has the state of one kernel under way. An [Extension] adds to programs: it may count or observe in the
// kernel before it is compiled, sees each instruction, and may put others in front of it and behind it. What lets
// threads see values that Metal leaves unspecified is compiled so that a machine can be told which values these are.
//
// Invariants: a deferred value is emitted before anything that it reads can change. Results are the same bits with any
// passes.
//
// The rule of the layer: codegen knows the IR and the machine. It knows nothing of checks, exact values and counters.
package codegen
