package spec

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"go.starlark.net/starlark"

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
