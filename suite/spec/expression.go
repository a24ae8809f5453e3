package spec

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"metalconform/internal/printable"
	"metalconform/suite"
)

// expression is a number that depends on the point: a literal, an expression over axes in a
// string, or a function whose parameters are axes.
type expression struct {
	at     string // where it stands
	number starlark.Value
	text   *formula
	call   *starlark.Function
	own    pointed // of a program
	shown  string  // what the function is, for readers
}

// String is the expression as the specification has it, for pages.
func (e expression) String() string {
	switch {
	case e.text != nil:
		return e.text.text
	case e.number != nil:
		return e.number.String()
	case e.shown != "":
		return e.shown
	}
	return "…"
}

// written is the expression with what its function computes, by where functions without a name stand in the file; of
// others the name says it.
func (e expression) written(lambdas map[string]map[spot]string) expression {
	if e.call == nil {
		return e
	}
	if at := e.call.Position(); e.call.Name() == "lambda" {
		e.shown = lambdas[at.Filename()][spot{at.Line, at.Col}]
		return e
	}
	names := make([]string, e.call.NumParams())
	for i := range names {
		names[i], _ = e.call.Param(i)
	}
	e.shown = fmt.Sprintf("%s(%s)", e.call.Name(), strings.Join(names, ", "))
	return e
}

// newExpression reads what an argument of a specification is, and holds its names against axes.
func newExpression(at string, v starlark.Value, axes []suite.Axis) (expression, error) {
	e := expression{at: at}
	switch v := v.(type) {
	case starlark.Int, starlark.Float, starlark.Bool:
		e.number = v
	case starlark.String:
		e.text = newFormula(string(v))
	case pointed:
		e.own = v
		return e, nil
	case *starlark.Function:
		e.call = v
		for i := range v.NumParams() {
			if name, _ := v.Param(i); !slices.Contains(axes, suite.Axis(name)) {
				return e, fmt.Errorf("%s: %s: %q is not an axis: there are %s", v.Position(), at, name, listed(axes))
			}
		}
		return e, nil
	default:
		return e, fmt.Errorf("%s: got %s, want a number, an expression over axes in quotes, or a function of axes", at,
			v.Type())
	}
	if e.text == nil {
		return e, nil
	}
	sample := suite.Shape{}
	for _, a := range axes {
		sample[a] = 1
	}
	if _, err := e.evaluate(sample); err != nil {
		return e, fmt.Errorf("%s: %q: %w (axes are %s)", at, e.text.text, err, listed(axes))
	}
	return e, nil
}

// is reports whether the expression is an axis and nothing else, at a point and beside it.
func (e expression) is(axis suite.Axis, at suite.Shape) bool {
	for _, n := range []int{at[axis], at[axis] + 1} {
		v, err := e.evaluate(at.With(suite.Shape{axis: n}))
		if err != nil {
			return false
		}
		if x, ok := starlark.AsFloat(v); !ok || x != float64(n) {
			return false
		}
	}
	return true
}

// listed are axes as people write them.
func listed(axes []suite.Axis) string {
	words := make([]string, len(axes))
	for i, a := range axes {
		words[i] = string(a)
	}
	return strings.Join(words, ", ")
}

// helpers are what expressions have beside axes.
var helpers = starlark.StringDict{
	"ceil_div": starlark.NewBuiltin("ceil_div", func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple,
		kwargs []starlark.Tuple) (starlark.Value, error) {
		var n, by int
		if err := starlark.UnpackArgs(b.Name(), args, kwargs, "n", &n, "by", &by); err != nil {
			return nil, err
		}
		if by < 1 {
			return nil, fmt.Errorf("ceil_div: by %d", by)
		}
		return starlark.MakeInt((n + by - 1) / by), nil
	}),
}

// evaluate is the value at a point.
func (e expression) evaluate(s suite.Shape) (starlark.Value, error) {
	if e.number != nil {
		return e.number, nil
	}
	if e.own != nil {
		return e.own(s)
	}
	if e.text != nil {
		return e.text.at(s, e.at)
	}
	thread := ofExpression(e.at)
	args := make(starlark.Tuple, e.call.NumParams())
	for i := range args {
		name, _ := e.call.Param(i)
		args[i] = starlark.MakeInt(s[suite.Axis(name)])
	}
	v, err := starlark.Call(thread, e.call, args, nil)
	if err != nil {
		return nil, positioned(err)
	}
	return v, nil
}

// ofExpression is a thread for a short expression.
func ofExpression(name string) *starlark.Thread {
	m := newMeter(&ofExpressions)
	m.nested = true
	return newThread(name, m)
}

// Value is the number at a point. A mistake is one of the specification, and ends the case.
func (e expression) Value(s suite.Shape) float64 {
	v, err := e.evaluate(s)
	if err != nil {
		panic(suite.Mistake(fmt.Sprintf("%s: %v", e.at, err)))
	}
	if b, ok := v.(starlark.Bool); ok {
		return truth(bool(b))
	}
	x, ok := starlark.AsFloat(v)
	if !ok {
		panic(suite.Mistake(fmt.Sprintf("%s: got %s, want a number", e.at, v.Type())))
	}
	return x
}

