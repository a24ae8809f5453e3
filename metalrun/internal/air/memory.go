package air

import (
	"metalconform/metalrun/internal/air/bitcode"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// run is a number of equal scalars that lie side by side: what one access moves.
type run struct {
	s      ir.Scalar
	offset int
	first  int // leaf
	n      int
}

// runs puts neighbours together, up to four.
func runs(list []leaf) (out []run) {
	for i, x := range list {
		if n := len(out) - 1; n >= 0 && out[n].s == x.s && out[n].n < 4 &&
			x.offset == out[n].offset+out[n].n*x.s.Size() {
			out[n].n++
			continue
		}
		out = append(out, run{x.s, x.offset, i, 1})
	}
	return out
}

// mem is the memory at a pointer.
func (fr *frame) mem(p *bitcode.Value, offset, align int, volatile bool) *ir.Mem {
	x := fr.value(p)
	if len(x.regs) != 1 {
		refuse("memory is accessed through a vector of pointers")
	}
	m := &ir.Mem{Space: space(p.Type.Space), Base: x.regs[0], Index: ir.None, Disp: x.disp + int64(offset),
		Align: alignAt(align, offset), Volatile: volatile}
	if x.scale != 0 {
		m.Index, m.Scale, m.IndexSigned = x.index, x.scale, x.short && x.sign
	}
	if base := fr.k.Regs[m.Base]; base.Kind == ir.Address {
		m.Space = fr.k.Objects[base.Index].Space
	}
	return m
}

// alignAt is the alignment of what is at an offset from something aligned.
func alignAt(align, offset int) int {
	align = max(align, 1)
	for offset%align != 0 {
		align /= 2
	}
	return align
}

func (fr *frame) load(in *bitcode.Instr) []ir.Reg {
	if bits, ok := fr.hostConstant(in.Args[0]); ok {
		return fr.constantOf(in.Type, bits)
	}
	list := fr.leaves(in.Type)
	regs := make([]ir.Reg, len(list))
	for _, r := range runs(list) {
		dst := regs[r.first : r.first+r.n]
		for i := range dst {
			dst[i] = fr.temp(r.s.Type())
		}
		fr.emit(&ir.Instr{Op: ir.Load, Dst: dst, From: r.s,
			Mem: fr.mem(in.Args[0], r.offset, in.Align, in.Volatile)})
	}
	return regs
}

func (fr *frame) store(in *bitcode.Instr) {
	if k := in.Args[0].Kind; k == bitcode.Undef || k == bitcode.Poison {
		return
	}
	regs := fr.flat(in.Args[0])
	for _, r := range runs(fr.leaves(in.Args[0].Type)) {
		fr.emit(&ir.Instr{Op: ir.Store, Args: regs[r.first : r.first+r.n], From: r.s,
			Mem: fr.mem(in.Args[1], r.offset, in.Align, in.Volatile)})
	}
}

// Objects.

func (l *lowerer) object(o ir.Object) ir.Reg {
	if o.Size > maxObject {
		refuse("a variable has %d bytes", o.Size)
	}
	l.k.Objects = append(l.k.Objects, o)
	return l.k.Register(ir.RegInfo{Kind: ir.Address, Type: ir.Ptr, Index: len(l.k.Objects) - 1, Name: o.Name})
}

// variableObject is the memory of a variable of a function.
func (fr *frame) variableObject(in *bitcode.Instr) ir.Reg {
	name := in.Value.Name
	if name == "" {
		name = "variable"
	}
	return fr.object(ir.Object{Name: name, Pos: fr.pos, Space: syntax.Thread, Size: in.Elem.Size,
		Align: max(in.Align, in.Elem.Align), Elem: smallest(in.Elem)})
}

// smallest is the first scalar of a type.
func smallest(t *bitcode.Type) ir.Scalar {
	for {
		switch {
		case t.Kind == bitcode.Array || t.Kind == bitcode.Vector:
			t = t.Elem
		case t.Kind == bitcode.Struct && len(t.Fields) > 0:
			t = t.Fields[0]
		case t.Kind == bitcode.Struct:
			return ir.U8
		default:
			return scalarOf(t)
		}
	}
}

// global is the address of a variable of the module. Threadgroup memory has no contents at the start of a launch,
// whatever the library has for it.
func (l *lowerer) global(g *bitcode.Global) ir.Reg {
	if r, ok := l.objects[g]; ok {
		return r
	}
	o := ir.Object{Name: demangled(g.Name), Pos: l.k.Pos, Space: space(g.Space), Size: g.Type.Size,
		Align: max(g.Align, g.Type.Align), Elem: smallest(g.Type)}
	switch {
	case o.Size > maxObject:
		refuse("%s has %d bytes", o.Name, o.Size)
	case o.Space == syntax.Device || o.Space == syntax.Thread:
		refuse("%s is a variable of the program in %s memory", o.Name, o.Space)
	case o.Space == syntax.Constant && !g.Constant:
		o.Space = syntax.Thread // it is set at the start of the kernel
	case o.Space == syntax.Constant:
		if g.Init == nil {
			refuse("%s has no contents in this module", o.Name)
		}
		o.Data = make([]byte, o.Size)
		l.contents(g.Init, o.Data, 0)
	}
	r := l.object(o)
	l.objects[g] = r
	return r
}

// contents writes a constant as it lies in memory.
func (l *lowerer) contents(v *bitcode.Value, b []byte, depth int) {
	if v.Type == nil || depth > maxLoops {
		refuse("the contents of a constant are not supported")
	}
	put := func(at int, t *bitcode.Type, bits uint64) {
		for i := range min(t.Size, 8) {
			b[at+i] = byte(bits >> (8 * i))
		}
	}
	switch v.Kind {
	case bitcode.Null, bitcode.Undef, bitcode.Poison:
	case bitcode.Bits:
		put(0, v.Type, v.Bits)
	case bitcode.Data:
		for i, w := range v.Words {
			put(i*v.Type.Elem.Size, v.Type.Elem, w)
		}
	case bitcode.Aggregate:
		for i, e := range v.Elems {
			t, at := v.Type.Elem, 0
			if v.Type.Kind == bitcode.Struct {
				t, at = v.Type.Fields[i], v.Type.Offsets[i]
			} else {
				at = i * t.Size
			}
			if e.Type == nil || e.Type.Size != t.Size || at+t.Size > len(b) {
				refuse("a constant has a part of another type")
			}
			l.contents(e, b[at:at+t.Size], depth+1)
		}
	default:
		refuse("the contents of a constant of type %s are not supported", v.Type)
	}
}

// Function constants.

// hostConstant is the value that the host gives for a constant at an address, if that is one.
func (l *lowerer) hostConstant(p *bitcode.Value) (bits uint64, ok bool) {
	for p.Kind == bitcode.Cast {
		p = p.Elems[0]
	}
	if p.Global == nil || !p.Global.Externally {
		return 0, false
	}
	index, known := l.indices[p.Global]
	if !known {
		refuse("the constant %s has no index", demangled(p.Global.Name))
	}
	bits, _ = l.values(index) // zero without a value, as in source
	return bits, true
}

// constantOf is a scalar, or a vector whose elements are the parts of the bits.
func (l *lowerer) constantOf(t *bitcode.Type, bits uint64) []ir.Reg {
	if t.Kind == bitcode.Vector {
		refuse("a function constant has the type %s", t)
	}
	return []ir.Reg{l.literal(scalarOf(t).Type(), bits)}
}

// initialise runs the functions that set constants which depend on function constants.
func (l *lowerer) initialise() {
	for _, f := range l.module.Functions {
		if f.Section != "air.static_init" || len(f.Blocks) == 0 || len(f.Params) > 0 {
			continue
		}
		fr := l.frame(f)
		fr.body()
		*l.list = append(*l.list, fr.block)
	}
}

// demangled is the name of a variable of the program in source, as far as its mangled name shows it.
func demangled(name string) string {
	best := name
	for i := 0; i < len(name); i++ { // the last identifier that has its length before it
		n, j := 0, i
		for j < len(name) && name[j] >= '0' && name[j] <= '9' && n < 1<<10 {
			n, j = n*10+int(name[j]-'0'), j+1
		}
		if n > 0 && j+n <= len(name) && name[0] == '_' {
			best, i = name[j:j+n], j+n-1
		}
	}
	return best
}

// Moves of memory.

// maxMoved is the most accesses that a copy of memory becomes.
const maxMoved = 1 << 12

// moveMemory copies a known number of bytes; all are read before the first is written if the ranges may overlap.
func (fr *frame) moveMemory(in *bitcode.Instr, overlaps bool) {
	n, size := fr.moved(in, 2, pointerAlign(in, 0), pointerAlign(in, 1))
	s := wordOf(size)
	var loads, stores []*ir.Instr
	for at := 0; at < n; at += 4 * size {
		regs := make([]ir.Reg, min(4, (n-at)/size))
		for i := range regs {
			regs[i] = fr.temp(ir.I32)
		}
		loads = append(loads, &ir.Instr{Op: ir.Load, From: s, Dst: regs, Mem: fr.mem(in.Args[1], at, size, false)})
		stores = append(stores, &ir.Instr{Op: ir.Store, From: s, Args: regs, Mem: fr.mem(in.Args[0], at, size, false)})
	}
	for i, load := range loads {
		fr.emit(load)
		if !overlaps {
			fr.emit(stores[i])
		}
	}
	if overlaps {
		for _, store := range stores {
			fr.emit(store)
		}
	}
}

// setMemory fills a known number of bytes.
func (fr *frame) setMemory(in *bitcode.Instr) {
	n, size := fr.moved(in, 2, pointerAlign(in, 0), 4)
	word := fr.one(in.Args[1])
	bits, ok := fr.literalBits(word)
	if !ok {
		refuse("memory is filled with a byte that is not constant")
	}
	word = fr.i32(int(uint32(bits&0xff) * 0x01010101 >> (32 - 8*size)))
	for at := 0; at < n; at += 4 * size {
		regs := make([]ir.Reg, min(4, (n-at)/size))
		for i := range regs {
			regs[i] = word
		}
		fr.emit(&ir.Instr{Op: ir.Store, From: wordOf(size), Args: regs, Mem: fr.mem(in.Args[0], at, size, false)})
	}
}

// moved is the number of bytes that a call is about, and the size of the words that it may be done in.
func (fr *frame) moved(in *bitcode.Instr, length int, alignments ...int) (n, size int) {
	if len(in.Args) <= length {
		unsupported(in)
	}
	bytes, ok := in.Args[length].Constant()
	if !ok {
		refuse("a number of bytes is copied that is not constant")
	}
	size = 4
	for _, a := range alignments {
		size = min(size, a)
	}
	for bytes%uint64(size) != 0 {
		size /= 2
	}
	if bytes/uint64(size) > 4*maxMoved {
		refuse("%d bytes are copied at once", bytes)
	}
	return int(bytes), size
}

func wordOf(size int) ir.Scalar {
	return map[int]ir.Scalar{1: ir.U8, 2: ir.U16, 4: ir.U32}[size]
}

// pointerAlign is an alignment of a pointer that is known from where it comes.
func pointerAlign(in *bitcode.Instr, arg int) int {
	v := in.Args[arg]
	for range 8 {
		switch {
		case v.Global != nil:
			return max(v.Global.Align, 1)
		case v.Kind == bitcode.Cast:
			v = v.Elems[0]
		case v.Def != nil && v.Def.Op == bitcode.Alloca:
			return max(v.Def.Align, 1)
		case v.Def != nil && v.Def.Op == bitcode.CastOp:
			v = v.Def.Args[0]
		default:
			return 1
		}
	}
	return 1
}
