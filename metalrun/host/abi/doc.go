// Package abi is package host as functions that C can call. [Functions] lists them: the header for C and what the
// shared library exports both follow from it.
//
// Data structures: a handle is the number of an object in a table; 0 is nil. Every argument and every result is a
// 64-bit number: a handle, a size, a pointer into the memory of the program, or a function of C with its context.
//
// Invariant: nothing of Go's memory is seen by C, and nothing of C's memory is kept, except the bytes of buffers, which
// live until their release calls back.
//
// The rule of the layer: abi converts. Package host decides.
package abi
