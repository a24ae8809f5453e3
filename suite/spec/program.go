package spec

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"metalconform/oracles"
	"metalconform/suite"
)

// Programs specify kernels by the functions that files have: what a program says is handed to the same kernel, input
// and recording, which check it and make of it what they make of a file.

// Call is a call of one of these functions. Arguments are numbers, strings, bools, fills, functions of a point,
// further calls, and slices and maps of all these.
type Call struct {
	At       string // where the program has it, for errors
	Function string
	Args     []any
	Named    []Named
}

// Named is an argument by its name, or an entry of a dictionary whose order matters.
type Named struct {
	Name  string
	Value any
}

// With is the call with one more argument.
func (c Call) With(name string, value any) Call {
	c.Named = append(slices.Clip(c.Named), Named{name, value})
	return c
}

// Pair are two values that belong together, such as a file and the name of an array.
type Pair []string

// Definition is what a program gives for an oracle: either of the two.
type Definition struct {
	Formula  string   // an expression, or a file whose last function is meant
	Names    []string // that the expression may use
	Function func(*Problem) suite.Answers
	Contract oracles.Contract // that bounds of the function go by
}

// New is the kernel that a call of kernel specifies; files are what it reads data from, nil for none.
func New(files fs.FS, call Call) (suite.Kernel, error) {
	r := newReader(files, new(Limits))
	if _, err := r.call(call); err != nil {
		return suite.Kernel{}, err
	}
	return r.kernels[0], nil
}

// Filled is the fill that a call makes. What is wrong with the call ends the case that asks for the fill.
func Filled(call Call) suite.Fill {
	v, err := newReader(nil, new(Limits)).call(call)
	if err != nil {
		return func(*rand.Rand, suite.Shape, []float64) { panic(suite.Mistake(err.Error())) }
	}
	return v.(filling).fill
}

// Data are the elements of an array of a file.
func Data(files fs.FS, file, name string) ([]float64, error) {
	v, err := newReader(files, new(Limits)).call(Call{Function: "data", Args: []any{file, name}})
	if err != nil {
		return nil, err
	}
	return v.(array).Data(), nil
}

// call calls a function of specifications.
func (r *reader) call(c Call) (starlark.Value, error) {
	thread := newThread(".", r.meter)
	thread.SetLocal(readerKey, r)
	return r.callOn(thread, c)
}

func (r *reader) callOn(thread *starlark.Thread, c Call) (starlark.Value, error) {
	args := make(starlark.Tuple, len(c.Args))
	for i, v := range c.Args {
		var err error
		if args[i], err = r.value(thread, v); err != nil {
			return nil, err
		}
	}
	var named []starlark.Tuple
	for _, n := range c.Named {
		v, err := r.value(thread, n.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", n.Name, err)
		}
		named = append(named, starlark.Tuple{starlark.String(n.Name), v})
	}
	thread.SetLocal(placeKey, c.At)
	v, err := starlark.Call(thread, predeclared[c.Function], args, named)
	var failed *starlark.EvalError
	if errors.As(err, &failed) {
		err = failed.Unwrap()
	}
	if err != nil && c.At != "" && !strings.HasPrefix(err.Error(), c.At) {
		err = fmt.Errorf("%s: %w", c.At, err)
	}
	return v, err
}

// value is what a program's value is to a specification.
func (r *reader) value(thread *starlark.Thread, v any) (starlark.Value, error) {
	switch v := v.(type) {
	case nil:
		return starlark.None, nil
	case Call:
		return r.callOn(thread, v)
	case suite.Fill:
		return filling{"fill", v}, nil
	case Definition:
		return r.definition(thread, v)
	case Pair:
		pair := make(starlark.Tuple, len(v))
		for i, text := range v {
			pair[i] = starlark.String(text)
		}
		return pair, nil
	case []Named:
		dict := starlark.NewDict(len(v))
		for _, n := range v {
			of, err := r.value(thread, n.Value)
			if err = cmp.Or(err, dict.SetKey(starlark.String(n.Name), of)); err != nil {
				return nil, err
			}
		}
		return dict, nil
	case func(suite.Shape) int:
		return pointed(func(s suite.Shape) (starlark.Value, error) { return starlark.MakeInt(v(s)), nil }), nil
	case func(suite.Shape) float64:
		return pointed(func(s suite.Shape) (starlark.Value, error) { return starlark.Float(v(s)), nil }), nil
	case func(suite.Shape) string:
		return pointed(func(s suite.Shape) (starlark.Value, error) { return starlark.String(v(s)), nil }), nil
	case func(suite.Shape) error:
		return pointed(func(s suite.Shape) (starlark.Value, error) {
			if err := v(s); err != nil {
				return starlark.String(err.Error()), nil
			}
			return starlark.None, nil
		}), nil
	case func(suite.Shape) []suite.Launch:
		return pointed(func(s suite.Shape) (starlark.Value, error) { return r.value(thread, v(s)) }), nil
	case suite.Launch:
		windows := map[string][]int{}
		for name, w := range v.Windows {
			windows[name] = []int{w.First, w.End}
		}
		return r.value(thread, []Named{{"axes", map[suite.Axis]int(v.Shape)}, {"set", v.Set}, {"windows", windows},
			{"buffers", v.Buffers}})
	}
	return r.reflected(thread, reflect.ValueOf(v))
}

