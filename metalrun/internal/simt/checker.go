package simt

import (
	"sync"
	"sync/atomic"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/syntax"
)

var sanitizeSlot = newStateSlot() // of *checker, and of *sanitizer or *privateReads

// checker is the extension that lets checks see the accesses and barriers of a program, where its options ask for it.
type checker struct {
	NoExtension
	check, private bool

	sites     []*observer
	observers map[*ir.Instr]*observer
	cells     cells
	fine      []atomic.Bool // by object: to be shadowed cell by cell
	atomics   []string      // operations of that kind
	hasty     bool          // of these some come to something else in another order
	leads     []int         // destinations of pointers; nil: not found out
	late      []func()      // lets programs for one thread know their observers

	telling func() bool     // results may tell the order in which threads come to atomics
	probing func() *program // unobserved and open
}

func newChecker(o Options) *checker {
	return &checker{check: o.Check, private: o.private, observers: map[*ir.Instr]*observer{}}
}

// checkerOf is that of a program.
func checkerOf(p *program) *checker { return p.state[sanitizeSlot].(*checker) }

// sanitizerOf is what observes a machine.
func sanitizerOf(m *machine) *sanitizer { return m.state[sanitizeSlot].(*sanitizer) }

// shadowOf is the shadow of memory, nil if it has none.
func shadowOf(mem *memory) *shadow {
	s, _ := mem.shadow.(*shadow)
	return s
}

// unobserved is a program without its checks. An open one can have other values where Metal specifies none.
func unobserved(p *program, open bool) *program {
	return p.again(func(o *Options) { o.Check, o.open = false, open })
}

// Source keeps what is found out of the program when it is first asked for.
func (p *checker) Source(of *program, k *ir.Kernel) *ir.Kernel {
	of.state[sanitizeSlot] = p
	p.telling = sync.OnceValue(func() bool { return tellsOrder(of.source) })
	p.probing = sync.OnceValue(func() *program { return unobserved(of, true) })
	return k
}

// Instrument puts an observeOp in front of the accesses that are observed.
func (p *checker) Instrument(_ *program, k *ir.Kernel) *ir.Kernel {
	switch {
	case p.check:
		k = observed(k)
	case p.private:
		k = observedPrivately(k)
	}
	p.fine = make([]atomic.Bool, analysis.FirstStatic+len(k.Objects))
	return k
}

// Op compiles an observeOp.
func (p *checker) Op(c *compiler, in *ir.Instr) bool {
	if in.Op != observeOp || !p.check && !p.private {
		return false
	}
	p.observe(c, in)
	return true
}

// Finish lets programs for one thread know their observers.
func (p *checker) Finish(*compiler) {
	for _, know := range p.late {
		know()
	}
}

// After lets the checks see a barrier that is passed.
func (p *checker) After(c *compiler, in *ir.Instr) {
	if p.check && in.Op == ir.Barrier {
		c.do(func(m *machine) { sanitizerOf(m).pass(m, in) })
	}
}

// Single lets a program for one thread record its accesses.
func (p *checker) Single(s *soloCompiler) (SingleExtension, bool) {
	if !p.check && !p.private {
		return nil, true
	}
	return singleChecker{p: p, s: s}, true
}

// singleChecker records the accesses of a program for one thread.
type singleChecker struct {
	NoSingle
	p *checker
	s *soloCompiler
}

// Op compiles an observeOp. An access out of range is left to the access itself. The observer is compiled later than the
// program for one thread.
func (x singleChecker) Op(in *ir.Instr) bool {
	s := x.s
	if in.Op != observeOp {
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
	base, o := s.register(in.Mem.Base), (*observer)(nil)
	x.p.late = append(x.p.late, func() { o = x.p.observers[in] })
	s.call(func(m *machine, r *[maxSolo]uint64) {
		if mem := o.whole(m); mem != nil && o.known(m, shadowOf(mem)) {
			return
		}
		if mem, off, ok := at.within(m, r[base], r[index]); ok {
			o.lane(m, mem, off, 0)
		}
	})
	return true
}
