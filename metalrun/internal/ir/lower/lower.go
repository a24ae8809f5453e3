// Package lower translates the typed tree of an entry point to the IR.
//
// An analysis of the entry point and of all functions that it calls decides first where each variable lives
// (storage.go): in registers, or in memory if a pointer or an index that is not constant needs its address. Then one
// pass over the tree emits instructions. [ir.Simplify] cleans up after it.
//
//   - A value is a list of scalar registers in the order of its type's leaves (value.go). A run is the leaves that one
//     access moves.
//   - An lvalue is a variable in registers, or an address (lvalue.go).
//   - A pointer stays symbolic, base + index·scale + displacement, until it is stored (address.go).
//   - Calls are inlined. Functions that call each other in a cycle become one loop over the code between these calls,
//     with a stack in memory (recursion.go, continuation.go, stack.go).
//
// Invariants: operands are evaluated in the order of the source, and each exactly once. A register that the source
// assigns is copied before a later operand may change it (freeze). A construct without a meaning in the IR is refused
// with a *syntax.Error at its position; nothing is lowered to something else.
//
// The rule of the layer: this package alone sees both the tree and the IR. It knows nothing of executors.
package lower

import (
	"fmt"
	"slices"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// Lower translates an entry point of a checked program. It refuses a construct that has no meaning in the IR with a
// *syntax.Error at the construct's position.
func Lower(fn *hir.Func) (*ir.Kernel, error) {
	k, err := translate(fn)
	if err != nil {
		return nil, err
	}
	ir.Simplify(k)
	return k, nil
}

// Checker says of entry points why they cannot be translated. A function that several of them
// call, or one calls often, is translated once.
type Checker struct {
	functions map[*hir.Func]int // the functions without an error, and the instructions that they become
	spare     lowerer           // its memory can be used again
}

// NewChecker makes a checker that has seen nothing.
func NewChecker() *Checker { return &Checker{map[*hir.Func]int{}, lowerer{k: &ir.Kernel{}}} }

// Check is the error of [Lower].
func (c *Checker) Check(fn *hir.Func) error {
	l := c.spare
	l.known = c.functions
	k, err := l.translate(fn)
	if err == nil {
		clear(k.Regs)
		clear(l.defs)
		c.spare = lowerer{
			k:       &ir.Kernel{Regs: k.Regs[:0]},
			emitter: emitter{defs: l.defs[:0], mutable: l.mutable[:0], aliased: l.aliased[:0]},
		}
	}
	return err
}

// translate is Lower without the clean-up.
func translate(fn *hir.Func) (*ir.Kernel, error) { return (&lowerer{k: &ir.Kernel{}}).translate(fn) }

// translate makes l's kernel, which is empty.
func (l *lowerer) translate(fn *hir.Func) (kernel *ir.Kernel, err error) {
	*l = lowerer{
		k:        &ir.Kernel{Name: fn.Name, Pos: fn.Pos, Regs: l.k.Regs},
		emitter:  emitter{defs: l.defs, mutable: l.mutable, aliased: l.aliased},
		known:    l.known,
		storage:  analyse(fn),
		pos:      fn.Pos,
		fast:     fn.Kernel != nil && fn.Kernel.FastDivision,
		vars:     map[*hir.Var]lvalue{},
		pointers: map[*hir.Var]lvalue{},
		objects:  map[*hir.Var]ir.Reg{},
		limits:   map[ir.Reg]uint64{},
		effects:  map[hir.Expr]bool{},
	}
	l.shared = shared{
		data:     map[constantKey]ir.Reg{},
		literals: map[literalKey]ir.Reg{},
		inputs:   map[inputKey]ir.Reg{},
		runs:     map[hir.Type][]run{},
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *syntax.Error:
			kernel, err = nil, r
		default:
			panic(fmt.Sprintf("lowering %s at %s: %v", fn.Name, l.pos, r))
		}
	}()
	if fn.Kernel == nil {
		l.fail("not-a-kernel", "%s is not an entry point", fn.Name)
	}
	l.k.MaxThreads, l.most = fn.Kernel.MaxThreads, fn.Kernel.Instructions
	l.entry(fn)
	return l.k, nil
}

// lowerer is the state of one translation.
type lowerer struct {
	k       *ir.Kernel
	storage *storage
	emitter
	shared

	pos  syntax.Pos // the expression or statement being lowered
	fast bool       // the operator / is fast division

	groups int32             // contraction groups so far
	group  int32             // the contraction group of the current full expression
	allow  hir.FastMathFlags // what the source allows with the current operation

	vars     map[*hir.Var]lvalue // variables in scope
	pointers map[*hir.Var]lvalue // what pointers that are only dereferenced point to
	objects  map[*hir.Var]ir.Reg // addresses of variables in memory
	limits   map[ir.Reg]uint64   // least known upper bound of a loop variable, unsigned
	effects  map[hir.Expr]bool   // which operations and calls may assign a variable

	known      map[*hir.Func]int // of a Checker, otherwise nil
	contextual int               // faults met so far that depend on the arguments of the enclosing functions

	frame  *frame
	cycle  *cycle   // the cycle whose functions are being lowered, nil outside of one
	stacks []*stack // the stacks of cycles, by nesting
}

