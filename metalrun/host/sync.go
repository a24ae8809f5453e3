package host

import (
	"fmt"
	"maps"
	"time"
)

// clock is a set of passes that happen before something.
type clock map[*Pass]bool

// join adds what happens before another thing.
func (c clock) join(other clock) { maps.Copy(c, other) }

// Fence orders passes of one queue.
type Fence struct{ after clock }

// Fence makes a fence.
func (h *Host) Fence() *Fence { return &Fence{after: clock{}} }

// Event orders command buffers of any queues, and the program.
type Event struct {
	host    *Host
	value   uint64
	signals []signal
	changed []func(value uint64) bool // listeners; they report whether they are done
}

// signal is a value that the event was set to, and what happens before that.
type signal struct {
	value uint64
	after clock
}

// Event makes an event.
func (h *Host) Event() *Event { return &Event{host: h} }

// Value is the value of the event.
func (e *Event) Value() uint64 {
	e.host.mu.Lock()
	defer e.host.mu.Unlock()
	e.seen(e.value)
	return e.value
}

// Set has the program signal a value.
func (e *Event) Set(value uint64) { e.signal(value, clock{}) }

func (e *Event) signal(value uint64, after clock) {
	e.host.mu.Lock()
	e.value = max(e.value, value)
	e.signals = append(e.signals, signal{value, after})
	listeners := e.changed
	e.changed = nil
	now := e.value
	e.host.changed.Broadcast()
	e.host.mu.Unlock()
	var left []func(uint64) bool
	for _, l := range listeners {
		if !l(now) {
			left = append(left, l)
		}
	}
	e.host.mu.Lock()
	e.changed = append(e.changed, left...)
	e.host.mu.Unlock()
}

// Listen calls f, on another thread, when the event has reached a value.
func (e *Event) Listen(value uint64, f func(value uint64)) {
	e.host.mu.Lock()
	now := e.value
	if now < value {
		e.changed = append(e.changed, func(now uint64) bool {
			if now < value {
				return false
			}
			e.observe(value)
			go f(now)
			return true
		})
	}
	e.host.mu.Unlock()
	if now >= value {
		e.observe(value)
		go f(now)
	}
}

// reached is what happens before the event has reached a value: the signals up to the first one that is enough.
func (e *Event) reached(value uint64) clock {
	enough := e.value
	for _, s := range e.signals {
		if s.value >= value {
			enough = min(enough, s.value)
		}
	}
	all := clock{}
	for _, s := range e.signals {
		if s.value <= enough {
			all.join(s.after)
		}
	}
	return all
}

// observe notes that the program knows that the event has reached a value.
func (e *Event) observe(value uint64) {
	e.host.mu.Lock()
	defer e.host.mu.Unlock()
	e.seen(value)
}

func (e *Event) seen(value uint64) {
	for p := range e.reached(value) {
		p.buffer.observe()
	}
}

// Wait has the program wait for a value, and reports whether it has come in time.
func (e *Event) Wait(value uint64, patience time.Duration) bool {
	e.host.mu.Lock()
	defer e.host.mu.Unlock()
	ok := e.wait(value, patience)
	if ok {
		e.seen(value)
	}
	return ok
}

// wait waits, with the host locked.
func (e *Event) wait(value uint64, patience time.Duration) bool {
	late := false
	timer := time.AfterFunc(patience, func() {
		e.host.mu.Lock()
		late = true
		e.host.changed.Broadcast()
		e.host.mu.Unlock()
	})
	defer timer.Stop()
	for e.value < value && !late {
		e.host.changed.Wait()
	}
	return e.value >= value
}

// Signal has the command buffer signal a value after the commands before it.
func (c *CommandBuffer) Signal(e *Event, value uint64) {
	c.between("encodeSignalEvent:value:")
	c.signals = true
	c.steps = append(c.steps, func() error {
		e.host.mu.Lock()
		before := maps.Clone(c.queue.passes)
		e.host.mu.Unlock()
		e.signal(value, before)
		return nil
	})
}

// Wait has the command buffer wait for a value before the commands after it.
func (c *CommandBuffer) Wait(e *Event, value uint64) {
	c.between("encodeWaitForEvent:value:")
	c.steps = append(c.steps, func() error {
		h := c.queue.host
		h.mu.Lock()
		ok := e.wait(value, h.options.Patience)
		if ok {
			c.queue.before.join(e.reached(value))
		}
		h.mu.Unlock()
		if !ok {
			h.found(Finding{Check: CheckEvent, Message: fmt.Sprintf("%s waits for an event to reach %d, and it "+
				"stays at %d",
				c.name(), value, e.Value()), Remedy: "commit the command buffer that signals the value, or signal it"})
			return errTimeout
		}
		return nil
	})
}

// between asserts that no encoder is open.
func (c *CommandBuffer) between(method string) {
	if c.open != nil {
		c.queue.host.assert("-[MTLDebugCommandBuffer "+method+"]", "%s with an open command encoder", method)
	}
}
