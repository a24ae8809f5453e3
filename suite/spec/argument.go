package spec

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"metalconform/suite"
)

// specification are the functions that say what a kernel is.
var specification = map[string]builtin{
	"input": buffer(suite.RoleIn), "output": buffer(suite.RoleOut), "inout": buffer(suite.RoleInOut),
	"scalar": scalar, "struct": structure, "family": family, "standard": standard,
	"uniform": uniform, "choice": choice, "every": every, "scaled": scaled, "below": below,
	"recording": newRecording, "kernel": kernel,
}

// types are the element types by name.
var types = []suite.Type{suite.F32, suite.BF16, suite.F16, suite.U8, suite.U16, suite.U32, suite.I32}

func typeNames() []string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = t.String()
	}
	return names
}

// elementType unpacks a type, or its name.
type elementType struct{ suite.Type }

// Unpack takes what an argument is.
func (t *elementType) Unpack(v starlark.Value) error {
	name := v.String()
	if s, ok := starlark.AsString(v); ok {
		name = s
	}
	i := slices.Index(typeNames(), name)
	if i < 0 {
		return fmt.Errorf("got %s, want one of %v", name, typeNames())
	}
	t.Type = types[i]
	return nil
}

// argument is an argument of a kernel before its axes are known.
type argument struct {
	starlark.Value // None
	role           suite.Role
	name           string
	of             suite.Type
	extents        []starlark.Value
	value          starlark.Value
	fields         []*argument
	fill           suite.Fill // nil: as the type has it
	at             string
}

// Type names it in messages.
func (*argument) Type() string { return "argument" }

func newArgument(thread *starlark.Thread, role suite.Role) *argument {
	return &argument{Value: starlark.None, role: role, at: caller(thread)}
}

// caller is the place in a file that calls the function.
func caller(thread *starlark.Thread) string {
	return thread.CallFrame(1).Pos.String()
}

// buffer is input, output or inout: a name, an element type, and the extents, outermost first.
func buffer(role suite.Role) builtin {
	return func(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		a := newArgument(thread, role)
		if len(args) < 3 {
			return nil, fmt.Errorf(`%s: want a name, a type and the extents, such as %s("x", f32, "rows", "n")`, name, name)
		}
		a.extents = args[2:]
		var t elementType
		var fill asFill
		if err := starlark.UnpackArgs(name, args[:2], kwargs, "name", &a.name, "type", &t, "fill?", &fill); err != nil {
			return nil, err
		}
		a.of, a.fill = t.Type, fill.Fill
		return a, nil
	}
}

// scalar is a scalar argument, or a field of a struct: a name, a type and its value.
func scalar(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	a := newArgument(thread, suite.RoleConst)
	var t elementType
	if err := starlark.UnpackArgs(name, args, kwargs, "name", &a.name, "type", &t, "value", &a.value); err != nil {
		return nil, err
	}
	a.of = t.Type
	return a, nil
}

// structure is a struct of scalars.
func structure(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	a := newArgument(thread, suite.RoleParams)
	if len(args) < 2 {
		return nil, fmt.Errorf(`%s: want a name and the fields, such as struct("params", scalar("n", u32, "n"))`, name)
	}
	if err := starlark.UnpackArgs(name, args[:1], kwargs, "name", &a.name); err != nil {
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
func (a *argument) arg(axes []suite.Axis) (suite.Arg, error) {
	arg := suite.Arg{Name: a.name, Role: a.role, Type: a.of}
	for i, v := range a.extents {
		e, err := newExpression(fmt.Sprintf("%s: extent %d of %s", a.at, i, a.name), v, axes)
		if err != nil {
			return arg, err
		}
		arg.Extents = append(arg.Extents, e)
	}
	if a.role == suite.RoleConst {
		e, err := newExpression(fmt.Sprintf("%s: value of %s", a.at, a.name), a.value, axes)
		if err != nil {
			return arg, err
		}
		arg.Value = e
	}
	for _, f := range a.fields {
		e, err := newExpression(fmt.Sprintf("%s: value of %s", f.at, f.name), f.value, axes)
		if err != nil {
			return arg, err
		}
		arg.Fields = append(arg.Fields, suite.Field{Name: f.name, Type: f.of, Value: e})
	}
	return arg, nil
}
