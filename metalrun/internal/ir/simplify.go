package ir

import (
	"slices"

	"metalconform/metalrun/internal/syntax"
)

// Simplify cleans up after lowering: it follows copies, folds constants and
// shares common integer and pointer computations and loads of constant memory
// (reuse); moves such computations out of loops (hoist) and shares them once
// more; lets operations write variables directly (coalesce); removes what
// nothing reads (sweep); and renumbers what is left (compact). Floating
// arithmetic keeps its instructions and its place, so that contraction groups
// keep their meaning. All other loads stay: each is an access that can fault.
func Simplify(k *Kernel) {
	entry := k.Body[0].(*Block)
	entry.Body = withoutLeave(entry, newReuse(k).list(entry.Body))
	entry.Body = hoist(k, entry.Body)
	entry.Body = newReuse(k).list(entry.Body)
	u := countUses(k)
	u.coalesce(k.Body)
	k.Body = u.sweep(k.Body)
	compact(k)
}

// reuse replaces registers by others that hold the same value. It walks the
// tree in order: what is known in a list is known in the lists nested in it.
type reuse struct {
	k        *Kernel
	alias    []Reg    // of a temporary: what to read instead, or None
	copied   []source // of a temporary: the variable it copies
	version  []int32  // of a variable: which of its values is current
	versions int32
	literals map[literalKey]Reg
	known    map[computation][]Reg // results
	log      []computation         // keys of known, for leaving scopes
}

type source struct {
	variable Reg
	version  int32
}

// literalKey identifies a literal.
type literalKey struct {
	typ     Type
	bits    uint64
	decimal syntax.Decimal
}

// computation identifies an operation on certain values.
type computation struct {
	op       Op
	typ      Type
	from, to Scalar
	args     [3]Reg
	versions [3]int32
	mem      Mem // of a load
	results  int
	allow    FastMathFlags
}

func newReuse(k *Kernel) *reuse {
	r := &reuse{k: k, literals: map[literalKey]Reg{}, known: map[computation][]Reg{}}
	r.alias = make([]Reg, len(k.Regs))
	r.copied = make([]source, len(k.Regs))
	r.version = make([]int32, len(k.Regs))
	for i, info := range k.Regs {
		r.alias[i], r.copied[i] = None, source{variable: None}
		if info.Kind == Literal {
			r.literals[literalKey{info.Type, info.Bits, info.Decimal}] = Reg(i)
		}
	}
	return r
}

func (r *reuse) literal(t Type, bits uint64, says syntax.Decimal) Reg {
	key := literalKey{t, bits, says}
	reg, ok := r.literals[key]
	if !ok {
		reg = Reg(len(r.k.Regs))
		r.k.Regs = append(r.k.Regs, RegInfo{Kind: Literal, Type: t, Bits: bits, Decimal: says})
		r.alias, r.copied, r.version = append(r.alias, None), append(r.copied, source{variable: None}),
			append(r.version, 0)
		r.literals[key] = reg
	}
	return reg
}

// read is what to read instead of reg.
func (r *reuse) read(reg Reg) Reg {
	if reg == None {
		return None
	}
	if a := r.alias[reg]; a != None {
		reg = a
	}
	if c := r.copied[reg]; c.variable != None && r.version[c.variable] == c.version {
		return c.variable
	}
	return reg
}

// scope runs f and forgets what it learnt.
func (r *reuse) scope(f func()) {
	mark := len(r.log)
	f()
	for _, key := range r.log[mark:] {
		delete(r.known, key)
	}
	r.log = r.log[:mark]
}

// changed notes that the variables which nodes set have other values now.
func (r *reuse) changed(nodes ...Node) {
	for in := range Instrs(nodes...) {
		for _, d := range in.Dst {
			r.set(d)
		}
	}
}

func (r *reuse) set(d Reg) {
	if r.k.Regs[d].Kind == Variable {
		r.versions++
		r.version[d] = r.versions
	}
}

func (r *reuse) list(nodes []Node) []Node {
	out := make([]Node, 0, len(nodes))
	for _, n := range nodes {
		switch n := n.(type) {
		case *Instr:
			if r.instr(n) {
				out = append(out, n)
			}
		case *If:
			n.Cond = r.read(n.Cond)
			if info := r.k.Regs[n.Cond]; info.Kind == Literal {
				taken := n.Else
				if info.Bits != 0 {
					taken = n.Then
				}
				out = append(out, r.list(taken)...)
				break
			}
			r.scope(func() { n.Then = r.list(n.Then) })
			r.scope(func() { n.Else = r.list(n.Else) })
			r.changed(n)
			if len(n.Then)+len(n.Else) > 0 {
				out = append(out, n)
			}
		case *Loop:
			r.loop(n)
			out = append(out, n)
		case *Block:
			r.scope(func() { n.Body = withoutLeave(n, r.list(n.Body)) })
			r.changed(n.Body...)
			if leaves(n, n.Body) {
				out = append(out, n)
			} else {
				out = append(out, n.Body...)
			}
		default:
			out = append(out, n)
		}
		if len(out) > 0 {
			if _, ok := out[len(out)-1].(*Exit); ok {
				break // the rest is never reached
			}
		}
	}
	return out
}

