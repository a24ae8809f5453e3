package llvm

import (
	"container/list"
	"slices"

	"metalconform/metalrun/internal/ir"
)

// function is a kernel in the form of [ir.Values] under rewriting. Operations can be
// changed, moved, made and replaced, and it is known who reads what.
type function struct {
	k      *ir.Kernel
	blocks []*block // in order of the source
	in     map[*ir.Instr]position
	def    []*ir.Instr   // per register: the instruction that sets a temporary
	users  [][]*ir.Instr // per register: who reads it, once for each operand; nil for a condition
	ranks  map[*ir.Instr]int
	floor  map[*ir.Instr]int // the rank of its block
	entry  int               // the rank of the first block
	redo   []*ir.Instr
	made   []*ir.Instr // by the last simplification
	pairs  [2]map[[2]ir.Reg]int
}

// block is a list of nodes.
type block struct {
	nodes *list.List
	into  *[]ir.Node
}

// position is where an instruction stands.
type position struct {
	block *block
	at    *list.Element
}

func newFunction(k *ir.Kernel) *function {
	f := &function{k: k, in: map[*ir.Instr]position{}, def: make([]*ir.Instr, len(k.Regs)),
		users: make([][]*ir.Instr, len(k.Regs))}
	f.enter(&k.Body)
	for in := range ir.Instrs(k.Body...) {
		for _, d := range in.Dst {
			if k.Regs[d].Kind == ir.Temp {
				f.def[d] = in
			}
		}
	}
	f.forwardCopies()
	for _, in := range f.order() {
		for _, r := range reads(in) {
			f.users[*r] = append(f.users[*r], in)
		}
	}
	ir.Walk(k.Body, func(n ir.Node) bool {
		switch n := n.(type) {
		case *ir.If:
			f.users[n.Cond] = append(f.users[n.Cond], nil)
		case *ir.Loop:
			if n.Cond != ir.None {
				f.users[n.Cond] = append(f.users[n.Cond], nil)
			}
		}
		return true
	})
	return f
}

func (f *function) enter(nodes *[]ir.Node) {
	b := &block{nodes: list.New(), into: nodes}
	f.blocks = append(f.blocks, b)
	for _, n := range *nodes {
		at := b.nodes.PushBack(n)
		if in, ok := n.(*ir.Instr); ok {
			f.in[in] = position{b, at}
		}
		for _, part := range ir.Parts(n) {
			f.enter(part)
		}
	}
}

// leave writes the lists back.
func (f *function) leave() {
	for _, b := range slices.Backward(f.blocks) {
		out := make([]ir.Node, 0, b.nodes.Len())
		for e := b.nodes.Front(); e != nil; e = e.Next() {
			out = append(out, e.Value.(ir.Node))
		}
		*b.into = out
	}
}

// order are the instructions in the order of the source.
func (f *function) order() []*ir.Instr {
	var all []*ir.Instr
	byList := map[*[]ir.Node]*block{}
	for _, b := range f.blocks {
		byList[b.into] = b
	}
	var visit func(b *block)
	visit = func(b *block) {
		for e := b.nodes.Front(); e != nil; e = e.Next() {
			n := e.Value.(ir.Node)
			if in, ok := n.(*ir.Instr); ok {
				all = append(all, in)
			}
			for _, part := range ir.Parts(n) {
				visit(byList[part])
			}
		}
	}
	visit(f.blocks[0])
	return all
}

// reads are the operands of an instruction, with those of its address.
func reads(in *ir.Instr) []*ir.Reg {
	var list []*ir.Reg
	for i := range in.Args {
		list = append(list, &in.Args[i])
	}
	if m := in.Mem; m != nil {
		if m.Base != ir.None {
			list = append(list, &m.Base)
		}
		if m.Index != ir.None {
			list = append(list, &m.Index)
		}
	}
	return list
}

// forwardCopies lets readers of a copy of anything but a variable read the original.
func (f *function) forwardCopies() {
	for _, in := range f.order() {
		for _, r := range reads(in) {
			for d := f.def[*r]; d != nil && d.Op == ir.Copy && f.k.Regs[d.Args[0]].Kind != ir.Variable; d = f.def[*r] {
				*r = d.Args[0]
			}
		}
	}
}

func (f *function) typ(r ir.Reg) ir.Type { return f.k.Regs[r].Type }

// once reports whether a register has a single reader.
func (f *function) once(r ir.Reg) bool { return len(f.users[r]) == 1 }

// user is the single reader of a register, nil if there is none or another.
func (f *function) user(r ir.Reg) *ir.Instr {
	if !f.once(r) {
		return nil
	}
	return f.users[r][0]
}

// set gives an instruction another operand.
func (f *function) set(in *ir.Instr, i int, r ir.Reg) {
	old := in.Args[i]
	in.Args[i] = r
	f.users[r] = append(f.users[r], in)
	f.drop(old, in)
}

// drop takes a reader off a register.
func (f *function) drop(r ir.Reg, in *ir.Instr) {
	if i := slices.Index(f.users[r], in); i >= 0 {
		f.users[r] = slices.Delete(slices.Clone(f.users[r]), i, i+1)
	}
}

// become makes an instruction another operation.
func (f *function) become(in *ir.Instr, op ir.Op, args ...ir.Reg) {
	old := in.Args
	in.Op, in.Args, in.Group = op, slices.Clone(args), 0
	if op != ir.Math {
		in.Fn = ""
	}
	if !op.Info().FastMath {
		in.Allow = 0
	}
	for _, r := range args {
		f.users[r] = append(f.users[r], in)
	}
	for _, r := range old {
		f.drop(r, in)
	}
}

