package types

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// A file with many entry points is checked by several checkers at once. Each reads all declarations, which takes
// little,
// and the body of an entry point is checked by the one that comes to it first. What comes of it is what one checker
// makes of the file: wherever one entry point may matter to another, as faults, functions whose address is taken and
// the budget do, they give up and one checker starts again.

// entriesPerChecker are as many entry points as are worth another reading of the declarations.
const entriesPerChecker = 32

// crew is what the checkers of one file share.
type crew struct {
	number  map[syntax.Decl]int // of the declarations of functions and instances, in order
	entries int                 // that there may be
	taken   atomic.Int64        // the last declaration that a checker has taken, as it or another has all before
	over    atomic.Bool         // one checker has to do it alone
	left    int64               // of the budget
	spent   atomic.Int64        // of it, by all checkers
}

// hand is a checker's part in a crew, if it is in one.
type hand struct {
	*crew
	at       int // the number of the last declaration
	spent    int64
	reported int64       // of it
	met      map[any]int // what warnings are given for once, with the number of the declaration that led to it
}

// reportedWork is as much work as a checker does before it tells the others.
const reportedWork = 1 << 12

// apart has one checker start again: what this one has come to is not for several.
func (h *hand) apart() {
	if h.crew != nil {
		h.over.Store(true)
		panic(exhausted{})
	}
}

// passes notes that a declaration is being checked.
func (h *hand) passes(d syntax.Decl) {
	if h.crew == nil {
		return
	}
	if n, ok := h.number[d]; ok {
		h.at = n
	}
}

// takes reports whether the checker is to look at the entry point that is declared here.
func (h *hand) takes() bool {
	if h.crew == nil {
		return true
	}
	for n := int64(h.at); ; {
		last := h.taken.Load()
		if n <= last {
			return false
		}
		if h.taken.CompareAndSwap(last, n) {
			return true
		}
	}
}

// works counts n steps of all checkers. It does not return if one of them has given up.
func (h *hand) works(n int) {
	if h.crew == nil {
		return
	}
	if h.spent += int64(n); h.spent-h.reported >= reportedWork {
		h.report()
	}
	if h.over.Load() {
		panic(exhausted{})
	}
}

// report tells the crew what a checker has spent.
func (h *hand) report() {
	if h.crew.spent.Add(h.spent-h.reported) > h.left {
		h.over.Store(true)
	}
	h.reported = h.spent
}

// meets reports whether the cause of a warning comes up for the first time.
func (h *hand) meets(cause any) bool {
	if _, again := h.met[cause]; again {
		return false
	}
	if h.met == nil {
		h.met = map[any]int{}
	}
	h.met[cause] = h.at
	return true
}

// newCrew is one for a file.
func newCrew(f *syntax.File, cfg Config) *crew {
	w := &crew{number: map[syntax.Decl]int{}, left: int64(cfg.Budget.Left())}
	w.enumerate(f.Decls)
	return w
}

// check is the first of n checkers, with what all of them have found in the file. It is nil if n is not several, or if
// one has to do it.
func (w *crew) check(f *syntax.File, cfg Config, n int) *checker {
	if n < 2 {
		return nil
	}
	all := make([]*checker, n)
	var running sync.WaitGroup
	for i := range all {
		running.Go(func() {
			defer func() {
				if recover() != nil { // who starts again comes to it too
					w.over.Store(true)
				}
			}()
			c := newChecker(cfg)
			c.hand.crew, all[i] = w, c
			c.untilExhausted(func() {
				c.decls(f.Decls)
				c.hand.at = len(w.number) + 1
				c.finish()
				c.hand.report()
			})
		})
	}
	running.Wait()
	if w.over.Load() || !all[0].join(all[1:]) {
		return nil
	}
	all[0].hand = hand{}
	all[0].unknownAttributes(f)
	return all[0]
}

// enumerate numbers the declarations.
func (w *crew) enumerate(list []syntax.Decl) {
	for _, d := range list {
		switch d := d.(type) {
		case *syntax.NamespaceDecl:
			w.enumerate(d.Decls)
		case *syntax.FuncDecl:
			w.number[d] = len(w.number) + 1
			if d.Body != nil && d.Template == nil && isKernel(d) {
				w.entries++
			}
		case *syntax.Instantiation:
			w.number[d] = len(w.number) + 1
			w.entries++
		}
	}
}

// join adds what the others have found to what c has. It fails if that is not what one checker finds.
func (c *checker) join(others []*checker) bool {
	for _, o := range others {
		for name, pos := range o.hosts {
			if _, again := c.hosts[name]; again {
				return false
			}
			c.hosts[name] = pos
		}
		if len(o.prog.FunctionConstants) != len(c.prog.FunctionConstants) ||
			len(o.prog.Constants) != len(c.prog.Constants) {
			return false
		}
		c.prog.Kernels = append(c.prog.Kernels, o.prog.Kernels...)
	}
	slices.SortStableFunc(c.prog.Kernels,
		func(a, b *hir.Func) int { return cmp.Compare(a.Kernel.Order, b.Kernel.Order) })
	c.joinWarnings(others)
	return len(c.warnings) < maxErrors
}

// joinWarnings keeps, of the warnings that have one cause, those of the checker that the first declaration led to it,
// and one of those that every checker gives.
func (c *checker) joinWarnings(others []*checker) {
	first := map[any]*checker{}
	all := append([]*checker{c}, others...)
	for _, o := range all {
		for cause, at := range o.hand.met {
			if f := first[cause]; f == nil || at < f.hand.met[cause] {
				first[cause] = o
			}
		}
	}
	var list []warning
	for _, o := range all {
		for _, w := range o.warnings {
			if w.cause == nil && o == c || w.cause != nil && first[w.cause] == o {
				list = append(list, w)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b warning) int { return cmp.Compare(a.at, b.at) })
	c.warnings = list
}
