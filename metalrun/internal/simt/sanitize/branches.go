package sanitize

import (
	"math/bits"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// decisions are which way the threads of a launch went, by branch of the program.
type decisions []ways

// ways are the decisions at one branch: a hash of which threads took it each time, whether any did, and whether any did
// not.
type ways struct {
	hash        uint64
	taken, left bool
}

// note adds one decision, of so many threads.
func (o decisions) note(id int, taken []uint32, threads int) {
	w := &o[id]
	for len(taken) > 0 {
		few := taken[:min(len(taken), 64)]
		var which uint64
		for l, on := range few {
			which |= uint64(on&1) << (l & 63)
		}
		taken, threads = taken[len(few):], threads-bits.OnesCount64(which)
		w.hash, w.taken = machine.Mix(w.hash^which), w.taken || which != 0
	}
	w.left = w.left || threads > 0
}

// differs is the first branch that two launches decided differently.
func (o decisions) differs(other decisions) (id int, ok bool) {
	for i, w := range o {
		if w.hash != other[i].hash {
			return i, true
		}
	}
	return 0, false
}

// recorder records the decisions of the threads of a launch.
type recorder struct {
	machine.NoObserver
	decisions
}

// Branch records one decision.
func (r recorder) Branch(_ *machine.Machine, id int, taken []uint32, threads int) {
	r.note(id, taken, threads)
}

// Arm is an arm of a branch that has code.
type Arm struct {
	Pos, If syntax.Pos
	Holds   bool // the branch's condition, where the arm is taken
	Stores  bool // the arm writes device memory
}

// stores reports whether nodes write device memory.
func stores(nodes []ir.Node) bool {
	for in := range ir.Instrs(nodes...) {
		if in.Mem != nil && in.Mem.Space == syntax.Device && in.Op.Info().Effects.Has(ir.Writes) &&
			!(in.Op == ir.Atomic && in.Fn == "load") {
			return true
		}
	}
	return false
}

// arms adds to a map the arms of branches that threads reached, and whether the arm was taken.
func arms(p *machine.Program, o decisions, into map[Arm]bool) {
	for id, c := range p.Sources {
		n, ok := c.Node.(*ir.If)
		if !ok || !o[id].taken && !o[id].left {
			continue // no thread came there
		}
		enter := func(arm []ir.Node, holds, reached bool) {
			for in := range ir.Instrs(arm...) {
				if in.Op != machine.ObserveOp {
					at := Arm{in.Pos, n.Pos, holds, stores(arm)}
					into[at] = into[at] || reached
					return
				}
			}
		}
		enter(n.Then, true, o[id].taken)
		enter(n.Else, false, o[id].left)
	}
}