// longest is the largest length: as many threads as Metal launches, and as many elements as 32 bits count.
const longest = 1 << 32

// Size is the length at a point.
func (e expression) Size(s suite.Shape) int {
	x := e.Value(s)
	if n := int(x); float64(n) == x && n >= 0 && x <= longest {
		return n
	}
	hint := ""
	if math.Trunc(x) != x {
		hint = ": // divides integers, as in (n + 31) // 32"
	}
	panic(suite.Mistake(fmt.Sprintf("%s: %g is not a length%s", e.at, x, hint)))
}

// formula is an expression over axes in quotes. A sweep asks for its value at thousands of points, so that it is read
// once: it becomes a function whose parameters are the names in it that are axes.
type formula struct {
	text  string
	axis  bool     // whether it is a name and nothing else
	names []string // in it
	err   error    // of its syntax

	mutex     sync.Mutex
	functions map[uint64]*starlark.Function // by which names are axes
}

// mostNames is how many names a function is kept for.
const mostNames = 64

func newFormula(text string) *formula {
	f := &formula{text: text, functions: map[uint64]*starlark.Function{}}
	expr, err := parsed(text)
	if err != nil {
		f.err = described(err)
		return f
	}
	_, f.axis = expr.(*syntax.Ident)
	f.names = namesIn(expr)
	return f
}

// at is the value at a point. A name is an axis, or what the language has.
func (f *formula) at(s suite.Shape, place string) (starlark.Value, error) {
	if f.axis {
		if n, ok := s[suite.Axis(f.names[0])]; ok {
			return starlark.MakeInt(n), nil
		}
	}
	if f.err != nil {
		return nil, f.err
	}
	thread := ofExpression(place)
	call, err := f.function(thread, s)
	if err != nil {
		return nil, err
	}
	args := make(starlark.Tuple, call.NumParams())
	for i := range args {
		name, _ := call.Param(i)
		args[i] = starlark.MakeInt(s[suite.Axis(name)])
	}
	v, err := starlark.Call(thread, call, args, nil)
	return v, described(err)
}

// function has the axes that a point has as parameters.
func (f *formula) function(thread *starlark.Thread, s suite.Shape) (*starlark.Function, error) {
	var key uint64
	var axes []string
	for i, name := range f.names {
		if _, ok := s[suite.Axis(name)]; ok {
			axes = append(axes, name)
			key |= 1 << (i % mostNames)
		}
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if call := f.functions[key]; call != nil && len(f.names) <= mostNames {
		return call, nil
	}
	call, err := callable(thread, f.text, axes, func(name string) starlark.Value { return language[name] })
	if err != nil {
		return nil, err
	}
	f.functions[key] = call
	return call, nil
}

// parsed is an expression as the dialect has it.
func parsed(text string) (syntax.Expr, error) {
	expr, err := dialect.ParseExpr("", text, 0)
	if err != nil {
		return nil, err
	}
	r := &rewriter{own: [][]string{nil}}
	r.visit(reflect.ValueOf(&expr).Elem())
	return expr, r.err
}

// namesIn are the names in an expression, each once.
func namesIn(expr syntax.Expr) (names []string) {
	syntax.Walk(expr, func(n syntax.Node) bool {
		if id, ok := n.(*syntax.Ident); ok && !slices.Contains(names, id.Name) {
			names = append(names, id.Name)
		}
		return true
	})
	return names
}

// callable is a function of some names in an expression. Others have the values that they have: of says them, or nil.
func callable(thread *starlark.Thread, text string, params []string,
	of func(name string) starlark.Value) (*starlark.Function, error) {
	expr, err := parsed(text)
	if err != nil {
		return nil, described(err)
	}
	values := starlark.StringDict{}
	for _, name := range namesIn(expr) {
		if v := of(name); v != nil {
			values[name] = v
		}
	}
	begin, _ := expr.Span()
	lambda := &syntax.LambdaExpr{Lambda: begin, Body: expr}
	for _, name := range params {
		lambda.Params = append(lambda.Params, &syntax.Ident{NamePos: begin, Name: name})
	}
	v, err := starlark.EvalExprOptions(dialect, thread, lambda, values)
	if err != nil {
		return nil, described(err)
	}
	v.Freeze()
	return v.(*starlark.Function), nil
}

// described is an error without where in the expression it is: that is short, and whoever asks shows all of it.
func described(err error) error {
	var (
		wrong      syntax.Error
		unresolved resolve.ErrorList
		failed     *starlark.EvalError
	)
	switch {
	case errors.As(err, &wrong):
		return errors.New(wrong.Msg)
	case errors.As(err, &unresolved):
		return errors.New(unresolved[0].Msg)
	case errors.As(err, &failed):
		return errors.New(printable.Line(failed.Msg))
	}
	return err
}
