package spec

import (
	"fmt"
	"math"
	"math/rand/v2"

	"go.starlark.net/starlark"

	"metalconform/internal/budget"
	"metalconform/suite"
	"metalconform/suite/tensor"
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
		e.text, e.form = string(v), &formula{text: string(v)}
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

// Fills that are functions of indices, such as masks of attention. The extents that they are about are the last ones of
// an argument: those before them repeat the pattern.

// pattern is such a fill.
type pattern struct {
	name    string
	at      string // where it stands
	extents []expression
	of      func(s suite.Shape, sizes []int) ([]float64, error)
}

// filling is the pattern as a value of Starlark.
func (p pattern) filling() filling {
	return filling{p.name, func(_ *rand.Rand, s suite.Shape, x []float64) {
		sizes, n := make([]int, len(p.extents)), 1
		for i, e := range p.extents {
			sizes[i] = e.Size(s)
			n *= max(sizes[i], 0)
		}
		if n == 0 && len(x) == 0 {
			return
		}
		if n == 0 || n > len(x) || len(x)%n != 0 {
			panic(suite.Mistake(fmt.Sprintf("%s: a pattern of %v elements does not fill %d", p.at, sizes, len(x))))
		}
		values, err := p.of(s, sizes)
		if err != nil {
			panic(suite.Mistake(fmt.Sprintf("%s: %v", p.at, err)))
		}
		for i := range x {
			x[i] = values[i%n]
		}
	}}
}

// extentsOf are lengths that depend on the point.
func extentsOf(thread *starlark.Thread, name string, values ...starlark.Value) ([]expression, error) {
	list := make([]expression, len(values))
	for i, v := range values {
		var err error
		if list[i], err = endOf(thread, name, v); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// causal is a mask in which a row sees no column behind its own.
func causal(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value,
	error) {
	return masks(thread, name, args, kwargs, nil)
}

// banded is a mask in which a row sees its own column and some before it.
func banded(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value,
	error) {
	return masks(thread, name, args, kwargs, new(starlark.Value))
}

// masks makes a mask. width, if not nil, receives how many columns a row sees.
func masks(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple,
	width *starlark.Value) (starlark.Value, error) {
	var rows, columns starlark.Value
	var start starlark.Value = starlark.MakeInt(0)
	masked := number(math.Inf(-1))
	wanted := []any{"rows", &rows, "columns", &columns}
	if width != nil {
		wanted = append(wanted, "width", width)
	}
	wanted = append(wanted, "start?", &start, "masked?", &masked)
	if err := starlark.UnpackArgs(name, args, kwargs, wanted...); err != nil {
		return nil, err
	}
	extents, err := extentsOf(thread, name, rows, columns)
	if err != nil {
		return nil, err
	}
	ends := []starlark.Value{start}
	if width != nil {
		ends = append(ends, *width)
	}
	bounds, err := extentsOf(thread, name, ends...)
	if err != nil {
		return nil, err
	}
	return pattern{name, caller(thread) + ": " + name, extents, func(s suite.Shape, sizes []int) ([]float64, error) {
		first, seen := bounds[0].Size(s), math.MaxInt
		if width != nil {
			seen = bounds[1].Size(s)
		}
		values := make([]float64, sizes[0]*sizes[1])
		for i := range values {
			if behind := i/sizes[1] + first - i%sizes[1]; behind < 0 || behind >= seen {
				values[i] = float64(masked)
			}
		}
		return values, nil
	}}.filling(), nil
}

// indexed is a function of the indices of an element.
func indexed(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value,
	error) {
	if len(kwargs) > 0 || len(args) < 2 {
		return nil, fmt.Errorf("%s: want extents and a function of as many indices", name)
	}
	f, ok := args[len(args)-1].(*starlark.Function)
	if !ok {
		return nil, fmt.Errorf("%s: got %s, want a function of indices at the end", name, args[len(args)-1].Type())
	}
	extents, err := extentsOf(thread, name, args[:len(args)-1]...)
	if err != nil {
		return nil, err
	}
	if f.NumParams() < len(extents) {
		return nil, fmt.Errorf("%s: a function of %d indices for %d extents", name, f.NumParams(), len(extents))
	}
	at, limits := caller(thread)+": "+name, meterOf(thread).limits
	return pattern{name, at, extents, func(s suite.Shape, sizes []int) ([]float64, error) {
		m := newMeter(limits)
		defer m.end()
		given, err := indices(f, s, sizes)
		if err != nil {
			return nil, err
		}
		v, err := starlark.Call(newThread(at, m), f, given, nil)
		if err != nil {
			return nil, positioned(err)
		}
		t, ok := operand(v)
		if !ok {
			return nil, fmt.Errorf("the function returns %s, want a number or a tensor", v.Type())
		}
		if t, err = t.Broadcast(sizes...); err != nil {
			return nil, err
		}
		return t.Data(), nil
	}}.filling(), nil
}

// indices are the arguments of a function of indices: a tensor along each extent, and then axes by their names.
func indices(f *starlark.Function, s suite.Shape, sizes []int) (starlark.Tuple, error) {
	var list starlark.Tuple
	for i, n := range sizes {
		shape, values := make([]int, len(sizes)), make([]float64, n)
		for j := range shape {
			shape[j] = 1
		}
		shape[i] = n
		for j := range values {
			values[j] = float64(j)
		}
		t, err := tensor.New(values, shape...)
		if err != nil {
			return nil, err
		}
		list = append(list, wrap(t))
	}
	for i := len(sizes); i < f.NumParams(); i++ {
		name, _ := f.Param(i)
		n, ok := s[suite.Axis(name)]
		if !ok {
			return nil, fmt.Errorf("the parameter %s is no axis", name)
		}
		list = append(list, starlark.MakeInt(n))
	}
	return list, nil
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
