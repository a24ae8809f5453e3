package sim

import (
	"metalconform/metalrun"
	"metalconform/metalrun/internal/simt"
)

// accesses are what the instructions of a guarded launch have accessed.
func (k *kernel) accesses(p *simt.Program, r *simt.GuardReport) []metalrun.Accessed {
	var list []metalrun.Accessed
	for _, a := range r.Accesses(p.Program) {
		to := metalrun.Accessed{Position: position(a.Pos), Index: a.Index, Write: a.Write, Atomic: a.Atomic}
		for _, s := range a.Spans {
			to.Spans = append(to.Spans, metalrun.ByteSpan(s))
		}
		list = append(list, to)
	}
	return list
}

// tolerated are the accesses that a guarded launch should not have made.
func (k *kernel) tolerated(r *simt.GuardReport) []metalrun.Guarded {
	var list []metalrun.Guarded
	for _, t := range r.Tolerated() {
		list = append(list, metalrun.Guarded{Fault: k.fault(t.Fault), Times: t.Times})
	}
	return list
}
