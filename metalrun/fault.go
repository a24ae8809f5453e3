package metalrun

import "fmt"

// Fault is an error of the running kernel: the launch ended there, and no
// memory outside the kernel's bindings was touched.
type Fault struct {
	Position
	Kernel      string // entry point
	Message     string // one lower-case clause
	Thread      [3]int // position of the thread in its threadgroup
	Threadgroup [3]int // position of the threadgroup in the grid
	// Exhausted says that a threadgroup used up its budget of steps: most likely it
	// would never end.
	Exhausted bool
	// Beyond is an access past the end of a buffer's window; nil: it was something else. Only
	// the simulator says so.
	Beyond *Beyond `json:",omitempty"`
}

// Beyond is how long a buffer would have to be for an access that left it.
type Beyond struct {
	Index int   // [[buffer(i)]]
	Bytes int64 // of its window
}

func (f *Fault) Error() string {
	return fmt.Sprintf("%s: %s\n\tin %s, thread (%d,%d,%d) of threadgroup (%d,%d,%d)", f.Position, f.Message, f.Kernel,
		f.Thread[0], f.Thread[1], f.Thread[2], f.Threadgroup[0], f.Threadgroup[1], f.Threadgroup[2])
}
