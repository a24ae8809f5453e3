package sanitize

import (
	"sync"
	"sync/atomic"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

var sanitizeSlot = machine.NewStateSlot() // of *checker, and of *sanitizer or *privateReads

// checker is the extension that lets checks see the accesses and barriers of a program, where its options ask for it.
type checker struct {
	codegen.NoExtension
	check, private bool

	Sites     []*observer
	observers map[*ir.Instr]*observer
	Cells     cells
	fine      []atomic.Bool // by object: to be shadowed cell by cell
	atomics   []string      // operations of that kind
	hasty     bool          // of these some come to something else in another order
	leads     []int         // destinations of pointers; nil: not found out
	late      []func()      // lets programs for one thread know their observers

	telling func() bool             // results may tell the order in which threads come to atomics
	Probing func() *machine.Program // unobserved and open
}

// NewChecker makes the extension that programs with some options need.
func NewChecker(o machine.Options) *checker {
	return &checker{check: o.Check, private: o.Private, observers: map[*ir.Instr]*observer{}}
}

// CheckerOf is that of a program.
func CheckerOf(p *machine.Program) *checker { return p.State[sanitizeSlot].(*checker) }

// sanitizerOf is what observes a machine.
func sanitizerOf(m *machine.Machine) *Sanitizer { return m.State[sanitizeSlot].(*Sanitizer) }

// shadowOf is the shadow of memory, nil if it has none.
func shadowOf(mem *machine.Memory) *shadow {
	s, _ := mem.Shadow.(*shadow)
	return s
}

// unobserved is a program without its checks. An open one can have other values where Metal specifies none.
func unobserved(p *machine.Program, open bool) *machine.Program {
	return p.Again(func(o *machine.Options) { o.Check, o.Open = false, open })
}

// Source keeps what is found out of the program when it is first asked for.
func (p *checker) Source(of *machine.Program, k *ir.Kernel) *ir.Kernel {
	of.State[sanitizeSlot] = p
	p.telling = sync.OnceValue(func() bool { return tellsOrder(of.Source) })
	p.Probing = sync.OnceValue(func() *machine.Program { return unobserved(of, true) })
	return k
}

// Instrument puts an observeOp before the accesses that are observed.
func (p *checker) Instrument(_ *machine.Program, k *ir.Kernel) *ir.Kernel {
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
func (p *checker) Op(c *codegen.Compiler, in *ir.Instr) bool {
	if in.Op != machine.ObserveOp || !p.check && !p.private {
		return false
	}
	p.observe(c, in)
	return true
}

// Finish lets programs for one thread know their observers.
func (p *checker) Finish(*codegen.Compiler) {
	for _, know := range p.late {
		know()
	}
}

// After lets the checks see a barrier that is passed.
func (p *checker) After(c *codegen.Compiler, in *ir.Instr) {
	if p.check && in.Op == ir.Barrier {
		c.Do(func(m *machine.Machine) { sanitizerOf(m).pass(m, in) })
	}
}

// Single lets a program for one thread record its accesses.
func (p *checker) Single(s *codegen.ScalarCompiler) (codegen.SingleExtension, bool) {
	if !p.check && !p.private {
		return nil, true
	}
	return singleChecker{p: p, s: s}, true
}

// singleChecker records the accesses of a program for one thread.
type singleChecker struct {
	codegen.NoSingle
	p *checker
	s *codegen.ScalarCompiler
}

// Op compiles an observeOp. An access out of range is left to the access itself. The observer is compiled later than
// the program for one thread.
func (x singleChecker) Op(in *ir.Instr) bool {
	s := x.s
	if in.Op != machine.ObserveOp {
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
	base, o := s.Register(in.Mem.Base), (*observer)(nil)
	x.p.late = append(x.p.late, func() { o = x.p.observers[in] })
	s.Call(func(m *machine.Machine, r *machine.ScalarRegisters) {
		if mem := o.whole(m); mem != nil && o.known(m, shadowOf(mem)) {
			return
		}
		if mem, off, ok := at.Within(m, r[base], r[index]); ok {
			o.lane(m, mem, off, 0)
		}
	})
	return true
}
