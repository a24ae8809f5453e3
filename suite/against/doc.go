// Package against says whether a compiled library was built from a source.
//
// # Theory
//
// A library has lost its source, but not its kernels: their names, arguments and layouts are in it, and what they
// compute can be executed. Both are launched with the same generated arguments, and the results are compared bit for
// bit. A compiler may round otherwise where fast-math flags allow it, so results that differ are explained in order:
//
//  1. Metal leaves the result open: the checks find a race, or memory that nobody has written.
//  2. The source gives the same bits after the rewrites that Apple's default build makes.
//  3. The library's floats are within the bound that exact execution of the source gives for any device, and all other
//     bits are the same.
//  4. Otherwise the library is stale: it computes something else.
//
// # Data structures
//
// [Comparer] has the two programs and the runners; a [Result] is about one kernel.
//
// # Invariants
//
// A kernel that could not be launched counts neither as agreeing nor as stale. The launches depend on the source
// alone, so the same source and library give the same results.
//
// # The rule of the layer
//
// against knows the launches that adhoc generates. Runners are handed in.
package against