// withoutLeave drops an exit from b at the end of its own body.
func withoutLeave(b *Block, body []Node) []Node {
	if n := len(body); n > 0 {
		if e, ok := body[n-1].(*Exit); ok && e.Block == b {
			return body[:n-1]
		}
	}
	return body
}

// leaves reports whether something in nodes leaves b.
func leaves(b *Block, nodes []Node) bool {
	return Contains(nodes, func(n Node) bool {
		e, ok := n.(*Exit)
		return ok && e.Block == b
	})
}

// loop may reach its post from anywhere in its body: only what the head has
// computed is known there.
func (r *reuse) loop(n *Loop) {
	r.changed(n)
	r.scope(func() {
		n.Head = r.list(n.Head)
		n.Cond = r.read(n.Cond)
		r.scope(func() { n.Body = r.list(n.Body) })
		r.changed(n.Body...)
		r.scope(func() { n.Post = r.list(n.Post) })
	})
	r.changed(n)
}

// instr simplifies one instruction and reports whether it is still needed.
func (r *reuse) instr(in *Instr) bool {
	for i, a := range in.Args {
		in.Args[i] = r.read(a)
	}
	if m := in.Mem; m != nil {
		m.Base, m.Index = r.read(m.Base), r.read(m.Index)
		r.foldIndex(m)
	}
	r.literalSecond(in)
	if slices.ContainsFunc(in.Dst, func(d Reg) bool { return r.k.Regs[d].Kind != Temp }) || len(in.Dst) == 0 {
		for _, d := range in.Dst {
			r.set(d)
		}
		return true
	}
	if len(in.Dst) == 1 {
		if value := r.same(in); value != None {
			r.alias[in.Dst[0]] = value
			return false
		}
	}
	key, ok := r.computation(in)
	if !ok {
		return true
	}
	if values, ok := r.known[key]; ok {
		for i, d := range in.Dst {
			r.alias[d] = values[i]
		}
		return false
	}
	r.known[key] = in.Dst
	r.log = append(r.log, key)
	return true
}

// literalSecond puts the literal of a commutative integer operation last.
func (r *reuse) literalSecond(in *Instr) {
	if !in.Op.Info().Commutes {
		return
	}
	a, b := &r.k.Regs[in.Args[0]], &r.k.Regs[in.Args[1]]
	if a.Kind == Literal && b.Kind != Literal && !a.Type.IsFloat() {
		in.Args[0], in.Args[1] = in.Args[1], in.Args[0]
	}
}

// foldIndex moves a literal index into the displacement.
func (r *reuse) foldIndex(m *Mem) {
	if m.Index == None || r.k.Regs[m.Index].Kind != Literal {
		return
	}
	info := r.k.Regs[m.Index]
	v := int64(info.Bits)
	if info.Type == I32 && !m.IndexSigned {
		v = int64(uint32(info.Bits))
	}
	m.Disp += v * m.Scale
	m.Index, m.Scale, m.IndexSigned = None, 0, false
}

// same is a register that already holds the result of in, or None.
func (r *reuse) same(in *Instr) Reg {
	typ := r.k.Regs[in.Dst[0]].Type
	if in.Op == Copy {
		if v := in.Args[0]; r.k.Regs[v].Kind != Variable {
			return v
		}
		r.copied[in.Dst[0]] = source{in.Args[0], r.version[in.Args[0]]}
		return None
	}
	if bits, ok := FoldArgs(r.k, in); ok {
		return r.literal(typ, bits, FoldDecimals(r.k, in, typ, bits))
	}
	if len(in.Args) != 2 || typ.IsFloat() {
		return None
	}
	a, b := in.Args[0], &r.k.Regs[in.Args[1]]
	if b.Kind != Literal || r.k.Regs[a].Kind == Variable {
		return None
	}
	if in.Op.Info().Neutral.is(typ, b.Bits) {
		return a
	}
	return None
}

// shareable reports whether in gives the same results wherever its operands
// are the same: a load of constant memory, or a pure operation that is not
// floating arithmetic.
func shareable(k *Kernel, in *Instr) bool {
	switch in.Op.Info().Shared {
	case AlwaysShared:
		return true
	case IntegersShared:
		return !k.Regs[in.Dst[0]].Type.IsFloat()
	case ConstantsShared:
		return in.Mem.Space == syntax.Constant && !in.Mem.Volatile
	}
	return false
}

// computation is the identity of a shareable instruction.
func (r *reuse) computation(in *Instr) (computation, bool) {
	if !shareable(r.k, in) {
		return computation{}, false
	}
	key := computation{op: in.Op, typ: r.k.Regs[in.Dst[0]].Type, from: in.From, to: in.To, results: len(in.Dst),
		allow: in.Allow, args: [3]Reg{None, None, None}}
	args := in.Args
	if in.Op == Load {
		key.mem, args = *in.Mem, []Reg{in.Mem.Base}
		if in.Mem.Index != None {
			args = append(args, in.Mem.Index)
		}
	}
	for i, a := range args {
		key.args[i] = a
		if r.k.Regs[a].Kind == Variable {
			key.versions[i] = r.version[a]
		}
	}
	return key, true
}
