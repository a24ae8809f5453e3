// Package mutate finds out which small bugs a sweep of cases would miss.
//
// # Theory
//
// A mutant is one edit of one declaration of a kernel's source (package mutation makes them). It is
// judged by the cases of the entry points that lead to the edit, until one fails. A mutant that every case
// passes has survived: either it computes the same, or no case can tell (DeMillo, Lipton and Sayward,
// Hints on test data selection, IEEE Computer 11, 1978). Mutants whose compiled form is that of the original
// or of an earlier mutant are not launched (trivial compiler equivalence: Papadakis and others, ICSE 2015).
//
// # Data structures
//
// A [Mutation] says what is judged, and by what. A [Plan] has its mutants and, for each entry point and
// device, a baseline: the cases that the original passes, with the steps that it takes. A preparedCase has
// the inputs and exact results of a case. All mutants share it, and nobody changes it.
//
// # Invariants
//
//   - A case that the original fails judges nothing.
//   - Fates depend on neither the order of the work nor the number of processors. A plan in parts gives the
//     fates of the whole.
//   - A mutant may take [StepFactor] times the steps of the original, and no limit is in wall time.
//
// # Rule of the layer
//
// Devices are handed in. What a case needs to be judged again on other kernels is in suite.CaseRun.
package mutate
