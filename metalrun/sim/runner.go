package sim

import (
	"fmt"
	"runtime"
	"weak"

	"metalconform/metalrun"
	"metalconform/metalrun/internal/simt"
)

// runner is a simulator of one device.
type runner struct{ semantics Semantics }

// New returns a runner that executes source text on the CPU with the given
// semantics.
func New(s Semantics) metalrun.Runner { return &runner{semantics: s} }

func (r *runner) Device() metalrun.Device {
	detail := fmt.Sprintf("%s/%s, %s semantics", runtime.GOOS, runtime.GOARCH, r.semantics)
	if n := r.semantics.Schedule; n != 0 {
		detail += fmt.Sprintf(", schedule %d", n)
	}
	if r.semantics.Check {
		detail += ", launches checked"
	}
	return metalrun.Device{
		Backend: "simulator", Name: "conform simulator", Detail: detail,
		Clock: metalrun.HostClock, Observes: r.semantics.Check,
		Facts: metalrun.Facts{System: runtime.GOOS, Architecture: runtime.GOARCH, Width: simt.Simdgroup,
			Threads: simt.MaxThreads, ThreadgroupMemory: simt.MaxThreadgroupMemory},
	}
}

func (r *runner) Compile(p *metalrun.Program) (metalrun.Library, error) {
	if r.semantics.Cover {
		var err error
		if p, err = p.Covering(); err != nil {
			return nil, err
		}
	}
	return &library{semantics: r.semantics, program: p, kernels: map[string]weak.Pointer[kernel]{}}, nil
}

func (r *runner) Close() error { return nil }
