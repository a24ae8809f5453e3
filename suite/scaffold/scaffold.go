package scaffold

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"metalconform/metalrun"
	"metalconform/suite/adhoc"
)

// Specification is what is known of a kernel's specification.
type Specification struct {
	info    metalrun.KernelInfo
	body    []string // the lines of the kernel
	axes    []axis
	args    []argument
	threads bool // the grid counts threads, not threadgroups
	grid    [3]span
	of      metalrun.Size
	memory  int  // arguments in threadgroup memory
	perAxis int  // one more than the axis that a threadgroup has a thread for each of, 0 for none
	ragged  bool // it runs with rows of 33, too

	constants []constant // of functions
	refused   string     // why no launch was found, "" if one was
	spent     error      // why nothing is launched any more, nil if all may be
	skipped   error      // why a launch was passed over that shows something, nil if none was
}

// axis is a number that a launch depends on.
type axis struct {
	name string
	base int
	of   string // argument and field that is passed for it; "" if the source has none

	// the kernel reads it, and neither multiplies indices by it nor divides them nor compares positions with it
	idle    bool
	unread  bool // the kernel does not read it
	stride  bool // the kernel multiplies indices by it and does nothing else with it
	divides bool // another is divided by it
	parts   int  // a multiple of which it is, as the kernel divides it; 0 and 1 for none

	apart string // the length of rows that lie so far apart; "" if it is no stride
	below string // the axis that it is a place on; "" if it is none
}

// constant is a function constant. One that buffers depend on is varied.
type constant struct {
	adhoc.Constant
	varies bool
}

// touched is how far the kernel reads or writes it.
func (a argument) touched() int { return max(a.reads, a.writes) }

// argument is an argument of the kernel.
type argument struct {
	metalrun.ArgInfo
	scalars  []scalar // of what setBytes passes
	reads    int      // elements up to the last that is read, 0 for none
	writes   int      // … or written
	other    int      // the more of both where all axes have other lengths, 0 if that is not known
	steps    [3]int   // how much less is touched if the grid is one shorter along an axis
	row      int      // where what integers pick are rows: their length
	stride   int      // … and one more than the axis by which they lie apart, 0 for none
	depends  bool     // what other buffers hold says how far it is touched
	words    bool     // any integers will do for it
	named    bool     // as places at which parts begin are
	offsets  *offsets // such places; nil if it is none
	spread   *spread  // the rows and columns of a buffer in which both lie apart
	sees     bool     // what it holds before a launch reaches a result
	elements string   // type in a specification
	called   string   // … and its name there
	head     int      // of a struct that ends in an array of any length: as many elements stand ahead of that
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
	"char": "i8", "short": "i16", "int": "i32", "long": "i64", "uchar": "u8", "ushort": "u16", "uint": "u32",
	"ulong":      "u64",
	"atomic_int": "i32", "atomic_uint": "u32", "atomic_float": "f32", "atomic_ulong": "u64", "atomic_bool": "bool",
}

// UsualWork is what the launches may take if nothing else is said: more than those of any example take.
const UsualWork = 1 << 33

