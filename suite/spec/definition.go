package spec

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"metalconform/oracles"
	"metalconform/suite"
	"metalconform/suite/tensor"
)

// definition makes the function of a file an oracle. Its parameters are names of inputs, scalars, tables
// and axes; it returns a dictionary of tensors by output, or the one output's tensor.
// What is recorded at a point stands in place of what it would say.
func (d *draft) definition(args suite.Args, recorded map[string]expected) (func(*suite.Problem) suite.Answers, error) {
	parameters, err := d.parameters(args)
	if err != nil {
		return nil, err
	}
	var outputs []suite.Arg
	for _, a := range args {
		if a.Writable() && !d.overlaid(a.Name) {
			outputs = append(outputs, a)
		}
	}
	if len(outputs) == 0 {
		return nil, fmt.Errorf("no output and no inout: there is nothing to judge")
	}
	return func(p *suite.Problem) suite.Answers {
		want := recorded[p.Input]
		answers := suite.Answers{}
		if len(want) < len(outputs) {
			var err error
			if d.function != nil {
				answers, err = d.programmedAnswer(p, outputs)
			} else {
				answers, err = d.answer(p, parameters, outputs)
			}
			if err != nil {
				panic(mistake(err))
			}
		}
		maps.Copy(answers, want)
		return answers
	}, nil
}

// parameters give the oracle what its parameters name.
func (d *draft) parameters(args suite.Args) ([]func(*suite.Problem, *meter) (starlark.Value, error), error) {
	if d.oracle == nil {
		return nil, nil
	}
	parameters := make([]func(*suite.Problem, *meter) (starlark.Value, error), d.oracle.NumParams())
	for i := range parameters {
		name, at := d.oracle.Param(i)
		if parameters[i] = d.parameter(args, name); parameters[i] == nil {
			return nil, fmt.Errorf("%s: the oracle's parameter %s is neither an input, nor a scalar, nor an axis (%s)",
				at, name, listed(d.axes))
		}
		if err := d.ambiguous(args, name); err != nil {
			return nil, fmt.Errorf("%s: the oracle's parameter %w", at, err)
		}
	}
	return parameters, nil
}

// ambiguous refuses a name that an axis has and a scalar with another value: either would do without a word.
func (d *draft) ambiguous(args suite.Args, name string) error {
	if !slices.Contains(d.axes, suite.Axis(name)) {
		return nil
	}
	for _, a := range args {
		fields := a.Fields
		if a.Role == suite.RoleConst {
			fields = []suite.Field{{Name: a.Name, Value: a.Value}}
		}
		for _, f := range fields {
			if e, ok := f.Value.(expression); ok && f.Name == name && !e.is(suite.Axis(name), d.base) {
				return fmt.Errorf("%s is a scalar of value %s and an axis: call one of them otherwise, the program "+
					"need not have the name", name, e)
			}
		}
	}
	return nil
}

// parameter gives an oracle what it calls name, nil if there is no such thing.
func (d *draft) parameter(args suite.Args, name string) func(*suite.Problem, *meter) (starlark.Value, error) {
	for _, a := range args {
		switch {
		case a.Name == name && a.Buffer() && a.Role != suite.RoleOut:
			return func(p *suite.Problem, m *meter) (starlark.Value, error) {
				t, err := d.input(p, a)
				return array{t, a.Type == suite.Bool}, err
			}
		case a.Name == name && a.Role == suite.RoleConst,
			slices.ContainsFunc(a.Fields, func(f suite.Field) bool { return f.Name == name }):
			return func(p *suite.Problem, m *meter) (starlark.Value, error) {
				if isFloat(a, name) {
					m.floats()
				}
				return whole(p.Scalar(name)), nil
			}
		}
	}
	if slices.Contains(d.axes, suite.Axis(name)) {
		return func(p *suite.Problem, _ *meter) (starlark.Value, error) {
			return starlark.MakeInt(p.Shape[suite.Axis(name)]), nil
		}
	}
	if slices.ContainsFunc(d.tables, func(t suite.Table) bool { return t.Name == name }) {
		return func(p *suite.Problem, m *meter) (starlark.Value, error) {
			values := p.Table(name)
			t, err := tensor.New(values, len(values))
			return array{t, false}, err
		}
	}
	if name == allTables {
		return func(p *suite.Problem, m *meter) (starlark.Value, error) {
			dict := starlark.NewDict(len(d.tables))
			for _, own := range d.tables {
				v, err := d.parameter(nil, own.Name)(p, m)
				if err = cmp.Or(err, dict.SetKey(starlark.String(own.Name), v)); err != nil {
					return nil, err
				}
			}
			return dict, nil
		}
	}
	return nil
}

