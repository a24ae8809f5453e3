package lower

import (
	"slices"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// call inlines a call of a function of the program.
//
// Parameters that are never assigned are their arguments; references are the
// lvalues they are bound to. The body becomes a Block only if something returns
// from its middle: otherwise it stands where the call stood.
func (l *lowerer) call(e *hir.Call) []ir.Reg {
	fn := e.Func
	if fn.Cycle != nil {
		return l.recur(e)
	}
	l.bindParams(fn, e.Args)
	if n, ok := l.known[fn]; ok {
		l.counted(n)
		return l.variables(fn.Result, "")
	}
	before, contextual := l.count, l.contextual
	outer, group := l.frame, l.group
	f := &frame{block: &ir.Block{Pos: e.Pos(), Name: fn.Name}, single: singleReturn(fn.Body.List)}
	l.frame = f
	if !f.single {
		l.checkSize(fn.Result)
		f.result = l.variables(fn.Result, "")
	}
	list := l.into(func() { l.stmts(fn.Body.List, true) })
	l.frame, l.group = outer, group

	if f.left {
		f.block.Body = list
		*l.body = append(*l.body, f.block)
	} else {
		*l.body = append(*l.body, list...)
	}
	if l.known != nil && l.contextual == contextual {
		l.known[fn] = l.count - before
	}
	return f.result
}

// pointerCall calls the function whose number it finds. The last one stands for numbers
// that are none.
func (l *lowerer) pointerCall(e *hir.PointerCall) []ir.Reg {
	l.contextual++ // which functions it calls
	fun := l.value(e.Fun)[0]
	list := e.Targets.List
	call := func(fn *hir.Func) []ir.Reg {
		return l.call(&hir.Call{Node: hir.At(e.Pos(), e.Type()), Func: fn, Args: e.Args})
	}
	if n, ok := l.constant(fun); ok && n > 0 && int(n) <= len(list) {
		return call(list[n-1])
	}
	result := l.variables(e.Type(), "")
	fun = l.freezeReg(fun)
	var choose func(i int)
	choose = func(i int) {
		if i == len(list) { // it points to no function: an access through a null pointer ends the launch
			l.write(memory(hir.Char, address{space: syntax.Device, base: l.literal(ir.Ptr, 0), index: ir.None}),
				[]ir.Reg{l.literal(ir.U8.Type(), 0)})
			return
		}
		hit := l.op(ir.Eq, ir.Bool, fun, l.literal(ir.U64.Type(), uint64(i+1)))
		l.ifElse(hit, func() { l.assignRegs(result, call(list[i])) }, func() { choose(i + 1) })
	}
	choose(0)
	return result
}

func (l *lowerer) bindParams(fn *hir.Func, args []hir.Expr) {
	// All arguments are evaluated before any parameter is bound: an argument
	// may itself contain a call of fn.
	type argument struct {
		lvalue  lvalue
		regs    []ir.Reg
		pointer bool
	}
	bound := make([]argument, len(args))
	last := l.lastEffect(args)
	for i, a := range args {
		p := fn.Params[i]
		switch {
		case p.Ref:
			bound[i].lvalue = l.referent(p, a)
			if bound[i].lvalue.inMemory {
				bound[i].lvalue.addr = l.freezeAddress(bound[i].lvalue.addr)
			}
		case l.transparentTo(p, a):
			bound[i].lvalue, bound[i].pointer = l.pointers[p], true
		default:
			regs := l.value(a)
			if i < last {
				regs = l.freeze(regs)
			}
			bound[i].regs = regs
		}
	}
	for i, p := range fn.Params {
		switch {
		case p.Ref:
			l.reference(p, bound[i].lvalue)
		case bound[i].pointer:
			l.pointers[p] = bound[i].lvalue
		default:
			delete(l.pointers, p)
			l.declareParam(p, bound[i].regs)
		}
	}
}

// declareParam binds a by-value parameter. The caller's variables cannot change
// while the function runs, unless a reference or pointer leads to them: so a
// parameter that is never assigned can be the argument's own registers.
func (l *lowerer) declareParam(p *hir.Var, regs []ir.Reg) {
	if l.storage.object(p) || l.storage.written[p] {
		l.declare(p, regs)
		return
	}
	bound := slices.Clone(regs)
	for i, r := range bound {
		if l.aliased[r] {
			bound[i] = l.freezeReg(r)
		}
	}
	l.vars[p] = registers(p.Type, bound)
}

// returnStmt sets the result and leaves the function, unless it ends here anyway.
func (l *lowerer) returnStmt(s *hir.Return, tail bool) {
	defer l.at(s.Pos)()
	f := l.frame
	if s.X != nil {
		l.fullExpression(func() {
			switch {
			case s.X.Type() == hir.Void:
				l.effect(s.X)
			case f.single:
				f.result = l.value(s.X)
			default:
				l.assignRegs(f.result, l.value(s.X))
			}
		})
	}
	if !tail {
		f.left = true
		l.exit(&ir.Exit{Pos: s.Pos, Kind: ir.Leave, Block: f.block})
	}
}

// singleReturn reports whether the only return of a body is its last statement.
func singleReturn(list []hir.Stmt) bool {
	n := len(list)
	if n == 0 || hasReturn(list[:n-1]) {
		return false
	}
	switch last := list[n-1].(type) {
	case *hir.Return:
		return true
	case *hir.Block:
		return singleReturn(last.List)
	}
	return false
}

func hasReturn(list []hir.Stmt) bool {
	return slices.ContainsFunc(list, func(s hir.Stmt) bool {
		switch s := s.(type) {
		case *hir.Return:
			return true
		case *hir.Block:
			return s != nil && hasReturn(s.List)
		case *hir.If:
			return hasReturn(s.Then.List) || s.Else != nil && hasReturn(s.Else.List)
		case *hir.Loop:
			return hasReturn(s.Body.List)
		case *hir.Switch:
			return slices.ContainsFunc(s.Cases, func(c hir.Case) bool { return hasReturn(c.Body) })
		}
		return false
	})
}
