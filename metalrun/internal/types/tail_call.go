package types

import (
	"slices"

	"metalconform/metalrun/internal/syntax"
)

// A function that calls itself as the last thing it does is a loop: the parameters get
// their next values and the body runs again. Other recursion is refused, since calls
// become part of their caller.

// tailLoop is the function whose calls of itself are being replaced.
type tailLoop struct{ fn *Func }

// loopTailCalls makes a loop of a function that calls itself in tail position only.
func (c *checker) loopTailCalls(fn *Func) {
	recursive := func(call callSite) bool { return call.callee == fn }
	if fn.Body == nil || !slices.ContainsFunc(c.calls[fn], recursive) {
		return
	}
	t := tailLoop{fn}
	list := t.list(fn.Body.List, true)
	left := false
	walkCalls(&Block{List: list}, func(call *Call) { left = left || call.Func == fn })
	if left {
		return
	}
	list = append(list, &Break{fn.Pos})
	fn.Body = &Block{List: []Stmt{&Loop{Pos: fn.Pos, Body: &Block{List: list}}}}
	c.calls[fn] = slices.DeleteFunc(slices.Clone(c.calls[fn]), recursive)
}

// list replaces calls in statements; tail says that the function ends after them.
func (t tailLoop) list(list []Stmt, tail bool) []Stmt {
	out := make([]Stmt, len(list))
	for i, s := range list {
		last := tail && i == len(list)-1
		if !last && i+1 < len(list) {
			r, isReturn := list[i+1].(*Return)
			last = isReturn && r.X == nil
		}
		out[i] = t.stmt(s, last)
	}
	return out
}

func (t tailLoop) block(b *Block, tail bool) *Block {
	if b == nil {
		return nil
	}
	return &Block{List: t.list(b.List, tail)}
}

func (t tailLoop) stmt(s Stmt, tail bool) Stmt {
	switch s := s.(type) {
	case *Block:
		return t.block(s, tail)
	case *If:
		return &If{Cond: s.Cond, Then: t.block(s.Then, tail), Else: t.block(s.Else, tail)}
	case *ExprStmt:
		if again := t.again(s.X); tail && t.fn.Result == Type(Void) && again != nil {
			return again
		}
	case *Return:
		if again := t.again(s.X); again != nil {
			return again
		}
	}
	return s
}

// again gives the parameters the values of a call and goes back to the start; nil for
// another expression, or if a reference would have to be bound to another object.
func (t tailLoop) again(e Expr) Stmt {
	call, ok := e.(*Call)
	if !ok || call.Func != t.fn {
		return nil
	}
	var next, set []Stmt
	for i, p := range t.fn.Params {
		if v, same := call.Args[i].(*VarExpr); p.Ref {
			if !same || v.Var != p {
				return nil
			}
			continue
		}
		v := &Var{Name: p.Name, Pos: call.pos, Type: p.Type, Space: syntax.Thread}
		next = append(next, &VarStmt{Var: v, Init: call.Args[i]})
		load := &Load{expr{call.pos, p.Type}, &VarExpr{expr{call.pos, p.Type}, v}}
		set = append(set, &ExprStmt{&Assign{expr{call.pos, p.Type}, &VarExpr{expr{call.pos, p.Type}, p}, load}})
	}
	return &Block{List: append(append(next, set...), &Continue{call.pos})}
}
