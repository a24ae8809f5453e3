package exact

import (
	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// Threadgroup memory that a kernel uses as several types remembers of each cell what was stored
// there: a ball is read as the type that it was written as. Anything else takes bits of a float
// apart.

const (
	plainCell  machine.CellKind = 0    // what memory has there
	laterCell  machine.CellKind = 0xff // of an element that begins before
	brokenCell machine.CellKind = 0xfe // of an element that was overwritten in part
)

// firstCell is the kind of the cell that an element of a type begins at.
func firstCell(s ir.Scalar) machine.CellKind { return 1 + machine.CellKind(s) }

// element is the cells of an element of a type.
func element(mem *machine.Memory, off int64, s ir.Scalar) (first, end int) {
	first = int(off >> mem.CellLog)
	return first, first + max(1, s.Size()>>mem.CellLog)
}

// putTyped keeps the ball of a stored element.
func putTyped(mem *machine.Memory, off int64, s ir.Scalar, b ball.Ball) {
	first, end := element(mem, off, s)
	breakAt(mem, first)
	breakAt(mem, end)
	for i := first; i < end; i++ {
		mem.Cells[i], mem.Representations[i] = b, laterCell
		if b.None() {
			mem.Representations[i] = plainCell
		}
	}
	if !b.None() {
		mem.Representations[first] = firstCell(s)
	}
}

// breakAt makes an element that goes on across the beginning of a cell unknown, unless every device
// has its bits.
func breakAt(mem *machine.Memory, i int) {
	if i >= len(mem.Representations) || mem.Representations[i] != laterCell {
		return
	}
	first := i
	for mem.Representations[first] == laterCell {
		first--
	}
	// all cells of the element have its ball
	for k := first; k == first || k < len(mem.Representations) && mem.Representations[k] == laterCell; k++ {
		if mem.Representations[k] = plainCell; mem.Cells[k].E > 0 {
			mem.Representations[k] = brokenCell
		}
	}
}

// typed is the ball of a loaded element; whole is false if it was not written as one of this type.
func typed(mem *machine.Memory, off int64, s ir.Scalar) (b ball.Ball, whole bool) {
	first, end := element(mem, off, s)
	if mem.Representations[first] == firstCell(s) {
		return mem.Cells[first], true
	}
	for i := first; i < end; i++ {
		if mem.Representations[i] != plainCell && mem.Cells[i].E > 0 {
			return ball.Unknown(0), false
		}
	}
	return ball.Ball{}, true
}

// heldBall is the ball of an element in memory, none for the value itself. Where memory does not remember
// what elements were written as, nothing is known of one that has a ball anywhere.
func heldBall(m *machine.Machine, mem *machine.Memory, off int64, l int, s ir.Scalar) ball.Ball {
	if mem != nil && mem.Representations != nil {
		b, _ := typed(mem, off, s)
		return b
	}
	if mem != nil && mem.Balls() == nil {
		return ball.Ball{}
	}
	var b ball.Ball
	if cell := cellAt(m, mem, off, l); cell != nil {
		b = *cell
	}
	for at := off + cellSize(m, mem); at < off+int64(s.Size()); at += cellSize(m, mem) {
		if cell := cellAt(m, mem, at, l); cell != nil && cell.E > 0 {
			return ball.Unknown(0)
		}
	}
	return b
}

// hold makes b the ball of an element in memory.
func holdAt(m *machine.Machine, mem *machine.Memory, off int64, l int, s ir.Scalar, b ball.Ball) {
	if mem != nil && mem.Representations != nil {
		putTyped(mem, off, s, b)
		return
	}
	if mem != nil && b.None() && mem.Balls() == nil {
		return
	}
	for at := off; at < off+int64(s.Size()); at += cellSize(m, mem) {
		if cell := cellAt(m, mem, at, l); cell != nil {
			setCell(m, mem, at, cell, b)
		}
	}
}

// cellSize is the bytes of a cell.
func cellSize(m *machine.Machine, mem *machine.Memory) int64 {
	if mem == nil {
		return 1 << ExactOf(m.P).PrivateLog
	}
	return 1 << mem.CellLog
}
