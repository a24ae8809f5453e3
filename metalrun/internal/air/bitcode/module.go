package bitcode

import (
	"encoding/binary"
	"errors"
)

// Module is a translation unit.
type Module struct {
	Triple, DataLayout, Source string
	Types                      []*Type
	Globals                    []*Global
	Functions                  []*Func
	Named                      map[string][]*Node // metadata that has a name

	sections []string
}

// Global is a variable of the module.
type Global struct {
	Name       string
	Type       *Type // of what is in it
	Space      int
	Constant   bool
	Init       *Value // nil if it has none
	Align      int    // 0 if not given
	Externally bool   // initialised by the host
}

// Func is a function. One without blocks is only declared.
type Func struct {
	Name   string
	Type   *Type // a function type
	Params []*Value
	Blocks []*Block
	Node   *Node // its debug information, or nil

	Section string
}

// Block is a basic block. Its last instruction is a terminator, and no other is.
type Block struct {
	Name   string
	Instrs []*Instr
}

// Wrappers and modules by their first word.
const (
	wrapperMagic = 0x0b17c0de
	bitcodeMagic = 0xdec04342
)

// moduleReader reads a module.
type moduleReader struct {
	r       *reader
	out     *Module
	strtab  []byte
	version uint64
	values  []*Value
	forward map[uint64]*Value // values that are not defined yet
	inits   []initializer
	// those of the module, or of the function that is read
	metadata *metadata
	bodies   []*Func // that have not come yet
}

// initializer is a variable whose contents come later.
type initializer struct {
	g  *Global
	id uint64
}

// maxFile is the size of a module in bytes that is read.
const maxFile = 1 << 28

// Read reads a module.
func Read(data []byte) (m *Module, err error) {
	defer func() {
		if p := recover(); p != nil {
			why, ok := p.(malformed)
			if !ok {
				panic(p)
			}
			m, err = nil, errors.New("bitcode: "+string(why))
		}
	}()
	if len(data) >= 20 && binary.LittleEndian.Uint32(data) == wrapperMagic {
		from, n := uint64(binary.LittleEndian.Uint32(data[8:])), uint64(binary.LittleEndian.Uint32(data[12:]))
		if from+n > uint64(len(data)) {
			fail("the wrapper is longer than the file")
		}
		data = data[from : from+n]
	}
	if len(data) < 4 || binary.LittleEndian.Uint32(data) != bitcodeMagic || len(data) > maxFile {
		fail("this is no LLVM bitcode")
	}
	r := &reader{stream: stream{data: data, pos: 32, end: uint64(len(data)) * 8}, info: map[uint64][]abbrev{}}
	r.budget = len(data) * 8
	reading := &moduleReader{r: r, out: &Module{Named: map[string][]*Node{}}, forward: map[uint64]*Value{},
		metadata: &metadata{}}
	return reading.read(), nil
}

// read finds the module and the table of strings, which comes after it.
func (m *moduleReader) read() *Module {
	r := m.r
	start := r.stream
	var module *stream
	for r.end-r.pos >= 64 {
		if r.fixed(2) != enterSubblock {
			fail("what follows the last block is no block")
		}
		at := r.stream
		b := r.enter(0)
		switch b.id {
		case moduleBlock:
			if module == nil {
				module = &at
			}
		case strtabBlock:
			r.walk(b, func(rec *record) {
				if rec.code == 1 && m.strtab == nil {
					m.strtab = rec.blob
				}
			}, nil)
		}
		r.pos = b.end
	}
	if module == nil {
		fail("there is no module")
	}
	r.stream = start
	r.pos = module.pos
	r.walk(r.enter(0), m.record, m.inner)
	m.resolve()
	if len(m.bodies) > 0 {
		fail("the function %s has no body", m.bodies[0].Name)
	}
	return m.out
}

func (m *moduleReader) inner(b *block) {
	switch b.id {
	case typeBlock:
		m.types(b)
	case constantsBlock:
		m.constants(b)
	case metadataBlock:
		m.readMetadata(b)
	case functionBlock:
		if len(m.bodies) == 0 {
			fail("there is a body without a function")
		}
		m.resolve()
		f := m.bodies[0]
		m.bodies = m.bodies[1:]
		m.function(f, b)
	case valueSymtabBlock:
		m.symbols(b, nil)
	}
}

// resolve gives variables their contents, once all constants are there.
func (m *moduleReader) resolve() {
	if len(m.forward) > 0 {
		fail("%d constants are not defined", len(m.forward))
	}
	for _, i := range m.inits {
		if i.id >= uint64(len(m.values)) {
			fail("the contents of %s are not defined", i.g.Name)
		}
		if i.g.Init = m.values[i.id]; !same(i.g.Init.Type, i.g.Type) {
			fail("the contents of %s have the type %s", i.g.Name, i.g.Init.Type)
		}
	}
	m.inits = nil
}

