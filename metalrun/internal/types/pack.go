package types

import (
	"slices"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// A packEntity is a parameter pack of a template or a function. Its name stands for
// one element after the other where "..." expands what mentions it.
type packEntity struct{ elems []entity }

// scopedExpr is an expression that means something in another scope: an element of
// an expanded pack.
type scopedExpr struct {
	syntax.Expr
	scope *scope
}

// flatten lists template arguments with packs replaced by their elements.
func flatten(args []templateArg) []templateArg {
	if !slices.ContainsFunc(args, func(a templateArg) bool { return a.isPack }) {
		return args
	}
	var flat []templateArg
	for _, a := range args {
		if a.isPack {
			flat = append(flat, a.pack...)
		} else {
			flat = append(flat, a)
		}
	}
	return flat
}

// expansion finds the packs that a pattern mentions and gives for each element a scope in
// which they are that element. It reports packs of different lengths, and that there is none.
func (c *checker) expansion(pattern syntax.Node) ([]*scope, bool) {
	packs := map[string]*packEntity{}
	syntax.Inspect(pattern, func(n syntax.Node) bool {
		if n, ok := n.(*syntax.Name); ok {
			if p, ok := c.lookup(n.Parts[0].Ident).ent.(*packEntity); ok {
				packs[n.Parts[0].Ident] = p
			}
		}
		s, isSizeof := n.(*syntax.SizeofExpr)
		return !isSizeof || !s.Pack
	})
	if len(packs) == 0 {
		c.errorf(pattern.Pos(), codeTemplateArguments, `what stands before "..." names no parameter pack`)
		return nil, false
	}
	var scopes []*scope
	for k, name := range sortedKeys(packs) {
		elems := packs[name].elems
		if k > 0 && len(elems) != len(scopes) {
			c.errorf(pattern.Pos(), codeTemplateArguments, "the packs here have different lengths: %d and %d",
				len(scopes), len(elems))
			return nil, false
		}
		c.spend(pattern.Pos(), expansionWork*len(elems))
		for i, e := range elems {
			if k == 0 {
				scopes = append(scopes, newScope(c.scope, blockScope))
			}
			scopes[i].names[name] = e
		}
	}
	return scopes, true
}

// wholePack is the elements of a pack whose name is a whole template argument. They need no scopes of their own; ok is
// false for other patterns, and for elements that are no arguments as they are.
func (c *checker) wholePack(a syntax.TemplateArg) (args []templateArg, ok bool) {
	var n *syntax.Name
	if x, isName := a.X.(*syntax.NameExpr); isName {
		n = x.Name
	}
	if t, isName := a.Type.(*syntax.NamedType); isName && t.Keyword == "" && !t.Unknown {
		n = t.Name
	}
	if n == nil || len(n.Parts) != 1 || n.Global || n.Parts[0].HasArgs || n.Parts[0].Decltype != nil {
		return nil, false
	}
	p, ok := c.lookup(n.Parts[0].Ident).ent.(*packEntity)
	if !ok {
		return nil, false
	}
	args = make([]templateArg, len(p.elems))
	for i, e := range p.elems {
		switch e := e.(type) {
		case *typeEntity:
			args[i] = templateArg{typ: e.q.typ, q: e.q}
		case *valueEntity:
			args[i] = templateArg{of: e.typ, bits: e.bits}
		case *classTemplate:
			args[i] = templateArg{tmpl: e}
		default:
			return nil, false
		}
	}
	return args, true
}

// within runs f in a scope.
func (c *checker) within(s *scope, f func()) {
	ctx := c.context
	ctx.scope = s
	c.in(ctx, f)
}

// expandExprs replaces expanded packs in a list of expressions by their elements.
func (c *checker) expandExprs(list []syntax.Expr) ([]syntax.Expr, bool) {
	if !slices.ContainsFunc(list, isPackExpr) {
		return list, true
	}
	var out []syntax.Expr
	for _, x := range list {
		p, ok := x.(*syntax.PackExpr)
		if !ok {
			out = append(out, x)
			continue
		}
		scopes, ok := c.expansion(p.X)
		if !ok {
			return nil, false
		}
		for _, s := range scopes {
			out = append(out, &scopedExpr{p.X, s})
		}
	}
	return out, true
}

func isPackExpr(x syntax.Expr) bool { _, ok := x.(*syntax.PackExpr); return ok }

// expandList is a braced list with its packs expanded.
func (c *checker) expandList(list *syntax.InitList) (*syntax.InitList, bool) {
	if !slices.ContainsFunc(list.Elems, isPackExpr) {
		return list, true
	}
	out := *list
	var ok bool
	out.Elems, ok = c.expandExprs(list.Elems)
	out.Fields, out.Designators = make([]string, len(out.Elems)), nil
	return &out, ok
}

// foldExpr applies an operator to the elements of a pack.
func (c *checker) foldExpr(x *syntax.FoldExpr) operand {
	list, ok := c.expandExprs([]syntax.Expr{&syntax.PackExpr{X: x.X}})
	if !ok {
		return operand{}
	}
	if x.Init != nil && x.Left {
		list = slices.Insert(list, 0, x.Init)
	} else if x.Init != nil {
		list = append(list, x.Init)
	}
	if len(list) == 0 {
		switch x.Op {
		case "&&", "||":
			return value(constant(x.Pos(), hir.Bool, hir.BoolBits(x.Op == "&&")))
		case ",":
			return value(nothing(x.Pos()))
		}
		c.errorf(x.Pos(), codeTemplateArguments, "the pack is empty, and %s has no value for that", x.Op)
		return operand{}
	}
	if !x.Left {
		slices.Reverse(list)
	}
	all := list[0]
	for _, next := range list[1:] {
		b := &syntax.BinaryExpr{Op: x.Op, X: all, Y: next}
		if !x.Left {
			b.X, b.Y = next, all
		}
		b.SetPos(x.Pos())
		all = b
	}
	return c.expr(all)
}

// packSize is sizeof...(name).
func (c *checker) packSize(x *syntax.SizeofExpr) operand {
	n := x.X.(*syntax.NameExpr)
	p, ok := c.lookup(n.Name.Last().Ident).ent.(*packEntity)
	if !ok {
		c.errorf(x.Pos(), codeSizeof, "%s is no parameter pack", nameText(n.Name))
		return operand{}
	}
	return value(constant(x.Pos(), hir.ULong, uint64(len(p.elems))))
}

// paramOf is the declaration of parameter i: a pack, which stands last, declares all
// that follow.
func paramOf(d *syntax.FuncDecl, i int) *syntax.Param { return d.Params[min(i, len(d.Params)-1)] }

// isVariadic reports whether a function's last parameter is a pack.
func isVariadic(d *syntax.FuncDecl) bool {
	n := len(d.Params)
	return n > 0 && d.Params[n-1].Variadic
}
