package spec

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"metalconform/suite/tensor"
)

// Tensors do not change: x[places] = v gives the name x a new one, so that a definition can write its result
// place by place and what it was given stays as it is. Lists and dictionaries change in place, as ever.

// itemName is the function that assignments to items call.
const itemName = "(item)"

// partName is the function that stands for x[key], but where it is assigned to.
const partName = "([])"

// target is what is assigned to.
func target(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.CallExpr:
		if f, ok := e.Fn.(*syntax.Ident); ok && f.Name == partName {
			return &syntax.IndexExpr{X: e.Args[0], Lbrack: e.Lparen, Y: e.Args[1], Rbrack: e.Rparen}
		}
	case *syntax.ParenExpr:
		e.X = target(e.X)
	case *syntax.TupleExpr:
		for i := range e.List {
			e.List[i] = target(e.List[i])
		}
	case *syntax.ListExpr:
		for i := range e.List {
			e.List[i] = target(e.List[i])
		}
	}
	return e
}

// dropped is a name that no file can spell, for what an assignment has no use for.
const dropped = "(dropped)"

// assign makes x = (item)(x, key, value) of x[key] = value, and of x[key] += value, if the function has x.
func (r *rewriter) assign(s *syntax.AssignStmt) {
	for {
		item, ok := itemOf(s.LHS)
		if !ok {
			return
		}
		x, plain := again(item.X)
		if s.Op == syntax.EQ && (!r.binds(item.X) || !plain) {
			return
		}
		into := target(item.X)
		if !r.binds(item.X) || !plain { // a list or a dictionary, which changes
			x, into = item.X, &syntax.Ident{NamePos: item.Lbrack, Name: dropped}
		}
		op, at := "", item.Lbrack
		if s.Op != syntax.EQ {
			at, op = s.OpPos, (s.Op - syntax.PLUS_EQ + syntax.PLUS).String()
		}
		s.RHS = call(itemName, at, x, item.Y, s.RHS,
			&syntax.Literal{Token: syntax.STRING, TokenPos: s.OpPos, Raw: `"` + op + `"`, Value: op})
		s.LHS, s.Op = into, syntax.EQ
	}
}

// binds reports whether the name that an expression begins with is one of the function's own.
func (r *rewriter) binds(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return r.binds(e.X)
	case *syntax.IndexExpr:
		return r.binds(e.X)
	case *syntax.CallExpr: // x[key]
		f, ok := e.Fn.(*syntax.Ident)
		return ok && f.Name == partName && r.binds(e.Args[0])
	case *syntax.Ident:
		return slices.Contains(r.own[len(r.own)-1], e.Name)
	}
	return false
}

// itemOf is what is assigned to, if that is an item, or a part of the first axis.
func itemOf(e syntax.Expr) (*syntax.IndexExpr, bool) {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return itemOf(e.X)
	case *syntax.IndexExpr:
		return e, true
	case *syntax.SliceExpr:
		x := e.X
		if copied, ok := x.(*syntax.CallExpr); ok { // a guard
			x = copied.Args[0]
		}
		part := make([]syntax.Expr, 3)
		for i, bound := range []syntax.Expr{e.Lo, e.Hi, e.Step} {
			if part[i] = bound; bound == nil {
				part[i] = &syntax.Ident{NamePos: e.Lbrack, Name: "None"}
			}
		}
		if e.Step == nil {
			part = part[:2]
		}
		return &syntax.IndexExpr{X: x, Lbrack: e.Lbrack, Y: call(spanName, e.Lbrack, part...), Rbrack: e.Rbrack}, true
	}
	return nil, false
}

// namesOf are the names that statements and parameters give a function, or a file.
func namesOf(params []syntax.Expr, body []syntax.Stmt) []string {
	var own []string
	var target func(e syntax.Expr)
	list := func(of []syntax.Expr) {
		for _, e := range of {
			target(e)
		}
	}
	target = func(e syntax.Expr) {
		switch e := e.(type) {
		case *syntax.Ident:
			own = append(own, e.Name)
		case *syntax.ParenExpr:
			target(e.X)
		case *syntax.TupleExpr:
			list(e.List)
		case *syntax.ListExpr:
			list(e.List)
		case *syntax.BinaryExpr: // a parameter with a default
			target(e.X)
		case *syntax.UnaryExpr: // *rest
			target(e.X)
		}
	}
	list(params)
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.DefStmt, *syntax.LambdaExpr, *syntax.Comprehension:
				return false
			case *syntax.AssignStmt:
				target(n.LHS)
			case *syntax.ForStmt:
				target(n.Vars)
			}
			return true
		})
	}
	return own
}

// Get is there since what has SetKey has it: files have [array.part] in its place.
func (a array) Get(key starlark.Value) (v starlark.Value, found bool, err error) {
	v, err = a.part(nil, key)
	return v, err == nil, err
}

