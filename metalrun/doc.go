// Package metalrun runs compute kernels from Metal Shading Language source, on
// whatever [Runner] it is given.
//
// [Analyse] turns a [Source] into a [Program], which says what there is to run. A
// Runner compiles the program to a [Library]; a [Kernel] is taken from it by name
// and run with a [Dispatch] that binds bytes to the argument table. Two packages
// make runners: sim executes the source on any machine, metal needs a Mac.
//
// The rule of the layer: metalrun knows no kernel by name, no oracle and no
// tolerance. It reports what happened — bytes, times, diagnostics, faults — and
// never whether it was right.
package metalrun
