package spec

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Steps of Starlark do not bound what a step does: one may double a list, or multiply
// integers of a million digits. What operations make and go through is counted in bytes, before
// they do it, and added up over an evaluation.
const (
	maxBits  = 1 << 16 // of an integer
	maxDepth = 1000    // of lists in lists
	mostSize = 1 << 50 // in bytes, that is added to others
)

// weight is about how many bytes a value takes, without what it refers to.
func weight(v starlark.Value) int64 {
	switch v := v.(type) {
	case starlark.Int:
		if _, small := v.Int64(); small {
			return 8
		}
		return int64(v.BigInt().BitLen() / 8)
	case *starlark.Dict:
		return 128 * int64(v.Len())
	case starlark.Sequence:
		return min(times(32, v.Len()), mostSize)
	case starlark.String:
		return int64(len(v))
	case starlark.Bytes:
		return int64(len(v))
	}
	return 8
}

// deep is how many bytes it takes to write a value with all that it refers to, every time
// that it does. Too many are an error, and so are lists in lists beyond any use.
func (m *meter) deep(v starlark.Value, depth int, left *int64) error {
	if depth > maxDepth {
		return fmt.Errorf("a value nested more than %d times cannot be compared, written or a key", maxDepth)
	}
	if *left -= 16 + weight(v); *left < 0 {
		return m.limits.exceeded(Bytes, "a value of more than %d bytes cannot be compared, written or a key")
	}
	switch v := v.(type) {
	case *starlark.Dict:
		for _, pair := range v.Items() {
			for _, part := range pair {
				if err := m.deep(part, depth+1, left); err != nil {
					return err
				}
			}
		}
	case *starlark.List:
		for i := range v.Len() {
			if err := m.deep(v.Index(i), depth+1, left); err != nil {
				return err
			}
		}
	case starlark.Tuple:
		for _, part := range v {
			if err := m.deep(part, depth+1, left); err != nil {
				return err
			}
		}
	}
	return nil
}

// written counts what writing, comparing or hashing values takes, and says how much that is.
func written(m *meter, values ...starlark.Value) (int64, error) {
	most := m.limits.of(Bytes)
	left := most
	for _, v := range values {
		if err := m.deep(v, 0, &left); err != nil {
			return 0, err
		}
	}
	return most - left, m.compute(most - left)
}

// binaryBytes is what an operator makes at most.
func binaryBytes(op syntax.Token, x, y starlark.Value) (int64, error) {
	a, b := weight(x), weight(y)
	i, first := x.(starlark.Int)
	j, second := y.(starlark.Int)
	switch {
	case first && second:
		bits := 8 * max(a, b)
		switch op {
		case syntax.STAR:
			bits = 8 * (a + b)
		case syntax.LTLT:
			bits = 8*a + 512
		}
		if bits > maxBits {
			return 0, fmt.Errorf("an integer of more than %d bits", maxBits)
		}
		return bits / 8, nil
	case op == syntax.STAR && (first || second):
		n, ok := i.Int64()
		if second {
			a, b = b, a
			n, ok = j.Int64()
		}
		if !ok {
			return mostSize, nil
		}
		return min(times(int(max(n, 0)), int(b)), mostSize), nil
	}
	return a + b, nil
}

// guarded are the operators that make larger values of smaller ones, and those of tensors.
var guarded = map[syntax.Token]bool{
	syntax.PLUS: true, syntax.MINUS: true, syntax.STAR: true, syntax.SLASH: true, syntax.SLASHSLASH: true,
	syntax.PERCENT: true,
	syntax.LTLT:    true, syntax.GTGT: true, syntax.AMP: true, syntax.PIPE: true, syntax.CIRCUMFLEX: true,
	syntax.IN:     true,
	syntax.NOT_IN: true,
}

// binaryGuard is an operator that counts.
func binaryGuard(op syntax.Token, m *meter, x, y starlark.Value) (starlark.Value, error) {
	_, left := x.(array)
	_, right := y.(array)
	if left || right {
		return binaryTensor(op, m, x, y)
	}
	if err := binaryCost(op, m, x, y); err != nil {
		return nil, err
	}
	return starlark.Binary(op, x, y)
}

