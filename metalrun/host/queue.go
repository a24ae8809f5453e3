package host

import (
	"errors"
	"fmt"
	"time"
)

// Queue executes command buffers in the order in which they were enqueued.
type Queue struct {
	host   *Host
	Label  string
	order  []*CommandBuffer // enqueued and not completed
	active bool             // a goroutine executes it
	before clock            // what happens before all later passes
	passes clock            // executed so far
	unseen []*CommandBuffer // completed, in order, and the program has not seen it
}

// Status is that of a command buffer, as MTLCommandBufferStatus numbers it.
type Status int

// The statuses of a command buffer.
const (
	NotEnqueued Status = iota
	Enqueued
	Committed
	Scheduled
	Completed
	Failed
)

// CommandBuffer is what a program submits at once.
type CommandBuffer struct {
	queue      *Queue
	Label      string
	unretained bool
	number     int
	steps      []func() error // in the order of execution
	passes     []*Pass
	open       *Pass
	used       map[*Buffer]bool
	signals    bool     // it signals an event
	scheduling []func() // called when it is the first of its queue, on another thread
	handlers   []func() // called when it has completed, on another thread
	ends       []func() // called after the handlers

	status   Status
	err      error
	begin    time.Time
	end      time.Time
	done     bool  // handlers have returned
	commit   int64 // the moment of its commit
	observed int64 // the moment at which the program has seen that it is complete; 0: it has not
}

// Queue makes a queue.
func (h *Host) Queue() *Queue { return &Queue{host: h, before: clock{}, passes: clock{}} }

// CommandBuffer makes a command buffer. An unretained one does not keep what it uses.
func (q *Queue) CommandBuffer(unretained bool) *CommandBuffer {
	q.host.mu.Lock()
	defer q.host.mu.Unlock()
	q.host.numbers++
	return &CommandBuffer{queue: q, unretained: unretained, number: q.host.numbers, used: map[*Buffer]bool{}}
}

// name is what findings call it.
func (c *CommandBuffer) name() string {
	s := fmt.Sprintf("command buffer %d", c.number)
	if c.Label != "" {
		s += " '" + c.Label + "'"
	}
	return s
}

// Pass begins an encoder.
func (c *CommandBuffer) Pass(kind PassKind) *Pass {
	const where = "-[MTLDebugCommandBuffer computeCommandEncoder]"
	if c.open != nil {
		c.queue.host.assert(where, "A command encoder is already encoding to this command buffer")
		c.open.End()
	}
	p := &Pass{buffer: c, kind: kind, table: map[int]binding{}, shared: map[int]int{}, used: map[*Buffer]bool{}}
	if c.Status() >= Committed {
		c.queue.host.assert(where, "encoding to a committed command buffer")
		return p
	}
	c.open = p
	c.passes = append(c.passes, p)
	c.steps = append(c.steps, p.execute)
	return p
}

// use keeps a buffer, or remembers that nobody does.
func (c *CommandBuffer) use(b *Buffer) {
	if !c.used[b] {
		c.used[b] = true
		b.hold()
	}
}

// OnCompletion has a function called when the command buffer has completed.
func (c *CommandBuffer) OnCompletion(f func()) {
	if c.Status() >= Committed {
		c.queue.host.assert("-[MTLDebugCommandBuffer addCompletedHandler:]",
			"Completed handler provided after commit call")
		return
	}
	c.handlers = append(c.handlers, f)
}

// OnSchedule has a function called when the command buffer is the first of its queue.
func (c *CommandBuffer) OnSchedule(f func()) { c.scheduling = append(c.scheduling, f) }

// AtEnd has a function called when the command buffer needs its objects no longer. The program does not see it.
func (c *CommandBuffer) AtEnd(f func()) { c.ends = append(c.ends, f) }

// Enqueue reserves the place of the command buffer in its queue.
func (c *CommandBuffer) Enqueue() {
	h := c.queue.host
	h.mu.Lock()
	defer h.mu.Unlock()
	c.enqueue()
}

func (c *CommandBuffer) enqueue() {
	if c.status == NotEnqueued {
		c.status = Enqueued
		c.queue.order = append(c.queue.order, c)
	}
}