func (m *moduleReader) record(rec *record) {
	switch rec.code {
	case moduleVersion:
		if m.version = rec.at(0); m.version == 0 || m.version > 2 {
			fail("the version of the module is %d", m.version)
		}
	case moduleTriple:
		m.out.Triple = text(rec.ops)
	case moduleDataLayout:
		m.out.DataLayout = text(rec.ops)
	case moduleSource:
		m.out.Source = text(rec.ops)
	case moduleSection:
		m.out.sections = append(m.out.sections, text(rec.ops))
	case moduleGlobal:
		m.global(rec, m.name(rec))
	case moduleFunction:
		m.declare(rec, m.name(rec))
	case moduleAlias, moduleIFunc:
		fail("there is an alias")
	}
}

// name takes the name off the record of a global, as far as it has it.
func (m *moduleReader) name(rec *record) string {
	if m.version < 2 {
		return ""
	}
	from, n := rec.at(0), rec.at(1)
	rec.ops = rec.ops[2:]
	if from > uint64(len(m.strtab)) || n > uint64(len(m.strtab))-from {
		fail("a name is not in the table of strings")
	}
	return string(m.strtab[from : from+n])
}

func (m *moduleReader) global(rec *record, name string) {
	g := &Global{Name: name, Constant: rec.at(1)&1 != 0, Align: alignment(rec.at(4))}
	t := m.typ(rec.at(0))
	if rec.at(1)&2 != 0 {
		g.Type, g.Space = t, int(rec.at(1)>>2)
	} else if t.Kind == Pointer && t.Elem != nil {
		g.Type, g.Space = t.Elem, t.Space
	} else {
		fail("the variable %s has the type %s", name, t)
	}
	g.Externally = len(rec.ops) > 9 && rec.ops[9] != 0
	if init := rec.at(2); init > 0 {
		m.inits = append(m.inits, initializer{g, init - 1})
	}
	m.out.Globals = append(m.out.Globals, g)
	m.values = append(m.values, &Value{Kind: GlobalValue, Type: pointerTo(g.Type, g.Space), Global: g})
}

// section is the name of a section by its number, which counts from 1.
func (m *moduleReader) section(n uint64) string {
	if n > uint64(len(m.out.sections)) {
		fail("there is no section %d", n)
	}
	if n == 0 {
		return ""
	}
	return m.out.sections[n-1]
}

func pointerTo(t *Type, space int) *Type {
	return (&Type{Kind: Pointer, Elem: t, Space: space}).complete()
}

func (m *moduleReader) declare(rec *record, name string) {
	t := m.typ(rec.at(0))
	if t.Kind == Pointer && t.Elem != nil {
		t = t.Elem
	}
	if t.Kind != Function {
		fail("the function %s has the type %s", name, t)
	}
	f := &Func{Name: name, Type: t, Section: m.section(rec.at(6))}
	if rec.at(2) == 0 {
		m.bodies = append(m.bodies, f)
	}
	m.out.Functions = append(m.out.Functions, f)
	m.values = append(m.values, &Value{Kind: FuncValue, Type: pointerTo(t, 0), Func: f})
}

// symbols reads a table of the names of values: those of globals in an old module, or of a function.
func (m *moduleReader) symbols(b *block, f *Func) {
	m.r.walk(b, func(rec *record) {
		from := 1
		switch {
		case rec.code == symtabBlock && f != nil && len(rec.ops) > 0 && rec.ops[0] < uint64(len(f.Blocks)):
			f.Blocks[rec.ops[0]].Name = text(rec.ops[1:])
			return
		case rec.code == symtabFunction && f == nil:
			from = 2
		case rec.code != symtabEntry:
			return
		}
		id := rec.at(0)
		if len(rec.ops) < from || id >= uint64(len(m.values)) {
			return
		}
		switch v := m.values[id]; {
		case f != nil:
			v.Name = text(rec.ops[1:])
		case v.Global != nil && v.Global.Name == "":
			v.Global.Name = text(rec.ops[from:])
		case v.Func != nil && v.Func.Name == "":
			v.Func.Name = text(rec.ops[from:])
		}
	}, nil)
}

// alignment decodes an alignment, of which the records have the logarithm and one more, or 0.
func alignment(v uint64) int {
	if v == 0 || v > 33 {
		return 0
	}
	return 1 << (v - 1)
}

// at is an operand.
func (r *record) at(i int) uint64 {
	if i >= len(r.ops) {
		fail("a record with the code %d has %d operands", r.code, len(r.ops))
	}
	return r.ops[i]
}

// number is an operand that is a size.
func (r *record) number(i int) int {
	v := r.at(i)
	if v > maxSize {
		fail("a record has the size %d", v)
	}
	return int(v)
}

// text is the characters that operands are.
func text(ops []uint64) string {
	b := make([]byte, len(ops))
	for i, c := range ops {
		b[i] = byte(c)
	}
	return string(b)
}
