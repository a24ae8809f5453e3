package spec

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"metalconform/oracles"
	"metalconform/suite"
	"metalconform/suite/tensor"
)

// definition makes the function of a file an oracle. Its parameters are names of inputs, scalars
// and axes; it returns a dictionary of tensors by output, or the one output's tensor.
func (d *draft) definition(args suite.Args) (func(*suite.Problem) suite.Answers, error) {
	parameters := make([]func(*suite.Problem, *meter) (starlark.Value, error), d.oracle.NumParams())
	for i := range parameters {
		name, at := d.oracle.Param(i)
		if parameters[i] = parameter(args, d.axes, name); parameters[i] == nil {
			return nil, fmt.Errorf("%s: the oracle's parameter %s is neither an input, nor a scalar, nor an axis (%s)", at, name, listed(d.axes))
		}
	}
	var outputs []suite.Arg
	for _, a := range args {
		if a.Writable() {
			outputs = append(outputs, a)
		}
	}
	if len(outputs) == 0 {
		return nil, fmt.Errorf("no output and no inout: there is nothing to judge")
	}
	return func(p *suite.Problem) suite.Answers {
		answers, err := d.answer(p, parameters, outputs)
		if err != nil {
			panic(suite.Mistake(err.Error()))
		}
		return answers
	}, nil
}

// parameter gives an oracle what it calls name, nil if there is no such thing.
func parameter(args suite.Args, axes []suite.Axis, name string) func(*suite.Problem, *meter) (starlark.Value, error) {
	for _, a := range args {
		switch {
		case a.Name == name && a.Buffer() && a.Role != suite.RoleOut:
			return func(p *suite.Problem, m *meter) (starlark.Value, error) {
				t, err := contents(p, a)
				return array{t, m}, err
			}
		case a.Name == name && a.Role == suite.RoleConst, slices.ContainsFunc(a.Fields, func(f suite.Field) bool { return f.Name == name }):
			return func(p *suite.Problem, _ *meter) (starlark.Value, error) { return whole(p.Scalar(name)), nil }
		}
	}
	if slices.Contains(axes, suite.Axis(name)) {
		return func(p *suite.Problem, _ *meter) (starlark.Value, error) {
			return starlark.MakeInt(p.Shape[suite.Axis(name)]), nil
		}
	}
	return nil
}

// whole is an integer where the number is one, so that it may be a length.
func whole(x float64) starlark.Value {
	if n := int64(x); float64(n) == x {
		return starlark.MakeInt64(n)
	}
	return starlark.Float(x)
}

// contents are the elements of an input in the shape of its extents.
func contents(p *suite.Problem, a suite.Arg) (*tensor.Tensor, error) {
	shape := extents(a, p.Shape)
	if _, float := a.Type.Format(); float {
		return tensor.New(p.Values(a.Name), shape...)
	}
	return tensor.New(p.Integers(a.Name), shape...)
}

func extents(a suite.Arg, s suite.Shape) []int {
	shape := make([]int, len(a.Extents))
	for i, e := range a.Extents {
		shape[i] = e.Size(s)
	}
	return shape
}

// answer calls the oracle at a point.
func (d *draft) answer(p *suite.Problem, parameters []func(*suite.Problem, *meter) (starlark.Value, error), outputs []suite.Arg) (suite.Answers, error) {
	m := newMeter()
	args := make(starlark.Tuple, len(parameters))
	for i, give := range parameters {
		var err error
		if args[i], err = give(p, m); err != nil {
			return nil, err
		}
	}
	v, err := starlark.Call(newThread(d.name, m), d.oracle, args, nil)
	if err != nil {
		return nil, positioned(err)
	}
	given := map[string]starlark.Value{}
	if dict, ok := v.(*starlark.Dict); ok {
		for _, item := range dict.Items() {
			name, _ := starlark.AsString(item[0])
			given[name] = item[1]
		}
	} else if len(outputs) == 1 {
		given[outputs[0].Name] = v
	}
	answers := suite.Answers{}
	for _, a := range outputs {
		t, err := fromValue(given[a.Name])
		if given[a.Name] == nil || err != nil {
			return nil, fmt.Errorf("%s: the oracle returns nothing for %s: want a dictionary with %s", d.oracle.Position(), a.Name, names(outputs))
		}
		if t, err = t.Broadcast(extents(a, p.Shape)...); err != nil {
			return nil, fmt.Errorf("%s: the oracle's %s: %w", d.oracle.Position(), a.Name, err)
		}
		answers[a.Name] = oracles.Answer{Want: t.Data(), Plain: true}
		delete(given, a.Name)
	}
	for name := range given {
		return nil, fmt.Errorf("%s: the oracle returns %q, which is no output: there are %s", d.oracle.Position(), name, names(outputs))
	}
	return answers, nil
}

func names(args []suite.Arg) string {
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = a.Name
	}
	return strings.Join(words, ", ")
}
