// Package sim runs kernels on a simulator that executes Metal Shading Language
// from its source, on any machine.
//
// The rule of the layer: what a kernel computes depends on the program, the
// dispatch and the [Semantics], and on nothing else: not on the machine, the number
// of its cores, or time. Durations do, and say nothing about a GPU.
package sim
