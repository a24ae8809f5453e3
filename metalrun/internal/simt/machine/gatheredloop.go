package machine

// gatheredLoop is a counted loop that adds up products of a row of memory that all
// lanes share and rows of their own:
//
//	for (c = first; c < limit; c++) sum += t[c] * row[c];
//
// One call does all turns if all lanes take part. The loop itself stays for what is
// uncommon or can fault.
type GatheredLoop struct {
	Loop   *Counted
	t      *WordLoad
	rows   *elementSlot // where the lanes' own rows begin
	shift  int64        // words to add
	signed bool         // the counter, as an index of a row
	sum    Operand      // slot
}

func (n *GatheredLoop) Run(m *Machine) bool {
	l := n.Loop
	turns, ok := l.all(m)
	if !ok {
		return l.Run(m)
	}
	t, ok := n.t.turns(m, turns)
	if !ok {
		return l.Run(m)
	}
	words, ok := n.words(m, turns)
	if !ok {
		return l.Run(m)
	}
	m.P.Table.DotGathered(m.Operand(&n.sum), words, m.numbersOf(n.rows), t)
	m.Uni32[n.t.Into] = t[turns-1]
	l.finish(m, turns)
	return true
}

// words gives the object that the rows lie in, from the word on that the first
// turn would read of a row at the object's beginning. ok is false unless all lanes
// are active and all words that they read exist.
func (n *GatheredLoop) words(m *Machine, turns int) (words []uint32, ok bool) {
	words = m.Objects[n.rows.object].words
	shift := WordIndex(m.Uni32[n.Loop.counter], n.signed) + n.shift
	if m.Uni32[n.rows.Valid] == 0 || len(words) > mostElements || shift < 0 || shift > int64(len(words)-turns) {
		return nil, false
	}
	words = words[shift:]
	t := m.P.Table
	t.LtU.VS(m.Scratch, m.numbersOf(n.rows), uint32(len(words)-turns+1))
	return words, t.AndMask(m.Scratch, m.Scratch, m.Mask) == m.N
}
