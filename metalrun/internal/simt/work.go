package simt

import (
	"sync"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
)

// Counted is how often a run of instructions was taken: by threads, and by simdgroups,
// whose threads take it together.
type Counted struct {
	Run                 Run
	Threads, Simdgroups int64
}

// Work is how often launches took each run of a program with Options.Count. The runs are
// those of the kernel as it was lowered, whatever the executor makes of them, so that
// counts depend on nothing but the way that threads go.
type Work struct {
	mu    sync.Mutex
	runs  []Counted
	loads Loads
}

// Counts are those of all launches, in the order of the source; none if no launch was
// counted.
func (w *Work) Counts() []Counted { return w.runs }

// Loads are those of the threadgroups of all launches.
func (w *Work) Loads() *Loads { return &w.loads }

// add takes in what machines have counted, executed and seen.
func (l *Launch) add(machines ...*machine) {
	l.Work.add(machines...)
	for _, m := range machines {
		m.reportExecuted()
		m.watch.finish(m.p)
		m.watch = nil
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
		if m.tally == nil {
			continue
		}
		w.loads.join(&m.tally.loads)
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
type tally struct {
	threads, simdgroups []int64
	loads               Loads
}

func newTally(p *Program) *tally {
	return &tally{threads: make([]int64, len(p.runs)), simdgroups: make([]int64, len(p.runs))}
}

// end ends a threadgroup.
func (t *tally) end(p *Program) {
	if t == nil {
		return
	}
	all := int64(0)
	for i, n := range t.simdgroups {
		all += n * int64(len(p.runs[i]))
	}
	t.loads.add(all - t.loads.All)
}

// tally compiles a counterOp.
func (c *compiler) tally(in *ir.Instr) {
	runs := []int{numberOf(in)}
	c.do(func(m *machine) { m.take(runs, 1) })
}

// take counts runs that the active threads take so many times.
func (m *machine) take(runs []int, times int) {
	if m.watch == nil && m.tally == nil || len(runs) == 0 || times == 0 {
		return
	}
	active := m.activity()
	for _, run := range runs {
		if m.watch.looking() {
			m.watch.issue(run, active, int64(times))
		}
	}
	if m.tally == nil {
		return
	}
	threads, simdgroups := 0, 0
	for _, n := range active {
		threads += n
		if n > 0 {
			simdgroups++
		}
	}
	for _, run := range runs {
		m.tally.threads[run] += int64(threads) * int64(times)
		m.tally.simdgroups[run] += int64(simdgroups) * int64(times)
	}
}

// turns are the runs that all threads take in a turn of a loop, by the part that they are in. The
// loop counts them, so that what is left of a part is the source's alone.
type turns struct{ head, body, post []int }

// turns takes the runs out of the parts of a loop that are straight. Of a body that no
// thread leaves early they are all that are not behind a condition. Where accesses are looked at they
// stay: barriers and accesses come between.
func (c *compiler) turns(n *ir.Loop) (t turns, head, body, post []ir.Node) {
	head, body, post = n.Head, n.Body, n.Post
	if analysis.Straight(head) {
		t.head, head = tallies(head)
	}
	if !analysis.HasExit(body) && !(c.p.options.watched && looked(body)) {
		t.body, body = tallies(body)
	}
	if analysis.Straight(post) {
		t.post, post = tallies(post)
	}
	return t, head, body, post
}

// looked reports whether what is between tallies matters to who looks at accesses.
func looked(body []ir.Node) bool {
	return ir.Contains(body, func(n ir.Node) bool {
		in, ok := n.(*ir.Instr)
		return ok && (in.Op == observeOp || in.Op == ir.Barrier)
	})
}

// tallies takes those out of a list of nodes.
func tallies(nodes []ir.Node) (runs []int, others []ir.Node) {
	for _, n := range nodes {
		if in, ok := n.(*ir.Instr); ok && in.Op == counterOp {
			runs = append(runs, numberOf(in))
		} else {
			others = append(others, n)
		}
	}
	return runs, others
}

// active is the number of active threads.
func (m *machine) active() int {
	if m.whole {
		return m.n
	}
	return m.activeIn(0, m.n)
}

// activity is the number of active threads of each simdgroup.
func (m *machine) activity() []int {
	if known := &m.activities; known.n != m.n {
		known.n = m.n
		for lo := 0; lo < m.n; lo += Simdgroup {
			hi := min(lo+Simdgroup, m.n)
			n := hi - lo
			if !m.whole {
				n = m.activeIn(lo, hi)
			}
			known.threads[lo/Simdgroup] = n
		}
	}
	return m.activities.threads[:m.heads()]
}

// activity is how many threads are active, as the mask has them.
type activity struct {
	n       int // lanes of the machine; 0 if the mask has changed
	threads [MaxThreads / Simdgroup]int
}
