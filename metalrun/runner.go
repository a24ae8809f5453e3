package metalrun

import (
	"errors"
	"fmt"
	"time"
)

// Runner executes kernels on one device. A Runner and everything made by it
// may be used by several goroutines at once.
type Runner interface {
	// Device describes what the runner executes on.
	Device() Device
	// Compile translates a program under its options. What the device's own
	// compiler refuses is returned as Diagnostics.
	Compile(p *Program) (Library, error)
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
	// Run executes one dispatch and waits for it. Writable bindings hold the results afterwards. An error that the
	// kernel itself caused (an access out of range, a runaway loop) is a *Fault; any other error concerns the dispatch
	// or the device. Findings of checks are in the outcome and are no error.
	Run(d Dispatch) (Outcome, error)
}

// Warner is a [Library] that keeps what the device's compiler said of a source that it has taken.
type Warner interface {
	// Warnings is the compiler's own text, with positions in the preprocessed source; "" if it said nothing.
	Warnings() string
}

// Reflector is a [Kernel] that tells what the device made of it.
type Reflector interface{ Pipeline() Pipeline }

// Pipeline is what a device says of a kernel that it has compiled.
type Pipeline struct {
	Threads           int `json:"threads"`            // of a threadgroup, at most
	Width             int `json:"width"`              // threads of a simdgroup
	ThreadgroupMemory int `json:"threadgroup_memory"` // bytes that the kernel declares itself
}

// Inspector is a [Runner] that tells which methods of the system it has called.
type Inspector interface {
	Methods() ([]Method, error)
}

// Method is a method of a class of the system, as the system declares it.
type Method struct {
	Class    string `json:"class"`
	Name     string `json:"name"`
	Encoding string `json:"encoding,omitempty"` // of its type; "" of a class that forwards the message
	// Differs says how the type differs from the one that is called, where a call travels alike: in signs alone.
	Differs string `json:"differs,omitempty"`
}

// Binder is a [Kernel] whose launches can be repeated on buffers that stay on the
// device. Kernels of Metal are, whose Run copies all buffers there and back.
type Binder interface {
	// Bind copies the buffers of a sequence of dispatches to the device. Bindings with
	// the same Data share a buffer: see [Memory].
	Bind(sequence ...Dispatch) (Bound, error)
}

// Bound is a sequence of dispatches with its buffers on the device. It is for one
// goroutine.
type Bound interface {
	// Run launches the sequence n times in one submission, one dispatch after the other, and waits for the last.
	// Buffers are not reset between launches.
	Run(n int) (Outcome, error)
	// Read copies the buffers into the bindings' Data.
	Read() error
	Release()
}

// Monitor is a [Runner] that can report the condition of its device.
type Monitor interface {
	Condition() (Condition, error)
}

// Condition is a state of a device that makes it slower.
type Condition struct {
	Thermal  Thermal
	LowPower bool // the user has asked to save power
}

// Thermal is how far a system has gone to keep cool.
type Thermal int

// As NSProcessInfo counts them.
const (
	ThermalNominal Thermal = iota
	ThermalFair
	ThermalSerious
	ThermalCritical
)

func (t Thermal) String() string {
	if names := [...]string{"nominal", "fair", "serious", "critical"}; t >= 0 && int(t) < len(names) {
		return names[t]
	}
	return fmt.Sprintf("unknown (%d)", int(t))
}

// Worse combines the worse parts of two conditions.
func (c Condition) Worse(other Condition) Condition {
	return Condition{Thermal: max(c.Thermal, other.Thermal), LowPower: c.LowPower || other.LowPower}
}

// Device names a device for reports, and says what it can report about a launch.
type Device struct {
	Backend  string // "metal" or "simulator"
	Name     string // what the device calls itself
	Detail   string // architecture, OS and semantics, for the record
	Clock    Clock
	Observes bool // findings show what Metal leaves undefined
	Facts    Facts
}

// Facts are what a device reports about itself. Numbers that it does not report are 0.
type Facts struct {
	System            string   `json:"system,omitempty"`             // and its version
	Architecture      string   `json:"architecture,omitempty"`       // of the GPU
	Families          []string `json:"families,omitempty"`           // of Metal's, that it belongs to: Apple7
	Width             int      `json:"width,omitempty"`              // threads of a simdgroup
	Threads           int      `json:"threads,omitempty"`            // of a threadgroup, in the smallest kernel
	ThreadgroupMemory int      `json:"threadgroup_memory,omitempty"` // bytes
	Buffer            int      `json:"buffer,omitempty"`             // bytes of the longest one
	// bytes that are recommended to be in use at a time
	WorkingSet int `json:"working_set,omitempty"`
}

// Clock is what a device measures durations by.
type Clock string

const (
	GPUClock  Clock = "gpu"  // that of the GPU: the time that the kernel takes there
	HostClock Clock = "host" // that on the wall: times of a simulator, which say nothing of a GPU
)

var (
	// ErrNoDevice is returned by a constructor whose device this machine lacks.
	ErrNoDevice = errors.New("no Metal device")
	// ErrUnusable is wrapped by an error after which no result of the device can be trusted. The run ends without a
	// verdict.
	ErrUnusable = errors.New("device unusable")
	// ErrLost is wrapped by the error of a launch that failed because another launch has brought the device down for
	// this process. In a new process it may succeed.
	ErrLost = errors.New("launch lost")
	// ErrUnsupported is wrapped by the error of [Library.Kernel] for a kernel that needs a feature which the device
	// lacks.
	ErrUnsupported = errors.New("not supported by this device")
	// ErrWhole is the error of a kernel that is asked to run part of a launch on a device that can only run whole grids
	// over whole buffers.
	ErrWhole = errors.New("this device launches whole grids over whole buffers, and the simulator alone a part of one")
)

// Outcome is the time of one dispatch, and what was observed.
type Outcome struct {
	Duration time.Duration // by Clock
	Clock    Clock         // where it is not that of the device; otherwise ""
	Findings []Finding     // in the order in which they were made, on a device that observes
	// values that Metal leaves unspecified, of which findings may tell, on a device that observes
	Met      []Choice
	Accesses []Accessed // of a device that tells them: of each instruction and buffer
	Guarded  []Guarded  // accesses that the device has tolerated, in the order of the source
	Notes    []Note     // of exact execution, in the order of the source
	Arms     []Arm      // of the kernel, on a device that observes
	// statements of the kernel, in the order of the source, on a device that tells what is executed
	Covered []Covered
	Work    *Work    // what the launch did, on a device that counts; otherwise nil
	Profile *Profile // what the launch asked of the device, on one that profiles; otherwise nil
	// Executed is how many instructions a simulator has executed, each once for all threads of a
	// threadgroup: what its time goes with, and the same on every machine. 0 on other devices.
	Executed int64
	// Costly is how many more it could have executed while some took longer than others, lane by lane or under masks.
	Costly int64
}
