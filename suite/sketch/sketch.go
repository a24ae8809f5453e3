package sketch

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"metalconform/metalrun"
	"metalconform/suite/adhoc"
)

// Sketch is what is known of a kernel's specification.
type Sketch struct {
	info    metalrun.KernelInfo
	axes    []axis
	args    []argument
	threads bool // the grid counts threads, not threadgroups
	grid    []int
	of      metalrun.Size
	memory  int  // arguments in threadgroup memory
	perRow  bool // a threadgroup has a thread for each element of a row
	ragged  bool // it runs with rows of 33, too

	constants []string // of functions: names and indices in turn
}

// axis is a number that a launch depends on.
type axis struct {
	name string
	base int
	of   string // argument and field that is passed for it; "" if the source has none

	apart string // the length of rows that lie so far apart; "" if it is no stride
}

// argument is an argument of the kernel.
type argument struct {
	metalrun.ArgInfo
	scalars  []scalar // of what setBytes passes
	reads    int      // elements up to the last that is read, 0 for none
	writes   int      // … or written
	sees     bool     // what it holds before a launch reaches a result
	elements string   // type in a specification
}

// scalar is one number that setBytes passes.
type scalar struct {
	name   string
	typ    string
	offset int
	value  string // an axis, or a number
	guess  bool
	length bool // of floats, those that are taken for integers
}

// types are the element types of specifications by those of the source.
var types = map[string]string{
	"float": "f32", "half": "f16", "bfloat": "bf16", "bool": "bool",
	"char": "i8", "short": "i16", "int": "i32", "long": "i64", "uchar": "u8", "ushort": "u16", "uint": "u32", "ulong": "u64",
	"atomic_int": "i32", "atomic_uint": "u32", "atomic_float": "f32", "atomic_ulong": "u64", "atomic_bool": "bool",
}

// New sketches a kernel. Its launches are made on a device, and on one that checks them.
func New(info metalrun.KernelInfo, program *metalrun.Program, plain, checking metalrun.Runner) (*Sketch, error) {
	s := &Sketch{info: info}
	uses, err := usesOf(info.Name, program)
	if err != nil {
		return nil, err
	}
	for _, a := range info.Args {
		if a.Kind == metalrun.ThreadgroupArg {
			s.memory = max(s.memory, a.Index+1)
			continue
		}
		if a.Kind != metalrun.BufferArg {
			return nil, fmt.Errorf("%s takes %s of type %s: specifications have buffers alone", info.Name, a.Name, a.Type)
		}
		s.args = append(s.args, newArgument(a, single(a, program.Source().Files[info.Position.File], info.Position.Line)).listing(uses))
	}
	slices.SortFunc(s.args, func(a, b argument) int { return a.Index - b.Index })
	s.findAxes()
	kernels, program, err := adhoc.Kernels(program, &adhoc.Spec{})
	if err != nil {
		return nil, err
	}
	t := &trial{Sketch: s, scale: 1}
	for _, of := range []struct {
		runner metalrun.Runner
		into   *metalrun.Kernel
	}{{plain, &t.kernel}, {checking, &t.checking}} {
		library, err := of.runner.Compile(program)
		if err != nil {
			return nil, err
		}
		defer library.Release()
		if *of.into, err = library.Kernel(info.Name); err != nil {
			return nil, err
		}
	}
	var sizes []metalrun.Size
	for _, k := range kernels {
		if k.Info.Name == info.Name {
			sizes, s.constants = k.Threadgroups(t.kernel.MaxThreads()), k.Constants()
		}
	}
	s.guessGrid()
	s.of = sizes[0]
	for _, s.of = range sizes {
		if _, _, err := t.launch(t.kernel, t.memoryOf(0), nil); err == nil {
			t.run()
			break
		}
	}
	t.seekStrides()
	t.seekThreads()
	return s, nil
}

// single reports whether a pointer leads to one struct, as far as the body from a line of the text on says: members are
// taken of it, and no elements.
func single(a metalrun.ArgInfo, text string, line int) bool {
	if a.Reference || a.Writable || len(a.Fields) == 0 || a.Fields[0].Name == "" {
		return false
	}
	lines := strings.SplitAfterN(text, "\n", line)
	body, _, _ := strings.Cut(lines[len(lines)-1], "\n}")
	uses := regexp.MustCompile(`\b` + regexp.QuoteMeta(a.Name) + `\s*(->|\[[^\[]|\+)`)
	members := 0
	for _, use := range uses.FindAllStringSubmatch(body, -1) {
		if use[1] != "->" {
			return false
		}
		members++
	}
	return members > 0
}

func newArgument(a metalrun.ArgInfo, single bool) argument {
	arg := argument{ArgInfo: a, elements: "u8"}
	arg.Reference = arg.Reference || single
	if len(a.Fields) == 1 {
		if t, ok := types[a.Fields[0].Type]; ok {
			arg.elements = t
		}
	}
	if !arg.passed() {
		return arg
	}
	for _, f := range a.Fields {
		for i := range f.Count {
			name := strings.NewReplacer(".", "_", "[", "_", "]", "").Replace(f.Name)
			if name == "" {
				name = a.Name
			}
			if f.Count > 1 {
				name = fmt.Sprintf("%s_%d", name, i)
			}
			arg.scalars = append(arg.scalars, scalar{name: name, typ: types[f.Type], offset: f.Offset + i*f.Size})
		}
	}
	return arg
}

