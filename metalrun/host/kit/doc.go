// Package kit builds the library that programs with Metal link on Linux, and says what their build needs.
//
// The sources in Objective-C and the headers are embedded (directory objc). GCC's runtime and GNUstep's Foundation are
// Debian's; clang compiles for GNUstep's runtime, which has the modern syntax, and objc/runtime.m converts what clang
// emits. The part in Go comes from the folder of the conform program, or is compiled from its sources.
//
// The rule of the layer: kit knows compilers and files. It knows nothing of kernels.
package kit
