package metalrun

import "fmt"

// Fault is an error of the running kernel: the launch ended there, and no
// memory outside the kernel's bindings was touched.
type Fault struct {
	Position
	Kind        FaultKind `json:",omitempty"` // "" of what only the message says
	Kernel      string    // entry point
	Message     string    // one lower-case clause
	Thread      [3]int    // position of the thread in its threadgroup
	Threadgroup [3]int    // position of the threadgroup in the grid
	Access      *Access   `json:",omitempty"` // that failed; nil if none did. Only the simulator says it
}

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
	OutOfSteps FaultKind = "steps"     // a threadgroup used up its budget of steps
	OutOfTime  FaultKind = "time"      // the launch used up its time, or on the simulator its steps
	Unfinished FaultKind = "checks"    // a large grid, or the checks of a launch that ended, used up its steps
	// the variables of the threads do not fit the memory, or the threadgroups are too many
	TooLarge FaultKind = "size"
)

// Access is the address of an access.
type Access struct {
	Object
	Offset, Bytes int64 // of the access
	Size          int64 // of the memory, in bytes
}

// Object is what a finding or a fault is about: an argument or a variable of a kernel.
type Object struct {
	Table string `json:"table"` // "buffer" or "threadgroup"; of a variable its address space
	Index int    `json:"index"` // in the table, -1 for a variable
	Name  string `json:"name,omitempty"`
}

// Hangs reports whether the launch used up its budget: most likely it would never end.
func (f *Fault) Hangs() bool { return f.Kind == OutOfSteps || f.Kind == OutOfTime }

// ByClock reports whether the launch or its checks ran out of time, or on the simulator out of steps for all threads.
func (f *Fault) ByClock() bool { return f.Kind == OutOfTime || f.Kind == Unfinished }

func (f *Fault) Error() string {
	return fmt.Sprintf("%s: %s\n\tin %s, thread (%d,%d,%d) of threadgroup (%d,%d,%d)", f.Position, f.Message, f.Kernel,
		f.Thread[0], f.Thread[1], f.Thread[2], f.Threadgroup[0], f.Threadgroup[1], f.Threadgroup[2])
}
