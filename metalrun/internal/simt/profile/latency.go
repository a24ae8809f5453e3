package profile

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/syntax"
)

// Latencies of a single simdgroup on a core, in cycles: of an instruction, of overlapping loads from the device, and of
// a load from threadgroup memory. They have the order of magnitude of those in metalrun/sim.
const (
	instructionCycles = 4
	deviceCycles      = 200
	sharedCycles      = 30
)

// latency is the latency of a run of instructions for a single simdgroup.
type latency struct {
	cycles int64 // without loads from the device
	device bool  // it loads from the device
	// number of unrolled iterations whose loads overlap: 1 for most runs, 0 for what unrolled iterations share
	bodies int64
}

// findLatencies finds the latency of each run.
func (p *Profiler) findLatencies(source *ir.Kernel) []latency {
	runs := p.counting.runs
	list := make([]latency, len(runs))
	for i, n := range bodies(source, runs) {
		w := latency{cycles: int64(instructionCycles * len(runs[i])), bodies: n}
		for _, in := range runs[i] {
			switch {
			case !sharedAccess(in) || in.Op == ir.Store:
			case in.Mem.Space == syntax.Threadgroup:
				w.cycles += sharedCycles
			default:
				w.device = true
			}
		}
		list[i] = w
	}
	return list
}

// issue counts a run of instructions that simdgroups with active threads execute so many times. The first of the
// unrolled iterations of a run begins a window. A run that unrolled iterations share begins none.
func (w *sampler) issue(run int, active []int, times int64) {
	waits := &w.latencies[run]
	going, begun := w.window, int64(0) // the window of the first execution, and the number of windows that begin
	if waits.bodies > 0 {
		first := w.iterations[run]
		w.iterations[run] += times
		begun = rows(w.iterations[run], waits.bodies) - rows(first, waits.bodies)
		w.window += begun
		if first%waits.bodies == 0 {
			going = 0
		}
	}
	for i, n := range active {
		if n == 0 {
			continue
		}
		w.issued[i] += waits.cycles * times
		if !waits.device {
			continue
		}
		w.issued[i] += begun * deviceCycles
		if going != 0 && w.loaded[i] != going {
			w.issued[i] += deviceCycles
		}
		w.loaded[i] = w.window
	}
}

// rows is how many groups of so many unrolled iterations have begun after n iterations.
func rows(n, bodies int64) int64 { return (n + bodies - 1) / bodies }

// barrier adds a barrier: the others wait for the simdgroup with the most cycles.
func (w *sampler) barrier() {
	if !w.active() {
		return
	}
	var sum, longest int64
	for i, n := range w.issued {
		sum, longest = sum+n, max(longest, n)
		w.issued[i] = 0
	}
	w.group.Issued += sum
	w.group.Longest += longest
}

// bodies gives the number of unrolled iterations of each run whose loads overlap: 1 for most runs, 0 for what unrolled
// iterations share.
func bodies(k *ir.Kernel, runs []Run) []int64 {
	of := map[*ir.Instr]int64{}
	ir.Walk(k.Body, func(n ir.Node) bool {
		l, ok := n.(*ir.Loop)
		if !ok {
			return true
		}
		rows := int64(analysis.UnrolledBodies(k, l))
		if rows <= 1 || !analysis.IndependentIterations(k, l) {
			return true
		}
		for _, part := range [][]ir.Node{l.Head, l.Body, l.Post} {
			for in := range ir.Instrs(part...) {
				of[in] = 0
			}
		}
		for in := range ir.Instrs(l.Body...) {
			of[in] = rows
			break
		}
		return true
	})
	list := make([]int64, len(runs))
	for i, run := range runs {
		list[i] = 1
		if len(run) > 0 {
			if n, ok := of[run[0]]; ok {
				list[i] = n
			}
		}
	}
	return list
}