// emit makes an operation before another, whose position and flags it has.
func (f *function) emit(before *ir.Instr, op ir.Op, args ...ir.Reg) ir.Reg {
	d := f.k.Temporary(f.typ(args[0]))
	f.grow()
	in := &ir.Instr{Op: op, Pos: before.Pos, Dst: []ir.Reg{d}, Args: slices.Clone(args), Allow: before.Allow,
		Fast: before.Fast && op == ir.Div}
	p := f.in[before]
	f.in[in] = position{p.block, p.block.nodes.InsertBefore(ir.Node(in), p.at)}
	f.def[d] = in
	f.made = append(f.made, in)
	for _, r := range args {
		f.users[r] = append(f.users[r], in)
	}
	if f.floor != nil {
		f.floor[in] = f.floor[before]
	}
	return d
}

func (f *function) grow() {
	for len(f.def) < len(f.k.Regs) {
		f.def, f.users = append(f.def, nil), append(f.users, nil)
	}
}

// move puts an instruction before another.
func (f *function) move(in, before *ir.Instr) {
	p, q := f.in[in], f.in[before]
	p.block.nodes.Remove(p.at)
	f.in[in] = position{q.block, q.block.nodes.InsertBefore(ir.Node(in), q.at)}
	if f.floor != nil {
		f.floor[in] = f.floor[before]
	}
}

// early puts an operation after the one that sets its operand.
func (f *function) early(in *ir.Instr, operand ir.Reg) {
	def := f.def[operand]
	if def == nil {
		return
	}
	p, q := f.in[in], f.in[def]
	p.block.nodes.Remove(p.at)
	f.in[in] = position{q.block, q.block.nodes.InsertAfter(ir.Node(in), q.at)}
	if f.floor != nil {
		f.floor[in] = f.floor[def]
	}
}

// replace lets all readers of one register read another.
func (f *function) replace(old, by ir.Reg) {
	for _, in := range f.users[old] {
		if in == nil {
			continue // a condition, which is no float
		}
		for _, r := range reads(in) {
			if *r == old {
				*r = by
			}
		}
		f.users[by] = append(f.users[by], in)
	}
	f.users[old] = nil
}

// dead reports whether nobody reads what an operation computes.
func (f *function) dead(in *ir.Instr) bool {
	info := in.Op.Info()
	if info.Kept || info.Effects != 0 || len(in.Dst) == 0 {
		return false
	}
	return !slices.ContainsFunc(in.Dst,
		func(d ir.Reg) bool { return f.k.Regs[d].Kind != ir.Temp || len(f.users[d]) > 0 })
}

// erase takes an operation out that nobody reads, with what only it has read.
func (f *function) erase(in *ir.Instr) {
	if !f.unlink(in) {
		return
	}
	for _, r := range reads(in) {
		if d := f.def[*r]; d != nil && f.dead(d) {
			f.erase(d)
		}
	}
}

// unlink takes an operation out of its block and off what it has read, if it is still there.
func (f *function) unlink(in *ir.Instr) bool {
	p, ok := f.in[in]
	if !ok {
		return false
	}
	p.block.nodes.Remove(p.at)
	delete(f.in, in)
	for _, r := range reads(in) {
		f.drop(*r, in)
	}
	return true
}

// sweep takes out all that nobody reads.
func (f *function) sweep() {
	for _, in := range slices.Backward(f.order()) {
		if f.dead(in) {
			f.erase(in)
		}
	}
}

// allows reports whether an instruction is floating arithmetic that may be taken in any
// order: LLVM wants both flags, because in another order a zero may have another sign.
func allows(in *ir.Instr, need ir.FastMathFlags) bool { return in != nil && in.Allow&need == need }

const anyOrder = ir.Reassociate | ir.NoSignedZeros

// inner is the operation that sets r, if it has a single reader, the flags, and one of
// these kinds.
func (f *function) inner(r ir.Reg, ops ...ir.Op) *ir.Instr {
	in := f.def[r]
	if in == nil || !f.once(r) || !slices.Contains(ops, in.Op) || !allows(in, anyOrder) || !f.typ(r).IsFloat() {
		return nil
	}
	return in
}

// value is that of a literal.
func (f *function) value(r ir.Reg) (x float64, ok bool) {
	info := f.k.Regs[r]
	if info.Kind != ir.Literal || !info.Type.IsFloat() {
		return 0, false
	}
	return float64(info.Type.Format().FromBits(uint32(info.Bits))), true
}

func (f *function) isLiteral(r ir.Reg) bool { return f.k.Regs[r].Kind == ir.Literal }

func (f *function) is(r ir.Reg, x float64) bool {
	v, ok := f.value(r)
	return ok && v == x
}

// literal is a register that holds a number, rounded to the type.
func (f *function) literal(t ir.Type, x float64) ir.Reg {
	format := t.Format()
	bits := uint64(format.Bits(format.Round(x)))
	for r, info := range f.k.Regs {
		if info.Kind == ir.Literal && info.Type == t && info.Bits == bits {
			return ir.Reg(r)
		}
	}
	f.k.Regs = append(f.k.Regs, ir.RegInfo{Kind: ir.Literal, Type: t, Bits: bits})
	f.grow()
	return ir.Reg(len(f.k.Regs) - 1)
}
