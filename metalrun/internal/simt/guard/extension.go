package guard

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/machine"
)

var guardSlot = machine.NewStateSlot() // of *guard, and of *watcher

// guard is the extension that guards the accesses of a program, where its options ask for it.
type guard struct {
	codegen.NoExtension
	on    bool
	sites []*site
	next  *site // of the access that follows
}

// NewGuard makes the extension that programs with some options need.
func NewGuard(o machine.Options) codegen.Extension { return &guard{on: o.Guard} }

// guardOf is the guard of a program.
func guardOf(p *machine.Program) *guard { return p.State[guardSlot].(*guard) }

// Source lets the guard be found.
func (g *guard) Source(of *machine.Program, k *ir.Kernel) *ir.Kernel {
	of.State[guardSlot] = g
	return k
}

// Instrument puts an ObserveOp before each access that is guarded.
func (g *guard) Instrument(_ *machine.Program, k *ir.Kernel) *ir.Kernel {
	if !g.on {
		return k
	}
	return machine.Instrumented(k, guarded)
}

// Op compiles an ObserveOp.
func (g *guard) Op(c *codegen.Compiler, in *ir.Instr) bool {
	if !g.on || in.Op != machine.ObserveOp {
		return false
	}
	c.Flush()
	o := machine.ObservationOf(in)
	s := &site{number: len(g.sites), access: c.Access(in), count: int64(o.Count), align: 1, writes: in.Fn != "load",
		atomic: in.Fn == "atomic"}
	s.access.Write = s.writes
	if !analysis.Aligned(c.P.Kernel, in) {
		s.align = int64(in.Mem.Align)
	}
	for _, r := range in.Args {
		s.stored = append(s.stored, c.Values(r, false, machine.Encode32(in.From)))
	}
	g.sites, g.next = append(g.sites, s), s
	c.Do(s.see)
	return true
}

// Instr compiles an access so that the guard can take its place.
func (g *guard) Instr(c *codegen.Compiler, in *ir.Instr) bool {
	if !g.on || !guarded(in) || in.Op == machine.ObserveOp {
		return false
	}
	s, dst := g.next, slices.Clone(in.Dst)
	c.Around(in, func(slots []machine.Slot) func(m *machine.Machine, inside machine.Straight) {
		return func(m *machine.Machine, inside machine.Straight) {
			switch {
			case !watcherOf(m).bad:
				inside.Run(m)
			case s.atomic:
				s.atomically(m, inside, slots)
			case s.writes:
				s.store(m)
			default:
				s.load(m, slots)
			}
		}
	}, dst)
	return true
}

// Attach lets a machine be watched.
func (g *guard) Attach(m *machine.Machine) {
	r := machine.Wanted[*Report](m.Launch)
	if !g.on {
		return
	}
	if r == nil {
		r = &Report{}
	}
	w := &watcher{report: r, accessed: make([][buffers]spans, len(g.sites)), tolerated: map[fault]*Tolerated{}}
	m.State[guardSlot] = w
	m.Observe(w, 0)
}

// Single leaves guarded programs to the general form.
func (g *guard) Single(*codegen.ScalarCompiler) (codegen.SingleExtension, bool) { return nil, !g.on }
