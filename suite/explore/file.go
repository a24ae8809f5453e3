package explore

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"metalconform/internal/budget"
	"metalconform/internal/crash"
	"metalconform/metalrun"
	"metalconform/suite/adhoc"
)

// Sink takes what the launches of a file show, in the order of the source.
type Sink interface {
	// Launched takes a launch, before what it shows. It is called only if [Options.Launches] says so.
	Launched(kernel metalrun.KernelInfo, how Provenance) error
	Found(Finding) error
}

// Summary is what was done with a file.
type Summary struct {
	Launches int
	Cases    int     // of the catalogue, that were among these launches
	Crashed  []error // kernels that this program failed to launch
}

// File launches the kernels of one file.
func (e *Explorer) File(ctx context.Context, u Unit, sink Sink) (Summary, error) {
	t := fileRun{
		Explorer: e, Unit: u, file: u.Program.Source().Name, sink: sink,
		stores: make(chan *adhoc.Store, min(mostAtOnce, runtime.GOMAXPROCS(0))),
		done:   make([]*exploration, len(u.Kernels)), waiting: map[int]*exploration{}, turns: map[string]int{},
		cured: map[findingKey][]string{}, families: map[metalrun.Position]*family{},
		budget: e.Budget, raise: "-launch-budget",
	}
	if e.Budget == UsualBudget {
		t.budget += kernelWork * int64(len(u.Kernels))
	}
	if left := e.Run.Left(budget.Launches); left < t.budget {
		t.budget, t.raise = left, "-budget launches=N"
	}
	for range cap(t.stores) {
		t.stores <- &adhoc.Store{}
	}
	rest := make([]int, len(u.Kernels))
	for i := range rest {
		rest[i] = i
	}
	var err error
	for len(rest) > 0 && t.work < t.budget && err == nil {
		var some, again []int
		some, rest = t.batch(rest)
		before := t.work
		again, err = t.launch(ctx, some)
		_ = e.Run.Take(budget.Launches, t.work-before) // the next file has what is left
		if err == nil {
			rest = slices.Concat(again, rest)
			slices.Sort(rest)
			err = t.flush(rest)
		}
	}
	if flushed := t.flush(nil); flushed != nil {
		return t.summary, flushed
	}
	if err == nil && len(rest) > 0 {
		err = sink.Found(Finding{Source: t.file, Finding: t.unaffordable(u.Kernels[rest[0]], len(rest))})
	}
	return t.summary, err
}

// fileRun launches the kernels of a file.
type fileRun struct {
	*Explorer
	Unit
	file     string
	sink     Sink
	stores   chan *adhoc.Store       // one for each kernel that is launched at once
	done     []*exploration          // by kernel, until they are reported
	waiting  map[int]*exploration    // by kernel, of those that are to be launched in every way
	turns    map[string]int          // how many were, by what they had shown before
	reported int                     // kernels
	cured    map[findingKey][]string // what to state so that a finding is none; nil: nothing helps
	families map[metalrun.Position]*family
	work     int64  // of the launches so far
	budget   int64  // that they may take
	raise    string // the flag that raises it
	summary  Summary
}

// Kernels are launched side by side in batches, whose length no machine decides: what is learnt of a place is known
// to those of later batches.
const (
	batchSize  = 16
	batchAhead = 1 << 10 // kernels that a batch is chosen from
	mostAtOnce = 4       // since each takes the memory of a launch
)

// batch chooses those of the kernels that are left which are launched next: one of each place of which not enough is
// known to launch others alike, and one of those that have shown the same which others of their place have not.
func (t *fileRun) batch(rest []int) (some, left []int) {
	var later []int
	open, n := map[string]bool{}, 0
	for ; n < min(len(rest), batchAhead) && len(some) < batchSize; n++ {
		info := t.Kernels[rest[n]]
		at, key, alone := t.family(info), info.Declared.String(), false
		if q := t.waiting[rest[n]]; q != nil {
			key += fmt.Sprint(q.unlike)
			alone = !slices.ContainsFunc(q.unlike, at.known) && t.turns[key] < AlikeLaunched
		} else {
			alone = len(at.sizes()) == 0
		}
		if open[key] {
			later = append(later, rest[n])
			continue
		}
		if open[key] = alone; alone {
			t.turns[key]++
		}
		some = append(some, rest[n])
	}
	left = rest[n-len(later):]
	copy(left, later)
	return some, left
}