// Commit submits the command buffer.
func (c *CommandBuffer) Commit() {
	h := c.queue.host
	if c.open != nil {
		h.assert("-[MTLDebugCommandBuffer commit]", "commit command buffer with uncommitted encoder")
		c.open.End()
	}
	if c.Status() < Committed {
		c.takeOff()
	}
	h.mu.Lock()
	if c.status >= Committed {
		h.mu.Unlock()
		h.assert("-[MTLDebugCommandBuffer commit]", "commit an already committed command buffer")
		return
	}
	c.enqueue()
	h.seen++
	c.status, c.commit = Committed, h.seen
	h.pending[c] = true
	start := !c.queue.active
	c.queue.active = true
	h.mu.Unlock()
	if start {
		go c.queue.run()
	}
}

// run executes committed command buffers until there is none.
func (q *Queue) run() {
	h := q.host
	for {
		h.mu.Lock()
		if len(q.order) == 0 || q.order[0].status != Committed {
			q.active = false
			h.mu.Unlock()
			return
		}
		c := q.order[0]
		c.status, c.begin = Scheduled, time.Now()
		h.changed.Broadcast()
		h.mu.Unlock()
		c.execute()
		h.mu.Lock()
		q.order = q.order[1:]
		h.mu.Unlock()
	}
}

// execute executes the steps and tells those who wait.
func (c *CommandBuffer) execute() {
	h := c.queue.host
	for _, f := range c.scheduling {
		f()
	}
	var err error
	for _, step := range c.steps {
		if err = step(); err != nil {
			break
		}
	}
	c.land()
	h.mu.Lock()
	c.status, c.err, c.end = Completed, err, time.Now()
	if err != nil {
		c.status = Failed
	}
	c.queue.unseen = append(c.queue.unseen, c)
	delete(h.pending, c)
	h.changed.Broadcast()
	h.mu.Unlock()
	for _, f := range c.handlers {
		c.Observe()
		f()
	}
	for _, f := range c.ends {
		f()
	}
	for b := range c.used {
		b.unhold()
	}
	h.mu.Lock()
	c.done, c.steps = true, nil
	h.changed.Broadcast()
	h.mu.Unlock()
}

// Observe notes that the program knows that the command buffer is complete: what it commits from now on comes later.
func (c *CommandBuffer) Observe() {
	h := c.queue.host
	h.mu.Lock()
	defer h.mu.Unlock()
	c.observe()
}

// observe is Observe with the host locked. Command buffers of a queue complete in order, so that the program knows of
// those before it, too.
func (c *CommandBuffer) observe() {
	h, q := c.queue.host, c.queue
	if c.status < Completed || c.observed != 0 {
		return
	}
	h.seen++
	for len(q.unseen) > 0 && c.observed == 0 {
		q.unseen[0].observed = h.seen
		for p := range q.passes { // later commands know by the moment
			if p.buffer == q.unseen[0] {
				delete(q.passes, p)
			}
		}
		q.unseen = q.unseen[1:]
	}
}

// WaitUntilScheduled waits until the command buffer is the first of its queue.
func (c *CommandBuffer) WaitUntilScheduled() {
	c.wait("waitUntilScheduled", func() bool { return c.status >= Scheduled })
}

// WaitUntilCompleted waits until the commands are executed and handlers have returned.
func (c *CommandBuffer) WaitUntilCompleted() {
	c.wait("waitUntilCompleted", func() bool { return c.done })
	c.Observe()
}

// wait waits for a state of the command buffer.
func (c *CommandBuffer) wait(method string, reached func() bool) {
	h := c.queue.host
	h.mu.Lock()
	committed := c.status >= Committed
	for committed && !reached() {
		h.changed.Wait()
	}
	h.mu.Unlock()
	if !committed {
		h.assert("-[MTLDebugCommandBuffer "+method+"]", "command buffer has not been committed")
	}
}

// Status is how far the command buffer is.
func (c *CommandBuffer) Status() Status {
	h := c.queue.host
	h.mu.Lock()
	s := c.status
	h.mu.Unlock()
	if s >= Completed {
		c.Observe()
	}
	return s
}

// Err is what the NSError of the command buffer says.
func (c *CommandBuffer) Err() error {
	c.queue.host.mu.Lock()
	defer c.queue.host.mu.Unlock()
	return c.err
}

// Times are the beginning and the end of the execution, by the clock of this machine.
func (c *CommandBuffer) Times() (begin, end time.Time) {
	c.queue.host.mu.Lock()
	defer c.queue.host.mu.Unlock()
	return c.begin, c.end
}

// errTimeout is the error of a command buffer whose event nothing signals.
var errTimeout = errors.New("caused GPU Timeout Error (00000002:kIOGPUCommandBufferCallbackErrorTimeout)")
