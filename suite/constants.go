package suite

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"metalconform/metalrun"
	"metalconform/suite/covering"
)

// A kernel may compare data with a constant of its own: a running maximum begins at it, a clamp ends there, a series
// takes over. Where no input of a family lies beyond the constant, one side of it is never taken. The family constants
// is made from the constants of the source: whole rows of an argument lie below one of them, above it, or next to it.

const (
	mostConstants    = 12       // of a kernel, the first ones of its program
	leastConstant    = 0x1p-100 // smaller ones are about numbers that may count as zero
	largestConstant  = 0x1p126  // and larger ones stand for infinity
	undeclared       = 0x1p20   // how far an argument reaches of which nobody says how it is filled
	mostHullElements = 1 << 16  // of an argument that gets such rows
)

// WithConstants are cases, and after those of each kernel further ones that constants of its source lead to: at shapes
// that bring together the sizes at which the kernel in shaders decides, and at its first probe, with rows on all sides
// of the constants that the kernel compares with data. Constants that an argument cannot reach by what its own families
// draw are left out. Pipelines get none, and kernels of which no case has a wanted name; nil wants all.
func WithConstants(cases []Case, shaders *Shaders, wanted func(name string) bool) []Case {
	type group struct {
		kernel, variant string
		math            metalrun.Math
	}
	last, template, names := map[group]int{}, map[group]Case{}, map[string]bool{}
	some := map[group]bool{} // of which a case is wanted
	of := func(c Case) group { return group{c.Kernel.Name, c.Variant, c.Math} }
	for i, c := range cases {
		names[c.Name] = true
		if g := of(c); c.Pipeline == nil && c.end == nil && c.Input.Name != refused {
			last[g], some[g] = i, some[g] || wanted == nil || wanted(c.Name)
			if _, found := template[g]; !found {
				template[g] = c
			}
		}
	}
	type built struct {
		kernel  *Kernel
		variant string
	}
	list, known := make([]Case, 0, len(cases)), map[built][]Input{}
	for i, c := range cases {
		list = append(list, c)
		g := of(c)
		if at, found := last[g]; !found || at != i {
			continue
		}
		from := template[g]
		further := wanted == nil || slices.ContainsFunc(from.WithConstantsOf(), wanted)
		if some[g] || further {
			list = append(list, from.sized(shaders, names)...)
		}
		if !further {
			continue
		}
		of := built{from.Kernel, from.Variant}
		inputs, asked := known[of]
		if !asked {
			inputs = shaders.Variant(of.variant).constantInputs(of.kernel)
			known[of] = inputs
		}
		for _, in := range inputs {
			list = append(list, from.with(from.Kernel.Sweep.Probes[0], in))
		}
	}
	return list
}

// WithConstantsOf are the names that WithConstants may give to cases of the kernel of c, in the variant and mode of c.
func (c Case) WithConstantsOf() []string {
	if c.Pipeline != nil || c.end != nil || c.Input.Name == refused || len(c.Kernel.Sweep.Probes) == 0 {
		return nil
	}
	var names []string
	for i := range mostConstantCases + 1 {
		names = append(names, c.with(c.Kernel.Sweep.Probes[0], Input{Name: constantsName(i)}).Name)
	}
	return names
}

// NamesConstants reports whether a case of that name is made from constants of a source. Only the source has the case.
func NamesConstants(name string) bool {
	return slices.ContainsFunc(NameAxes(name), func(a AxisValue) bool {
		return a.Axis == "input" && strings.HasPrefix(a.Value, constants)
	})
}

// with is the case of the same kernel, variant and mode at a shape with other inputs.
func (c Case) with(s Shape, in Input) Case {
	old, point := c.Kernel.Point(c.Shape)+"/input="+c.Input.Name, c.Kernel.Point(s)+"/input="+in.Name
	moved := c
	moved.Shape, moved.Input, moved.Set, moved.blamed = s, in, Quick, false
	moved.Name = point + strings.TrimPrefix(c.Name, old)
	if c.inputs != "" {
		moved.inputs = point + strings.TrimPrefix(c.inputs, old)
	}
	return moved
}

