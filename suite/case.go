package suite

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"metalconform/metalrun"
	"metalconform/oracles"
)

// Set is the extent of a sweep.
type Set uint8

// Sets of cases.
const (
	Quick Set = iota // seconds per kernel: every change
	Full             // everything
)

func (s Set) String() string { return [...]string{"quick", "full"}[s] }

// Names of families of inputs that no sweep has in its list.
const (
	refused   = "refused"   // of the shapes that a host must refuse
	constants = "constants" // of rows around constants of the source
)

// mostConstantCases is how many cases constants of the source make for one argument.
const mostConstantCases = 3

// constantsName is the name of the family of a kernel's i-th case of constants.
func constantsName(i int) string {
	if i == 0 {
		return constants
	}
	return constants + "_" + strconv.Itoa(i+1)
}

// Case is one kernel, or one pipeline, at one point of its sweep with one family
// of inputs.
type Case struct {
	Name     string
	Family   string
	Kernel   *Kernel   // of a pipeline: its name, axes, buffers, check and sweep
	Pipeline *Pipeline // nil for a kernel
	Shape    Shape
	Input    Input
	Set      Set    // the smallest set that holds the case
	Variant  string // of the file that has the kernel; "" for none
	InTurn   bool   // the shape has one of the families, and another would do as well
	Combined bool   // the shape brings sizes together, and others would do as well

	Math   metalrun.Math // how the file is compiled
	unsaid bool          // nothing says how the host compiles it
	inputs string        // what they are drawn from; "" for Name

	blamed  bool                     // [Options.Blame] is about it
	end     *End                     // of a larger launch; nil: it is whole
	kernels map[string]*Kernel       // that a pipeline may launch
	maths   map[string]metalrun.Math // how their files are compiled
}

// Listed gives the cases of the families by set, each list made when it is first asked
// for. They are not to be written to.
func Listed(families []Family) func(Set) []Case {
	quick := sync.OnceValue(func() []Case { return Cases(families, Quick) })
	full := sync.OnceValue(func() []Case { return Cases(families, Full) })
	return func(set Set) []Case {
		if set == Full {
			return full()
		}
		return quick()
	}
}

// mostInTurn is how many elements the buffers may have of a shape that has a further family though it is no probe.
const mostInTurn = 1 << 14

// Cases are the cases of the families' kernels in the order of the sweeps. Two
// points that have the same name are one case.
func Cases(families []Family, set Set) []Case { return CasesNamed(families, set, nil) }

// Wildcards of templates of names.
const (
	AnySize = "\x00" // digits
	AnyText = "\x01" // any text up to the end
)

// CasesNamed is [Cases] without kernels and pipelines of which no case may have a wanted name. may says that of a
// template, which is a name with wildcards; nil wants all. Rows of covering arrays are computed for what is left: they
// are most of what a list costs.
func CasesNamed(families []Family, set Set, may func(template string) bool) []Case {
	var cases []Case
	kernels := map[string]*Kernel{}
	for _, f := range families {
		for i := range f.Kernels {
			k := &f.Kernels[i]
			kernels[k.Name] = k
			if may != nil && !may(k.Name+"/"+AnyText) {
				continue
			}
			list := &caseList{of: Case{Family: f.Name, Kernel: k}, cases: cases, seen: map[string]bool{}}
			list.sweep(k.Sweep, set, may)
			cases = list.cases
		}
		for i := range f.Pipelines {
			c := &f.Pipelines[i]
			list := &caseList{of: Case{Family: f.Name, Kernel: c.asKernel(), Pipeline: c, kernels: kernels},
				cases: cases, seen: map[string]bool{}}
			list.sweep(c.Sweep, set, may)
			cases = list.cases
		}
	}
	return cases
}

// may reports whether a case of the kernel with one of the inputs, or with constants of its source, may have a wanted
// name, at whatever sizes.
func (l *caseList) may(inputs []string, wanted func(template string) bool) bool {
	point := l.of.Kernel.Name
	for _, a := range l.of.Kernel.Axes {
		point += "/" + string(a) + "=" + AnySize
	}
	for i := range mostConstantCases + 1 {
		inputs = append(inputs, constantsName(i))
	}
	slices.Sort(inputs)
	return slices.ContainsFunc(slices.Compact(inputs), func(in string) bool { return wanted(point + "/input=" + in) })
}

