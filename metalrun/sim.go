package metalrun

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt"
	"metalconform/metalrun/internal/types"
)

// NewSimulator returns a runner that executes source text on the CPU with the
// given semantics. Durations are wall times of the simulator.
func NewSimulator(s Semantics) Runner { return &simulator{semantics: s} }

type simulator struct{ semantics Semantics }

func (s *simulator) Device() Device {
	detail := fmt.Sprintf("%s/%s, %s semantics", runtime.GOOS, runtime.GOARCH, s.semantics)
	if n := s.semantics.Schedule; n != 0 {
		detail += fmt.Sprintf(", schedule %d", n)
	}
	if s.semantics.Check {
		detail += ", launches checked"
	}
	return Device{Backend: "simulator", Name: "conform simulator", Detail: detail}
}

// String names the semantics: "reference", or what differs from it.
func (s Semantics) String() string {
	s.Check, s.SameValue, s.Schedule, s.Steps, s.Portable = false, false, 0, 0, false
	if s == (Semantics{}) {
		return "reference"
	}
	if s.Adversary != nil {
		return fmt.Sprintf("adversarial (seed %d)", s.Adversary.Seed)
	}
	if s == Apple() {
		return "apple"
	}
	name := "custom"
	if s.Contract {
		name += ", contracted"
	}
	if s.FlushSubnormals {
		name += ", subnormals flushed"
	}
	return name + ", " + [...]string{"ascending sums", "butterfly sums", "tree sums"}[s.SumOrder]
}

func (s *simulator) Close() error { return nil }

func (s *simulator) Compile(src Source, opts CompileOptions) (Library, error) {
	program, err := analyse(src, opts)
	if err != nil {
		return nil, err
	}
	return &simLibrary{semantics: s.semantics, program: program, kernels: map[string]*simKernel{}}, nil
}

// simLibrary compiles its kernels when they are first asked for.
type simLibrary struct {
	semantics Semantics
	program   *types.Program
	lock      sync.Mutex
	kernels   map[string]*simKernel
}

func (l *simLibrary) Release() {}

func (l *simLibrary) Kernel(name string) (Kernel, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	if k := l.kernels[name]; k != nil {
		return k, nil
	}
	f := l.program.Kernel(name)
	if f == nil {
		return nil, fmt.Errorf("no kernel is named %q", name)
	}
	k, err := lower(f)
	if err != nil {
		return nil, err
	}
	var adversary *simt.Adversary
	if a := l.semantics.Adversary; a != nil {
		adversary = &simt.Adversary{Seed: a.Seed, Choices: a.Choices}
	}
	kernel := &simKernel{name: name, kernel: k, checked: l.semantics.Check, program: simt.Compile(k, simt.Options{
		Adversary: adversary,
		Contract:  l.semantics.Contract, FlushSubnormals: l.semantics.FlushSubnormals, SumOrder: simt.SumOrder(l.semantics.SumOrder),
		Steps: l.semantics.Steps, Portable: l.semantics.Portable,
		Check: l.semantics.Check, SameValue: l.semantics.SameValue, Schedule: l.semantics.Schedule,
	})}
	l.kernels[name] = kernel
	return kernel, nil
}

type simKernel struct {
	name    string
	kernel  *ir.Kernel
	checked bool
	program *simt.Program
}

// Choices are the places where Metal leaves the kernel's results open.
func (k *simKernel) Choices() []Choice {
	var out []Choice
	for _, c := range simt.Choices(k.kernel) {
		out = append(out, Choice{position(c.Pos), c.Kind})
	}
	return out
}

func (k *simKernel) MaxThreads() int { return k.program.MaxThreads() }

func (k *simKernel) Run(d Dispatch) (Outcome, error) {
	launch, err := simLaunch(d, k.MaxThreads())
	if err != nil {
		return Outcome{}, err
	}
	begin := time.Now()
	var found []simt.Finding
	if k.checked {
		found, err = k.program.Check(launch)
	} else {
		err = k.program.Run(launch)
	}
	outcome := Outcome{Duration: time.Since(begin), Findings: k.findings(found)}
	var fault *simt.Fault
	if errors.As(err, &fault) {
		err = &Fault{Position: position(fault.Pos), Kernel: k.name, Message: fault.Msg, Thread: fault.Thread, Threadgroup: fault.Group, Exhausted: fault.Exhausted}
	}
	return outcome, err
}

func (k *simKernel) findings(found []simt.Finding) []Finding {
	var out []Finding
	for _, f := range found {
		x := Finding{Check: string(f.Check), Kernel: k.name, Message: f.Msg, Party: party(f.Party), Note: f.Note}
		if f.Other != nil {
			other := party(*f.Other)
			x.Other = &other
		}
		out = append(out, x)
	}
	return out
}

func party(p simt.Party) Party {
	return Party{Position: position(p.Pos), Does: p.Does, Thread: p.Thread, Threadgroup: p.Group}
}

func simLaunch(d Dispatch, maxThreads int) (simt.Launch, error) {
	if err := checkDispatch(d, maxThreads); err != nil {
		return simt.Launch{}, err
	}
	l := simt.Launch{
		Groups: simSize(d.Threadgroups), Threads: simSize(d.Threads), PerGroup: simSize(d.ThreadsPerThreadgroup),
		Threadgroup: d.ThreadgroupMemory,
	}
	for _, b := range d.Bindings {
		l.Buffers = append(l.Buffers, simt.Buffer{
			Index: b.Index, Bytes: b.Data[b.Offset : b.Offset+b.Length : b.Offset+b.Length], ReadOnly: b.Inline,
			Undefined: b.Undefined,
		})
	}
	return l, nil
}

func simSize(s Size) simt.Size { return simt.Size{s.X, s.Y, s.Z} }
