package simt

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/lanes"
)

// rowLoop is a counted loop that runs down the rows of a private array, with a
// sum that takes something from each: one call does all turns. The loop itself
// stays for whatever is uncommon, and for all that can fault.
type rowLoop struct {
	loop *counted
	row  *row    // of the counter's turn
	sum  operand // slot
	t, u *wordLoad

	kind  rowLoopKind
	scale int     // uniform register
	add   operand // slot
}

type rowLoopKind uint8

const (
	dotsRows    rowLoopKind = iota // sum += row·t
	scalesRows                     // row *= scale; sum += row·t
	updatesRows                    // row += add·t; sum += row·u
)

// wordLoad is a load of a word at a uniform index into a uniform register.
type wordLoad struct {
	access *access
	extra  int64
	into   int
}

// turns gives the words that n turns of a loop read, if they exist.
func (w *wordLoad) turns(m *machine, n int) ([]uint32, bool) {
	from, off, ok := w.access.whence(m)
	off += w.access.in.Mem.Disp + w.extra
	if !ok || off&3 != 0 {
		return nil, false
	}
	first := wordIndex(m.uni32[w.access.scalar], w.access.in.Mem.IndexSigned) + off>>2
	if first < 0 || first > int64(len(from.words)-n) {
		return nil, false
	}
	return from.words[first : first+int64(n)], true
}

func (n *rowLoop) run(m *machine) bool {
	turns, row, t, u, ok := n.ready(m)
	if !ok {
		return n.loop.run(m)
	}
	n.all(m, turns, row, t, u)
	return true
}

// ready gives the turns to come, the row of the first, and the words that they read, if one call can
// do them.
func (n *rowLoop) ready(m *machine) (turns int, row int64, t, u []uint32, ok bool) {
	if turns, ok = n.loop.all(m); !ok || !m.full || m.n < m.stride {
		return 0, 0, nil, nil, false
	}
	row = wordIndex(m.uni32[n.loop.counter], n.row.signed) + n.row.shift
	if row < 0 || row > int64(n.row.size-turns) {
		return 0, 0, nil, nil, false
	}
	if t, ok = n.t.turns(m, turns); ok && n.u != nil {
		u, ok = n.u.turns(m, turns)
	}
	return turns, row, t, u, ok
}

// all does the turns.
func (n *rowLoop) all(m *machine, turns int, row int64, t, u []uint32) {
	at := (n.row.first + int(row)) * m.stride
	n.call(m.p.table, m, m.private[at:at+turns*m.n], t, u)
	m.uni32[n.t.into] = t[turns-1]
	if n.u != nil {
		m.uni32[n.u.into] = u[turns-1]
	}
	n.loop.finish(m, turns)
}

func (n *rowLoop) call(table *lanes.Table, m *machine, rows, t, u []uint32) {
	d := m.operand(&n.sum)
	switch n.kind {
	case dotsRows:
		table.DotRows(d, rows, m.n, t)
	case scalesRows:
		table.ScaleRows(d, rows, m.uni32[n.scale], t)
	case updatesRows:
		table.UpdateRows(d, rows, m.operand(&n.add), t, u)
	}
}

// rowLoop recognises a loop over rows, or gives nil.
func (c *compiler) rowLoop(l *counted) *rowLoop {
	if len(l.body) != 1 || !c.does(passRowLoop) {
		return nil
	}
	body, _ := l.body[0].(straight)
	var loads []*wordLoad
	var work []*instr
	for i := range body {
		if w := body[i].load; w != nil && w.access.scalar == l.counter {
			loads = append(loads, w)
		} else {
			work = append(work, &body[i])
		}
	}
	n := len(work)
	if n < 1 || n > 2 || len(loads) < 1 || len(loads) > 2 {
		return nil
	}
	last := work[n-1]
	r := &rowLoop{loop: l, row: last.a.row, sum: last.d}
	if !last.sums(c) || last.a.kind != inRow || last.a.row.size == 0 || last.a.row.scalar != l.counter {
		return nil
	}
	if r.t = loadOf(loads, last.b); r.t == nil {
		return nil
	}
	if n == 1 {
		r.kind = dotsRows
		return r.ifLoads(loads)
	}
	return r.withChange(c, work[0], loads)
}

