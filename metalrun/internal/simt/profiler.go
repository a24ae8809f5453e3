package simt

import (
	"slices"
	"sync"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

var profileSlot = newStateSlot() // of *watch

// profiler is the extension that counts work and samples accesses, where the options of a program ask for it.
type profiler struct {
	NoExtension
	count, watching bool
	runs            []Run           // of the source, that are counted
	waits           []waits         // of these, if accesses are watched
	loops           int             // whose accesses are watched in their first turns
	accesses        []*ir.Instr     // of the source, that are watched
	watched         func() *program // the program that looks at accesses
	watches         sync.Pool       // of *watch that launches have left
}

func newProfiler(o Options) *profiler { return &profiler{count: o.Count, watching: o.watched} }

// watchOf is what a machine looks at accesses with, nil if it does not.
func watchOf(m *machine) *watch {
	w, _ := m.state[profileSlot].(*watch)
	return w
}

// Source counts runs of instructions.
func (p *profiler) Source(of *program, k *ir.Kernel) *ir.Kernel {
	p.watched = sync.OnceValue(func() *program { return of.again(func(o *Options) { o.watched = true }) })
	if p.count {
		k, p.runs = countedRuns(k)
	}
	if p.watching {
		p.accesses = accesses(of.source)
		p.waits = p.waiting(of.source)
	}
	return k
}

// Instrument puts an observeOp in front of the accesses that are watched.
func (p *profiler) Instrument(_ *program, k *ir.Kernel) *ir.Kernel {
	if p.watching {
		return watched(k)
	}
	return k
}

// Op compiles operations that sample accesses.
func (p *profiler) Op(c *compiler, in *ir.Instr) bool {
	switch {
	case !p.watching:
		return false
	case in.Op == observeOp:
		p.sight(c, in)
	case in.Op == samplingOp:
		p.look(c, in)
	default:
		return false
	}
	return true
}

// Before lets simdgroups wait for the longest of them at a barrier.
func (p *profiler) Before(c *compiler, in *ir.Instr) {
	if p.watching && in.Op == ir.Barrier && in.Fn != "simdgroup" {
		c.do(func(m *machine) { watchOf(m).wait() })
	}
}

// Attach lets a machine count and watch, if the launch wants to know.
func (p *profiler) Attach(m *machine) {
	if w := wanted[*Work](m.launch); w != nil && p.count {
		m.observe(newTally(w, p.runs), Blocks)
	}
	if t := wanted[*Traffic](m.launch); t != nil && p.watching {
		w := newWatch(p, m.launch, t)
		m.state[profileSlot] = w
		m.observe(w, Blocks|Accesses)
	}
}

// Runner looks at what the threadgroups of the sample access: they run on a machine of their own,
// but where the others take little, which it runs without a look. Each machine is made when it is first needed.
func (p *profiler) Runner(of *program, l *dispatch, buffers []memory) (run groupRunner, machines func() []*machine, ok bool) {
	if wanted[*Traffic](l) == nil || p.watching {
		return nil, nil, false
	}
	var made []*machine
	begin := func(p *program) *machine {
		var shared []memory // each threadgroup begins with it anew
		if len(made) > 0 {
			shared = made[0].objects
		}
		m := newPart(p, l, buffers, shared, l.PerGroup.count())
		made = append(made, m)
		return m
	}
	plain, watched := sync.OnceValue(func() *machine { return begin(of) }), sync.OnceValue(func() *machine { return begin(p.watched()) })
	total := l.running()
	sampled, count := sample(total)
	sampled += l.Skip
	return func(first, end int) (i int, err error) {
		for i = first; i < end && err == nil; i++ {
			on := watched
			if total > fewThreadgroups && (i < sampled || i >= sampled+count) && watched().executed >= fewInstructions {
				on = plain
			}
			_, err = on().runGroups(i, i+1)
		}
		return i - 1, err
	}, func() []*machine { return made }, true
}

// fewThreadgroups is how many are not worth a second machine, and fewInstructions what threadgroups take that are not.
const fewThreadgroups, fewInstructions = 4, 1 << 10

// Single lets a program for one thread look at accesses.
func (p *profiler) Single(s *soloCompiler) (SingleExtension, bool) {
	if !p.watching {
		return nil, true
	}
	s.orders = p.ordered
	return &singleProfiler{p: p, s: s}, true
}

// ordered reports whether something sees the order of a loop's runs: an access, or one that shares a stretch with
// others.
func (p *profiler) ordered(n *ir.Loop) bool {
	return ir.Contains([]ir.Node{n}, func(n ir.Node) bool {
		in, ok := n.(*ir.Instr)
		return ok && (in.Op == observeOp || in.Op == samplingOp || in.Op == counterOp && p.waits[numberOf(in)].bodies != 1)
	})
}

// singleProfiler looks at the accesses of a program for one thread.
type singleProfiler struct {
	NoSingle
	p *profiler
	s *soloCompiler
}

// Op compiles operations that sample accesses. One out of range is left to the access itself.
func (x *singleProfiler) Op(in *ir.Instr) bool {
	s := x.s
	switch in.Op {
	case samplingOp:
		set := slices.Clone(in.Dst)
		var d uint8
		if len(set) > 0 {
			d = s.register(set[0])
		}
		s.call(func(m *machine, r *[maxSolo]uint64) {
			if enough := watchOf(m).look(in.Fn, numberOf(in)); len(set) > 0 {
				r[d] = uint64(lane(enough))
			}
		})
		return true
	case observeOp:
	default:
		return false
	}
	if in.Mem.Space == syntax.Thread {
		s.failed = true
		return true
	}
	at, index, ok := s.place(in, in.Fn != "load")
	if !ok {
		return true
	}
	at.access.uniform = s.uniform(in.Mem.Base) && (in.Mem.Index == ir.None || s.uniform(in.Mem.Index))
	v, base := x.p.view(at.access), s.register(in.Mem.Base)
	s.call(func(m *machine, r *[maxSolo]uint64) {
		if !watchOf(m).looking() {
			return
		}
		if mem, off, ok := at.within(m, r[base], r[index]); ok {
			v.one(m, mem, off)
		}
	})
	return true
}