// augmented is x after x op= y. Lists and dictionaries change, other values are replaced.
func augmented(op syntax.Token, m *meter, x, y starlark.Value) (starlark.Value, error) {
	switch x := x.(type) {
	case *starlark.List:
		if op == syntax.PLUS {
			return x, extend(m, x, y)
		}
	case *starlark.Dict:
		other, ok := y.(*starlark.Dict)
		if !ok || op != syntax.PIPE {
			break
		}
		if err := binaryCost(op, m, starlark.None, y); err != nil {
			return nil, err
		}
		for _, item := range other.Items() {
			if err := x.SetKey(item[0], item[1]); err != nil {
				return nil, err
			}
		}
		return x, nil
	}
	return binaryGuard(op, m, x, y)
}

func binaryCost(op syntax.Token, m *meter, x, y starlark.Value) error {
	_, left := x.(starlark.Float)
	_, right := y.(starlark.Float)
	if left || right {
		return nil
	}
	if _, text := x.(starlark.String); text && op == syntax.PERCENT {
		_, err := written(m, x, y)
		return err
	}
	n, err := binaryBytes(op, x, y)
	if err != nil {
		return err
	}
	return m.compute(n)
}

// callBytes is what a function of Starlark makes or goes through at most.
func callBytes(m *meter, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (int64, error) {
	text, method := b.Receiver().(starlark.String)
	n := int64(64)
	if b.Name() == "append" { // which looks at nothing
		return n, nil
	}
	if b.Receiver() != nil {
		n += weight(b.Receiver())
	}
	all := append(starlark.Tuple{}, args...)
	for _, pair := range kwargs {
		all = append(all, pair[1])
	}
	for _, v := range all {
		n += weight(v)
	}
	switch name := b.Name(); {
	case method && name == "replace" && len(args) > 1:
		old, _ := starlark.AsString(args[0])
		return n + (int64(len(text))/max(1, int64(len(old)))+1)*weight(args[1]), nil
	case method && name == "join" && len(args) == 1:
		if parts, ok := args[0].(starlark.Sequence); ok {
			n += int64(parts.Len()) * int64(len(text))
		}
		all, err := written(m, args[0])
		return n + all, err
	case method && slices.Contains(taken, name):
		return n + min(times(32, len(text)), mostSize), nil
	case method && name == "format":
		all, err := written(m, all...)
		return n + int64(strings.Count(string(text), "{"))*all, err
	case name == "int" && len(args) > 0:
		if digits, ok := starlark.AsString(args[0]); ok && len(digits) > maxBits/4 {
			return 0, fmt.Errorf("int: %d digits: an integer of more than %d bits", len(digits), maxBits)
		}
		return n, nil
	case name == "str" || name == "repr" || name == "print" || name == "fail" || name == "hash" || name == "set" ||
		name == "dict" || name == "sorted" || name == "min" || name == "max" ||
		b.Receiver() != nil && !method && name != "extend" && name != "insert":
		_, err := written(m, all...)
		return n, err
	}
	return n, nil
}

// taken are the methods that take strings apart.
var taken = []string{"split", "rsplit", "splitlines", "elems", "elem_ords", "codepoints", "codepoint_ords"}

// counted is a function of Starlark that counts.
func counted(b *starlark.Builtin) *starlark.Builtin {
	call := func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple,
		kwargs []starlark.Tuple) (starlark.Value, error) {
		m := meterOf(thread)
		n, err := callBytes(m, b, args, kwargs)
		if err == nil {
			err = m.compute(n)
		}
		if err != nil {
			return nil, err
		}
		if b.Name() == "int" {
			m.decides(args...)
		}
		v, err := b.CallInternal(thread, args, kwargs)
		if err == nil && b.Name() != "range" { // which makes its numbers one by one
			err = m.compute(weight(v))
		}
		return v, err
	}
	made := starlark.NewBuiltin(b.Name(), call)
	if b.Receiver() != nil {
		made = made.BindReceiver(b.Receiver())
	}
	return made
}

