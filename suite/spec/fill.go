package spec

import (
	"fmt"
	"math/rand/v2"

	"go.starlark.net/starlark"

	"metalconform/internal/budget"
	"metalconform/suite"
)

// fills are the distributions that need no numbers.
var fills = map[string]suite.Fill{
	"normal": suite.Normal, "wide": suite.Wide, "cancelling": suite.Cancelling, "positive": suite.Positive,
	"integers": suite.Integers, "subnormal": suite.Subnormal, "extremes": Extremes, "zeros_of": suite.Zeros,
}

// Extremes draws numbers far apart, the largest of bfloat among them.
var Extremes = extremesUpTo(largestBFloat)

// filling is how a buffer is filled.
type filling struct {
	name string
	fill suite.Fill
}

func (f filling) String() string      { return f.name }
func (filling) Type() string          { return "fill" }
func (filling) Freeze()               {}
func (filling) Truth() starlark.Bool  { return true }
func (filling) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable: fill") }

func uniform(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var low, high number
	if err := starlark.UnpackArgs(name, args, kwargs, "low", &low, "high", &high); err != nil {
		return nil, err
	}
	return filling{name, suite.Uniform(float64(low), float64(high))}, nil
}

// numbersOf are the arguments of a fill, or what a list as its only argument holds.
func numbersOf(name string, args starlark.Tuple) ([]float64, error) {
	if len(args) == 1 {
		switch args[0].(type) {
		case *starlark.List, starlark.Tuple:
			args = list(args[0])
		}
	}
	of := make([]float64, len(args))
	for i, v := range args {
		if err := (*number)(&of[i]).Unpack(v); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return of, nil
}

func choice(_ *starlark.Thread, name string, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	of, err := numbersOf(name, args)
	if err != nil {
		return nil, err
	}
	if len(of) == 0 {
		return nil, fmt.Errorf("choice: no values")
	}
	return filling{name, suite.Choice(of...)}, nil
}

// fixedValues are the first elements; zeros follow.
func fixedValues(_ *starlark.Thread, name string, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	of, err := numbersOf(name, args)
	if err != nil {
		return nil, err
	}
	return filling{name, suite.Values(of...)}, nil
}

func every(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var value number
	if err := starlark.UnpackArgs(name, args, kwargs, "value", &value); err != nil {
		return nil, err
	}
	return filling{name, suite.Every(float64(value))}, nil
}

func scaled(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var (
		of     filling
		factor number
	)
	if err := starlark.UnpackArgs(name, args, kwargs, "fill", &of, "factor", &factor); err != nil {
		return nil, err
	}
	return filling{name, suite.Scaled(of.fill, float64(factor))}, nil
}

// endOf is a length that depends on the point, for fills.
func endOf(thread *starlark.Thread, name string, v starlark.Value) (expression, error) {
	e := expression{at: caller(thread) + ": " + name}
	switch v := v.(type) {
	case starlark.Int:
		e.number = v
	case starlark.String:
		e.text = string(v)
	case pointed:
		e.own = v
	default:
		return e, fmt.Errorf("%s: got %s, want a number or an expression over axes in quotes", name, v.Type())
	}
	return e, nil
}

// distinct draws integers from 0 up to a length, each at most once: places that several threads may write. With
// missing about every fourth element is that instead, and so are those that no integer is left for.
func distinct(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value,
	error) {
	var end, missing starlark.Value
	if err := starlark.UnpackArgs(name, args, kwargs, "end", &end, "missing??", &missing); err != nil {
		return nil, err
	}
	e, err := endOf(thread, name, end)
	if err != nil {
		return nil, err
	}
	var instead []float64
	if missing != nil {
		instead = make([]float64, 1)
		if err := (*number)(&instead[0]).Unpack(missing); err != nil {
			return nil, fmt.Errorf("distinct: missing: %w", err)
		}
	}
	return filling{name, func(r *rand.Rand, s suite.Shape, x []float64) {
		if n := e.Size(s); n < len(x) && missing == nil {
			panic(suite.Mistake(fmt.Sprintf("%s: %d elements, and %d integers below the end: want as many, or "+
				"missing = what stands for none", e.at, len(x), n)))
		}
		suite.Distinct(e, instead...)(r, s, x)
	}}, nil
}

// below draws integers from 0 up to a length that depends on the point, and not that.
func below(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var end starlark.Value
	if err := starlark.UnpackArgs(name, args, kwargs, "end", &end); err != nil {
		return nil, err
	}
	e, err := endOf(thread, name, end)
	if err != nil {
		return nil, err
	}
	return filling{name, suite.Below(e)}, nil
}

// offsets draws where parts of a length begin and end.
func offsets(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value,
	error) {
	var end starlark.Value
	if err := starlark.UnpackArgs(name, args, kwargs, "end", &end); err != nil {
		return nil, err
	}
	e, err := endOf(thread, name, end)
	if err != nil {
		return nil, err
	}
	return filling{name, suite.Offsets(e)}, nil
}

// families is a list of families of inputs.
type families struct {
	starlark.Value // None
	list           []suite.Input
	standard       []string // arguments; then list is empty
	all            bool     // of all floating-point arguments
	finite         bool
	without        []string // families that are left out
}

// Type names it in messages.
func (*families) Type() string { return "inputs" }

// family is one family of inputs: its name, whether elements are drawn independently, and fills
// by argument.
func family(thread *starlark.Thread, fn string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var (
		name   string
		random bool
		dict   *starlark.Dict
	)
	if err := starlark.UnpackArgs(fn, args, kwargs, "name", &name, "fills?", &dict, "random?", &random); err != nil {
		return nil, err
	}
	if err := meterOf(thread).affords(budget.Families, 1); err != nil {
		return nil, err
	}
	in := suite.Input{Name: name, Random: random, Fills: suite.Fills{}, Own: true}
	if dict != nil {
		for _, item := range dict.Items() {
			arg, ok := starlark.AsString(item[0])
			var f asFill
			if err := f.Unpack(item[1]); !ok || err != nil {
				return nil, fmt.Errorf("family %s: got %s: %s, want an argument's name and a fill or a tensor", name,
					item[0], item[1].Type())
			}
			in.Fills[arg] = f.Fill
		}
	}
	return &families{Value: opaque, list: []suite.Input{in}}, nil
}

// standard is the families that every kernel should meet, over the arguments named, or over all
// floating-point ones.
func standard(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	f := &families{Value: opaque, all: len(args) == 0}
	without := new(starlark.List)
	if err := starlark.UnpackArgs(name, nil, kwargs, "finite?", &f.finite, "without?", &without); err != nil {
		return nil, err
	}
	for v := range without.Elements() {
		family, ok := starlark.AsString(v)
		if !ok {
			return nil, fmt.Errorf("standard: without has a %s, want names of families", v.Type())
		}
		f.without = append(f.without, family)
	}
	for _, v := range args {
		arg, ok := starlark.AsString(v)
		if !ok {
			return nil, fmt.Errorf("standard: got %s, want names of arguments", v.Type())
		}
		f.standard = append(f.standard, arg)
	}
	return f, nil
}
