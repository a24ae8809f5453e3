// Package llvm makes of a kernel what Apple's default build makes of its floating arithmetic:
// what LLVM does under the fast-math flags of instructions ([ir.FastMathFlags]), in its order, with
// its choices.
//
// The rule of the layer: rules, not cases. Each file is one of LLVM's passes, or the part of it that
// decides which roundings there are: common computations are shared (EarlyCSE, GVN), expressions
// simplified and moved to where they are read (InstCombine), sums and products put in the order of ranks
// (Reassociate), quotients
// multiplied by reciprocals, and products fused with the sums that read them (code generation).
// What only moves or saves work, and rounds nothing differently, is left out. Two choices are the GPU's
// and not LLVM's: factors that are the same in all threads come last, and the order of products whose
// factors earlier blocks have loaded.
package llvm

import "metalconform/metalrun/internal/ir"

// Optimise is a copy of k as the default build has it.
func Optimise(k *ir.Kernel) *ir.Kernel {
	f := newFunction(ir.Values(k))
	f.all()
	f.leave()
	return ir.Tidy(f.k)
}

// all is the whole pipeline.
func (f *function) all() {
	f.simplifyAll()
	f.reciprocals()
	f.turns()
	f.joinLiterals()
	f.share()
	f.splitProducts()
	f.share()
	f.contract()
}

// simplifyAll is what does not depend on the machine.
func (f *function) simplifyAll() {
	f.share()
	f.combine()
	f.sink()
	f.reassociate()
	f.combine()
	f.share()
}
