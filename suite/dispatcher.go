package suite

import "context"

// dispatcher begins cases, so many at a time and as many as there is memory for.
type dispatcher struct {
	slots  chan struct{} // of cases under way
	memory ration
	rooms  *rooms
	run    func(i int) // and deliver what comes of it
	ended  func() bool // whether no further case is to begin
}

// begin begins all cases until ctx is done, and gives up the rest. Large ones, which take longest, have a queue of their
// own: they begin at once, beside the small ones, and while one waits for memory small ones go on.
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

// large says whether a case may take much memory. What one of a pipeline takes is known by those that were judged before.
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
		due := min((n+1)*len(pipelines)*10/(len(kernels)*9), len(pipelines)) // all of them when a tenth of the others is left
		for len(order)-n-1 < due {
			order = append(order, pipelines[len(order)-n-1])
		}
	}
	return append(order, pipelines[len(order)-len(kernels):]...)
}
