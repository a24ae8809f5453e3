package types

import "metalconform/metalrun/internal/syntax"

// Labels inside of nested statements of a switch, as in a copying loop that begins in its
// middle, and statements before the first label. Such a switch becomes a walk through its body on which nothing runs before the
// label that is looked for; loops and branches on the way to that are entered without
// asking their conditions.

// switchContext is the switch whose body is being checked.
type switchContext struct {
	sw         *Switch
	labelType  Type
	seen       map[int64]syntax.Pos
	hasDefault bool
	nested     bool // there are labels in nested statements, or statements before the first
}

// label stands in a nested statement until its switch is complete.
type label struct {
	pos  syntax.Pos
	mark Case // without statements
}

func (*label) stmt() {}

// nestedLabel is a label in a nested statement.
func (c *checker) nestedLabel(s *syntax.CaseStmt) Stmt {
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

// walkTo makes such a switch one that has a default alone.
func (c *checker) walkTo(ctx *switchContext) {
	sw := ctx.sw
	w := &labelWalk{c: c, pos: sw.Pos,
		wanted:  &Var{Name: "(wanted)", Pos: sw.Pos, Type: sw.X.Type(), Space: syntax.Thread},
		running: &Var{Name: "(running)", Pos: sw.Pos, Type: Bool, Space: syntax.Thread}}
	var list []Stmt
	for _, k := range sw.Cases {
		list = append(list, &label{sw.Pos, Case{Values: k.Values, Default: k.Default}})
		list = append(list, k.Body...)
	}
	w.values = labelValues(list)
	body := append([]Stmt{&VarStmt{w.wanted, sw.X}, &VarStmt{w.running, constant(sw.Pos, Bool, 0)}}, w.list(list)...)
	sw.X, sw.Cases = constant(sw.Pos, Int, 0), []Case{{Default: true, Body: body}}
}

// labelWalk rewrites the statements of one switch.
type labelWalk struct {
	c               *checker
	pos             syntax.Pos
	wanted, running *Var
	values          []int64 // of all labels: default stands for the others
}

// list guards what stands before, between and behind the labels in a list.
func (w *labelWalk) list(list []Stmt) (out []Stmt) {
	var guarded []Stmt
	flush := func() {
		if len(guarded) > 0 {
			out = append(out, &If{Cond: w.load(w.running), Then: &Block{guarded}})
		}
		guarded = nil
	}
	var initialised *Var
	for _, s := range list {
		marks := labelsIn(s)
		if v, ok := s.(*VarStmt); ok {
			if v.Init == nil { // in scope behind the labels too
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
			w.c.errorf(marks[0].pos, codeJumpPastInitialisation, "this label jumps past the initialisation of %s: put braces round the case above", initialised.Name)
			initialised = nil
		}
		flush()
		out = append(out, w.entered(s, marks)...)
	}
	flush()
	return out
}

// entered is a statement that is a label, or has labels within.
func (w *labelWalk) entered(s Stmt, marks []*label) []Stmt {
	switch s := s.(type) {
	case *label:
		set := &Assign{expr{s.pos, Bool}, w.variable(w.running), w.hits(marks, w.load(w.running))}
		return []Stmt{&ExprStmt{set}}
	case *Block:
		return []Stmt{&Block{w.list(s.List)}}
	case *If:
		out := &If{Cond: w.ask(s.Cond, marksOf(s.Then)), Then: &Block{w.list(s.Then.List)}}
		if s.Else != nil {
			out.Else = &Block{w.list(s.Else.List)}
		}
		return []Stmt{out}
	case *Loop:
		l := *s
		l.Body = &Block{w.list(s.Body.List)}
		if s.TestLast {
			return []Stmt{&If{Cond: w.hits(marks, w.load(w.running)), Then: &Block{[]Stmt{&l}}}}
		}
		cond := s.Cond
		if cond == nil {
			cond = constant(s.Pos, Bool, 1)
		}
		l.Cond = w.ask(cond, marks)
		return []Stmt{&l}
	}
	return []Stmt{s}
}

// ask is a condition that counts only behind the label that is looked for: before it, the
// statement is entered if that is within.
func (w *labelWalk) ask(cond Expr, marks []*label) Expr {
	return &Cond{expr: expr{cond.Pos(), Bool}, C: w.load(w.running), X: cond, Y: w.hits(marks, constant(w.pos, Bool, 0))}
}

// hits is the condition that one of the labels is looked for, or the other one.
func (w *labelWalk) hits(marks []*label, other Expr) Expr {
	pos := marksPos(marks, w.pos)
	or := func(a, b Expr) Expr { return &Binary{expr: expr{pos, Bool}, Op: LOr, X: a, Y: b} }
	is := func(v int64, op Op) Expr {
		return &Binary{expr: expr{pos, Bool}, Op: op, X: w.load(w.wanted), Y: constant(pos, w.wanted.Type, uint64(v))}
	}
	for _, m := range marks {
		for _, v := range m.mark.Values {
			other = or(other, is(v, Eq))
		}
		if m.mark.Default {
			var none Expr = constant(pos, Bool, 1)
			for _, v := range w.values {
				none = &Binary{expr: expr{pos, Bool}, Op: LAnd, X: none, Y: is(v, Ne)}
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

func (w *labelWalk) variable(v *Var) Expr { return &VarExpr{expr{w.pos, v.Type}, v} }

func (w *labelWalk) load(v *Var) Expr { return &Load{expr{w.pos, v.Type}, w.variable(v)} }

// labelsIn are the labels in a statement of the switch at hand.
func labelsIn(s Stmt) []*label {
	switch s := s.(type) {
	case *label:
		return []*label{s}
	case *Block:
		return marksOf(s)
	case *If:
		return append(marksOf(s.Then), marksOf(s.Else)...)
	case *Loop:
		return marksOf(s.Body)
	}
	return nil
}

func marksOf(b *Block) (list []*label) {
	if b != nil {
		for _, s := range b.List {
			list = append(list, labelsIn(s)...)
		}
	}
	return list
}

// labelValues are the values of all labels in a list.
func labelValues(list []Stmt) (values []int64) {
	for _, l := range marksOf(&Block{list}) {
		values = append(values, l.mark.Values...)
	}
	return values
}
