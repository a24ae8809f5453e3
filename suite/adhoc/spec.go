package adhoc

import (
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"

	"metalconform/metalrun"
)

// Spec is what somebody states about the launches of kernels. Names are those of
// arguments; they mean nothing to a kernel without such an argument.
type Spec struct {
	// Size is the value of integer scalars, of integers in constant memory and of
	// function constants, and the bound of the integers in buffers; 0 means 64.
	Size int
	// Elements is the number of elements of buffers; 0 means as many as are
	// likely to be enough.
	Elements int
	// Args are values of scalars, by NAME or NAME.MEMBER or, in a vector, an array or
	// a table in constant memory, NAME[INDEX], and numbers of elements of buffers, by
	// NAME.
	Args map[string]float64
	// Constants are values of function constants by name or index.
	Constants map[string]string
	Memory    map[int]int // bytes at [[threadgroup(i)]]
	// Outputs are buffers whose contents mean nothing before a launch. Others hold
	// data even if the kernel may write them, since it may read them first.
	Outputs []string

	Threadgroups          metalrun.Size // of the grid; at most one of this and Threads is set
	Threads               metalrun.Size // of the grid
	ThreadsPerThreadgroup metalrun.Size

	Floats *Interval // nil means 0.5 to 1.5
	Seed   *uint64   // nil means 1

	guesses map[string]float64 // in place of Size, as Args
	filled  bool               // no integer in a buffer is zero
	apiece  bool               // none is twice in a buffer
	fewer   int                // a size that is not stated, if it is not the usual one
}

// Interval is where random floats are drawn from: Low is in it, High is not.
type Interval struct{ Low, High float64 }

const (
	defaultSize     = 64
	defaultElements = 1 << 10 // of a buffer; an access beyond makes it longer
	simdgroups      = 8       // of a threadgroup, as its first guess has
	growth          = 4       // times what such an access needs, as long as that is not much
	muchGrowth      = 2       // times more than
	muchBytes       = 1 << 20
)

// Bytes that buffers may have. A launch with checks takes up to twelve times as much besides.
const (
	firstBytes   = 12 << 20 // together, before a launch has shown that they need more
	mostBytes    = 8 << 20  // one whose size is guessed; smaller integers may do with less than it would need
	mostTogether = 24 << 20 // those whose sizes are guessed
	mostStated   = 1 << 30  // those whose sizes are stated
)

// size is the value of integers.
func (s *Spec) size() int {
	switch {
	case s.Size != 0:
		return s.Size
	case s.fewer != 0:
		return s.fewer
	}
	return defaultSize
}

// floats is where floats are drawn from.
func (s *Spec) floats() Interval {
	if s.Floats == nil {
		return Interval{0.5, 1.5}
	}
	return *s.Floats
}

// seed is that of the random contents.
func (s *Spec) seed() uint64 {
	if s.Seed == nil {
		return 1
	}
	return *s.Seed
}

// value is that of a scalar, not yet rounded to its type.
func (s *Spec) value(name string, k scalarKind) (x float64, given bool) {
	if x, ok := s.Args[name]; ok {
		return x, true
	}
	if x, ok := s.guesses[name]; ok {
		return x, false
	}
	if k == integer {
		return float64(s.size()), false
	}
	return 1, false
}

// element is element i of a vector, an array or a table.
func (s *Spec) element(name string, i int, k scalarKind) float64 {
	if len(s.Args)+len(s.guesses) > 0 { // asked for every element of large buffers
		element := fmt.Sprintf("%s[%d]", name, i)
		if x, ok := s.Args[element]; ok {
			return x
		}
		if x, ok := s.guesses[element]; ok {
			return x
		}
	}
	x, _ := s.value(name, k)
	return x
}

// functionConstant is a function constant with the value that it gets.
type functionConstant struct {
	metalrun.FunctionConstant
	value string // "" for none
	given bool
}

// Specialise is a program with values for some of its function constants, by name or
// index.
func Specialise(p *metalrun.Program, constants map[string]string) (*metalrun.Program, error) {
	values := map[int]any{}
	for name, text := range constants {
		known := false
		for _, d := range p.FunctionConstants() {
			if name != d.Name && name != strconv.Itoa(d.Index) {
				continue
			}
			value, err := constantValue(text, scalarKindOf(d.Type))
			if err != nil {
				return nil,
					&InvalidSpec{fmt.Sprintf("function constant %s of type %s cannot be %q", d.Name, d.Type, text)}
			}
			values[d.Index], known = value, true
		}
		if !known {
			return nil, &InvalidSpec{"there is no function constant " + name}
		}
	}
	return p.Specialise(p.Options().Math(), values)
}

// complete is a program with values for its function constants.
func (s *Spec) complete(p *metalrun.Program) (*metalrun.Program, []functionConstant, error) {
	declared, opts := p.FunctionConstants(), p.Options()
	values := maps.Clone(opts.FunctionConstants)
	if values == nil {
		values = map[int]any{}
	}
	changed := false
	list := make([]functionConstant, len(declared))
	optional := mayBeUndefined(p.Source())
	for i, d := range declared {
		c := &list[i]
		c.FunctionConstant = d
		if c.value, c.given = s.Constants[c.Name]; !c.given {
			c.value, c.given = s.Constants[strconv.Itoa(c.Index)]
		}
		k, plain := scalarKindOf(c.Type), !strings.ContainsAny(c.Type, "234") // no vector
		switch {
		case c.given:
		case !plain || optional[c.Name]:
			continue
		case k == boolean:
			c.value = "true"
		case k == integer && simdgroupsName.MatchString(c.Name):
			c.value = strconv.Itoa(simdgroups)
		case k == integer:
			c.value = strconv.Itoa(s.size())
		default:
			c.value = "1"
		}
		value, err := constantValue(c.value, k)
		if !plain || err != nil {
			return nil, nil,
				&InvalidSpec{fmt.Sprintf("function constant %s of type %s cannot be %q", c.Name, c.Type, c.value)}
		}
		values[c.Index], changed = value, true
	}
	if !changed {
		return p, list, nil
	}
	p, err := p.Specialise(opts.Math(), values)
	return p, list, err
}

// InvalidSpec is the error of something given that the source contradicts.
type InvalidSpec struct{ message string }

func (m *InvalidSpec) Error() string { return m.message }

// mayBeUndefined are the function constants that the source copes without: it asks whether they have
// a value.
func mayBeUndefined(src metalrun.Source) map[string]bool {
	names := map[string]bool{}
	for _, text := range src.Files {
		for _, asks := range defined.FindAllStringSubmatch(text, -1) {
			names[asks[1]] = true
		}
	}
	return names
}

var defined = regexp.MustCompile(`\bis_function_constant_defined\(([\w:]+)\)`)

// constantValue reads the value of a function constant.
func constantValue(text string, k scalarKind) (any, error) {
	switch k {
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