// constantInputs are the families of a kernel's constants.
func (s *Shaders) constantInputs(k *Kernel) (list []Input) {
	defer func() {
		if recover() != nil {
			list = nil // the specification makes no sense there, which other cases say
		}
	}()
	if len(k.Sweep.Probes) == 0 {
		return nil
	}
	at := k.Sweep.Probes[0]
	numbers, err := s.ComparedConstants(k, at)
	if err != nil {
		return nil // the cases of the kernel say so
	}
	numbers = slices.DeleteFunc(numbers, func(c float64) bool {
		return math.Abs(c) >= largestConstant || c != 0 && math.Abs(c) < leastConstant
	})
	numbers = numbers[:min(len(numbers), mostConstants)]
	inputs := k.Sweep.Inputs
	if len(inputs) == 0 {
		inputs = []Input{{Name: "normal"}}
	}
	if len(numbers) == 0 || inputs[0].Only != nil && !inputs[0].Only(at) {
		return nil
	}
	add := func(fills Fills) {
		in := inputs[0].setting(Setting{Name: constantsName(len(list)), Fills: fills})
		in.Own = false
		list = append(list, in)
	}
	arguments := 0
	for _, a := range k.Args {
		sides := k.sidesOf(a, at, inputs, numbers)
		if len(sides) == 0 {
			continue
		}
		if arguments++; arguments > 2 {
			break
		}
		rows := max(1, a.Count(at)/max(1, a.Extents[len(a.Extents)-1].Size(at)))
		most := mostConstantCases
		if arguments == 2 {
			most = 1
		}
		for i := range min(most, (len(sides)+rows-1)/rows) {
			fills := Fills{}
			if arguments == 1 {
				fills = positiveOf(inputs, a.Name)
			}
			fills[a.Name] = rowsBeside(slices.Concat(sides[i*rows%len(sides):], sides), a)
			add(fills)
		}
	}
	return list
}

// positiveOf are the fills of the family positive for all arguments but one: products with them have the sign of its
// elements.
func positiveOf(inputs []Input, but string) Fills {
	fills := Fills{}
	for _, in := range inputs {
		if in.Name != "positive" || in.Own {
			continue
		}
		for arg, fill := range in.Fills {
			if arg != but {
				fills[arg] = fill
			}
		}
	}
	return fills
}

// beside is one side of a constant: numbers around a center, no further from it than width.
type beside struct {
	constant, center, width float64
	near                    []float64 // of which each is one element
}

// sidesOf are the sides of constants that an argument can take: none of an argument that is no data.
func (k *Kernel) sidesOf(a Arg, at Shape, inputs []Input, numbers []float64) []beside {
	format, float := a.Type.Format()
	if !float || !a.Buffer() || a.Role == RoleOut || len(a.Extents) == 0 || a.Count(at) > mostHullElements {
		return nil
	}
	low, high, data := k.hull(a, at, inputs)
	if !data {
		return nil
	}
	if inputs[0].Fills[a.Name] == nil {
		low, high = math.Min(low, -undeclared), math.Max(high, undeclared)
	}
	low, high = math.Max(low, -format.Max()), math.Min(high, format.Max())
	within := func(x float64) bool { return low <= x && x <= high }
	row := a.Extents[len(a.Extents)-1].Size(at)
	var sides []beside
	add := func(b beside) {
		// Elements of a row differ, so that their order is certain.
		spacing := float64(8 * format.UnitRoundoff() * math.Abs(b.center))
		b.width = math.Min(math.Max(math.Min(1, math.Abs(b.center)/8), float64(float64(row)*spacing)),
			math.Abs(b.center)/4)
		if b.width > 0 && within(b.center-b.width) && within(b.center+b.width) {
			sides = append(sides, b)
		}
	}
	for _, c := range numbers {
		if !within(c) {
			continue
		}
		if c == 0 {
			add(beside{constant: c, center: -1})
			add(beside{constant: c, center: 1})
			continue
		}
		out := 2 * c
		if !within(1.5 * out) {
			end := high
			if c < 0 {
				end = low
			}
			out = (c + end) / 2
		}
		add(beside{constant: c, center: out})
		add(beside{constant: c, center: c / 2})
		ulp := float64(2 * format.UnitRoundoff() * math.Abs(c))
		add(beside{constant: c, center: c, near: slices.DeleteFunc([]float64{c, c - ulp, c + ulp},
			func(x float64) bool { return !within(x) })})
	}
	return sides
}

