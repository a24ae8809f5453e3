package simt

import (
	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// ballTurns is a rowLoop with balls, all turns of which one call does. The loop itself stays for
// whatever is uncommon.
type ballTurns struct {
	*rowLoop
	sum   destination
	add   ballOperand // of a loop that updates rows
	scale ballOperand // of one that scales them
}

func (n *ballTurns) run(m *machine) bool {
	b := m.balls
	turns, row, t, u, ok := n.ready(m)
	if !ok || b.doubtful || b.journal != nil || m.launch.Ranges || m.n%ball.Eights != 0 || turns > 1<<16 {
		return n.loop.run(m)
	}
	first := n.row.first + int(row)
	if !m.fillRows(first, turns) {
		return n.loop.run(m)
	}
	m.recallAll()
	loop := &b.turns
	loop.Scale, loop.Add, loop.Change = nil, nil, loop.Change[:0]
	switch n.kind {
	case scalesRows:
		loop.Scale = &n.scale.row(m, b.scratch)[0]
	case updatesRows:
		loop.Add = n.add.row(m, b.scratch)
		if loop.Change, ok = n.factors(m, loop.Change, n.t, t); !ok {
			return n.loop.run(m)
		}
	}
	factor, words := n.t, t
	if n.u != nil {
		factor, words = n.u, u
	}
	if loop.Factor, ok = n.factors(m, loop.Factor[:0], factor, words); !ok {
		return n.loop.run(m)
	}
	rows := b.private[first*m.stride : (first+turns)*m.stride]
	switch sum := m.look(n.sum.slot); {
	case loop.Suits(sum, rows):
		m.p.rows.Run(loop, m.row(n.sum.slot), rows, m.n)
	case len(sum) != m.n || !loop.Special(m.row(n.sum.slot), rows, m.n):
		return n.loop.run(m)
	}
	n.all(m, turns, row, t, u)
	for _, w := range []*wordLoad{n.t, n.u} {
		if w != nil {
			b.kinds.uni32[w.into] = asValues + rowKind(ir.F32)
		}
	}
	return true
}

// fillRows gives rows that nobody has touched the balls of their values; false if some are known in part.
func (m *machine) fillRows(first, turns int) bool {
	for row := first; row < first+turns; row++ {
		if m.balls.lent.filled[row] {
			continue
		}
		cells, words := m.balls.private[row*m.stride:][:m.n], asF(m.private[row*m.stride:][:m.n])
		if !untouched(cells) {
			return false
		}
		for l, v := range words {
			cells[l] = ball.Of(float64(v))
		}
		m.balls.lent.filled[row] = true
	}
	return true
}

// factors appends the numbers of the words that a loop reads, if every device has them.
func (n *ballTurns) factors(m *machine, of []float64, w *wordLoad, words []uint32) ([]float64, bool) {
	for _, v := range asF(words) {
		x := ball.Of(float64(v))
		if of = append(of, x.X); x.E != 0 {
			return of, false
		}
	}
	mem, off, _ := w.access.whence(m)
	cells := mem.balls()
	if cells == nil {
		return of, true
	}
	off += w.access.in.Mem.Disp + w.extra
	first := off>>mem.cellLog + wordIndex(m.uni32[w.access.scalar], w.access.in.Mem.IndexSigned)
	if mem.cellLog != 2 || first < 0 || first+int64(len(words)) > int64(len(cells)) {
		return of, false
	}
	for i, x := range cells[first : first+int64(len(words))] {
		if x.E != 0 || x.X != 0 && x.X != of[i] {
			return of, false
		}
	}
	return of, true
}

// ballTurns recognises a loop over rows in its instructions, or gives nil.
func (c *compiler) ballTurns(l *counted, n *ir.Loop) node {
	if o := c.p.options; !c.does(passExactRowLoop) || o.taped || o.Doubles || o.Sample != 0 || c.p.rewritten || c.p.deviates || c.p.exact.privateLog != 2 {
		return nil
	}
	counter := onlyInstr(n.Post).Dst[0]
	p := turnPattern{c: c, n: n, counter: counter, value: map[ir.Reg]turnValue{}}
	for _, part := range n.Body {
		in, ok := part.(*ir.Instr)
		if !ok || !p.step(in) {
			return nil
		}
	}
	if p.sum == nil || p.stored && p.row.kind == wholeRow {
		return nil
	}
	sum := p.sum.Dst[0]
	r := &rowLoop{loop: l, sum: operand{at: c.p.slots[sum].index}, t: c.wordLoad(p.factor)}
	b := &ballTurns{rowLoop: r, sum: c.destination(sum)}
	switch p.row.kind {
	case scaledRow:
		r.kind, r.scale, b.scale = scalesRows, c.p.slots[p.row.by].index, c.ballOperand(p.row.by)
	case updatedRow:
		r.kind, r.add, b.add = updatesRows, operand{at: c.p.slots[p.row.by].index}, c.ballOperand(p.row.by)
		r.t, r.u = c.wordLoad(p.row.factor), r.t
	}
	c.hold(p.load.Mem)
	if o := c.privateAccess(p.load).row(c, 0); o.row.size > 0 {
		r.row = o.row
		return b
	}
	return nil
}

// wordLoad is a load that an instruction compiled before does.
func (c *compiler) wordLoad(in *ir.Instr) *wordLoad {
	c.hold(in.Mem)
	return &wordLoad{c.access(in), 0, c.p.slots[in.Dst[0]].index}
}

// turnPattern follows what a turn makes of a row.
type turnPattern struct {
	c       *compiler
	n       *ir.Loop
	counter ir.Reg
	value   map[ir.Reg]turnValue
	load    *ir.Instr // of the row
	row     turnValue // what it holds
	stored  bool
	factor  *ir.Instr // its product with this is summed
	sum     *ir.Instr
}

// turnValue is what a register of a turn holds.
type turnValue struct {
	kind   turnKind
	by     ir.Reg    // the number that scales the row, or the one whose multiple changes it
	factor *ir.Instr // load of a factor
}

type turnKind uint8

const (
	noValue    turnKind = iota
	aFactor             // factor
	wholeRow            // row
	scaledRow           // row·by
	multiple            // by·factor
	updatedRow          // row + by·factor
	rowProduct          // of the row, as it is stored, and factor
)

// step follows an instruction, false if it belongs to no such loop.
func (p *turnPattern) step(in *ir.Instr) bool {
	switch {
	case p.sum != nil:
		return false
	case in.Op == ir.Load:
		return p.loads(in)
	case in.Op == ir.Store:
		v := p.value[in.Args[0]]
		ok := p.load != nil && !p.stored && p.sameRow(in) && (v.kind == scaledRow || v.kind == updatedRow)
		p.row, p.stored = v, true
		return ok && in.From == ir.R32
	case len(in.Args) != 2 || p.c.typ(in.Dst[0]) != ir.F32 || in.Allow != 0 && p.c.p.rewritten:
		return false
	}
	a, b := in.Args[0], in.Args[1]
	x, y := p.value[a], p.value[b]
	if rank(x.kind) < rank(y.kind) {
		a, b, x, y = b, a, y, x
	}
	var v turnValue
	switch {
	case in.Op == ir.Mul && x.kind == wholeRow && !p.stored && p.outside(b) && p.c.uniform(b):
		v = turnValue{kind: scaledRow, by: b}
	case in.Op == ir.Mul && y.kind == aFactor && p.isRow(x):
		v = turnValue{kind: rowProduct, factor: y.factor}
	case in.Op == ir.Mul && x.kind == aFactor && p.outside(b) && !p.c.uniform(b):
		v = turnValue{kind: multiple, by: b, factor: x.factor}
	case in.Op == ir.Add && x.kind == wholeRow && !p.stored && y.kind == multiple:
		v = turnValue{updatedRow, y.by, y.factor}
	case in.Op == ir.Add && x.kind == rowProduct && b == in.Dst[0] && p.c.changeable(b) && !p.c.uniform(b):
		p.sum, p.factor = in, x.factor
		return p.used(a) && b != p.row.by
	}
	p.value[in.Dst[0]] = v
	return v.kind != noValue && p.used(in.Dst[0]) && !p.c.uniform(in.Dst[0])
}

// rank orders the operands of sums and products.
func rank(k turnKind) int {
	return [...]int{noValue: 0, aFactor: 1, multiple: 1, wholeRow: 2, scaledRow: 2, updatedRow: 2, rowProduct: 2}[k]
}

// isRow reports whether a value is what the row holds.
func (p *turnPattern) isRow(v turnValue) bool {
	if p.stored {
		return v == p.row
	}
	return v.kind == wholeRow
}

// loads follows a load of the row or of a factor.
func (p *turnPattern) loads(in *ir.Instr) bool {
	if len(in.Dst) != 1 || in.From != ir.R32 || in.Mem.Index != p.counter || in.Mem.Scale != 4 || in.Mem.Disp%4 != 0 || !p.outside(in.Mem.Base) {
		return false
	}
	d := in.Dst[0]
	if in.Mem.Space == syntax.Thread {
		if p.load == nil {
			p.load, p.row = in, turnValue{kind: wholeRow}
		}
		p.value[d] = p.row
		return p.sameRow(in) && p.c.p.kernel.Regs[in.Mem.Base].Kind == ir.Address && p.used(d)
	}
	p.value[d] = turnValue{kind: aFactor, factor: in}
	return p.c.uniform(in.Mem.Base) && p.c.uniform(d) && p.used(d)
}

// sameRow reports whether an access is of the row.
func (p *turnPattern) sameRow(in *ir.Instr) bool {
	return in.From == p.load.From && in.Mem.Space == p.load.Mem.Space && in.Mem.Base == p.load.Mem.Base && in.Mem.Index == p.load.Mem.Index &&
		in.Mem.Scale == p.load.Mem.Scale && in.Mem.Disp == p.load.Mem.Disp && in.Mem.IndexSigned == p.load.Mem.IndexSigned
}

// outside reports whether a register is set before the loop.
func (p *turnPattern) outside(r ir.Reg) bool {
	return p.value[r].kind == noValue && !ir.Sets(p.n.Body, r)
}

// used reports whether a temporary is used in the turn alone: all that reads it has been compiled.
func (p *turnPattern) used(r ir.Reg) bool {
	return p.c.p.kernel.Regs[r].Kind == ir.Temp && p.c.left[r] == 0
}
