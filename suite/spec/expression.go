package spec

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
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
	text   string
	form   *formula // of the text
	call   *starlark.Function
	own    pointed // of a program
	shown  string  // what the function is, for readers
}

// String is the expression as the specification has it, for pages.
func (e expression) String() string {
	switch {
	case e.text != "":
		return e.text
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
		e.text, e.form = string(v), &formula{text: string(v)}
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
	if e.text == "" {
		return e, nil
	}
	sample := suite.Shape{}
	for _, a := range axes {
		sample[a] = 1
	}
	if _, err := e.evaluate(sample); err != nil {
		return e, fmt.Errorf("%s: %q: %w (axes are %s)", at, e.text, err, listed(axes))
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
	if n, ok := s[suite.Axis(e.text)]; ok && e.call == nil && named.MatchString(e.text) {
		return starlark.MakeInt(n), nil
	}
	m := newMeter(&ofExpressions)
	m.nested = true
	thread := newThread(e.at, m)
	if e.call == nil {
		return e.form.evaluate(thread, s)
	}
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

// named is a text that is a name and nothing else.
var named = regexp.MustCompile(`^[A-Za-z_][A-Za-z_0-9]*$`)

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

// formula is an expression over axes in a string. It is compiled once for each set of names that are axes: a sweep
// evaluates the lengths of a kernel at thousands of points.
type formula struct {
	text string
	mu   sync.Mutex
	made map[string]compiled // by the names that are axes
	uses []string            // the names in the text
}

// compiled is a formula as a function of axes.
type compiled struct {
	axes []suite.Axis
	of   *starlark.Function
}

// evaluate is the value at a point. Errors do not say where in the formula they are: it is short, and the caller shows
// all of it.
func (f *formula) evaluate(thread *starlark.Thread, s suite.Shape) (starlark.Value, error) {
	c, err := f.compiledFor(s)
	if err != nil {
		return nil, unplaced(err)
	}
	args := make(starlark.Tuple, len(c.axes))
	for i, a := range c.axes {
		args[i] = starlark.MakeInt(s[a])
	}
	v, err := starlark.Call(thread, c.of, args, nil)
	if err != nil {
		return nil, unplaced(err)
	}
	return v, nil
}

// compiledFor is the function for the axes that a point has.
func (f *formula) compiledFor(s suite.Shape) (c compiled, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var expr syntax.Expr
	if f.uses == nil {
		if expr, err = dialect.ParseExpr("", f.text, 0); err != nil {
			return c, err
		}
		f.uses = namesOfExpression(expr)
	}
	var axes []suite.Axis
	var key strings.Builder
	for _, name := range f.uses {
		if _, is := s[suite.Axis(name)]; is {
			axes = append(axes, suite.Axis(name))
			key.WriteString(name + " ")
		}
	}
	if c, found := f.made[key.String()]; found {
		return c, nil
	}
	if expr == nil {
		if expr, err = dialect.ParseExpr("", f.text, 0); err != nil {
			return c, err
		}
	}
	if c, err = compileFormula(expr, axes, ofLanguage); err != nil {
		return c, err
	}
	if f.made == nil {
		f.made = map[string]compiled{}
	}
	f.made[key.String()] = c
	return c, nil
}

// ofLanguage is what the language has of a name; nil: nothing.
func ofLanguage(name string) starlark.Value { return language[name] }

// compileFormula makes a function of axes from an expression, which may not be used afterwards. of says what other
// names stand for.
func compileFormula(expr syntax.Expr, axes []suite.Axis, of func(name string) starlark.Value) (compiled, error) {
	c := compiled{axes: axes}
	r := &rewriter{own: [][]string{nil}}
	if r.visit(reflect.ValueOf(&expr).Elem()); r.err != nil {
		return c, r.err
	}
	lambda := &syntax.LambdaExpr{Body: expr}
	for _, a := range axes {
		lambda.Params = append(lambda.Params, &syntax.Ident{Name: string(a)})
	}
	env := starlark.StringDict{} // the language has hundreds of names, and a pack thousands of expressions
	syntax.Walk(expr, func(n syntax.Node) bool {
		if id, ok := n.(*syntax.Ident); ok && of(id.Name) != nil {
			env[id.Name] = of(id.Name)
		}
		return true
	})
	v, err := starlark.EvalExprOptions(dialect, &starlark.Thread{}, lambda, env)
	if err != nil {
		return c, err
	}
	v.Freeze()
	c.of = v.(*starlark.Function)
	return c, nil
}

// namesOfExpression are the names in an expression, in order; not nil.
func namesOfExpression(expr syntax.Expr) []string {
	names := []string{}
	syntax.Walk(expr, func(n syntax.Node) bool {
		if id, ok := n.(*syntax.Ident); ok && !slices.Contains(names, id.Name) {
			names = append(names, id.Name)
		}
		return true
	})
	return names
}

// unplaced is an error of Starlark without its position.
func unplaced(err error) error {
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
