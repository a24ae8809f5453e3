package spec

import (
	"errors"
	"reflect"
	"slices"
	"sync"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"metalconform/internal/printable"
	"metalconform/suite"
)

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
