package suite

import (
	"context"
	"slices"
	"sync"
	"testing"
)

// While a large case waits for memory small ones go on, and small ones do not wait for each other's.
func TestDispatcher(t *testing.T) {
	sized := func(n int) Case {
		return Case{Kernel: &Kernel{Args: Args{{Name: "x", Type: F32, Extents: []Extent{Fixed(n)}, Role: RoleIn}}}}
	}
	const large, small = 100_000, 1
	cases := []Case{sized(large), sized(large), sized(small), sized(small), sized(small)}
	all := newRation(cases[0].room()*3/2, 2)
	var lock sync.Mutex
	var ends []int
	var waiting, ended sync.WaitGroup
	waiting.Add(3)
	ended.Add(len(cases))
	d := &dispatcher{slots: make(chan struct{}, 2), memory: all, rooms: &rooms{}, ended: func() bool { return false }}
	d.run = func(i int) {
		if i < 2 {
			waiting.Wait() // never ends if a small case has to wait for the second large one
		} else {
			waiting.Done()
		}
		lock.Lock()
		ends = append(ends, i)
		lock.Unlock()
		ended.Done()
	}
	d.begin(context.Background(), cases, func(i int) { t.Errorf("case %d is given up", i) })
	ended.Wait()
	if slices.Max(ends[:3]) != 4 || !slices.Contains(ends[:3], 2) || ends[3]+ends[4] != 1 {
		t.Errorf("cases end in the order %v, want the large ones last", ends)
	}
}

// Cases that have not begun are given up at the end of a run, those of both queues.
func TestDispatcherEnds(t *testing.T) {
	small := Case{Kernel: &Kernel{}}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	var group sync.WaitGroup
	group.Add(2)
	d := &dispatcher{slots: make(chan struct{}, 1), memory: newRation(0, 1), rooms: &rooms{},
		ended: func() bool { return ctx.Err() != nil },
		run:   func(i int) { t.Errorf("case %d begins", i) }}
	d.begin(ctx, []Case{small, {Kernel: small.Kernel, Pipeline: &Pipeline{}}}, func(int) { group.Done() })
	group.Wait()
}
