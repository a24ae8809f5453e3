package types

import (
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// bodyBlock checks the body of a function in the scope of its parameters.
func (c *checker) bodyBlock(b *syntax.BlockStmt) *hir.Block {
	out := &hir.Block{}
	math := c.math
	for _, s := range b.List {
		out.List = append(out.List, c.stmt(s)...)
	}
	out.List = c.ended(out.List, b.End)
	c.math = math
	return out
}

// block checks a statement in a scope of its own.
func (c *checker) block(s syntax.Stmt) *hir.Block {
	out := &hir.Block{}
	c.inScope(blockScope, func() {
		if b, ok := s.(*syntax.BlockStmt); ok {
			for _, s := range b.List {
				out.List = append(out.List, c.stmt(s)...)
			}
			out.List = c.ended(out.List, b.End)
			return
		}
		out.List = c.ended(c.stmt(s), s.Pos())
	})
	return out
}

// stmt checks a statement. It gives none for a declaration without code, and
// several where one declares several variables or coverage is asked for.
func (c *checker) stmt(s syntax.Stmt) []hir.Stmt { return c.covered(s, c.uncovered(s)) }

// covered is what a statement becomes, with a mark before it if coverage is asked for.
func (c *checker) covered(s syntax.Stmt, list []hir.Stmt) []hir.Stmt {
	if c.cfg.Coverage == nil {
		return list
	}
	id, ok := c.cfg.Coverage.Statement(s)
	if !ok {
		return list
	}
	return append([]hir.Stmt{&hir.Cover{Of: id}}, list...)
}

// mark is the name of a part of a statement that is to have a mark, nil if it is to have none.
func (c *checker) mark(x syntax.Expr) *syntax.StmtID {
	if c.cfg.Coverage == nil {
		return nil
	}
	if id, ok := c.cfg.Coverage.Statement(x); ok {
		return &id
	}
	return nil
}

// decidedFor notes that a condition is decided for an arm: control comes there whenever it comes to the condition.
func (c *checker) decidedFor(arm syntax.Expr) {
	if id := c.mark(arm); id != nil {
		c.cfg.Coverage.Execute(*id)
	}
}

// uncovered is stmt without marks of coverage, except of the statements within.
func (c *checker) uncovered(s syntax.Stmt) []hir.Stmt {
	one := func(s hir.Stmt) []hir.Stmt {
		if s == nil {
			return nil
		}
		return []hir.Stmt{s}
	}
	switch s := s.(type) {
	case *syntax.BlockStmt:
		return one(c.block(s))
	case *syntax.DeclStmt:
		return c.declStmt(s)
	case *syntax.ExprStmt:
		if e := c.effect(s.X); e != nil {
			return one(&hir.ExprStmt{X: e})
		}
	case *syntax.IfStmt:
		return c.ifStmt(s)
	case *syntax.ForStmt:
		return one(c.forStmt(s))
	case *syntax.RangeStmt:
		return one(c.rangeStmt(s))
	case *syntax.WhileStmt:
		return c.whileStmt(s)
	case *syntax.DoStmt:
		return c.doStmt(s)
	case *syntax.SwitchStmt:
		return c.switchStmt(s)
	case *syntax.CaseStmt:
		return one(c.nestedLabel(s))
	case *syntax.BreakStmt:
		if c.fn.breaks == 0 {
			c.errorf(s.Pos(), codeMisplaced, "break stands outside of a loop or switch")
			return nil
		}
		return c.leave(&hir.Break{Pos: s.Pos()}, s.Pos(), c.fn.breakScope)
	case *syntax.ContinueStmt:
		if c.fn.loops == 0 {
			c.errorf(s.Pos(), codeMisplaced, "continue stands outside of a loop")
			return nil
		}
		return c.leave(&hir.Continue{Pos: s.Pos()}, s.Pos(), c.fn.loopScope)
	case *syntax.ReturnStmt:
		return c.returnStmt(s)
	case *syntax.EmptyStmt:
	default:
		c.errorf(s.Pos(), codeUnsupported, "this statement is not supported")
	}
	return nil
}

// effect checks an expression whose value is not used.
func (c *checker) effect(x syntax.Expr) hir.Expr {
	op := c.expr(x)
	if op.list != nil || op.fns != nil {
		c.rvalue(op)
		return nil
	}
	if op.expr != nil && op.typ() == hir.Type(hir.NullPointer{}) {
		return nil
	}
	return op.expr
}

func (c *checker) declStmt(s *syntax.DeclStmt) []hir.Stmt {
	var out []hir.Stmt
	for _, d := range s.Decls {
		switch d := d.(type) {
		case *syntax.VarDecl:
			if len(d.Bindings) > 0 {
				out = append(out, c.structuredBinding(d)...)
				continue
			}
			if d.Name == "" {
				out = append(out, c.anonymousUnion(d)...)
				continue
			}
			vars := c.localVar(d)
			c.agree(s.Decls, d, vars)
			out = append(out, vars...)
		case *syntax.FuncDecl:
			c.localFunction(d)
		default:
			c.commonDecl(d)
		}
	}
	return out
}

// agree checks that the auto of a declaration stands for one type in all its variables.
func (c *checker) agree(decls []syntax.Decl, d *syntax.VarDecl, vars []hir.Stmt) {
	first, ok := decls[0].(*syntax.VarDecl)
	if !ok || first == d || first.Type != d.Type || len(vars) == 0 {
		return
	}
	v, isVar := vars[len(vars)-1].(*hir.VarStmt)
	if known, ok := c.scope.names[first.Name].(*varEntity); ok && isVar && v.Var.Name == d.Name &&
		!hir.Identical(known.v.Type, v.Var.Type) {
		auto := first.Type
		if q, ok := auto.(*syntax.QualType); ok {
			auto = q.Base
		}
		c.errorf(auto.Pos(), codeAuto,
			"'auto' deduced as '%s' in declaration of '%s' and deduced as '%s' in declaration of '%s'", known.v.Type,
			first.Name, v.Var.Type, d.Name)
	}
}

// conditionOf checks a condition, which may declare a variable.
func (c *checker) conditionOf(x syntax.Expr, d *syntax.VarDecl) (decl []hir.Stmt, cond hir.Expr) {
	if d == nil {
		return nil, c.condition(c.expr(x), x.Pos())
	}
	if !c.noBindings(d) {
		return nil, nil
	}
	n := len(c.fn.locals)
	decl = c.localVar(d)
	c.fn.locals = c.fn.locals[:n] // the condition reads it
	for _, s := range decl {
		if v, ok := s.(*hir.VarStmt); ok && v.Var.Name == d.Name {
			return decl, c.condition(variable(d.Pos(), v.Var, false), d.Pos())
		}
	}
	return nil, nil
}

func (c *checker) ifStmt(s *syntax.IfStmt) []hir.Stmt {
	var out []hir.Stmt
	c.inScope(blockScope, func() {
		c.scope.control = true
		if s.Init != nil {
			out = c.stmt(s.Init)
		}
		decl, cond := c.conditionOf(s.Cond, s.CondDecl)
		out = append(out, decl...)
		if s.Constexpr {
			if cond != nil {
				out = c.ended(append(out, c.constexprIf(s, cond)...), s.Pos())
			}
			return
		}
		out = c.ended(append(out, c.branches(s, cond)...), s.Pos())
	})
	if s.Init != nil || s.CondDecl != nil {
		return []hir.Stmt{&hir.Block{List: out}}
	}
	return out
}

// branches checks both branches of an if. One that a constant condition rules
// out is left out of the tree: it may use arguments that do not exist.
func (c *checker) branches(s *syntax.IfStmt, cond hir.Expr) []hir.Stmt {
	k := c.decided(cond)
	var then, other *hir.Block
	c.ruledOut(k.isFalse(), func() { then = c.block(s.Then) })
	if s.Else != nil {
		c.ruledOut(k.isTrue(), func() { other = c.block(s.Else) })
	}
	switch {
	case cond == nil:
		return nil
	case !c.prune(k):
		return []hir.Stmt{&hir.If{Cond: cond, Then: then, Else: other}}
	case k.truth:
		return []hir.Stmt{then}
	case other != nil:
		return []hir.Stmt{other}
	}
	return nil
}

// A decision is what is known of a condition at compile time.
type decision struct {
	known, truth bool
	unset        bool // because a function constant without a value counts as false
}

func (d decision) isTrue() bool  { return d.known && d.truth }
func (d decision) isFalse() bool { return d.known && !d.truth }

// decided evaluates a condition, which may be nil after an error.
func (c *checker) decided(cond hir.Expr) (d decision) {
	if cond == nil {
		return d
	}
	d.unset = c.eval.Assuming(func() {
		var k *hir.Const
		if k, d.known = c.eval.Scalar(cond); d.known {
			d.truth = k.Bits != 0
		}
	})
	return d
}

// ruledOut checks something that is never executed if dead is set.
func (c *checker) ruledOut(dead bool, f func()) {
	if !dead || c.fn == nil {
		f()
		return
	}
	c.fn.dead++
	f()
	c.fn.dead--
}

// prune reports whether what a decision rules out is to be left out of the
// tree. What waits for the value of a function constant stays.
func (c *checker) prune(d decision) bool { return d.known && !d.unset }

// constexprIf takes one branch. The other is checked only outside of templates.
func (c *checker) constexprIf(s *syntax.IfStmt, cond hir.Expr) []hir.Stmt {
	k, ok := c.eval.Scalar(cond)
	if !ok {
		c.notConstant(cond, "the condition of if constexpr")
		return nil
	}
	then, other := s.Then, s.Else
	if k.Bits == 0 {
		then, other = s.Else, s.Then
	}
	var out []hir.Stmt
	if then != nil {
		out = []hir.Stmt{c.block(then)}
	}
	if other != nil && !c.dependent() {
		saved := *c.fn
		c.fn.unevaluated = true
		c.block(other)
		*c.fn = saved
	}
	return out
}

// dependent reports whether the checker is inside an instance of a template.
func (c *checker) dependent() bool {
	r := c.fn.r
	return len(r.targs) > 0 || r.of.owner != nil && r.of.owner.lazy
}

// loop checks the body of a loop.
func (c *checker) loop(f func()) {
	loopScope, breakScope := c.fn.loopScope, c.fn.breakScope
	c.fn.loopScope, c.fn.breakScope = c.scope, c.scope
	c.fn.loops++
	c.fn.breaks++
	f()
	c.fn.loops--
	c.fn.breaks--
	c.fn.loopScope, c.fn.breakScope = loopScope, breakScope
}

func (c *checker) forStmt(s *syntax.ForStmt) hir.Stmt {
	out := &hir.Block{}
	c.inScope(blockScope, func() {
		c.scope.control = true
		if s.Init != nil {
			out.List = c.stmt(s.Init)
		}
		l := &hir.Loop{Pos: s.Pos(), Unroll: syntax.Unroll(s.Pragmas)}
		if s.Cond != nil {
			l.Cond = c.condition(c.expr(s.Cond), s.Cond.Pos())
		}
		if s.Post != nil {
			l.Post = c.effect(s.Post)
		}
		c.loop(func() { l.Body = c.block(s.Body) })
		out.List = c.ended(append(out.List, l), s.Pos())
	})
	if len(out.List) == 1 {
		return out.List[0]
	}
	return out
}

func (c *checker) whileStmt(s *syntax.WhileStmt) []hir.Stmt {
	l := &hir.Loop{Pos: s.Pos(), Cond: c.condition(c.expr(s.Cond), s.Cond.Pos()), Unroll: syntax.Unroll(s.Pragmas)}
	c.loop(func() { l.Body = c.block(s.Body) })
	return []hir.Stmt{l}
}

func (c *checker) doStmt(s *syntax.DoStmt) []hir.Stmt {
	l := &hir.Loop{Pos: s.Pos(), TestLast: true, Unroll: syntax.Unroll(s.Pragmas)}
	c.loop(func() { l.Body = c.block(s.Body) })
	l.Cond = c.condition(c.expr(s.Cond), s.Cond.Pos())
	return []hir.Stmt{l}
}

// rangeStmt makes a counting loop of "for (T x : array)".
func (c *checker) rangeStmt(s *syntax.RangeStmt) hir.Stmt {
	out := &hir.Block{}
	pos := s.Pos()
	c.inScope(blockScope, func() {
		op := c.expr(s.X)
		if op.bad() {
			return
		}
		op = c.elements(op)
		if _, isStruct := op.typ().(*hir.Struct); isStruct {
			out.List = c.iterate(s)
			return
		}
		a, ok := op.typ().(*hir.Array)
		if !ok || !op.lvalue {
			c.errorf(s.X.Pos(), codeRange,
				"invalid range expression of type '%s'; no viable 'begin' function available", op.describe())
			return
		}
		ref := &hir.Var{Name: "(range)", Pos: pos, Type: a, Space: op.space, Ref: true, Const: op.const_}
		i := &hir.Var{Name: "(index)", Pos: pos, Type: hir.UInt, Space: syntax.Thread}
		load := func() hir.Expr {
			return &hir.Load{Node: hir.At(pos, hir.UInt), X: &hir.VarExpr{Node: hir.At(pos, hir.UInt), Var: i}}
		}
		elem := variable(pos, ref, op.volatile)
		elem.expr = &hir.Index{Node: hir.At(pos, a.Elem), X: elem.expr, I: load()}
		body := &hir.Block{}
		c.loop(func() {
			c.inScope(blockScope, func() {
				c.scope.control = true
				list := c.rangeVar(s.Var, elem)
				if list == nil {
					return
				}
				body.List = c.ended(append(list, c.block(s.Body)), pos)
			})
		})
		out.List = []hir.Stmt{
			&hir.VarStmt{Var: ref, Init: op.expr},
			&hir.VarStmt{Var: i, Init: constant(pos, hir.UInt, 0)},
			&hir.Loop{
				Pos: pos,
				Cond: &hir.Binary{Node: hir.At(pos, hir.Bool), Op: hir.Lt, X: load(),
					Y: constant(pos, hir.UInt, uint64(a.Len))},
				Post: &hir.IncDec{Node: hir.At(pos, hir.UInt), L: &hir.VarExpr{Node: hir.At(pos, hir.UInt), Var: i}},
				Body: body,
			},
		}
	})
	return out
}

// iterate is a range loop over an object that has begin and end, as members or as functions
// of its namespace: the loop with iterators that the language defines it to be.
func (c *checker) iterate(s *syntax.RangeStmt) []hir.Stmt {
	pos := s.Pos()
	object, first, last := nameExpr(pos, "(range)"), nameExpr(pos, "(begin)"), nameExpr(pos, "(end)")
	ref := &syntax.ReferenceType{Elem: autoAt(pos), RValue: true}
	ref.SetPos(pos)
	out := c.localVar(rangeDecl(pos, "(range)", ref, s.X))
	out = append(out, c.localVar(rangeDecl(pos, "(begin)", autoAt(pos), c.endOf(object, "begin")))...)
	out = append(out, c.localVar(rangeDecl(pos, "(end)", autoAt(pos), c.endOf(object, "end")))...)
	differ := &syntax.BinaryExpr{Op: "!=", X: first, Y: last}
	step := &syntax.UnaryExpr{Op: "++", X: first}
	elem := &syntax.UnaryExpr{Op: "*", X: first}
	differ.SetPos(pos)
	step.SetPos(pos)
	elem.SetPos(s.X.Pos())
	v := *s.Var
	v.Init = elem
	l := &hir.Loop{Pos: pos, Unroll: syntax.Unroll(s.Pragmas), Cond: c.condition(c.expr(differ), pos),
		Post: c.effect(step)}
	c.loop(func() {
		c.inScope(blockScope, func() {
			c.scope.control = true
			decl := &syntax.DeclStmt{Decls: []syntax.Decl{&v}}
			decl.SetPos(pos)
			list := c.stmt(decl)
			l.Body = &hir.Block{List: c.ended(append(list, c.block(s.Body)), pos)}
		})
	})
	return append(out, l)
}

// endOf is the call of begin or end for a range.
func (c *checker) endOf(object *syntax.NameExpr, name string) syntax.Expr {
	call := &syntax.CallExpr{Fun: nameExpr(object.Pos(), name), Args: []syntax.Expr{object}}
	if s, ok := c.unevaluated(object).typ().(*hir.Struct); ok && c.structs[s] != nil &&
		c.member(c.structs[s].scope, name) != nil {
		m := &syntax.MemberExpr{X: object, Member: nameExpr(object.Pos(), name).Name}
		m.SetPos(object.Pos())
		call = &syntax.CallExpr{Fun: m}
	}
	call.SetPos(object.Pos())
	return call
}

func autoAt(pos syntax.Pos) *syntax.AutoType {
	t := &syntax.AutoType{}
	t.SetPos(pos)
	return t
}

// rangeDecl declares a variable that no program can name.
func rangeDecl(pos syntax.Pos, name string, t syntax.TypeExpr, init syntax.Expr) *syntax.VarDecl {
	d := &syntax.VarDecl{Type: t, Name: name, NamePos: pos, Init: init}
	d.SetPos(pos)
	return d
}

// rangeVar declares the variable of a range loop.
func (c *checker) rangeVar(d *syntax.VarDecl, elem operand) []hir.Stmt {
	if len(d.Bindings) > 0 {
		whole := &hir.Var{Name: "(element)", Pos: d.Pos(), Type: elem.typ(), Space: elem.space, Ref: true,
			Const: elem.const_}
		c.declare(d.Pos(), whole.Name, &varEntity{v: whole, owner: c.fn.r, volatile: elem.volatile})
		parts := *d
		parts.Init = nameExpr(d.Pos(), whole.Name)
		return append([]hir.Stmt{&hir.VarStmt{Var: whole, Init: elem.expr}}, c.structuredBinding(&parts)...)
	}
	q, ok := c.typeOrAuto(d.Type)
	if !ok {
		c.poison(d)
		return nil
	}
	var init hir.Expr
	if hasAuto(q.typ) {
		q, init = c.deduceAutoFrom(q, elem, d.Pos())
	} else {
		init = c.initialiseWith(q, elem, d.Pos(), false)
	}
	if init == nil {
		c.poison(d)
		return nil
	}
	v := &hir.Var{Name: d.Name, Pos: d.Pos(), Type: q.typ, Space: syntax.Thread, Const: q.isConst, Ref: q.ref}
	if q.ref {
		v.Space = q.space
	}
	c.declare(d.NamePos, d.Name, &varEntity{v: v, owner: c.fn.r, volatile: q.volatile})
	out := &hir.VarStmt{Var: v, Init: init}
	return append(c.owns(out), out)
}

// switchStmt sorts the statements of a switch under its labels.
func (c *checker) switchStmt(s *syntax.SwitchStmt) []hir.Stmt {
	op := c.expr(s.X)
	if st, ok := op.typ().(*hir.Struct); ok && c.structs[st] != nil {
		if e, ok := c.toIntegral(op, s.X.Pos()); ok {
			op = value(e)
		}
	}
	x := c.rvalue(op)
	if x != nil && !isIntegralOrEnum(x.Type()) {
		c.errorf(s.X.Pos(), codeSwitch, "got %s, want an integer or an enumeration", x.Type())
		x = nil
	}
	var labelType hir.Type
	if x != nil {
		labelType = x.Type()
		if k := hir.ScalarKind(labelType); k != hir.Void {
			x = c.cast(x, promoted(k))
		}
	}
	sw := &hir.Switch{Pos: s.Pos(), X: x}
	ctx := &switchContext{sw: sw, labelType: labelType, seen: map[int64]syntax.Pos{}}
	breakScope, labels := c.fn.breakScope, c.fn.labels
	c.fn.breakScope, c.fn.labels = c.scope, ctx
	c.fn.breaks++
	c.inScope(blockScope, func() {
		c.cases(ctx, s)
		if n := len(sw.Cases); n > 0 {
			sw.Cases[n-1].Body = c.ended(sw.Cases[n-1].Body, s.Body.End)
		}
	})
	c.fn.breaks--
	c.fn.breakScope, c.fn.labels = breakScope, labels
	if x == nil {
		return nil
	}
	if ctx.nested {
		c.walkTo(ctx)
	}
	return []hir.Stmt{sw}
}

// cases checks the statements of a switch.
func (c *checker) cases(ctx *switchContext, s *syntax.SwitchStmt) {
	sw := ctx.sw
	var initialised *hir.Var // declared under an earlier label, in scope under the next
	open := false            // the last case has no statement yet
	for _, st := range s.Body.List {
		label, ok := st.(*syntax.CaseStmt)
		if !ok {
			list := c.stmt(st)
			if len(sw.Cases) == 0 {
				if len(list) == 0 {
					continue
				}
				ctx.nested = true // no label of the switch itself leads there
				sw.Cases = append(sw.Cases, hir.Case{})
			}
			last := &sw.Cases[len(sw.Cases)-1]
			last.Body = append(last.Body, list...)
			open = false
			for _, l := range list {
				if v, ok := l.(*hir.VarStmt); ok && v.Init != nil {
					initialised = v.Var
				}
			}
			continue
		}
		if initialised != nil {
			c.errorf(label.Pos(), codeJumpPastInitialisation,
				"this label jumps past the initialisation of %s: put braces round the case above", initialised.Name)
			initialised = nil
		}
		if !open {
			sw.Cases = append(sw.Cases, hir.Case{})
			open = true
		}
		c.addLabel(ctx, &sw.Cases[len(sw.Cases)-1], label)
	}
}

// addLabel gives a case one more label.
func (c *checker) addLabel(ctx *switchContext, to *hir.Case, label *syntax.CaseStmt) {
	if label.X == nil {
		if ctx.hasDefault {
			c.errorf(label.Pos(), codeDuplicateCase, "multiple default labels in one switch")
		}
		ctx.hasDefault, to.Default = true, true
		return
	}
	for _, v := range c.caseValues(label, ctx.labelType, ctx.sw) {
		if at, twice := ctx.seen[v]; twice {
			c.errorf(label.X.Pos(), codeDuplicateCase, "duplicate case value '%d'", v).Note(at,
				"previous case defined here")
		}
		ctx.seen[v] = label.X.Pos()
		to.Values = append(to.Values, v)
	}
}

// maxCaseRange bounds the values of one label.
const maxCaseRange = 1 << 10

// caseValues are the values that a label stands for.
func (c *checker) caseValues(label *syntax.CaseStmt, labelType hir.Type, sw *hir.Switch) []int64 {
	first, ok := c.caseValue(label.X, labelType, sw)
	if !ok {
		return nil
	}
	last := first
	if label.Last != nil {
		if last, ok = c.caseValue(label.Last, labelType, sw); !ok {
			return nil
		}
	}
	n := uint64(last) - uint64(first)
	switch {
	case last < first:
		return nil // an empty range, which clang warns of
	case n >= maxCaseRange:
		c.errorf(label.X.Pos(), codeUnsupported, "a case of more than %d values is not supported: compare instead",
			maxCaseRange)
		return nil
	}
	list := []int64{first}
	for range n {
		first++
		list = append(list, first)
	}
	return list
}

// caseValue is the value of a label in the type of the switch.
func (c *checker) caseValue(x syntax.Expr, labelType hir.Type, sw *hir.Switch) (int64, bool) {
	e := c.valueOf(x)
	if e == nil || labelType == nil {
		return 0, false
	}
	if enum, ok := labelType.(*hir.Enum); ok && enum.Scoped {
		if !hir.Identical(e.Type(), enum) {
			c.errorf(x.Pos(), codeCaseType, "got %s, want %s", e.Type(), enum)
			return 0, false
		}
	} else if !isIntegral(e.Type()) {
		c.errorf(x.Pos(), codeCaseType, "got %s, want an integer constant", e.Type())
		return 0, false
	}
	k, ok := c.eval.Scalar(e)
	if !ok {
		c.notConstant(e, "the value of a case")
		return 0, false
	}
	to := hir.ScalarKind(sw.X.Type())
	if !fitsValue(k.Bits, hir.ScalarKind(e.Type()), to) && hir.ScalarKind(e.Type()).IsSigned() == to.IsSigned() {
		c.errorf(x.Pos(), codeNarrowing, "case value %s does not fit the switch type %s",
			templateArg{of: e.Type(), bits: k.Bits}, to)
		return 0, false
	}
	conv, ok := c.eval.Scalar(c.cast(k, to))
	if !ok {
		return 0, false
	}
	return int64(conv.Bits), true
}

func (c *checker) returnStmt(s *syntax.ReturnStmt) []hir.Stmt {
	r := c.fn.r
	pos := s.Pos()
	if c.fn.inExpr {
		c.errorf(pos, codeUnsupported, "a return out of a statement expression is not supported: return after it")
		return nil
	}
	if r.of.isConstructor() {
		if s.X != nil {
			c.errorf(s.X.Pos(), codeReturnValue, "a constructor returns no value")
			return nil
		}
		return c.returnAfterEnds(&hir.Return{Pos: pos, X: c.thisValue(pos)})
	}
	if s.X == nil {
		if hasAuto(r.result.typ) {
			r.result = plain(hir.Void)
			r.fn.Result = hir.Void
		}
		if !isVoid(r.result.typ) {
			c.errorf(pos, codeReturnValue, "non-void function '%s' should return a value of type '%s'", r.of.name,
				r.result)
			return nil
		}
		return c.returnAfterEnds(&hir.Return{Pos: pos})
	}
	if _, isList := s.X.(*syntax.InitList); isList && !hasAuto(r.result.typ) {
		if isVoid(r.result.typ) {
			c.errorf(s.Pos(), codeReturnValue, "void function '%s' should not return a value", r.of.name)
			return nil
		}
		if e := c.initialise(r.result, s.X, false); e != nil {
			return c.returnAfterEnds(&hir.Return{Pos: pos, X: e})
		}
		return nil
	}
	op := c.expr(s.X)
	if op.bad() {
		return nil
	}
	if hasAuto(r.result.typ) {
		declared := r.result
		list := c.deducedReturn(s, op)
		r.placeholder = &declared
		return list
	}
	if !c.deducedAlike(s, op) {
		return nil
	}
	return c.returnOperand(s, op)
}

// deducedAlike reports whether a return statement deduces the type that the first one has.
func (c *checker) deducedAlike(s *syntax.ReturnStmt, op operand) bool {
	r := c.fn.r
	if r.placeholder == nil || r.placeholder.typ != hir.Type(autoType{}) || op.expr == nil || isVoid(op.typ()) {
		return true
	}
	var q qual
	if !c.attempt(func() { q, _ = c.deduceAutoFrom(*r.placeholder, op, s.X.Pos()) }) ||
		hir.Identical(q.typ, r.result.typ) {
		return true
	}
	c.errorf(s.Pos(), codeAuto,
		"'auto' in return type deduced as '%s' here but deduced as '%s' in earlier return statement", q.typ,
		r.result.typ)
	return false
}

// deducedReturn fixes the result type of a function declared auto.
func (c *checker) deducedReturn(s *syntax.ReturnStmt, op operand) []hir.Stmt {
	r := c.fn.r
	if op.expr != nil && isVoid(op.typ()) {
		r.result, r.fn.Result = plain(hir.Void), hir.Void
		return c.returnOperand(s, op)
	}
	q, ok := r.result, true
	if q.typ == hir.Type(autoType{declared: true}) {
		q, ok = c.declaredAs(s.X)
	} else {
		var e hir.Expr
		q, e = c.deduceAutoFrom(q, op, s.X.Pos())
		ok = e != nil
	}
	if !ok {
		return nil
	}
	r.result = q
	r.fn.Result = r.resultType()
	return c.returnOperand(s, op)
}

func (c *checker) returnOperand(s *syntax.ReturnStmt, op operand) []hir.Stmt {
	r := c.fn.r
	q := r.result
	switch {
	case isVoid(q.typ):
		if op.expr == nil || !isVoid(op.typ()) {
			c.errorf(s.Pos(), codeReturnValue, "void function '%s' should not return a value", r.of.name)
			return nil
		}
		return append([]hir.Stmt{&hir.ExprStmt{X: op.expr}}, c.returnAfterEnds(&hir.Return{Pos: s.Pos()})...)
	case q.ref:
		e := c.bind(op, q, s.X.Pos())
		if e == nil {
			return nil
		}
		if isTemporary(e) {
			c.errorf(s.X.Pos(), codeReferenceBinding,
				"the reference returned would bind to an object that ends with the function")
			return nil
		}
		ref := operand{expr: e, lvalue: true, space: q.space, const_: q.isConst, volatile: q.volatile}
		p := c.addressOf(ref, s.Pos()).expr
		return c.returnAfterEnds(&hir.Return{Pos: s.Pos(), X: c.cast(p, r.fn.Result)})
	}
	if op.expr != nil && isVoid(op.typ()) {
		c.errorf(s.X.Pos(), codeVoidValue, "an expression of type void has no value")
		return nil
	}
	e := c.forPurpose(purpose{"return object", beginning(s.X)}, func() hir.Expr { return c.returned(s.X, op, q.typ) })
	if e == nil {
		return nil
	}
	return c.returnValue(&hir.Return{Pos: s.Pos(), X: e}, c.returnNamed(s.X, op))
}
