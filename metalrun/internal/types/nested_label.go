package types

import (
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// Labels inside of nested statements of a switch, as in a copying loop that begins in its middle, and statements before
// the first label. Such a switch becomes a walk through its body on which nothing runs before the label that is looked
// for; loops and branches on the way to that are entered without asking their conditions.

// switchContext is the switch whose body is being checked.
type switchContext struct {
	sw         *hir.Switch
	labelType  hir.Type
	seen       map[int64]syntax.Pos
	hasDefault bool
	nested     bool // there are labels in nested statements, or statements before the first
}

// label stands in a nested statement until its switch is complete.
type label struct {
	hir.Stmt // nil: it makes a label a statement that only the checker knows
	pos      syntax.Pos
	mark     hir.Case // without statements
}

// nestedLabel is a label in a nested statement.
func (c *checker) nestedLabel(s *syntax.CaseStmt) hir.Stmt {
	if c.fn.labels == nil {
		c.errorf(s.Pos(), codeMisplaced, "'%s' statement not in switch statement", labelWord(s))
		return nil
	}
	c.fn.labels.nested = true
	l := &label{pos: s.Pos()}
	c.addLabel(c.fn.labels, &l.mark, s)
	return l
}

func labelWord(s *syntax.CaseStmt) string {
	if s.X == nil {
		return "default"
	}
	return "case"
}

// walkTo turns such a switch into one with a default label only.
func (c *checker) walkTo(ctx *switchContext) {
	sw := ctx.sw
	w := &labelWalk{c: c, pos: sw.Pos,
		wanted:  &hir.Var{Name: "(wanted)", Pos: sw.Pos, Type: sw.X.Type(), Space: syntax.Thread},
		running: &hir.Var{Name: "(running)", Pos: sw.Pos, Type: hir.Bool, Space: syntax.Thread}}
	var list []hir.Stmt
	for _, k := range sw.Cases {
		list = append(list, &label{pos: sw.Pos, mark: hir.Case{Values: k.Values, Default: k.Default}})
		list = append(list, k.Body...)
	}
	w.values = labelValues(list)
	body := append([]hir.Stmt{&hir.VarStmt{Var: w.wanted, Init: sw.X},
		&hir.VarStmt{Var: w.running, Init: constant(sw.Pos, hir.Bool, 0)}}, w.list(list)...)
	sw.X, sw.Cases = constant(sw.Pos, hir.Int, 0), []hir.Case{{Default: true, Body: body}}
}

// labelWalk rewrites the statements of one switch.
type labelWalk struct {
	c               *checker
	pos             syntax.Pos
	wanted, running *hir.Var
	values          []int64 // of all labels: default stands for the others
}

// list guards the statements before, between and after the labels in a list.
func (w *labelWalk) list(list []hir.Stmt) (out []hir.Stmt) {
	var guarded []hir.Stmt
	flush := func() {
		if len(guarded) > 0 {
			out = append(out, &hir.If{Cond: w.load(w.running), Then: &hir.Block{List: guarded}})
		}
		guarded = nil
	}
	var initialised *hir.Var
	for _, s := range list {
		marks := labelsIn(s)
		if v, ok := s.(*hir.VarStmt); ok {
			if v.Init == nil { // in scope after the labels too
				out = append(out, v)
				continue
			}
			initialised = v.Var
		}
		if marks == nil {
			guarded = append(guarded, s)
			continue
		}
		if initialised != nil {
			w.c.errorf(marks[0].pos, codeJumpPastInitialisation,
				"this label jumps past the initialisation of %s: put braces round the case above", initialised.Name)
			initialised = nil
		}
		flush()
		out = append(out, w.entered(s, marks)...)
	}
	flush()
	return out
}

// entered is a statement that is a label, or has labels within.
func (w *labelWalk) entered(s hir.Stmt, marks []*label) []hir.Stmt {
	switch s := s.(type) {
	case *label:
		set := &hir.Assign{Node: hir.At(s.pos, hir.Bool), L: w.variable(w.running), R: w.hits(marks, w.load(w.running))}
		return []hir.Stmt{&hir.ExprStmt{X: set}}
	case *hir.Block:
		return []hir.Stmt{&hir.Block{List: w.list(s.List)}}
	case *hir.If:
		out := &hir.If{Cond: w.ask(s.Cond, marksOf(s.Then)), Then: &hir.Block{List: w.list(s.Then.List)}}
		if s.Else != nil {
			out.Else = &hir.Block{List: w.list(s.Else.List)}
		}
		return []hir.Stmt{out}
	case *hir.Loop:
		l := *s
		l.Body = &hir.Block{List: w.list(s.Body.List)}
		if s.TestLast {
			return []hir.Stmt{&hir.If{Cond: w.hits(marks, w.load(w.running)), Then: &hir.Block{List: []hir.Stmt{&l}}}}
		}
		cond := s.Cond
		if cond == nil {
			cond = constant(s.Pos, hir.Bool, 1)
		}
		l.Cond = w.ask(cond, marks)
		return []hir.Stmt{&l}
	}
	return []hir.Stmt{s}
}

// ask is a condition that counts only after the label that is looked for: before it, the
// statement is entered if that is within.
func (w *labelWalk) ask(cond hir.Expr, marks []*label) hir.Expr {
	return &hir.Cond{Node: hir.At(cond.Pos(), hir.Bool), C: w.load(w.running), X: cond,
		Y: w.hits(marks, constant(w.pos, hir.Bool, 0))}
}

// hits is the condition that one of the labels is looked for, or the other one.
func (w *labelWalk) hits(marks []*label, other hir.Expr) hir.Expr {
	pos := marksPos(marks, w.pos)
	or := func(a, b hir.Expr) hir.Expr { return &hir.Binary{Node: hir.At(pos, hir.Bool), Op: hir.LOr, X: a, Y: b} }
	is := func(v int64, op hir.Op) hir.Expr {
		return &hir.Binary{Node: hir.At(pos, hir.Bool), Op: op, X: w.load(w.wanted),
			Y: constant(pos, w.wanted.Type, uint64(v))}
	}
	for _, m := range marks {
		for _, v := range m.mark.Values {
			other = or(other, is(v, hir.Eq))
		}
		if m.mark.Default {
			var none hir.Expr = constant(pos, hir.Bool, 1)
			for _, v := range w.values {
				none = &hir.Binary{Node: hir.At(pos, hir.Bool), Op: hir.LAnd, X: none, Y: is(v, hir.Ne)}
			}
			other = or(other, none)
		}
	}
	return other
}

func marksPos(marks []*label, pos syntax.Pos) syntax.Pos {
	if len(marks) > 0 {
		return marks[0].pos
	}
	return pos
}

func (w *labelWalk) variable(v *hir.Var) hir.Expr {
	return &hir.VarExpr{Node: hir.At(w.pos, v.Type), Var: v}
}

func (w *labelWalk) load(v *hir.Var) hir.Expr {
	return &hir.Load{Node: hir.At(w.pos, v.Type), X: w.variable(v)}
}

// labelsIn are the labels in a statement of the switch at hand.
func labelsIn(s hir.Stmt) []*label {
	switch s := s.(type) {
	case *label:
		return []*label{s}
	case *hir.Block:
		return marksOf(s)
	case *hir.If:
		return append(marksOf(s.Then), marksOf(s.Else)...)
	case *hir.Loop:
		return marksOf(s.Body)
	}
	return nil
}

func marksOf(b *hir.Block) (list []*label) {
	if b != nil {
		for _, s := range b.List {
			list = append(list, labelsIn(s)...)
		}
	}
	return list
}

// labelValues are the values of all labels in a list.
func labelValues(list []hir.Stmt) (values []int64) {
	for _, l := range marksOf(&hir.Block{List: list}) {
		values = append(values, l.mark.Values...)
	}
	return values
}