// Firsts are the first case of each kernel and pipeline, in the order of the cases, with their names.
func Firsts(cases []Case) (list []Case, names []string) {
	seen := map[string]bool{}
	for _, c := range cases {
		if name := c.Kernel.Name; !seen[name] {
			seen[name] = true
			list, names = append(list, c), append(names, name)
		}
	}
	return list, names
}

// Kernels are the names of the kernels that the case launches.
func (c Case) Kernels() []string {
	if c.Pipeline != nil {
		return c.Pipeline.Kernels
	}
	return []string{c.Kernel.Name}
}

// caseList adds the cases of one kernel or pipeline to those of others.
type caseList struct {
	of               Case // with nothing of a point
	cases            []Case
	seen             map[string]bool
	inTurn, combined bool // what is added now is [Case.InTurn], or [Case.Combined]
}

// sweep adds the cases of a set, or none if none of them may have a wanted name. What the full set adds comes last, so
// that the quick set is a prefix of it but for the refused shapes.
func (l *caseList) sweep(s Sweep, set Set, wanted func(template string) bool) {
	before, inputs := len(l.cases), s.Inputs
	if len(inputs) == 0 {
		inputs = []Input{{Name: "normal", Random: true}}
	}
	inputs = l.of.Kernel.Args.Structured(inputs)
	l.add(Quick, s.Shapes, inputs[:1])
	for i, probe := range s.Probes {
		l.add(Quick, []Shape{probe},
			slices.DeleteFunc(slices.Clone(inputs), func(in Input) bool { return in.once && i > 0 }))
	}
	if len(s.Probes) > 0 {
		l.addEverywhere(s.Shapes, l.of.Kernel.most(s.Probes[0]), inputs)
		l.addInTurn(s.Shapes, s.Probes[0], inputs[1:])
	}
	l.addUnread(Quick, slices.Concat(s.Probes, l.of.Kernel.unprobed(s)), inputs[0])
	if s.Decides {
		l.addDecisions(s, inputs)
	}
	for _, setting := range s.Settings {
		l.add(Quick, []Shape{setting.Shape}, []Input{inputs[0].setting(setting)})
	}
	for _, e := range s.Ends {
		l.addEnd(e, inputs[0])
	}
	l.add(Quick, s.Refused, []Input{{Name: refused}})
	if wanted != nil {
		var names []string
		for _, c := range l.cases[before:] {
			names = append(names, c.Input.Name)
		}
		for _, in := range slices.Concat(inputs, unreadInputs(inputs[0])) {
			names = append(names, in.Name)
		}
		if !l.may(names, wanted) {
			l.cases = l.cases[:before]
			return
		}
	}
	l.combine(s, inputs[0], set)
	if set == Full {
		l.add(Full, s.Full, inputs[:1])
		l.add(Full, s.Shapes, inputs)
		l.addUnread(Full, s.Shapes, inputs[0])
	}
}

// addDecisions adds the families that lead to decisions, from the first family, or from all that are random and for
// the first probe.
func (l *caseList) addDecisions(s Sweep, inputs []Input) {
	for i, from := range inputs {
		if i > 0 && (!s.AllDecide || !from.Random || from.everywhere) {
			continue
		}
		near := l.of.Kernel.nearDecisions(from)
		for j := range near {
			if i > 0 {
				near[j].Name += "_" + from.Name
			}
		}
		l.add(Quick, s.Probes[:min(1, len(s.Probes))], near)
	}
}

// addEverywhere adds the families that are for every shape, where the buffers have fewer elements than so many.
func (l *caseList) addEverywhere(shapes []Shape, below int, inputs []Input) {
	for _, in := range inputs {
		if !in.everywhere {
			continue
		}
		for _, s := range shapes {
			if l.of.Kernel.most(s) < below {
				l.add(Quick, []Shape{s}, []Input{in})
			}
		}
	}
}

