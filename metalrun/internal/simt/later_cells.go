package simt

import (
	"sync"
	"sync/atomic"

	"metalconform/metalrun/internal/ball"
)

// Balls take many times the memory of the elements that they belong to, and what only moves or converts
// numbers leaves none in its outputs. The cells of a buffer are therefore made when the first ball comes.

// laterCells are those of a buffer, for all machines of a launch.
type laterCells struct {
	lock  sync.Mutex
	make  func() []ball.Ball
	cells atomic.Pointer[[]ball.Ball] // nil until they are made
}

// get makes them, once.
func (c *laterCells) get() []ball.Ball {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.cells.Load() == nil {
		cells := c.make()
		c.cells.Store(&cells)
	}
	return *c.cells.Load()
}

// balls are the cells of memory; nil if it has none yet.
func (mem *memory) balls() []ball.Ball {
	if mem.cells == nil && mem.later != nil {
		if made := mem.later.cells.Load(); made != nil {
			mem.cells = *made
		}
	}
	return mem.cells
}

// room are the cells of memory to store in; nil if it is to have none.
func (mem *memory) room() []ball.Ball {
	if mem.cells == nil && mem.later != nil {
		mem.cells = mem.later.get()
	}
	return mem.cells
}

// cellKind is what a cell of memory with several types holds.
type cellKind uint8
