package machine

import (
	"sync"
	"sync/atomic"

	"metalconform/metalrun/internal/ball"
)

// Balls take many times the memory of their elements, and a kernel that only moves or converts numbers stores no balls.
// The cells of a buffer are therefore made when the first ball is stored.

// LaterCells makes the cells of a buffer, for all machines of a launch.
type LaterCells struct {
	lock  sync.Mutex
	Make  func() []ball.Ball
	cells atomic.Pointer[[]ball.Ball] // nil until they are made
}

// get makes the cells once.
func (c *LaterCells) get() []ball.Ball {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.cells.Load() == nil {
		cells := c.Make()
		c.cells.Store(&cells)
	}
	return *c.cells.Load()
}

// Balls are the cells of memory; nil if it has none yet.
func (mem *Memory) Balls() []ball.Ball {
	if mem.Cells == nil && mem.Later != nil {
		if made := mem.Later.cells.Load(); made != nil {
			mem.Cells = *made
		}
	}
	return mem.Cells
}

// Room are the cells of memory for a store: it makes them if necessary. nil if the memory never has cells.
func (mem *Memory) Room() []ball.Ball {
	if mem.Cells == nil && mem.Later != nil {
		mem.Cells = mem.Later.get()
	}
	return mem.Cells
}

// CellKind is what a cell of memory with several types holds.
type CellKind uint8