// reflected is value for types by their kind.
func (r *reader) reflected(thread *starlark.Thread, v reflect.Value) (starlark.Value, error) {
	switch v.Kind() {
	case reflect.String:
		return starlark.String(v.String()), nil
	case reflect.Bool:
		return starlark.Bool(v.Bool()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return starlark.MakeInt64(v.Int()), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return starlark.MakeUint64(v.Uint()), nil
	case reflect.Float32, reflect.Float64:
		return starlark.Float(v.Float()), nil
	case reflect.Slice:
		list := make([]starlark.Value, v.Len())
		for i := range list {
			var err error
			if list[i], err = r.value(thread, v.Index(i).Interface()); err != nil {
				return nil, err
			}
		}
		return starlark.NewList(list), nil
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int {
			return cmp.Or(cmp.Compare(a.String(), b.String()), compareIntegers(a, b))
		})
		dict := starlark.NewDict(len(keys))
		for _, key := range keys {
			k, err := r.value(thread, key.Interface())
			if err != nil {
				return nil, err
			}
			of, err := r.value(thread, v.MapIndex(key).Interface())
			if err = cmp.Or(err, dict.SetKey(k, of)); err != nil {
				return nil, err
			}
		}
		return dict, nil
	}
	return nil, fmt.Errorf("got %s, want a number, an expression over axes in quotes, or a function of the point",
		v.Type())
}

func compareIntegers(a, b reflect.Value) int {
	if a.CanInt() && b.CanInt() {
		return cmp.Compare(a.Int(), b.Int())
	}
	return 0
}

// pointed is a program's function of a point, where files have functions of axes.
type pointed func(suite.Shape) (starlark.Value, error)

func (pointed) String() string        { return "function" }
func (pointed) Type() string          { return "function" }
func (pointed) Name() string          { return "function" }
func (pointed) Freeze()               {}
func (pointed) Truth() starlark.Bool  { return true }
func (pointed) Hash() (uint32, error) { return 0, errors.New("unhashable: function") }

// CallInternal is for nobody: the language has no value that is one of these.
func (pointed) CallInternal(*starlark.Thread, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
	return nil, errors.New("a function of a program")
}

// programmed is an oracle that is a program's function.
type programmed struct {
	pointed
	function func(*Problem) suite.Answers
	contract oracles.Contract
}

// formulaFile is how positions in a formula begin.
const formulaFile = "Formula"

// definition is what kernel takes for an oracle.
func (r *reader) definition(thread *starlark.Thread, of Definition) (starlark.Value, error) {
	if of.Function != nil {
		return &programmed{function: of.Function, contract: of.Contract}, nil
	}
	head, text := "", dedented(of.Formula)
	if !strings.HasPrefix(text, "def ") && !strings.Contains(text, "\ndef ") {
		used := map[string]bool{}
		for _, t := range tokens(text) {
			used[t.text] = true
		}
		parameters := slices.DeleteFunc(slices.Clone(of.Names), func(n string) bool { return !used[n] })
		head, text = fmt.Sprintf("formula = lambda %s: (", strings.Join(parameters, ", ")), text+"\n)"
	}
	file, shown, err := parse(formulaFile, head, []byte(text))
	if err != nil {
		return nil, positioned(err)
	}
	r.lambdas[formulaFile], r.uses[formulaFile] = shown, usesOf(file)
	globals, err := run(thread, file)
	if err != nil {
		return nil, err
	}
	last, ok := globals[functionOf(file)].(*starlark.Function)
	if !ok {
		return nil, fmt.Errorf("%s: want an expression, or functions of which the last is the definition", formulaFile)
	}
	return last, nil
}

