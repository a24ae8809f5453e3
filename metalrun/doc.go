// Package metalrun is what running a compute kernel from Metal Shading Language
// source takes, whatever runs it.
//
// [Analyse] makes a [Program] of a [Source], which says what there is to run. A
// [Runner] compiles it to a [Library], from which a [Kernel] is taken by name and
// run with a [Dispatch] that binds bytes to the argument table. Two packages make
// runners: sim, which executes the source on any machine, and metal, which needs
// a Mac.
//
// The rule of the layer: metalrun knows no kernel by name, no oracle and no
// tolerance. It reports what happened — bytes, times, diagnostics, faults — and
// never whether it was right.
package metalrun
