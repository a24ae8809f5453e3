// Package tensor is arrays of float64 with the operations that definitions of kernels are
// written in: those of NumPy, under its names and with its rules of broadcasting, negative axes
// and reductions.
//
// The rule of the layer: values, never views. Every operation returns a tensor of its own and
// leaves its operands as they are, so that a definition reads as mathematics. Errors name the
// operation and the shapes that it cannot take. Sums and matrix products are in float64, in
// order of their terms: what they lose is 10⁻⁹ of what a kernel in f32 may lose.
package tensor