// functionOf is the name that the last statement of a file gives a function.
func functionOf(file *syntax.File) string {
	if len(file.Stmts) == 0 {
		return ""
	}
	switch s := file.Stmts[len(file.Stmts)-1].(type) {
	case *syntax.DefStmt:
		return s.Name.Name
	case *syntax.AssignStmt:
		if name, ok := s.LHS.(*syntax.Ident); ok {
			return name.Name
		}
	}
	return ""
}

// dedented is a text of several lines without the space that all begin with.
func dedented(text string) string {
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	shared := ""
	for i, line := range lines {
		space := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		switch {
		case space == line: // empty
		case i == 0:
			shared = space
		default:
			for !strings.HasPrefix(space, shared) {
				shared = shared[:len(shared)-1]
			}
		}
	}
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, shared)
	}
	return strings.Join(lines, "\n")
}

// Problem is what a definition in Go is asked: the values of inputs as its arguments say where they lie.
type Problem struct {
	*suite.Problem
	of *draft
}

// Values are the elements of a floating-point buffer, or of the view that it is, before the first launch, the last
// extent varying fastest. An output has none. They are the caller's.
func (p *Problem) Values(name string) []float64 {
	if l := p.of.layouts[name]; l != nil && l.of.format != nil {
		return p.gathered(name, p.Problem.Integers(name))
	}
	return p.gathered(name, p.Problem.Values(name))
}

// Integers are those of an integer buffer, as numbers.
func (p *Problem) Integers(name string) []float64 {
	return p.gathered(name, p.Problem.Integers(name))
}

// Words are those of an integer buffer, i32 in two's complement; of at most 32 bits.
func (p *Problem) Words(name string) []uint32 {
	words := p.Problem.Words(name)
	l := p.of.layouts[name]
	if l == nil || l.strides == nil {
		return words
	}
	var view []uint32
	for _, at := range l.places(p.Shape) {
		view = append(view, words[at])
	}
	return view
}

func (p *Problem) gathered(name string, data []float64) []float64 {
	t, err := p.of.layouts[name].gather(slices.Clone(data), p.Shape)
	if err != nil {
		panic(suite.Mistake(err.Error()))
	}
	return t.Data()
}

// programmedAnswer asks a program's function.
func (d *draft) programmedAnswer(p *suite.Problem, outputs []suite.Arg) (suite.Answers, error) {
	given := d.function.function(&Problem{p, d})
	answers := suite.Answers{}
	for _, a := range outputs {
		answer, ok := given[a.Name]
		if !ok {
			return nil, fmt.Errorf("the oracle of %s returns nothing for %s", d.name, a.Name)
		}
		l := d.layouts[a.Name]
		n := 1
		for _, e := range l.shape(p.Shape) {
			n *= e
		}
		if len(answer.Want) != n {
			return nil, fmt.Errorf("the oracle of %s gives %d elements for %s, want %d at %v", d.name, len(answer.Want),
				a.Name, n, p.Shape)
		}
		if err := unheld(a, answer.Want, a.Type.Holds); err != nil && !answer.Exact {
			return nil, fmt.Errorf("the oracle's %s: %w", a.Name, err)
		}
		var before []float64
		if a.Role == suite.RoleInOut {
			before = elements(p, a)
		}
		answers[a.Name] = l.scattered(answer, before, p.Shape)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if _, ok := answers[name]; !ok {
			return nil, fmt.Errorf("the oracle of %s returns %q, which is no output: there are %s", d.name, name,
				names(outputs))
		}
	}
	d.overlay(p, answers)
	return answers, nil
}

// scattered is an answer by the elements of a buffer.
func (l *layout) scattered(answer oracles.Answer, before []float64, s suite.Shape) oracles.Answer {
	answer.Want = l.scatter(answer.Want, before, s)
	if l.strides == nil {
		return answer
	}
	places, n := l.places(s), l.length(s)
	answer.Any = placedOf(answer.Any, places, n)
	answer.Scale, answer.Sigma, answer.Systematic = placedOf(answer.Scale, places, n),
		placedOf(answer.Sigma, places, n), placedOf(answer.Systematic, places, n)
	answer.Budget = slices.Clone(answer.Budget)
	for i, t := range answer.Budget {
		answer.Budget[i].Error = placedOf(t.Error, places, n)
	}
	even := map[int]bool{}
	for i, is := range answer.Even {
		even[places[i]] = is
	}
	answer.Even = even
	return answer
}

// placedOf are elements of a view where they lie among n, nil of nil.
func placedOf[T any](elements []T, places []int, n int) []T {
	if elements == nil {
		return nil
	}
	all := make([]T, n)
	for i, x := range elements {
		all[places[i]] = x
	}
	return all
}
