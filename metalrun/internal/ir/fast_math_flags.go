package ir

import (
	"metalconform/metalrun/internal/hir"
)

// FastMathFlags are the value-changing rewrites that a compiler may apply to an operation. The names below are those of
// the front end, for passes and executors, which do not see types.
type FastMathFlags = hir.FastMathFlags

// The flags, as hir has them.
const (
	Reassociate   = hir.Reassociate
	NoNaNs        = hir.NoNaNs
	NoInfs        = hir.NoInfs
	NoSignedZeros = hir.NoSignedZeros
	Reciprocal    = hir.Reciprocal
	ContractFast  = hir.ContractFast
	Approximate   = hir.Approximate
)

// TouchesFloats reports whether an instruction reads or sets a floating register.
func TouchesFloats(k *Kernel, in *Instr) bool {
	for _, list := range [][]Reg{in.Dst, in.Args} {
		for _, r := range list {
			if k.Regs[r].Type.IsFloat() {
				return true
			}
		}
	}
	return false
}
