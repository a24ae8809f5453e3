package bitcode

// Node is a metadata node: a list of operands, or a string, or a value.
type Node struct {
	Text   string // of a string
	Value  *Value // of a value
	String bool

	table *metadata
	code  uint64
	ops   []uint64
}

// metadata are the nodes of a module, or those of a function, which follow the module's. Numbers in records count from
// 0, or from 1 where there may be none.
type metadata struct {
	module *metadata // nil for the module's
	nodes  []*Node
}

// node is the node with a number counted from 1, nil if there is none.
func (m *metadata) node(id uint64) *Node {
	if m.module != nil {
		n := uint64(len(m.module.nodes))
		if id <= n {
			return m.module.node(id)
		}
		id -= n
	}
	if id == 0 || id > uint64(len(m.nodes)) {
		return nil
	}
	return m.nodes[id-1]
}

// Operands are the operands of a node, nil where there is none.
func (n *Node) Operands() []*Node {
	if n == nil || n.code != mdNode && n.code != mdDistinct {
		return nil
	}
	list := make([]*Node, len(n.ops))
	for i, id := range n.ops {
		list[i] = n.table.node(id)
	}
	return list
}

// part is the node that operand i of a debug node names, counted from 1.
func (n *Node) part(i int) *Node {
	if n == nil || i >= len(n.ops) {
		return nil
	}
	return n.table.node(n.ops[i])
}

// readMetadata reads a block of metadata.
func (m *moduleReader) readMetadata(b *block) {
	table := m.metadata
	add := func(n Node) {
		n.table = table
		table.nodes = append(table.nodes, &n)
	}
	name := ""
	m.r.walk(b, func(rec *record) {
		switch rec.code {
		case mdStrings:
			m.strings(rec, add)
		case mdStringOld:
			add(Node{Text: text(rec.ops), String: true})
		case mdValue:
			id := rec.at(1)
			if id >= uint64(len(m.values)) {
				add(Node{})
				return
			}
			add(Node{Value: m.values[id]})
		case mdName:
			name = text(rec.ops)
		case mdNamedNode:
			for _, id := range rec.ops {
				if n := table.node(id + 1); n != nil {
					m.out.Named[name] = append(m.out.Named[name], n)
				}
			}
		case mdKind, mdGlobalAttachment, mdIndexOffset, mdIndex:
		case mdNode, mdDistinct, mdLocation, mdFile, mdCompileUnit, mdSubprogram, mdLexicalBlock, mdLexicalBlockFile:
			add(Node{code: rec.code, ops: append([]uint64(nil), rec.ops...)})
		default:
			add(Node{code: rec.code})
		}
	}, nil)
}

// strings reads the strings of a block: their lengths, and then their characters.
func (m *moduleReader) strings(rec *record, add func(Node)) {
	n, from := rec.at(0), rec.at(1)
	if from > uint64(len(rec.blob)) || n > from*8 {
		fail("the metadata have %d strings in %d bytes", n, len(rec.blob))
	}
	lengths, chars := stream{data: rec.blob[:from], end: from * 8}, rec.blob[from:]
	for range n {
		size := lengths.vbr(6)
		if size > uint64(len(chars)) {
			fail("a string of the metadata has %d characters", size)
		}
		add(Node{Text: string(chars[:size]), String: true})
		chars = chars[size:]
	}
}

// attachments reads what metadata a function has. Those of instructions have one more operand.
func (m *moduleReader) attachments(b *block, f *Func) {
	m.r.walk(b, func(rec *record) {
		for i := 0; len(rec.ops)%2 == 0 && i < len(rec.ops); i += 2 {
			if rec.ops[i] == 0 { // "dbg"
				f.Node = m.metadata.node(rec.ops[i+1] + 1)
			}
		}
	}, nil)
}

// File is the name of the file that a debug node is about, and its directory.
func (n *Node) File() (name, dir string) {
	for range maxScopes {
		if n == nil {
			break
		}
		switch n.code {
		case mdFile:
			return n.part(1).text(), n.part(2).text()
		case mdSubprogram:
			n = n.part(4)
		case mdLexicalBlock, mdLexicalBlockFile, mdCompileUnit:
			n = n.part(2)
		default:
			return "", ""
		}
	}
	return "", ""
}

// maxScopes is how deep scopes may nest.
const maxScopes = 64

// Line is where a function begins.
func (n *Node) Line() int {
	if n == nil || n.code != mdSubprogram || len(n.ops) < 6 {
		return 0
	}
	return int(uint32(n.ops[5]))
}

func (n *Node) text() string {
	if n == nil {
		return ""
	}
	return n.Text
}
