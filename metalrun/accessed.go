package metalrun

// Accessed is what one instruction of a kernel has accessed in one buffer during a launch.
type Accessed struct {
	Position
	Index         int // in the table of buffers
	Write, Atomic bool
	Spans         []ByteSpan // in ascending order, apart
}

// ByteSpan is bytes of a binding, from From up to To, counted from the beginning of its window.
type ByteSpan struct{ From, To int64 }

// Guarded is an access that a kernel should not have made and that the device has tolerated: one outside of its object
// is dropped, and a misaligned one goes to the bytes at its address. There is one for each place and kind.
type Guarded struct {
	*Fault
	Times int64 // that threads have made such accesses there
}