// input is the tensor of an input.
func (d *draft) input(p *suite.Problem, a suite.Arg) (*tensor.Tensor, error) {
	l := d.layouts[a.Name]
	if _, float := a.Type.Format(); float || l.of.format != nil {
		return l.gather(elements(p, a), p.Shape)
	}
	if a.Type.Bytes() < wideBytes {
		t, err := l.gather(p.Integers(a.Name), p.Shape)
		if err != nil {
			return nil, err
		}
		return t.Exactly(), nil
	}
	words := p.Wide(a.Name)
	places := make([]float64, len(words))
	for i := range places {
		places[i] = float64(i)
	}
	t, err := l.gather(places, p.Shape)
	if err != nil {
		return nil, err
	}
	all := make([]tensor.Integer, t.Len())
	for i, at := range t.Data() {
		if all[i] = tensor.Unsigned(words[int(at)]); a.Type == suite.I64 {
			all[i] = tensor.Whole(int64(words[int(at)]))
		}
	}
	return tensor.OfIntegers(all, t.Shape()...), nil
}

// isFloat reports whether a scalar, or a field of that name, is a float.
func isFloat(a suite.Arg, name string) bool {
	return slices.ContainsFunc(a.Scalars(), func(f suite.Field) bool {
		_, float := f.Type.Format()
		return float && f.Name == name
	})
}

// allTables is a parameter that has them all by their names.
const allTables = "tables"

// whole is an integer where the number is one, so that it may be a length.
func whole(x float64) starlark.Value {
	if n := int64(x); float64(n) == x {
		return starlark.MakeInt64(n)
	}
	return starlark.Float(x)
}

// elements are those of a buffer before the first launch.
func elements(p *suite.Problem, a suite.Arg) []float64 {
	if _, float := a.Type.Format(); float {
		return p.Values(a.Name)
	}
	return p.Integers(a.Name)
}

// answer calls the oracle at a point.
func (d *draft) answer(p *suite.Problem, parameters []func(*suite.Problem, *meter) (starlark.Value, error),
	outputs []suite.Arg) (suite.Answers, error) {
	m := newMeter(d.limits)
	defer m.end()
	m.trial(p.Trial, p.Arithmetic)
	args := make(starlark.Tuple, len(parameters))
	for i, give := range parameters {
		var err error
		if args[i], err = give(p, m); err != nil {
			return nil, err
		}
	}
	thread := newThread(d.name, m)
	v, err := starlark.Call(thread, d.oracle, args, nil)
	all := p.Took(stepWork*int64(thread.ExecutionSteps()) + m.operations + m.elements)
	if err != nil {
		return nil, positioned(err)
	}
	if all > d.limits.of(Case) {
		return nil,
			fmt.Errorf("%s: %w", d.oracle.Position(), d.limits.exceeded(Case,
				"all evaluations for a case take more than %d operations: take a smaller point"))
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
		if given[a.Name] == nil {
			return nil, fmt.Errorf("%s: the oracle returns nothing for %s: want a dictionary with %s",
				d.oracle.Position(), a.Name, names(outputs))
		}
		if answers[a.Name], err = d.answerOf(p, m, a, given[a.Name]); err != nil {
			return nil, fmt.Errorf("%s: the oracle's %s: %w", d.oracle.Position(), a.Name, err)
		}
		delete(given, a.Name)
	}
	for name := range given {
		return nil, fmt.Errorf("%s: the oracle returns %q, which is no output: there are %s", d.oracle.Position(), name,
			names(outputs))
	}
	d.overlay(p, answers)
	return answers, nil
}

// answerOf is what the oracle says of one output.
func (d *draft) answerOf(p *suite.Problem, m *meter, a suite.Arg, v starlark.Value) (oracles.Answer, error) {
	l, of := d.layouts[a.Name], v
	b, isBounded := v.(*bound)
	if isBounded {
		of = b.value
	}
	flat := func(v starlark.Value) (*tensor.Tensor, error) {
		t, err := fromValue(v)
		if err != nil {
			return nil, err
		}
		return t.Broadcast(l.shape(p.Shape)...)
	}
	var before []float64
	if a.Role == suite.RoleInOut {
		before = elements(p, a)
	}
	t, err := flat(of)
	if err != nil {
		return oracles.Answer{}, err
	}
	data, words := t.Data(), []uint64(nil)
	_, float := a.Type.Format()
	exact := t.Exact() && !float && l.of.format == nil
	if exact && a.Type.Bytes() == wideBytes {
		data, words = wordsOf(a, t)
	}
	if d.drawsIntegers() {
		data = undefined(a, data)
	}
	answer := oracles.Answer{Want: l.scatter(data, before, p.Shape), Plain: true, Integers: exact && !m.decided,
		Unrounded: d.unrounded, Signed: d.signs}
	if words != nil {
		answer.Words = d.scattered(p, a, words)
	}
	if isBounded {
		errors, err := flat(b.error)
		if err != nil {
			return answer, err
		}
		plain := &layout{extents: l.extents, strides: l.strides, first: l.first, size: l.size}
		answer.Plain, answer.BudgetOnly = false, true
		answer.Budget = []oracles.Term{{Label: "given", Error: plain.scatter(errors.Data(), nil, p.Shape)}}
	}
	answer.Want, answer.Any = anywhere(answer.Want)
	if p.Trial > 0 || l.of.format != nil { // its operations err, or it is encoded
		return answer, nil
	}
	if words != nil {
		data = slices.DeleteFunc(slices.Clone(data), isFinite) // those have words
	}
	return answer, unheld(a, data, a.Type.Fits)
}

