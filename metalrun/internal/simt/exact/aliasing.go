package exact

import (
	"slices"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// Copy-on-write aliasing: a load of a row of private memory that has a ball in every lane copies nothing. The register
// aliases the row until the row is written.

// rowAliases records which registers alias rows of private memory. The number of a row is that of its cell in a thread.
type rowAliases struct {
	filled []bool        // by row: every lane has a ball
	to     []int32       // by row: the slot that aliases it, counted from 1
	rows   [][]ball.Ball // by slot: the row that it aliases; nil: it has its own row
	any    bool          // some slot aliases a row
}

func newRowAliases(p *machine.Program) rowAliases {
	cells := ExactOf(p).privateCells
	return rowAliases{make([]bool, cells), make([]int32, cells), make([][]ball.Ball, p.Slots32), false}
}

func (n *rowAliases) clear() {
	clear(n.filled)
	clear(n.to)
	clear(n.rows)
	n.any = false
}

// add makes a register an alias of a row.
func (n *rowAliases) add(at machine.Slot, cells []ball.Ball, row int) {
	n.any = true
	n.to[row], n.rows[at.Index] = int32(at.Index)+1, cells
}

// drop ends the aliasing of a register, whose balls are about to be replaced.
func (n *rowAliases) drop(at machine.Slot) {
	if n.any && at.Varying && !at.Wide {
		n.rows[at.Index] = nil
	}
}

// detach ends the aliasing of a register: it copies the row to the register's own.
func detach(m *machine.Machine, at machine.Slot) {
	if n := &BallsOf(m).aliases; n.any && at.Varying && !at.Wide && n.rows[at.Index] != nil {
		row := n.rows[at.Index]
		n.rows[at.Index] = nil
		copy(rawRow(m, at), row)
	}
}

// detachReader prepares a store to a row: the register that aliases the row gets a copy, if it is still to be read.
func detachReader(m *machine.Machine, row int, live []machine.Slot) {
	n := &BallsOf(m).aliases
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
			detach(m, at)
			return
		}
	}
	n.rows[index] = nil
}

// detachAll prepares stores to unknown rows.
func detachAll(m *machine.Machine) {
	n := &BallsOf(m).aliases
	if !n.any {
		return
	}
	for index, row := range n.rows {
		if row != nil {
			detach(m, machine.Slot{Varying: true, Index: index})
		}
	}
	clear(n.to)
	n.any = false
}

// setFilled records that the active lanes store balls to a row; of is nil if they store none.
func setFilled(m *machine.Machine, row int, of []ball.Ball) {
	switch n := &BallsOf(m).aliases; {
	case of == nil:
		n.filled[row] = false
	case m.Whole:
		n.filled[row] = true
	}
}

// mayAlias records the registers that a load may make aliases, and gives the slots of possible aliases that are still
// to be read.
func mayAlias(c *codegen.Compiler, in *ir.Instr) []machine.Slot {
	live := aliasSlots(c)
	if in.Mem.Space == syntax.Thread {
		for _, r := range in.Dst {
			if c.Left[r] > 0 && c.Reusable(r) {
				c.MayAlias = append(c.MayAlias, r)
			}
		}
	}
	return live
}

// aliasSlots are the slots of registers that may be aliases and are still to be read.
func aliasSlots(c *codegen.Compiler) (live []machine.Slot) {
	c.MayAlias = slices.DeleteFunc(c.MayAlias, func(r ir.Reg) bool { return c.Left[r] == 0 })
	for _, r := range c.MayAlias {
		live = append(live, c.P.Slots[r])
	}
	return live
}

// setCell writes the ball at an offset of an object, or of the memory of a lane if mem is nil.
func setCell(m *machine.Machine, mem *machine.Memory, off int64, cell *ball.Ball, b ball.Ball) {
	if *cell = b; mem == nil && b.None() {
		BallsOf(m).aliases.filled[off>>ExactOf(m.P).PrivateLog] = false
	}
}
