package types

import (
	"math"
	"slices"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// initialise gives the value of a new object of type q, or for a reference the
// lvalue it denotes. It is nil after an error.
func (c *checker) initialise(q qual, x syntax.Expr, direct bool) hir.Expr {
	x = characters(q.typ, x)
	list, isList := x.(*syntax.InitList)
	if isList && list.Paren {
		return c.forPurpose(purpose{}, func() hir.Expr {
			ops, ok := c.arguments(list.Elems)
			if !ok {
				return nil
			}
			return c.constructFrom(x.Pos(), q.typ, ops)
		})
	}
	if isList && q.ref && len(list.Elems) == 1 {
		x, isList = list.Elems[0], false
	}
	if isList {
		return c.forPurpose(purpose{}, func() hir.Expr { return c.initList(q, list) })
	}
	return c.initialiseWith(q, c.evaluated(x), x.Pos(), direct)
}

// characters is a string that initialises an array of characters as the list that it
// stands for; anything else is itself.
func characters(t hir.Type, x syntax.Expr) syntax.Expr {
	a, ok := t.(*hir.Array)
	if !ok || a.Elem.Size() != 1 {
		return x
	}
	text := x
	if l, ok := x.(*syntax.InitList); ok && len(l.Elems) == 1 && !l.Paren {
		text = l.Elems[0]
	}
	s, ok := text.(*syntax.StringLit)
	if !ok {
		return x
	}
	list := &syntax.InitList{}
	list.SetPos(s.Pos())
	for i := range len(s.Value) + 1 {
		e := &syntax.IntLit{Chars: 1}
		if i < len(s.Value) {
			e.Value = uint64(s.Value[i])
		}
		e.SetPos(s.Pos())
		list.Elems, list.Fields = append(list.Elems, e), append(list.Fields, "")
	}
	return list
}

// initialiseWith is initialise with the initialiser checked already.
func (c *checker) initialiseWith(q qual, op operand, pos syntax.Pos, direct bool) hir.Expr {
	if op.bad() {
		return nil
	}
	if q.ref {
		return c.bind(op, q, pos)
	}
	if _, ok := q.typ.(*hir.Array); ok && op.expr != nil {
		c.errorf(pos, codeArrayCopy, "an array is initialised with a braced list, not with another object")
		return nil
	}
	if direct {
		switch q.typ.(type) {
		case *hir.Struct, hir.Vector, hir.Matrix, hir.SimdMatrix, hir.SimdVote:
			return c.constructFrom(pos, q.typ, []operand{op})
		}
		if _, fromStruct := op.typ().(*hir.Struct); fromStruct {
			return c.explicit(op, q.typ, pos)
		}
	}
	if _, ok := q.typ.(hir.Atomic); ok {
		c.errorf(pos, codeAtomicAccess, "%s can be written by atomic functions only", q.typ)
		return nil
	}
	return c.convertOperand(op, q.typ, pos)
}

// initList initialises an object of type q from a braced list.
func (c *checker) initList(q qual, list *syntax.InitList) hir.Expr {
	t := q.typ
	pos := list.Pos()
	list, ok := c.expandList(list)
	if !ok {
		return nil
	}
	if q.ref {
		if !bindsTemporary(q) {
			c.errorf(pos, codeReferenceBinding, "a reference of type %s cannot bind to a braced list", q)
			return nil
		}
		e := c.initList(plain(t), list)
		if e == nil {
			return nil
		}
		return materialise(e).expr
	}
	for i, f := range list.Fields {
		if _, isStruct := t.(*hir.Struct); f != "" && !isStruct {
			c.errorf(list.Elems[i].Pos(), codeDesignator, "%s has no field %s", t, f)
			return nil
		}
	}
	if s, ok := t.(*hir.Struct); ok {
		return c.initStruct(pos, s, list)
	}
	if len(list.Elems) == 0 {
		return c.zero(pos, t)
	}
	switch t := t.(type) {
	case *hir.Array:
		at := 0
		e := c.fillArray(t, list, &at)
		if e != nil && at < len(list.Elems) {
			c.errorf(list.Elems[at].Pos(), codeInitialiserCount,
				"excess elements in array initializer: got %d, want at most %d", len(list.Elems), t.Len)
			return nil
		}
		return e
	case hir.Vector:
		return c.vectorList(pos, t, list)
	case hir.Matrix:
		return c.matrixList(pos, t, list)
	}
	if len(list.Elems) != 1 {
		c.errorf(pos, codeInitialiserCount, "got %d initialisers, want one for %s", len(list.Elems), t)
		return nil
	}
	if _, isSimd := t.(hir.SimdMatrix); isSimd {
		return c.explicit(c.expr(list.Elems[0]), t, pos)
	}
	return c.listed(list.Elems[0], t)
}

// listed converts an element of a braced list: narrowing is refused there.
func (c *checker) listed(x syntax.Expr, t hir.Type) hir.Expr {
	return c.listedOperand(c.expr(x), x.Pos(), t)
}

func (c *checker) listedOperand(op operand, pos syntax.Pos, t hir.Type) hir.Expr {
	if op.bad() {
		return nil
	}
	if _, isArray := t.(*hir.Array); isArray && op.list == nil {
		c.errorf(pos, codeArrayCopy, "an array is initialised with a braced list, not with another object")
		return nil
	}
	e := c.convertOperand(op, t, pos)
	if e == nil || op.expr == nil {
		return e
	}
	from, to := arithmeticKind(op.typ()), elementKind(t)
	if from != hir.Void && to != hir.Void && !c.keeps(op, from, to) {
		c.errorf(pos, codeNarrowing, "got %s in a braced list, want %s: write the narrowing conversion", op.typ(), t)
		return nil
	}
	return e
}

// keeps reports whether a conversion in a braced list keeps every value, or at
// least that of the constant at hand.
func (c *checker) keeps(op operand, from, to hir.Kind) bool {
	wide := func(k hir.Kind) bool { return k.IsFloat() }
	switch {
	case from == to:
		return true
	case wide(from) && !wide(to):
		return false
	case wide(from) && wide(to):
		if from.Size() < to.Size() {
			return true
		}
		k, ok := c.eval.Scalar(c.rvalue(op))
		return ok && k != nil // a constant in range is kept, rounded
	case wide(to):
		k, ok := c.eval.Scalar(c.rvalue(op))
		return ok && exactInFloat(k, to)
	case to == hir.Bool:
		k, ok := c.eval.Scalar(c.rvalue(op))
		return ok && k.Bits <= 1
	}
	if from.Size() < to.Size() && (!from.IsSigned() || to.IsSigned()) {
		return true
	}
	k, ok := c.eval.Scalar(c.rvalue(op))
	if !ok {
		return false
	}
	v := int64(k.Bits)
	if !from.IsSigned() && v < 0 {
		return to == hir.ULong
	}
	bits := uint(8 * to.Size())
	if to.IsSigned() {
		return v == v<<(64-bits)>>(64-bits)
	}
	return v >= 0 && (bits == 64 || v < 1<<bits)
}

func exactInFloat(k *hir.Const, to hir.Kind) bool {
	digits := map[hir.Kind]uint{hir.Half: 11, hir.BFloat: 8, hir.Float: 24}[to]
	v := k.Bits
	if hir.ScalarKind(k.Type()).IsSigned() && int64(v) < 0 {
		v = -v
	}
	for v != 0 && v&1 == 0 {
		v >>= 1
	}
	return v < 1<<digits
}

// fillArray takes elements from a list; inner braces may be left out.
func (c *checker) fillArray(t *hir.Array, list *syntax.InitList, at *int) hir.Expr {
	e := &hir.Construct{Node: hir.At(list.Pos(), t)}
	if list.Designators != nil {
		return c.designatedArray(e, t, list, at)
	}
	for len(e.Args) < t.Len && *at < len(list.Elems) {
		v := c.fillElement(t.Elem, list, at)
		if v == nil {
			return nil
		}
		e.Args = append(e.Args, v)
	}
	if c.hasDefault(t.Elem) && t.Len < math.MaxInt32 {
		for len(e.Args) < t.Len {
			v := c.zero(list.Pos(), t.Elem)
			if v == nil {
				return nil
			}
			e.Args = append(e.Args, v)
		}
	}
	return e
}

// designatedArray takes elements by index; one without designator follows the last. What
// no one names is zero.
func (c *checker) designatedArray(e *hir.Construct, t *hir.Array, list *syntax.InitList, at *int) hir.Expr {
	c.spend(list.Pos(), min(t.Len, maxConstructed))
	e.Args = make([]hir.Expr, min(t.Len, maxConstructed))
	next := 0
	for *at < len(list.Elems) {
		pos := list.Elems[*at].Pos()
		first, last, ok := c.designatedRange(list.Designators[*at], next)
		if !ok {
			return nil
		}
		switch {
		case first < 0 || last < first || last >= t.Len:
			c.errorf(pos, codeDesignator, "elements %d to %d do not lie in an array of %d", first, last, t.Len)
			return nil
		case last >= len(e.Args):
			c.errorf(pos, codeUnsupported,
				"got a designator of element %d, want one of the first %d, whatever the flags", last, maxConstructed)
			return nil
		}
		c.spend(pos, (last-first)/elementsPerStep)
		v := c.fillElement(t.Elem, list, at)
		if v == nil {
			return nil
		}
		if last > first && hir.HasSideEffects(v) {
			c.errorf(pos, codeUnsupported, "a value with effects for several elements is not supported")
			return nil
		}
		for i := first; i <= last; i++ {
			e.Args[i] = v
		}
		next = last + 1
	}
	for i, v := range e.Args {
		if v == nil {
			if e.Args[i] = c.zero(list.Pos(), t.Elem); e.Args[i] == nil {
				return nil
			}
		}
	}
	return e
}

// designatedRange is the elements that a designator names, or the next one without it.
func (c *checker) designatedRange(p *syntax.ArrayDesignator, next int) (first, last int, ok bool) {
	if p == nil {
		return next, next, true
	}
	n, ok := c.constInt(p.First, "the index of an element")
	m := n
	if ok && p.Last != nil {
		m, ok = c.constInt(p.Last, "the index of an element")
	}
	return int(n), int(m), ok
}

// fillElement takes one element of type t from a list, or several if t is an
// aggregate whose braces have been left out.
func (c *checker) fillElement(t hir.Type, list *syntax.InitList, at *int) hir.Expr {
	x := characters(t, list.Elems[*at])
	if l, ok := x.(*syntax.InitList); ok {
		*at++
		return c.initList(plain(t), l)
	}
	op := c.expr(x)
	if op.bad() {
		return nil
	}
	switch t := t.(type) {
	case *hir.Array:
		return c.fillArray(t, list, at)
	case *hir.Struct:
		info := c.structs[t]
		if _, ok := c.rank(op, plain(t)); !ok && c.aggregate(info) {
			return c.fillStruct(list.Pos(), t, list, at)
		}
	}
	*at++
	return c.listedOperand(op, x.Pos(), t)
}

func (c *checker) vectorList(pos syntax.Pos, t hir.Vector, list *syntax.InitList) hir.Expr {
	ops, ok := c.arguments(list.Elems)
	if !ok {
		return nil
	}
	if len(ops) == 1 && ops[0].list == nil {
		if _, isVec := ops[0].typ().(hir.Vector); isVec {
			return c.convertOperand(ops[0], t, pos)
		}
		if k, ok := c.eval.Scalar(c.rvalue(ops[0])); ok && k.Bits == 0 {
			return c.zero(pos, t)
		}
	}
	for i, op := range ops {
		if from := arithmeticKind(op.typ()); from != hir.Void && !c.keeps(op, from, t.Elem) {
			c.errorf(list.Elems[i].Pos(), codeNarrowing,
				"got %s in a braced list, want %s: write the narrowing conversion", op.typ(), t.Elem)
			return nil
		}
	}
	n := 0
	for _, op := range ops {
		if v, ok := op.typ().(hir.Vector); ok {
			n += v.N
		} else {
			n++
		}
	}
	for ; n < t.N; n++ { // what a braced list leaves out is zero
		ops = append(ops, value(constant(pos, t.Elem, 0)))
	}
	return c.fillVector(pos, t, ops)
}

func (c *checker) matrixList(pos syntax.Pos, t hir.Matrix, list *syntax.InitList) hir.Expr {
	if len(list.Elems) == 1 {
		op := c.expr(list.Elems[0])
		if _, ok := op.typ().(hir.Matrix); ok {
			return c.convertOperand(op, t, pos)
		}
		if arithmeticKind(op.typ()) != hir.Void {
			return c.diagonal(pos, t, op)
		}
	}
	ops, ok := c.arguments(list.Elems)
	if !ok {
		return nil
	}
	return c.fillMatrix(pos, t, ops)
}

// initStruct initialises a struct from a braced list: by a constructor if it
// has any, otherwise field by field.
func (c *checker) initStruct(pos syntax.Pos, s *hir.Struct, list *syntax.InitList) hir.Expr {
	info := c.structs[s]
	if !c.aggregate(info) || len(list.Elems) == 0 && !s.Union {
		ops, ok := c.arguments(list.Elems)
		if !ok {
			return nil
		}
		return c.constructStruct(pos, s, ops)
	}
	if len(list.Elems) == 1 && !designated(list) {
		if _, nested := list.Elems[0].(*syntax.InitList); !nested {
			op := c.expr(list.Elems[0])
			if op.bad() {
				return nil
			}
			if hir.Identical(op.typ(), s) {
				return c.copyOf(op, s, pos)
			}
		}
	}
	at := 0
	e := c.fillStruct(pos, s, list, &at)
	if e != nil && at < len(list.Elems) {
		c.errorf(list.Elems[at].Pos(), codeInitialiserCount, "excess elements in %s initializer", keywordOf(s))
		return nil
	}
	return e
}

func designated(list *syntax.InitList) bool {
	for _, f := range list.Fields {
		if f != "" {
			return true
		}
	}
	return false
}

// fillStruct takes the fields of an aggregate from a list.
func (c *checker) fillStruct(pos syntax.Pos, s *hir.Struct, list *syntax.InitList, at *int) hir.Expr {
	if designated(list) {
		return c.designatedStruct(pos, s, list, at)
	}
	e := &hir.Construct{Node: hir.At(pos, s)}
	for i := range s.Fields {
		if s.Union && i > 0 {
			break
		}
		var v hir.Expr
		if f := s.Fields[i]; f.Unnamed() {
			v = c.zero(pos, f.Type)
		} else if *at < len(list.Elems) && f.Ref {
			v = c.kept(f, c.initialise(fieldQual(f), list.Elems[*at], false))
			*at++
		} else if *at < len(list.Elems) {
			v = c.fillElement(f.Type, list, at)
		} else {
			v = c.defaultField(pos, s, i, e.Args)
		}
		if v == nil {
			return nil
		}
		e.Args = append(e.Args, v)
	}
	return e
}

// designatedStruct takes fields by name, in any order; what has no name belongs to the
// field after the one before. The last of several for a field counts.
func (c *checker) designatedStruct(pos syntax.Pos, s *hir.Struct, list *syntax.InitList, at *int) hir.Expr {
	of, ok := c.designations(s, list, *at)
	if !ok {
		return nil
	}
	*at = len(list.Elems)
	e := &hir.Construct{Node: hir.At(pos, s)}
	for i, f := range s.Fields {
		k, given := of[i]
		if s.Union && !given && (i > 0 || len(of) > 0) {
			continue
		}
		var v hir.Expr
		switch {
		case given && f.Ref:
			v = c.kept(f, c.initialise(fieldQual(f), list.Elems[k], false))
		case given:
			v = c.fillElement(f.Type, list, &k)
		default:
			v = c.defaultField(pos, s, i, e.Args)
		}
		if v == nil {
			return nil
		}
		if e.Args = append(e.Args, v); s.Union {
			e.Field = i
			break
		}
	}
	return e
}

// designations are the places in a list, from number at on, of what is for each field.
func (c *checker) designations(s *hir.Struct, list *syntax.InitList, at int) (of map[int]int, ok bool) {
	of = map[int]int{}
	i := -1
	for k := at; k < len(list.Elems); k++ {
		if name := list.Fields[k]; name == "" {
			i++
		} else if i = slices.IndexFunc(s.Fields, func(f hir.Field) bool { return f.Name == name }); i < 0 {
			c.errorf(list.Elems[k].Pos(), codeDesignator,
				"field designator '%s' does not refer to any field in type '%s'", name, s)
			return nil, false
		}
		if i >= len(s.Fields) {
			c.errorf(list.Elems[k].Pos(), codeInitialiserCount, "excess elements in %s initializer", keywordOf(s))
			return nil, false
		}
		if s.Union {
			clear(of)
		}
		of[i] = k
	}
	return of, true
}

// defaultField is the value of a field that an initialiser leaves out.
func (c *checker) defaultField(pos syntax.Pos, s *hir.Struct, i int, made []hir.Expr) hir.Expr {
	info := c.structs[s]
	if x := info.inits[i]; x != nil {
		return c.memberInit(info, i, made)
	}
	var e hir.Expr
	ctx := c.context // that of the implicit constructor
	ctx.scope = info.scope
	if i < len(info.bases) {
		ctx.part = info.bases[i]
	}
	c.in(ctx, func() { e = c.zero(pos, s.Fields[i].Type) })
	return e
}

// arrayLength completes an array type from its initialiser.
func (c *checker) arrayLength(q qual, x syntax.Expr) (qual, bool) {
	a, ok := q.typ.(*hir.Array)
	if !ok || a.Len >= 0 || q.ref {
		return q, true
	}
	x = characters(a, x)
	list, ok := x.(*syntax.InitList)
	if !ok || list.Paren {
		return q, true // refused as an array without length
	}
	if list, ok = c.expandList(list); !ok {
		return q, false
	}
	n := len(list.Elems)
	if list.Designators != nil {
		n = 0
		next := 0
		for _, p := range list.Designators {
			_, last, ok := c.designatedRange(p, next)
			if !ok {
				return q, false
			}
			next = last + 1
			n = max(n, next)
		}
	} else if n > 0 && isAggregateType(a.Elem) {
		if _, braced := list.Elems[0].(*syntax.InitList); !braced {
			open := *a
			open.Len = math.MaxInt32
			at := 0
			var e hir.Expr
			if !c.attempt(func() { e = c.fillArray(&open, list, &at) }) || e == nil {
				n = len(list.Elems)
			} else {
				n = len(e.(*hir.Construct).Args)
			}
		}
	}
	if n == 0 {
		c.errorf(x.Pos(), codeArrayLength, "an empty list gives the array no length")
		return q, false
	}
	q.typ = &hir.Array{Elem: a.Elem, Len: n}
	return q, true
}

func isAggregateType(t hir.Type) bool {
	switch t.(type) {
	case *hir.Array, *hir.Struct:
		return true
	}
	return false
}
