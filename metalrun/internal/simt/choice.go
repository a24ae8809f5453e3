package simt

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/ir/fastmath"
	"metalconform/metalrun/internal/scalar"
	"metalconform/metalrun/internal/syntax"
)

// A Choice is a site where Metal leaves the result to the device: the adversary
// takes it against the kernel.
type Choice struct {
	Pos  syntax.Pos
	Kind string
}

// Kinds of choices.
const (
	flushing      = "subnormals as zero"
	uninitialised = "contents of memory that nobody has written"
	contraction   = "fusing of product and sum"
	simdOrder     = "order of a simdgroup sum"
	tileOrder     = "order and fusing of a matrix product"
	arrivalOrder  = "order in which threads come to an atomic operation"
	accuracy      = "accuracy of "
	outOfRange    = "integer of a float out of its range"
	otherLane     = "value of a lane that cannot be read"
	notFinite     = "NaN or infinity in fast math"
)

// Choices are the sites of a kernel where a device has a choice, those of the
// device as a whole first, then in the order of the program.
func Choices(k *ir.Kernel) []Choice {
	var out []Choice
	if analysis.ComputesFloats(k) {
		out = append(out, Choice{k.Pos, flushing})
	}
	if analysis.HoldsUnwritten(k) {
		out = append(out, Choice{k.Pos, uninitialised})
	}
	s := sites{kinds: map[syntax.Pos][]string{}}
	s.find(k)
	seen := map[syntax.Pos]bool{}
	for in := range ir.Instrs(k.Body...) {
		if seen[in.Pos] {
			continue
		}
		seen[in.Pos] = true
		for _, kind := range s.kinds[in.Pos] {
			out = append(out, Choice{in.Pos, kind})
		}
	}
	return out
}

// sites are the kinds of choices by position.
type sites struct{ kinds map[syntax.Pos][]string }

func (s sites) add(pos syntax.Pos, kind string) {
	if kind != "" && !slices.Contains(s.kinds[pos], kind) {
		s.kinds[pos] = append(s.kinds[pos], kind)
	}
}

// find collects the sites of a kernel: as it is written and, where a compiler may rewrite
// it, rewritten wherever that is possible, which opens others.
func (s sites) find(k *ir.Kernel) {
	s.collect(k)
	for _, c := range finiteSites(k) {
		s.add(c.Pos, c.Kind)
	}
	if !fastmath.Licensed(k) {
		return
	}
	for _, taken := range []bool{false, true} {
		v := ir.Values(k)
		fastmath.Rewrite(v, fastmath.Rules, fastmath.Chooser{Takes: func(r *fastmath.Rule, at *ir.Instr) (uint64, bool) {
			s.add(at.Pos, r.Name)
			return 0, taken
		}})
		s.collect(v)
	}
}

// collect adds the choices that the instructions of a kernel leave.
func (s sites) collect(k *ir.Kernel) {
	fusible := map[syntax.Pos]bool{}
	ir.Contract(k, func(sum *ir.Instr) bool { fusible[sum.Pos] = true; return false })
	tells := analysis.TellsArrival(k)
	for in := range ir.Instrs(k.Body...) {
		switch kind := choiceOf(k, in); {
		case kind == contraction && !fusible[in.Pos], kind == arrivalOrder && !tells(in):
		default:
			s.add(in.Pos, kind)
		}
	}
}

// choiceOf is the kind of choice that an instruction leaves, if any.
func choiceOf(k *ir.Kernel, in *ir.Instr) string {
	switch in.Freedom() {
	case ir.Contraction:
		if in.Group != 0 || in.Allow&ir.ContractFast != 0 {
			return contraction
		}
	case ir.Accuracy:
		format := k.Regs[in.Dst[0]].Type.Format()
		if in.Op == ir.Div {
			if scalar.Quotients(format, in.Fast).Open() {
				return accuracy + quotient
			}
		} else if f := scalar.Float(in.Fn); f != nil && f.Limit(format, in.Fast).Open() {
			return accuracy + in.Fn
		}
	case ir.SumOrder:
		if k.Regs[in.Dst[0]].Type.IsFloat() {
			return simdOrder
		}
	case ir.InactiveLane:
		return otherLane
	case ir.TileOrder:
		return tileOrder
	case ir.ArrivalOrder:
		return arrivalOrder
	case ir.OutOfRange:
		if _, integer := intOf(in.To); integer && in.From.Type().IsFloat() {
			return outOfRange
		}
	}
	return ""
}
