package exact

import (
	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// RowLoop is a machine.RowLoop with balls: one call does all iterations. The loop itself is kept for uncommon cases.
type RowLoop struct {
	*machine.RowLoop
	sum   destination
	add   BallOperand // of a loop that updates rows
	scale BallOperand // of a loop that scales rows
}

// Run executes the node, and reports whether any lane is still active and no jump is under way.
func (n *RowLoop) Run(m *machine.Machine) bool {
	b := BallsOf(m)
	trips, row, t, u, ok := n.Ready(m)
	if !ok || b.anyUncertain || b.journal != nil || BallsOf(m).ranges || m.N%ball.Eights != 0 || trips > 1<<16 {
		return n.Loop.Run(m)
	}
	first := n.Row.First + int(row)
	if !fillRows(m, first, trips) {
		return n.Loop.Run(m)
	}
	detachAll(m)
	loop := &b.rowLoop
	loop.Scale, loop.Add, loop.Change = nil, nil, loop.Change[:0]
	switch n.Kind {
	case machine.ScalesRows:
		loop.Scale = &n.scale.row(m, b.scratch)[0]
	case machine.UpdatesRows:
		loop.Add = n.add.row(m, b.scratch)
		if loop.Change, ok = n.factors(m, loop.Change, n.T, t); !ok {
			return n.Loop.Run(m)
		}
	}
	factor, words := n.T, t
	if n.U != nil {
		factor, words = n.U, u
	}
	if loop.Factor, ok = n.factors(m, loop.Factor[:0], factor, words); !ok {
		return n.Loop.Run(m)
	}
	rows := b.private[first*m.Stride : (first+trips)*m.Stride]
	switch sum := ReadRow(m, n.sum.Slot); {
	case loop.Suits(sum, rows):
		ExactOf(m.P).rows.Run(loop, writableRow(m, n.sum.Slot), rows, m.N)
	case len(sum) != m.N || !loop.Special(writableRow(m, n.sum.Slot), rows, m.N):
		return n.Loop.Run(m)
	}
	n.All(m, trips, row, t, u)
	for _, w := range []*machine.WordLoad{n.T, n.U} {
		if w != nil {
			b.representations.uni32[w.Into] = asValues + representation(ir.F32)
		}
	}
	return true
}

// fillRows gives untouched rows the balls of their values. It is false if some row has balls in some lanes only.
func fillRows(m *machine.Machine, first, trips int) bool {
	for row := first; row < first+trips; row++ {
		if BallsOf(m).aliases.filled[row] {
			continue
		}
		cells, words := BallsOf(m).private[row*m.Stride:][:m.N], machine.AsF(m.Private[row*m.Stride:][:m.N])
		if !untouched(cells) {
			return false
		}
		for l, v := range words {
			cells[l] = ball.Of(float64(v))
		}
		BallsOf(m).aliases.filled[row] = true
	}
	return true
}

// factors appends the numbers of the words that a loop reads. It is false if some number may differ between devices.
func (n *RowLoop) factors(m *machine.Machine, of []float64, w *machine.WordLoad, words []uint32) ([]float64, bool) {
	for _, v := range machine.AsF(words) {
		x := ball.Of(float64(v))
		if of = append(of, x.X); x.E != 0 {
			return of, false
		}
	}
	mem, off, _ := w.Access.Whence(m)
	cells := mem.Balls()
	if cells == nil {
		return of, true
	}
	off += w.Access.In.Mem.Disp + w.Extra
	first := off>>mem.CellLog + machine.WordIndex(m.Uni32[w.Access.Scalar], w.Access.In.Mem.IndexSigned)
	if mem.CellLog != 2 || first < 0 || first+int64(len(words)) > int64(len(cells)) {
		return of, false
	}
	for i, x := range cells[first : first+int64(len(words))] {
		if x.E != 0 || x.X != 0 && x.X != of[i] {
			return of, false
		}
	}
	return of, true
}

// rowLoop recognises a loop down rows by its instructions, or gives nil.
func rowLoop(c *codegen.Compiler, l *machine.Counted, n *ir.Loop) machine.Node {
	if o := c.P.Options; !c.Does(machine.PassExactRowLoop) || o.Traced || o.Doubles || o.Sample != 0 ||
		ExactOf(c.P).rewritten || c.P.Deviates || ExactOf(c.P).PrivateLog != 2 {
		return nil
	}
	counter := machine.OnlyInstr(n.Post).Dst[0]
	p := rowPattern{c: c, n: n, counter: counter, value: map[ir.Reg]rowValue{}}
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
	r := &machine.RowLoop{Loop: l, Sum: machine.Operand{At: c.P.Slots[sum].Index}, T: wordLoad(c, p.factor)}
	b := &RowLoop{RowLoop: r, sum: destinationOf(c, sum)}
	switch p.row.kind {
	case scaledRow:
		r.Kind, r.Scale, b.scale = machine.ScalesRows, c.P.Slots[p.row.by].Index, ballOperand(c, p.row.by)
	case updatedRow:
		r.Kind, r.Add, b.add = machine.UpdatesRows, machine.Operand{At: c.P.Slots[p.row.by].Index},
			ballOperand(c, p.row.by)
		r.T, r.U = wordLoad(c, p.row.factor), r.T
	}
	hold(c, p.load.Mem)
	if o := codegen.Row(c.PrivateAccess(p.load), c, 0); o.Row.Size > 0 {
		r.Row = o.Row
		return b
	}
	return nil
}

// wordLoad is the load of an instruction that is compiled already.
func wordLoad(c *codegen.Compiler, in *ir.Instr) *machine.WordLoad {
	hold(c, in.Mem)
	return &machine.WordLoad{Access: c.Access(in), Into: c.P.Slots[in.Dst[0]].Index}
}

// rowPattern follows what an iteration does to a row.
type rowPattern struct {
	c       *codegen.Compiler
	n       *ir.Loop
	counter ir.Reg
	value   map[ir.Reg]rowValue
	load    *ir.Instr // of the row
	row     rowValue  // what it holds
	stored  bool
	factor  *ir.Instr // its product with this is summed
	sum     *ir.Instr
}

// rowValue is what a register holds within an iteration.
type rowValue struct {
	kind   rowValueKind
	by     ir.Reg    // the factor of the row, or the value whose multiple is added to the row
	factor *ir.Instr // load of a factor
}

type rowValueKind uint8

const (
	noValue    rowValueKind = iota
	aFactor                 // factor
	wholeRow                // row
	scaledRow               // row·by
	multiple                // by·factor
	updatedRow              // row + by·factor
	rowProduct              // (the row as it is stored)·factor
)

// step follows an instruction. It is false if the loop has another form.
func (p *rowPattern) step(in *ir.Instr) bool {
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
	case len(in.Args) != 2 || p.c.Typ(in.Dst[0]) != ir.F32 || in.Allow != 0 && ExactOf(p.c.P).rewritten:
		return false
	}
	a, b := in.Args[0], in.Args[1]
	x, y := p.value[a], p.value[b]
	if rank(x.kind) < rank(y.kind) {
		a, b, x, y = b, a, y, x
	}
	var v rowValue
	switch {
	case in.Op == ir.Mul && x.kind == wholeRow && !p.stored && p.outside(b) && p.c.Uniform(b):
		v = rowValue{kind: scaledRow, by: b}
	case in.Op == ir.Mul && y.kind == aFactor && p.isRow(x):
		v = rowValue{kind: rowProduct, factor: y.factor}
	case in.Op == ir.Mul && x.kind == aFactor && p.outside(b) && !p.c.Uniform(b):
		v = rowValue{kind: multiple, by: b, factor: x.factor}
	case in.Op == ir.Add && x.kind == wholeRow && !p.stored && y.kind == multiple:
		v = rowValue{updatedRow, y.by, y.factor}
	case in.Op == ir.Add && x.kind == rowProduct && b == in.Dst[0] && p.c.Changeable(b) && !p.c.Uniform(b):
		p.sum, p.factor = in, x.factor
		return p.used(a) && b != p.row.by
	}
	p.value[in.Dst[0]] = v
	return v.kind != noValue && p.used(in.Dst[0]) && !p.c.Uniform(in.Dst[0])
}

