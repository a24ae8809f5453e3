package metalrun

import "errors"

// ErrNotStored says that a launch does not store an element as a float.
var ErrNotStored = errors.New("the launch does not store that element as a float")

// Blamer is a kernel with exact execution that can attribute the error of an element to lines of the source.
type Blamer interface {
	// Blame launches d, and leaves the results in its buffers. Then it differentiates backwards through the
	// threadgroups that store the elements in of, such as the result itself. Its records take about memory bytes at
	// most: a long threadgroup runs several times and is recorded in parts. The error is [ErrNotStored] if the launch
	// stores none of the elements as a float.
	Blame(d Dispatch, of []Sensitivity, memory int) (Blame, error)
}

// Sensitivity is how sensitive a result is to one element: ∂y/∂x.
type Sensitivity struct {
	Index, Offset int // of the binding, and of the element in it in bytes
	By            float64
}

// Blame says where the error of a result comes from, to first order.
type Blame struct {
	Got, Exact, Error float64       // of the first element: its value, the exact one, and what any device may be off by
	Lines             []BlamedLine  // operations that it depends on, in the order of the source
	Before            []Sensitivity // of the result to what the buffers held before the launch
	Runs              int           // how often threadgroups ran to be recorded
}

// BlamedLine is the part of one operation in the source.
type BlamedLine struct {
	Position
	Actual float64 // what its roundings have changed in the element, with sign
	Bound  float64 // the most that they may change on any device
	Lost   float64 // the most bits that a difference of inexact values cancels there
	Times  int     // how often the element depends on it, counted by threads
}
