// Package mutation makes mutants of compute kernels: programs that differ from a
// given one in one small edit, as a slip of its author's would.
//
// A [Unit] is a translation unit. [Unit.Mutants] edits the syntax tree of each
// declaration that an entry point leads to, by a table of operators
// ([Operators]), and keeps of each edit what it changes in the printed source.
// [Unit.Compare] says of a mutant what needs no run: that the front end refuses
// it, or that it provably computes what the original does.
//
// The rule of the layer: mutation knows source text and what it means, and
// nothing of inputs, results or verdicts. Who runs the mutants judges them.
package mutation
