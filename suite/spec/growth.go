package spec

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Steps of Starlark do not bound what a step does: one may double a list, or multiply
// integers of a million digits. What operations make and go through is counted in bytes, before
// they do it, and added up over an evaluation.
const (
	maxBytes = 1 << 27
	maxBits  = 1 << 16 // of an integer
	maxDepth = 1000    // of lists in lists
)

// compute counts bytes. A nil meter counts none.
func (m *meter) compute(n int64) error {
	if m == nil {
		return nil
	}
	if n > maxBytes || m.bytes.Add(n) > maxBytes {
		return fmt.Errorf("more than %d bytes have been computed: strings, lists and dictionaries grow too large", maxBytes)
	}
	return nil
}

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
		return 32 * int64(v.Len())
	case starlark.String:
		return int64(len(v))
	case starlark.Bytes:
		return int64(len(v))
	}
	return 8
}

// deep is how many bytes it takes to write a value with all that it refers to, every time
// that it does. Too many are an error, and so are lists in lists beyond any use.
func deep(v starlark.Value, depth int, left *int64) error {
	if *left -= 16 + weight(v); *left < 0 || depth > maxDepth {
		return fmt.Errorf("a value of more than %d bytes, or nested more than %d times, cannot be compared, written or a key", maxBytes, maxDepth)
	}
	switch v := v.(type) {
	case array:
		*left -= 8 * int64(v.Tensor.Len())
		return nil
	case starlark.String:
		return nil
	case *starlark.Dict:
		for _, pair := range v.Items() {
			for _, part := range pair {
				if err := deep(part, depth+1, left); err != nil {
					return err
				}
			}
		}
	case *starlark.List:
		for i := range v.Len() {
			if err := deep(v.Index(i), depth+1, left); err != nil {
				return err
			}
		}
	case starlark.Tuple:
		for _, part := range v {
			if err := deep(part, depth+1, left); err != nil {
				return err
			}
		}
	}
	return nil
}

// written counts what writing, comparing or hashing values takes, and says how much that is.
func written(m *meter, values ...starlark.Value) (int64, error) {
	left := int64(maxBytes)
	for _, v := range values {
		if err := deep(v, 0, &left); err != nil {
			return 0, err
		}
	}
	return maxBytes - left, m.compute(maxBytes - left)
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
		if !ok || n > maxBytes {
			return maxBytes + 1, nil
		}
		return max(n, 0) * b, nil
	}
	return a + b, nil
}

// guarded are the operators that make larger values of smaller ones.
var guarded = map[syntax.Token]bool{syntax.PLUS: true, syntax.MINUS: true, syntax.STAR: true, syntax.PERCENT: true, syntax.LTLT: true, syntax.PIPE: true, syntax.IN: true, syntax.NOT_IN: true}

// binaryGuard is an operator that counts.
func binaryGuard(op syntax.Token, m *meter, x, y starlark.Value) (starlark.Value, error) {
	if err := binaryCost(op, m, x, y); err != nil {
		return nil, err
	}
	return starlark.Binary(op, x, y)
}

func binaryCost(op syntax.Token, m *meter, x, y starlark.Value) error {
	switch x.(type) {
	case array, starlark.Float, factor:
		return nil
	}
	switch y.(type) {
	case array, starlark.Float, factor:
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
	case method && name == "format":
		all, err := written(m, all...)
		return n + int64(strings.Count(string(text), "{"))*all, err
	case name == "str" || name == "repr" || name == "print" || name == "fail" || name == "hash" || name == "set" || name == "dict" || name == "sorted" || name == "min" || name == "max" || b.Receiver() != nil && !method && name != "extend" && name != "append" && name != "insert":
		_, err := written(m, all...)
		return n, err
	}
	return n, nil
}

