package types

import (
	"slices"

	"metalconform/metalrun/internal/syntax"
)

// exit says how a statement was left.
type exit uint8

const (
	fell exit = iota // at its end
	broke
	continued
	returned
)

// constBody is the body of a constexpr function, nil for other functions and
// where it is not known yet.
func (c *checker) constBody(f *Func, pos syntax.Pos) *Block {
	r := c.routines[f]
	if r == nil || !r.decl.Specs.Constexpr && (r.def == nil || !r.def.Specs.Constexpr) {
		return nil
	}
	c.ensureBody(r, pos)
	return f.Body
}

// call evaluates a call of a function of the program.
func (v *evaluator) call(e *Call) []byte {
	if e.Func.Inner {
		v.result = nil
		v.block(e.Func.Body)
		return v.result
	}
	body := v.c.constBody(e.Func, e.Pos())
	if body == nil {
		v.fail(e.Pos(), e.Func.Name+" is not a constexpr function")
	}
	frame := map[*Var]location{}
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
	if v.depth++; v.depth > v.c.cfg.Budget.Limits.Of(syntax.ConstantCalls) {
		v.fail(e.Pos(), v.c.cfg.Budget.Limits.Exceeded(syntax.ConstantCalls, "its calls are nested deeper than %d"))
	}
	caller := v.frame
	v.frame = frame
	v.result = nil
	how := v.block(body)
	v.frame = caller
	v.depth--
	if how != returned && e.Func.Result != Void {
		v.fail(e.Pos(), e.Func.Name+" ends without a value")
	}
	return v.result
}

func (v *evaluator) block(b *Block) exit { return v.stmts(b.List) }

func (v *evaluator) stmts(list []Stmt) exit {
	for _, s := range list {
		if how := v.stmt(s); how != fell {
			return how
		}
	}
	return fell
}

func (v *evaluator) stmt(s Stmt) exit {
	switch s := s.(type) {
	case *Block:
		return v.block(s)
	case *VarStmt:
		v.declare(s)
	case *ExprStmt:
		v.effect(s.X)
	case *If:
		switch {
		case bitsOf(v.value(s.Cond), Bool) != 0:
			return v.block(s.Then)
		case s.Else != nil:
			return v.block(s.Else)
		}
	case *Loop:
		return v.loop(s)
	case *Switch:
		return v.switchOn(s)
	case *Break:
		return broke
	case *Continue:
		return continued
	case *Return:
		v.result = nil
		if s.X != nil {
			v.result = v.value(s.X)
		}
		return returned
	}
	return fell
}

func (v *evaluator) declare(s *VarStmt) {
	switch {
	case s.Var.Ref:
		v.bind(s.Var, v.lvalue(s.Init))
	case s.Init == nil:
		var empty []byte
		if t, ok := s.Var.Type.(*Struct); ok && len(t.Fields) == 0 {
			empty = make([]byte, t.Size()) // nothing in it waits for a value
		}
		v.bind(s.Var, v.newObject(s.Var.Type.Size(), empty))
	default:
		data := v.value(s.Init)
		v.bind(s.Var, v.newObject(len(data), data))
	}
}

func (v *evaluator) loop(s *Loop) exit {
	for first := true; ; first = false {
		v.step(s.Pos, 0)
		if s.Cond != nil && !(first && s.TestLast) && bitsOf(v.value(s.Cond), Bool) == 0 {
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

func (v *evaluator) switchOn(s *Switch) exit {
	x := int64(bitsOf(v.value(s.X), s.X.Type()))
	at := slices.IndexFunc(s.Cases, func(c Case) bool { return slices.Contains(c.Values, x) })
	if at < 0 {
		at = slices.IndexFunc(s.Cases, func(c Case) bool { return c.Default })
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
