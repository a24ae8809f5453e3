package simt

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/syntax"
)

// A pointer that differs from thread to thread and is computed once, outside
// the loop that reads through it, is numbered where it is computed: a slot tells
// which element of its object each lane points to. Accesses through it then
// add 32-bit numbers.

// elementKey names such a slot: a pointer, and the size of its elements.
type elementKey struct {
	pointer ir.Reg
	size    int64
}

type elementSlot struct {
	slot   int
	heads  int // slot with a number for each simdgroup, if the pointer has a value for each; or -1
	valid  int // uniform register: 0 unless all lanes point to whole elements; headsAlone while slot lacks the numbers
	object int // of the machine
}

// numberPointers finds the pointers that accesses can count from.
func (c *compiler) numberPointers() {
	c.numbers = map[elementKey]*elementSlot{}
	for in := range ir.Instrs(c.p.kernel.Body...) {
		c.numberPointer(in)
	}
}

// numberPointer looks at one access. Its pointer must be a temporary whose uses
// all lie within the list that defines it: then no lane reads what another
// turn of a loop left.
func (c *compiler) numberPointer(in *ir.Instr) {
	mem := in.Mem
	if mem == nil || in.Op == ir.Atomic || mem.Space == syntax.Thread || c.uniform(mem.Base) {
		return
	}
	key := elementKey{mem.Base, int64(in.From.Size())}
	object := c.u.PointsInto(mem.Base, mem.Space)
	if !c.does(passElementNumbers) || !c.counts(in) || object < 0 || c.p.kernel.Regs[mem.Base].Kind != ir.Temp || !c.u.SetFirst(mem.Base) || c.numbers[key] != nil {
		return
	}
	e := &elementSlot{slot: c.newSlot(false), heads: -1, valid: len(c.p.uni32), object: object}
	if c.p.slots[mem.Base].grouped {
		e.heads = c.newSlot(false)
	}
	c.numbers[key] = e
	c.p.uni32 = append(c.p.uni32, 0)
}

// counts reports whether an access goes to an element that lies a whole number of such behind its
// pointer: other accesses by the same pointer need not.
func (c *compiler) counts(in *ir.Instr) bool {
	mem, size := in.Mem, int64(in.From.Size())
	_, sized := log2(size)
	plain := mem.Index == ir.None || mem.Scale == size && !c.p.slots[mem.Index].wide
	return sized && plain && mem.Disp%size == 0 && abs(mem.Disp) <= mostElements
}

func abs(x int64) int64 { return max(x, -x) }

// numbered emits the numbering of a pointer that was just defined.
func (c *compiler) numbered(r ir.Reg) {
	for _, size := range []int64{1, 2, 4} {
		e := c.numbers[elementKey{r, size}]
		if e == nil {
			continue
		}
		shift, _ := log2(size)
		from, origin := c.p.slots[r].index, c.origin(e.object)
		if c.p.slots[r].grouped {
			c.numberHeads(e, from, shift)
			continue
		}
		c.do(func(m *machine) {
			d := m.lanes(e.slot)
			bad := m.p.table.Narrow(d, m.wide(from), m.mask, origin, mostElements<<shift, shift) < len(d)
			m.uni32[e.valid] = ^lane(bad)
		})
	}
}

// origin is the pointer to the beginning of an object.
func (c *compiler) origin(object int) uint64 {
	switch {
	case object >= analysis.FirstStatic:
		return uint64(object-analysis.FirstStatic+ir.FirstObject) << ir.ObjectShift
	case object >= analysis.FirstThreadgroup:
		object -= analysis.FirstThreadgroup
	}
	return uint64(object+ir.FirstArg) << ir.ObjectShift
}