// emitter appends instructions.
type emitter struct {
	body    *[]ir.Node  // where instructions are appended
	prelude []ir.Node   // instructions to run at the start of the kernel
	count   int         // instructions so far
	most    int         // the limit of count
	defs    []*ir.Instr // defs[r] is the instruction that sets temporary r
	mutable []bool      // mutable[r]: r belongs to a variable that the source assigns
	aliased []bool      // aliased[r]: and a reference or pointer leads to it
}

// shared are the values that the whole kernel computes once.
type shared struct {
	data     map[constantKey]ir.Reg // addresses of constant data by contents
	literals map[literalKey]ir.Reg
	inputs   map[inputKey]ir.Reg
	runs     map[hir.Type][]run
	lane     []ir.Reg // row and column of the first element of a simdgroup matrix that this lane holds
}

// literalKey identifies a literal.
type literalKey struct {
	typ     ir.Type
	bits    uint64
	decimal syntax.Decimal
}

type inputKey struct {
	source ir.Source
	index  int
}

type constantKey struct {
	align int
	data  string
}

// fail refuses the program at the current position.
func (l *lowerer) fail(code, format string, args ...any) {
	panic(&syntax.Error{Pos: l.pos, Code: code, Msg: fmt.Sprintf(format, args...)})
}

// at makes pos the current position until the returned function is called.
func (l *lowerer) at(pos syntax.Pos) (restore func()) {
	old := l.pos
	l.pos = pos
	return func() { l.pos = old }
}

// Registers

func (l *lowerer) register(info ir.RegInfo) ir.Reg {
	l.k.Regs = append(l.k.Regs, info)
	l.defs = append(l.defs, nil)
	l.mutable = append(l.mutable, false)
	l.aliased = append(l.aliased, false)
	return ir.Reg(len(l.k.Regs) - 1)
}

func (l *lowerer) temp(t ir.Type) ir.Reg { return l.register(ir.RegInfo{Kind: ir.Temp, Type: t}) }

func (l *lowerer) variable(t ir.Type, name string) ir.Reg {
	return l.register(ir.RegInfo{Kind: ir.Variable, Type: t, Name: name})
}

func (l *lowerer) typeOf(r ir.Reg) ir.Type { return l.k.Regs[r].Type }

// literal is a constant of type t: a sign-extended integer, 0 or 1, or the
// bits of a float in its own format.
func (l *lowerer) literal(t ir.Type, bits uint64) ir.Reg { return l.decimal(t, bits, syntax.Decimal{}) }

// decimal is a literal with what its text says.
func (l *lowerer) decimal(t ir.Type, bits uint64, says syntax.Decimal) ir.Reg {
	switch t {
	case ir.I32:
		bits = ir.Canonical(t, bits)
	case ir.F32:
		bits &= 1<<32 - 1
	case ir.F16, ir.BF16:
		bits &= 1<<16 - 1
	}
	key := literalKey{t, bits, says}
	r, ok := l.literals[key]
	if !ok {
		r = l.register(ir.RegInfo{Kind: ir.Literal, Type: t, Bits: bits, Decimal: says})
		l.literals[key] = r
	}
	return r
}

func (l *lowerer) i32(v int64) ir.Reg { return l.literal(ir.I32, uint64(v)) }
func (l *lowerer) i64(v int64) ir.Reg { return l.literal(ir.I64, uint64(v)) }

// constant is the value of r if it is a literal.
func (l *lowerer) constant(r ir.Reg) (bits uint64, ok bool) {
	info := &l.k.Regs[r]
	return info.Bits, info.Kind == ir.Literal
}

func (l *lowerer) input(source ir.Source, index int, name string) ir.Reg {
	key := inputKey{source, index}
	r, ok := l.inputs[key]
	if !ok {
		t := ir.I32
		if source == ir.BufferPointer || source == ir.ThreadgroupPointer {
			t = ir.Ptr
		}
		r = l.register(ir.RegInfo{Kind: ir.Input, Type: t, Input: source, Index: index, Name: name})
		l.inputs[key] = r
	}
	return r
}

// Instructions

func (l *lowerer) emit(in *ir.Instr) {
	in.Pos, in.Allow = l.pos, l.fastMathFlags(in)
	l.counted(1)
	for _, d := range in.Dst {
		if l.k.Regs[d].Kind == ir.Temp {
			l.defs[d] = in
		}
	}
	*l.body = append(*l.body, in)
}

