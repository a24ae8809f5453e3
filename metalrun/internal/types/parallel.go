package types

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// Several checkers check a file with many entry points at once. Each reads all declarations, which costs little. The
// body of an entry point is checked by the checker that claims it first. The result is the result of one checker: where
// one entry point may affect another, all give up and one checker starts again. Errors, functions whose address is
// taken and the budget are such cases.

// entriesPerChecker is the number of entry points for which another checker pays off.
const entriesPerChecker = 32

// workQueue is what the checkers of one file share.
type workQueue struct {
	number    map[syntax.Decl]int // the order of the declarations of functions and instances
	entries   []int               // the numbers of what may be entry points
	claimed   atomic.Int64        // the number of the last declaration that a checker claimed
	abandoned atomic.Bool         // the checkers gave up: one has to check the whole file
	left      int64               // the rest of the budget
	spent     atomic.Int64        // what all checkers have spent of it
}

// worker is what one checker knows of the work queue. The queue is nil if it is the only checker.
type worker struct {
	*workQueue
	at       int   // the number of the current declaration
	spent    int64 // the steps of this checker
	reported int64 // the part of spent that the queue knows of
	batched  bool  // the checker takes the entry points with numbers from begin up to end
	begin    int
	end      int
	// firstAt has the causes of warnings that are given once, with the declaration that led to each.
	firstAt map[any]int
}

// reportEvery is the number of steps between two reports to the queue.
const reportEvery = 1 << 12

// giveUp ends the work of all checkers, so that one of them starts again. A single checker goes on.
func (w *worker) giveUp() {
	if w.workQueue != nil {
		w.abandoned.Store(true)
		panic(exhausted{})
	}
}

// enter sets the current declaration.
func (w *worker) enter(d syntax.Decl) {
	if w.workQueue == nil {
		return
	}
	if n, ok := w.number[d]; ok {
		w.at = n
	}
}

// claim reports whether this checker is the one that checks the current entry point.
func (w *worker) claim() bool {
	if w.workQueue == nil {
		return true
	}
	if w.batched {
		return w.begin <= w.at && w.at < w.end
	}
	for n := int64(w.at); ; {
		last := w.claimed.Load()
		if n <= last {
			return false
		}
		if w.claimed.CompareAndSwap(last, n) {
			return true
		}
	}
}

// charge counts n steps. It does not return if the checkers have given up.
func (w *worker) charge(n int) {
	if w.workQueue == nil {
		return
	}
	if w.spent += int64(n); w.spent-w.reported >= reportEvery {
		w.report()
	}
	if w.abandoned.Load() {
		panic(exhausted{})
	}
}

// report tells the queue what the checker has spent.
func (w *worker) report() {
	if w.workQueue.spent.Add(w.spent-w.reported) > w.left {
		w.abandoned.Store(true)
	}
	w.reported = w.spent
}

// first reports whether the cause of a warning comes up for the first time.
func (w *worker) first(cause any) bool {
	if _, again := w.firstAt[cause]; again {
		return false
	}
	if w.firstAt == nil {
		w.firstAt = map[any]int{}
	}
	w.firstAt[cause] = w.at
	return true
}

// newWorkQueue is the work queue for a file.
func newWorkQueue(f *syntax.File, cfg Config) *workQueue {
	w := &workQueue{number: map[syntax.Decl]int{}, left: int64(cfg.Budget.Left())}
	w.enumerate(f.Decls)
	return w
}

// check has n checkers check the file and returns the first, with the findings of all. It is nil if n is less than two
// or if the checkers gave up.
func (w *workQueue) check(f *syntax.File, cfg Config, n int) *checker {
	if n < 2 {
		return nil
	}
	all := make([]*checker, n)
	var running sync.WaitGroup
	for i := range all {
		running.Go(func() {
			defer func() {
				if recover() != nil { // the checker that starts again panics too
					w.abandoned.Store(true)
				}
			}()
			c := newChecker(cfg)
			c.worker.workQueue, all[i] = w, c
			c.checkClaimed(f)
		})
	}
	running.Wait()
	return w.joined(f, all)
}

// batchSize is the number of entry points whose bodies are in memory together where the file has more than fewBatches
// times as many: some 30 MB of large kernels.
const (
	batchSize  = 192
	fewBatches = 3
)

// inBatches has the entry points of a file checked and consumed batch by batch, each by a checker of its own. It
// returns one with the findings of all, or nil if the checkers gave up.
func (w *workQueue) inBatches(f *syntax.File, cfg Config) *checker {
	all := make([]*checker, (len(w.entries)+batchSize-1)/batchSize)
	var next atomic.Int64
	var running sync.WaitGroup
	for range max(1, min(cfg.Checkers, len(all))) {
		running.Go(func() {
			defer func() {
				if recover() != nil {
					w.abandoned.Store(true)
				}
			}()
			for i := int(next.Add(1)) - 1; i < len(all) && !w.abandoned.Load(); i = int(next.Add(1)) - 1 {
				all[i] = w.batch(f, cfg, i)
			}
		})
	}
	running.Wait()
	c := w.joined(f, all)
	if c != nil {
		c.prog.Consumed = true
	}
	return c
}

// batch checks and consumes batch i. Of its checker the findings are left.
func (w *workQueue) batch(f *syntax.File, cfg Config, i int) *checker {
	c := newChecker(cfg)
	c.worker = worker{workQueue: w, batched: true, begin: w.entries[i*batchSize], end: len(w.number) + 1}
	if after := (i + 1) * batchSize; after < len(w.entries) {
		c.worker.end = w.entries[after]
	}
	c.checkClaimed(f)
	if w.abandoned.Load() {
		return nil
	}
	cfg.Consume(c.prog.Kernels)
	for _, k := range c.prog.Kernels {
		k.Body = nil
	}
	left := newChecker(cfg)
	left.diagnostics, left.prog, left.hosts, left.worker = c.diagnostics, c.prog, c.hosts, c.worker
	return left
}

// checkClaimed reads all declarations and checks the entry points that the checker claims.
func (c *checker) checkClaimed(f *syntax.File) {
	c.untilExhausted(func() {
		c.decls(f.Decls)
		c.worker.at = len(c.worker.number) + 1
		c.finish()
		c.worker.report()
	})
}

// joined is a checker with the findings of all, nil if they gave up.
func (w *workQueue) joined(f *syntax.File, all []*checker) *checker {
	if w.abandoned.Load() || !all[0].join(all[1:]) {
		return nil
	}
	all[0].worker = worker{}
	all[0].unknownAttributes(f)
	return all[0]
}

// enumerate numbers the declarations.
func (w *workQueue) enumerate(list []syntax.Decl) {
	for _, d := range list {
		switch d := d.(type) {
		case *syntax.NamespaceDecl:
			w.enumerate(d.Decls)
		case *syntax.FuncDecl:
			w.number[d] = len(w.number) + 1
			if d.Body != nil && d.Template == nil && isKernel(d) {
				w.entries = append(w.entries, w.number[d])
			}
		case *syntax.Instantiation:
			w.number[d] = len(w.number) + 1
			w.entries = append(w.entries, w.number[d])
		}
	}
}

// join adds the findings of the others to those of c. It fails if one checker would find something else.
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

// joinWarnings keeps the warnings that one checker would give: for each cause, those of the checker that met it at the
// earliest declaration, and once those that every checker gives.
func (c *checker) joinWarnings(others []*checker) {
	first := map[any]*checker{}
	all := append([]*checker{c}, others...)
	for _, o := range all {
		for cause, at := range o.worker.firstAt {
			if f := first[cause]; f == nil || at < f.worker.firstAt[cause] {
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
