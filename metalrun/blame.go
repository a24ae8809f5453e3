package metalrun

import "errors"

// ErrNotStored says that a launch does not store an element as a float.
var ErrNotStored = errors.New("the launch does not store that element as a float")

// Blamer is a kernel with exact execution that can say where the error of an element
// comes from.
type Blamer interface {
	// Blame launches d, whose buffers hold afterwards what the launch leaves, and goes back over
	// what the threadgroup did that stores the element at a byte offset of the binding at index
	// last. Records take at most about so many bytes of memory: a long threadgroup runs
	// several times to be recorded in parts. It is [ErrNotStored] if the launch does not
	// store the element as a float.
	Blame(d Dispatch, index, offset, memory int) (Blame, error)
}

// Blame says where the error of one element comes from, to first order.
type Blame struct {
	Got, Exact, Error float64       // its value, the exact one, and what any device may be off by
	Lines             []BlamedLine  // operations that it depends on, in the order of the source
	Inputs            []BlamedInput // buffers that it depends on, by index
	Runs              int           // how often the threadgroup ran to be recorded
}

// BlamedLine is the part of one operation in the source.
type BlamedLine struct {
	Position
	Actual float64 // what its roundings have changed in the element, with sign
	Bound  float64 // the most that they may change on any device
	Lost   float64 // the most bits that a difference of inexact values cancels there
	Times  int     // how often the element depends on it, counted by threads
}

// BlamedInput is the part of one buffer.
type BlamedInput struct {
	Index     int
	Condition float64 // Σ|∂y/∂x·x|/|y| over its elements: a relative error of all of them, each for the worse, arrives multiplied by it
	Actual    float64 // what the errors of its elements, left by launches before, have changed
	Bound     float64
}
