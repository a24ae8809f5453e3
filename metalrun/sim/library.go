package sim

import (
	"fmt"
	"slices"
	"sync"
	"weak"

	"metalconform/metalrun"
	"metalconform/metalrun/internal/simt"
)

// library compiles its kernels when they are first asked for.
type library struct {
	semantics Semantics
	program   *metalrun.Program
	mu        sync.Mutex
	kernels   map[string]weak.Pointer[kernel]
	recent    []*kernel // the last is the one asked for last
}

func (l *library) Kernel(name string) (metalrun.Kernel, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if k := l.kernels[name].Value(); k != nil {
		l.keep(k)
		return k, nil
	}
	lowered, err := l.program.Lowered(name)
	if err != nil {
		return nil, err
	}
	profiled := l.semantics.Profile && !l.semantics.Check && l.semantics.Schedule == 0
	if profiled {
		lowered = built(lowered)
	}
	compiled := simt.Compile(lowered, l.semantics.options())
	// as Metal makes no pipeline of it
	if bytes := compiled.StaticThreadgroupMemory(); bytes > simt.MaxThreadgroupMemory {
		return nil,
			fmt.Errorf("%d bytes of threadgroup memory exceed the limit of %d", bytes, simt.MaxThreadgroupMemory)
	}
	k := &kernel{name: name, lowered: lowered, checked: l.semantics.Check, counts: l.semantics.Count,
		covers: l.semantics.Cover, evaluated: l.program.Evaluated(),
		profiled: profiled, guarded: l.semantics.Guard, exact: l.semantics.Exact, ranges: l.semantics.Ranges,
		program: compiled,
		planner: sync.OnceValue(func() *planner { return newPlanner(lowered, compiled) })}
	l.kernels[name] = weak.Make(k)
	l.keep(k)
	return k, nil
}

// mostRecent are the kernels that a library keeps though nobody has them: the last that were asked for. With the
// memory of its launches one may take megabytes, and a file may have thousands.
const mostRecent = 32

func (l *library) keep(k *kernel) {
	if i := slices.Index(l.recent, k); i >= 0 {
		l.recent = slices.Delete(l.recent, i, i+1)
	} else if len(l.recent) == mostRecent {
		l.recent = slices.Delete(l.recent, 0, 1)
	}
	l.recent = append(l.recent, k)
}

func (l *library) Release() {}

// options are the semantics as the executor takes them.
func (s Semantics) options() simt.Options {
	o := simt.Options{
		Contract: s.Contract, DefaultBuild: s.DefaultBuild, FlushSubnormals: s.FlushSubnormals,
		SumOrder: simt.SumOrder(s.SumOrder),
		Steps:    s.Steps, ThreadSteps: s.ThreadSteps, ThreadMemory: s.ThreadMemory, Threadgroups: s.Threadgroups,
		TotalSteps: s.TotalSteps, Portable: s.Portable,
		Check: s.Check, Count: s.Count || s.Profile || s.Cover, Separate: s.Profile && !s.Check, SameValue: s.SameValue,
		Schedule: s.Schedule, Guard: s.Guard,
		Exact: s.Exact, Doubles: s.Doubles, Unanchored: s.Unanchored, Snapped: s.Snapped, Literals: s.Literals,
		Sample: s.Sample,
	}
	o.Without = s.without()
	if a := s.Adversary; a != nil {
		o.Adversary = &simt.Adversary{Seed: a.Seed, Number: a.Number, Choices: a.Choices, Measured: a.Measured}
	}
	return o
}