// usesOf is what the kernel does with its arguments.
func usesOf(name string, program *metalrun.Program) (metalrun.Uses, error) {
	infos, err := program.Kernels()
	if err != nil {
		return metalrun.Uses{}, err
	}
	all, err := program.Uses()
	if err != nil {
		return metalrun.Uses{}, err
	}
	return all[slices.IndexFunc(infos, func(i metalrun.KernelInfo) bool { return i.Name == name })], nil
}

// mostListed is how many scalars a buffer may have that is a list of them.
const mostListed = 16

// listing is the argument as a struct of its elements, if it is a buffer of scalars: the kernel reads fixed places of it
// alone, and some of them as integers. Those are lengths, where they are kept as floats, too.
func (a argument) listing(uses metalrun.Uses) argument {
	integer := func(at int) bool {
		return slices.ContainsFunc(uses.Integers, func(x metalrun.IntegerUse) bool { return x.Buffer == a.Index && (x.Offset == at || at < 0) })
	}
	if a.passed() || a.Writable || a.Size == 0 || !uses.Fixed[a.Index] || !integer(-1) || len(a.Fields) != 1 || a.Fields[0].Name != "" {
		return a
	}
	n, size := uses.Extents[a.Index]/a.Size, a.Size
	if n == 0 || n > mostListed {
		return a
	}
	a.Reference, a.Size = true, n*size
	for i := range n {
		a.scalars = append(a.scalars, scalar{name: fmt.Sprintf("%s_%d", a.Name, i), typ: a.elements, offset: i * size, length: integer(i * size)})
	}
	return a
}

// atomic reports whether threads count in it.
func (a argument) atomic() bool { return strings.HasPrefix(a.Type, "atomic") }

// passed reports whether the argument is one object that a host passes by setBytes.
func (a argument) passed() bool { return a.Reference && !a.Writable && a.Size <= 4096 }

// inner are names of lengths of rows, outer of how many there are.
var (
	inner = []string{"n", "d", "k", "dim", "cols", "columns", "ncols", "size", "len", "length", "hidden", "head_dim", "width", "channels", "in_dim", "count", "elements", "num_elements"}
	outer = []string{"rows", "nrows", "tokens", "n_tokens", "m", "batch", "heads", "n_heads", "num_heads", "seq_len", "t", "h"}
)

// findAxes makes integers that are passed axes: different primes, and 64 for the length of rows, so
// that a product of them tells its factors.
func (s *Sketch) findAxes() {
	primes := []int{3, 5, 7, 2, 11, 13, 17, 19}
	for i := range s.args {
		for j := range s.args[i].scalars {
			p := &s.args[i].scalars[j]
			switch {
			case p.length:
			case p.typ == "f32", p.typ == "f16", p.typ == "bf16":
				p.value, p.guess = "1", true
				if strings.Contains(strings.ToLower(p.name), "eps") {
					p.value = "1e-5"
				}
				continue
			case p.typ == "bool":
				p.value, p.guess = "1", true
				continue
			}
			if strings.HasPrefix(p.name, "pad") || strings.HasPrefix(p.name, "_") || len(s.axes) == len(primes) {
				p.value, p.guess = "0", true
				continue
			}
			at := axis{name: p.name, of: s.args[i].Name}
			if slices.ContainsFunc(s.axes, func(other axis) bool { return other.name == p.name }) {
				at.name = s.args[i].Name + "_" + p.name
			}
			p.value = fmt.Sprintf("%q", at.name)
			s.axes = append(s.axes, at)
		}
	}
	long := slices.IndexFunc(s.axes, func(a axis) bool { return slices.Contains(inner, strings.ToLower(a.name)) })
	if long < 0 && len(s.axes) > 0 {
		long = len(s.axes) - 1
	}
	if s.reads("threadgroup_position_in_grid") && !slices.ContainsFunc(s.axes, func(a axis) bool { return slices.Contains(outer, strings.ToLower(a.name)) }) || len(s.axes) == 0 {
		name := "rows"
		if !s.reads("threadgroup_position_in_grid") {
			name = "n"
			long = 0
		}
		s.axes = append(s.axes, axis{name: name})
	}
	next := 0
	for i := range s.axes {
		if s.axes[i].base = longBase; i != long {
			s.axes[i].base = primes[next%len(primes)]
			next++
		}
	}
}

// longBase is the length of rows.
const longBase = 64

// long is the axis of that length, -1 if there is none.
func (s *Sketch) long() int {
	return slices.IndexFunc(s.axes, func(a axis) bool { return a.base == longBase })
}

// reads reports whether the body uses an input along any axis.
func (s *Sketch) reads(input string) bool {
	return slices.ContainsFunc(s.info.Inputs, func(used string) bool { return used == input || strings.HasPrefix(used, input+".") })
}

// along are the axes of the grid, 0 to 2, that an input is used on.
func (s *Sketch) along(input string) []int {
	var list []int
	for i, component := range []string{".x", ".y", ".z"} {
		if slices.Contains(s.info.Inputs, input+component) {
			list = append(list, i)
		}
	}
	return list
}

// guessGrid has as many threads as rows are long along x, or as many threadgroups as there are
// rows.
func (s *Sketch) guessGrid() {
	long := s.long()
	var others []int
	for i := range s.axes {
		if i != long {
			others = append(others, i)
		}
	}
	input := "threadgroup_position_in_grid"
	if s.threads = s.reads("thread_position_in_grid"); s.threads {
		input = "thread_position_in_grid"
		if long >= 0 {
			others = append([]int{long}, others...)
		}
	}
	s.grid = []int{-1, -1, -1}
	for n, at := range s.along(input) {
		if n < len(others) {
			s.grid[at] = others[n]
		}
	}
}
