// Package isolated runs kernels in a process of their own, so that a launch that hangs,
// aborts or brings the device down costs one verdict and not the run.
//
// The rule of the layer: a launch that ends badly is repeated alone, in a new process on
// a device that has just passed its own test. Only what it does there is held against
// the kernel, and a device that fails its test ends the run with ErrUnusable. Every wait
// has an end, and so has what a kernel can waste by hanging.
package isolated