// rank orders the operands of sums and products.
func rank(k rowValueKind) int {
	return [...]int{noValue: 0, aFactor: 1, multiple: 1, wholeRow: 2, scaledRow: 2, updatedRow: 2, rowProduct: 2}[k]
}

// isRow reports whether a value is the current row.
func (p *rowPattern) isRow(v rowValue) bool {
	if p.stored {
		return v == p.row
	}
	return v.kind == wholeRow
}

// loads follows a load of the row or of a factor.
func (p *rowPattern) loads(in *ir.Instr) bool {
	if len(in.Dst) != 1 || in.From != ir.R32 || in.Mem.Index != p.counter || in.Mem.Scale != 4 || in.Mem.Disp%4 != 0 ||
		!p.outside(in.Mem.Base) {
		return false
	}
	d := in.Dst[0]
	if in.Mem.Space == syntax.Thread {
		if p.load == nil {
			p.load, p.row = in, rowValue{kind: wholeRow}
		}
		p.value[d] = p.row
		return p.sameRow(in) && p.c.P.Kernel.Regs[in.Mem.Base].Kind == ir.Address && p.used(d)
	}
	p.value[d] = rowValue{kind: aFactor, factor: in}
	return p.c.Uniform(in.Mem.Base) && p.c.Uniform(d) && p.used(d)
}

// sameRow reports whether an access is of the row.
func (p *rowPattern) sameRow(in *ir.Instr) bool {
	return in.From == p.load.From && in.Mem.Space == p.load.Mem.Space && in.Mem.Base == p.load.Mem.Base &&
		in.Mem.Index == p.load.Mem.Index &&
		in.Mem.Scale == p.load.Mem.Scale && in.Mem.Disp == p.load.Mem.Disp &&
		in.Mem.IndexSigned == p.load.Mem.IndexSigned
}

// outside reports whether a register is set before the loop.
func (p *rowPattern) outside(r ir.Reg) bool {
	return p.value[r].kind == noValue && !ir.Sets(p.n.Body, r)
}

// used reports whether only the iteration reads a temporary: all its readers have been compiled.
func (p *rowPattern) used(r ir.Reg) bool {
	return p.c.P.Kernel.Regs[r].Kind == ir.Temp && p.c.Left[r] == 0
}
