package profile

import (
	"sync"

	"metalconform/metalrun/internal/simt/machine"
)

// Counted is how often a run of instructions was executed: by threads, and by simdgroups.
type Counted struct {
	Run                 Run
	Threads, Simdgroups int64
}

// Work is how often launches executed each run of a program with Options.Count. The runs are those of the lowered
// kernel, so counts depend only on the control flow of threads, not on the executor.
type Work struct {
	mu    sync.Mutex
	runs  []Counted
	loads Loads
}

// Counts are the counts of all launches, in the order of the source; none if no launch was counted.
func (w *Work) Counts() []Counted { return w.runs }

// Loads are the loads of the threadgroups of all launches.
func (w *Work) Loads() *Loads { return &w.loads }

// add adds the counts of a machine.
func (w *Work) add(t *counter) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.loads.join(&t.loads)
	if w.runs == nil {
		w.runs = make([]Counted, len(t.runs))
	}
	for i, run := range t.runs {
		c := &w.runs[i]
		c.Run, c.Threads, c.Simdgroups = run, c.Threads+t.threads[i], c.Simdgroups+t.simdgroups[i]
	}
}

// counter has the counts of a machine, by the number of the run.
type counter struct {
	machine.NoObserver
	work                *Work
	runs                []Run
	threads, simdgroups []int64
	loads               Loads
}

func newCounter(w *Work, runs []Run) *counter {
	return &counter{work: w, runs: runs, threads: make([]int64, len(runs)), simdgroups: make([]int64, len(runs))}
}

// End ends a threadgroup.
func (t *counter) End(*machine.Machine) {
	all := int64(0)
	for i, n := range t.simdgroups {
		all += n * int64(len(t.runs[i]))
	}
	t.loads.add(all - t.loads.All)
}

// Finish hands over what was counted.
func (t *counter) Finish(*machine.Machine) { t.work.add(t) }

// Blocks counts runs that the active threads execute.
func (t *counter) Blocks(m *machine.Machine, runs []int, times int) {
	threads, simdgroups := 0, 0
	for _, n := range m.Activity() {
		threads += n
		if n > 0 {
			simdgroups++
		}
	}
	for _, run := range runs {
		t.threads[run] += int64(threads) * int64(times)
		t.simdgroups[run] += int64(simdgroups) * int64(times)
	}
}
