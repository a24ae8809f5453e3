package suite

import (
	"context"
	"fmt"
	"metalconform/metalrun"
	"sync"
)

// dispatcher begins cases, so many at a time and as many as there is memory for.
type dispatcher struct {
	slots  chan struct{} // of cases under way
	memory ration
	rooms  *rooms
	run    func(i int) // and deliver what comes of it
	ended  func() bool // whether no further case is to begin
}

// begin begins all cases until ctx is done, and gives up the rest. Large ones, which take longest, have a queue of
// their own: they begin at once, beside the small ones, and while one waits for memory small ones go on.
func (d *dispatcher) begin(ctx context.Context, cases []Case, giveUp func(i int)) {
	var large, small []int
	for _, i := range spread(cases) {
		if d.large(cases[i]) {
			large = append(large, i)
		} else {
			small = append(small, i)
		}
	}
	for _, queue := range [][]int{large, small} {
		go func() {
			for n, i := range queue {
				if !d.next(ctx, cases[i], i) {
					for _, i := range queue[n:] {
						giveUp(i)
					}
					return
				}
			}
		}()
	}
}

// large says whether a case may take much memory. What one of a pipeline takes is known by those that were judged
// before.
func (d *dispatcher) large(c Case) bool {
	const most = 8 // times as much as its declared buffers come to
	n := c.room()
	if c.Pipeline != nil {
		n *= most
	}
	return d.memory.of(n) == d.memory.large
}

// next begins case i once there is memory and a slot, unless ctx is done by then.
func (d *dispatcher) next(ctx context.Context, c Case, i int) bool {
	size := d.rooms.of(c)
	from := d.memory.of(size)
	size = from.acquire(size)
	select {
	case d.slots <- struct{}{}:
	case <-ctx.Done():
	}
	if d.ended() {
		from.release(size)
		return false
	}
	go func() {
		d.run(i)
		from.release(size)
		<-d.slots
	}()
	return true
}

// spread is the order in which cases begin. Those of pipelines, which take longest and come last, are spread over the
// others, so that the end of a run does not wait for one of them.
func spread(cases []Case) []int {
	var kernels, pipelines, order []int
	for i, c := range cases {
		if c.Pipeline != nil {
			pipelines = append(pipelines, i)
		} else {
			kernels = append(kernels, i)
		}
	}
	for n, i := range kernels {
		order = append(order, i)
		// all of them when a tenth of the others is left
		due := min((n+1)*len(pipelines)*10/(len(kernels)*9), len(pipelines))
		for len(order)-n-1 < due {
			order = append(order, pipelines[len(order)-n-1])
		}
	}
	return append(order, pipelines[len(order)-len(kernels):]...)
}

// memoryPool limits the memory of the cases judged at once.
type memoryPool struct {
	mu   sync.Mutex
	cond *sync.Cond
	free int64
	size int64
}

func newMemoryPool(size int64) *memoryPool {
	b := &memoryPool{free: size, size: size}
	b.cond = sync.NewCond(&b.mu)
	return b
}

// acquire waits until n bytes are free, or all of them for a case that takes
// more, and returns what it took.
func (b *memoryPool) acquire(n int64) int64 {
	n = min(n, b.size)
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.free < n {
		b.cond.Wait()
	}
	b.free -= n
	return n
}

func (b *memoryPool) release(n int64) {
	b.mu.Lock()
	b.free += n
	b.mu.Unlock()
	b.cond.Broadcast()
}

// What cases may take if nobody says so leaves room for garbage and for the results of cases that are judged, some 400
// MB after a full sweep. More cores have more cases under way, and machines that have them more memory.
const (
	leastMemory = 5 << 28
	coreMemory  = 3 << 26
)

// ration is the memory that the cases judged at once may take. A small case is one of which an eighth of it holds as
// many as are under way, so that small ones never wait for large ones.
type ration struct {
	large, small *memoryPool
	smallest     int64 // bytes of a large case
}

const smallShare = 8

func newRation(size int64, parallel int) ration {
	if size <= 0 {
		size = max(leastMemory, coreMemory*int64(parallel))
	}
	small := size / smallShare
	return ration{large: newMemoryPool(size - small), small: newMemoryPool(small), smallest: small / int64(parallel)}
}

// of is what n bytes are taken from.
func (r ration) of(n int64) *memoryPool {
	if n > r.smallest {
		return r.large
	}
	return r.small
}

// rooms are what cases of pipelines have turned out to take, for those that begin later: what stages make of the
// buffers of a pipeline is declared nowhere. Sweeps go from small to large.
type rooms struct {
	mu    sync.Mutex
	times map[*Pipeline]float64 // as often as [Case.room] has it, at most
}

