package metalrun

import (
	"sync"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/ir/lower"
)

// A file with thousands of entry points is checked some at a time, so that only few bodies are in memory. What
// [Program.Names] has to know of the bodies is found out then. Who needs a body later has its entry point checked
// again.

// consumer looks at the entry points that pass by.
type consumer struct {
	mu    sync.Mutex
	order int   // of the entry point with fault
	fault error // the first reason, in the order of the file, why one cannot be lowered
}

// consume looks at each function of the entry points once.
func (c *consumer) consume(kernels []*hir.Func) {
	checker := lower.NewChecker()
	for _, k := range kernels {
		err := checker.Check(k)
		if err == nil {
			continue
		}
		c.mu.Lock()
		if c.fault == nil || k.Kernel.Order < c.order {
			c.fault, c.order = err, k.Kernel.Order
		}
		c.mu.Unlock()
	}
}

// bodies finds the bodies of entry points that have been dropped.
type bodies struct {
	program *Program
	fault   error // why an entry point cannot be lowered

	mu     sync.Mutex           // held by who reads or sets the following
	recent map[string]*hir.Func // those checked last
	asked  map[int]bool         // the groups of which one has been asked for
}

// groupSize is the number of entry points that are checked together once two of them have been asked for: somebody
// goes through all of them.
const groupSize = 64

// of is an entry point with its body.
func (b *bodies) of(f *hir.Func) (*hir.Func, error) {
	if b == nil {
		return f, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if k := b.recent[f.Name]; k != nil {
		return k, nil
	}
	p := b.program
	names := []string{f.Name}
	for i, e := range p.entries {
		if e.Func != f {
			continue
		}
		group := i / groupSize
		if b.asked[group] {
			names = nil
			for _, e := range p.entries[group*groupSize : min((group+1)*groupSize, len(p.entries))] {
				names = append(names, e.Name)
			}
		}
		b.asked[group] = true
	}
	typed, refused := p.tree.check(p.source, p.options.For(names...), nil)
	if refused != nil {
		return nil, refused
	}
	b.recent = map[string]*hir.Func{}
	for _, k := range typed.Kernels {
		b.recent[k.Name] = k
	}
	return b.recent[f.Name], nil
}
