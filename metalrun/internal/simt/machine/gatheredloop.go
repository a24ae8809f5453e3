package machine

// GatheredLoop is a counted loop that adds up products of a row of memory that all
// lanes share and rows of their own:
//
//	for (c = first; c < limit; c++) sum += t[c] * row[c];
//
// One call does all iterations if all lanes take part. The loop itself does uncommon cases and all that can fault.
type GatheredLoop struct {
	Loop   *Counted
	T      *WordLoad
	Rows   *ElementSlot // where the row of each lane begins
	Shift  int64        // words to add
	Signed bool         // the counter is a signed index
	Sum    Operand      // slot
}

// Run executes the node, and reports whether any lane is still active and no jump is under way.
func (n *GatheredLoop) Run(m *Machine) bool {
	l := n.Loop
	trips, ok := l.all(m)
	if !ok {
		return l.Run(m)
	}
	t, ok := n.T.words(m, trips)
	if !ok {
		return l.Run(m)
	}
	words, ok := n.words(m, trips)
	if !ok {
		return l.Run(m)
	}
	m.P.Table.DotGathered(m.Operand(&n.Sum), words, m.numbersOf(n.Rows), t)
	m.Uni32[n.T.Into] = t[trips-1]
	l.finish(m, trips)
	return true
}

// words gives the object of the rows, from the word on that the first iteration would read of a row at the beginning of
// the object. ok is false unless all lanes are active and all words exist that they read.
func (n *GatheredLoop) words(m *Machine, trips int) (words []uint32, ok bool) {
	words = m.Objects[n.Rows.Object].Words
	shift := WordIndex(m.Uni32[n.Loop.Counter], n.Signed) + n.Shift
	if m.Uni32[n.Rows.Valid] == 0 || len(words) > MostElements || shift < 0 || shift > int64(len(words)-trips) {
		return nil, false
	}
	words = words[shift:]
	t := m.P.Table
	t.LtU.VS(m.Scratch, m.numbersOf(n.Rows), uint32(len(words)-trips+1))
	return words, t.AndMask(m.Scratch, m.Scratch, m.Mask) == m.N
}
