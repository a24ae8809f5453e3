package suite

import "sync"

// budget limits the memory of the cases judged at once.
type budget struct {
	mu   sync.Mutex
	cond *sync.Cond
	free int64
	size int64
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

func newBudget(size int64, cores int) *budget {
	if size <= 0 {
		size = max(leastMemory, coreMemory*int64(cores))
	}
	b := &budget{free: size, size: size}
	b.cond = sync.NewCond(&b.mu)
	return b
}
