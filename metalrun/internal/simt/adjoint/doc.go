// Package adjoint finds where the error of one element comes from: by reverse differentiation of a launch in exact
// arithmetic.
//
// A trace is what a threadgroup did to its balls, operation by operation: where each result went and came from, the
// derivative by each operand, what the device lost, and what any device may lose. Read backwards from one element, with
// the sensitivity of that element to every place of a register or of memory (the adjoint), it gives what each rounding
// has done to the element, to first order.
//
// A trace holds the last records of a run, as many as its limit allows. What came before is recorded by running the
// threadgroup again up to there: memory is bounded, and time is the number of windows times that of a run. Places are
// numbered: buffers, then registers of all lanes, then their memory, then objects of the threadgroup.
//
// Invariant: records are in the order of operations, and an operation is recorded whole or not at all.
//
// The rule of the layer: adjoint records by exact's Recorder. Nothing of the executor knows that it is recorded.
package adjoint
