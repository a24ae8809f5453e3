package consteval

import (
	"slices"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// exit is how control left a statement.
type exit uint8

const (
	fell exit = iota // at its end
	broke
	continued
	returned
)

// call evaluates a call of a function of the program.
func (v *evaluation) call(e *hir.Call) []byte {
	if e.Func.Inner {
		v.result = nil
		v.block(e.Func.Body)
		return v.result
	}
	body := v.in.Body(e.Func, e.Pos())
	if body == nil {
		v.fail(e.Pos(), e.Func.Name+" is not a constexpr function")
	}
	frame := map[*hir.Var]location{}
	for i, p := range e.Func.Params {
		if p.Ref {
			frame[p] = v.lvalue(e.Args[i])
			continue
		}
		data := v.value(e.Args[i])
		frame[p] = v.newObject(len(data), data)
	}
	if v.depth == 0 {
		v.site = e.Pos()
	}
	if v.depth++; v.depth > v.in.Limits.Of(syntax.ConstantCalls) {
		v.fail(e.Pos(), v.in.Limits.Exceeded(syntax.ConstantCalls, "its calls are nested deeper than %d"))
	}
	caller := v.frame
	v.frame = frame
	v.result = nil
	how := v.block(body)
	v.frame = caller
	v.depth--
	if how != returned && e.Func.Result != hir.Void {
		v.fail(e.Pos(), e.Func.Name+" ends without a value")
	}
	return v.result
}

func (v *evaluation) block(b *hir.Block) exit { return v.stmts(b.List) }

func (v *evaluation) stmts(list []hir.Stmt) exit {
	for _, s := range list {
		if how := v.stmt(s); how != fell {
			return how
		}
	}
	return fell
}

func (v *evaluation) stmt(s hir.Stmt) exit {
	switch s := s.(type) {
	case *hir.Block:
		return v.block(s)
	case *hir.VarStmt:
		v.declare(s)
	case *hir.Cover:
		v.in.Cover(s.Of)
	case *hir.ExprStmt:
		v.effect(s.X)
	case *hir.If:
		switch {
		case hir.BitsOf(v.value(s.Cond), hir.Bool) != 0:
			return v.block(s.Then)
		case s.Else != nil:
			return v.block(s.Else)
		}
	case *hir.Loop:
		return v.loop(s)
	case *hir.Switch:
		return v.switchOn(s)
	case *hir.Break:
		return broke
	case *hir.Continue:
		return continued
	case *hir.Return:
		v.result = nil
		if s.X != nil {
			v.result = v.value(s.X)
		}
		return returned
	}
	return fell
}

func (v *evaluation) declare(s *hir.VarStmt) {
	switch {
	case s.Var.Ref:
		v.bind(s.Var, v.lvalue(s.Init))
	case s.Init == nil:
		var empty []byte
		if t, ok := s.Var.Type.(*hir.Struct); ok && len(t.Fields) == 0 {
			empty = make([]byte, t.Size()) // nothing in it waits for a value
		}
		v.bind(s.Var, v.newObject(s.Var.Type.Size(), empty))
	default:
		data := v.value(s.Init)
		v.bind(s.Var, v.newObject(len(data), data))
	}
}

func (v *evaluation) loop(s *hir.Loop) exit {
	for first := true; ; first = false {
		v.step(s.Pos, 0)
		if s.Cond != nil && !(first && s.TestLast) && hir.BitsOf(v.value(s.Cond), hir.Bool) == 0 {
			return fell
		}
		switch v.block(s.Body) {
		case broke:
			return fell
		case returned:
			return returned
		}
		if s.Post != nil {
			v.effect(s.Post)
		}
	}
}

func (v *evaluation) switchOn(s *hir.Switch) exit {
	x := int64(hir.BitsOf(v.value(s.X), s.X.Type()))
	at := slices.IndexFunc(s.Cases, func(c hir.Case) bool { return slices.Contains(c.Values, x) })
	if at < 0 {
		at = slices.IndexFunc(s.Cases, func(c hir.Case) bool { return c.Default })
	}
	if at < 0 {
		return fell
	}
	for _, c := range s.Cases[at:] {
		switch how := v.stmts(c.Body); how {
		case fell:
		case broke:
			return fell
		default:
			return how
		}
	}
	return fell
}
