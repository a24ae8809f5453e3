package suite

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"metalconform/metalrun"
)

// Given is what somebody states about the launches of kernels. Names are those of
// their arguments; a kernel without such an argument does not mind.
type Given struct {
	// Size is the value of integer scalars, of integers in constant memory and of
	// function constants, and the bound of the integers in buffers; 0 means 64.
	Size int
	// Elements is the number of elements of buffers; 0 means as many as are likely
	// to be enough.
	Elements int
	// Args are values of scalars, by NAME or NAME.MEMBER or, in a vector, an array or
	// a table in constant memory, NAME[INDEX], and numbers of elements of buffers, by
	// NAME.
	Args map[string]float64
	// Constants are values of function constants by name or index.
	Constants map[string]string
	Memory    map[int]int // bytes at [[threadgroup(i)]]
	// Outputs are buffers whose contents mean nothing before a launch. Others hold
	// data even where the kernel may write them, for it may well read them first.
	Outputs []string

	Threadgroups          metalrun.Size // of the grid; at most one of this and Threads is set
	Threads               metalrun.Size // of the grid
	ThreadsPerThreadgroup metalrun.Size

	Low, High float64 // random floats are drawn from [Low, High)
	Seed      uint64
}

const (
	defaultSize     = 64
	defaultElements = 1 << 20  // of a buffer: 4·64³, for three indices below the default size
	mostBytes       = 64 << 20 // of a buffer whose size is guessed
)

// size is the value of integers.
func (g *Given) size() int {
	if g.Size == 0 {
		return defaultSize
	}
	return g.Size
}

// value is that of a scalar, rounded to nothing yet.
func (g *Given) value(name string, s mslScalar) (x float64, given bool) {
	if x, ok := g.Args[name]; ok {
		return x, true
	}
	if s.kind == integer {
		return float64(g.size()), false
	}
	return 1, false
}

// element is element i of a vector, an array or a table.
func (g *Given) element(name string, i int, s mslScalar) float64 {
	if x, ok := g.Args[fmt.Sprintf("%s[%d]", name, i)]; ok {
		return x
	}
	x, _ := g.value(name, s)
	return x
}

// constants enters values of function constants into the options.
func (g *Given) constants(src metalrun.Source, opts *metalrun.CompileOptions) ([]functionConstant, error) {
	list, err := functionConstants(src, *opts)
	if err != nil {
		return nil, err
	}
	opts.FunctionConstants = maps.Clone(opts.FunctionConstants)
	if opts.FunctionConstants == nil {
		opts.FunctionConstants = map[int]any{}
	}
	for i := range list {
		c := &list[i]
		s, plain := scalarNamed(c.typ)
		if c.value, c.given = g.Constants[c.name]; !c.given {
			c.value, c.given = g.Constants[strconv.Itoa(c.index)]
		}
		switch {
		case c.given:
		case !plain || copesWithout(src, c.name):
			continue
		case s.kind == boolean:
			c.value = "true"
		case s.kind == integer:
			c.value = strconv.Itoa(g.size())
		default:
			c.value = "1"
		}
		if opts.FunctionConstants[c.index], err = constantValue(c.value, s); err != nil {
			return nil, &Misstated{fmt.Sprintf("function constant %s of type %s cannot be %q", c.name, c.typ, c.value)}
		}
	}
	return list, nil
}

// Misstated is the error of something given that the source contradicts.
type Misstated struct{ message string }

func (m *Misstated) Error() string { return m.message }

// copesWithout reports whether the source copes with a function constant that has no
// value.
func copesWithout(src metalrun.Source, name string) bool {
	for _, text := range src.Files {
		if strings.Contains(text, "is_function_constant_defined("+name+")") {
			return true
		}
	}
	return false
}

// constantValue reads the value of a function constant.
func constantValue(text string, s mslScalar) (any, error) {
	switch s.kind {
	case boolean:
		return strconv.ParseBool(text)
	case integer:
		return strconv.Atoi(text)
	case floating, brain:
		x, err := strconv.ParseFloat(text, 32)
		return float32(x), err
	}
	return nil, strconv.ErrSyntax
}
