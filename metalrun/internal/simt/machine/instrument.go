package machine

import "metalconform/metalrun/internal/ir"

// Operations that the executor adds to the kernels that it compiles. Passes over the IR keep them where they are.
const (
	// ObserveOp announces the access that follows to observers. It has the Mem and From of the access, Fn "load",
	// "store" or "atomic", and an observation as Extra. Args are the values that the access stores.
	ObserveOp = ir.Extended + iota
	// CounterOp counts the run of instructions that follows. Extra is the number of the run.
	CounterOp
	// samplingOp says where a loop begins and ends whose accesses are sampled in its first iterations, and whether
	// enough iterations have been sampled. Fn is "begin", "end" or "enough", of which only the last sets a register, to
	// whether they have. Extra is the number of the loop.
	SamplingOp
	// HitOp stands after an operation that has no specified value for some threads: those for which the first of Args
	// holds. The others are the values that make it so, and Fn says what they are in. With a result it gives the second
	// of Args, and for those threads what the executor puts there.
	HitOp
)

// observation is what an observed access is.
type observation struct {
	Count  int    // consecutive elements
	Number int    // among the observed accesses, in the order of the source
	Atomic string // operation
}

// ObservationOf is what an observeOp is about.
func ObservationOf(in *ir.Instr) observation { return in.Extra.(observation) }

// NumberOf is the number of a run or a loop that a CounterOp or a samplingOp is about.
func NumberOf(in *ir.Instr) int { return in.Extra.(int) }

// Instrumented is a copy of k with an ObserveOp before every access that wanted accepts.
func Instrumented(k *ir.Kernel, wanted func(access *ir.Instr) bool) *ir.Kernel {
	number := 0
	return ir.Rewrite(k, func(_ *ir.Kernel, before []ir.Node, in *ir.Instr) []ir.Node {
		if !wanted(in) {
			return before
		}
		mem, what := *in.Mem, observation{Number: number}
		o := &ir.Instr{Op: ObserveOp, Pos: in.Pos, From: in.From, Mem: &mem}
		number++
		switch in.Op {
		case ir.Load:
			o.Fn, what.Count = "load", len(in.Dst)
		case ir.Store:
			o.Fn, what.Count, o.Args = "store", len(in.Args), in.Args
		default:
			o.Fn, what.Count, what.Atomic = "atomic", 1, in.Fn
		}
		o.Extra = what
		return append(before, o)
	})
}

// IsOp reports whether a node is an instruction of an operation.
func IsOp(n ir.Node, op ir.Op) bool {
	in, ok := n.(*ir.Instr)
	return ok && in.Op == op
}
