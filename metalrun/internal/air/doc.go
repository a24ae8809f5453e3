// Package air translates Apple's compiled Metal libraries to the IR: it is the front end for .metallib files, as
// syntax, types and lower are for source.
//
// # Theory
//
// AIR is LLVM's intermediate representation with functions whose names begin with "air." for what Metal has and LLVM
// has not, and with metadata that describe the arguments of a kernel. Apple's compiler has optimised it already; what
// is left to the back end (contraction, approximations) is what the fast-math flags of each instruction permit, and
// these flags go to the IR as they are.
//
// The IR has structured control flow (graph.go, structure.go). The blocks of a function are put in an order in which
// every edge but those to the head of a loop goes forward, and loops are contiguous. An edge that does not fall through
// leaves an [ir.Block] that ends where its target begins; an edge to the head of a loop is a continue. Each block is
// emitted once, so threads that part meet again where the paths of the library meet, and a barrier stays one barrier.
//
// # Data structures
//
//   - [Library] is a library with its kernels; [Kernel] knows its module, its signature and how to be lowered.
//   - lowerer is the translation of one kernel, frame that of one function in it. Calls of functions that have a body
//     are inlined.
//   - value is the value of an LLVM value in registers: a scalar each, or an address that is not computed yet.
//
// # Invariants
//
//   - Integers of fewer than 32 bits are zero-extended in their registers; operations that need a sign extend it.
//   - A value that another block uses is in a variable, as is a phi; all other values are temporaries.
//   - Positions are those of the source where the library has line information, otherwise lines of the listing that
//     [Kernel.Listing] prints.
//   - Whatever is not translated is refused by its name. Work and memory are bounded for hostile libraries.
//
// # The rule of the layer
//
// air knows LLVM's and Apple's conventions and the IR. It knows nothing of Metal's syntax, of options of a host except
// the values of function constants, and of executors.
package air
