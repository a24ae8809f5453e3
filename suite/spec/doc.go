// Package spec reads specifications of kernels that people write in Starlark.
//
// A file says what a [metalconform/suite.Kernel] says: the arguments in binding order, the launch,
// the points of the sweep, the inputs, and the definition as a function over tensors. It calls
// kernel for each entry point. Lengths and numbers that depend on the point are expressions over
// its axes, in a string, or functions whose parameters are axes. The definition names what it
// needs as parameters: buffers are tensors in the shape of their extents, scalars and axes numbers.
//
// The rule of the layer: a file may come from anybody. It computes and nothing else: it is given
// no files but those beside it, no clock and no randomness, and its steps and the elements that it
// makes are counted. Mistakes are errors with the file, the line and the shapes.
package spec
