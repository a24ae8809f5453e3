package simt

import (
	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
)

// Threadgroup memory that a kernel uses as several types remembers of each cell what was stored
// there: a ball is read as the type that it was written as. Anything else takes bits of a float
// apart.

const (
	plainCell  cellKind = 0    // what memory has there
	laterCell  cellKind = 0xff // of an element that begins before
	brokenCell cellKind = 0xfe // of an element that was overwritten in part
)

// firstCell is the kind of the cell that an element of a type begins at.
func firstCell(s ir.Scalar) cellKind { return 1 + cellKind(s) }

// element is the cells of an element of a type.
func (mem *memory) element(off int64, s ir.Scalar) (first, end int) {
	first = int(off >> mem.cellLog)
	return first, first + max(1, s.Size()>>mem.cellLog)
}

// putTyped keeps the ball of a stored element.
func (mem *memory) putTyped(off int64, s ir.Scalar, b ball.Ball) {
	first, end := mem.element(off, s)
	mem.breakAt(first)
	mem.breakAt(end)
	for i := first; i < end; i++ {
		mem.cells[i], mem.kinds[i] = b, laterCell
		if b.None() {
			mem.kinds[i] = plainCell
		}
	}
	if !b.None() {
		mem.kinds[first] = firstCell(s)
	}
}

// breakAt makes an element that goes on across the beginning of a cell unknown, unless every device
// has its bits.
func (mem *memory) breakAt(i int) {
	if i >= len(mem.kinds) || mem.kinds[i] != laterCell {
		return
	}
	first := i
	for mem.kinds[first] == laterCell {
		first--
	}
	for k := first; k == first || k < len(mem.kinds) && mem.kinds[k] == laterCell; k++ { // all its cells have its ball
		if mem.kinds[k] = plainCell; mem.cells[k].E > 0 {
			mem.kinds[k] = brokenCell
		}
	}
}

// typed is the ball of a loaded element; whole is false if it was not written as one of this type.
func (mem *memory) typed(off int64, s ir.Scalar) (b ball.Ball, whole bool) {
	first, end := mem.element(off, s)
	if mem.kinds[first] == firstCell(s) {
		return mem.cells[first], true
	}
	for i := first; i < end; i++ {
		if mem.kinds[i] != plainCell && mem.cells[i].E > 0 {
			return ball.Unknown(0), false
		}
	}
	return ball.Ball{}, true
}

// held is the ball of an element in memory, none for the value itself. Where memory does not remember
// what elements were written as, nothing is known of one that has a ball anywhere.
func (m *machine) held(mem *memory, off int64, l int, s ir.Scalar) ball.Ball {
	if mem != nil && mem.kinds != nil {
		b, _ := mem.typed(off, s)
		return b
	}
	if mem != nil && mem.balls() == nil {
		return ball.Ball{}
	}
	var b ball.Ball
	if cell := m.cellAt(mem, off, l); cell != nil {
		b = *cell
	}
	for at := off + m.cellSize(mem); at < off+int64(s.Size()); at += m.cellSize(mem) {
		if cell := m.cellAt(mem, at, l); cell != nil && cell.E > 0 {
			return ball.Unknown(0)
		}
	}
	return b
}

// hold makes b the ball of an element in memory.
func (m *machine) holdAt(mem *memory, off int64, l int, s ir.Scalar, b ball.Ball) {
	if mem != nil && mem.kinds != nil {
		mem.putTyped(off, s, b)
		return
	}
	if mem != nil && b.None() && mem.balls() == nil {
		return
	}
	for at := off; at < off+int64(s.Size()); at += m.cellSize(mem) {
		if cell := m.cellAt(mem, at, l); cell != nil {
			m.setCell(mem, at, cell, b)
		}
	}
}

// cellSize is the bytes of a cell.
func (m *machine) cellSize(mem *memory) int64 {
	if mem == nil {
		return 1 << exactOf(m.p).privateLog
	}
	return 1 << mem.cellLog
}