// addInTurn gives each shape that is no larger than the first probe one of the families, which take turns. A branch for
// short rows meets special values so. Where a length is 1, NaN and ties are among them.
func (l *caseList) addInTurn(shapes []Shape, probe Shape, inputs []Input) {
	k := l.of.Kernel
	if len(inputs) == 0 || l.of.Pipeline != nil {
		return
	}
	turn, most := int(hash(k.Name)%uint64(len(inputs))), min(k.most(probe), mostInTurn)
	for _, s := range shapes {
		if k.most(s) > most {
			continue
		}
		l.inTurn = true
		l.add(Quick, []Shape{s}, inputs[turn:turn+1])
		l.inTurn = false
		turn = (turn + 1) % len(inputs)
		short := slices.ContainsFunc(k.Axes, func(a Axis) bool { return s[a] == 1 && probe[a] > 1 })
		for _, in := range inputs {
			if short && (strings.HasPrefix(in.Name, "nan_") || in.Name == "ties") {
				l.add(Quick, []Shape{s}, []Input{in})
			}
		}
	}
}

// unprobed are shapes at which something of a buffer may not be read, of which no probe
// and none of the shapes before has anything.
func (k *Kernel) unprobed(s Sweep) []Shape {
	var shapes []Shape
	met := map[string]bool{}
	for i, shape := range slices.Concat(s.Probes, s.Shapes) {
		before := len(met)
		for _, a := range k.Args {
			if !met[a.Name] && len(a.unread(shape)) > 0 {
				met[a.Name] = true
			}
		}
		if i >= len(s.Probes) && len(met) > before {
			shapes = append(shapes, shape)
		}
	}
	return shapes
}

// addUnread adds the families that fill what nothing may depend on, for the shapes at
// which there is such a thing.
func (l *caseList) addUnread(set Set, shapes []Shape, first Input) {
	for _, s := range shapes {
		if l.of.Kernel.hasUnread(s) {
			l.add(set, []Shape{s}, unreadInputs(first))
		}
	}
}

// addEnd adds the end of a larger launch, with the first inputs but for its own.
func (l *caseList) addEnd(e End, first Input) {
	whole := *l
	whole.of.end = &e
	whole.add(Quick, []Shape{e.Shape},
		[]Input{first.setting(Setting{Name: e.name(l.of.Kernel), Set: e.Set, Fills: e.Fills})})
	l.cases = whole.cases
}

// setting is the family with scalars and fills of its own, under another name.
func (in Input) setting(s Setting) Input {
	own := in
	own.Name, own.set, own.recorded, own.Fills = s.Name, s.Set, s.Recorded, maps.Clone(in.Fills)
	if len(s.Fills) > 0 {
		own.Random = s.Random
		if own.Fills == nil {
			own.Fills = Fills{}
		}
		maps.Copy(own.Fills, s.Fills)
	}
	return own
}

func (l *caseList) add(set Set, shapes []Shape, inputs []Input) {
	l.cases = slices.Grow(l.cases, len(shapes)*len(inputs))
	for _, s := range shapes {
		point := l.of.Kernel.Point(s)
		for _, in := range inputs {
			name := point + "/input=" + in.Name
			if l.seen[name] || in.Only != nil && !in.Only(s) {
				continue
			}
			l.seen[name] = true
			c := l.of
			c.Name, c.Shape, c.Input, c.Set, c.InTurn, c.Combined = name, s, in, set, l.inTurn, l.combined
			l.cases = append(l.cases, c)
		}
	}
}

// Point is the one spelling of a shape: the kernel and its axes in order. With an
// input family it names a case.
func (k *Kernel) Point(s Shape) string {
	name := []byte(k.Name)
	for _, a := range k.Axes {
		name = append(name, '/')
		name = append(name, a...)
		name = append(name, '=')
		name = strconv.AppendInt(name, int64(a.Size(s)), 10)
	}
	return string(name)
}

// AxisValue is one part of the name of a case: an axis with its size, or input with
// the family of inputs.
type AxisValue struct{ Axis, Value string }