// New finds the specification of a kernel. Its launches are made on a device, and on one that checks them, until they
// have taken so much work: the instruction of a thread is one.
func New(ctx context.Context, info metalrun.KernelInfo, program *metalrun.Program, plain, checking metalrun.Runner,
	work int64) (*Specification, error) {
	uses, err := usesOf(info.Name, program)
	if err != nil {
		return nil, err
	}
	if info, err = withConstants(info, program); err != nil {
		return nil, err
	}
	text, _ := program.Source().Text(info.Declared.File)
	s := &Specification{info: info, body: bodyOf(text, info.Declared.Line)}
	for _, a := range info.Args {
		if a.Kind == metalrun.ThreadgroupArg {
			s.memory = max(s.memory, a.Index+1)
			continue
		}
		if a.Kind != metalrun.BufferArg {
			return nil, fmt.Errorf("%s is a %s: specifications have buffers alone", a.Name, a.Type)
		}
		one := within(a, uses) || single(a, program.Source().Files[info.Position.File], info.Position.Line)
		arg := newArgument(a, one).listing(uses).accessed(uses)
		arg.named = arg.picks() && offsetsName.MatchString(arg.Name)
		s.args = append(s.args, arg)
	}
	slices.SortFunc(s.args, func(a, b argument) int { return a.Index - b.Index })
	s.findAxes(uses)
	t := &trial{Specification: s, ctx: ctx, plain: plain, checked: checking, work: work}
	defer t.release()
	of, err := t.compile(program, &adhoc.Spec{})
	if err != nil {
		return nil, err
	}
	if why := of.Unfilled(); why != "" {
		return nil, errors.New(why)
	}
	for _, c := range of.Valued() {
		s.constants = append(s.constants, constant{Constant: c, varies: c.Bool && s.hasMoreWith(c, program)})
	}
	s.guessGrid()
	if sizes := of.Threadgroups(t.kernel.MaxThreads()); t.seekSize(sizes) {
		t.seekGrid()
		t.run()
		t.seekFuller(sizes)
	}
	t.seekOffsets()
	t.seekConstants(program)
	t.seekPicked()
	t.seekStrides()
	t.seekSpread()
	t.seekWindows()
	t.seekThreads()
	return s, ctx.Err()
}

// withConstants is the kernel with the arguments that it has when function constants have the values of the first
// launches: some decide whether there is one.
func withConstants(info metalrun.KernelInfo, program *metalrun.Program) (metalrun.KernelInfo, error) {
	kernels, _, err := adhoc.Kernels(program, &adhoc.Spec{})
	if err != nil {
		return info, err
	}
	return kernels[slices.IndexFunc(kernels, func(k adhoc.Kernel) bool { return k.Info.Name == info.Name })].Info, nil
}

// hasMoreWith reports whether the kernel has arguments only where a function constant is true.
func (s *Specification) hasMoreWith(c adhoc.Constant, program *metalrun.Program) bool {
	kernels, _, err := adhoc.Kernels(program, &adhoc.Spec{Constants: map[string]string{c.Name: "false"}})
	return err == nil && slices.ContainsFunc(kernels, func(k adhoc.Kernel) bool {
		return k.Info.Name == s.info.Name && len(k.Info.Args) < len(s.info.Args)
	})
}

// pointsToStruct reports whether an argument is a pointer to structs that are only read.
func pointsToStruct(a metalrun.ArgInfo) bool {
	return !a.Reference && !a.Writable && len(a.Fields) > 0 && a.Fields[0].Name != ""
}

// within reports whether a pointer leads to one struct, as far as the instructions say: they read fixed places of the
// first alone.
func within(a metalrun.ArgInfo, uses metalrun.Uses) bool {
	end := uses.Extents[a.Index]
	return pointsToStruct(a) && uses.Fixed[a.Index] && 0 < end && end <= a.Size
}

