package spec

import (
	"fmt"
	"reflect"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// dialect is what the language allows beside the defaults: definitions may loop and be recursive
// in no other way than for.
var dialect = &syntax.FileOptions{TopLevelControl: true, GlobalReassign: true, While: true}

// parse reads a file as NumPy would: notation has its meaning, and comparisons are those of elements. What stands
// in front of the text that somebody wrote counts in no position. shown is what functions without a name compute, by
// where they stand.
func parse(name, head string, text []byte) (f *syntax.File, shown map[spot]string, err error) {
	replaced, at := notation(string(text))
	at = at.behind(head)
	if f, err = dialect.Parse(name, head+replaced, 0); err != nil {
		if wrong, ok := err.(syntax.Error); ok {
			wrong.Pos = at.original(wrong.Pos)
			return nil, nil, wrong
		}
		return nil, nil, err
	}
	shown = bodies(f, string(text), at)
	r := &rewriter{at: at, own: [][]string{namesOf(nil, f.Stmts)}}
	r.visit(reflect.ValueOf(f))
	return f, shown, r.err
}

// bodies are the texts of the lambdas in a file, as they were written.
func bodies(f *syntax.File, text string, at positions) map[spot]string {
	shown := map[spot]string{}
	var lines [][]rune
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, []rune(line))
	}
	syntax.Walk(f, func(n syntax.Node) bool {
		if l, ok := n.(*syntax.LambdaExpr); ok {
			first, end := l.Body.Span()
			first, end = at.original(first), at.original(end)
			begin := at.original(l.Lambda)
			shown[spot{begin.Line, begin.Col}] = between(lines, first, end)
		}
		return true
	})
	return shown
}

// mostShown is how much of a lambda is shown: those in each other repeat what they hold.
const mostShown = 1000

// between is the text from one position to another, in one line.
func between(lines [][]rune, first, end syntax.Position) string {
	var parts []string
	left := mostShown
	for n := first.Line; n <= end.Line && int(n) <= len(lines); n++ {
		line := lines[n-1]
		from, to := 0, len(line)
		if n == first.Line {
			from = min(int(first.Col)-1, to)
		}
		if n == end.Line {
			to = max(from, min(int(end.Col)-1, to))
		}
		if left -= to - from; left < 0 {
			parts = append(parts, strings.Fields(string(line[from:to+left]))...)
			return strings.Join(parts, " ") + " …"
		}
		parts = append(parts, strings.Fields(string(line[from:to]))...)
	}
	return strings.Join(parts, " ")
}

// rewriter changes a syntax tree.
type rewriter struct {
	at    positions
	depth int        // of expressions in expressions
	own   [][]string // the names of the file and of the functions around
	err   error
}

// maxChain bounds expressions such as a + b + …, each of which stands in the next.
const maxChain = 2000

var positionType = reflect.TypeFor[syntax.Position]()

// visit puts positions right, makes comparisons calls, and asks tensors for their truth.
func (r *rewriter) visit(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			r.visit(v.Elem())
		}
	case reflect.Interface:
		if v.IsNil() || r.err != nil {
			return
		}
		if r.depth++; r.depth > maxChain {
			r.err = fmt.Errorf("expressions nest deeper than %d", maxChain)
			return
		}
		r.visit(v.Elem())
		r.depth--
		if e, ok := v.Interface().(syntax.Expr); ok && v.CanSet() {
			v.Set(reflect.ValueOf(guardedExpression(rewritten(e))))
		}
	case reflect.Slice:
		for i := range v.Len() {
			r.visit(v.Index(i))
		}
	case reflect.Struct:
		if v.Type() == positionType {
			if v.CanSet() {
				v.Set(reflect.ValueOf(r.at.original(v.Interface().(syntax.Position))))
			}
			return
		}
		if v.CanAddr() {
			if f, ok := v.Addr().Interface().(*syntax.DefStmt); ok {
				r.own = append(r.own, namesOf(f.Params, f.Body))
				defer func() { r.own = r.own[:len(r.own)-1] }()
			}
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				r.visit(v.Field(i))
			}
		}
		if v.CanAddr() {
			switch n := v.Addr().Interface().(type) {
			case *syntax.AssignStmt:
				n.LHS = target(n.LHS)
				if r.assign(n); n.Op != syntax.EQ {
					guardAssignment(n)
				}
			case *syntax.ForStmt:
				n.Vars = target(n.Vars)
			case *syntax.ForClause:
				n.Vars = target(n.Vars)
			case *syntax.IfStmt:
				n.Cond = asked(n.Cond)
			case *syntax.WhileStmt:
				n.Cond = asked(n.Cond)
			}
		}
	}
}

