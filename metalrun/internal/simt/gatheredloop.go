package simt

import "metalconform/metalrun/internal/ir"

// gatheredLoop is a counted loop that adds up products of a row of memory that all
// lanes share and rows of their own:
//
//	for (c = first; c < limit; c++) sum += t[c] * row[c];
//
// One call does all turns if all lanes take part. The loop itself stays for what is
// uncommon or can fault.
type gatheredLoop struct {
	loop   *counted
	t      *wordLoad
	rows   *elementSlot // where the lanes' own rows begin
	shift  int64        // words to add
	signed bool         // the counter, as an index of a row
	sum    operand      // slot
}

func (n *gatheredLoop) run(m *machine) bool {
	l := n.loop
	turns, ok := l.all(m)
	if !ok {
		return l.run(m)
	}
	t, ok := n.t.turns(m, turns)
	if !ok {
		return l.run(m)
	}
	words, ok := n.words(m, turns)
	if !ok {
		return l.run(m)
	}
	m.p.table.DotGathered(m.operand(&n.sum), words, m.numbersOf(n.rows), t)
	m.uni32[n.t.into] = t[turns-1]
	l.finish(m, turns)
	return true
}

// words gives the object that the rows lie in, from the word on that the first
// turn would read of a row at the object's beginning. ok is false unless all lanes
// are active and all words that they read exist.
func (n *gatheredLoop) words(m *machine, turns int) (words []uint32, ok bool) {
	words = m.objects[n.rows.object].words
	shift := wordIndex(m.uni32[n.loop.counter], n.signed) + n.shift
	if m.uni32[n.rows.valid] == 0 || len(words) > mostElements || shift < 0 || shift > int64(len(words)-turns) {
		return nil, false
	}
	words = words[shift:]
	t := m.p.table
	t.LtU.VS(m.scratch, m.numbersOf(n.rows), uint32(len(words)-turns+1))
	return words, t.AndMask(m.scratch, m.scratch, m.mask) == m.n
}

// gatheredLoop recognises such a loop, n, whose parts are compiled, or gives nil.
func (c *compiler) gatheredLoop(l *counted, n *ir.Loop) *gatheredLoop {
	_, nodes := tallies(n.Body)
	if len(l.body) != 1 || len(nodes) != 4 || !c.does(passGatheredLoop) {
		return nil
	}
	// The loads of both factors and one instruction for the rest.
	body, _ := l.body[0].(straight)
	if len(body) != 3 || !body[2].sums(c) || body[2].a.kind != inSlot {
		return nil
	}
	counter := onlyInstr(n.Post).Dst[0]
	t, own := factor(nodes[0], counter), factor(nodes[1], counter)
	if t == nil || own == nil || !addsProduct(nodes[2], nodes[3], t.Dst[0], own.Dst[0]) {
		return nil
	}
	load := body[0].load
	if !c.uniform(t.Mem.Base) {
		t, own, load = own, t, body[1].load
	}
	rows := c.numbers[elementKey{own.Mem.Base, 4}]
	if load == nil || load.access.in != t || load.into != body[2].b.at || rows == nil || own.Mem.Disp%4 != 0 || !c.u.Local(own.Dst[0]) {
		return nil
	}
	return &gatheredLoop{loop: l, t: load, rows: rows, shift: own.Mem.Disp / 4, signed: own.Mem.IndexSigned, sum: body[2].d}
}
