package codegen

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// rowLoop recognises a loop over rows, or gives nil.
func (c *Compiler) rowLoop(l *machine.Counted) *machine.RowLoop {
	if len(l.Body) != 1 || !c.Does(machine.PassRowLoop) {
		return nil
	}
	body, _ := l.Body[0].(machine.Straight)
	var loads []*machine.WordLoad
	var work []*machine.Instr
	for i := range body {
		if w := body[i].Load; w != nil && w.Access.Scalar == l.Counter {
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
	r := &machine.RowLoop{Loop: l, Row: last.A.Row, Sum: last.D}
	if !sums(last, c) || last.A.Kind != machine.InRow || last.A.Row.Size == 0 || last.A.Row.Scalar != l.Counter {
		return nil
	}
	if r.T = machine.LoadOf(loads, last.B); r.T == nil {
		return nil
	}
	if n == 1 {
		r.Kind = machine.DotsRows
		return r.IfLoads(loads)
	}
	return withChange(r, c, work[0], loads)
}

// withChange adds what a loop does to each row before the sum.
func withChange(r *machine.RowLoop, c *Compiler, in *machine.Instr, loads []*machine.WordLoad) *machine.RowLoop {
	switch {
	case in.D.Kind != machine.InRow || !in.D.Row.Same(r.Row):
		return nil
	case in.Shape == machine.VectorScalar && in.Binary == &c.t.MulF && in.A.Kind == machine.InRow &&
		in.A.Row.Same(r.Row) && machine.LoadOf(loads, in.B) == nil:
		r.Kind, r.Scale = machine.ScalesRows, in.B.At
	case in.Shape == machine.ScalarVector && in.Binary == &c.t.MulF && in.B.Kind == machine.InRow &&
		in.B.Row.Same(r.Row) && machine.LoadOf(loads, in.A) == nil:
		r.Kind, r.Scale = machine.ScalesRows, in.A.At
	case in.Shape == machine.VectorScalarVector && in.Triple == &c.t.MulAdd && in.A.Kind == machine.InSlot &&
		in.A != r.Sum && in.E.Kind == machine.InRow && in.E.Row.Same(r.Row):
		r.Kind, r.Add, r.T, r.U = machine.UpdatesRows, in.A, machine.LoadOf(loads, in.B), r.T
		if r.T == nil {
			return nil
		}
	default:
		return nil
	}
	return r.IfLoads(loads)
}

// sums reports whether an instruction is slot += lanes·scalar.
func sums(in *machine.Instr, c *Compiler) bool {
	return in.Shape == machine.VectorScalarVector && in.Triple == &c.t.MulAdd && in.D.Kind == machine.InSlot &&
		in.E == in.D
}

// runLoop recognises such a loop, or gives nil.
func (c *Compiler) runLoop(l *machine.Counted, n *ir.Loop) *machine.RunLoop {
	if len(l.Body) != 1 || !c.Does(machine.PassRunLoop) {
		return nil
	}
	body, _ := l.Body[0].(machine.Straight)
	if len(body) == 0 {
		return nil
	}
	last := &body[len(body)-1]
	r := &machine.RunLoop{Loop: l, Runs: last.A.Run, Sum: last.D}
	for _, in := range body[:len(body)-1] {
		if w := in.Load; w != nil && r.T == nil && w.Access.Scalar == l.Counter &&
			!ir.Sets(n.Body, w.Access.In.Mem.Base) {
			r.T = w
		} else {
			r.Rest = append(r.Rest, in)
		}
	}
	// An instruction for all threads is compiled to one: there is nothing else in
	// the rest if their numbers agree.
	instrs, ok := c.affine(n)
	if !ok || instrs != len(r.Rest) || !sums(last, c) || last.A.Kind != machine.InMemory || r.T == nil ||
		machine.LoadOf([]*machine.WordLoad{r.T}, last.B) == nil {
		return nil
	}
	return r
}