// counted is a function of Starlark that counts.
func counted(b *starlark.Builtin) *starlark.Builtin {
	call := func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		m := meterOf(thread)
		n, err := callBytes(m, b, args, kwargs)
		if err == nil {
			err = m.compute(n)
		}
		if err != nil {
			return nil, err
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
func attribute(v starlark.Value, name string) (starlark.Value, error) {
	if x, ok := v.(starlark.HasAttrs); ok {
		member, err := x.Attr(name)
		if b, method := member.(*starlark.Builtin); method && err == nil {
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
		names[name] = starlark.NewBuiltin(name, func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return f(meterOf(thread), args)
		})
	}
	for op := range guarded {
		name := "(" + op.String() + ")"
		names[name] = starlark.NewBuiltin(name, func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return binaryGuard(op, meterOf(thread), args[0], args[1])
		})
		add("("+op.String()+"=)", func(m *meter, args starlark.Tuple) (starlark.Value, error) {
			return args[1], binaryCost(op, m, args[0], args[1])
		})
	}
	add("(.)", func(_ *meter, args starlark.Tuple) (starlark.Value, error) {
		return attribute(args[0], string(args[1].(starlark.String)))
	})
	add(itemName, func(m *meter, args starlark.Tuple) (starlark.Value, error) {
		return setItem(m, args[0], args[1], args[2], string(args[3].(starlark.String)))
	})
	add("(copied)", func(m *meter, args starlark.Tuple) (starlark.Value, error) {
		if _, tensor := args[0].(array); tensor {
			return args[0], nil
		}
		return args[0], m.compute(weight(args[0]))
	})
	add("(key)", func(m *meter, args starlark.Tuple) (starlark.Value, error) {
		if _, nested := args[0].(starlark.Tuple); !nested {
			return args[0], nil
		}
		_, err := written(m, args[0])
		return args[0], err
	})
	return names
}

// guardedExpression is an expression whose operations count.
func guardedExpression(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.BinaryExpr:
		if guarded[e.Op] && !isFactor(e.X) && !isFactor(e.Y) {
			return call("("+e.Op.String()+")", e.OpPos, e.X, e.Y)
		}
	case *syntax.DotExpr:
		name := &syntax.Literal{Token: syntax.STRING, TokenPos: e.NamePos, Raw: `"` + e.Name.Name + `"`, Value: e.Name.Name}
		return call("(.)", e.Dot, e.X, name)
	case *syntax.SliceExpr:
		e.X = call("(copied)", e.Lbrack, e.X)
	case *syntax.IndexExpr:
		e.Y = asKey(e.Y)
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
	switch e := e.(type) {
	case *syntax.Ident:
		return e.Name == "matmul_"
	case *syntax.BinaryExpr:
		return isFactor(e.X) || isFactor(e.Y)
	}
	return false
}

// asKey is an expression whose value may be a key.
func asKey(e syntax.Expr) syntax.Expr {
	if _, plain := e.(*syntax.Literal); plain {
		return e
	}
	begin, _ := e.Span()
	return call("(key)", begin, e)
}

// guardAssignment counts what x += y makes. What stands on the left is looked at once more if that
// calls nothing.
func guardAssignment(s *syntax.AssignStmt) {
	op := s.Op - syntax.PLUS_EQ + syntax.PLUS
	if s.Op < syntax.PLUS_EQ || !guarded[op] {
		return
	}
	left := s.RHS
	if x, ok := again(s.LHS); ok {
		left = x
	}
	s.RHS = call("("+op.String()+"=)", s.OpPos, left, s.RHS)
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
		return &syntax.IndexExpr{X: x, Lbrack: e.Lbrack, Y: y, Rbrack: e.Rbrack}, ok && both
	case *syntax.CallExpr: // of a guard
		if f, ok := e.Fn.(*syntax.Ident); ok && f.Name == "(key)" {
			return again(e.Args[0])
		}
	}
	return nil, false
}

// getattr is Starlark's, with methods that count.
func getattr(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var of, instead starlark.Value
	var name string
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 2, &of, &name, &instead); err != nil {
		return nil, err
	}
	v, err := attribute(of, name)
	if err != nil && instead != nil {
		return instead, nil
	}
	return v, err
}
