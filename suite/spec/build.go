package spec

import (
	"fmt"
	"math"
	"strconv"

	"go.starlark.net/starlark"

	"metalconform/suite"
)

// build makes what the host chooses when it compiles: constants of functions and macros, each a
// number that depends on the point, or for a macro a text that a function of axes returns.
func (d *draft) build() (func(suite.Shape) suite.Build, error) {
	if d.constants == nil && d.macros == nil {
		return nil, nil
	}
	read := func(what string, of *starlark.Dict) (map[string]expression, error) {
		all := map[string]expression{}
		if of == nil {
			return all, nil
		}
		for _, item := range of.Items() {
			name, ok := starlark.AsString(item[0])
			if i, isInt := item[0].(starlark.Int); isInt {
				name, ok = i.String(), true
			}
			if !ok {
				return nil, fmt.Errorf("%s: got %s, want a name", what, item[0].Type())
			}
			e, err := newExpression(fmt.Sprintf("%s: %s %s", d.at, what, name), item[1], d.axes)
			if err != nil {
				return nil, err
			}
			all[name] = e
		}
		return all, nil
	}
	constants, err := read("constant", d.constants)
	if err != nil {
		return nil, err
	}
	macros, err := read("macro", d.macros)
	if err != nil {
		return nil, err
	}
	return func(s suite.Shape) suite.Build {
		b := suite.Build{Constants: map[string]float64{}, Macros: map[string]string{}}
		for name, e := range constants {
			b.Constants[name] = e.Value(s)
		}
		for name, e := range macros {
			b.Macros[name] = e.spelled(s)
		}
		return b
	}, nil
}

// spelled is what a macro stands for at a point.
func (e expression) spelled(s suite.Shape) string {
	v, err := e.evaluate(s)
	if err != nil {
		panic(suite.Mistake(fmt.Sprintf("%s: %v", e.at, err)))
	}
	if text, ok := starlark.AsString(v); ok {
		return text
	}
	x := e.Value(s)
	if x == math.Trunc(x) {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
