package metalrun

import (
	"errors"
	"time"
)

// Runner executes kernels on one device. A Runner and everything made by it
// may be used by several goroutines at once.
type Runner interface {
	// Device describes what the runner executes on.
	Device() Device
	// Compile translates src. Errors in the source are returned as
	// Diagnostics.
	Compile(src Source, opts CompileOptions) (Library, error)
	// Close releases the device. Libraries must not be used afterwards.
	Close() error
}

// Library is one compiled translation unit.
type Library interface {
	// Kernel prepares the entry point called name (its host name).
	Kernel(name string) (Kernel, error)
	// Release frees the library and its kernels.
	Release()
}

// Kernel is one entry point, ready to run.
type Kernel interface {
	// MaxThreads is the largest number of threads a threadgroup of this
	// kernel may have on the device.
	MaxThreads() int
	// Run executes one dispatch and waits for it. Writable bindings hold the
	// results afterwards. An error that the kernel itself caused (an access
	// out of range, a runaway loop) is a *Fault; any other error concerns the
	// dispatch or the device. What checks find is in the outcome, and no error.
	Run(d Dispatch) (Outcome, error)
}

// Device names a device for reports.
type Device struct {
	Backend string // "metal" or "simulator"
	Name    string // what the device calls itself
	Detail  string // architecture, OS and semantics, for the record
}

// ErrNoDevice is returned by a constructor whose device this machine lacks.
var ErrNoDevice = errors.New("no Metal device")

// Dispatch is one launch of a kernel.
//
// Exactly one of Threadgroups and Threads is set: Threadgroups counts whole
// threadgroups (dispatchThreadgroups), Threads counts threads and makes the
// threadgroups at the edge smaller (dispatchThreads).
type Dispatch struct {
	Bindings              []Binding
	ThreadgroupMemory     []int // bytes at [[threadgroup(i)]]
	Threadgroups          Size
	Threads               Size
	ThreadsPerThreadgroup Size
}

// Size is an extent in x, y and z. A zero Size means that it is not set.
type Size struct{ X, Y, Z int }

// Count is the number of positions in the extent.
func (s Size) Count() int { return s.X * s.Y * s.Z }

// Binding puts memory at one index of the buffer argument table.
//
// The kernel sees Data[Offset : Offset+Length]. What lies around that window
// is the caller's guard region: the simulator refuses to touch it, and on a
// GPU it shows what was written out of range.
type Binding struct {
	Index  int
	Data   []byte
	Offset int
	Length int
	Inline bool // passed by setBytes: a copy that the kernel cannot write back
	// Undefined says that what the window holds means nothing: checks report a
	// kernel that lets it reach a result.
	Undefined bool
}

// Outcome is what one dispatch took, and what was seen of it.
type Outcome struct {
	Duration time.Duration
	GPU      bool      // measured by the GPU's clock; otherwise wall time of the simulator
	Findings []Finding // of a simulator that checks, in the order in which they were made
}
