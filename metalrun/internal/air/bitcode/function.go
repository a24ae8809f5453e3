package bitcode

// body reads the body of a function.
type body struct {
	*moduleReader
	f       *Func
	blocks  int // that have ended
	current *Block
	loc     Location
	last    *Instr
	results int
}

// function reads a body. The values of it are forgotten at its end.
func (m *moduleReader) function(f *Func, b *block) {
	before := len(m.values)
	module := m.metadata
	m.metadata = &metadata{module: module}
	r := &body{moduleReader: m, f: f}
	for i, t := range f.Type.Fields {
		f.Params = append(f.Params, m.define(Value{Kind: Argument, Type: t, Number: i}))
	}
	r.results = len(f.Params)
	m.r.walk(b, r.instr, func(b *block) {
		switch b.id {
		case constantsBlock:
			m.constants(b)
		case metadataBlock:
			m.readMetadata(b)
		case valueSymtabBlock:
			m.symbols(b, f)
		case metadataAttachmentBlock:
			m.attachments(b, f)
		}
	})
	if len(m.forward) > 0 {
		fail("%s: %d values are not defined", f.Name, len(m.forward))
	}
	if r.current != nil || r.blocks != len(f.Blocks) || r.blocks == 0 {
		fail("%s has %d of %d blocks", f.Name, r.blocks, len(f.Blocks))
	}
	f.verify()
	m.values = m.values[:before]
	m.metadata = module
}

// operands reads the operands of one record.
type operands struct {
	*body
	rec *record
	i   int
}

func (o *operands) more() bool { return o.i < len(o.rec.ops) }

func (o *operands) left() int { return len(o.rec.ops) - o.i }

func (o *operands) next() uint64 {
	o.i++
	return o.rec.at(o.i - 1)
}

// any is an operand that has its type with it if it is not defined yet.
func (o *operands) any() *Value {
	id := uint64(uint32(len(o.values)) - uint32(o.next()))
	v := o.value(id)
	if id >= uint64(len(o.values)) {
		o.expect(v, o.typ(o.next()))
	}
	return v
}

// of is an operand whose type is known.
func (o *operands) of(t *Type) *Value {
	rel := o.next()
	if t.Kind == MetadataType {
		return &Value{Kind: Metadata, Type: t}
	}
	v := o.value(uint64(uint32(len(o.values)) - uint32(rel)))
	o.expect(v, t)
	return v
}

// expect says what type a value has that is not defined yet.
func (o *operands) expect(v *Value, t *Type) {
	if v.Type == nil {
		v.Type = t
	}
}

func (o *operands) flags() uint64 {
	if o.more() {
		return o.next()
	}
	return 0
}

func (o *operands) block() int {
	n := o.next()
	if n >= uint64(len(o.f.Blocks)) {
		fail("%s has no block %d", o.f.Name, n)
	}
	return int(n)
}

// instr reads a record of a function.
func (r *body) instr(rec *record) {
	switch rec.code {
	case instDeclareBlocks:
		n := rec.number(0)
		r.r.spend(n)
		if len(r.f.Blocks) > 0 {
			fail("%s declares its blocks twice", r.f.Name)
		}
		r.f.Blocks = make([]*Block, n)
		for i := range r.f.Blocks {
			r.f.Blocks[i] = &Block{}
		}
		return
	case debugLoc:
		r.loc = Location{int(uint32(rec.at(0))), int(uint32(rec.at(1))), r.metadata.node(rec.at(2))}
		if r.last != nil {
			r.last.Loc = r.loc
		}
		return
	case debugLocAgain:
		if r.last != nil {
			r.last.Loc = r.loc
		}
		return
	case operandBundle, blockAddressUsers:
		return
	}
	if rec.code >= firstDebugRecord && rec.code <= lastDebugRecord {
		return
	}
	if r.current == nil {
		if r.blocks >= len(r.f.Blocks) {
			fail("%s has an instruction after its blocks", r.f.Name)
		}
		r.current = r.f.Blocks[r.blocks]
	}
	in := &Instr{}
	o := &operands{body: r, rec: rec}
	o.decode(in)
	r.last = in
	r.current.Instrs = append(r.current.Instrs, in)
	if in.Type == nil {
		in.Type = voidType
	} else if in.Type.Kind != Void {
		in.Value = r.define(Value{Kind: Result, Type: in.Type, Def: in, Number: r.results})
		r.results++
	}
	if in.IsTerminator() {
		r.blocks++
		r.current = nil
	}
}

