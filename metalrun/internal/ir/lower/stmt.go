package lower

import (
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// frame is the function whose body is being lowered.
type frame struct {
	block   *ir.Block
	left    bool     // something leaves the block
	result  []ir.Reg // value of the result; variables if there are several returns
	single  bool     // the only return is the last statement
	targets []target
}

// target is a statement that break or continue may leave.
type target struct {
	loop      *ir.Loop  // nil for a switch
	block     *ir.Block // of a switch; around the body of a do loop
	used      bool      // block is left
	continues bool      // block is what continue leaves
}

// stmts lowers statements in sequence. It reports whether control cannot reach
// their end. tail says that the function ends after them.
func (l *lowerer) stmts(list []hir.Stmt, tail bool) (ends bool) {
	for i, s := range list {
		if l.stmt(s, tail && i == len(list)-1) {
			return true
		}
	}
	return false
}

// mark says that control comes to a part of the source, unless that is nil.
func (l *lowerer) mark(of *syntax.StmtID) {
	if of == nil {
		return
	}
	restore := l.at(of.Pos)
	l.emit(&ir.Instr{Op: ir.Cover, Extra: of.Number})
	restore()
}

func (l *lowerer) stmt(s hir.Stmt, tail bool) (ends bool) {
	switch s := s.(type) {
	case *hir.Block:
		return l.stmts(s.List, tail)
	case *hir.VarStmt:
		l.fullExpression(func() { l.variableStmt(s) })
	case *hir.Cover:
		l.mark(&s.Of)
	case *hir.ExprStmt:
		l.fullExpression(func() { l.effect(s.X) })
	case *hir.If:
		return l.ifStmt(s, tail)
	case *hir.Loop:
		l.loopStmt(s)
	case *hir.Switch:
		l.switchStmt(s)
	case *hir.Break:
		l.breakStmt(s.Pos)
		return true
	case *hir.Continue:
		l.continueStmt(s.Pos)
		return true
	case *hir.Return:
		l.returnStmt(s, tail)
		return true
	}
	return false
}

func (l *lowerer) variableStmt(s *hir.VarStmt) {
	v := s.Var
	defer l.at(v.Pos)()
	switch {
	case v.Space == syntax.Threadgroup && !v.Ref:
		l.vars[v] = memory(v.Type, address{space: syntax.Threadgroup, base: l.object(v), index: ir.None})
	case v.Ref:
		l.reference(v, l.referent(v, s.Init))
	case v.Const && v.Data != nil && l.storage.object(v) && !l.storage.addressed[v]:
		l.vars[v] = memory(v.Type, address{space: syntax.Constant, base: l.constantObject(v), index: ir.None})
	case s.Init == nil:
		l.declareUninitialised(v)
	case l.transparentTo(v, s.Init):
	case l.storage.object(v):
		p := memory(v.Type, address{space: syntax.Thread, base: l.object(v), index: ir.None})
		l.initialise(p, s.Init)
		l.vars[v] = p
	default:
		l.declare(v, l.value(s.Init))
	}
}

// declareUninitialised brings v into scope with an indeterminate value.
func (l *lowerer) declareUninitialised(v *hir.Var) {
	if l.storage.object(v) {
		l.vars[v] = memory(v.Type, address{space: v.Space, base: l.object(v), index: ir.None})
		return
	}
	if !l.storage.written[v] {
		l.vars[v] = registers(v.Type, l.poisoned(v.Type))
		return
	}
	p := l.mutableVariable(v)
	for _, r := range p.regs {
		l.emit(&ir.Instr{Op: ir.Poison, Dst: []ir.Reg{r}})
	}
	l.vars[v] = p
}

// transparentTo makes pointer v stand for what e points to, if that can be.
func (l *lowerer) transparentTo(v *hir.Var, e hir.Expr) bool {
	delete(l.pointers, v)
	if !l.storage.transparent(v) {
		return false
	}
	switch x := samePointee(e).(type) {
	case *hir.AddrOf:
		p := l.lvalue(x.X)
		if p.inMemory {
			p.addr = l.freezeAddress(p.addr)
		}
		l.pointers[v] = p
		return true
	case *hir.Load:
		if q, ok := pointerVar(x); ok {
			if p, ok := l.pointers[q]; ok {
				l.pointers[v] = p
				return true
			}
		}
	}
	return false
}

// condition lowers a condition, a full expression.
func (l *lowerer) condition(e hir.Expr) (cond ir.Reg) {
	l.fullExpression(func() { cond = l.value(e)[0] })
	return cond
}

func (l *lowerer) ifStmt(s *hir.If, tail bool) (ends bool) {
	cond := l.condition(s.Cond)
	if bits, ok := l.constant(cond); ok {
		switch {
		case bits != 0:
			return l.stmts(s.Then.List, tail)
		case s.Else != nil:
			return l.stmts(s.Else.List, tail)
		}
		return false
	}
	node := &ir.If{Pos: s.Cond.Pos(), Cond: cond}
	var thenEnds, elseEnds bool
	node.Then = l.into(func() { thenEnds = l.stmts(s.Then.List, tail) })
	if s.Else != nil {
		node.Else = l.into(func() { elseEnds = l.stmts(s.Else.List, tail) })
	}
	*l.body = append(*l.body, node)
	return thenEnds && elseEnds
}

// Loops

func (l *lowerer) loopStmt(s *hir.Loop) {
	defer l.at(s.Pos)()
	loop := &ir.Loop{Pos: s.Pos, Cond: ir.None, Unroll: s.Unroll}
	t := target{loop: loop}
	if s.TestLast {
		t.block = &ir.Block{Pos: s.Pos, Name: "do"}
		t.continues = true
	} else if s.Cond != nil {
		loop.Head = l.into(func() { loop.Cond = l.condition(s.Cond) })
		if bits, ok := l.constant(loop.Cond); ok {
			if loop.Cond = ir.None; bits == 0 {
				*l.body = append(*l.body, loop.Head...)
				return
			}
		}
	}
	release := l.limitLoop(s)
	body, t := l.withTarget(t, s.Body.List)
	if s.TestLast {
		loop.Body = l.doBody(s, t, body)
	} else {
		loop.Body = body
	}
	if s.Post != nil {
		loop.Post = l.into(func() { l.fullExpression(func() { l.effect(s.Post) }) })
	}
	release()
	if body, ok := once(loop); ok {
		*l.body = append(*l.body, body...)
		return
	}
	*l.body = append(*l.body, loop)
}

// once is the body of a loop that all threads leave at the end of its first iteration, and nowhere else:
// macros are made of such loops.
func once(n *ir.Loop) (body []ir.Node, ok bool) {
	last := len(n.Body) - 1
	if n.Cond != ir.None || len(n.Head) > 0 || last < 0 {
		return nil, false
	}
	body = n.Body[:last]
	e, ok := n.Body[last].(*ir.Exit)
	return body, ok && e.Kind == ir.Break && e.Loop == n && !ir.Contains(body, func(in ir.Node) bool {
		e, exit := in.(*ir.Exit)
		return exit && e.Loop == n
	})
}

// doBody is the body of a do loop with its condition: continue leaves the
// block of the body.
func (l *lowerer) doBody(s *hir.Loop, t target, body []ir.Node) []ir.Node {
	return l.into(func() {
		if t.used {
			t.block.Body = body
			*l.body = append(*l.body, t.block)
		} else {
			*l.body = append(*l.body, body...)
			if n := len(body); n > 0 {
				if _, ok := body[n-1].(*ir.Exit); ok {
					return
				}
			}
		}
		if s.Cond == nil {
			return
		}
		cond := l.condition(s.Cond)
		leave := func() { l.exit(&ir.Exit{Pos: s.Pos, Kind: ir.Break, Loop: t.loop}) }
		if bits, ok := l.constant(cond); ok {
			if bits == 0 {
				leave()
			}
			return
		}
		l.ifElse(cond, nil, leave)
	})
}

// withTarget lowers the body of a loop or the cases of a switch.
func (l *lowerer) withTarget(t target, list []hir.Stmt) ([]ir.Node, target) {
	nodes := l.into(func() {
		l.pushTarget(t)
		l.stmts(list, false)
		t = l.popTarget()
	})
	return nodes, t
}

func (l *lowerer) pushTarget(t target) { l.frame.targets = append(l.frame.targets, t) }

func (l *lowerer) popTarget() target {
	n := len(l.frame.targets) - 1
	t := l.frame.targets[n]
	l.frame.targets = l.frame.targets[:n]
	return t
}

func (l *lowerer) exit(e *ir.Exit) { *l.body = append(*l.body, e) }

func (l *lowerer) breakStmt(pos syntax.Pos) {
	t := &l.frame.targets[len(l.frame.targets)-1]
	if t.loop != nil {
		l.exit(&ir.Exit{Pos: pos, Kind: ir.Break, Loop: t.loop})
		return
	}
	t.used = true
	l.exit(&ir.Exit{Pos: pos, Kind: ir.Leave, Block: t.block})
}

func (l *lowerer) continueStmt(pos syntax.Pos) {
	for i := len(l.frame.targets) - 1; i >= 0; i-- {
		t := &l.frame.targets[i]
		switch {
		case t.continues:
			t.used = true
			l.exit(&ir.Exit{Pos: pos, Kind: ir.Leave, Block: t.block})
			return
		case t.loop != nil:
			l.exit(&ir.Exit{Pos: pos, Kind: ir.Continue, Loop: t.loop})
			return
		}
	}
	l.fail("internal", "continue outside a loop")
}

// limitLoop notes the bound of a loop variable that counts up from a value
// that is not negative to a constant, for the time of the loop's body.
func (l *lowerer) limitLoop(s *hir.Loop) (release func()) {
	v, limit, ok := countedLoop(s)
	if !ok || l.storage.writes[v] != 1 || l.storage.aliased[v] {
		return func() {}
	}
	p, ok := l.vars[v]
	if !ok || p.inMemory || l.typeOf(p.regs[0]) != ir.I32 {
		return func() {}
	}
	r := p.regs[0]
	if scalarKind(v.Type).IsSigned() && !l.startsPositive(r) {
		return func() {}
	}
	l.limits[r] = limit
	return func() { delete(l.limits, r) }
}

// startsPositive reports whether the last instruction that set r, before the
// loop, set it to a literal that is not negative.
func (l *lowerer) startsPositive(r ir.Reg) bool {
	list := *l.body
	for i := len(list) - 1; i >= 0; i-- {
		in, ok := list[i].(*ir.Instr)
		if !ok {
			return false
		}
		if len(in.Dst) == 1 && in.Dst[0] == r {
			bits, ok := l.constant(argOrNone(in))
			return ok && in.Op == ir.Copy && int64(bits) >= 0
		}
	}
	return false
}

func argOrNone(in *ir.Instr) ir.Reg {
	if len(in.Args) == 0 {
		return in.Dst[0]
	}
	return in.Args[0]
}

// countedLoop recognises for (…; v < limit; v++) and gives the largest value
// of v in its body.
func countedLoop(s *hir.Loop) (v *hir.Var, limit uint64, ok bool) {
	cond, isBinary := s.Cond.(*hir.Binary)
	if !isBinary || s.TestLast || cond.Op != hir.Lt && cond.Op != hir.Le {
		return nil, 0, false
	}
	x := cond.X
	if c, ok := x.(*hir.Convert); ok {
		x = c.X
	}
	load, isLoad := x.(*hir.Load)
	bound, isConst := constInt(cond.Y)
	if !isLoad || !isConst || bound <= 0 || bound > 1<<31-1 {
		return nil, 0, false
	}
	variable, isVar := load.X.(*hir.VarExpr)
	if !isVar || !countsUp(s.Post, variable.Var) {
		return nil, 0, false
	}
	if cond.Op == hir.Lt {
		bound--
	}
	return variable.Var, uint64(bound), true
}

func countsUp(post hir.Expr, v *hir.Var) bool {
	if load, ok := post.(*hir.Load); ok {
		post = load.X
	}
	var l hir.Expr
	switch post := post.(type) {
	case *hir.IncDec:
		if post.Dec {
			return false
		}
		l = post.L
	case *hir.OpAssign:
		if step, ok := constInt(post.R); !ok || step <= 0 || post.Op != hir.Add {
			return false
		}
		l = post.L
	}
	x, ok := l.(*hir.VarExpr)
	return ok && x.Var == v
}

// Switch

// switchStmt runs the cases in order. Each asks whether its value is the one,
// or whether the case above it has run and fallen through.
func (l *lowerer) switchStmt(s *hir.Switch) {
	defer l.at(s.Pos)()
	var x ir.Reg
	l.fullExpression(func() { x = l.freeze(l.value(s.X))[0] })
	block := &ir.Block{Pos: s.Pos, Name: "switch"}
	l.pushTarget(target{block: block})
	list := l.into(func() {
		hits, none := l.caseHits(s, x)
		falls := ir.None // variable: the case above has fallen through
		for i, c := range s.Cases {
			cond := hits[i]
			if c.Default {
				cond = l.either(cond, none)
			}
			falls = l.caseBody(c.Body, l.either(cond, falls), falls, i == len(s.Cases)-1)
		}
	})
	if t := l.popTarget(); t.used {
		block.Body = list
		*l.body = append(*l.body, block)
		return
	}
	*l.body = append(*l.body, list...)
}

// caseHits compares x with the values of each case. none says that it equals
// no value; it is None without a default.
func (l *lowerer) caseHits(s *hir.Switch, x ir.Reg) (hits []ir.Reg, none ir.Reg) {
	any, hasDefault := ir.None, false
	for _, c := range s.Cases {
		hit := ir.None
		for _, v := range c.Values {
			hit = l.either(hit, l.op(ir.Eq, ir.Bool, x, l.literal(l.typeOf(x), uint64(v))))
		}
		hits = append(hits, hit)
		any = l.either(any, hit)
		hasDefault = hasDefault || c.Default
	}
	switch {
	case !hasDefault:
		return hits, ir.None
	case any == ir.None:
		return hits, l.literal(ir.Bool, 1)
	}
	return hits, l.op(ir.Not, ir.Bool, any)
}

// either is a or b. None stands for false.
func (l *lowerer) either(a, b ir.Reg) ir.Reg {
	switch {
	case a == ir.None:
		return b
	case b == ir.None:
		return a
	}
	return l.op(ir.Or, ir.Bool, a, b)
}

// caseBody runs the statements of a case if cond holds. It gives the variable
// that says whether they fell through, None if they never do.
func (l *lowerer) caseBody(list []hir.Stmt, cond, falls ir.Reg, last bool) ir.Reg {
	if cond == ir.None {
		return ir.None // no value, and nothing falls through to here
	}
	var ends bool
	then := l.into(func() { ends = l.stmts(list, false) })
	next := ir.None
	if !ends && !last {
		if next = falls; next == ir.None {
			next = l.variable(ir.Bool, "matched")
			l.copy(next, l.literal(ir.Bool, 0))
		}
		matched := &ir.Instr{Op: ir.Copy, Pos: l.pos, Dst: []ir.Reg{next}, Args: []ir.Reg{l.literal(ir.Bool, 1)}}
		then = append([]ir.Node{matched}, then...)
	}
	*l.body = append(*l.body, &ir.If{Pos: l.pos, Cond: cond, Then: then})
	return next
}