// rewritten is what an expression means here.
func rewritten(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.BinaryExpr:
		switch e.Op {
		case syntax.LT, syntax.LE, syntax.GT, syntax.GE, syntax.EQL, syntax.NEQ:
			return call("("+e.Op.String()+")", e.OpPos, e.X, e.Y)
		case syntax.AND, syntax.OR:
			e.X = asked(e.X)
		}
	case *syntax.UnaryExpr:
		if e.Op == syntax.NOT {
			e.X = asked(e.X)
		}
	case *syntax.CondExpr:
		e.Cond = asked(e.Cond)
	}
	return e
}

func asked(e syntax.Expr) syntax.Expr {
	begin, _ := e.Span()
	return call("(truth)", begin, e)
}

func call(name string, at syntax.Position, args ...syntax.Expr) syntax.Expr {
	return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: at, Name: name}, Lparen: at, Args: args, Rparen: at}
}

// operatorNames are predeclared, though no file can spell them.
func operatorNames() starlark.StringDict {
	names := starlark.StringDict{ellipsisName: ellipsis{starlark.None}}
	for op, f := range map[syntax.Token]string{
		syntax.LT: "less", syntax.LE: "less_equal", syntax.GT: "greater", syntax.GE: "greater_equal",
		syntax.EQL: "equal", syntax.NEQ: "not_equal",
	} {
		name := "(" + op.String() + ")"
		names[name] = starlark.NewBuiltin(name, func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple,
			_ []starlark.Tuple) (starlark.Value, error) {
			_, left := args[0].(array)
			_, right := args[1].(array)
			if !left && !right {
				meterOf(thread).decides(args[0], args[1])
				if _, err := written(meterOf(thread), args[0], args[1]); err != nil {
					return nil, err
				}
				held, err := starlark.Compare(op, args[0], args[1])
				return starlark.Bool(held), err
			}
			a, ok := operand(args[0])
			b, both := operand(args[1])
			if !ok || !both {
				return starlark.Bool(op == syntax.NEQ), nil // as None is no tensor
			}
			v, err := result(zipped(f, a, b, pairwise[f]))
			if err != nil {
				return nil, err
			}
			return metered(thread, truthful(v))
		})
	}
	names["(@)"] = starlark.NewBuiltin("(@)", func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple,
		_ []starlark.Tuple) (starlark.Value, error) {
		for _, v := range args {
			if _, ok := v.(array); !ok {
				return nil, fmt.Errorf("@: got %s, want a tensor", v.Type())
			}
		}
		m := meterOf(thread)
		t, err := m.product(args[0].(array).Tensor, args[1].(array).Tensor)
		if err != nil {
			return nil, err
		}
		t = m.erring(t, false)
		return wrap(t), m.made(t)
	})
	names["(truth)"] = starlark.NewBuiltin("(truth)", func(thread *starlark.Thread, _ *starlark.Builtin,
		args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		a, ok := args[0].(array)
		if !ok {
			return args[0], nil
		}
		if !a.Exact() {
			meterOf(thread).floats()
		}
		if a.Tensor.Len() != 1 {
			return nil,
				fmt.Errorf("a tensor of shape %s is neither true nor false: where(condition, x, y) chooses by element",
					shapeOf(a))
		}
		return starlark.Bool(a.Data()[0] != 0), nil
	})
	return names
}

// shapeOf is a shape for messages.
func shapeOf(a array) string {
	v, _ := a.Attr("shape")
	return v.String()
}

// run are the globals that a file makes.
func run(thread *starlark.Thread, file *syntax.File) (starlark.StringDict, error) {
	program, err := starlark.FileProgram(file, predeclared.Has)
	if err != nil {
		return nil, advised(err)
	}
	globals, err := program.Init(thread, predeclared)
	if err != nil {
		return nil, positioned(err)
	}
	globals.Freeze()
	return globals, nil
}
