// Package exact executes kernels in exact arithmetic and in f32 at the same time: every value that depends on floats
// has a ball, which is its exact value and a bound on the error of any device (package ball).
//
// [Exactness] is an extension of programs. An instruction is compiled as without it, and another one before or after it
// does the same to the balls. Masks and addresses are those of the f32 values. A selection between two values takes the
// value that exact arithmetic selects; its bound includes their distance. A branch that another device may decide
// otherwise is executed both ways, speculatively. If that cannot be undone, all that the branch sets is unknown.
//
// A machine has a row of balls for each register, by the slot of the register, and cells for the elements of memory
// that may hold balls. A row whose values are the same on every device is materialised only when arithmetic that rounds
// reads it; its representation says so. A register that is loaded may alias cells of memory, which are copied on write.
//
// Invariants: a row whose representation is not "written" is the values of the register. An uncertain lane is one that
// another device may have sent elsewhere; all that it sets is unknown. A register or an object has balls exactly if
// analysis.DependsOnFloats says so.
//
// The rule of the layer: exact knows programs and machines. It knows nothing of checks, counters and traces; a
// [Recorder] sees what instructions do to balls.
package exact
