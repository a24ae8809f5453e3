package suite

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"metalconform/metalrun"
)

// Stranger is an entry point that no specification describes. What its launches
// need beside its source is taken from [Given] and otherwise guessed: that a
// launch shows something undefined may be the guess' fault, and each launch says
// what was guessed.
type Stranger struct {
	Info      metalrun.KernelInfo
	signature signature
	params    []parameter
	constants []functionConstant
	given     *Given
}

// Given is what somebody states about the launches of kernels. Names are those of
// their arguments; a kernel without such an argument does not mind.
type Given struct {
	// Size is the value of integer scalars, of integers in constant memory and of
	// function constants, and the bound of the integers in buffers; 0 means 64.
	Size int
	// Elements is the number of elements of buffers; 0 means as many as are likely
	// to be enough.
	Elements int
	// Args are values of scalars, by NAME or NAME.MEMBER or, in a table in constant
	// memory, NAME[INDEX], and numbers of elements of buffers, by NAME.
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

// fact is something that a launch takes for granted, as the flag that states it.
type fact struct {
	flag  string
	given bool
}

// parameter is an argument with what its type tells.
type parameter struct {
	metalrun.ArgInfo
	layout
	reference bool // one object, not the first of many
	output    bool // what it holds before a launch means nothing
}

// Strangers describes the entry points of a source, in order, and completes the
// options under which it is to be compiled: function constants without a value
// get one, but for those that the source itself asks about.
func Strangers(src metalrun.Source, opts metalrun.CompileOptions, given *Given) ([]Stranger, metalrun.CompileOptions, error) {
	constants, err := given.constants(src, &opts)
	if err != nil {
		return nil, opts, err
	}
	infos, err := metalrun.Inspect(src, opts)
	if err != nil {
		return nil, opts, err
	}
	all, err := readSignatures(src, opts)
	if err != nil {
		return nil, opts, err
	}
	list := make([]Stranger, len(infos))
	for i, info := range infos {
		s := Stranger{Info: info, signature: all.kernels[info.Name], constants: constants, given: given}
		for _, a := range info.Args {
			s.params = append(s.params, given.parameter(a, s.signature, all.structs))
		}
		if err := s.misstated(); err != nil {
			return nil, opts, err
		}
		list[i] = s
	}
	return list, opts, nil
}

// parameter interprets an argument. A type that cannot be taken apart counts as
// words; so does void.
func (g *Given) parameter(a metalrun.ArgInfo, s signature, structs map[string][]member) parameter {
	p := parameter{ArgInfo: a, reference: s.reference(a), output: a.Writable && slices.Contains(g.Outputs, a.Name)}
	l, ok := layoutOf(a.Type, structs)
	if !ok || l.size != a.Size || l.align != a.Align {
		word := mslScalar{integer, min(max(a.Align, 1), 4)}
		if a.Size == 0 {
			word.bytes = 4
		}
		l = layout{size: max(a.Size, word.bytes), align: a.Align, scalars: []placed{{scalar: word, count: max(a.Size/word.bytes, 1)}}}
	}
	p.layout = l
	return p
}

// scalar reports whether the argument passes values that can be stated, and not
// memory to work on.
func (p parameter) scalar() bool {
	return p.Kind == metalrun.BufferArg && p.reference && !p.Writable
}

// Names are what Given.Args can state about the kernel.
func (s *Stranger) Names() []string {
	var names []string
	for _, p := range s.params {
		switch {
		case p.Kind != metalrun.BufferArg:
		case p.scalar():
			for _, m := range p.scalars {
				names = append(names, p.path(m))
			}
		case !p.reference:
			names = append(names, p.Name)
		}
	}
	return slices.Compact(names)
}

// Constants are the names and indices of the function constants of its file.
func (s *Stranger) Constants() []string {
	var names []string
	for _, c := range s.constants {
		names = append(names, c.name, strconv.Itoa(c.index))
	}
	return names
}

// Memory are the indices of the kernel's arguments in threadgroup memory.
func (s *Stranger) Memory() []string {
	var indices []string
	for _, p := range s.params {
		if p.Kind == metalrun.ThreadgroupArg {
			indices = append(indices, strconv.Itoa(p.Index))
		}
	}
	return indices
}

// Outputs are the names of the buffers that the kernel can write.
func (s *Stranger) Outputs() []string {
	var names []string
	for _, p := range s.params {
		if p.Kind == metalrun.BufferArg && p.Writable {
			names = append(names, p.Name)
		}
	}
	return names
}

// table reports whether the argument is a table in constant memory, whose integers
// are mostly shapes and strides.
func (p parameter) table() bool {
	return p.Kind == metalrun.BufferArg && p.Constant && !p.reference
}

// path is the name of a scalar of the argument.
func (p parameter) path(m placed) string { return strings.TrimSuffix(p.Name+"."+m.path, ".") }

// Knows reports whether a name in Given.Args is about the kernel.
func (s *Stranger) Knows(name string) bool {
	if slices.Contains(s.Names(), name) {
		return true
	}
	table, index, _ := strings.Cut(strings.TrimSuffix(name, "]"), "[")
	i, err := strconv.Atoi(index)
	return err == nil && i >= 0 && slices.ContainsFunc(s.params, func(p parameter) bool { return p.table() && p.Name == table })
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

// count is the number of elements of a buffer. One that is guessed is generous:
// too small a guess would show accesses out of range that are none.
func (s *Stranger) count(p parameter) (n int, given bool) {
	if n, ok := s.given.Args[p.Name]; ok && !p.reference {
		return int(n), true
	}
	if p.reference {
		return 1, false
	}
	if s.given.Elements != 0 {
		return s.given.Elements, true
	}
	largest := s.given.size()
	for _, q := range s.params {
		if !q.scalar() {
			continue
		}
		for _, m := range q.scalars {
			if x, _ := s.given.value(q.path(m), m.scalar); m.scalar.kind == integer && x > float64(largest) {
				largest = int(math.Min(x, mostBytes))
			}
		}
	}
	return min(max(defaultElements, largest*largest), mostBytes/p.size), false
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

// misstated is what is given of an argument that its type cannot have.
func (s *Stranger) misstated() error {
	for _, p := range s.params {
		if p.Kind != metalrun.BufferArg {
			continue
		}
		x, given := s.given.Args[p.Name]
		if given && !p.reference && (x != math.Trunc(x) || x < 0 || x > mostBytes) {
			return &Misstated{fmt.Sprintf("%s is a buffer of %s: %v is no number of elements", p.Name, p.Type, x)}
		}
		for _, m := range p.scalars {
			x, given := s.given.Args[p.path(m)]
			if given && p.scalar() && m.scalar.kind == integer && (x != math.Trunc(x) || math.Abs(x) > 1<<53) {
				return &Misstated{fmt.Sprintf("%s is an integer and cannot be %v", p.path(m), x)}
			}
		}
	}
	return nil
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
