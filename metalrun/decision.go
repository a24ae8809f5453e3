package metalrun

import (
	"math"
	"slices"
	"strings"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/scalar"
)

// Decisions lists the numbers at which an entry point changes its behaviour, as far as its instructions show them:
// numbers that it compares with, adds to floats before it compares them, divides by or shifts by, and the sizes at
// which sums in narrow integers overflow. Each number is listed once, in the order of the program. Tests of a kernel
// use both sides of each number.
func (p *Program) Decisions(name string) (integers, floats []float64, err error) {
	k, err := p.Lowered(name)
	if err != nil {
		return nil, nil, err
	}
	sums := map[ir.Reg]*ir.Instr{}
	for in := range ir.Instrs(k.Body...) {
		if in.Op == ir.Add || in.Op == ir.Sub {
			sums[in.Dst[0]] = in
		}
		if x, ok := overflow(in, sums); ok && !slices.Contains(integers, x) {
			integers = append(integers, x)
		}
		for _, a := range in.Args {
			list := &integers
			if k.Regs[a].Type.IsFloat() {
				list = &floats
			}
			if x, ok := decision(in, k.Regs[a]); ok && !slices.Contains(*list, x) {
				*list = append(*list, x)
			}
		}
	}
	return integers, floats, nil
}

// overflow is a number of terms that brings a sum in a narrow integer beyond its range, even where half of them are 1
// and the others 0.
func overflow(in *ir.Instr, sums map[ir.Reg]*ir.Instr) (float64, bool) {
	if in.Op != ir.Convert || in.To.Size() > 2 || in.To.Type() != ir.I32 {
		return 0, false
	}
	if sum := sums[in.Args[0]]; sum == nil || !slices.Contains(sum.Args, in.Dst[0]) {
		return 0, false
	}
	return float64(int(3) << (8 * in.To.Size())), true
}

// decision is the number that an operand is, if something may hang on it.
func decision(in *ir.Instr, r ir.RegInfo) (float64, bool) {
	if r.Kind != ir.Literal {
		return 0, false
	}
	switch in.Op {
	case ir.Eq, ir.Ne, ir.SLt, ir.SLe, ir.ULt, ir.ULe, ir.FLt, ir.FLe, ir.UDiv, ir.SDiv, ir.URem, ir.SRem:
	case ir.Add, ir.Sub:
		if !r.Type.IsFloat() {
			return 0, false
		}
	case ir.LShr, ir.AShr:
		if r.Bits > 62 {
			return 0, false
		}
		return float64(uint64(1) << r.Bits), true
	case ir.Math:
		if name, _, _ := strings.Cut(in.Fn, "_"); name != "min" && name != "max" {
			return 0, false
		}
	default:
		return 0, false
	}
	x := float64(int64(r.Bits))
	switch r.Type {
	case ir.F32:
		x = float64(math.Float32frombits(uint32(r.Bits)))
	case ir.F16:
		x = float64(scalar.FromHalfBits(uint16(r.Bits)))
	case ir.BF16:
		x = float64(scalar.FromBfloatBits(uint16(r.Bits)))
	}
	return x, !math.IsNaN(x) && !math.IsInf(x, 0)
}