// SetKey says why a name keeps its tensor: an assignment that could give it another is a call of setItem.
func (array) SetKey(starlark.Value, starlark.Value) error {
	return fmt.Errorf("x[…] = v gives the name x another tensor, and x is a name of an outer function: make it a " +
		"parameter, and return it")
}

// setItem is a tensor with other elements at some places, or a list or dictionary that has been changed.
func setItem(m *meter, x, key, value starlark.Value, op string) (starlark.Value, error) {
	if op != "" {
		before, err := item(m, x, key)
		if err != nil {
			return nil, err
		}
		operator := slices.IndexFunc(augmenting, func(t syntax.Token) bool { return t.String() == op })
		if value, err = augmented(augmenting[operator], m, before, value); err != nil {
			return nil, err
		}
		if list, ok := value.(*starlark.List); ok && list == before {
			return x, nil // it has changed
		}
	}
	switch x := x.(type) {
	case array:
		return x.with(m, key, value)
	case starlark.HasSetKey:
		return x, x.SetKey(key, value)
	case starlark.HasSetIndex:
		i, err := position(x, key)
		if err != nil {
			return nil, err
		}
		return x, x.SetIndex(i, value)
	}
	return nil, fmt.Errorf("%s value does not support item assignment", x.Type())
}

// augmenting are the operators that assignments have.
var augmenting = []syntax.Token{syntax.PLUS, syntax.MINUS, syntax.STAR, syntax.SLASH, syntax.SLASHSLASH, syntax.PERCENT,
	syntax.AMP, syntax.PIPE, syntax.CIRCUMFLEX, syntax.LTLT, syntax.GTGT}

// item is x[key].
func item(m *meter, x, key starlark.Value) (starlark.Value, error) {
	if a, ok := x.(array); ok {
		return a.part(m, key)
	}
	if m, ok := x.(starlark.Mapping); ok {
		v, found, err := m.Get(key)
		if err == nil && !found {
			err = fmt.Errorf("key %v not in %s", key, x.Type())
		}
		return v, err
	}
	list, ok := x.(starlark.Indexable)
	if !ok {
		return nil, fmt.Errorf("unhandled index operation %s[%s]", x.Type(), key.Type())
	}
	i, err := position(list, key)
	if err != nil {
		return nil, err
	}
	return list.Index(i), nil
}

// position is an index of a list, which counts from its end if it is negative.
func position(list starlark.Indexable, key starlark.Value) (int, error) {
	i, err := starlark.AsInt32(key)
	if err != nil {
		return 0, fmt.Errorf("%s index: %w", list.Type(), err)
	}
	at := i
	if at < 0 {
		at += list.Len()
	}
	if at < 0 || at >= list.Len() {
		return 0, fmt.Errorf("%s index %d out of range [%d:%d]", list.Type(), i, -list.Len(), list.Len()-1)
	}
	return at, nil
}

// extend is what += does to a list.
func extend(m *meter, list *starlark.List, value starlark.Value) error {
	more, ok := value.(starlark.Iterable)
	if !ok {
		return fmt.Errorf("unknown binary op: list + %s", value.Type())
	}
	if err := m.compute(weight(value)); err != nil {
		return err
	}
	var all []starlark.Value
	for v := range starlark.Elements(more) {
		all = append(all, v)
	}
	for _, v := range all {
		if err := list.Append(v); err != nil {
			return err
		}
	}
	return nil
}

// with is the tensor with a value at the places that an index names. Of a place that is named twice the last
// value counts.
func (a array) with(m *meter, key, value starlark.Value) (starlark.Value, error) {
	v, err := fromValue(value)
	if err != nil {
		return nil, err
	}
	numbers, err := tensor.Range(a.Tensor.Len())
	if err == nil {
		numbers, err = numbers.Reshape(a.Shape()...)
	}
	if err != nil {
		return nil, err
	}
	named, err := array{numbers, false}.part(m, key)
	if err != nil {
		return nil, err
	}
	places, _ := operand(named)
	spread, err := v.Broadcast(places.Shape()...)
	if err != nil {
		return nil, fmt.Errorf("x[…] = v: %w", err)
	}
	if a.Exact() && v.Exact() {
		all := a.Integers()
		for i, p := range places.Data() {
			all[int(p)] = spread.Integer(i)
		}
		t := tensor.OfIntegers(all, a.Shape()...)
		if err := m.spend(t.Len()); err != nil {
			return nil, err
		}
		return array{t, false}, m.made(t)
	}
	data := slices.Clone(a.Data())
	for i, p := range places.Data() {
		data[int(p)] = spread.Data()[i]
	}
	t, err := tensor.New(data, a.Shape()...)
	if err != nil {
		return nil, err
	}
	if err := m.spend(t.Len()); err != nil {
		return nil, err
	}
	return array{t, false}, m.made(t)
}
