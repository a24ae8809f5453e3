package analysis

import (
	"encoding/binary"
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// RepeatedWork says of the instructions of a straight loop that is unrolled completely how many of its iterations have
// to compute them. What follows from the number of the iteration and from tables needs no iteration. Any other value
// is computed once, whichever iterations need it (value numbering over all iterations). All iterations compute the
// instructions that it does not name.
func RepeatedWork(k *ir.Kernel, l *ir.Loop) map[*ir.Instr]int {
	count := TripCount(k, l)
	if count == 0 || UnrolledBodies(k, l) != count || !Straight(l.Body) {
		return nil
	}
	first, ok := start(k, l)
	if !ok {
		return nil
	}
	t := &unrolling{k: k, now: map[ir.Reg]iterationValue{}, known: map[iterationOperation]iterationValue{},
		computed: map[*ir.Instr]int{}}
	t.now[first.Dst[0]] = iterationValue{literal: true, bits: k.Regs[first.Args[0]].Bits}
	for range count {
		t.nodes(l.Body)
		t.nodes(l.Post)
	}
	return t.computed
}

// start is the instruction that sets the counter of a loop to a literal before it.
func start(k *ir.Kernel, l *ir.Loop) (in *ir.Instr, ok bool) {
	test, _ := l.Head[len(l.Head)-1].(*ir.Instr)
	for other := range ir.Instrs(k.Body...) {
		step := ir.Contains(l.Post, func(n ir.Node) bool { return n == ir.Node(other) })
		if slices.Contains(other.Dst, test.Args[0]) && !step {
			if in != nil || other.Op != ir.Copy || k.Regs[other.Args[0]].Kind != ir.Literal {
				return nil, false
			}
			in = other
		}
	}
	return in, in != nil
}

// unrolling visits the iterations of a loop and numbers the values that they compute.
type unrolling struct {
	k        *ir.Kernel
	now      map[ir.Reg]iterationValue
	known    map[iterationOperation]iterationValue
	last     int // number of a value
	computed map[*ir.Instr]int
}

// iterationValue is a literal, or something with a number.
type iterationValue struct {
	literal bool
	bits    uint64
	number  int
}

// iterationOperation is an instruction with what its arguments are.
type iterationOperation struct {
	op       ir.Op
	fn       string
	from, to ir.Scalar
	typ      ir.Type
	args     [3]iterationValue
}

func (t *unrolling) fresh() iterationValue {
	t.last++
	return iterationValue{number: t.last}
}

func (t *unrolling) of(r ir.Reg) iterationValue {
	v, ok := t.now[r]
	if !ok {
		v = t.fresh()
		if info := t.k.Regs[r]; info.Kind == ir.Literal {
			v = iterationValue{literal: true, bits: info.Bits}
		}
		t.now[r] = v
	}
	return v
}

func (t *unrolling) nodes(nodes []ir.Node) {
	for _, n := range nodes {
		if in, ok := n.(*ir.Instr); ok {
			t.instruction(in)
			continue
		}
		for _, part := range ir.Parts(n) {
			t.nodes(*part)
			for in := range ir.Instrs(*part...) {
				for _, r := range in.Dst {
					t.now[r] = t.fresh() // not all threads may have been there
				}
			}
		}
	}
}

func (t *unrolling) instruction(in *ir.Instr) {
	if in.Op == ir.Load && len(in.Dst) == 1 {
		if v, ok := t.entry(in); ok {
			t.computed[in] += 0
			t.now[in.Dst[0]] = v
			return
		}
	}
	if in.Op.Info().Effects != 0 || in.Op == ir.Simd || len(in.Dst) != 1 ||
		len(in.Args) > len(iterationOperation{}.args) {
		for _, r := range in.Dst {
			t.now[r] = t.fresh()
		}
		return
	}
	does := iterationOperation{op: in.Op, fn: in.Fn, from: in.From, to: in.To, typ: t.k.Regs[in.Dst[0]].Type}
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
func (t *unrolling) folded(in *ir.Instr, args []iterationValue) (iterationValue, bool) {
	var room [3]uint64
	bits := room[:len(args)]
	for i, a := range args {
		bits[i] = a.bits
	}
	b, ok := ir.Fold(in, t.k.Regs[in.Args[0]].Type, bits)
	return iterationValue{literal: true, bits: b}, ok
}

// noZeros is what lets a compiler take a product with 0 for 0, and a sum with it for the other number.
const noZeros = ir.NoNaNs | ir.NoInfs | ir.NoSignedZeros

// simple is what one argument is, if a literal beside it changes nothing or leaves nothing of it.
func (t *unrolling) simple(in *ir.Instr, a []iterationValue) (iterationValue, bool) {
	typ := t.k.Regs[in.Dst[0]].Type
	zero, one := uint64(0), uint64(1)
	if typ == ir.F32 {
		one = 0x3f800000
	}
	is := func(i int, bits uint64) bool { return a[i].literal && a[i].bits == bits }
	free := typ != ir.F32 || in.Allow&noZeros == noZeros
	switch {
	case in.Op == ir.Copy:
		return a[0], true
	case typ != ir.F32 && typ != ir.I32:
	case in.Op == ir.Mul && is(0, one), in.Op == ir.Add && is(0, zero) && free, in.Op == ir.Mul && is(1, zero) && free:
		return a[1], true
	case in.Op == ir.Mul && is(1, one), (in.Op == ir.Add || in.Op == ir.Sub) && is(1, zero) && free,
		in.Op == ir.Mul && is(0, zero) && free:
		return a[0], true
	case in.Op == ir.FMA && (is(0, zero) || is(1, zero)) && free:
		return a[2], true
	}
	return iterationValue{}, false
}

// entry is what a load finds in a table of the program.
func (t *unrolling) entry(in *ir.Instr) (iterationValue, bool) {
	base := t.k.Regs[in.Mem.Base]
	if in.Mem.Space != syntax.Constant || base.Kind != ir.Address || in.From == ir.H16 || in.From == ir.T16 {
		return iterationValue{}, false
	}
	at := in.Mem.Disp
	if in.Mem.Index != ir.None {
		index := t.of(in.Mem.Index)
		if !index.literal {
			return iterationValue{}, false
		}
		at += int64(index.bits) * in.Mem.Scale
	}
	data := t.k.Objects[base.Index].Data
	if size := int64(in.From.Size()); at < 0 || at+size > int64(len(data)) {
		return iterationValue{}, false
	}
	var raw [8]byte
	copy(raw[:], data[at:at+int64(in.From.Size())])
	return iterationValue{literal: true, bits: in.From.Loaded(binary.LittleEndian.Uint64(raw[:]))}, true
}
