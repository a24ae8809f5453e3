package suite

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"metalconform/metalrun"
)

// Build is what a host chooses when it compiles a kernel for a point.
type Build struct {
	Constants map[string]float64 // of functions, by name or by index
	Macros    map[string]string
}

// Key identifies a build: "" is one that chooses nothing.
func (b Build) Key() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(b.Constants)) {
		parts = append(parts, fmt.Sprintf("%s=%v", name, b.Constants[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(b.Macros)) {
		parts = append(parts, fmt.Sprintf("-D%s=%q", name, b.Macros[name]))
	}
	return strings.Join(parts, " ")
}

// Build is that of the case.
func (c Case) Build() Build {
	if c.Kernel.Build == nil || c.Shape == nil {
		return Build{}
	}
	return c.Kernel.Build(c.Shape)
}

// options are the build's beside those that every compilation has.
func (b Build) options(o metalrun.CompileOptions) metalrun.CompileOptions {
	if len(b.Macros) > 0 {
		o.Macros = maps.Clone(o.Macros)
		if o.Macros == nil {
			o.Macros = map[string]string{}
		}
		maps.Copy(o.Macros, b.Macros)
	}
	return o
}

// specialise gives a program the values of its function constants.
func (b Build) specialise(p *metalrun.Program, math metalrun.Math, entries ...string) (*metalrun.Program, error) {
	values := map[int]any{}
	for _, d := range p.FunctionConstants() {
		x, ok := b.Constants[d.Name]
		if !ok {
			x, ok = b.Constants[strconv.Itoa(d.Index)]
		}
		if !ok {
			continue
		}
		var err error
		if values[d.Index], err = constantOf(d.Type, x); err != nil {
			return nil, fmt.Errorf("%s: function constant %s: %w", d.Position, d.Name, err)
		}
	}
	if len(values) < len(b.Constants) {
		var names []string
		for _, d := range p.FunctionConstants() {
			names = append(names, d.Name)
		}
		return nil, fmt.Errorf("the specification has function constants %s, the program %s",
			strings.Join(slices.Sorted(maps.Keys(b.Constants)), ", "), strings.Join(append(names, "no others"), ", "))
	}
	return p.Specialise(math, values, entries...)
}

// constantOf is a value for a function constant of a type.
func constantOf(typ string, x float64) (any, error) {
	switch typ {
	case "bool":
		return x != 0, nil
	case "float", "half", "bfloat":
		return float32(x), nil
	case "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong":
		if n := int64(x); float64(n) == x {
			return n, nil
		}
		return nil, fmt.Errorf("%v is no %s", x, typ)
	}
	return nil, fmt.Errorf("of type %s, which is no scalar", typ)
}
