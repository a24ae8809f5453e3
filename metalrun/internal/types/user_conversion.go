package types

import (
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// User-defined conversions: by constructors and by conversion functions.

// userConvertible reports whether a constructor or a conversion function leads from op to t.
func (c *checker) userConvertible(op operand, t hir.Type) bool {
	if op.expr == nil || !c.mayConvert(op, t) {
		return false
	}
	return c.attempt(func() {
		if _, ok := c.userConvert(op, t, op.at()); !ok {
			c.suppressed++
		}
	})
}

func (c *checker) mayConvert(op operand, t hir.Type) bool {
	if s, ok := op.typ().(*hir.Struct); ok {
		if c.basePath(s, t) != nil {
			return true
		}
		if info := c.structs[s]; info != nil && len(c.conversions(info)) > 0 {
			return true
		}
		if _, pointer := t.(*hir.Signature); pointer && c.lambdaFunction(s) != nil {
			return true
		}
	}
	s, ok := t.(*hir.Struct)
	return ok && c.structs[s] != nil && len(c.structs[s].ctors) > 0
}

// conversions lists the conversion functions of a struct and its bases.
func (c *checker) conversions(info *structInfo) []*function {
	list := info.convs
	for _, b := range info.bases {
		list = append(list[:len(list):len(list)], c.conversions(b)...)
	}
	return list
}

// userConvert converts op to t by a conversion function or an implicit
// constructor. ok is false if there is none; the expression is nil after an error.
func (c *checker) userConvert(op operand, t hir.Type, pos syntax.Pos) (e hir.Expr, ok bool) {
	return c.userConvertAs(op, t, pos, false)
}

// userConvertAs is userConvert for a cast, or for a condition, where conversion functions
// that are explicit count too.
func (c *checker) userConvertAs(op operand, t hir.Type, pos syntax.Pos, explicit bool) (e hir.Expr, ok bool) {
	if op.expr == nil || c.converting > 0 || !c.mayConvert(op, t) {
		return nil, false
	}
	c.spend(pos, conversionWork)
	c.converting++ // one user-defined conversion at most
	defer func() { c.converting-- }()
	if s, isStruct := op.typ().(*hir.Struct); isStruct {
		if c.basePath(s, t) != nil {
			c.permitBase(pos, s, t)
			return c.rvalue(c.toBase(op, t)), true
		}
		if sig, pointer := t.(*hir.Signature); pointer {
			if e, ok := c.lambdaPointer(s, sig, pos); ok {
				return e, true
			}
		}
		if e, ok := c.callConversion(op, c.structs[s], t, pos, explicit); ok {
			return e, true
		}
	}
	s, isStruct := t.(*hir.Struct)
	if !isStruct || c.structs[s] == nil {
		return nil, false
	}
	set := &funcSet{name: lastPart(s.Name)}
	for _, f := range threadConstructors(c.structs[s].ctors) {
		if !f.decl.Specs.Explicit {
			set.list = append(set.list, f)
		}
	}
	var r *routine
	if len(set.list) == 0 || !c.attempt(func() { r = c.overload(pos, set, nil, nil, false, []operand{op}) }) ||
		r == nil {
		return nil, false
	}
	if r.decl.Default || r.decl.Delete {
		return nil, false
	}
	if !c.permitFunction(pos, nil, nil, r) {
		return nil, true
	}
	return c.invoke(pos, r, nil, []operand{op}).expr, true
}

// callConversion converts op by the conversion function whose result comes closest to t.
func (c *checker) callConversion(op operand, info *structInfo, t hir.Type, pos syntax.Pos, explicit bool) (hir.Expr,
	bool) {
	var best *routine
	bestRank := impossibleRank
	all := c.conversions(info)
	c.spend(pos, 2*candidateWork*len(all))
	for _, f := range all {
		if f.decl.Specs.Explicit && !explicit {
			continue
		}
		r := c.conversionTo(f, t)
		if r == nil || !c.accepts(r, op) {
			continue
		}
		n, ok := standardRank(r.result.typ, t, false)
		if !ok {
			continue
		}
		if obj, _ := c.thisRank(r, op); obj > 0 {
			n = n*10 + 1
		} else {
			n *= 10
		}
		if n < bestRank {
			best, bestRank = r, n
		}
	}
	if best == nil {
		return nil, false
	}
	if !c.permitFunction(pos, info, nil, best) {
		return nil, true
	}
	obj := c.thisOperand(op)
	v := c.rvalue(c.invoke(pos, best, &obj, nil))
	if v == nil {
		return nil, true
	}
	return c.cast(v, t), true
}

const impossibleRank = 1 << 20

// toIntegral converts a struct with a conversion function to an integer.
func (c *checker) toIntegral(op operand, pos syntax.Pos) (hir.Expr, bool) {
	for _, k := range []hir.Kind{hir.Int, hir.UInt, hir.Long, hir.ULong, hir.Bool} {
		if e, ok := c.userConvert(op, k, pos); ok && e != nil {
			return e, true
		}
	}
	return nil, false
}

// explicitStruct is a cast from or to a struct; done is false if none is involved.
func (c *checker) explicitStruct(op operand, to hir.Type, pos syntax.Pos) (e hir.Expr, done bool) {
	if s, ok := to.(*hir.Struct); ok {
		return c.constructStruct(pos, s, []operand{op}), true
	}
	s, ok := op.typ().(*hir.Struct)
	if !ok || isVoid(to) {
		return nil, false
	}
	if e, ok := c.userConvertAs(op, to, pos, true); ok {
		return e, true
	}
	c.errorf(pos, codeCast, "got %s, which cannot be cast to %s", s, to)
	return nil, true
}
