package machine

import "metalconform/metalrun/internal/syntax"

// A Choice is a position where Metal leaves the result to the device: the adversary decides it against the kernel.
type Choice struct {
	Pos  syntax.Pos
	Kind string
}

// Kinds of choices.
const (
	Flushing      = "subnormals as zero"
	Uninitialised = "contents of memory that nobody has written"
	Contraction   = "fusing of product and sum"
	SimdOrder     = "order of a simdgroup sum"
	TileOrder     = "order and fusing of a matrix product"
	ArrivalOrder  = "order in which threads come to an atomic operation"
	Accuracy      = "accuracy of "
	OutOfInteger  = "integer of a float out of its range"
	OtherLane     = "value of a lane that cannot be read"
	NotFinite     = "NaN or infinity in fast math"
)
