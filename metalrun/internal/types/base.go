package types

import (
	"fmt"
	"slices"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// Inheritance: an object of a derived struct begins with objects of its bases.

func (c *checker) bases(info *structInfo, d *syntax.StructDecl) {
	for _, b := range d.Bases {
		via := classDefault(d)
		if b.Access != "" {
			via = protection{access: accessWords[b.Access]}
		}
		via.pos = b.Pos
		if !b.Pack {
			c.base(info, b.Type, via)
			continue
		}
		scopes, _ := c.expansion(b.Type)
		for _, s := range scopes {
			c.within(s, func() { c.base(info, b.Type, via) })
		}
	}
}

func (c *checker) base(info *structInfo, x syntax.TypeExpr, via protection) {
	q, ok := c.typeOf(x)
	if !ok {
		return
	}
	s, isStruct := q.typ.(*hir.Struct)
	if !isStruct || s.Union || info.typ.Union {
		c.errorf(x.Pos(), codeBase, "%s cannot be a base", q.typ)
		return
	}
	if !c.complete(q, x.Pos()) {
		return
	}
	info.bases = append(info.bases, c.structs[s])
	info.via = append(info.via, via)
	info.guarded = info.guarded || via.access != publicAccess || c.structs[s].guarded
	info.typ.Fields = append(info.typ.Fields, hir.Field{Type: s})
	info.inits = append(info.inits, nil)
}

// basePath is the way from a struct to one of its bases, nil if there is none.
func (c *checker) basePath(from, to hir.Type) []int {
	f, ok := from.(*hir.Struct)
	t, ok2 := to.(*hir.Struct)
	if !ok || !ok2 || f == t || c.structs[f] == nil {
		return nil
	}
	for i, b := range c.structs[f].bases {
		if b.typ == t {
			return []int{i}
		}
		if p := c.basePath(b.typ, to); p != nil {
			return append([]int{i}, p...)
		}
	}
	return nil
}

// toBase is op, or the part of it that is its base t.
func (c *checker) toBase(op operand, t hir.Type) operand {
	if p := c.basePath(op.typ(), t); p != nil {
		return c.fieldPath(op, p, op.at())
	}
	return op
}

// baseOffset is where the part of from that is its base to lies; ok is false if to is no base.
func (c *checker) baseOffset(from, to hir.Type) (offset int, ok bool) {
	path := c.basePath(from, to)
	for _, i := range path {
		f := from.(*hir.Struct).Fields[i]
		offset += f.Offset
		from = f.Type
	}
	return offset, path != nil
}

// toBasePointer is the pointer to the base that a pointer to a derived object converts to;
// ok is false if it does not.
func (c *checker) toBasePointer(op operand, to hir.Type, pos syntax.Pos) (e hir.Expr, ok bool) {
	if !c.pointsToBase(decayed(op), to) {
		return nil, false
	}
	p := to.(*hir.Pointer)
	c.permitBase(pos, decayed(op).(*hir.Pointer).Elem, p.Elem)
	part := c.toBase(c.deref(value(c.rvalue(op)), pos), p.Elem)
	return c.cast(c.addressOf(part, pos).expr, to), true
}

// pointsToBase reports whether a pointer converts to one to a base of what it points to.
func (c *checker) pointsToBase(from, to hir.Type) bool {
	f, ok := from.(*hir.Pointer)
	t, ok2 := to.(*hir.Pointer)
	return ok && ok2 && f.Space == t.Space && (t.Const || !f.Const) && (t.Volatile || !f.Volatile) &&
		c.basePath(f.Elem, t.Elem) != nil
}

// toDerived is the pointer to the object whose base p points to; ok is false if the types
// are not related so.
func (c *checker) toDerived(p hir.Expr, to *hir.Pointer) (e hir.Expr, ok bool) {
	from, ok := p.Type().(*hir.Pointer)
	if !ok || from.Space != to.Space {
		return nil, false
	}
	offset, ok := c.baseOffset(to.Elem, from.Elem)
	if !ok {
		return nil, false
	}
	if offset > 0 {
		bytes := *to
		bytes.Elem = hir.UChar
		p = &hir.Convert{Node: hir.At(p.Pos(), &bytes), X: p}
		p = &hir.PtrAdd{Node: hir.At(p.Pos(), &bytes), P: p, I: constant(p.Pos(), hir.Int, uint64(offset)), Neg: true}
	}
	return &hir.Convert{Node: hir.At(p.Pos(), to), X: p}, true
}

// inherit gives a class the constructors of a base that "using Base::Base" names, which make
// that base and leave the rest to default initialisers. Those for no argument and for
// copies stay the class's own.
func (c *checker) inherit(info, base *structInfo) {
	for _, f := range base.ctors {
		if len(f.decl.Params) == 0 || f.decl.Delete || f.plain != nil && f.plain.params[0].typ == hir.Type(base.typ) {
			continue
		}
		d := *f.decl
		if f.def != nil {
			d.Params = f.def.Params
		}
		d.Params = slices.Clone(d.Params)
		in := syntax.FieldInit{Pos: d.Pos(), Name: lastPart(bare(base.typ.Name))}
		for i, p := range f.decl.Params {
			q := *d.Params[i]
			if q.Default = p.Default; q.Name == "" {
				q.Name = fmt.Sprintf("(argument %d)", i+1)
			}
			d.Params[i] = &q
			var x syntax.Expr = nameExpr(q.Pos(), q.Name)
			if q.Variadic {
				pack := &syntax.PackExpr{X: x}
				pack.SetPos(q.Pos())
				x = pack
			}
			in.Args = append(in.Args, x)
		}
		d.Inits, d.Body = []syntax.FieldInit{in}, &syntax.BlockStmt{End: d.Pos()}
		d.Body.SetPos(d.Pos())
		set := &funcSet{name: lastPart(bare(info.typ.Name)), list: info.ctors}
		c.addFunction(set, &function{name: set.name, decl: &d, scope: f.scope, owner: info, inherited: true})
		info.ctors = set.list
	}
}

// defaultBeside gives a class whose constructors are all inherited the default one that the source does not spell out.
func (c *checker) defaultBeside(info *structInfo) {
	if len(info.ctors) == 0 || slices.ContainsFunc(info.ctors, func(f *function) bool { return !f.inherited }) {
		return
	}
	d := *info.ctors[0].decl
	d.Template, d.Params, d.Inits, d.Body = nil, nil, nil, &syntax.BlockStmt{End: d.Pos()}
	d.Body.SetPos(d.Pos())
	set := &funcSet{name: lastPart(bare(info.typ.Name)), list: info.ctors}
	c.addFunction(set, &function{name: set.name, decl: &d, scope: info.scope, owner: info, inherited: true})
	info.ctors = set.list
}

// nameExpr is a plain name as an expression.
func nameExpr(pos syntax.Pos, name string) *syntax.NameExpr {
	n := &syntax.NameExpr{Name: &syntax.Name{Parts: []syntax.NamePart{{Pos: pos, Ident: name}}}}
	n.SetPos(pos)
	n.Name.SetPos(pos)
	return n
}
