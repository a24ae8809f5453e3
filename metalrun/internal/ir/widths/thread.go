package widths

import (
	"encoding/binary"
	"math"
	"strings"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// thread is one thread in evaluation.
type thread struct {
	*search
	group, local, size [3]int
	shared, own        map[uint64]cell // memory of the threadgroup and of the thread, by address
	regs               []value
	doubt              int // branches around that are unknown
	probing            int // loops around whose last iteration is looked for: nothing is reported
}

// initial is the value of a register that no instruction sets.
func (t *thread) initial(info ir.RegInfo) value {
	whole := func(n int64) value { return value{known: true, bits: canonical(info.Type, uint64(n)), exact: n} }
	switch info.Kind {
	case ir.Literal:
		return whole(int64(info.Bits))
	case ir.Address:
		return whole(int64(ir.FirstObject+info.Index) << ir.ObjectShift)
	case ir.Input:
		return whole(t.input(info))
	}
	return value{}
}

// input is what the launch says.
func (t *thread) input(info ir.RegInfo) int64 {
	l := &t.launch
	asked := l.PerGroup
	var position, threads [3]int
	for i := range position {
		position[i] = t.group[i]*asked[i] + t.local[i]
		if threads[i] = l.Threads[i]; threads[i] == 0 {
			threads[i] = l.Grid[i] * asked[i]
		}
	}
	for _, v := range []struct {
		first ir.Source
		of    [3]int
	}{
		{ir.ThreadPositionInGridX, position}, {ir.ThreadPositionInThreadgroupX, t.local},
		{ir.ThreadgroupPositionInGridX, t.group}, {ir.ThreadsPerGridX, threads}, {ir.ThreadsPerThreadgroupX, t.size},
		{ir.DispatchThreadsPerThreadgroupX, asked}, {ir.ThreadgroupsPerGridX, l.Grid},
	} {
		if i := int(info.Input) - int(v.first); i >= 0 && i < 3 {
			t.beyond = t.beyond || int64(v.of[i]) > math.MaxUint32
			return int64(v.of[i])
		}
	}
	index := int64(t.local[0] + t.size[0]*(t.local[1]+t.size[1]*t.local[2]))
	count, full := int64(t.size[0]*t.size[1]*t.size[2]), int64(asked[0]*asked[1]*asked[2])
	switch info.Input {
	case ir.BufferPointer, ir.ThreadgroupPointer:
		return int64(ir.FirstArg+info.Index) << ir.ObjectShift
	case ir.ThreadIndexInThreadgroup:
		return index
	case ir.ThreadIndexInSimdgroup:
		return index % 32
	case ir.ThreadIndexInQuadgroup:
		return index % 4
	case ir.SimdgroupIndexInThreadgroup:
		return index / 32
	case ir.QuadgroupIndexInThreadgroup:
		return index / 4
	case ir.SimdgroupsPerThreadgroup:
		return (count + 31) / 32
	case ir.QuadgroupsPerThreadgroup:
		return (count + 3) / 4
	case ir.ThreadsPerSimdgroup:
		return 32
	case ir.DispatchSimdgroupsPerThreadgroup:
		return (full + 31) / 32
	}
	return (full + 3) / 4
}

// list evaluates nodes, and gives the exit that ended them, or nil.
func (t *thread) list(nodes []ir.Node) *ir.Exit {
	for _, n := range nodes {
		if t.left <= 0 {
			return nil
		}
		switch n := n.(type) {
		case *ir.Instr:
			t.instr(n)
		case *ir.If:
			if e := t.branch(n); e != nil {
				return e
			}
		case *ir.Loop:
			if e := t.loop(n); e != nil {
				return e
			}
		case *ir.Block:
			if e := t.list(n.Body); e != nil && e.Block != n {
				return e
			}
		case *ir.Exit:
			return n
		}
	}
	return nil
}

// branch takes the machine's arm, or both where that is not known. An arm that leaves does not decide what follows.
func (t *thread) branch(n *ir.If) *ir.Exit {
	if c := t.regs[n.Cond]; c.known {
		c = t.decided(c, n.Pos)
		if c.bits != 0 {
			return t.list(n.Then)
		}
		return t.list(n.Else)
	}
	t.doubt++
	defer func() { t.doubt-- }()
	before := append([]value(nil), t.regs...)
	first := t.list(n.Then)
	then := t.regs
	t.regs = before
	switch second := t.list(n.Else); {
	case second != nil && first != nil:
		return second
	case second != nil:
		t.regs = then
	case first == nil:
		for r, v := range then {
			if t.regs[r] != v {
				t.regs[r] = value{}
			}
		}
	}
	return nil
}

// decided is a condition as a branch takes it. It notes one that an integer beyond its type decides.
func (t *thread) decided(c value, pos syntax.Pos) value {
	switch {
	case c.of != nil && t.launch.NoBranch:
		return truth(c.bits == 0)
	case c.of != nil:
		t.note(Wrap{At: c.of, Use: pos, Branch: true, Exact: c.exact})
	}
	return c
}

func (t *thread) note(w Wrap) {
	if t.probing == 0 && !t.seen[w.At] {
		t.seen[w.At] = true
		t.found = append(t.found, w)
	}
}

// instr evaluates what an address or a branch depends on.
func (t *thread) instr(in *ir.Instr) {
	if in.Mem != nil {
		t.left--
		t.access(in)
		return
	}
	if len(in.Dst) == 0 || !t.needed[in.Dst[0]] && (len(in.Dst) == 1 || !t.needed[in.Dst[1]]) {
		return
	}
	t.left--
	if in.Op == ir.Unpack {
		a := t.regs[in.Args[0]]
		t.regs[in.Dst[0]] = a.narrowed(a.bits&(1<<32-1), a.exact, in)
		t.regs[in.Dst[1]] = a.narrowed(a.bits>>32, a.exact>>32, in)
		return
	}
	for _, d := range in.Dst {
		t.regs[d] = t.result(in, d)
	}
}

// narrowed is a part of a value, as 32 bits.
func (v value) narrowed(b uint64, exact int64, in *ir.Instr) value {
	if v.bits, v.exact = b, exact; v.of == nil && outside(exact, 32) {
		v.of = in
	}
	return v
}

// result is what an instruction without memory sets a register to.
func (t *thread) result(in *ir.Instr, d ir.Reg) value {
	typ := t.k.Regs[d].Type
	arg := func(i int) value { return t.regs[in.Args[i]] }
	switch in.Op {
	case ir.Copy:
		return arg(0)
	case ir.Select:
		return t.selected(in)
	case ir.Convert:
		return t.converted(in)
	case ir.Bitcast:
		if in.From.Type().IsFloat() {
			return value{known: true, guess: true}
		}
		return arg(0)
	case ir.Neg:
		less := *in
		less.Op = ir.Sub
		return arithmetic(&less, typ, value{known: true}, arg(0))
	case ir.Not:
		if a := arg(0); a.known && !a.guess {
			if typ == ir.Bool {
				return truth(a.bits == 0)
			}
			a.bits, a.exact = canonical(typ, ^a.bits), ^a.exact
			return a
		}
	case ir.Pack:
		return packed(in, arg(0), arg(1))
	case ir.PtrAdd, ir.PtrSub:
		op := *in
		if op.Op = ir.Add; in.Op == ir.PtrSub {
			op.Op = ir.Sub
		}
		r := arithmetic(&op, ir.I64, arg(0), arg(1))
		return r
	case ir.Eq, ir.Ne, ir.SLt, ir.SLe, ir.ULt, ir.ULe:
		if of := t.k.Regs[in.Args[0]].Type; !of.IsFloat() {
			return relation(in, of, arg(0), arg(1))
		}
	case ir.And, ir.Or, ir.Xor:
		if typ == ir.Bool {
			return logical(in.Op, arg(0), arg(1))
		}
		return arithmetic(in, typ, arg(0), arg(1))
	case ir.Add, ir.Sub, ir.Mul, ir.SDiv, ir.UDiv, ir.SRem, ir.URem, ir.Shl, ir.LShr, ir.AShr:
		return arithmetic(in, typ, arg(0), arg(1))
	case ir.Math:
		return t.function(in, typ)
	case ir.Simd:
		if len(in.Args) > 0 && typ != ir.Bool && t.k.Regs[in.Args[0]].Type == typ {
			return arg(0) // of another lane, as large as this one's
		}
		if typ != ir.Bool {
			return value{known: true, guess: true}
		}
	}
	return value{}
}

func (t *thread) selected(in *ir.Instr) value {
	c, a, b := t.regs[in.Args[0]], t.regs[in.Args[1]], t.regs[in.Args[2]]
	switch {
	case c.known && c.bits != 0:
		return a
	case c.known:
		return b
	case a == b:
		return a
	}
	return value{}
}

// converted is the value of another type. A float counts as 0.
func (t *thread) converted(in *ir.Instr) value {
	to := in.To.Type()
	if in.From.Type().IsFloat() {
		return value{known: true, guess: true}
	}
	v := t.regs[in.Args[0]]
	if to == ir.Bool {
		if v.guess || !v.known {
			return value{}
		}
		return truth(v.bits != 0)
	}
	v = v.as(in.From, in)
	if width, signed := scalarWidth(in.To); width < 64 && v.known {
		if signed {
			v.bits = uint64(int64(v.bits<<(64-width)) >> (64 - width))
		} else {
			v.bits &= 1<<width - 1
		}
		v.bits = canonical(to, v.bits)
		if v.of == nil && (outside(v.exact, width) || signed && beyondSign(v.exact, width)) {
			v.of = in
		}
		if !signed && width < 32 {
			v.exact = v.unsigned(width)
		}
	}
	return v
}

// packed are two words, the low one first.
func packed(in *ir.Instr, lo, hi value) value {
	if !lo.known || !hi.known || lo.of != nil || hi.of != nil {
		return value{}
	}
	b := lo.bits | hi.bits<<32
	return value{known: true, guess: lo.guess || hi.guess, bits: b, exact: int64(b)}
}

func logical(op ir.Op, a, b value) value {
	if op == ir.Xor {
		if !a.known || !b.known {
			return value{}
		}
		return truth(a.bits != b.bits)
	}
	ends := uint64(0) // what one operand decides
	if op == ir.Or {
		ends = 1
	}
	for _, v := range []value{a, b} {
		if v.known && v.bits == ends {
			return v
		}
	}
	switch {
	case !a.known || !b.known:
		return value{}
	case a.of != nil:
		return a
	}
	return b
}

// function is a function of integers. Others than the least and the largest are as their first argument.
func (t *thread) function(in *ir.Instr, typ ir.Type) value {
	f, of := in.Integer()
	if f == nil {
		return value{known: typ != ir.Bool, guess: true}
	}
	a := t.regs[in.Args[0]]
	if len(in.Args) == 2 && (strings.HasPrefix(in.Fn, "min_") || strings.HasPrefix(in.Fn, "max_")) {
		b := t.regs[in.Args[1]]
		if !a.known || !b.known || a.guess || b.guess {
			return value{}
		}
		less := a.bits < b.bits
		if of.Signed {
			less = a.signed(typ) < b.signed(typ)
		}
		if less == strings.HasPrefix(in.Fn, "min_") {
			return a
		}
		return b
	}
	if strings.HasPrefix(in.Fn, "mad24") || strings.HasPrefix(in.Fn, "mul24") {
		r := arithmetic(&ir.Instr{Op: ir.Mul, Pos: in.Pos}, typ, a, t.regs[in.Args[1]])
		if len(in.Args) == 3 {
			r = arithmetic(&ir.Instr{Op: ir.Add, Pos: in.Pos}, typ, r, t.regs[in.Args[2]])
		}
		return r
	}
	return value{}
}

// address is where an access goes, before its displacement.
func (t *thread) address(in *ir.Instr) value {
	m := in.Mem
	p := t.regs[m.Base]
	if m.Index == ir.None || !p.known {
		return p
	}
	i := t.regs[m.Index]
	if t.k.Regs[m.Index].Type == ir.I32 {
		s := ir.U32
		if m.IndexSigned {
			s = ir.S32
		}
		i = i.as(s, in)
	}
	scaled := arithmetic(&ir.Instr{Op: ir.Mul}, ir.I64, i, value{known: true, bits: uint64(m.Scale), exact: m.Scale})
	return arithmetic(&ir.Instr{Op: ir.Add}, ir.I64, p, scaled)
}

// access compares the two addresses of an access, and loads or stores what is known.
func (t *thread) access(in *ir.Instr) {
	at := t.address(in)
	if at.known && at.bits != uint64(at.exact) && at.of != nil {
		t.note(Wrap{At: at.of, Use: in.Pos, Exact: at.exact << 16 >> 16, Got: int64(at.bits) << 16 >> 16})
	}
	size := in.From.Size()
	t.keepsWithin(in, at, max(len(in.Dst), len(in.Args), 1)*size)
	place := func(i int) uint64 { return at.bits + uint64(in.Mem.Disp) + uint64(i*size) }
	memory := t.own
	if in.Mem.Space == syntax.Threadgroup {
		memory = t.shared
	}
	if in.Op == ir.Store && in.Mem.Space != syntax.Device && t.probing == 0 {
		for i, a := range in.Args {
			if !at.known {
				clear(memory)
			} else if v := t.regs[a]; t.needed[a] && t.doubt == 0 {
				memory[place(i)] = cell{v, size}
			} else {
				delete(memory, place(i))
			}
		}
	}
	for i, d := range in.Dst {
		if !t.needed[d] {
			continue
		}
		c, ok := memory[place(i)]
		if ok && at.known && c.size == size && in.Op == ir.Load && in.Mem.Space != syntax.Device {
			t.regs[d] = c.value.as(in.From, in)
			t.regs[d].bits = canonical(t.k.Regs[d].Type, t.regs[d].bits)
		} else {
			t.regs[d] = t.loaded(in, at, place(i), t.k.Regs[d].Type)
		}
	}
}

// keepsWithin notes an access that goes, as it should, beyond an array that the kernel or its host has sized.
func (t *thread) keepsWithin(in *ir.Instr, at value, bytes int) {
	if !at.known || at.guess || t.doubt > 0 || in.Mem.Space == syntax.Device {
		return
	}
	place := at.exact + in.Mem.Disp
	offset := place << 16 >> 16
	object, size := int((place-offset)>>ir.ObjectShift), 0
	switch i := object - ir.FirstObject; {
	case i >= 0 && i < len(t.k.Objects):
		size = t.k.Objects[i].Size
	case in.Mem.Space == syntax.Threadgroup && object >= ir.FirstArg && object-ir.FirstArg < len(t.launch.Shared):
		size = t.launch.Shared[object-ir.FirstArg]
	default:
		return
	}
	if offset < 0 || offset+int64(bytes) > int64(size) {
		t.beyond = true
	}
}

// loaded is an integer of a buffer or of constant data.
func (t *thread) loaded(in *ir.Instr, at value, place uint64, typ ir.Type) value {
	if typ == ir.Bool || typ == ir.Ptr || !at.known || in.Mem.Space == syntax.Thread {
		return value{}
	}
	offset := int64(place<<16) >> 16
	object := int((place - uint64(offset)) >> ir.ObjectShift)
	data := t.launch.Inline[object-ir.FirstArg]
	if i := object - ir.FirstObject; i >= 0 {
		if data = nil; i < len(t.k.Objects) {
			data = t.k.Objects[i].Data
		}
	}
	size := in.From.Size()
	if in.Mem.Space == syntax.Threadgroup || offset < 0 || offset+int64(size) > int64(len(data)) {
		return value{known: true, guess: true}
	}
	var b [8]byte
	copy(b[:size], data[offset:])
	v := value{known: true, bits: binary.LittleEndian.Uint64(b[:])}
	if width, signed := scalarWidth(in.From); signed {
		v.exact = int64(v.bits<<(64-width)) >> (64 - width)
	} else {
		v.exact = int64(v.bits)
	}
	v.bits = canonical(typ, uint64(v.exact))
	return v
}
