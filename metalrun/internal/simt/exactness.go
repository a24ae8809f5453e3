package simt

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/syntax"
)

// exactness is what a program with Options.Exact knows of its kernel: registers and objects that depend on floats have
// balls.
type exactness struct {
	*analysis.FloatDependence
	privateLog   uint // logarithm of the bytes of a cell of a thread's memory
	privateCells int  // of a thread
	crossing     *analysis.CrossLane
	snaps        bool // there are constants that may round sums
}

// newExactness lays out the cells of a thread's memory, if any of it has balls. carried are buffers that have balls
// when a launch begins.
func newExactness(k *ir.Kernel, carried uint32) *exactness {
	x := &exactness{FloatDependence: analysis.DependsOnFloats(k, carried), privateLog: 2}
	holds := false
	for i := range k.Objects {
		if c := x.At(analysis.Place{Space: syntax.Thread, Object: i}); c != nil && c.Depends {
			holds = true
			x.privateLog = min(x.privateLog, c.Log())
		}
	}
	for _, o := range k.Objects {
		if holds && o.Space == syntax.Thread {
			x.privateCells += (o.Size + 3) / 4 * 4 >> x.privateLog
		}
	}
	return x
}