// single reports whether a pointer leads to one struct, as far as the body from a line of the text on says, which may
// index members of it by anything: members are taken of it, and no elements.
func single(a metalrun.ArgInfo, text string, line int) bool {
	if !pointsToStruct(a) {
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

// keywords are names that no parameter of a definition may have, in the order of the alphabet.
var keywords = []string{
	"and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
	"finally", "for", "from", "global", "if",
	"import", "in", "is", "lambda", "load", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with",
	"yield",
}

// parameterName is the name of a parameter of the definition for one of the kernel.
func parameterName(name string) string {
	if _, is := slices.BinarySearch(keywords, name); is {
		return name + "_"
	}
	return name
}

func newArgument(a metalrun.ArgInfo, single bool) argument {
	arg := argument{ArgInfo: a, elements: "u8", called: parameterName(a.Name)}
	arg.Reference = arg.Reference || single
	if a.Tail != nil && a.Tail.Size > 0 && a.Tail.Offset > 0 {
		return arg.headed()
	}
	if t, ok := alike(a); ok {
		arg.elements = t
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
			arg.scalars = append(arg.scalars,
				scalar{name: parameterName(name), typ: types[f.Type], offset: f.Offset + i*f.Size})
		}
	}
	return arg
}

// alike is the type of all numbers of an element, one next to the other.
func alike(a metalrun.ArgInfo) (string, bool) {
	bytes := 0
	for _, f := range a.Fields {
		if f.Type != a.Fields[0].Type {
			return "", false
		}
		bytes += f.Count * f.Size
	}
	if len(a.Fields) > 1 && bytes != a.Size {
		return "", false
	}
	if len(a.Fields) == 0 {
		return "", false
	}
	t, ok := types[a.Fields[0].Type]
	return t, ok
}

// headed is a struct that ends in an array of any length as a buffer of numbers, which it is in a specification: of the
// type of all its scalars, or of bytes.
func (a argument) headed() argument {
	a.Reference, a.Size = false, 1
	scalars := append(slices.Clone(a.Fields), a.Tail.Fields...)
	other := func(f metalrun.FieldInfo) bool { return f.Type != scalars[0].Type }
	if t, ok := types[scalars[0].Type]; ok && !slices.ContainsFunc(scalars, other) && a.Tail.Offset%size(t) == 0 {
		a.elements, a.Size = t, size(t)
	}
	a.head = a.Tail.Offset / a.Size
	return a
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

// listing is the argument as a struct of its elements, if it is a buffer of scalars: the kernel reads fixed places of
// it alone, and some of them as integers. Those are lengths, where they are kept as floats, too.
func (a argument) listing(uses metalrun.Uses) argument {
	integer := func(at int) bool {
		return slices.ContainsFunc(uses.Integers,
			func(x metalrun.IntegerUse) bool { return x.Buffer == a.Index && (x.Offset == at || at < 0) })
	}
	if a.passed() || a.Writable || a.Size == 0 || !uses.Fixed[a.Index] || !integer(-1) || len(a.Fields) != 1 ||
		a.Fields[0].Name != "" {
		return a
	}
	n, size := uses.Extents[a.Index]/a.Size, a.Size
	if n == 0 || n > mostListed {
		return a
	}
	a.Reference, a.Size = true, n*size
	for i := range n {
		a.scalars = append(a.scalars, scalar{name: fmt.Sprintf("%s_%d", a.Name, i), typ: a.elements, offset: i * size,
			length: integer(i * size)})
	}
	return a
}

// accessed is a buffer of bytes, or of void, as one of what the kernel takes all of them for.
func (a argument) accessed(uses metalrun.Uses) argument {
	of, read := uses.Reads[a.Index]
	written, writes := uses.Writes[a.Index]
	if !read {
		of = written
	}
	t, known := types[of]
	if a.passed() || a.Size > 1 || a.head > 0 || len(a.scalars) > 0 || !known || read && writes && of != written ||
		size(t) == 1 {
		return a
	}
	a.elements, a.Size = t, size(t)
	a.Fields = []metalrun.FieldInfo{{Type: of, Size: a.Size, Count: 1}}
	return a
}

// atomic reports whether threads count in it.
func (a argument) atomic() bool { return strings.HasPrefix(a.Type, "atomic") }

// passed reports whether the argument is one object that a host passes by setBytes.
func (a argument) passed() bool { return a.Reference && !a.Writable && a.Size <= 4096 }

// inner are parts of names of lengths of rows, outer of how many there are.
var (
	inner = []string{"n", "d", "k", "dim", "cols", "columns", "ncols", "size", "len", "length", "hidden", "width",
		"channels", "chan", "elements", "numel", "embd", "features"}
	outer = []string{"rows", "nrows", "row", "tokens", "token", "m", "batch", "batches", "heads", "head", "seq", "t",
		"h", "groups", "num"}
)

// hints reports whether a name, or its last part, is one of those, or else whether any part of it is. What a length is
// of says less than that it is one: head_dim and row_len are lengths of rows.
func hints(name string, of []string) bool {
	parts := strings.Split(strings.ToLower(name), "_")
	last := parts[len(parts)-1]
	switch {
	case len(parts) == 1 || slices.Contains(of, last):
		return slices.Contains(of, last)
	case slices.Contains([]string{"dim", "len", "length", "cols", "size"}, last) &&
		!slices.Contains([]string{"seq", "batch"}, parts[0]):
		return false
	}
	return slices.ContainsFunc(parts, func(part string) bool { return slices.Contains(of, part) })
}

// lengthOfRows reports whether a name says so.
func lengthOfRows(name string) bool {
	parts := strings.Split(strings.ToLower(name), "_")
	return usualBase(name) == 0 && slices.Contains(inner, parts[len(parts)-1]) &&
		!slices.Contains([]string{"seq", "batch", "num"}, parts[0])
}

// primes are lengths of axes that are not those of rows.
var primes = []int{3, 5, 7, 2, 11, 13, 17, 19}

// usualFloat is a scalar that nothing is known of: 1 would hide what depends on 1 - x.
const usualFloat = "0.75"

// findAxes makes integers that are passed axes: different primes, and 64 for the length of rows, so
// that a product of them tells its factors.
func (s *Specification) findAxes(uses metalrun.Uses) {
	for i := range s.args {
		for j := range s.args[i].scalars {
			p := &s.args[i].scalars[j]
			if value := s.guessed(p); value != "" {
				p.value, p.guess = value, true
			} else if value := chosen(s.args[i], p, uses); value != "" {
				p.value, p.guess = value, true
			} else {
				at := s.axisOf(&s.args[i], p, uses)
				p.value = fmt.Sprintf("%q", at.name)
				s.axes = append(s.axes, at)
			}
		}
	}
	long := s.longAxis()
	used := slices.ContainsFunc(s.axes, func(a axis) bool { return !a.idle })
	if s.reads("threadgroup_position_in_grid") &&
		!slices.ContainsFunc(s.axes, func(a axis) bool { return hints(a.name, outer) }) || !used {
		name := "rows"
		if !s.reads("threadgroup_position_in_grid") {
			name, long = "n", len(s.axes)
			if len(s.axes) > 0 {
				name = "elements"
			}
		}
		s.axes = append(s.axes, axis{name: name})
	}
	s.setBases(long)
}

// guessed is the value of a scalar that is no axis, empty if it is one. Beyond as many axes as there are primes a
// scalar is 1: what is divided by it has to stay.
func (s *Specification) guessed(p *scalar) string {
	switch {
	case p.length:
	case p.typ == "f32", p.typ == "f16", p.typ == "bf16":
		switch {
		case padding(p.name):
			return "0"
		case strings.Contains(strings.ToLower(p.name), "eps"):
			return "1e-5"
		}
		return usualFloat
	case p.typ == "bool":
		return "1"
	}
	switch {
	case padding(p.name):
		return "0"
	case len(s.axes) == len(primes):
		return "1"
	}
	return ""
}

// chosen is the value of an integer that a kernel only compares with literals, and whose name says nothing else: the
// first of several cases, or 0 for a switch, since many of those that nobody names end a kernel early.
func chosen(arg argument, p *scalar, uses metalrun.Uses) string {
	for _, x := range uses.Integers {
		if x.Buffer != arg.Index || x.Offset != p.offset || usualBase(p.name) != 0 {
			continue
		}
		if n, is := x.Choice(); is {
			return strconv.Itoa(n)
		}
		if x.Switch() {
			return "0"
		}
	}
	return ""
}

// axisOf is the axis that a scalar of an argument stands for, by how the kernel uses it.
func (s *Specification) axisOf(arg *argument, p *scalar, uses metalrun.Uses) axis {
	of := func(x metalrun.IntegerUse) bool { return x.Buffer == arg.Index && x.Offset == p.offset }
	at := axis{name: p.name, of: arg.Name, unread: true,
		stride: slices.ContainsFunc(uses.Integers, func(x metalrun.IntegerUse) bool {
			return of(x) && x.Strides && !x.Bounds && !x.Divides
		})}
	if byteStride.MatchString(p.name) {
		at.parts = alignment
	}
	for _, x := range uses.Integers {
		if of(x) {
			at.unread = false
			at.idle = !x.Strides && !x.Divides && !x.Guards && !x.Parts && !x.Divided && !x.Adds
			at.parts, at.divides = max(at.parts, x.Multiple), x.Parts && usualBase(p.name) == 0
			if x.Divided {
				at.parts = max(at.parts, otherDivisor)
			}
		}
	}
	if slices.ContainsFunc(s.axes, func(other axis) bool { return other.name == p.name }) {
		at.name = arg.Name + "_" + p.name
	}
	return at
}

// longAxis is the axis that is the length of rows: the one with such a name, or else the last that is no stride and is
// read, or else the last that is no stride, or else the last; -1 if none is free.
func (s *Specification) longAxis() int {
	long := slices.IndexFunc(s.axes, func(a axis) bool { return lengthOfRows(a.name) })
	for _, of := range []func(axis) bool{func(a axis) bool { return !a.stride && !a.unread },
		func(a axis) bool { return !a.stride }, func(axis) bool { return true }} {
		for i := len(s.axes) - 1; i >= 0 && long < 0; i-- {
			if usualBase(s.axes[i].name) == 0 && of(s.axes[i]) {
				long = i
			}
		}
	}
	return long
}

// setBases gives each axis the size at which the others vary.
func (s *Specification) setBases(long int) {
	next := 0
	for i := range s.axes {
		if i == long {
			s.axes[i].base = longBase
			continue
		}
		if s.axes[i].base = usualBase(s.axes[i].name); s.axes[i].divides {
			s.axes[i].base = divisor
			continue
		}
		if s.axes[i].base == 0 {
			s.axes[i].base = primes[next%len(primes)] * max(s.axes[i].parts, 1)
			next++
		}
	}
}

// padding reports whether a member is called as one that nobody reads.
func padding(name string) bool { return paddingName.MatchString(name) }

var paddingName = regexp.MustCompile(`(?i)^(_.*|pad(ding)?_?[0-9]*)$`)

// usualBase is what an axis is where its name says that it is no length: a switch, a number of bits, elements that
// share a scale, or how many of the largest are taken; 0 if it says nothing of the kind.
func usualBase(name string) int {
	name = strings.ToLower(name)
	for prefix, base := range map[string]int{"has_": 1, "is_": 1, "use_": 1, "do_": 1, "add_": 1, "causal": 1, "top": 2,
		"radius": 2} {
		if strings.HasPrefix(name, prefix) {
			return base
		}
	}
	switch name {
	case "bits", "n_bits", "nbits":
		return 4
	case "group_size", "block_size", "gs":
		return 32
	}
	return 0
}

// flag reports whether an axis is a switch.
func (a axis) flag() bool { return a.of != "" && usualBase(a.name) == 1 }

// otherBase is another length of an axis: of two products that come to the same, only one does with others.
func (a axis) otherBase() int {
	switch {
	case usualBase(a.name) > 2 || a.flag():
		return a.base
	case a.divides:
		return otherDivisor
	case a.base >= longBase && a.base&(a.base-1) == 0:
		return a.base / 2 * 3
	}
	if other, ok := others[a.base/max(a.parts, 1)]; ok {
		return other * max(a.parts, 1)
	}
	return (2*a.base/max(a.parts, 1) + 1) * max(a.parts, 1)
}

// others are other lengths for each of the primes, with other differences and sums.
var others = map[int]int{3: 7, 5: 17, 7: 9, 2: 5, 11: 12, 13: 23, 17: 19, 19: 33}

// byteStride are names of strides in bytes, as ggml has them, and alignment a part of them that vectors can stand at,
// and that rows of a few numbers fit into.
var byteStride = regexp.MustCompile(`^nb_?[a-z]?\d+$`)

const alignment = 8 * longBase

// divisor is the length of an axis by which another is divided, such as how many heads share, and otherDivisor
// another: what is divided is a multiple of both.
const (
	divisor      = 2
	otherDivisor = 4
)

// longBase is the length of rows.
const longBase = 64

// long is the axis of that length, -1 if there is none.
func (s *Specification) long() int {
	return slices.IndexFunc(s.axes, func(a axis) bool { return a.base == longBase })
}

// reads reports whether the body uses an input along any axis.
func (s *Specification) reads(input string) bool {
	return slices.ContainsFunc(s.info.Inputs,
		func(used string) bool { return used == input || strings.HasPrefix(used, input+".") })
}

// along are the axes of the grid, 0 to 2, that an input is used on.
func (s *Specification) along(input string) []int {
	var list []int
	for i, component := range []string{".x", ".y", ".z"} {
		if slices.Contains(s.info.Inputs, input+component) {
			list = append(list, i)
		}
	}
	return list
}