// hull are the least and the largest finite number that families draw for an argument. data says that the argument may
// hold any numbers: no fill is declared for it, or several families fill it, and the elements of the first are finite
// and as good as all different. Others are codes, masks or places, or have a structure that the kernel counts on.
func (k *Kernel) hull(a Arg, at Shape, inputs []Input) (low, high float64, data bool) {
	low, high = math.Inf(1), math.Inf(-1)
	families := 0
	for i, in := range inputs {
		if in.Only != nil && !in.Only(at) || i > 0 && in.Fills[a.Name] == nil {
			continue
		}
		families++
		fill := in.Fills[a.Name]
		if fill == nil {
			fill = Normal
		}
		x := make([]float64, a.Count(at))
		fill(Generator(k.Name+":"+in.Name, a.Name, DefaultSeed), at, x)
		if i == 0 && !continuous(x) {
			return 0, 0, false
		}
		for _, v := range x {
			if isFinite(v) {
				low, high = math.Min(low, v), math.Max(high, v)
			}
		}
	}
	return low, high, low <= high && (families > 1 || inputs[0].Fills[a.Name] == nil)
}

// rowsBeside gives each row one of the sides in turn.
func rowsBeside(sides []beside, a Arg) Fill {
	last := a.Extents[len(a.Extents)-1]
	return func(r *rand.Rand, s Shape, x []float64) {
		n := max(1, last.Size(s))
		for i := 0; i*n < len(x); i++ {
			sides[i%len(sides)].fill(r, x[i*n:min(len(x), i*n+n)])
		}
	}
}

// fill draws a row: numbers that are spaced evenly, in random order, and those next to the constant among them.
func (b beside) fill(r *rand.Rand, row []float64) {
	places := r.Perm(len(row))
	for i, at := range places {
		row[at] = b.center + float64(b.width*(2*(float64(i)+float64(0.5*r.Float64()))/float64(len(row))-1))
	}
	for i, x := range b.near {
		if i < len(row) {
			row[places[i]] = x
		}
	}
}

const (
	mostThreads       = 1024    // of a threadgroup
	fewClasses        = 3       // of an axis that triples have, too
	mostGroups        = 64      // more threadgroups are not launched for a number's sake
	mostSourceClasses = 8       // of an axis
	mostSourceSize    = 1 << 15 // larger sizes are for the check of index widths
)

// sized are cases like c at shapes that bring sizes together at which the source treats axes in another way, without
// those that are known.
func (c Case) sized(shaders *Shaders, known map[string]bool) (cases []Case) {
	k := c.Kernel
	defer func() {
		if recover() != nil {
			cases = nil // the specification makes no sense there, which other cases say
		}
	}()
	all := newCombinations(k, k.Sweep)
	if all == nil || k.MostElements > 0 && k.Check == nil {
		return nil // nobody says which sizes a specification without check cannot take
	}
	all.pairs()
	sizes := shaders.Variant(c.Variant).sourceClasses(all)
	if len(sizes) == 0 {
		return nil
	}
	both, special := slices.Clone(all.own), slices.Clone(all.own)
	for i, a := range k.Axes {
		both[i].Classes = slices.Concat(both[i].Classes, sizes[a])
		if special[i].Classes = sizes[a]; len(all.own[i].Classes) <= fewClasses {
			special[i].Classes = both[i].Classes
		} else if len(sizes[a]) > 0 {
			special[i].Classes = append([]covering.Class{covering.Single(a.Size(all.base))}, sizes[a]...)
		}
	}
	shapes := all.more(covering.New(both, 2), mostRows, farPrice())
	triples := covering.New(special, 3)
	triples.Require(func(t covering.Tuple) bool {
		return slices.ContainsFunc(t, func(c covering.Choice) bool {
			source := sizes[k.Axes[c.Factor]]
			return c.Class >= len(special[c.Factor].Classes)-len(source)
		})
	})
	shapes = append(shapes, all.more(triples, mostTriples, farPrice())...)
	inputs := k.Sweep.Inputs
	if len(inputs) == 0 {
		inputs = []Input{{Name: "normal", Random: true}}
	}
	for _, s := range shapes {
		next := c.with(s, k.Args.Structured(inputs)[0])
		if next.InTurn, next.Combined = false, true; !known[next.Name] {
			cases = append(cases, next)
		}
	}
	return cases
}

