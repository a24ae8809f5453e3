package codegen

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/ir/fastmath"
	"metalconform/metalrun/internal/scalar"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// Choices are the sites of a kernel where a device has a choice, those of the
// device as a whole first, then in the order of the program.
func Choices(k *ir.Kernel) []machine.Choice {
	var out []machine.Choice
	if slices.ContainsFunc(k.Regs, func(r ir.RegInfo) bool { return flushable(r.Type) }) && analysis.ComputesFloats(k) {
		out = append(out, machine.Choice{Pos: k.Pos, Kind: machine.Flushing})
	}
	if analysis.HoldsUnwritten(k) {
		out = append(out, machine.Choice{Pos: k.Pos, Kind: machine.Uninitialised})
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
			out = append(out, machine.Choice{Pos: in.Pos, Kind: kind})
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
	if !fastmath.Applies(k) {
		return
	}
	for _, taken := range []bool{false, true} {
		v := ir.Values(k)
		fastmath.Rewrite(v, fastmath.Rules,
			fastmath.Chooser{Takes: func(r *fastmath.Rule, at *ir.Instr) (uint64, bool) {
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
		case kind == machine.Contraction && !fusible[in.Pos], kind == machine.ArrivalOrder && !tells(in):
		default:
			s.add(in.Pos, kind)
		}
	}
}

// flushable reports whether subnormals of a type may count as zero.
func flushable(t ir.Type) bool { return t.IsFloat() }

// choiceOf is the kind of choice that an instruction leaves, if any.
func choiceOf(k *ir.Kernel, in *ir.Instr) string {
	switch in.Freedom() {
	case ir.Contraction:
		if in.Group != 0 || in.Allow&ir.ContractFast != 0 {
			return machine.Contraction
		}
	case ir.Accuracy:
		format := k.Regs[in.Dst[0]].Type.Format()
		if in.Op == ir.Div {
			if scalar.Quotients(format, in.Fast).Open() {
				return machine.Accuracy + quotient
			}
		} else if f := scalar.Float(in.Fn); f != nil && f.Limit(format, in.Fast).Open() {
			return machine.Accuracy + in.Fn
		}
	case ir.SumOrder:
		if k.Regs[in.Dst[0]].Type.IsFloat() {
			return machine.SimdOrder
		}
	case ir.InactiveLane:
		return machine.OtherLane
	case ir.TileOrder:
		return machine.TileOrder
	case ir.ArrivalOrder:
		return machine.ArrivalOrder
	case ir.OutOfRange:
		if _, integer := machine.IntOf(in.To); integer && in.From.Type().IsFloat() {
			return machine.OutOfInteger
		}
	}
	return ""
}
