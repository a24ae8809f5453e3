// Package explain says how one element of a case came to its verdict, and where its error comes from.
//
// # Theory
//
// The account of an element has the exact value, what the kernel wrote, the bound with its terms, the inputs
// that go with it, and the sums that the bound rests on. Blame goes further: it differentiates the launches
// backwards (reverse mode: Linnainmaa, BIT 16, 1976), so that the rounding of each operation, times the
// sensitivity of the element to it, is the part of the error that its line has.
//
// # Data structures
//
// An [Explanation] is the verdict on a case with the background of one element. A trail goes back from one
// element, launch by launch, and knows how sensitive the element is to the contents of buffers there. A
// stageRecorder observes a pipeline (suite.StageView) and keeps the account of the element that was asked
// for. [Errors] does the same for all cases of a run.
//
// # Invariants
//
//   - An explanation runs the case again, and leaves nothing of that in the run that asked for it.
//   - The account is made by the rules that judge, not by a second copy of them.
//   - What exact execution does not know is not blamed.
//
// # Rule of the layer
//
// The data of a result (suite.Background, suite.Blame) are in package suite, so that a result can hold them.
package explain
