package types

import (
	"fmt"
	"slices"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

func (c *checker) assignExpr(x *syntax.AssignExpr) operand {
	l := c.expr(x.X)
	r := c.expr(x.Y)
	if l.bad() || r.bad() {
		return operand{}
	}
	if res, done := c.overloadedBinary(x.Pos(), x.Op, l, r, true); done {
		return res
	}
	if _, isStruct := l.typ().(*hir.Struct); isStruct && x.Op == "=" && !l.lvalue {
		l = materialise(l.expr) // its operator, a member function as others are
	}
	if !c.assignable(l, x.Pos()) {
		return operand{}
	}
	if x.Op == "=" {
		var e hir.Expr
		if _, isStruct := l.typ().(*hir.Struct); isStruct && hir.Identical(l.typ(), r.typ()) {
			e = c.rvalue(r) // members are assigned, not constructed
		} else {
			e = c.forPurpose(purpose{what: "assigning"},
				func() hir.Expr { return c.convertOperand(r, l.typ(), r.at()) })
		}
		if e == nil {
			return operand{}
		}
		l.expr = &hir.Assign{Node: hir.At(x.Pos(), l.typ()), L: l.expr, R: e}
		return l
	}
	return c.opAssign(x.Pos(), binaryOps[x.Op[:len(x.Op)-1]], l, r)
}

// assignsMembers reports whether assigning b to a, of class s, means the assignment of members:
// the class declares no operator for that, or none that takes an object of its own nor one
// that b fits better than a reference to such an object.
func (c *checker) assignsMembers(pos syntax.Pos, s *hir.Struct, a *operand, b operand) bool {
	info := c.structs[s]
	if info == nil || !info.assigned {
		return true
	}
	set := c.methods(s, "operator=")
	own := qual{typ: s, ref: true, isConst: true, space: syntax.Thread}
	if set == nil || b.list != nil || slices.ContainsFunc(set.list, func(f *function) bool {
		return f.plain != nil && len(f.plain.params) == 1 && hir.Identical(f.plain.params[0].typ, s)
	}) {
		return false
	}
	members, ok := c.rank(b, own)
	if !ok {
		return false
	}
	var r *routine
	if !c.attempt(func() { r = c.overload(pos, set, a, nil, false, []operand{b}) }) || r == nil {
		return true
	}
	k, _ := c.contend(r.of, a, nil, false, []operand{b})
	last := len(k.ranks) - 1
	given := k.ranks[last]
	if members == qualifierRank && !k.refers(last) {
		members = exactRank
	}
	return members < given || members == given && r.of.isTemplate()
}

// opAssign is L op= R for types of the language.
func (c *checker) opAssign(pos syntax.Pos, op hir.Op, l, r operand) operand {
	rv := c.rvalue(r)
	if rv == nil {
		return operand{}
	}
	done := func(op hir.Op, comp hir.Type, rv hir.Expr) operand {
		if rv == nil {
			return operand{}
		}
		l.expr = &hir.OpAssign{Node: hir.At(pos, l.typ()), Op: op, L: l.expr, R: rv, Comp: comp, Math: c.math}
		return l
	}
	if p, ok := l.typ().(*hir.Pointer); ok && (op == hir.Add || op == hir.Sub) && isIntegral(rv.Type()) {
		if !c.sized(p, pos) {
			return operand{}
		}
		return done(op, p, c.integer(rv))
	}
	// The operation is judged as L op R would be, without L's value being read twice.
	probe := value(&hir.Load{Node: hir.At(l.at(), l.typ()), X: l.expr})
	bin := c.arith(pos, op, probe, value(rv))
	if bin == nil {
		return operand{}
	}
	b, ok := bin.(*hir.Binary)
	if !ok {
		c.errorf(pos, codeOperands, "invalid operands to binary expression ('%s' and '%s')", l.describe(), rv.Type())
		return operand{}
	}
	if _, ok := standardRank(b.Type(), l.typ(), false); !ok {
		c.reportConversion(value(bin), l.typ(), pos)
		return operand{}
	}
	if op == hir.Shl || op == hir.Shr {
		return done(op, b.X.Type(), b.Y)
	}
	if b.Op == hir.MatMul {
		if !hir.Identical(b.Type(), l.typ()) {
			c.reportConversion(value(bin), l.typ(), pos)
			return operand{}
		}
		return done(hir.MatMul, b.Type(), b.Y)
	}
	return done(b.Op, b.X.Type(), b.Y)
}

func (c *checker) incDec(pos syntax.Pos, op string, x syntax.Expr, postfix bool) operand {
	l := c.expr(x)
	if l.bad() {
		return l
	}
	if r, done := c.overloadedUnary(pos, op, l, postfix); done {
		return r
	}
	if !c.assignable(l, pos) {
		return operand{}
	}
	switch t := l.typ().(type) {
	case *hir.Pointer:
		if !c.sized(t, pos) {
			return operand{}
		}
	case hir.Kind, hir.Vector:
		if elementKind(t) == hir.Bool {
			c.errorf(pos, codeOperands, "invalid argument type '%s' to unary expression", t)
			return operand{}
		}
	default:
		c.errorf(pos, codeOperands, "invalid argument type '%s' to unary expression", t)
		return operand{}
	}
	e := &hir.IncDec{Node: hir.At(pos, l.typ()), L: l.expr, Dec: op == "--", Postfix: postfix, Math: c.math}
	if postfix {
		return value(e)
	}
	l.expr = e
	return l
}

// readOnly reports that something const is assigned to, as clang does: by what makes it const.
func (c *checker) readOnly(code string, op operand, pos syntax.Pos) {
	e, member := op.expr, false
	for {
		switch x := e.(type) {
		case *hir.FieldExpr:
			if s, ok := x.X.Type().(*hir.Struct); ok && s.Fields[x.Field].Const {
				c.errorf(pos, code, "cannot assign to non-static data member '%s' with const-qualified type 'const %s'",
					s.Fields[x.Field].Name, s.Fields[x.Field].Type)
				return
			}
			e, member = x.X, true
			continue
		case *hir.Index:
			if _, ok := x.X.Type().(*hir.Pointer); !ok {
				e = x.X
				continue
			}
		case *hir.Swizzle:
			e = x.X
			continue
		case *hir.Deref: // of the arrow of a member
			if p, ok := x.X.(*hir.Load); ok && member {
				e = p.X
				continue
			}
		case *hir.VarExpr:
			if v := x.Var; v.Name == "this" && c.fn != nil {
				c.errorf(pos, code, "cannot assign to non-static data member within const member function '%s'",
					c.fn.r.of.name).
					Note(namePos(c.fn.r.decl), "member function '%s' is declared const here", c.fn.r.fn.Name)
				return
			} else if v.Name != "" && v.Name != "this" && v.Name[0] != '(' {
				c.errorf(pos, code, "cannot assign to variable '%s' with const-qualified type '%s'", v.Name,
					constType(v)).
					Note(v.Pos, "variable '%s' declared const here", v.Name)
				return
			}
		}
		break
	}
	c.errorf(pos, code, "read-only variable is not assignable")
}

// constType spells the type of a variable that is const.
func constType(v *hir.Var) string {
	if !v.Const && v.Space != syntax.Constant {
		return plainSpelling(v.Type) // const is what it points to
	}
	text := "const "
	if v.Ref || v.Space == syntax.Constant {
		text += v.Space.String() + " "
	}
	a, isArray := v.Type.(*hir.Array)
	switch {
	case v.Ref && isArray:
		return fmt.Sprintf("%s%s (&)[%d]", text, a.Elem, a.Len)
	case v.Ref:
		return fmt.Sprintf("%s%s &", text, v.Type)
	}
	return text + v.Type.String()
}
