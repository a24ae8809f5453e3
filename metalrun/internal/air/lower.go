package air

import (
	"fmt"
	"slices"

	"metalconform/metalrun/internal/air/bitcode"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// refusal is the panic that ends a translation.
type refusal string

// refuse ends the translation of a kernel: it has something that the IR has no meaning for.
func refuse(format string, args ...any) { panic(refusal(fmt.Sprintf(format, args...))) }

// Bounds of a kernel. The largest of the known libraries has 40,000 instructions.
const (
	maxInstrs  = 1 << 19
	maxInlined = 64      // calls in calls
	maxObject  = 1 << 24 // bytes of one variable
	maxScalars = 1 << 12 // of one value
)

// lowerer is the translation of one kernel.
type lowerer struct {
	module *bitcode.Module
	values func(index int) (bits uint64, ok bool) // of function constants
	k      *ir.Kernel

	list    *[]ir.Node
	prelude []ir.Node // what runs at the start of the kernel
	count   int       // instructions so far
	depth   int       // calls that are inlined at the moment
	groups  int32     // contraction groups so far
	pos     syntax.Pos
	allow   ir.FastMathFlags // of the instruction that is translated
	listing string           // the file of positions without line information
	lines   map[*bitcode.Instr]int32

	funcs    map[string]*bitcode.Func
	literals map[literal]ir.Reg
	inputs   map[input]ir.Reg
	objects  map[*bitcode.Global]ir.Reg
	indices  map[*bitcode.Global]int // of function constants
	lane     []ir.Reg                // row and column of the first matrix element of this lane
}

type literal struct {
	t    ir.Type
	bits uint64
}

type input struct {
	source ir.Source
	index  int
}

// lower translates a kernel. A failure is a refusal.
func (l *lowerer) lower(f *bitcode.Func, args []argument) (k *ir.Kernel, err error) {
	defer func() {
		if p := recover(); p != nil {
			why, ok := p.(refusal)
			if !ok {
				panic(p)
			}
			k, err = nil, &syntax.Error{Pos: l.pos, Code: "air", Msg: string(why)}
		}
	}()
	l.number()
	l.pos = l.k.Pos
	var body []ir.Node
	l.list = &body
	entry := l.frame(f)
	l.parameters(entry, args)
	l.initialise()
	entry.body()
	entry.block.Body = append(append(l.prelude, body...), entry.block.Body...)
	l.k.Body = []ir.Node{entry.block}
	ir.Simplify(l.k)
	if err := ir.Verify(l.k); err != nil {
		refuse("the translation is not well formed: %v", err)
	}
	return l.k, nil
}

// number gives each instruction its line in the listing.
func (l *lowerer) number() {
	l.lines = map[*bitcode.Instr]int32{}
	l.funcs = map[string]*bitcode.Func{}
	line := int32(0)
	for _, f := range l.module.Functions {
		if len(f.Blocks) == 0 {
			continue
		}
		l.funcs[f.Name] = f
		line++
		for i, b := range f.Blocks {
			if i > 0 {
				line++
			}
			for _, in := range b.Instrs {
				line++
				l.lines[in] = line
			}
		}
		line += 2
	}
}

// at makes the position of an instruction the current one.
func (l *lowerer) at(in *bitcode.Instr) {
	if in.Loc.Line > 0 {
		if file, _ := in.Loc.Scope.File(); file != "" {
			l.pos = syntax.Pos{File: file, Line: int32(in.Loc.Line), Col: int32(max(in.Loc.Col, 1))}
			return
		}
	}
	l.pos = syntax.Pos{File: l.listing, Line: l.lines[in], Col: 1}
}

// Registers and instructions.

func (l *lowerer) temp(t ir.Type) ir.Reg { return l.k.Temporary(t) }

func (l *lowerer) literal(t ir.Type, bits uint64) ir.Reg {
	key := literal{t, ir.Canonical(t, bits)}
	if r, ok := l.literals[key]; ok {
		return r
	}
	r := l.k.Register(ir.RegInfo{Kind: ir.Literal, Type: t, Bits: key.bits})
	l.literals[key] = r
	return r
}

func (l *lowerer) i32(v int) ir.Reg { return l.literal(ir.I32, uint64(v)) }

func (l *lowerer) i64(v int64) ir.Reg { return l.literal(ir.I64, uint64(v)) }

// input is what a launch sets.
func (l *lowerer) input(source ir.Source, index int, name string) ir.Reg {
	key := input{source, index}
	if r, ok := l.inputs[key]; ok {
		return r
	}
	t := ir.I32
	if source == ir.BufferPointer || source == ir.ThreadgroupPointer {
		t = ir.Ptr
	}
	r := l.k.Register(ir.RegInfo{Kind: ir.Input, Type: t, Input: source, Index: index, Name: name})
	l.inputs[key] = r
	return r
}

func (l *lowerer) typeOf(r ir.Reg) ir.Type { return l.k.Regs[r].Type }

// emit appends an instruction. Floating operations get the flags of the instruction that is translated.
func (l *lowerer) emit(in *ir.Instr) {
	if l.count++; l.count > maxInstrs {
		refuse("the kernel has more than %d instructions", maxInstrs)
	}
	in.Pos = l.pos
	in.Dst, in.Args = slices.Clone(in.Dst), slices.Clone(in.Args) // passes rename registers in place
	if in.Op.Info().FastMath && ir.TouchesFloats(l.k, in) {
		if in.Allow = l.allow; in.Fast {
			in.Allow |= ir.Approximate
		}
	}
	*l.list = append(*l.list, in)
}

// result appends an instruction with one result, or folds it.
func (l *lowerer) result(t ir.Type, in *ir.Instr) ir.Reg {
	if bits, ok := ir.FoldArgs(l.k, in); ok {
		return l.literal(t, bits)
	}
	d := l.temp(t)
	in.Dst = []ir.Reg{d}
	l.emit(in)
	return d
}

func (l *lowerer) op(op ir.Op, t ir.Type, args ...ir.Reg) ir.Reg {
	return l.result(t, &ir.Instr{Op: op, Args: args})
}

func (l *lowerer) convert(from, to ir.Scalar, r ir.Reg) ir.Reg {
	return l.result(to.Type(), &ir.Instr{Op: ir.Convert, Args: []ir.Reg{r}, From: from, To: to})
}

func (l *lowerer) bitcast(from, to ir.Scalar, r ir.Reg) ir.Reg {
	if from == to {
		return r
	}
	return l.result(to.Type(), &ir.Instr{Op: ir.Bitcast, Args: []ir.Reg{r}, From: from, To: to})
}

func (l *lowerer) copy(to, from ir.Reg) {
	l.emit(&ir.Instr{Op: ir.Copy, Dst: []ir.Reg{to}, Args: []ir.Reg{from}})
}

// into collects the nodes that f emits.
func (l *lowerer) into(f func()) []ir.Node {
	outer := l.list
	var list []ir.Node
	l.list = &list
	f()
	l.list = outer
	return list
}

// variable is a register that may be set anywhere.
func (l *lowerer) variable(t ir.Type, name string) ir.Reg {
	return l.k.Register(ir.RegInfo{Kind: ir.Variable, Type: t, Name: name})
}

// flags are the fast-math flags of an instruction, as the IR has them.
func flags(in *bitcode.Instr) (all ir.FastMathFlags) {
	if in.Flags&bitcode.Fast != 0 {
		return ir.Reassociate | ir.NoNaNs | ir.NoInfs | ir.NoSignedZeros | ir.Reciprocal | ir.ContractFast |
			ir.Approximate
	}
	for _, f := range [...]struct {
		bit  uint64
		flag ir.FastMathFlags
	}{{bitcode.NoNaNs, ir.NoNaNs}, {bitcode.NoInfs, ir.NoInfs}, {bitcode.NoSignedZeros, ir.NoSignedZeros},
		{bitcode.Reciprocal, ir.Reciprocal}, {bitcode.Contract, ir.ContractFast},
		{bitcode.Approximate, ir.Approximate}, {bitcode.Reassociate, ir.Reassociate}} {
		if in.Flags&f.bit != 0 {
			all |= f.flag
		}
	}
	return all
}
