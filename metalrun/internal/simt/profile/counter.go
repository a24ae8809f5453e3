package profile

import (
	"sync"

	"metalconform/metalrun/internal/ir/redundancy"
	"metalconform/metalrun/internal/simt/machine"
)

// Counted is how often a run of instructions was executed: by threads, and by simdgroups.
type Counted struct {
	Run                 Run
	Threads, Simdgroups int64
}

// Executed is how often an instruction is executed that a compiler leaves of a kernel: by threads, and by simdgroups.
type Executed struct {
	redundancy.Remaining
	Threads, Simdgroups int64
}

// Work is how often launches executed each run of a program with Options.Count. The runs are those of the lowered
// kernel, so counts depend only on the control flow of threads, not on the executor.
type Work struct {
	mu       sync.Mutex
	runs     []Counted
	loads    Loads
	profiler *Profiler
}

// Counts are the counts of all launches, in the order of the source; none if no launch was counted.
func (w *Work) Counts() []Counted { return w.runs }

// Executed are the instructions that a compiler leaves of the kernel, in the order of the source; none if no launch was
// counted.
func (w *Work) Executed() []Executed {
	if w.runs == nil {
		return nil
	}
	c, list := w.profiler.counting, make([]Executed, 0, len(w.profiler.remaining))
	for _, r := range w.profiler.remaining {
		e := Executed{Remaining: r}
		here, known := c.of[r.In]
		if known && !r.Speculated {
			e.Threads, e.Simdgroups = w.runs[here].Threads, w.runs[here].Simdgroups
		}
		if r.Before != nil {
			at, times := &w.runs[c.ahead[r.Before]], int64(r.Times)
			threads, simdgroups := times*at.Threads, times*at.Simdgroups
			if known && !r.Speculated {
				threads, simdgroups = min(threads, e.Threads), min(simdgroups, e.Simdgroups)
			}
			e.Threads, e.Simdgroups = threads, simdgroups
		}
		list = append(list, e)
	}
	return list
}

// Loads are the loads of the threadgroups of all launches.
func (w *Work) Loads() *Loads { return &w.loads }

// add adds the counts of a machine.
func (w *Work) add(t *counter) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.loads.join(&t.loads)
	w.profiler = t.of
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
	of                  *Profiler
	runs                []Run
	threads, simdgroups []int64
	loads               Loads
}

func newCounter(w *Work, of *Profiler) *counter {
	n := len(of.counting.runs)
	return &counter{work: w, of: of, runs: of.counting.runs, threads: make([]int64, n), simdgroups: make([]int64, n)}
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
