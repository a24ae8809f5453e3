package sanitize

import (
	"math/bits"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// outcomes is which way the threads of a launch went, per branch of the program.
type outcomes []ways

// ways are a hash of which threads took a branch whenever they came there, and whether any did and any did not.
type ways struct {
	hash        uint64
	taken, left bool
}

// note adds one decision, of so many threads.
func (o outcomes) note(id int, taken []uint32, threads int) {
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

// differs is the first branch at which two launches went different ways.
func (o outcomes) differs(other outcomes) (id int, ok bool) {
	for i, w := range o {
		if w.hash != other[i].hash {
			return i, true
		}
	}
	return 0, false
}

// recorder records which way the threads of a launch go.
type recorder struct {
	machine.NoObserver
	outcomes
}

// Branch records one decision.
func (r recorder) Branch(_ *machine.Machine, id int, taken []uint32, threads int) {
	r.note(id, taken, threads)
}

// Arm is code that some branch leads to.
type Arm struct {
	Pos, If syntax.Pos
	Holds   bool // the branch's condition, where the arm is taken
}

// arms adds to a map the arms with code of branches that threads came to, and which were reached.
func arms(p *machine.Program, o outcomes, into map[Arm]bool) {
	for id, c := range p.Sources {
		n, ok := c.Node.(*ir.If)
		if !ok || !o[id].taken && !o[id].left {
			continue // no thread came there
		}
		enter := func(arm []ir.Node, holds, reached bool) {
			for in := range ir.Instrs(arm...) {
				if in.Op != machine.ObserveOp {
					at := Arm{in.Pos, n.Pos, holds}
					into[at] = into[at] || reached
					return
				}
			}
		}
		enter(n.Then, true, o[id].taken)
		enter(n.Else, false, o[id].left)
	}
}
