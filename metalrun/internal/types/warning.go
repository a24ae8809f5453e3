package types

import (
	"slices"
	"strings"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// missingReturn warns of a function that has a result and may end without one, in programs without errors so far, as
// clang does.
func (c *checker) missingReturn(r *routine, body *hir.Block) {
	end := r.def.Body.End
	if len(c.errs) > 0 || isVoid(r.result.typ) || hasAuto(r.result.typ) || r.of.isConstructor() ||
		strings.HasPrefix(end.File, "<") || end.File == preludeName {
		return
	}
	if !reachesEnd(body.List) || hasOtherExit(r.def) {
		return
	}
	what, where := "function", ""
	if r.of.owner != nil && r.of.owner.lambda {
		what = "lambda"
	}
	if returns(body.List) {
		where = " in all control paths"
	}
	if c.worker.first(end) { // and no other instance has
		c.warnOnce(end, end, codeReturnType, "non-void %s does not return a value%s [-Wreturn-type]", what, where)
	}
}

// hasOtherExit reports whether a function marks a place as unreachable, or has a statement expression, which may
// return.
func hasOtherExit(d *syntax.FuncDecl) (found bool) {
	syntax.Inspect(d, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.StmtExpr:
			found = true
		case *syntax.NameExpr:
			last := n.Name.Last().Ident
			found = found || last == "__builtin_unreachable" || last == "__builtin_trap"
		}
		return !found
	})
	return found
}

// reachesEnd reports whether control can reach the end of a list of statements, as far as constant conditions tell.
func reachesEnd(list []hir.Stmt) bool {
	return !slices.ContainsFunc(list, func(s hir.Stmt) bool { return !completes(s) })
}

// completes reports whether control can reach the statement after s.
func completes(s hir.Stmt) bool {
	switch s := s.(type) {
	case *hir.Block:
		return s == nil || reachesEnd(s.List)
	case *hir.If:
		yes, no := branches(s.Cond)
		return yes && completes(s.Then) || no && completes(s.Else)
	case *hir.Loop:
		again, over := true, false
		if s.Cond != nil {
			again, over = branches(s.Cond)
		}
		if s.TestLast {
			over = over && (reachesEnd(s.Body.List) || hasJump[*hir.Continue](s.Body.List))
			again = true
		}
		return over || again && hasJump[*hir.Break](s.Body.List)
	case *hir.Switch:
		return switchCompletes(s)
	case *hir.Return, *hir.Break, *hir.Continue:
		return false
	}
	return true
}

// switchCompletes is completes for a switch. A switch over an enumeration counts as complete: it has a case for every
// value.
func switchCompletes(s *hir.Switch) bool {
	whole := false
	for x := s.X; ; {
		if _, ok := x.Type().(*hir.Enum); ok {
			whole = true
		}
		conv, ok := x.(*hir.Convert)
		if !ok {
			break
		}
		x = conv.X
	}
	for _, k := range s.Cases {
		whole = whole || k.Default
		if hasJump[*hir.Break](k.Body) {
			return true
		}
	}
	return !whole || len(s.Cases) == 0 || reachesEnd(s.Cases[len(s.Cases)-1].Body)
}

// branches reports which branches a condition may take.
func branches(cond hir.Expr) (yes, no bool) {
	if k, ok := cond.(*hir.Const); ok {
		return k.Bits != 0, k.Bits == 0
	}
	return true, true
}

// hasJump reports whether a list has a jump of type J that is reached and belongs to the loop or switch around the
// list.
func hasJump[J hir.Stmt](list []hir.Stmt) bool {
	for _, s := range list {
		found := false
		switch s := s.(type) {
		case J:
			found = true
		case *hir.Block:
			found = s != nil && hasJump[J](s.List)
		case *hir.If:
			yes, no := branches(s.Cond)
			found = yes && hasJump[J]([]hir.Stmt{s.Then}) || no && s.Else != nil && hasJump[J]([]hir.Stmt{s.Else})
		case *hir.Switch:
			if _, ok := any(*new(J)).(*hir.Continue); ok {
				found = slices.ContainsFunc(s.Cases, func(k hir.Case) bool { return hasJump[J](k.Body) })
			}
		}
		if found || !completes(s) {
			return found
		}
	}
	return false
}

// returns reports whether statements return anywhere.
func returns(list []hir.Stmt) bool {
	return slices.ContainsFunc(list, func(s hir.Stmt) bool {
		switch s := s.(type) {
		case *hir.Return:
			return true
		case *hir.Block:
			return s != nil && returns(s.List)
		case *hir.If:
			return returns([]hir.Stmt{s.Then}) || s.Else != nil && returns([]hir.Stmt{s.Else})
		case *hir.Loop:
			return returns(s.Body.List)
		case *hir.Switch:
			return slices.ContainsFunc(s.Cases, func(k hir.Case) bool { return returns(k.Body) })
		}
		return false
	})
}

// A local is a variable of a function that clang warns of if nothing names it.
type local struct {
	decl *syntax.VarDecl
	v    *hir.Var
}

// recordLocal keeps a variable for a warning. Making an object of a class may have effects,
// and does not count as a mistake.
func (c *checker) recordLocal(d *syntax.VarDecl, v *hir.Var) {
	if c.fn == nil || d.Name == "" || d.Name[0] == '(' || strings.HasPrefix(d.Pos().File, "<") ||
		d.Pos().File == preludeName || markedUnused(d.Attrs) || !c.inert(v, d) {
		return
	}
	c.fn.locals = append(c.fn.locals, local{d, v})
}

// markedUnused reports whether attributes say that something may be unused.
func markedUnused(attrs []*syntax.Attr) bool {
	return attribute(attrs, "maybe_unused") != nil || attribute(attrs, "unused") != nil ||
		attribute(attrs, "used") != nil
}

// inert reports whether the variable has a type without constructors.
func (c *checker) inert(v *hir.Var, d *syntax.VarDecl) bool {
	switch t := v.Type.(type) {
	case hir.Kind, hir.Vector, *hir.Pointer, *hir.Enum:
		return true
	case *hir.Array:
		return c.inert(&hir.Var{Type: t.Elem}, d)
	case *hir.Struct:
		info := c.structs[t]
		if v.Ref || info == nil || !c.aggregate(info) || c.destroys(t) || info.constructed() {
			return v.Ref
		}
		_, list := d.Init.(*syntax.InitList)
		return list || d.Init == nil
	}
	return v.Ref
}

// unusedVariables warns of the variables of r that nothing in it names.
func (c *checker) unusedVariables(r *routine) {
	locals := c.fn.locals
	if len(locals) == 0 || !c.worker.first(r.def) {
		return
	}
	named := map[string]bool{}
	syntax.Inspect(r.def, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.NameExpr:
			named[n.Name.Parts[0].Ident] = true
		case *syntax.NamedType:
			named[n.Name.Parts[0].Ident] = true
		case *syntax.LambdaExpr:
			for _, k := range n.Captures {
				named[k.Name] = true
			}
		}
		return true
	})
	for _, l := range locals {
		if !named[l.decl.Name] {
			if e := c.warnOnce(r.def, nameOf(l.decl), codeUnusedVariable, "unused variable '%s' [-Wunused-variable]",
				l.decl.Name); e != nil {
				e.Name = l.decl.Name
			}
		}
	}
}
