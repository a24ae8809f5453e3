package lower

import (
	"slices"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// lvalue is where an object is: in registers or at an address.
type lvalue struct {
	typ      hir.Type
	regs     []ir.Reg // its leaves; nil in memory
	inMemory bool
	addr     address
	comps    []int // components of the vector of type typ at addr that a swizzle selects; nil for all
	bits     int   // width of a bit-field, otherwise 0
	shift    int   // and its first bit at addr
}

func memory(t hir.Type, a address) lvalue { return lvalue{typ: t, inMemory: true, addr: a} }

func registers(t hir.Type, regs []ir.Reg) lvalue { return lvalue{typ: t, regs: regs} }

// lvalue lowers an lvalue. Any other value becomes one that is never written: const
// references may be bound to it.
func (l *lowerer) lvalue(e hir.Expr) lvalue {
	defer l.at(e.Pos())()
	switch e := e.(type) {
	case *hir.VarExpr:
		return l.variableLvalue(e.Var)
	case *hir.Deref:
		return l.deref(e)
	case *hir.Index:
		return l.index(l.lvalue(e.X), e.I)
	case *hir.FieldExpr:
		return l.field(l.lvalue(e.X), e.Field)
	case *hir.Swizzle:
		return l.swizzle(l.lvalue(e.X), e.Comps, e.Type())
	case *hir.ThreadElements:
		return threadElements(l.lvalue(e.X))
	case *hir.Temporary:
		return l.temporary(e)
	case *hir.Assign:
		return l.assign(e)
	case *hir.OpAssign:
		return l.opAssign(e)
	case *hir.IncDec:
		if !e.Postfix {
			p, _ := l.incDec(e)
			return p
		}
	case *hir.Comma:
		l.effect(e.X)
		return l.lvalue(e.Y)
	case *hir.Cond:
		if e.LValue {
			return l.condLvalue(e)
		}
	}
	return registers(e.Type(), l.value(e))
}

// variableLvalue is where v lives.
func (l *lowerer) variableLvalue(v *hir.Var) lvalue {
	if p, ok := l.vars[v]; ok {
		return p
	}
	switch {
	case v.Global && v.Data != nil:
		return memory(v.Type, address{space: syntax.Constant, base: l.constantObject(v), index: ir.None})
	case v.Space == syntax.Threadgroup && !v.Ref:
		return memory(v.Type, address{space: syntax.Threadgroup, base: l.object(v), index: ir.None})
	}
	l.fail("internal", "variable %s is used and not declared", v.Name)
	panic("unreachable")
}

// deref is what a pointer points to.
func (l *lowerer) deref(e *hir.Deref) lvalue {
	switch x := samePointee(e.X).(type) {
	case *hir.AddrOf:
		return l.lvalue(x.X)
	case *hir.Load:
		if v, ok := pointerVar(x); ok {
			if p, ok := l.pointers[v]; ok {
				return p
			}
		}
	}
	a := l.pointer(e.X)
	a.volatile = e.X.Type().(*hir.Pointer).Volatile
	return memory(e.Type(), a)
}

// threadElements is a simdgroup matrix as the vector of this lane's elements.
func threadElements(p lvalue) lvalue {
	elem, n := element(p.typ)
	p.typ = hir.Vector{Elem: scalarKind(elem), N: n, Packed: true} // in memory it has the alignment of its elements
	return p
}

// temporary is a new object with a value.
func (l *lowerer) temporary(e *hir.Temporary) lvalue {
	p := registers(e.Type(), l.variables(e.Type(), ""))
	if !inRegisters(e.Type()) {
		return l.spill(registers(e.Type(), l.value(e.X)))
	}
	for _, r := range p.regs {
		l.mutable[r] = true
		l.aliased[r] = true
	}
	l.assignRegs(p.regs, l.value(e.X))
	return p
}

// referent is the object that the reference v is bound to. Where a pointer to a base is made, which may lead to the
// object around it, a temporary lies in memory as a whole.
func (l *lowerer) referent(v *hir.Var, e hir.Expr) lvalue {
	part, ok := e.(*hir.FieldExpr)
	if !ok || !l.storage.addressed[v] {
		return l.lvalue(e)
	}
	defer l.at(e.Pos())()
	whole := l.referent(v, part.X)
	if _, ok := part.X.(*hir.Temporary); ok && !whole.inMemory {
		whole = l.spill(whole)
	}
	return l.field(whole, part.Field)
}

// condLvalue selects one of two objects, which have addresses for that.
func (l *lowerer) condLvalue(e *hir.Cond) lvalue {
	cond := l.value(e.C)[0]
	v := l.variable(ir.Ptr, "")
	var space syntax.Space
	side := func(mark *syntax.StmtID, x hir.Expr) func() {
		return func() {
			l.mark(mark)
			p := l.lvalue(x)
			if !p.inMemory {
				p = l.spill(p)
			}
			space = p.addr.space
			l.copy(v, l.materialise(p.addr))
		}
	}
	l.ifElse(cond, side(e.MarkX, e.X), side(e.MarkY, e.Y))
	return memory(e.Type(), address{space: space, base: v, index: ir.None})
}

// index selects an element, from memory if it may not be there.
func (l *lowerer) index(p lvalue, i hir.Expr) lvalue {
	elem, n := element(p.typ)
	if p.comps != nil {
		n = len(p.comps)
		p = registers(hir.Vector{Elem: scalarKind(p.typ), N: n}, l.read(p))
	}
	if p.inMemory {
		return memory(elem, l.indexed(p.component(), i, elem.Size()))
	}
	size := leafCount(elem)
	if v, ok := constInt(i); ok && v >= 0 && int(v) < n {
		return registers(elem, p.regs[int(v)*size:][:size])
	}
	// A variable whose elements are selected otherwise is in memory; this is a value.
	return l.index(l.spill(p), i)
}

// field selects a member of a struct or union.
func (l *lowerer) field(p lvalue, i int) lvalue {
	s, ok := p.typ.(*hir.Struct)
	if !ok {
		l.fail("internal", "field of %s", p.typ)
	}
	if s.Union && !p.inMemory {
		p = l.spill(p)
	}
	f := s.Fields[i]
	if p.inMemory {
		return fieldMemory(p, f)
	}
	part := registers(f.Type, p.regs[fieldLeaf(s, i):][:leafCount(f.Type)])
	part.bits = f.Bits
	return part
}

// fieldMemory is a member of a struct in memory.
func fieldMemory(p lvalue, f hir.Field) lvalue {
	part := memory(f.Type, p.addr.plus(f.Offset))
	part.bits, part.shift = f.Bits, f.Shift
	if align := p.typ.Align(); align < f.Type.Align() && (part.addr.most == 0 || align < part.addr.most) {
		part.addr.most = align
	}
	return part
}

// lvalueRuns are the runs of an lvalue in memory.
func (l *lowerer) lvalueRuns(p lvalue) []run {
	if p.bits > 0 {
		return fieldRuns(hir.Field{Type: p.typ, Bits: p.bits, Shift: p.shift})
	}
	return l.memoryRuns(p.typ)
}

// swizzle selects components of a vector.
func (l *lowerer) swizzle(p lvalue, comps []int, typ hir.Type) lvalue {
	if p.comps != nil {
		picked := make([]int, len(comps))
		for i, c := range comps {
			picked[i] = p.comps[c]
		}
		comps, p.comps = picked, nil
	}
	if !p.inMemory {
		regs := make([]ir.Reg, len(comps))
		for i, c := range comps {
			regs[i] = p.regs[c]
		}
		return registers(typ, regs)
	}
	elem, _ := element(p.typ)
	p.addr = p.component()
	if len(comps) == 1 {
		return memory(typ, p.addr.plus(comps[0]*elem.Size()))
	}
	p.comps = comps
	return p
}

// component is the address of an lvalue whose components are to be accessed.
func (p lvalue) component() address {
	a := p.addr
	if v, ok := p.typ.(hir.Vector); ok && !v.Packed {
		a.vectorBytes = v.Size()
	}
	return a
}

// spill puts a value into memory of the thread.
func (l *lowerer) spill(p lvalue) lvalue {
	v := &hir.Var{Name: "temporary", Pos: l.pos, Type: p.typ, Space: syntax.Thread}
	m := memory(p.typ, address{space: syntax.Thread, base: l.object(v), index: ir.None})
	l.write(m, p.regs)
	return m
}

// read loads the value of an lvalue.
func (l *lowerer) read(p lvalue) []ir.Reg {
	if !p.inMemory {
		return p.regs
	}
	if p.comps != nil {
		run := l.memoryRuns(p.typ)[0]
		var regs []ir.Reg
		for _, c := range p.comps {
			regs = append(regs, l.load(p.addr.plus(c*run.scalar.Size()), run.component())...)
		}
		return regs
	}
	l.checkSize(p.typ)
	var regs []ir.Reg
	for _, run := range l.lvalueRuns(p) {
		regs = append(regs, l.load(p.addr.plus(run.offset), run)...)
	}
	return regs
}

// component is a single element of a vector's run.
func (r run) component() run { return run{scalar: r.scalar, n: 1, align: r.scalar.Size()} }

// maxValue is the largest value, in scalars, that passes through registers.
const maxValue = 4096

func (l *lowerer) checkSize(t hir.Type) {
	if n := leafCount(t); n > maxValue {
		l.fail("too-large",
			"a value of type %s has %d scalars: at most %d are supported outside memory, whatever the flags: refer "+
				"to it where it lies", t, n, maxValue)
	}
}

// load reads one run. Constant data is read now.
func (l *lowerer) load(a address, r run) []ir.Reg {
	if r.bits > 0 {
		return []ir.Reg{l.loadBits(a, r)}
	}
	if regs := l.loadConstant(a, r); regs != nil {
		return regs
	}
	if r = r.aligned(a); r.inPieces() {
		return l.loadPieces(a, r)
	}
	dst := make([]ir.Reg, r.n)
	for i := range dst {
		dst[i] = l.temp(r.scalar.Type())
	}
	l.emit(&ir.Instr{Op: ir.Load, Dst: dst, From: r.scalar, Mem: a.mem(r.align)})
	return dst
}

func (l *lowerer) loadConstant(a address, r run) []ir.Reg {
	info := &l.k.Regs[a.base]
	if info.Kind != ir.Address || a.index != ir.None || r.scalar == ir.P64 {
		return nil
	}
	data := l.k.Objects[info.Index].Data
	if a.disp < 0 || a.disp+int64(r.n*r.scalar.Size()) > int64(len(data)) {
		return nil
	}
	regs := make([]ir.Reg, r.n)
	for i := range regs {
		var bits uint64
		at := int(a.disp) + i*r.scalar.Size()
		for j := range r.scalar.Size() {
			bits |= uint64(data[at+j]) << (8 * j)
		}
		if !r.scalar.Type().IsFloat() {
			bits = ir.Wrap(r.scalar, bits)
		}
		regs[i] = l.literal(r.scalar.Type(), bits)
	}
	return regs
}

// write stores a value, given by its leaves, to an lvalue.
func (l *lowerer) write(p lvalue, regs []ir.Reg) {
	switch {
	case !p.inMemory && p.bits > 0:
		l.assignRegs(p.regs, []ir.Reg{l.truncated(regs[0], scalarOf(scalarKind(p.typ)), p.bits)})
	case !p.inMemory:
		l.assignRegs(p.regs, regs)
	case p.comps != nil:
		run := l.memoryRuns(p.typ)[0]
		for i, c := range p.comps {
			l.store(p.addr.plus(c*run.scalar.Size()), run.component(), regs[i:i+1])
		}
	default:
		for _, run := range l.lvalueRuns(p) {
			l.store(p.addr.plus(run.offset), run, regs[:run.n])
			regs = regs[run.n:]
		}
	}
}

func (l *lowerer) store(a address, r run, regs []ir.Reg) {
	if r.bits > 0 {
		l.storeBits(a, r, regs[0])
		return
	}
	if r = r.aligned(a); r.inPieces() {
		l.storePieces(a, r, regs)
		return
	}
	l.emit(&ir.Instr{Op: ir.Store, From: r.scalar, Args: slices.Clone(regs), Mem: a.mem(r.align)})
}

// assignRegs copies all of src to dst as if at once.
func (l *lowerer) assignRegs(dst, src []ir.Reg) {
	src = slices.Clone(src)
	for j, s := range src {
		if i := slices.Index(dst[:j], s); i >= 0 {
			src[j] = l.op(ir.Copy, l.typeOf(s), s) // overwritten before it is read
		}
	}
	for i, d := range dst {
		l.copy(d, src[i])
	}
}

// Variables

// declare brings v into scope with a value of its type.
func (l *lowerer) declare(v *hir.Var, regs []ir.Reg) {
	switch {
	case l.storage.object(v):
		p := memory(v.Type, address{space: syntax.Thread, base: l.object(v), index: ir.None})
		l.vars[v] = p
		l.write(p, regs)
	case l.storage.written[v]:
		p := l.mutableVariable(v)
		l.vars[v] = p
		l.assignRegs(p.regs, regs)
	default:
		l.vars[v] = registers(v.Type, l.freeze(regs))
	}
}

// mutableVariable makes variables for the leaves of v.
func (l *lowerer) mutableVariable(v *hir.Var) lvalue {
	p := registers(v.Type, l.variables(v.Type, v.Name))
	for _, r := range p.regs {
		l.mutable[r] = true
		l.aliased[r] = l.storage.aliased[v]
	}
	return p
}

// reference makes v another name of p. The address of an aggregate behind a
// pointer is computed once.
func (l *lowerer) reference(v *hir.Var, p lvalue) {
	if p.inMemory {
		p.addr = l.freezeAddress(p.addr)
		if l.k.Regs[p.addr.base].Kind != ir.Address && isAggregate(p.typ) {
			p.addr = l.based(p.addr)
		}
	} else if l.storage.indexed[v] || l.storage.addressed[v] {
		p = l.spill(p)
	}
	l.vars[v] = p
}

func isAggregate(t hir.Type) bool {
	switch t.(type) {
	case *hir.Struct, *hir.Array:
		return true
	}
	return false
}

// object is the address of the memory of a variable that the kernel declares.
func (l *lowerer) object(v *hir.Var) ir.Reg {
	if r, ok := l.objects[v]; ok {
		return r
	}
	o := ir.Object{Name: v.Name, Pos: v.Pos, Space: v.Space, Size: v.Type.Size(), Align: v.Type.Align(),
		Elem: smallestScalar(v.Type)}
	if l.cycle != nil && v.Space == syntax.Thread {
		l.objects[v] = l.framedObject(o)
		return l.objects[v]
	}
	l.k.Objects = append(l.k.Objects, o)
	l.objects[v] = l.addressOf(len(l.k.Objects) - 1)
	return l.objects[v]
}

func (l *lowerer) addressOf(object int) ir.Reg {
	return l.register(ir.RegInfo{Kind: ir.Address, Type: ir.Ptr, Index: object, Name: l.k.Objects[object].Name})
}

// constantObject is the address of v's data. Equal data is kept once.
func (l *lowerer) constantObject(v *hir.Var) ir.Reg {
	if r, ok := l.objects[v]; ok {
		return r
	}
	key := constantKey{v.Type.Align(), string(v.Data)}
	r, ok := l.data[key]
	if !ok {
		l.k.Objects = append(l.k.Objects, ir.Object{
			Name: v.Name, Pos: v.Pos, Space: syntax.Constant, Size: v.Type.Size(), Align: v.Type.Align(),
			Elem: smallestScalar(v.Type), Data: v.Data,
		})
		r = l.addressOf(len(l.k.Objects) - 1)
		l.data[key] = r
	}
	l.objects[v] = r
	return r
}

// smallestScalar is the smallest scalar in a t.
func smallestScalar(t hir.Type) ir.Scalar {
	switch t := t.(type) {
	case *hir.Array:
		return smallestScalar(t.Elem)
	case *hir.Struct:
		best := ir.P64
		for _, f := range t.Fields {
			if s := smallestScalar(f.Type); s.Size() < best.Size() {
				best = s
			}
		}
		return best
	case *hir.Pointer:
		return ir.P64
	case hir.SimdVote, *hir.Signature:
		return ir.U64
	}
	if k := scalarKind(t); k != hir.Void {
		return scalarOf(k)
	}
	return ir.U8
}
