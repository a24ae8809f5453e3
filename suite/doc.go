// Package suite says what it means for a kernel to conform.
//
// A [Kernel] is a specification: names, arguments, geometry, sweep, oracle and
// contract, all of it data. [Cases] spells it out into cases, each a kernel at
// one point of its sweep with one family of inputs, and each with one name,
// the same in every place:
//
//	rms_norm_apply/dim=4097/input=cancelling
//
// [Run] takes cases through one path. The kernel of that name, from the [Shaders] under
// test, and buffers with inputs from the case's name and the run's seed are bound to a [CaseRun].
// That takes four steps: prepare asks the oracle, launch runs the kernel on a metalrun.Runner,
// compare holds what came back against the answers, and conclude adds what else was asked, such as
// repeated launches and adversaries. The verdict, its figures and its explanation are a [Result].
// [Judge] does so for one case on one device.
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
// [Kernel.Cost] is what a definition needs at least: the scale that a time is read on. Packages
// above use a case for more: bench times it, shrink minimises it, explain accounts for its elements,
// mutate finds out which bugs it would miss, and explore launches kernels that have no case.
//
// A [CaseRun] has immutable options, a binding of kernel and buffers, and an outcome. A copy of it is
// the same case on another device. Whoever launches again puts the contents of the buffers back.
//
// The rule of the layer: no kernel is named in this package. What a kernel
// computes stands in package oracles, what a kernel is in package kernels.
package suite
