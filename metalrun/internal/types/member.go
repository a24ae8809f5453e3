package types

import (
	"fmt"
	"slices"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// fieldPath goes from a struct operand through nested anonymous members to a field.
func (c *checker) fieldPath(op operand, path []int, pos syntax.Pos) operand {
	for _, i := range path {
		s := op.typ().(*hir.Struct)
		f := s.Fields[i]
		op.expr = &hir.FieldExpr{Node: hir.At(pos, f.Type), X: op.expr, Field: i}
		op.const_ = op.const_ && (!f.Mutable || op.space == syntax.Constant) || f.Const
		if f.Bits > 0 {
			op.noAddr = "a bit-field"
		}
		if f.Ref {
			op = c.deref(value(&hir.Load{Node: hir.At(pos, f.Type), X: op.expr}), pos)
		}
	}
	op.null = false
	return op
}

func (c *checker) memberExpr(x *syntax.MemberExpr) operand {
	op := c.object(x)
	if op.bad() {
		return op
	}
	return c.memberOf(op, x)
}

// memberOf is the member of an object that x names.
func (c *checker) memberOf(op operand, x *syntax.MemberExpr) operand {
	name := x.Member.Last().Ident
	switch t := op.typ().(type) {
	case hir.Vector:
		return c.swizzle(op, t, name, x.Pos())
	case *hir.Struct:
		return c.structMember(op, t, x)
	}
	c.errorf(x.Pos(), codeNoMember, "member reference base type '%s' is not a structure or union", op.describe())
	return operand{}
}

// object is the operand before ".", or what the operand before "->" points to.
func (c *checker) object(x *syntax.MemberExpr) operand {
	op := c.expr(x.X)
	if op.bad() {
		return op
	}
	if op.list != nil || op.fns != nil {
		c.errorf(x.Pos(), codeNoMember, "member reference base type '%s' is not a structure or union", op.describe())
		return operand{}
	}
	if !x.Arrow {
		if p, ok := op.typ().(*hir.Pointer); ok {
			c.errorf(x.Pos(), codeArrow, "member reference type '%s' is a pointer; did you mean to use '->'?", p)
			return operand{}
		}
		return op
	}
	for s, ok := op.typ().(*hir.Struct); ok; s, ok = op.typ().(*hir.Struct) {
		set := c.methods(s, "operator->")
		if set == nil {
			c.errorf(x.Pos(), codeArrow, "member reference type '%s' is not a pointer; did you mean to use '.'?",
				op.typ())
			return operand{}
		}
		if op = c.call(x.Pos(), set, &op, nil, false, nil); op.bad() {
			return op
		}
	}
	return c.deref(op, x.Pos())
}

func (c *checker) structMember(op operand, s *hir.Struct, x *syntax.MemberExpr) operand {
	last := x.Member.Last()
	ent := c.memberEntity(s, x.Member)
	if _, isSet := ent.(*funcSet); ent != nil && !isSet {
		var obj *structInfo
		if _, field := ent.(*fieldEntity); field {
			obj = c.structs[s]
		}
		if !c.permit(last.Pos, c.structs[s], last.Ident, obj) {
			return operand{}
		}
	}
	switch e := ent.(type) {
	case *fieldEntity:
		return c.fieldPath(op, e.path, x.Pos())
	case *varEntity:
		return variable(x.Pos(), e.v, e.volatile)
	case *valueEntity:
		return value(constant(x.Pos(), e.typ, e.bits))
	case *varTemplate:
		return c.variableInstance(e, last)
	case *poisonEntity:
		c.suppress()
	case *funcSet:
		c.errorf(x.Pos(), codeMemberCall, "the member function %s can only be called", last.Ident)
	default:
		c.missing(x.Member.Pos(), codeNoMember, last.Ident, "no member named '%s' in '%s'%s", last.Ident, s,
			c.memberHint(s, last.Ident))
	}
	return operand{}
}

// memberEntity finds a member of a struct by name.
func (c *checker) memberEntity(s *hir.Struct, n *syntax.Name) entity {
	info := c.structs[s]
	if info == nil {
		return nil
	}
	saved := c.limit
	c.limit = unlimited
	defer func() { c.limit = saved }()
	if len(n.Parts) > 1 {
		return c.qualifiedMember(info, n)
	}
	return c.memberField(info, n.Last().Ident)
}

// qualifiedMember is the member that "object.Base::name" names.
func (c *checker) qualifiedMember(info *structInfo, n *syntax.Name) entity {
	q, ok := c.qualify(n)
	if !ok || q.scope == nil || q.scope.kind != structScope {
		return nil
	}
	return c.inDerived(c.memberField(q.scope.str, n.Last().Ident), q.scope.str, info)
}

// inDerived is a member of a base as one of a class derived from it.
func (c *checker) inDerived(e entity, base, derived *structInfo) entity {
	f, ok := e.(*fieldEntity)
	path := c.basePath(derived.typ, base.typ)
	switch {
	case !ok || base == derived:
		return e
	case path == nil:
		return nil
	}
	return &fieldEntity{path: slices.Concat(path, f.path)}
}

// memberField finds a member in a struct or its bases; a base's field has its path from the struct.
func (c *checker) memberField(info *structInfo, name string) entity {
	if e := c.own(info.scope, name); e != nil {
		return e
	}
	for i, b := range info.bases {
		switch e := c.memberField(b, name).(type) {
		case nil:
		case *fieldEntity:
			return &fieldEntity{path: append([]int{i}, e.path...)}
		default:
			return e
		}
	}
	return nil
}

func (c *checker) memberHint(s *hir.Struct, name string) string {
	if c.hinted > mostHinted {
		return ""
	}
	c.hinted += len(s.Fields)
	var names []string
	for _, f := range s.Fields {
		if f.Name != "" {
			names = append(names, f.Name)
		}
	}
	return syntax.Similar(name, names)
}

// swizzle selects components of a vector.
func (c *checker) swizzle(op operand, t hir.Vector, name string, pos syntax.Pos) operand {
	comps, why := swizzleComps(name, t)
	if why != "" {
		c.errorf(pos, codeSwizzle, "%s", why)
		return operand{}
	}
	op.null = false
	var typ hir.Type = t.Elem
	op.noAddr = "a vector component"
	if len(comps) > 1 {
		typ = hir.Vector{Elem: t.Elem, N: len(comps)}
		op.noAddr = "a swizzle"
		used := 0
		for _, k := range comps {
			if used&(1<<k) != 0 {
				op.const_ = true
				op.lvalue, op.expr = false, c.rvalue(op)
				break
			}
			used |= 1 << k
		}
	}
	op.expr = &hir.Swizzle{Node: hir.At(pos, typ), X: op.expr, Comps: comps}
	return op
}

// swizzleComps reads the letters of a swizzle on a vector; why says what is wrong.
func swizzleComps(name string, t hir.Vector) (comps []int, why string) {
	if len(name) > 4 {
		return nil, fmt.Sprintf("%s has no component %s: a swizzle has at most four letters", t, name)
	}
	set := ""
	for i := range len(name) {
		k, letters := -1, ""
		for _, s := range []string{"xyzw", "rgba"} {
			for j := range len(s) {
				if s[j] == name[i] {
					k, letters = j, s
				}
			}
		}
		switch {
		case k < 0:
			return nil, fmt.Sprintf("illegal vector component name '%c'", name[i])
		case set != "" && set != letters:
			return nil, fmt.Sprintf("illegal vector component name '%c': xyzw and rgba cannot be mixed", name[i])
		case k >= t.N:
			return nil, "vector component access exceeds type " + spelled(t)
		}
		set = letters
		comps = append(comps, k)
	}
	return comps, ""
}