// NameAxes are the parts of the name of a case behind the kernel's.
func NameAxes(name string) []AxisValue {
	var axes []AxisValue
	for part := range strings.SplitSeq(name, "/") {
		if axis, value, ok := strings.Cut(part, "="); ok {
			axes = append(axes, AxisValue{axis, value})
		}
	}
	return axes
}

// LaunchSequence is the sequence of launches of the case.
func (c Case) LaunchSequence() []Launch {
	launches := []Launch{{}}
	if c.Kernel.Launches != nil {
		launches = c.Kernel.Launches(c.Shape)
	}
	if len(c.Input.set) > 0 {
		for i, l := range launches {
			set := maps.Clone(l.Set)
			if set == nil {
				set = map[string]float64{}
			}
			maps.Copy(set, c.Input.set)
			launches[i].Set = set
		}
	}
	if c.end != nil {
		c.ends(launches)
	}
	return launches
}

// Scalars are the values of the kernel's scalars in each launch of the case, not yet
// rounded to their types, by argument or field name.
func (c Case) Scalars() []map[string]float64 {
	var list []map[string]float64
	for _, l := range c.LaunchSequence() {
		values := map[string]float64{}
		for _, a := range c.Kernel.Args {
			for _, f := range a.Scalars() {
				values[f.Name] = f.ValueIn(c.Shape, l)
			}
		}
		list = append(list, values)
	}
	return list
}

// fill is the fill of argument a in the case's input family.
func (c Case) fill(a Arg) Fill {
	if f, ok := c.Input.Fills[a.Name]; ok {
		return f
	}
	if len(c.Kernel.Sweep.Inputs) > 0 {
		if f, ok := c.Kernel.Sweep.Inputs[0].Fills[a.Name]; ok {
			return f
		}
	}
	return c.Kernel.drawn(a, c.Input.integers)
}

// unfilled reports whether nothing is said of what an argument is filled with.
func (c Case) unfilled(a Arg) bool {
	families := c.Kernel.Sweep.Inputs
	return c.Input.Fills[a.Name] == nil && (len(families) == 0 || families[0].Fills[a.Name] == nil)
}

// Bytes is how large a case is, for an order of cases: every buffer with its copy, its float64 values, and for
// an output some more of these. A refused shape has no buffers, nor need their sizes make sense.
func (c Case) Bytes() int64 {
	if c.Input.Name == refused {
		return 0
	}
	var n int64
	for _, a := range c.Kernel.Args {
		if !a.Buffer() {
			continue
		}
		per := 2*a.Type.Bytes() + 8
		if a.Writable() {
			per += 4 * 8
		}
		n += int64(a.Count(c.Shape)) * int64(per)
	}
	if c.Pipeline != nil {
		n *= 4 // what its stages make, and the buffers of one stage
	}
	return n
}

// Arithmetic is how the case's kernel is compiled: a contract of fast
// functions has them whatever the mode.
func (c Case) Arithmetic() metalrun.Math {
	return metalrun.Math{Mode: c.Math.Mode,
		FastFunctions: c.Math.FastFunctions || c.Kernel.Contract.Functions == oracles.Fast}
}

// Drawn is the name that a case's inputs are drawn from: the same in all modes.
func (c Case) Drawn() string { return cmp.Or(c.inputs, c.Name) }

// filledBy is the family of inputs that the argument's fill comes from.
func (c Case) filledBy(a Arg) string {
	switch {
	case c.Input.Fills[a.Name] != nil:
		return c.Input.Name
	case !c.unfilled(a):
		return c.Kernel.Sweep.Inputs[0].Name
	}
	if _, float := a.Type.Format(); float {
		return "normal"
	}
	return "any bits"
}