// of is about the most bytes that judging a case takes at a time.
func (r *rooms) of(c Case) int64 {
	n := c.room()
	if c.Pipeline == nil {
		return n
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return int64(float64(n) * max(1, r.times[c.Pipeline]))
}

// smallRoom is what a case has to take before it says how many times as much others do: what small ones hold depends
// on their sizes little, and one of no size would make every other wait for all of the memory.
const smallRoom = 1 << 20

// note takes in how many bytes a case of a pipeline has held; nobody asks a nil one.
func (r *rooms) note(c Case, held int64) {
	if r == nil {
		return
	}
	times := float64(held) / float64(max(c.room(), smallRoom))
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.times == nil {
		r.times = map[*Pipeline]float64{}
	}
	r.times[c.Pipeline] = max(r.times[c.Pipeline], times)
}

// size is how many bytes the answers have.
func (a Answers) size() (n int64) {
	for _, x := range a {
		numbers := len(x.Want) + len(x.Sigma) + len(x.Systematic) + len(x.Scale)
		for _, t := range x.Budget {
			numbers += len(t.Error)
		}
		n += int64(8 * numbers)
	}
	return n
}

// size is how many bytes a problem's numbers have.
func (p *Problem) size() (n int64) {
	for _, x := range p.values {
		n += int64(8 * len(x))
	}
	for _, x := range p.words {
		n += int64(4 * len(x))
	}
	return n
}

// room is about the most bytes that judging a case takes at a time, 0 if a function of its specification cannot
// say: to judge it will tell why. A refused shape has no buffers, nor need their sizes make sense.
func (c Case) room() (n int64) {
	defer func() {
		if recover() != nil {
			n = 0
		}
	}()
	if c.Input.Name == refused {
		return 0
	}
	var r room
	for _, a := range c.Kernel.Args {
		if a.Buffer() {
			r.add(a, int64(a.Count(c.Shape)))
		}
	}
	n = max(r.filling, r.held+r.asked+r.answered, r.held+r.answered+r.launched)
	if c.Pipeline != nil {
		n = 3*n + r.known // what its stages make, and the buffers of one stage
	}
	return n
}

// room is what buffers take, in bytes, while a case goes on.
type room struct {
	held     int64 // from first to last: contents, and a copy of what must not change
	filling  int64 // at most while they are filled, with the numbers of one
	asked    int64 // the oracle's numbers, and those once more in an order of its own
	answered int64 // its answers: values, two terms of a budget, moments and scales
	launched int64 // contents before and after, what checks know of each word, and an error for each element
	known    int64 // what a pipeline knows of each element
}

// add takes in the buffer of an argument of n elements.
func (r *room) add(a Arg, n int64) {
	const number = 8
	data := n * int64(a.Type.Bytes())
	r.held += data
	r.known += n * (number + 1)
	if a.Role == RoleIn {
		r.held += data
	}
	if a.Role != RoleOut {
		r.filling = max(r.filling, r.held+n*number)
		if _, float := a.Type.Format(); float || a.Type.Bytes() > 4 {
			r.asked += 2 * n * number
		} else {
			r.asked += n * 4
		}
	}
	if a.Writable() {
		r.answered += n * 6 * number
		r.launched += 2*data + 4*data + 4*n
	}
}

// hangs are the cases whose launches did not end by themselves. A kernel that has such a case is
// not launched for those after it: each would take as long as a launch may. Which these are follows from the
// order of the cases alone, however many are under way at once.
//
// A definition that asks for more than it may is not asked at the same point again, for the same reason.
type hangs struct {
	mu     sync.Mutex
	first  map[built]int  // place of the first case, by kernel
	beyond map[string]int // place of the first case whose definition asks for too much, by point
}

func newHangs() *hangs { return &hangs{first: map[built]int{}, beyond: map[string]int{}} }

// built is a kernel as it is compiled for a case.
type built struct {
	kernel   string
	pipeline bool
	variant  string
	math     metalrun.Math
}

func (c Case) built() built { return built{c.Kernel.Name, c.Pipeline != nil, c.Variant, c.Math} }

// note records that the case at a place hangs.
func (h *hangs) note(at int, c Case) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if first, known := h.first[c.built()]; !known || at < first {
		h.first[c.built()] = at
	}
}

// take records what a result says of other cases.
func (h *hangs) take(at int, c Case, r Result) {
	if r.Hung {
		h.note(at, c)
	}
	if !r.Exceeds {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	point := c.Kernel.Point(c.Shape)
	if first, known := h.beyond[point]; !known || at < first {
		h.beyond[point] = at
	}
}

// exceeds is the place of an earlier case at the same point whose definition asks for too much.
func (h *hangs) exceeds(at int, c Case) (place int, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.beyond) == 0 {
		return 0, false
	}
	place, ok = h.beyond[c.Kernel.Point(c.Shape)]
	return place, ok && place < at
}

// undefined is the result of a case whose definition asks for too much in another.
func undefined(opts Options, c, other Case) Result {
	return concluded(opts, c, func(r *Result) {
		r.Because(Error, "not judged: the definition asks for too much in %s", other.Name)
	})
}

// before is the place of an earlier case of the same kernel that hangs.
func (h *hangs) before(at int, c Case) (place int, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	place, ok = h.first[c.built()]
	return place, ok && place < at
}

// unlaunched is the result of a case whose kernel hangs in another.
func unlaunched(opts Options, c, other Case) Result {
	return concluded(opts, c, func(r *Result) {
		r.FailBy([]Failure{{Check: CheckFault, Kernel: c.Kernel.Name,
			Text: fmt.Sprintf("not launched: the kernel does not end in %s", other.Name)}})
	})
}