var voidType = &Type{Kind: Void, Align: 1}

// decode sets an instruction from a record.
func (o *operands) decode(in *Instr) {
	switch o.rec.code {
	case instBinary:
		in.Op = Binary
		x := o.any()
		in.Args, in.Sub, in.Type = []*Value{x, o.of(x.Type)}, uint8(o.next()), x.Type
		in.Flags = o.flags()
	case instUnary:
		in.Op = Unary
		in.Args, in.Sub = []*Value{o.any()}, uint8(o.next())
		in.Type, in.Flags = in.Args[0].Type, o.flags()
	case instCast:
		in.Op, in.Args, in.Type, in.Sub = CastOp, []*Value{o.any()}, o.typ(o.next()), uint8(o.next())
		in.Flags = o.flags()
	case instCompare, instCompareFlags:
		in.Op = Compare
		x := o.any()
		in.Args, in.Sub = []*Value{x, o.of(x.Type)}, uint8(o.next())
		in.Flags = o.flags()
		in.Type = NewInteger(1)
		if x.Type.Kind == Vector {
			in.Type = NewVector(x.Type.Len, in.Type)
		}
	case instSelect:
		in.Op = Select
		x := o.any()
		y := o.of(x.Type)
		in.Args, in.Type, in.Flags = []*Value{o.any(), x, y}, x.Type, o.flags()
	case instFreeze:
		in.Op, in.Args = Freeze, []*Value{o.any()}
		in.Type = in.Args[0].Type
	case instPhi:
		o.phi(in)
	case instCall:
		o.call(in)
	case instFence:
		in.Op = Fence
	case instReturn:
		in.Op = Return
		if o.more() {
			in.Args = []*Value{o.any()}
		}
	case instBranch:
		in.Op, in.Targets = Branch, []int{o.block()}
		if o.more() {
			in.Targets = append(in.Targets, o.block())
			in.Args = []*Value{o.of(NewInteger(1))}
		}
	case instSwitch:
		o.switches(in)
	case instUnreachable:
		in.Op = Unreachable
	default:
		if !o.memory(in) && !o.element(in) {
			fail("%s has an instruction with the code %d", o.f.Name, o.rec.code)
		}
	}
}

// memory decodes an instruction about memory, if it is one.
func (o *operands) memory(in *Instr) bool {
	switch o.rec.code {
	case instGEP:
		in.Op = GetElementPtr
		o.next()
		in.Elem = o.typ(o.next())
		for o.more() {
			in.Args = append(in.Args, o.any())
		}
		if len(in.Args) == 0 {
			fail("%s has an address without operands", o.f.Name)
		}
		o.addressType(in)
	case instAlloca:
		t, _, _, bits := o.typ(o.next()), o.next(), o.next(), o.next()
		if bits&(1<<6) == 0 {
			if t.Kind != Pointer || t.Elem == nil {
				fail("%s has a variable of type %s", o.f.Name, t)
			}
			t = t.Elem
		}
		space := 0
		if o.more() {
			space = int(o.next())
		}
		n, ok := o.values0(2).Constant()
		if !ok || n != 1 {
			fail("%s has a variable whose size is not known", o.f.Name)
		}
		in.Op, in.Elem, in.Type, in.Align = Alloca, t, pointerTo(t, space), alignment(bits&31|bits>>8&7<<5)
	case instLoad:
		in.Op, in.Args = Load, []*Value{o.any()}
		switch t := in.Args[0].Type; {
		case o.left() == 3:
			in.Type = o.typ(o.next())
		case t != nil && t.Kind == Pointer && t.Elem != nil:
			in.Type = t.Elem
		default:
			fail("%s loads from %s", o.f.Name, t)
		}
		in.Align, in.Volatile = alignment(o.next()), o.next() != 0
	case instStore:
		in.Op = Store
		p := o.any()
		in.Args = []*Value{o.any(), p}
		in.Align, in.Volatile = alignment(o.next()), o.next() != 0
	default:
		return false
	}
	return true
}