// wideBytes are those of an integer that float64 does not hold.
const wideBytes = 8

func isFinite(x float64) bool { return x-x == 0 }

// wordsOf are the words of exact integers that an output of 64 bits has, and the nearest numbers; a NaN where it has
// none.
func wordsOf(a suite.Arg, t *tensor.Tensor) (data []float64, words []uint64) {
	data, words = slices.Clone(t.Data()), make([]uint64, t.Len())
	for i := range words {
		word, ok := t.Integer(i).Held(8*wideBytes, a.Type == suite.I64)
		if words[i] = word; !ok && !isAnything(data[i]) {
			data[i] = math.NaN()
		}
	}
	return data, words
}

// scattered are words of an output by the buffer's elements; those outside of a view are as they were.
func (d *draft) scattered(p *suite.Problem, a suite.Arg, words []uint64) []uint64 {
	l := d.layouts[a.Name]
	if l.strides == nil {
		return words
	}
	all := make([]uint64, l.length(p.Shape))
	if a.Role == suite.RoleInOut {
		copy(all, p.Wide(a.Name))
	}
	for i, at := range l.places(p.Shape) {
		all[at] = words[i]
	}
	return all
}

// drawsIntegers reports whether the suite chooses the integers of some input, and all inputs are integers: then the
// definition has no number for some of them, such as a quotient by 0 or what no integer of the output holds.
func (d *draft) drawsIntegers() bool {
	draws := false
	for i, a := range d.arguments {
		arg := d.args[i]
		if !arg.Buffer() || arg.Role == suite.RoleOut {
			continue
		}
		if _, float := arg.Type.Format(); float {
			return false
		}
		draws = draws || a.fill == nil
	}
	return draws
}

// undefined has anything in place of integers that an output does not hold, unless most are such: then the definition
// lacks a cast.
func undefined(a suite.Arg, want []float64) []float64 {
	if _, float := a.Type.Format(); float {
		return want
	}
	beyond := func(x float64) bool {
		return !isAnything(x) && (!isFinite(x) || x == math.Trunc(x) && !a.Type.Fits(x))
	}
	n := 0
	for _, x := range want {
		if beyond(x) {
			n++
		}
	}
	if n == 0 || 2*n > len(want) && len(want) > 1 {
		return want
	}
	want = slices.Clone(want)
	for i, x := range want {
		if beyond(x) {
			want[i] = anything
		}
	}
	return want
}

// unheld refuses numbers that an output of integers cannot hold.
func unheld(a suite.Arg, data []float64, held func(x float64) bool) error {
	if _, float := a.Type.Format(); float {
		return nil
	}
	for i, x := range data {
		if !isAnything(x) && !held(x) {
			finite := ""
			if x-x != 0 {
				finite = "; inputs = [standard(finite = True)] leaves out those that are not finite, Finite() in Go"
			}
			return fmt.Errorf("element %d is %v, which %s does not hold: round it, cast it with %s(…), or give "+
				"anything%s", i, x, a.Type, a.Type, finite)
		}
	}
	return nil
}

// anything is what an oracle gives for elements that may hold anything: a NaN that no
// arithmetic makes.
var anything = math.Float64frombits(0x7ff8_0000_c0f0_0000)

func isAnything(x float64) bool { return math.Float64bits(x) == math.Float64bits(anything) }

// anywhere replaces such elements, and says which they are.
func anywhere(want []float64) ([]float64, []bool) {
	if !slices.ContainsFunc(want, isAnything) {
		return want, nil
	}
	want, free := slices.Clone(want), make([]bool, len(want))
	for i, x := range want {
		if isAnything(x) {
			want[i], free[i] = 0, true
		}
	}
	return want, free
}

// bound is what bounded returns: values, and how far each may be off.
type bound struct {
	starlark.Value // None
	value, error   starlark.Value
}

// Type names it in messages.
func (*bound) Type() string { return "bounded values" }

// bounded states by how much an output may be off its values, in place of what exact execution
// finds that any device may be off by.
func bounded(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	b := &bound{Value: opaque}
	if err := starlark.UnpackArgs(name, args, kwargs, "values", &b.value, "error", &b.error); err != nil {
		return nil, err
	}
	return b, nil
}

func names(args []suite.Arg) string {
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = a.Name
	}
	return strings.Join(words, ", ")
}
