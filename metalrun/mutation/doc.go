// Package mutation makes mutants of compute kernels: programs that differ from a
// given one by one small edit, such as a slip of the author's.
//
// A [Unit] is a translation unit. [Unit.Mutants] edits the syntax tree of each
// declaration that an entry point leads to, by a table of operators
// ([Operators]), and keeps what each edit changes in the printed source.
// [Mutant.Compare] finds out without a run whether the front end refuses a mutant,
// and whether it provably computes what the original does.
//
// The rule of the layer: mutation knows source text and what it means, but no
// inputs, results or verdicts. Whoever runs the mutants judges them.
package mutation