// attribute is a member of a value; its methods count.
func attribute(m *meter, v starlark.Value, name string) (starlark.Value, error) {
	if a, ok := v.(array); ok && name == "T" {
		t, err := a.Transpose()
		if err != nil {
			return nil, err
		}
		return a.of(t), m.made(t)
	}
	if x, ok := v.(starlark.HasAttrs); ok {
		member, err := x.Attr(name)
		_, tensor := v.(array) // whose methods are functions, which count
		if b, method := member.(*starlark.Builtin); method && err == nil && !tensor {
			return counted(b), nil
		}
		if member != nil || err != nil {
			return member, err
		}
	}
	return nil, fmt.Errorf("%s has no .%s field or method", v.Type(), name)
}

// guards are predeclared, though no file can spell them: what the language does by itself.
func guards() starlark.StringDict {
	names := starlark.StringDict{}
	add := func(name string, f func(m *meter, args starlark.Tuple) (starlark.Value, error)) {
		names[name] = starlark.NewBuiltin(name, func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple,
			_ []starlark.Tuple) (starlark.Value, error) {
			return f(meterOf(thread), args)
		})
	}
	for op := range guarded {
		name := "(" + op.String() + ")"
		names[name] = starlark.NewBuiltin(name, func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple,
			_ []starlark.Tuple) (starlark.Value, error) {
			return binaryGuard(op, meterOf(thread), args[0], args[1])
		})
		add("("+op.String()+"=)", func(m *meter, args starlark.Tuple) (starlark.Value, error) {
			return augmented(op, m, args[0], args[1])
		})
	}
	for _, op := range []syntax.Token{syntax.MINUS, syntax.TILDE} {
		add("("+op.String()+"x)", func(m *meter, args starlark.Tuple) (starlark.Value, error) {
			if a, ok := args[0].(array); ok {
				return a.unary(op, m)
			}
			return starlark.Unary(op, args[0])
		})
	}
	add("(.)", func(m *meter, args starlark.Tuple) (starlark.Value, error) {
		return attribute(m, args[0], string(args[1].(starlark.String)))
	})
	add(partName, func(m *meter, args starlark.Tuple) (starlark.Value, error) { return item(m, args[0], args[1]) })
	add(itemName, func(m *meter, args starlark.Tuple) (starlark.Value, error) {
		return setItem(m, args[0], args[1], args[2], string(args[3].(starlark.String)))
	})
	// of a tensor rows are copied if some are left out
	for name, elements := range map[string]int{"(copied)": 0, "(stepped)": 1} {
		add(name, func(m *meter, args starlark.Tuple) (starlark.Value, error) {
			if a, tensor := args[0].(array); tensor {
				return args[0], m.spend(elements * a.Tensor.Len())
			}
			return args[0], m.compute(weight(args[0]))
		})
	}
	add("(key)", func(m *meter, args starlark.Tuple) (starlark.Value, error) { return args[0], m.key(args[0]) })
	return names
}

// key counts what a key of a dictionary takes. Those that are neither strings nor small can be chosen such that all
// have one hash: each may then be compared with all before it.
func (m *meter) key(v starlark.Value) error {
	switch v := v.(type) {
	case starlark.String:
		return m.compute(int64(len(v)))
	case starlark.Bool, starlark.NoneType:
		return nil
	case starlark.Int:
		if n, ok := v.Int64(); ok && n == int64(int32(n)) {
			return nil
		}
	}
	if _, err := written(m, v); err != nil {
		return err
	}
	hash, err := v.Hash()
	if err != nil {
		return nil // whoever takes it for a key says why it is none
	}
	same := m.keys[hash]
	for _, other := range same {
		if equal, err := starlark.Equal(v, other); equal && err == nil {
			return nil
		}
	}
	if len(same) < fewAlike {
		if m.keys == nil {
			m.keys = map[uint32][]starlark.Value{}
		}
		m.keys[hash] = append(same, v)
		return m.compute(keyBytes)
	}
	m.alike++
	return m.compute(keyBytes * m.alike)
}

const (
	fewAlike = 8  // keys with one hash
	keyBytes = 64 // of a key that is kept; to compare with one takes as long as to go through as many bytes
)

