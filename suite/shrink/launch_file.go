package shrink

import (
	"fmt"
	"maps"
	"metalconform/suite"
	"slices"
	"strings"
)

// LaunchFile is the launch of the case as a specification without an oracle, all lengths numbers: what checks
// find of a kernel, they find there.
func (s Shrunk) LaunchFile() (string, error) {
	c := s.Case
	launches := c.LaunchSequence()
	if len(launches) != 1 || c.AtEnd() || launches[0].Windows != nil || launches[0].Buffers != nil {
		return "", fmt.Errorf("%s is no single launch of whole buffers", c.Name)
	}
	l := launches[0]
	shape := c.Shape.With(l.Shape)
	var b strings.Builder
	fmt.Fprintf(&b, "kernel(\n    name = %q,\n    args = [\n", c.Kernel.Name)
	for n, a := range c.Kernel.Args {
		fmt.Fprintf(&b, "        %s,\n", argument(a, c.Kernel.Args.Binding(n), c.Shape, l))
	}
	b.WriteString("    ],\n")
	grid, word := c.Kernel.Grid.Threadgroups, "threadgroups"
	if grid == nil {
		grid, word = c.Kernel.Grid.Threads, "threads"
	}
	fmt.Fprintf(&b, "    %s = %s,\n    threads_per_threadgroup = %s,\n", word, lengths(grid, shape),
		lengths(c.Kernel.Grid.Of, shape))
	if len(c.Kernel.ThreadgroupMemory) > 0 {
		fmt.Fprintf(&b, "    threadgroup_memory = %s,\n", lengths(c.Kernel.ThreadgroupMemory, shape))
	}
	b.WriteString(choices(c.Build()))
	var fills []string
	for _, in := range s.Inputs {
		fills = append(fills, fmt.Sprintf("%q: values(%s)", in.Arg, starlarkNumbers(in.Values)))
	}
	fmt.Fprintf(&b, "    base = {\"shrunk\": 1},\n    inputs = [family(\"shrunk\", {%s})],\n)\n",
		strings.Join(fills, ", "))
	return b.String(), nil
}

// argument is an argument in a launch.
func argument(a suite.Arg, index int, s suite.Shape, l suite.Launch) string {
	var parts []string
	for _, f := range a.Scalars() {
		offset := ""
		if f.Offset > 0 {
			offset = fmt.Sprintf(", offset = %d", f.Offset)
		}
		parts = append(parts, fmt.Sprintf("scalar(%q, %s, %s%s)", f.Name, f.Type,
			starlarkNumber(f.Type.Round(f.ValueIn(s, l))), offset))
	}
	of := ""
	if a.Struct != "" {
		of = fmt.Sprintf(", struct = %q", a.Struct)
	}
	switch a.Role {
	case suite.RoleConst:
		return fmt.Sprintf("%s, index = %d)", strings.TrimSuffix(parts[0], ")"), index)
	case suite.RoleParams:
		if a.Bytes > 0 {
			of = fmt.Sprintf(", bytes = %d", a.Bytes) + of
		}
		return fmt.Sprintf("struct(%q, %s, index = %d%s)", a.Name, strings.Join(parts, ", "), index, of)
	}
	for _, n := range a.Sizes(s) {
		parts = append(parts, fmt.Sprint(n))
	}
	role := map[suite.Role]string{suite.RoleIn: "input", suite.RoleOut: "output", suite.RoleInOut: "inout"}[a.Role]
	return fmt.Sprintf("%s(%q, %s, %s, index = %d%s)", role, a.Name, a.Type, strings.Join(parts, ", "), index, of)
}

// choices is what a host chooses.
func choices(b suite.Build) string {
	var text strings.Builder
	if len(b.Constants) > 0 {
		var list []string
		for _, name := range slices.Sorted(maps.Keys(b.Constants)) {
			list = append(list, fmt.Sprintf("%q: %v", name, b.Constants[name]))
		}
		fmt.Fprintf(&text, "    constants = {%s},\n", strings.Join(list, ", "))
	}
	if len(b.Macros) > 0 {
		var list []string
		for _, name := range slices.Sorted(maps.Keys(b.Macros)) {
			list = append(list, fmt.Sprintf("%q: %q", name, b.Macros[name]))
		}
		fmt.Fprintf(&text, "    macros = {%s},\n", strings.Join(list, ", "))
	}
	return text.String()
}

// lengths are extents as a list.
func lengths(of []suite.Extent, s suite.Shape) string {
	list := make([]string, len(of))
	for i, e := range of {
		list[i] = fmt.Sprint(e.Size(s))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// starlarkNumber is a number as Starlark.
func starlarkNumber(x float64) string {
	if text := starlarkNumbers([]float64{x}); text != "" {
		return text
	}
	return "0"
}
