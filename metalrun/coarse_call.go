package metalrun

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/scalar"
)

// CoarseCall is a call of a library function that is less accurate than the precise f32
// function of that name.
type CoarseCall struct {
	Position Position
	Function string // such as "fast::exp", or "exp of half"
	Half     bool   // it is a function of half
}

// CoarseCalls lists those that an entry point can reach, through functions and
// templates too, in the order of the program, each place once. In a program whose
// unqualified names mean fast functions that is every call.
func (p *Program) CoarseCalls(name string) ([]CoarseCall, error) {
	k, err := p.Lowered(name)
	if err != nil {
		return nil, err
	}
	var calls []CoarseCall
	for in := range ir.Instrs(k.Body...) {
		function, half := coarse(k, in)
		if c := (CoarseCall{position(in.Pos), function, half}); function != "" && !slices.Contains(calls, c) {
			calls = append(calls, c)
		}
	}
	return calls, nil
}

// coarse names the function that an instruction calls if it is one; else "".
func coarse(k *ir.Kernel, in *ir.Instr) (function string, half bool) {
	switch in.Op {
	case ir.Div:
		if in.Fast && k.Regs[in.Dst[0]].Type == ir.F32 {
			return "fast::divide", false
		}
	case ir.Math:
		f := scalar.Float(in.Fn)
		switch t := k.Regs[in.Dst[0]].Type; {
		case f == nil:
		case t == ir.F32 && in.Fast && f.CoarserIfFast():
			return "fast::" + in.Fn, false
		case t == ir.F16 && f.Limit(scalar.Half, false).Open():
			return in.Fn + " of half", true
		}
	}
	return "", false
}
