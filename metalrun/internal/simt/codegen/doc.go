// Package codegen compiles an ir.Kernel to what package machine executes.
//
// Each instruction becomes a loop of package lanes over slots, or a function of its own; a branch, a loop or an inlined
// function becomes a node. Registers get slots by the results of analyses: a uniform value is a scalar, a
// simdgroup-uniform value has one value for each simdgroup, and the row of a temporary serves other registers after its
// last read. An expression whose only reader follows in the same run is pending and evaluated where it is read, so that
// a product and a sum become one loop. Loops of known forms become one node. machine.PassList names the passes, what
// each does and what it gains.
//
// A [Compiler] has the state of the kernel that is being compiled. An [Extension] adds to programs: it may instrument
// the kernel before it is compiled, and it may add code before and after each instruction. In an open program, a
// machine can replace the values that Metal leaves unspecified.
//
// Invariants: a pending expression is emitted before anything that it reads can change. Results have the same bits with
// any passes.
//
// The rule of the layer: codegen knows the IR and the machine. It knows nothing of checks, exact values and counters.
package codegen
