// Package exact executes in exact arithmetic beside the machine: every value that depends on floats has a ball, its
// exact value and a bound on that of any device (package ball).
//
// It is an extension of programs, made by [Exactness]. An instruction is compiled as ever, and another in front of it
// or behind it does the same to the balls. Lanes take the path that the f32 values take: masks and addresses are those
// of the values. A choice between two values takes the one that exact arithmetic takes, and is off by their distance. A
// branch that another device may decide otherwise is executed both ways, speculatively, or, where that cannot be
// undone, all that it sets is unknown.
//
// A machine has a row of balls for each register, by the register's slot, and cells beside the elements of memory that
// may hold balls. A row of values that every device has stays unwritten until arithmetic that rounds reads it (its kind
// says so). A row that is loaded may look at the cells of memory, which are copied when they change.
//
// Invariants: a row whose kind is not "written" is the values of the register. Lanes in doubt are those that another
// device may have sent elsewhere; what they set is unknown. A register or an object has balls exactly if
// analysis.DependsOnFloats says so.
//
// The rule of the layer: exact knows programs and machines. It knows nothing of checks, counters and traces; a
// [Recorder] sees what instructions do to balls.
package exact
