package spec

import (
	"fmt"
	"math"
	"slices"

	"go.starlark.net/starlark"

	"metalconform/suite"
	"metalconform/suite/tensor"
)

// specification are the functions that say what a kernel is.
var specification = map[string]builtin{
	"input": buffer(suite.RoleIn), "output": buffer(suite.RoleOut), "inout": buffer(suite.RoleInOut),
	"scalar": scalar, "struct": structure, "family": family, "standard": standard,
	"uniform": uniform, "choice": choice, "every": every, "scaled": scaled, "below": below, "distinct": distinct,
	"causal": causal, "banded": banded, "indexed": indexed, "offsets": offsets, "blocks": blocks, "values": fixedValues,
	"recording": newRecording, "kernel": kernel, "bounded": bounded, "held": held,
}

// dataType is an element type of a specification: one of the suite's, or numbers in a format that
// it has no type for, kept in integers.
type dataType struct {
	name   string
	of     suite.Type
	format *tensor.Float8 // of the numbers that integers are codes of; nil: none
}

// types are the element types.
var types = []dataType{
	{name: "f32", of: suite.F32}, {name: "bf16", of: suite.BF16}, {name: "f16", of: suite.F16},
	{name: "u8", of: suite.U8}, {name: "u16", of: suite.U16}, {name: "u32", of: suite.U32},
	{name: "u64", of: suite.U64},
	{name: "i8", of: suite.I8}, {name: "i16", of: suite.I16}, {name: "i32", of: suite.I32},
	{name: "i64", of: suite.I64},
	{name: "bool", of: suite.Bool},
	{name: "f8e4m3", of: suite.U8, format: &tensor.E4M3}, {name: "f8e5m2", of: suite.U8, format: &tensor.E5M2},
}

func typeNames() []string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = t.name
	}
	return names
}

// float reports whether elements are floating-point numbers.
func (t dataType) float() bool {
	_, float := t.of.Format()
	return float || t.format != nil
}

// largest is the largest number of the type, +Inf for integers.
func (t dataType) largest() float64 {
	if t.format != nil {
		most := 0.0
		for code := range 128 {
			if x := t.format.Decode(byte(code)); x > most && !math.IsInf(x, 0) {
				most = x
			}
		}
		return most
	}
	if f, ok := t.of.Format(); ok {
		return f.Max()
	}
	return math.Inf(1)
}

// Unpack takes what an argument is: a type, or its name.
func (t *dataType) Unpack(v starlark.Value) error {
	name := v.String()
	if s, ok := starlark.AsString(v); ok {
		name = s
	}
	i := slices.Index(typeNames(), name)
	if i < 0 {
		return fmt.Errorf("got %s, want one of %v", name, typeNames())
	}
	*t = types[i]
	return nil
}

// something is what values of ours are to Starlark that it can do nothing with: unlike None they are true, so that x
// or y is x.
type something struct{ starlark.Value }

// Truth says that there is something.
func (something) Truth() starlark.Bool { return true }

var opaque = something{starlark.None}

// argument is an argument of a kernel before its axes are known.
type argument struct {
	starlark.Value // None
	role           suite.Role
	name           string
	index          int
	of             dataType
	extents        []starlark.Value
	strides        []starlark.Value // nil: elements lie one after the other
	first          starlark.Value
	size           starlark.Value // of the whole buffer; nil: up to the last element
	unordered      string
	over           string // input that it may lie in
	value          starlark.Value
	fields         []*argument
	offset, bytes  int
	structure      string
	fill           suite.Fill // nil: as the type has it
	at             string
}

// Type names it in messages.
func (*argument) Type() string { return "argument" }

func newArgument(thread *starlark.Thread, role suite.Role) *argument {
	return &argument{Value: opaque, role: role, at: caller(thread)}
}

