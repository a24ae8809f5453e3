package ir

import (
	"encoding/binary"
	"slices"

	"metalconform/metalrun/internal/syntax"
)

// Computed says of instructions in a straight loop of which nothing but bodies is left how many of the turns have to compute
// anything: none of what follows from the turn and from tables alone, and of the others each value once, whichever turns
// want it. Of instructions that it does not name all turns do.
func (k *Kernel) Computed(l *Loop) map[*Instr]int {
	turns := k.Turns(l)
	if turns == 0 || k.Bodies(l) != turns || !Straight(l.Body) {
		return nil
	}
	first, ok := k.start(l)
	if !ok {
		return nil
	}
	t := &turning{k: k, now: map[Reg]turnValue{}, known: map[turnOperation]turnValue{}, computed: map[*Instr]int{}}
	t.now[first.Dst[0]] = turnValue{literal: true, bits: k.Regs[first.Args[0]].Bits}
	for range turns {
		t.nodes(l.Body)
		t.nodes(l.Post)
	}
	return t.computed
}

// start is what sets the counter of a loop to a literal in front of it.
func (k *Kernel) start(l *Loop) (in *Instr, ok bool) {
	test, _ := l.Head[len(l.Head)-1].(*Instr)
	for other := range Instrs(k.Body...) {
		if slices.Contains(other.Dst, test.Args[0]) && !Contains(l.Post, func(n Node) bool { return n == Node(other) }) {
			if in != nil || other.Op != Copy || k.Regs[other.Args[0]].Kind != Literal {
				return nil, false
			}
			in = other
		}
	}
	return in, in != nil
}

// turning goes through the turns of a loop and numbers what is computed.
type turning struct {
	k        *Kernel
	now      map[Reg]turnValue
	known    map[turnOperation]turnValue
	last     int // number of a value
	computed map[*Instr]int
}

// turnValue is a literal, or something with a number.
type turnValue struct {
	literal bool
	bits    uint64
	number  int
}

// turnOperation is an instruction with what its arguments are.
type turnOperation struct {
	op       Op
	fn       string
	from, to Scalar
	typ      Type
	args     [3]turnValue
}

func (t *turning) fresh() turnValue {
	t.last++
	return turnValue{number: t.last}
}

func (t *turning) of(r Reg) turnValue {
	v, ok := t.now[r]
	if !ok {
		v = t.fresh()
		if info := t.k.Regs[r]; info.Kind == Literal {
			v = turnValue{literal: true, bits: info.Bits}
		}
		t.now[r] = v
	}
	return v
}

func (t *turning) nodes(nodes []Node) {
	for _, n := range nodes {
		if in, ok := n.(*Instr); ok {
			t.instruction(in)
			continue
		}
		for _, part := range Parts(n) {
			t.nodes(*part)
			for in := range Instrs(*part...) {
				for _, r := range in.Dst {
					t.now[r] = t.fresh() // not all threads may have been there
				}
			}
		}
	}
}

func (t *turning) instruction(in *Instr) {
	if in.Op == Load && len(in.Dst) == 1 {
		if v, ok := t.entry(in); ok {
			t.computed[in] += 0
			t.now[in.Dst[0]] = v
			return
		}
	}
	if in.Op.Info().Effects != 0 || in.Op == Simd || len(in.Dst) != 1 || len(in.Args) > len(turnOperation{}.args) {
		for _, r := range in.Dst {
			t.now[r] = t.fresh()
		}
		return
	}
	does := turnOperation{op: in.Op, fn: in.Fn, from: in.From, to: in.To, typ: t.k.Regs[in.Dst[0]].Type}
	args, literals := does.args[:len(in.Args)], len(in.Args) > 0
	for i, r := range in.Args {
		args[i] = t.of(r)
		literals = literals && args[i].literal
	}
	t.computed[in] += 0
	v, ok := t.simple(in, args)
	if !ok && literals {
		v, ok = t.folded(in, args)
	}
	if !ok {
		v, ok = t.known[does]
	}
	if !ok {
		v = t.fresh()
		t.known[does] = v
		t.computed[in]++
	}
	t.now[in.Dst[0]] = v
}

// folded is what literals come to.
func (t *turning) folded(in *Instr, args []turnValue) (turnValue, bool) {
	var room [3]uint64
	bits := room[:len(args)]
	for i, a := range args {
		bits[i] = a.bits
	}
	b, ok := fold(in, t.k.Regs[in.Args[0]].Type, bits)
	return turnValue{literal: true, bits: b}, ok
}

// noZeros is what lets a compiler take a product with 0 for 0, and a sum with it for the other number.
const noZeros = NoNaNs | NoInfs | NoSignedZeros

// simple is what one argument is, if a literal beside it changes nothing or leaves nothing of it.
func (t *turning) simple(in *Instr, a []turnValue) (turnValue, bool) {
	typ := t.k.Regs[in.Dst[0]].Type
	zero, one := uint64(0), uint64(1)
	if typ == F32 {
		one = 0x3f800000
	}
	is := func(i int, bits uint64) bool { return a[i].literal && a[i].bits == bits }
	free := typ != F32 || in.Allow&noZeros == noZeros
	switch {
	case in.Op == Copy:
		return a[0], true
	case typ != F32 && typ != I32:
	case in.Op == Mul && is(0, one), in.Op == Add && is(0, zero) && free, in.Op == Mul && is(1, zero) && free:
		return a[1], true
	case in.Op == Mul && is(1, one), (in.Op == Add || in.Op == Sub) && is(1, zero) && free, in.Op == Mul && is(0, zero) && free:
		return a[0], true
	case in.Op == FMA && (is(0, zero) || is(1, zero)) && free:
		return a[2], true
	}
	return turnValue{}, false
}

// entry is what a load finds in a table of the program.
func (t *turning) entry(in *Instr) (turnValue, bool) {
	base := t.k.Regs[in.Mem.Base]
	if in.Mem.Space != syntax.Constant || base.Kind != Address || in.From == H16 || in.From == T16 {
		return turnValue{}, false
	}
	at := in.Mem.Disp
	if in.Mem.Index != None {
		index := t.of(in.Mem.Index)
		if !index.literal {
			return turnValue{}, false
		}
		at += int64(index.bits) * in.Mem.Scale
	}
	data := t.k.Objects[base.Index].Data
	if size := int64(in.From.Size()); at < 0 || at+size > int64(len(data)) {
		return turnValue{}, false
	}
	var raw [8]byte
	copy(raw[:], data[at:at+int64(in.From.Size())])
	bits := binary.LittleEndian.Uint64(raw[:])
	if in.From != R32 {
		bits = canonical(t.k.Regs[in.Dst[0]].Type, wrap(in.From, bits))
	}
	return turnValue{literal: true, bits: bits}, true
}