// withChange adds what a loop does to each row before the sum.
func (r *rowLoop) withChange(c *compiler, in *instr, loads []*wordLoad) *rowLoop {
	switch {
	case in.d.kind != inRow || !in.d.row.same(r.row):
		return nil
	case in.shape == vectorScalar && in.binary == &c.t.MulF && in.a.kind == inRow && in.a.row.same(r.row) && loadOf(loads, in.b) == nil:
		r.kind, r.scale = scalesRows, in.b.at
	case in.shape == scalarVector && in.binary == &c.t.MulF && in.b.kind == inRow && in.b.row.same(r.row) && loadOf(loads, in.a) == nil:
		r.kind, r.scale = scalesRows, in.a.at
	case in.shape == vectorScalarVector && in.triple == &c.t.MulAdd && in.a.kind == inSlot && in.a != r.sum && in.e.kind == inRow && in.e.row.same(r.row):
		r.kind, r.add, r.t, r.u = updatesRows, in.a, loadOf(loads, in.b), r.t
		if r.t == nil {
			return nil
		}
	default:
		return nil
	}
	return r.ifLoads(loads)
}

// ifLoads gives r if it makes use of all loads.
func (r *rowLoop) ifLoads(loads []*wordLoad) *rowLoop {
	for _, w := range loads {
		if w != r.t && w != r.u {
			return nil
		}
	}
	return r
}

// sums reports whether an instruction is slot += lanes·scalar.
func (in *instr) sums(c *compiler) bool {
	return in.shape == vectorScalarVector && in.triple == &c.t.MulAdd && in.d.kind == inSlot && in.e == in.d
}

// same reports whether two rows are one.
func (r *row) same(s *row) bool {
	return r.size == s.size && r.size > 0 && r.first == s.first && r.scalar == s.scalar && r.shift == s.shift && r.signed == s.signed
}

// loadOf is the load whose result a uniform operand is, or nil.
func loadOf(loads []*wordLoad, o operand) *wordLoad {
	for _, w := range loads {
		if o.uniform() && w.into == o.at {
			return w
		}
	}
	return nil
}

// runLoop is a counted loop with a weighted sum of runs of memory that lie the
// same distance apart, also done by one call.
type runLoop struct {
	loop *counted
	runs *run    // of the counter's turn
	sum  operand // slot
	t    *wordLoad
	rest straight // uniform instructions of a turn: where the run lies
}

func (n *runLoop) run(m *machine) bool {
	turns, ok := n.loop.all(m)
	if !ok {
		return n.loop.run(m)
	}
	t, ok := n.t.turns(m, turns)
	if !ok {
		return n.loop.run(m)
	}
	rows, stride, ok := n.rows(m, turns)
	if !ok {
		return n.loop.run(m)
	}
	m.p.table.DotRows(m.operand(&n.sum), rows, stride, t)
	m.uni32[n.t.into] = t[turns-1]
	n.loop.finish(m, turns)
	return true
}

// rows gives the runs of all turns. It leaves uniform registers as the last turn
// does, or, if ok is false, the counter as it was and the others, which each turn
// sets before it reads them, anyhow.
func (n *runLoop) rows(m *machine, turns int) (rows []uint32, stride int, ok bool) {
	counter := &m.uni32[n.loop.counter]
	first := *counter
	defer func() { *counter = first }()
	var ends [2]extent
	for i, turn := range []int{0, min(1, turns-1)} {
		*counter = first + uint32(turn)
		n.rest.run(m)
		if ends[i], ok = n.runs.access.extent(m); !ok {
			return nil, 0, false
		}
	}
	*counter = first + uint32(turns-1)
	n.rest.run(m)
	return ends[0].rows(ends[1], turns, m.n)
}

// runLoop recognises such a loop, or gives nil.
func (c *compiler) runLoop(l *counted, n *ir.Loop) *runLoop {
	if len(l.body) != 1 || !c.does(passRunLoop) {
		return nil
	}
	body, _ := l.body[0].(straight)
	if len(body) == 0 {
		return nil
	}
	last := &body[len(body)-1]
	r := &runLoop{loop: l, runs: last.a.run, sum: last.d}
	for _, in := range body[:len(body)-1] {
		if w := in.load; w != nil && r.t == nil && w.access.scalar == l.counter && !ir.Sets(n.Body, w.access.in.Mem.Base) {
			r.t = w
		} else {
			r.rest = append(r.rest, in)
		}
	}
	// An instruction for all threads is compiled to one: there is nothing else in
	// the rest if their numbers agree.
	instrs, ok := c.affine(n)
	if !ok || instrs != len(r.rest) || !last.sums(c) || last.a.kind != inMemory || r.t == nil || loadOf([]*wordLoad{r.t}, last.b) == nil {
		return nil
	}
	return r
}