// caller is the place in a file, or in a program, that calls the function.
func caller(thread *starlark.Thread) string {
	if thread.CallStackDepth() < 2 {
		place, _ := thread.Local(placeKey).(string)
		return place
	}
	return thread.CallFrame(1).Pos.String()
}

// buffer is input, output or inout: a name, an element type, and the extents, outermost first.
func buffer(role suite.Role) builtin {
	return func(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value,
		error) {
		a := newArgument(thread, role)
		if len(args) < 3 {
			return nil, fmt.Errorf(`%s: want a name, a type and the extents, such as %s("x", f32, "rows", "n")`, name,
				name)
		}
		a.extents = args[2:]
		var fill asFill
		var strides starlark.Value
		known := []any{"name", &a.name, "type", &a.of, "index?", &a.index, "strides?", &strides, "first?", &a.first,
			"size?", &a.size, "struct?", &a.structure}
		if role != suite.RoleOut {
			known = append(known, "fill?", &fill)
		}
		if role != suite.RoleIn {
			known = append(known, "unordered?", &a.unordered)
		}
		if role == suite.RoleOut {
			known = append(known, "over?", &a.over)
		}
		if err := starlark.UnpackArgs(name, args[:2], kwargs, known...); err != nil {
			return nil, err
		}
		if a.fill, a.strides = fill.Fill, list(strides); a.strides != nil && len(a.strides) != len(a.extents) {
			return nil, fmt.Errorf("%s %s: %d strides for %d extents", name, a.name, len(a.strides), len(a.extents))
		}
		return a, nil
	}
}

// scalar is a scalar argument, or a field of a struct: a name, a type and its value.
func scalar(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value,
	error) {
	a := newArgument(thread, suite.RoleConst)
	if err := starlark.UnpackArgs(name, args, kwargs, "name", &a.name, "type", &a.of, "value", &a.value, "index?",
		&a.index, "offset?", &a.offset); err != nil {
		return nil, err
	}
	if a.of.format != nil {
		return nil, fmt.Errorf("scalar %s: %s is a type of buffers: give the code as u8", a.name, a.of.name)
	}
	return a, nil
}

// structure is a struct of scalars.
func structure(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value,
	error) {
	a := newArgument(thread, suite.RoleParams)
	if len(args) < 2 {
		return nil, fmt.Errorf(`%s: want a name and the fields, such as struct("params", scalar("n", u32, "n"))`, name)
	}
	if err := starlark.UnpackArgs(name, args[:1], kwargs, "name", &a.name, "index?", &a.index, "bytes?", &a.bytes,
		"struct?", &a.structure); err != nil {
		return nil, err
	}
	for _, v := range args[1:] {
		f, ok := v.(*argument)
		if !ok || f.role != suite.RoleConst {
			return nil, fmt.Errorf("struct %s: got %s, want scalars", a.name, v.Type())
		}
		a.fields = append(a.fields, f)
	}
	return a, nil
}

// arg is the argument over axes.
func (a *argument) arg(axes []suite.Axis) (arg suite.Arg, l *layout, err error) {
	arg = suite.Arg{Name: a.name, Index: a.index, Role: a.role, Type: a.of.of, Bytes: a.bytes, Struct: a.structure,
		Unordered: a.unordered}
	if len(a.extents) > 0 {
		if l, err = a.layout(axes); err != nil {
			return arg, nil, err
		}
		l.apply(&arg)
	}
	if a.role == suite.RoleConst {
		e, err := newExpression(fmt.Sprintf("%s: value of %s", a.at, a.name), a.value, axes)
		if err != nil {
			return arg, nil, err
		}
		arg.Value = e
	}
	for _, f := range a.fields {
		e, err := newExpression(fmt.Sprintf("%s: value of %s", f.at, f.name), f.value, axes)
		if err != nil {
			return arg, nil, err
		}
		arg.Fields = append(arg.Fields, suite.Field{Name: f.name, Type: f.of.of, Value: e, Offset: f.offset})
	}
	return arg, l, nil
}
