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

// fastMathFlags are the flags of an instruction of k: none unless it is a floating operation. Contraction groups say
// which operations may be contracted within an expression.
func (l *lowerer) fastMathFlags(in *Instr) FastMathFlags {
	if !in.Op.Info().FastMath || !touchesFloats(l.k, in) {
		return 0
	}
	allow := l.allow &^ hir.ContractOn
	if in.Fast {
		allow |= Approximate
	}
	return allow
}

// touchesFloats reports whether an instruction reads or sets a floating register.
func touchesFloats(k *Kernel, in *Instr) bool {
	for _, list := range [][]Reg{in.Dst, in.Args} {
		for _, r := range list {
			if k.Regs[r].Type.IsFloat() {
				return true
			}
		}
	}
	return false
}

// under sets the flags of the source until the returned function is called.
func (l *lowerer) under(math hir.FastMathFlags) (restore func()) {
	old := l.allow
	l.allow = math
	return func() { l.allow = old }
}
