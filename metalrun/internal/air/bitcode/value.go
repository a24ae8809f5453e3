package bitcode

// ValueKind is what a value is.
type ValueKind uint8

// The kinds.
const (
	Undefined   ValueKind = iota // named before it is defined
	Argument                     // of a function
	Result                       // of an instruction
	GlobalValue                  // the address of a variable
	FuncValue
	Bits      // an integer or a float, of which Bits are the bits
	Null      // zero of any type
	Undef     // any value
	Poison    // a value that nothing may depend on
	Aggregate // Elems
	Data      // Words, each a scalar of an array or vector
	Cast      // of Elems[0] to another type of pointer
	Address   // as GetElementPtr: Elem, Elems
	Metadata  // an argument that is metadata
)

// Value is an operand.
type Value struct {
	Kind   ValueKind
	Type   *Type
	Name   string
	Bits   uint64
	Words  []uint64
	Elems  []*Value
	Elem   *Type // of an Address
	Global *Global
	Func   *Func
	Def    *Instr // of a Result
	Number int    // of an Argument or a Result, among those of the function
}

// Constant is the value of an integer constant, zero-extended.
func (v *Value) Constant() (bits uint64, ok bool) {
	if v.Type.Kind == Integer && (v.Kind == Bits || v.Kind == Null) {
		return v.Bits, true
	}
	return 0, false
}

// value is the value with a number, which may be defined later.
func (m *moduleReader) value(id uint64) *Value {
	if id < uint64(len(m.values)) {
		return m.values[id]
	}
	v := m.forward[id]
	if v == nil {
		v = &Value{}
		m.forward[id] = v
	}
	return v
}

// define makes v the next value, or what was named instead of it.
func (m *moduleReader) define(v Value) *Value {
	id := uint64(len(m.values))
	p := m.forward[id]
	if p == nil {
		p = &Value{}
	} else {
		if p.Type != nil && !same(p.Type, v.Type) {
			fail("value %d has two types: %s and %s", id, p.Type, v.Type)
		}
		delete(m.forward, id)
	}
	*p = v
	m.values = append(m.values, p)
	return p
}

// same reports whether two types are, as far as operations tell them apart.
func same(a, b *Type) bool {
	return a == b || a.Kind == b.Kind && a.Bits == b.Bits && a.Len == b.Len && a.Space == b.Space &&
		len(a.Fields) == len(b.Fields) && a.Size == b.Size && (a.Kind == Pointer ||
		a.Elem == nil && b.Elem == nil || a.Elem != nil && b.Elem != nil && same(a.Elem, b.Elem))
}

// constants reads a block of constants.
func (m *moduleReader) constants(b *block) {
	var t *Type
	m.r.walk(b, func(rec *record) {
		if rec.code == constSetType {
			t = m.typ(rec.at(0))
			return
		}
		if t == nil {
			fail("a constant has no type")
		}
		v := Value{Type: t}
		m.constant(&v, rec)
		m.define(v)
	}, nil)
}

func (m *moduleReader) constant(v *Value, rec *record) {
	switch rec.code {
	case constNull:
		v.Kind = Null
	case constUndef:
		v.Kind = Undef
	case constPoison:
		v.Kind = Poison
	case constInteger:
		if v.Type.Kind != Integer {
			fail("an integer has the type %s", v.Type)
		}
		v.Kind, v.Bits = Bits, uint64(signed(rec.at(0)))
		if v.Type.Bits < 64 {
			v.Bits &= 1<<v.Type.Bits - 1
		}
	case constFloat:
		v.Kind, v.Bits = Bits, rec.at(0)
	case constAggregate:
		m.aggregate(v, rec)
	case constString, constCString, constData:
		m.data(v, rec)
	case constCast:
		v.Kind, v.Elems = Cast, []*Value{m.value(rec.at(2))}
		if op := rec.at(0); v.Type.Kind != Pointer || op != castBits && op != castSpace {
			fail("a constant is cast to %s by operation %d", v.Type, op)
		}
	case constGEP, constInboundsGEP, constRangeGEP, constNewGEP:
		m.address(v, rec)
	default:
		v.Kind, v.Name = Undefined, "" // refused where it is used
	}
}

func (m *moduleReader) aggregate(v *Value, rec *record) {
	v.Kind = Aggregate
	n := len(v.Type.Fields)
	if k := v.Type.Kind; k == Array || k == Vector {
		n = v.Type.Len
	} else if k != Struct {
		fail("a constant of several values has the type %s", v.Type)
	}
	if len(rec.ops) != n {
		fail("a constant of type %s has %d values", v.Type, len(rec.ops))
	}
	for _, id := range rec.ops {
		v.Elems = append(v.Elems, m.value(id))
	}
}

func (m *moduleReader) data(v *Value, rec *record) {
	v.Kind, v.Words = Data, append([]uint64(nil), rec.ops...)
	if rec.code == constCString {
		v.Words = append(v.Words, 0)
	}
	if k := v.Type.Kind; k != Array && k != Vector || v.Type.Elem.Scalars != 1 || len(v.Words) != v.Type.Len {
		fail("%d scalars have the type %s", len(v.Words), v.Type)
	}
}

func (m *moduleReader) address(v *Value, rec *record) {
	v.Kind = Address
	ops := rec.ops
	if rec.code == constRangeGEP || rec.code == constNewGEP || len(ops)%2 == 1 {
		v.Elem = m.typ(rec.at(0))
		ops = ops[1:]
	}
	if (rec.code == constRangeGEP || rec.code == constNewGEP) && len(ops)%2 == 1 {
		ops = ops[1:]
	}
	if len(ops) < 4 || len(ops)%2 != 0 || v.Type.Kind != Pointer && v.Type.Kind != Vector {
		fail("a constant address has %d operands", len(ops))
	}
	for i := 1; i < len(ops); i += 2 {
		v.Elems = append(v.Elems, m.value(ops[i]))
	}
	if v.Elem == nil {
		fail("a constant address has no type")
	}
}
