package types

import (
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// structuredBinding is "auto [a, b] = x": a variable without a name, and names for its parts.
func (c *checker) structuredBinding(d *syntax.VarDecl) []hir.Stmt {
	q, ok := c.typeOrAuto(d.Type)
	if !ok || d.Init == nil {
		c.errorf(d.Pos(), codeUninitialised, "a structured binding needs an initialiser")
		return nil
	}
	whole := *d
	whole.Name, whole.Bindings = "(bindings)", nil
	s := c.boundArray(&whole, q)
	if s == nil {
		s = c.threadVar(&whole, q)
	}
	delete(c.scope.names, whole.Name)
	if s == nil {
		for _, b := range d.Bindings {
			c.scope.names[b.Name] = &poisonEntity{}
		}
		return nil
	}
	parts, ok := c.parts(variable(d.Pos(), s.Var, false), d.Pos())
	if !ok {
		return nil
	}
	if len(parts) != len(d.Bindings) {
		c.errorf(d.Pos(), codeInitialiserCount, "got %d names for the %d parts of %s", len(d.Bindings), len(parts),
			s.Var.Type)
		return nil
	}
	out := append(c.owns(s), s)
	for i, b := range d.Bindings {
		p := parts[i]
		if _, component := p.expr.(*hir.Swizzle); component {
			c.declare(b.Pos, b.Name, &aliasEntity{op: p, owner: c.fn.r}) // to which no reference can be bound
			continue
		}
		v := &hir.Var{Name: b.Name, Pos: b.Pos, Type: p.typ(), Space: p.space, Ref: true, Const: p.const_, Part: true}
		c.declare(b.Pos, b.Name, &varEntity{v: v, owner: c.fn.r, volatile: p.volatile})
		out = append(out, &hir.VarStmt{Var: v, Init: p.expr})
	}
	return out
}

// anonymousUnion is "union { … };" in a function: an object without a name, whose members
// are names of the scope.
func (c *checker) anonymousUnion(d *syntax.VarDecl) []hir.Stmt {
	whole := *d
	whole.Name = "(anonymous union)"
	out := c.localVar(&whole)
	e, ok := c.scope.names[whole.Name].(*varEntity)
	delete(c.scope.names, whole.Name)
	if !ok {
		return out
	}
	members := c.structs[e.v.Type.(*hir.Struct)].scope.names
	for _, name := range sortedKeys(members) {
		f, ok := members[name].(*fieldEntity)
		if !ok {
			continue
		}
		part := c.fieldPath(variable(d.Pos(), e.v, e.volatile), f.path, d.Pos())
		v := &hir.Var{Name: name, Pos: d.Pos(), Type: part.typ(), Space: part.space, Ref: true, Const: part.const_,
			Part: true}
		c.declare(d.Pos(), name, &varEntity{v: v, owner: c.fn.r, volatile: part.volatile})
		out = append(out, &hir.VarStmt{Var: v, Init: part.expr})
	}
	return out
}

// alias is what another name of an object denotes, where it stands.
func (c *checker) alias(pos syntax.Pos, name string, e *aliasEntity) operand {
	op := e.op
	if isObject := op.lvalue && rootOf(op.expr) == nil && e.owner == nil; isObject { // it holds addresses
		made := materialise(op.expr)
		made.const_, made.volatile = op.const_, op.volatile
		return made
	}
	s, ok := op.expr.(*hir.Swizzle)
	if !ok || e.owner == nil {
		return op
	}
	if c.fn != nil && c.fn.r != e.owner && !c.fn.unevaluated {
		c.errorf(pos, codeOuterVariable, "reference to local binding '%s' declared in enclosing function", name)
		return operand{}
	}
	op.expr = &hir.Swizzle{Node: hir.At(pos, s.Type()), X: s.X, Comps: s.Comps}
	return op
}

// boundArray is the copy of an array that a structured binding makes, nil if it copies none.
func (c *checker) boundArray(d *syntax.VarDecl, q qual) *hir.VarStmt {
	name, ok := d.Init.(*syntax.NameExpr)
	if !ok || q.ref {
		return nil
	}
	var op operand
	if !c.attempt(func() { op = c.expr(name) }) {
		return nil
	}
	a, ok := op.typ().(*hir.Array)
	if !ok || !op.lvalue {
		return nil
	}
	v := &hir.Var{Name: d.Name, Pos: d.Pos(), Type: a, Space: syntax.Thread, Const: q.isConst}
	return &hir.VarStmt{Var: v, Init: c.copyOf(op, a, d.Pos())}
}

// parts are the members of a struct, the elements of an array or the components of a vector; ok is false if a member
// cannot be named here.
func (c *checker) parts(op operand, pos syntax.Pos) (list []operand, ok bool) {
	op = c.elements(op)
	switch t := op.typ().(type) {
	case *hir.Struct:
		if t.Union {
			break
		}
		for i, f := range t.Fields {
			if p := c.structs[t].members[f.Name]; p.access != publicAccess && !c.inside(c.structs[t]) {
				c.errorf(pos, codeAccess, "cannot decompose %s member '%s' of '%s'", p.access, f.Name, t).Note(p.pos,
					"%s", p.declared())
				return nil, false
			}
			list = append(list, c.fieldPath(op, []int{i}, pos))
		}
	case hir.Vector:
		for i := range t.N {
			list = append(list, c.swizzle(op, t, "xyzw"[i:i+1], pos))
		}
	case *hir.Array:
		for i := range min(t.Len, maxConstructed) {
			part := op
			part.expr = &hir.Index{Node: hir.At(pos, t.Elem), X: op.expr, I: constant(pos, hir.Int, uint64(i))}
			list = append(list, part)
		}
	}
	return list, true
}

// noBindings refuses a structured binding where there can be none.
func (c *checker) noBindings(d *syntax.VarDecl) bool {
	if len(d.Bindings) > 0 {
		c.errorf(d.Pos(), codeUnsupported, "a structured binding is supported as a statement only")
	}
	return len(d.Bindings) == 0
}
