package machine

import "metalconform/metalrun/internal/syntax"

// A Choice is a site where Metal leaves the result to the device: the adversary
// takes it against the kernel.
type Choice struct {
	Pos  syntax.Pos
	Kind string
}

// Kinds of choices.
const (
	flushing      = "subnormals as zero"
	Uninitialised = "contents of memory that nobody has written"
	contraction   = "fusing of product and sum"
	simdOrder     = "order of a simdgroup sum"
	tileOrder     = "order and fusing of a matrix product"
	arrivalOrder  = "order in which threads come to an atomic operation"
	accuracy      = "accuracy of "
	outOfInteger  = "integer of a float out of its range"
	otherLane     = "value of a lane that cannot be read"
	NotFinite     = "NaN or infinity in fast math"
)