// values0 is the value whose number is operand i, counted from the first value.
func (o *operands) values0(i int) *Value {
	id := o.rec.at(i)
	if id >= uint64(len(o.values)) || o.values[id].Type == nil {
		fail("%s has an operand that is not defined", o.f.Name)
	}
	return o.values[id]
}

// addressType is the type of an address: a pointer into the space of its base.
func (o *operands) addressType(in *Instr) {
	base := in.Args[0].Type
	if base.Kind != Pointer {
		fail("%s has an address in %s", o.f.Name, base)
	}
	in.Type = base
	if base.Elem != nil {
		in.Type = pointerTo(nil, base.Space)
	}
}

// element decodes an instruction about parts of values, if it is one.
func (o *operands) element(in *Instr) bool {
	switch o.rec.code {
	case instExtractElement:
		in.Op, in.Args = ExtractElement, []*Value{o.vector()}
		in.Type = in.Args[0].Type.Elem
		in.Args = append(in.Args, o.any())
	case instInsertElement:
		x := o.vector()
		in.Op, in.Args, in.Type = InsertElement, []*Value{x, o.of(x.Type.Elem)}, x.Type
		in.Args = append(in.Args, o.any())
	case instShuffle:
		x := o.vector()
		in.Op, in.Args = Shuffle, []*Value{x, o.of(x.Type), o.vector()}
		in.Type = NewVector(in.Args[2].Type.Len, x.Type.Elem)
	case instExtractValue, instInsertValue:
		in.Op, in.Args = ExtractValue, []*Value{o.any()}
		if o.rec.code == instInsertValue {
			in.Op, in.Args = InsertValue, append(in.Args, o.any())
		}
		t := in.Args[0].Type
		for o.more() {
			i := o.rec.number(o.i)
			o.i++
			in.Indices = append(in.Indices, i)
			switch {
			case t.Kind == Struct && i < len(t.Fields):
				t = t.Fields[i]
			case t.Kind == Array && i < t.Len:
				t = t.Elem
			default:
				fail("%s has no part %d", t, i)
			}
		}
		if in.Type = t; in.Op == InsertValue {
			if !same(in.Args[1].Type, t) {
				fail("%s puts %s where %s is", o.f.Name, in.Args[1].Type, t)
			}
			in.Type = in.Args[0].Type
		}
	default:
		return false
	}
	return true
}

func (o *operands) vector() *Value {
	v := o.any()
	if v.Type.Kind != Vector {
		fail("%s has %s instead of a vector", o.f.Name, v.Type)
	}
	return v
}

func (o *operands) phi(in *Instr) {
	in.Op, in.Type = Phi, o.typ(o.next())
	for o.left() >= 2 {
		id := uint64(uint32(int64(len(o.values)) - signed(o.next())))
		v := o.value(id)
		o.expect(v, in.Type)
		in.Args = append(in.Args, v)
		in.Targets = append(in.Targets, o.block())
	}
	in.Flags = o.flags()
}

func (o *operands) switches(in *Instr) {
	in.Op = Switch
	t := o.typ(o.next())
	in.Args, in.Targets = []*Value{o.of(t)}, []int{o.block()}
	for o.left() >= 2 {
		v := o.values0(o.i)
		o.i++
		if _, ok := v.Constant(); !ok || !same(v.Type, t) {
			fail("%s has a case that is no constant", o.f.Name)
		}
		in.Args = append(in.Args, v)
		in.Targets = append(in.Targets, o.block())
	}
}

func (o *operands) call(in *Instr) {
	in.Op = Call
	o.next()
	convention := o.next()
	if convention>>17&1 != 0 {
		in.Flags = o.next()
	}
	var t *Type
	if convention>>15&1 != 0 {
		t = o.typ(o.next())
	}
	in.Callee = o.any()
	if c := in.Callee.Type; t == nil && c.Kind == Pointer {
		t = c.Elem
	}
	if t == nil || t.Kind != Function {
		fail("%s calls what is no function", o.f.Name)
	}
	if f := in.Callee.Func; f != nil && !same(f.Type, t) {
		fail("%s calls %s as another type of function", o.f.Name, f.Name)
	}
	for _, p := range t.Fields {
		in.Args = append(in.Args, o.of(p))
	}
	for t.VarArg && o.more() {
		in.Args = append(in.Args, o.any())
	}
	in.Type = t.Elem
}