// counted notes n more instructions.
func (l *lowerer) counted(n int) {
	if l.count += n; l.count > l.most {
		l.fail("too-large", "kernel %s becomes more than %d instructions here, which -compile-budget can raise",
			l.k.Name, l.most)
	}
}

// fastMathFlags are the flags of an instruction of k: none unless it is a floating operation. Contraction groups say
// which operations may be contracted within an expression.
func (l *lowerer) fastMathFlags(in *ir.Instr) ir.FastMathFlags {
	if !in.Op.Info().FastMath || !ir.TouchesFloats(l.k, in) {
		return 0
	}
	allow := l.allow &^ hir.ContractOn
	if in.Fast {
		allow |= ir.Approximate
	}
	return allow
}

// under sets the flags of the source until the returned function is called.
func (l *lowerer) under(math hir.FastMathFlags) (restore func()) {
	old := l.allow
	l.allow = math
	return func() { l.allow = old }
}

// op emits an operation with one result of type t, or folds it.
func (l *lowerer) op(op ir.Op, t ir.Type, args ...ir.Reg) ir.Reg {
	return l.result(t, &ir.Instr{Op: op, Args: args})
}

// fusible is op for arithmetic that may be contracted in its full expression, where the
// source allows it.
func (l *lowerer) fusible(op ir.Op, t ir.Type, args ...ir.Reg) ir.Reg {
	in := &ir.Instr{Op: op, Args: args}
	if l.allow&hir.ContractOn != 0 && t.IsFloat() {
		in.Group = l.group
	}
	return l.result(t, in)
}

func (l *lowerer) result(t ir.Type, in *ir.Instr) ir.Reg {
	if bits, ok := ir.FoldArgs(l.k, in); ok {
		return l.decimal(t, bits, ir.FoldDecimals(l.k, in, t, bits))
	}
	r := l.temp(t)
	in.Dst = []ir.Reg{r}
	l.emit(in)
	return r
}

func (l *lowerer) convert(from, to ir.Scalar, a ir.Reg) ir.Reg {
	return l.result(to.Type(), &ir.Instr{Op: ir.Convert, From: from, To: to, Args: []ir.Reg{a}})
}

func (l *lowerer) bitcast(from, to ir.Scalar, a ir.Reg) ir.Reg {
	return l.result(to.Type(), &ir.Instr{Op: ir.Bitcast, From: from, To: to, Args: []ir.Reg{a}})
}

func (l *lowerer) copy(dst, src ir.Reg) {
	if dst != src {
		l.emit(&ir.Instr{Op: ir.Copy, Dst: []ir.Reg{dst}, Args: []ir.Reg{src}})
	}
}

// poison is a register of type t with an indeterminate value.
func (l *lowerer) poison(t ir.Type) ir.Reg { return l.op(ir.Poison, t) }

// math calls a function with one result.
func (l *lowerer) math(fn string, t ir.Type, fast bool, args ...ir.Reg) ir.Reg {
	return l.result(t, &ir.Instr{Op: ir.Math, Fn: fn, Fast: fast, Args: args})
}

// quotient is a division of floats.
func (l *lowerer) quotient(t ir.Type, fast bool, args ...ir.Reg) ir.Reg {
	return l.result(t, &ir.Instr{Op: ir.Div, Fast: fast, Args: args})
}

// into collects the nodes that f emits.
func (l *lowerer) into(f func()) []ir.Node {
	old := l.body
	var list []ir.Node
	l.body = &list
	f()
	l.body = old
	return list
}

// ifElse emits an If; either side may be nil.
func (l *lowerer) ifElse(cond ir.Reg, then, otherwise func()) {
	node := &ir.If{Pos: l.pos, Cond: cond}
	if then != nil {
		node.Then = l.into(then)
	}
	if otherwise != nil {
		node.Else = l.into(otherwise)
	}
	*l.body = append(*l.body, node)
}

// freeze copies those of regs that the source can assign, so that the values stay.
func (l *lowerer) freeze(regs []ir.Reg) []ir.Reg {
	if !slices.ContainsFunc(regs, func(r ir.Reg) bool { return l.mutable[r] }) {
		return regs
	}
	frozen := slices.Clone(regs)
	for i, r := range frozen {
		frozen[i] = l.freezeReg(r)
	}
	return frozen
}

func (l *lowerer) freezeReg(r ir.Reg) ir.Reg {
	if r != ir.None && l.mutable[r] {
		return l.op(ir.Copy, l.typeOf(r), r)
	}
	return r
}

// fullExpression runs f with a contraction group of its own.
func (l *lowerer) fullExpression(f func()) {
	old := l.group
	l.groups++
	l.group = l.groups
	f()
	l.group = old
}
