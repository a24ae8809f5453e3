// Package redundancy finds what a compiler leaves of the instructions of a kernel, and where the compiled code executes
// them.
//
// # Theory
//
// The package follows LLVM's scalar passes, without changing the kernel:
//
//   - Global value numbering (GVN). Two computations with the same operation and the same operands have the same value.
//     The second one is redundant if the first one dominates it. A load has the value of an earlier load of the same
//     address, or of an earlier store to it, if nothing between them may have written there.
//   - Loop-invariant code motion (LICM). A computation whose operands do not vary in a loop moves in front of the
//     loop. A load moves if also nothing in the loop may write to its address, and if each iteration executes it.
//   - Dead code elimination (ADCE). Only effects are needed at first: stores, atomics, barriers. What they read is
//     needed, and so are the conditions of the constructs around them.
//   - Dead store elimination (DSE). A store is not needed if a later one in the same list of nodes overwrites it before
//     anything may read it, or if memory has its value already, or if nothing reads the thread's own array.
//   - If-conversion (SimplifyCFG). A branch whose arms are short and cheap becomes selections.
//   - Promotion (SROA). Short arrays of a thread are registers if all indices are known.
//   - Addresses. A sum of a pointer and a scaled index is a part of the access that reads it.
//   - Contraction. A product of floats that only one sum reads is a part of that sum. Whether the source lets it be
//     rounded so depends on how statements are cut. The count does not.
//
// Memory. A compiler has to expect that two pointers into device memory lead to the same place if their elements have
// one type. Elements of different types do not overlap (strict aliasing), except characters and vectors. Constant
// memory is never written. Volatile accesses stay. Atomics, fences and barriers order all accesses.
//
// Control flow is structured. A list of nodes dominates what follows in it and what it contains. Therefore no
// dominator tree is needed: a scope stands for a list, and a value is available while its scope is open.
//
// # Data structures
//
// A value is what registers hold, by number. A computation is an instruction that makes new values or has an effect.
// A construct is a branch, a loop or a block, with the conditions that decide what is executed in it.
//
// # Invariants
//
// The kernel does not change. A computation never counts more often than the source executes it, except in converted
// branches, whose arms all threads execute. The same kernel gives the same result.
//
// The rule of the layer: this package knows nothing of lanes and of executors. It says which instructions are left,
// and not what they cost.
package redundancy