// Literals are the integers of at least 2 that are written on lines of a text, in macros too, in ascending order: sizes
// that the code may treat by themselves.
func Literals(text string, lines []int) []int64 {
	var list []int64
	all := metalrun.SourceLines(text)
	for _, n := range lines {
		list = append(list, all[n].Literals...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Numbers are those at which a comparison of a kernel with a constant may turn, see [metalrun.Program.Numbers]. There
// are none of a kernel that does not compile.
func (s *Shaders) Numbers(kernel string) []int64 {
	for _, u := range s.exporting(kernel) {
		if p, err := u.plain(); err == nil {
			if list, err := p.Numbers(kernel); err == nil {
				return list
			}
		}
	}
	return nil
}

const (
	// MostSizes is how many cases WithSizes adds of a kernel in one variant and arithmetic.
	MostSizes = 24
	// mostSizeElements bounds what such a case takes: the elements of its buffers, and the threads of its grid.
	mostSizeElements = 1 << 21
	// sizeStep is how far above a size the next one may be that the host accepts: further than a row of a tile.
	sizeStep = 256
)

// WithSizes are cases, and after those of each kernel further ones with some sizes, by the name of the kernel: at the
// shape and with the inputs of its first case, but with one axis of that size, and of the next that the host accepts.
// Shapes that the host refuses, that are too large or that some case has are left out. Pipelines get none.
func WithSizes(cases []Case, sizes map[string][]int64) []Case {
	type group struct {
		kernel, variant string
		math            metalrun.Math
	}
	of := func(c Case) group { return group{c.Kernel.Name, c.Variant, c.Math} }
	first, last, known := map[group]int{}, map[group]int{}, map[group]map[string]bool{}
	for i, c := range cases {
		g := of(c)
		if c.Pipeline != nil || len(sizes[c.Kernel.Name]) == 0 {
			continue
		}
		if last[g] = i; known[g] == nil {
			known[g] = map[string]bool{}
		}
		if c.end == nil && c.Input.Name != refused {
			if _, found := first[g]; !found {
				first[g] = i
			}
			known[g][c.Kernel.Point(c.Shape)] = true
		}
	}
	list := make([]Case, 0, len(cases))
	for i, c := range cases {
		list = append(list, c)
		g := of(c)
		if at, found := first[g]; found && last[g] == i {
			list = append(list, cases[at].resized(sizes[g.kernel], known[g])...)
		}
	}
	return list
}

// resized are cases like c with some sizes, at other points than the known ones.
func (c Case) resized(sizes []int64, known map[string]bool) []Case {
	var list []Case
	add := func(axis Axis, n int) bool {
		at := c.Shape.With(Shape{axis: n})
		if !c.Kernel.holds(at) {
			return false
		}
		point := c.Kernel.Point(at)
		if !known[point] && len(list) < MostSizes {
			known[point] = true
			list = append(list, c.at(at, point))
		}
		return true
	}
	sizes = slices.Compact(slices.Sorted(slices.Values(sizes)))
	sizes = slices.DeleteFunc(sizes, func(n int64) bool { return n < 1 || n >= mostSizeElements })
	for _, n := range sizes {
		for _, axis := range c.Kernel.Axes {
			add(axis, int(n))
		}
	}
	for _, n := range sizes {
		for _, axis := range c.Kernel.Axes {
			for next := int(n) + 1; next <= int(n)+sizeStep && !add(axis, next); next++ {
			}
		}
	}
	return list
}

// at is the case at another point.
func (c Case) at(s Shape, point string) Case {
	old := c.Kernel.Point(c.Shape)
	moved := c
	moved.Shape, moved.Name = s, point+strings.TrimPrefix(c.Name, old)
	if c.inputs != "" {
		moved.inputs = point + strings.TrimPrefix(c.inputs, old)
	}
	moved.blamed = false
	return moved
}

// holds reports whether the host accepts a shape, and a case there takes no more than it may.
func (k *Kernel) holds(s Shape) (ok bool) {
	defer func() {
		if p := recover(); p != nil {
			ok = false // an extent has no value there
		}
	}()
	if k.check(s) != nil {
		return false
	}
	left := mostSizeElements
	if k.MostElements > 0 {
		left = min(left, k.MostElements)
	}
	for _, a := range k.Args {
		if !a.Buffer() {
			continue
		}
		n := a.Count(s)
		if left -= n; n < 0 || left < 0 {
			return false
		}
	}
	return k.Grid.groups(s)*size(k.Grid.Of, s).Count() <= mostSizeElements
}
