// Package suite says what it means for a kernel to conform.
//
// A [Kernel] is a specification: names, arguments, geometry, sweep, oracle and
// contract, all of it data. [Cases] spells it out into cases, each a kernel at
// one point of its sweep with one family of inputs, and each with one name,
// the same in every place:
//
//	rms_norm_apply/dim=4097/input=cancelling
//
// [Run] takes cases through one path: generate the inputs from the case's name
// and the run's seed, ask the oracle, launch the kernel of that name from the
// [Shaders] under test on a metalrun.Runner, and judge what came back. The
// verdict, its figures and its explanation are a [Result].
//
// A kernel conforms in a case if every element of every output is written, is
// within its rigorous bound (or equal, where the oracle says that it is
// exact), is NaN or infinite where and only where it has to be, and if nothing
// else changed: neither the guard regions round each buffer, nor any
// read-only input, nor what the specification declares untouched. Where inputs
// are [Input.Random], elements have to be within their statistical bound as
// well, which is sharper; where launches are repeated, all have to give the same
// bits. [Metrics] describe the errors beyond that and gate nothing.
//
// A [Pipeline] puts kernels one after another over shared buffers: each stage is
// judged by its kernel's own oracle on the inputs that it got, and then what
// has to hold between stages, bit for bit or within a bound.
//
// [Measure] takes the time of a case that conforms, and [Kernel.Cost] is what its
// definition needs at least: the scale that a time is read on.
//
// The rule of the layer: no kernel is named in this package. What a kernel
// computes stands in package oracles, what a kernel is in package kernels.
package suite
