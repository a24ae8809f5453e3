package profile

import (
	"sync"

	"metalconform/metalrun/internal/simt/machine"
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

// add takes in what a machine has counted.
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

// counter is what a machine has counted, by the number of the run.
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

// Blocks counts runs that the active threads take so many times.
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
