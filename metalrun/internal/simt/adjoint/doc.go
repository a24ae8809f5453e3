// Package adjoint finds where the error of one element comes from, by reverse differentiation of a launch in exact
// arithmetic.
//
// A trace records what a threadgroup does to its balls. Each operation has its operands and results, the derivative by
// each operand, the rounding error of the device, and the largest rounding error of any device. The trace is read
// backwards from one element. The adjoint has the sensitivity of that element to every place of a register or of
// memory. The result is the effect of each rounding on the element, to first order.
//
// A trace holds the last records of a run, up to a limit. To get earlier records, the threadgroup runs again up to
// there: memory is bounded, and the time is the number of windows times that of a run. Places are numbered: buffers,
// then registers of all lanes, then their memory, then objects of the threadgroup.
//
// Invariant: records are in the order of operations, and an operation is recorded whole or not at all.
//
// The rule of the layer: adjoint records through exact's Recorder. The executor does not know that it is recorded.
package adjoint
