package machine

import (
	"metalconform/metalrun/internal/ir"
)

// rowLoop recognises a loop over rows, or gives nil.
func (c *Compiler) rowLoop(l *Counted) *RowLoop {
	if len(l.Body) != 1 || !c.Does(passRowLoop) {
		return nil
	}
	body, _ := l.Body[0].(Straight)
	var loads []*WordLoad
	var work []*Instr
	for i := range body {
		if w := body[i].load; w != nil && w.Access.Scalar == l.counter {
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
	r := &RowLoop{Loop: l, Row: last.a.Row, Sum: last.d}
	if !last.sums(c) || last.a.kind != inRow || last.a.Row.Size == 0 || last.a.Row.scalar != l.counter {
		return nil
	}
	if r.T = loadOf(loads, last.b); r.T == nil {
		return nil
	}
	if n == 1 {
		r.Kind = dotsRows
		return r.ifLoads(loads)
	}
	return r.withChange(c, work[0], loads)
}

// withChange adds what a loop does to each row before the sum.
func (r *RowLoop) withChange(c *Compiler, in *Instr, loads []*WordLoad) *RowLoop {
	switch {
	case in.d.kind != inRow || !in.d.Row.same(r.Row):
		return nil
	case in.Shape == vectorScalar && in.Binary == &c.t.MulF && in.a.kind == inRow && in.a.Row.same(r.Row) && loadOf(loads, in.b) == nil:
		r.Kind, r.Scale = ScalesRows, in.b.At
	case in.Shape == scalarVector && in.Binary == &c.t.MulF && in.b.kind == inRow && in.b.Row.same(r.Row) && loadOf(loads, in.a) == nil:
		r.Kind, r.Scale = ScalesRows, in.a.At
	case in.Shape == vectorScalarVector && in.triple == &c.t.MulAdd && in.a.kind == inSlot && in.a != r.Sum && in.e.kind == inRow && in.e.Row.same(r.Row):
		r.Kind, r.Add, r.T, r.U = UpdatesRows, in.a, loadOf(loads, in.b), r.T
		if r.T == nil {
			return nil
		}
	default:
		return nil
	}
	return r.ifLoads(loads)
}

// sums reports whether an instruction is slot += lanes·scalar.
func (in *Instr) sums(c *Compiler) bool {
	return in.Shape == vectorScalarVector && in.triple == &c.t.MulAdd && in.d.kind == inSlot && in.e == in.d
}

// runLoop recognises such a loop, or gives nil.
func (c *Compiler) runLoop(l *Counted, n *ir.Loop) *RunLoop {
	if len(l.Body) != 1 || !c.Does(passRunLoop) {
		return nil
	}
	body, _ := l.Body[0].(Straight)
	if len(body) == 0 {
		return nil
	}
	last := &body[len(body)-1]
	r := &RunLoop{Loop: l, runs: last.a.run, sum: last.d}
	for _, in := range body[:len(body)-1] {
		if w := in.load; w != nil && r.t == nil && w.Access.Scalar == l.counter && !ir.Sets(n.Body, w.Access.In.Mem.Base) {
			r.t = w
		} else {
			r.rest = append(r.rest, in)
		}
	}
	// An instruction for all threads is compiled to one: there is nothing else in
	// the rest if their numbers agree.
	instrs, ok := c.affine(n)
	if !ok || instrs != len(r.rest) || !last.sums(c) || last.a.kind != inMemory || r.t == nil || loadOf([]*WordLoad{r.t}, last.b) == nil {
		return nil
	}
	return r
}