// sourceClasses are classes of sizes which the source of a kernel treats in another way than smaller ones: those beyond
// a number with which it compares, a size that it compares for equality, and those with which a loop by so many at a
// time comes to a third iteration. The number itself comes last.
func (s *Shaders) sourceClasses(c *combinations) map[Axis][]covering.Class {
	k, at := c.kernel, c.base
	program, err := s.programAt(k, at)
	if err != nil {
		return nil // the cases of the kernel say so
	}
	numbers, err := program.SizeNumbers(k.Name)
	if err != nil {
		return nil
	}
	classes := map[Axis][]covering.Class{}
	for _, n := range numbers {
		if n.Number > mostSourceSize {
			continue
		}
		number, equal := int(n.Number), n.Equal
		if n.Steps && number == 0 {
			number = size(k.Grid.Of, at).Count()
		}
		for i, a := range k.Axes {
			add := func(value int, beyond bool) {
				for _, v := range k.sizesFor(a, at, n, value) {
					if v <= 0 || v > mostSourceSize || len(classes[a]) == mostSourceClasses {
						continue
					}
					class := covering.Single(v)
					if beyond {
						class = c.own[i].From(v)
					}
					if !slices.ContainsFunc(slices.Concat(classes[a], c.own[i].Classes),
						func(other covering.Class) bool { return slices.Equal(other.Values, class.Values) }) {
						classes[a] = append(classes[a], class)
					}
				}
			}
			if n.Steps {
				add(2*number+1, true)
			} else {
				add(number+1, true)
			}
			if equal {
				add(number, false)
			}
		}
	}
	return classes
}

// sizesFor are sizes of an axis with which what a number of the source is about has a value.
func (k *Kernel) sizesFor(a Axis, at Shape, n metalrun.SizeNumber, value int) (sizes []int) {
	with := func(v int) Shape { return at.With(Shape{a: v}) }
	for _, place := range n.Integers {
		f, found := k.scalarAt(place)
		if !found || f.Value == nil {
			continue
		}
		if v, ok := inverse(func(v int) int { return int(f.Value.Value(with(v))) }, value); ok {
			sizes = append(sizes, v)
		}
	}
	for d := range n.Along {
		extents := slices.Concat(k.Grid.Threadgroups, k.Grid.Threads)
		if !n.Along[d] || d >= len(extents) {
			continue
		}
		groups := func(v int) int { return extents[d].Size(with(v)) }
		if groups(at[a]) == groups(at[a]+mostThreads) {
			continue // the grid does not grow with the axis
		}
		sizes = append(sizes, value) // positions are taken apart by the axes that they are made of
		if v, ok := inverse(groups, value); ok && value <= mostGroups {
			sizes = append(sizes, v)
		}
	}
	return sizes
}

// scalarAt is the scalar at an offset of what is bound at an index.
func (k *Kernel) scalarAt(place metalrun.IntegerPlace) (Field, bool) {
	for i, a := range k.Args {
		if k.Args.Binding(i) != place.Buffer {
			continue
		}
		at := 0
		for _, f := range a.Scalars() {
			width := f.Type.Bytes()
			at = (max(at, f.Offset) + width - 1) / width * width
			if at == place.Offset {
				return f, true
			}
			at += width
		}
	}
	return Field{}, false
}

// inverse is the smallest size with which an ascending function has a value.
func inverse(f func(int) int, want int) (size int, ok bool) {
	low, high := 0, 1
	for f(high) < want {
		if low, high = high, 2*high; high > mostSourceSize {
			return 0, false
		}
	}
	for low+1 < high {
		if middle := (low + high) / 2; f(middle) < want {
			low = middle
		} else {
			high = middle
		}
	}
	return high, f(high) == want && f(high-1) < want
}