// guardedExpression is an expression whose operations count.
func guardedExpression(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.BinaryExpr:
		switch {
		case isFactor(e.Y): // what is multiplied comes next
		case e.Op == syntax.STAR && isProduct(e.X):
			return call("(@)", e.OpPos, e.X.(*syntax.BinaryExpr).X, e.Y)
		case guarded[e.Op]:
			return call("("+e.Op.String()+")", e.OpPos, e.X, e.Y)
		}
	case *syntax.UnaryExpr:
		if _, plain := e.X.(*syntax.Literal); (e.Op == syntax.MINUS || e.Op == syntax.TILDE) && !plain {
			return call("("+e.Op.String()+"x)", e.OpPos, e.X)
		}
	case *syntax.DotExpr:
		name := &syntax.Literal{Token: syntax.STRING, TokenPos: e.NamePos, Raw: `"` + e.Name.Name + `"`,
			Value: e.Name.Name}
		return call("(.)", e.Dot, e.X, name)
	case *syntax.SliceExpr:
		name := "(copied)"
		if e.Step != nil {
			name = "(stepped)"
		}
		e.X = call(name, e.Lbrack, e.X)
	case *syntax.IndexExpr:
		return call(partName, e.Lbrack, e.X, asKey(e.Y))
	case *syntax.DictEntry:
		e.Key = asKey(e.Key)
	case *syntax.CallExpr:
		for _, arg := range e.Args {
			if spread, ok := arg.(*syntax.UnaryExpr); ok && (spread.Op == syntax.STAR || spread.Op == syntax.STARSTAR) {
				spread.X = call("(copied)", spread.OpPos, spread.X)
			}
		}
	}
	return e
}

// isFactor reports whether an operand is what stands for @.
func isFactor(e syntax.Expr) bool {
	name, ok := e.(*syntax.Ident)
	return ok && name.Name == matmulName
}

// isProduct reports whether an expression is the left operand of @, with what stands for that.
func isProduct(e syntax.Expr) bool {
	product, ok := e.(*syntax.BinaryExpr)
	return ok && isFactor(product.Y)
}

// asKey is an expression whose value may be a key.
func asKey(e syntax.Expr) syntax.Expr {
	if _, plain := e.(*syntax.Literal); plain {
		return e
	}
	begin, _ := e.Span()
	return call("(key)", begin, e)
}

// guardAssignment makes x = (op=)(x, y) of x op= y.
func guardAssignment(s *syntax.AssignStmt) {
	op := s.Op - syntax.PLUS_EQ + syntax.PLUS
	if s.Op < syntax.PLUS_EQ || !guarded[op] {
		return
	}
	if x, ok := again(s.LHS); ok {
		s.RHS, s.Op = call("("+op.String()+"=)", s.OpPos, x, s.RHS), syntax.EQ
	}
}

// again is a copy of an expression that only names things.
func again(e syntax.Expr) (syntax.Expr, bool) {
	switch e := e.(type) {
	case *syntax.Ident:
		return &syntax.Ident{NamePos: e.NamePos, Name: e.Name}, true
	case *syntax.Literal:
		return e, true
	case *syntax.ParenExpr:
		return again(e.X)
	case *syntax.IndexExpr:
		x, ok := again(e.X)
		y, both := again(e.Y)
		return call(partName, e.Lbrack, x, y), ok && both
	case *syntax.CallExpr: // of a guard
		switch f, _ := e.Fn.(*syntax.Ident); {
		case f != nil && f.Name == "(key)":
			return again(e.Args[0])
		case f != nil && f.Name == partName:
			x, ok := again(e.Args[0])
			y, both := again(e.Args[1])
			return call(partName, e.Lparen, x, y), ok && both
		}
	}
	return nil, false
}

// getattr is Starlark's, with methods that count.
func getattr(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple,
	kwargs []starlark.Tuple) (starlark.Value, error) {
	var of, instead starlark.Value
	var name string
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 2, &of, &name, &instead); err != nil {
		return nil, err
	}
	v, err := attribute(meterOf(thread), of, name)
	if err != nil && instead != nil {
		return instead, nil
	}
	return v, err
}
