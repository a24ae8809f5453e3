package simt

import (
	"sync"

	"metalconform/metalrun/internal/ir"
)

// Counted is how often a run of instructions was taken: by threads, and by simdgroups,
// whose threads take it together.
type Counted struct {
	Run                 ir.Run
	Threads, Simdgroups int64
}

// Work is how often launches took each run of a program with Options.Count. The runs are
// those of the kernel as it was lowered, whatever the executor makes of them, so that
// counts depend on nothing but the way that threads go.
type Work struct {
	mu   sync.Mutex
	runs []Counted
}

// Counts are those of all launches, in the order of the source; none if no launch was
// counted.
func (w *Work) Counts() []Counted { return w.runs }

// add takes in what machines have counted and seen.
func (l *Launch) add(machines ...*machine) {
	l.Work.add(machines...)
	for _, m := range machines {
		m.watch.finish()
	}
}

// add takes in what machines of one source have counted. A nil w takes nothing.
func (w *Work) add(machines ...*machine) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, m := range machines {
		if w.runs == nil {
			w.runs = make([]Counted, len(m.p.runs))
		}
		for i, run := range m.p.runs {
			c := &w.runs[i]
			c.Run, c.Threads, c.Simdgroups = run, c.Threads+m.tally.threads[i], c.Simdgroups+m.tally.simdgroups[i]
		}
	}
}

// tally is what a machine has counted, by the number of the run. A nil one counts nothing.
type tally struct{ threads, simdgroups []int64 }

func newTally(p *Program) *tally {
	return &tally{make([]int64, len(p.runs)), make([]int64, len(p.runs))}
}

// tally compiles a Tally.
func (c *compiler) tally(in *ir.Instr) {
	run := in.Number
	c.do(func(m *machine) {
		if m.watch == nil && m.tally == nil {
			return
		}
		var room [MaxThreads / Simdgroup]int
		active := m.activity(room[:0])
		if m.watch != nil {
			m.watch.issue(m, run, active)
		}
		if m.tally == nil {
			return
		}
		for _, n := range active {
			if n > 0 {
				m.tally.threads[run] += int64(n)
				m.tally.simdgroups[run]++
			}
		}
	})
}

// active is the number of active threads.
func (m *machine) active() int {
	if m.whole {
		return m.n
	}
	return m.activeIn(0, m.n)
}

// activity appends the number of active threads of each simdgroup.
func (m *machine) activity(list []int) []int {
	for lo := 0; lo < m.n; lo += Simdgroup {
		hi := min(lo+Simdgroup, m.n)
		n := hi - lo
		if !m.whole {
			n = m.activeIn(lo, hi)
		}
		list = append(list, n)
	}
	return list
}
