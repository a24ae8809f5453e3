// Package sim runs kernels on a simulator that executes Metal Shading Language
// from its source, on any machine.
//
// The rule of the layer: the results of a kernel depend only on the program, the dispatch and the [Semantics], and not
// on the machine, the number of its cores or time. Durations depend on all of them, and say nothing about a GPU.
package sim
