package suite

import "sync"

// budget limits the memory of the cases judged at once.
type budget struct {
	mu   sync.Mutex
	cond *sync.Cond
	free int64
	size int64
}

func newBudget(size int64) *budget {
	b := &budget{free: size, size: size}
	b.cond = sync.NewCond(&b.mu)
	return b
}

// acquire waits until n bytes are free, or all of them for a case that takes
// more, and returns what it took.
func (b *budget) acquire(n int64) int64 {
	n = min(n, b.size)
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.free < n {
		b.cond.Wait()
	}
	b.free -= n
	return n
}

func (b *budget) release(n int64) {
	b.mu.Lock()
	b.free += n
	b.mu.Unlock()
	b.cond.Broadcast()
}

// What cases may take if nobody says so leaves room for garbage and for the results of cases that are judged, some 400 MB
// after a full sweep. More cores have more cases under way, and machines that have them more memory.
const (
	leastMemory = 5 << 28
	coreMemory  = 3 << 26
)

// ration is the memory that the cases judged at once may take. A small case is one of which an eighth of it holds as many as are
// under way, so that small ones never wait for large ones.
type ration struct {
	large, small *budget
	smallest     int64 // bytes of a large case
}

const smallShare = 8

func newRation(size int64, parallel int) ration {
	if size <= 0 {
		size = max(leastMemory, coreMemory*int64(parallel))
	}
	small := size / smallShare
	return ration{large: newBudget(size - small), small: newBudget(small), smallest: small / int64(parallel)}
}

// of is what n bytes are taken from.
func (r ration) of(n int64) *budget {
	if n > r.smallest {
		return r.large
	}
	return r.small
}
