package host

import (
	"fmt"
	"slices"
	"sync"
)

// flight is how the memory of a buffer is protected from the program while commands use it.
type flight struct {
	guard func(on bool) // nil: it is not protected

	guarding sync.Mutex // held while guard is called
	commands int        // command buffers in flight that use the buffer

	mu      sync.Mutex
	touched []touch
}

// touch is an access of the program to protected memory.
type touch struct {
	offset int
	write  bool
}

// Guard has a function protect the memory from the program, or end the protection. It calls [Buffer.Touched] for each
// access that the program has made.
func (b *Buffer) Guard(guard func(on bool)) { b.flight.guard = guard }

// Touched notes an access of the program to protected memory.
func (b *Buffer) Touched(offset int, write bool) {
	b.flight.mu.Lock()
	defer b.flight.mu.Unlock()
	b.flight.touched = append(b.flight.touched, touch{offset, write})
}

// fly counts command buffers that use the buffer, and gives the accesses of the program since they were committed.
func (b *Buffer) fly(n int) []touch {
	f := &b.flight
	if f.guard == nil {
		return nil
	}
	f.guarding.Lock()
	defer f.guarding.Unlock()
	f.commands += n
	f.guard(f.commands > 0)
	f.mu.Lock()
	defer f.mu.Unlock()
	touched := f.touched
	f.touched = nil
	return touched
}

// takeOff protects what the command buffer uses. One that signals an event is left alone, as the program may go by the
// event.
func (c *CommandBuffer) takeOff() {
	for b := range c.used {
		if !c.signals {
			b.fly(1)
		}
	}
}

// land ends the protection, and reports accesses of the program to bytes that commands have used.
func (c *CommandBuffer) land() {
	if c.signals {
		return
	}
	for b := range c.used {
		for _, t := range b.fly(-1) {
			c.touched(b, t)
		}
	}
}

// touched reports an access of the program, if a command has used the byte and one of the two writes.
func (c *CommandBuffer) touched(b *Buffer, t touch) {
	at := []span{b.span(t.offset, 1)}
	for _, p := range c.passes {
		for _, x := range p.commands {
			i := slices.IndexFunc(x.accesses, func(a access) bool {
				if !a.write && !t.write {
					return false
				}
				_, ok := common(a.spans, at)
				return ok
			})
			if i < 0 {
				continue
			}
			a, does := x.accesses[i], "reads"
			if t.write {
				does = "writes"
			}
			c.queue.host.found(Finding{Check: CheckEarly, Command: x.name(), Kernel: x.kernel(), Position: a.Position,
				Text: x.line(a.Position),
				Message: fmt.Sprintf("the program %s byte %d of %s, which %s %s, before %s has completed", does,
					t.offset,
					b.name(), x.what(), a.does, c.name()),
				Remedy: "wait first: waitUntilCompleted, a completed handler or a shared event"})
			return
		}
	}
}
