package profile

import (
	"slices"
	"sync"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/redundancy"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

var profileSlot = machine.NewStateSlot() // of *sampler

// Profiler is the extension that counts work and samples accesses, where the options of a program ask for it.
type Profiler struct {
	codegen.NoExtension
	count, sampling bool
	counting        counting                // runs of the source
	remaining       []redundancy.Remaining  // instructions that a compiler leaves of the source
	latencies       []latency               // of the runs, if accesses are sampled
	loops           int                     // number of loops whose first iterations are sampled
	accesses        []*ir.Instr             // sampled accesses of the source
	SampledProgram  func() *machine.Program // the program with samples
	samplers        sync.Pool               // of *sampler
}

// NewProfiler makes the extension that programs with some options need.
func NewProfiler(o machine.Options) *Profiler {
	return &Profiler{count: o.Count, sampling: o.SampleAccesses}
}

// samplerOf is the sampler of a machine; nil if it samples no accesses.
func samplerOf(m *machine.Machine) *sampler {
	w, _ := m.State[profileSlot].(*sampler)
	return w
}

// Source counts runs of instructions.
func (p *Profiler) Source(of *machine.Program, k *ir.Kernel) *ir.Kernel {
	p.SampledProgram = sync.OnceValue(func() *machine.Program {
		return of.Again(func(o *machine.Options) { o.SampleAccesses = true })
	})
	if p.count {
		p.remaining = redundancy.Of(k)
		k, p.counting = countedRuns(k, p.remaining)
	}
	if p.sampling {
		p.accesses = accesses(of.Source)
		p.latencies = p.findLatencies(of.Source)
	}
	return k
}

// Instrument puts an ObserveOp before each sampled access.
func (p *Profiler) Instrument(_ *machine.Program, k *ir.Kernel) *ir.Kernel {
	if p.sampling {
		return sampledKernel(k)
	}
	return k
}

// Op compiles operations that sample accesses.
func (p *Profiler) Op(c *codegen.Compiler, in *ir.Instr) bool {
	switch {
	case !p.sampling:
		return false
	case in.Op == machine.ObserveOp:
		p.observeOp(c, in)
	case in.Op == machine.SamplingOp:
		p.samplingOp(c, in)
	default:
		return false
	}
	return true
}

// Before adds what simdgroups wait for at a barrier.
func (p *Profiler) Before(c *codegen.Compiler, in *ir.Instr) {
	if p.sampling && in.Op == ir.Barrier && in.Fn != "simdgroup" {
		c.Do(func(m *machine.Machine) { samplerOf(m).barrier() })
	}
}

// Attach lets a machine count and sample, if the launch wants it.
func (p *Profiler) Attach(m *machine.Machine) {
	if w := machine.Wanted[*Work](m.Launch); w != nil && p.count {
		m.Observe(newCounter(w, p), machine.Blocks)
	}
	if t := machine.Wanted[*Traffic](m.Launch); t != nil && p.sampling {
		w := newSampler(p, m.Launch, t)
		m.State[profileSlot] = w
		m.Observe(w, machine.Blocks|machine.Accesses)
	}
}

// Runner runs the sampled threadgroups on a machine with a sampler, and the others on another machine without one. If
// threadgroups take little, one machine runs all. Each machine is made when it is first needed.
func (p *Profiler) Runner(of *machine.Program, l *machine.Dispatch, buffers []machine.Memory) (run machine.GroupRunner,
	machines func() []*machine.Machine, ok bool) {
	if machine.Wanted[*Traffic](l) == nil || p.sampling {
		return nil, nil, false
	}
	var made []*machine.Machine
	begin := func(p *machine.Program) *machine.Machine {
		var shared []machine.Memory // each threadgroup begins with it anew
		if len(made) > 0 {
			shared = made[0].Objects
		}
		m := machine.NewPart(p, l, buffers, shared, l.PerGroup.Count())
		made = append(made, m)
		return m
	}
	plain, watched := sync.OnceValue(func() *machine.Machine { return begin(of) }),
		sync.OnceValue(func() *machine.Machine { return begin(p.SampledProgram()) })
	total := l.Running()
	sampled, count := sample(total)
	sampled += l.Skip
	return func(first, end int) (i int, err error) {
		for i = first; i < end && err == nil; i++ {
			on := watched
			if total > fewThreadgroups && (i < sampled || i >= sampled+count) && watched().Executed >= fewInstructions {
				on = plain
			}
			_, err = on().RunGroups(i, i+1)
		}
		return i - 1, err
	}, func() []*machine.Machine { return made }, true
}

// A second machine costs more than it saves for up to fewThreadgroups threadgroups, or fewInstructions instructions.
const fewThreadgroups, fewInstructions = 4, 1 << 10

// Single lets a scalar program sample accesses.
func (p *Profiler) Single(s *codegen.ScalarCompiler) (codegen.SingleExtension, bool) {
	if !p.sampling {
		return nil, true
	}
	s.Orders = p.ordered
	return &singleProfiler{p: p, s: s}, true
}

// ordered reports whether the sampler sees the order of the runs of a loop: the loop has sampled accesses, or a run
// that shares a window with others.
func (p *Profiler) ordered(n *ir.Loop) bool {
	return ir.Contains([]ir.Node{n}, func(n ir.Node) bool {
		in, ok := n.(*ir.Instr)
		return ok && (in.Op == machine.ObserveOp || in.Op == machine.SamplingOp ||
			in.Op == machine.CounterOp && p.latencies[machine.NumberOf(in)].bodies != 1)
	})
}

// singleProfiler samples the accesses of a scalar program.
type singleProfiler struct {
	codegen.NoSingle
	p *Profiler
	s *codegen.ScalarCompiler
}

// Op compiles operations that sample accesses. An access out of range faults by itself.
func (x *singleProfiler) Op(in *ir.Instr) bool {
	s := x.s
	switch in.Op {
	case machine.SamplingOp:
		set := slices.Clone(in.Dst)
		var d uint8
		if len(set) > 0 {
			d = s.Register(set[0])
		}
		s.Call(func(m *machine.Machine, r *machine.ScalarRegisters) {
			if enough := samplerOf(m).sampleLoop(in.Fn, machine.NumberOf(in)); len(set) > 0 {
				r[d] = uint64(machine.Lane(enough))
			}
		})
		return true
	case machine.ObserveOp:
	default:
		return false
	}
	if in.Mem.Space == syntax.Thread {
		s.Failed = true
		return true
	}
	at, index, ok := s.Place(in, in.Fn != "load")
	if !ok {
		return true
	}
	at.Access.Uniform = s.Uniform(in.Mem.Base) && (in.Mem.Index == ir.None || s.Uniform(in.Mem.Index))
	v, base := x.p.view(at.Access), s.Register(in.Mem.Base)
	s.Call(func(m *machine.Machine, r *machine.ScalarRegisters) {
		if !samplerOf(m).active() {
			return
		}
		if mem, off, ok := at.Within(m, r[base], r[index]); ok {
			v.one(m, mem, off)
		}
	})
	return true
}
