package host

import (
	"fmt"
	"io"
	"sync"
	"time"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
)

// Options are how a program is run.
type Options struct {
	Device   string        // a name of [Devices]; "": the first
	Math     string        // as [metalrun.ParseMath] reads it; "": what the program asks for
	Stop     bool          // the first finding that is more than a note ends the process
	Patience time.Duration // for an event that nothing signals; 0: ten seconds
	Report   io.Writer     // gets findings as JSON lines; nil: nobody wants them
}

// Host is one process that uses one device. It may be used by several goroutines at once.
type Host struct {
	options Options
	device  Device
	math    *metalrun.Math // nil: what the program asks for
	runner  metalrun.Runner
	checker metalrun.Runner // of launches that are checked
	report  report
	ledger  ledger
	gpu     sync.Mutex // held by the command that executes

	mu        sync.Mutex // of the following, and of the state of queues and command buffers
	changed   *sync.Cond // the state of a command buffer or of an event has changed
	libraries int
	seen      int64                   // the last moment at which the program has seen that something is complete
	numbers   int                     // of command buffers
	pending   map[*CommandBuffer]bool // committed and not completed
}

// Limits of a launch of a program. They are far above those of a launch of a test, as a program knows what it does.
const (
	mostThreadgroups = 1 << 30
	mostSteps        = 1 << 34
	usualPatience    = 10 * time.Second
	compileBudget    = 1 << 40
)

// New makes a host.
func New(o Options) (*Host, error) {
	name := o.Device
	if name == "" {
		name = Devices()[0]
	}
	d, err := FindDevice(name)
	if err != nil {
		return nil, err
	}
	if o.Patience == 0 {
		o.Patience = usualPatience
	}
	h := &Host{options: o, device: d, pending: map[*CommandBuffer]bool{}}
	if o.Math != "" {
		m, err := metalrun.ParseMath(o.Math)
		if err != nil {
			return nil, err
		}
		h.math = &m
	}
	s := sim.Apple()
	s.Threadgroups, s.Steps, s.Guard = mostThreadgroups, mostSteps, true
	h.runner, h.checker = sim.New(s), checker()
	h.changed = sync.NewCond(&h.mu)
	h.report = report{to: o.Report, known: map[string]*Finding{}, kernels: map[string]bool{},
		summary: Summary{Device: d.Name}}
	return h, nil
}

// Device is what the program runs on.
func (h *Host) Device() Device { return h.device }

// Close ends the report.
func (h *Host) Close() Summary { return h.report.close() }

// assert reports what Metal's debug layer says about a call. where is the method.
func (h *Host) assert(where, format string, args ...any) {
	h.found(Finding{Check: CheckAssertion, Message: where + ": " + fmt.Sprintf(format, args...)})
}

// Assert reports a mistake in a call that this package does not see.
func (h *Host) Assert(text string) { h.found(Finding{Check: CheckAssertion, Message: text}) }

// Refuse reports a part of Metal that the simulator does not execute.
func (h *Host) Refuse(what string) {
	h.found(Finding{Check: CheckRefused, Message: what + " is not supported: the simulator executes compute kernels",
		Remedy: "leave the part of the program out that needs it"})
}

// found reports a finding.
func (h *Host) found(f Finding) {
	h.report.add(f)
	if h.options.Stop && f.Fails() {
		h.Close()
		stop()
	}
}
