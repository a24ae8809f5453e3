package machine

import (
	"math"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// AddLoop is a loop that adds weighted runs of memory to the rows of a private array:
//
//	for (c = first; c * step + lane < limit; c++) rows[c] += w * run[c * step + lane];
//
// One call does the iterations that every lane takes. The loop itself does the others, uncommon cases, and all that can
// fault.
type AddLoop struct {
	Loop                 *Loop
	Counter, Step, Limit int // uniform registers
	Lane                 int // slot: lane-consecutive in each simdgroup, and the same in all simdgroups
	From                 *MemoryAccess
	Weight               int // slot
	Rows                 *Row
}

// Run executes the node, and reports whether any lane is still active and no jump is under way.
func (n *AddLoop) Run(m *Machine) bool {
	return n.all(m) || n.Loop.Run(m)
}

// all does the iterations that every lane takes, and reports whether none is left.
func (n *AddLoop) all(m *Machine) (done bool) {
	l, lanes, first := n.Loop, m.slots[n.Lane], m.runsFrom[:m.simdgroups()]
	trips, last := n.trips(m)
	if trips == 0 || m.N < m.Stride || m.N%Simdgroup != 0 || int64(trips) > m.Steps/l.Cost {
		return false
	}
	counter, step := m.Uni32[n.Counter], m.Uni32[n.Step]
	at := WordIndex(counter, n.Rows.Signed) + n.Rows.Shift
	if at < 0 || at > int64(n.Rows.Size-trips) {
		return false
	}
	mem, ok := n.From.runsOf(m, first, int64(trips-1)*int64(step), lanes, counter*step)
	if !ok {
		return false
	}
	rows := m.Private[(n.Rows.First+int(at))*m.Stride:]
	m.P.Table.AddRuns(rows[:trips*m.N], m.slots[n.Weight], mem.Words, first, int(step), trips)
	m.Uni32[n.Counter] = counter + uint32(trips)
	m.Take(l.Counters.Head, trips)
	m.Take(l.Counters.Body, trips)
	m.Take(l.Counters.Post, trips)
	m.Steps -= int64(trips) * l.Cost
	m.Executed++
	if last {
		m.Take(l.Counters.Head, 1)
	}
	return last
}

// trips is the number of iterations that every lane takes. last says that no lane takes more.
func (n *AddLoop) trips(m *Machine) (trips int, last bool) {
	lanes := m.slots[n.Lane]
	lanes = lanes[:min(len(lanes), Simdgroup)]
	step, limit := uint64(m.Uni32[n.Step]), uint64(m.Uni32[n.Limit])
	moved := uint64(m.Uni32[n.Counter]) * step
	lowest, highest := uint64(lanes[0])+moved, uint64(lanes[len(lanes)-1])+moved
	if highest < lowest || highest >= limit || step == 0 {
		return 0, false
	}
	most := (limit-1-highest)/step + 1
	if highest+most*step > math.MaxUint32 {
		return 0, false
	}
	return int(most), lowest+most*step >= limit
}

// Other is the other operand of an instruction with two operands of which one is r, or None.
func Other(in *ir.Instr, r ir.Reg) ir.Reg {
	switch x, y := in.Args[0], in.Args[1]; {
	case x == r && y != r:
		return y
	case y == r && x != r:
		return x
	}
	return ir.None
}

// Adds gives the load of the run if the body only adds its product to an element of an array, or nil.
func (a *AddLoop) Adds(n *ir.Loop) *ir.Instr {
	_, body := SplitCounters(n.Body)
	var run, own *ir.Instr
	rest := []ir.Op{ir.Mul, ir.Add, ir.Store}
	for _, node := range body {
		in, ok := node.(*ir.Instr)
		switch {
		case !ok:
			return nil
		case in.Op == ir.Load && in.Mem.Space == syntax.Thread && own == nil:
			own = in
		case in.Op == ir.Load && in.Mem.Space != syntax.Thread && run == nil && len(in.Dst) == 1 && in.From == ir.R32:
			run = in
		case len(rest) > 0 && in.Op == rest[0]:
			rest = rest[1:]
		default:
			return nil
		}
	}
	if own == nil || len(rest) > 0 {
		return nil
	}
	return run
}
