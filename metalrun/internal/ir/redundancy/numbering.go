package redundancy

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// numbering numbers the values of a kernel, in the order of the source.
type numbering struct {
	k            *ir.Kernel
	values       int // how many there are
	literals     map[literalOf]*value
	env          []*value // by register
	trail        []change // of variables
	known        map[operation]available
	targets      map[ir.Node]*target
	converted    *construct // the branch that is converted, outermost
	computations []*computation

	effort int // what the analysis has taken so far

	mem       map[cellKey]*cell
	cellTrail []cellChange             // of mem
	unread    map[cellKey]*computation // stores of this list that nothing has read
	arrays    []array                  // the kernel's objects
}

// mostEffort is the number of visits of variables and cells that the analysis takes at most: some tenths of a second.
// A kernel that needs more counts as it is written.
const mostEffort = 1 << 21

func newNumbering(k *ir.Kernel) *numbering {
	return &numbering{k: k, literals: map[literalOf]*value{}, env: make([]*value, len(k.Regs)),
		known: map[operation]available{}, targets: map[ir.Node]*target{}, mem: map[cellKey]*cell{},
		unread: map[cellKey]*computation{}, arrays: arraysOf(k)}
}

// instr numbers an instruction.
func (n *numbering) instr(in *ir.Instr, s *scope) {
	info := in.Op.Info()
	switch {
	case in.Op == ir.Nop:
	case in.Op == ir.Load && !in.Mem.Volatile:
		n.load(in, s)
	case in.Op == ir.Store && !in.Mem.Volatile:
		n.store(in, s)
	case info.Effects == 0 && !info.Kept && !info.Varies && len(in.Dst) > 0:
		n.pure(in, s)
	default:
		c := n.opaque(in, s)
		if in.Mem != nil {
			c.address = n.reads(in.Mem)
			c.elements = len(in.Dst) + len(in.Args)
		}
		if in.Mem != nil || info.Effects.Has(ir.Orders) || in.Op >= ir.Extended {
			n.ordered()
		}
	}
}

// reads are the values that an address is made of.
func (n *numbering) reads(m *ir.Mem) []*value {
	list := []*value{n.read(m.Base)}
	if m.Index != ir.None {
		list = append(list, n.read(m.Index))
	}
	return list
}

// ordered forgets what memory holds that other threads may write.
func (n *numbering) ordered() {
	clear(n.unread)
	for key, c := range n.mem {
		if shared(c.at.mem) {
			n.remember(key, nil)
		}
	}
}

func shared(m *ir.Mem) bool { return m.Space == syntax.Device || m.Space == syntax.Threadgroup }
