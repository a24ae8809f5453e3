package machine

import (
	"fmt"

	"metalconform/metalrun/internal/syntax"
)

// Fault is an error of the running kernel. Thread is the position in the
// threadgroup, Group that of the threadgroup in the grid.
type Fault struct {
	Kind          FaultKind
	Pos           syntax.Pos
	Msg           string
	Thread, Group Size
	Access        *Access // that failed; nil if none did
}

// Error is the message, with its position.
func (f *Fault) Error() string { return fmt.Sprintf("%s: %s", f.Pos, f.Msg) }

// FaultKind says what ended a launch.
type FaultKind string

// Kinds of faults.
const (
	OutOfRange FaultKind = "range"     // an access leaves its object
	Misaligned FaultKind = "alignment" // an access is not at a multiple of its alignment
	Unbound    FaultKind = "unbound"   // the host has bound no memory
	ReadOnly   FaultKind = "read-only" // the host has bound memory that must not be written
	Astray     FaultKind = "pointer"   // a pointer points to no object
	// more calls of functions that call themselves are under way than there are frames
	Recursion  FaultKind = "recursion"
	Divergent  FaultKind = "divergent" // some threads do not take part in what all have to
	OutOfSteps FaultKind = "steps"     // the step budget ran out
	OutOfTime  FaultKind = "time"      // the steps of all threads ran out
	Unfinished FaultKind = "checks"    // the steps ran out in a large grid, or for checks after the launch
	TooLarge   FaultKind = "size"      // the threads do not fit the memory, or are too many
)

// Access is where an access goes.
type Access struct {
	Object
	Offset, Bytes int64 // of the access
	Size          int64 // of the memory, in bytes
}

// String is for messages.
func (a Access) String() string {
	return fmt.Sprintf("%d bytes at offset %d of %s", a.Bytes, a.Offset, a.Object)
}

// fail ends the launch with a fault of one lane.
func (m *Machine) fail(kind FaultKind, pos syntax.Pos, lane int, format string, args ...any) {
	panic(m.Fault(kind, pos, lane, format, args...))
}

// Fault is a fault of a lane, or of none.
func (m *Machine) Fault(kind FaultKind, pos syntax.Pos, lane int, format string, args ...any) *Fault {
	return &Fault{Kind: kind, Pos: pos, Msg: fmt.Sprintf(format, args...), Thread: m.Thread(max(lane, 0)),
		Group: m.Group}
}