// launch launches the kernels of a batch, and takes over what they show in the order of the source. Those that others
// of their place are not like have to be launched again, in every way.
func (t *fileRun) launch(ctx context.Context, some []int) (again []int, err error) {
	var all sync.WaitGroup
	failures, ended := make([]error, len(some)), make([]atomic.Bool, len(some))
	begun := 0
	for n, i := range some {
		store := <-t.stores
		if t.workOf(some, ended) >= t.budget { // those before it took everything
			t.stores <- store
			break
		}
		begun++
		info := t.Kernels[i]
		q := &exploration{Explorer: t.Explorer, file: t.file, at: *t.family(info), known: t.cured,
			effort: effort{budget: t.budget, raise: t.raise, trials: max(t.budget/trialsPart, 1)},
			cured:  map[findingKey][]string{}, tried: map[choiceKey]bool{}}
		if before := t.waiting[i]; before != nil {
			q.full, q.reported, q.launches = true, before.reported, before.launches
			delete(t.waiting, i)
		}
		t.done[i] = q
		q.store = store
		all.Go(func() {
			defer func() { t.stores <- q.store }()
			defer ended[n].Store(true)
			defer crash.Catch(&failures[n])
			failures[n] = q.explore(ctx, t.Unit, info)
		})
	}
	all.Wait()
	for n, i := range some {
		if n == begun || t.work >= t.budget { // which others than these were under way depends on the machine
			for _, i := range some[n:] {
				t.done[i] = nil
			}
			again = append(again, some[n:]...)
			some = some[:n]
			break
		}
		q := t.done[i]
		for at, stated := range q.cured {
			if _, asked := t.cured[at]; !asked {
				t.cured[at] = stated
			}
		}
		t.family(t.Kernels[i]).take(q)
		t.work += q.work + q.hung
	}
	for n, i := range some {
		var internal *crash.Crash
		switch err := failures[n]; {
		case errors.As(err, &internal):
			t.summary.Crashed = append(t.summary.Crashed, fmt.Errorf("%s: %s: %w", t.file, t.Kernels[i].Name, err))
		case err != nil:
			return nil, err
		case t.done[i].unlike != nil:
			t.waiting[i], t.done[i] = t.done[i], nil
			again = append(again, i)
		}
	}
	return again, nil
}

// workOf is the work of the file with that of the first kernels of a batch, up to one that has not ended.
func (t *fileRun) workOf(some []int, ended []atomic.Bool) int64 {
	work := t.work
	for n, i := range some {
		if !ended[n].Load() {
			break
		}
		work += t.done[i].work + t.done[i].hung
	}
	return work
}

// flush reports what is known of the kernels up to the first of those that are left, or of all.
func (t *fileRun) flush(left []int) error {
	end := len(t.done)
	if len(left) > 0 {
		end = left[0]
	}
	for ; t.reported < end; t.reported++ {
		q := t.done[t.reported]
		if q == nil { // not launched
			continue
		}
		info := t.Kernels[t.reported]
		t.done[t.reported] = nil
		t.summary.Launches, t.summary.Cases = t.summary.Launches+q.launches, t.summary.Cases+q.cases
		for _, x := range q.reported {
			if x.launch != nil {
				if err := t.sink.Launched(info, *x.launch); err != nil {
					return err
				}
			}
			for _, f := range x.list {
				if err := t.sink.Found(f); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// family is that of a kernel.
func (t *fileRun) family(info metalrun.KernelInfo) *family {
	if t.families[info.Declared] == nil {
		t.families[info.Declared] = &family{}
	}
	return t.families[info.Declared]
}
