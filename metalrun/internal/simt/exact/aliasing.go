package exact

import (
	"slices"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// A row of a thread's memory that holds a ball in every lane is not copied when it is loaded: the
// register looks at it in place, until the row is written.

// lending is which rows are looked at so. A row is numbered by its cell of a thread.
type lending struct {
	filled []bool        // by row: every lane has a ball
	to     []int32       // by row: the slot that looks at it, counted from 1
	rows   [][]ball.Ball // by slot: the row that it looks at; nil: its own
	any    bool          // some slot does
}

func newLending(p *machine.Program) lending {
	cells := ExactOf(p).privateCells
	return lending{make([]bool, cells), make([]int32, cells), make([][]ball.Ball, p.Slots32), false}
}

func (n *lending) clear() {
	clear(n.filled)
	clear(n.to)
	clear(n.rows)
	n.any = false
}

// lend makes a register look at a row.
func (n *lending) lend(at machine.Slot, cells []ball.Ball, row int) {
	n.any = true
	n.to[row], n.rows[at.Index] = int32(at.Index)+1, cells
}

// own makes a register look at nothing but its own row.
func (n *lending) own(at machine.Slot) {
	if n.any && at.Varying && !at.Wide {
		n.rows[at.Index] = nil
	}
}

// keep copies a row that a register looks at to its own.
func keep(m *machine.Machine, at machine.Slot) {
	if n := &BallsOf(m).lent; n.any && at.Varying && !at.Wide && n.rows[at.Index] != nil {
		row := n.rows[at.Index]
		n.rows[at.Index] = nil
		copy(rawRow(m, at), row)
	}
}

// recall prepares for a store to a row: of the registers that are still to be read, the one that
// looks at it gets a copy.
func recall(m *machine.Machine, row int, live []machine.Slot) {
	n := &BallsOf(m).lent
	if !n.any || n.to[row] == 0 {
		return
	}
	index := int(n.to[row]) - 1
	n.to[row] = 0
	looks := n.rows[index]
	if len(looks) == 0 || &looks[0] != &BallsOf(m).private[row*m.Stride] {
		return
	}
	for _, at := range live {
		if at.Index == index {
			keep(m, at)
			return
		}
	}
	n.rows[index] = nil
}

// recallAll prepares for stores to anywhere.
func recallAll(m *machine.Machine) {
	n := &BallsOf(m).lent
	if !n.any {
		return
	}
	for index, row := range n.rows {
		if row != nil {
			keep(m, machine.Slot{Varying: true, Index: index})
		}
	}
	clear(n.to)
	n.any = false
}

// fill notes that active lanes store the balls of registers, nil for none, to a row.
func fill(m *machine.Machine, row int, of []ball.Ball) {
	switch n := &BallsOf(m).lent; {
	case of == nil:
		n.filled[row] = false
	case m.Whole:
		n.filled[row] = true
	}
}

// borrow notes which registers a load may make look at memory, and gives the slots of those that are
// to be read after it.
func borrow(c *codegen.Compiler, in *ir.Instr) []machine.Slot {
	live := borrowing(c)
	if in.Mem.Space == syntax.Thread {
		for _, r := range in.Dst {
			if c.Left[r] > 0 && c.Reusable(r) {
				c.Borrowers = append(c.Borrowers, r)
			}
		}
	}
	return live
}

// borrowing are the slots of registers that may look at memory and are still to be read.
func borrowing(c *codegen.Compiler) (live []machine.Slot) {
	c.Borrowers = slices.DeleteFunc(c.Borrowers, func(r ir.Reg) bool { return c.Left[r] == 0 })
	for _, r := range c.Borrowers {
		live = append(live, c.P.Slots[r])
	}
	return live
}

// setCell writes the ball at a place of an object, or, if mem is nil, of a lane's memory.
func setCell(m *machine.Machine, mem *machine.Memory, off int64, cell *ball.Ball, b ball.Ball) {
	if *cell = b; mem == nil && b.None() {
		BallsOf(m).lent.filled[off>>ExactOf(m.P).PrivateLog] = false
	}
}
