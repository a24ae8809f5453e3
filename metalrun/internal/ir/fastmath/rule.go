// Package fastmath is what a compiler may make of floating arithmetic whose instructions
// carry fast-math flags ([ir.FastMathFlags]): sums and products in another order, quotients by
// reciprocals, terms that cancel, comparisons as if there were no NaN.
//
// A [Rule] is one kind of rewriting, at one instruction. Whoever rewrites chooses where a
// rule is applied and, where it can be applied in several ways, how ([Chooser]): an
// adversary by lot, the model of a known compiler as that does.
//
// The rule of the layer: in exact arithmetic a rewriting leaves every value as it is, as
// long as no operation meets a NaN, an infinity or the sign of a zero that its licence
// takes for impossible; and it touches nothing unless the fast-math flags allow it, of each operation that it
// replaces.
//
// What is here is what LLVM does under the same flags: its passes Reassociate, InstCombine,
// InstSimplify, LoopVectorize, and its DAGCombiner. An explicit fma is left whole, as
// compilers leave it.
package fastmath

import "metalconform/metalrun/internal/ir"

// Rule is a kind of rewriting.
type Rule struct {
	// Name is the kind of choice that a device has, such as "order of a sum".
	Name string
	// at rewrites an instruction in place, where the rule applies to it and the chooser
	// has it so; what it computes besides comes before it.
	at func(p *pass, in *ir.Instr)
	// around is the same for a loop: what comes before and after it.
	around func(p *pass, l *ir.Loop) (before, after []ir.Node)
}

// Chooser says what becomes of the places where rules apply.
type Chooser struct {
	// Takes reports whether a rule is applied at an instruction. Where there are several
	// ways, the draw says which.
	Takes func(r *Rule, at *ir.Instr) (draw uint64, ok bool)
}

// Operand is a term of a sum or a factor of a product.
type Operand struct {
	Reg   ir.Reg
	Minus bool // it is subtracted, or negated
}

// Rules are all of them, in the order in which they are applied.
var Rules = []*Rule{
	Comparisons, Infinities, Zeros, Functions, Cancelling, Ratios, Quotients, ReciprocalRoots, Reciprocals,
	Factoring, Distributing, Products, Sums, PartialSums, Fusing, Signs,
}

// Applies reports whether a kernel has an instruction with flags for more than
// approximate functions, which safe math gives too.
func Applies(k *ir.Kernel) bool {
	for in := range ir.Instrs(k.Body...) {
		if in.Allow&^ir.Approximate != 0 {
			return true
		}
	}
	return false
}

// Rewrite applies rules one after the other to k, which has the form of [ir.Values] and
// changes.
func Rewrite(k *ir.Kernel, rules []*Rule, c Chooser) {
	for _, r := range rules {
		p := newPass(k, r, c)
		k.Body = p.list(k.Body)
	}
}
