package suite

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"metalconform/suite/covering"
)

// Shapes that vary one axis at a time never bring two special sizes together. Combinations do: rows of a covering array
// over the classes of the axes. The classes are those of the sweep's own sizes, and the sizes at which the source
// treats an axis in another way. The quick sweep has pairs of classes. It has triples of sizes of the source, because
// special paths ask for those, and the full sweep has triples of all.

const (
	mostRows      = 48   // of pairs that a kernel gets from its own sizes, or from those of its source
	mostTriples   = 24   // rows of triples of sizes of a source
	mostFullRows  = 128  // rows of triples that the full sweep adds
	mostQuestions = 4096 // to a host about rows

	perThread = 16 // what a thread costs, in elements and operations, besides those of the definition
)

// price is what rows may cost: one of them, and all. It follows what the first case of a sweep costs, within limits.
type price struct {
	timesRow, leastRow, mostRow int
	timesAll, leastAll, mostAll int
}

// ownPrice is that of rows of a sweep's own sizes, and farPrice that of rows for the sizes of a source, which are often
// larger. Quick sweeps take a fifth longer with both.
func ownPrice() price { return price{4, 1 << 17, 1 << 24, 24, 1 << 21, 1 << 24} }
func farPrice() price { return price{24, 1 << 20, 1 << 25, 36, 1 << 22, 3 << 24} }

func (p price) row(base int) int { return min(max(p.timesRow*base, p.leastRow), p.mostRow) }
func (p price) all(base int) int { return min(max(p.timesAll*base, p.leastAll), p.mostAll) }

// combinations are the shapes of a kernel's sweep that bring classes of its axes together.
type combinations struct {
	kernel *Kernel
	sweep  Sweep
	base   Shape
	met    []Shape // that are in the sweep
	own    []covering.Factor
}

// newCombinations has the classes of a sweep's own sizes; nil if there is nothing to combine.
func newCombinations(k *Kernel, s Sweep) *combinations {
	c := &combinations{kernel: k, sweep: s, met: slices.Concat(s.Probes, s.Shapes)}
	if len(c.met) == 0 || len(k.Axes) < 2 {
		return nil
	}
	c.base = c.met[0]
	for _, a := range k.Axes {
		var values []int
		for _, s := range c.met {
			if n := a.Size(s); n == a.Size(c.base) || n != 0 || k.writes(c.base.With(Shape{a: 0})) {
				values = append(values, n)
			}
		}
		c.own = append(c.own, covering.Factor{Name: string(a), Classes: covering.Group(values, a.Size(c.base))})
	}
	return c
}

// writes reports whether a launch writes anything.
func (k *Kernel) writes(s Shape) (does bool) {
	defer func() {
		if recover() != nil {
			does = false // the specification makes no sense there
		}
	}()
	return slices.ContainsFunc(k.Args, func(a Arg) bool { return a.Writable() && a.Count(s) > 0 })
}

// more are further shapes, at most so many, which bring together what none does that is met.
func (c *combinations) more(counts *covering.Coverage, most int, p price) (shapes []Shape) {
	base := c.kernel.cost(c.base)
	for _, s := range c.met {
		counts.Add(c.kernel.row(s))
	}
	for _, row := range counts.Extend(covering.Search{
		Base: c.kernel.row(c.base), Rows: most, Questions: mostQuestions,
		Possible: func(row []int) bool { return c.possible(c.kernel.shape(row)) },
		Cost:     func(row []int) int { return c.kernel.cost(c.kernel.shape(row)) },
		MostCost: p.row(base), Budget: p.all(base),
	}) {
		shapes = append(shapes, c.kernel.shape(row))
	}
	c.met = append(c.met, shapes...)
	return shapes
}

// pairs are the shapes that bring together two classes of the sweep's own sizes.
func (c *combinations) pairs() []Shape {
	if c == nil {
		return nil
	}
	return c.more(covering.New(c.own, 2), mostRows, ownPrice())
}

// possible reports whether a host launches a shape, and there are inputs for it.
func (c *combinations) possible(s Shape) bool {
	if !c.kernel.holds(s) || c.sweep.Sensible != nil && !c.sweep.Sensible(s) {
		return false
	}
	return len(c.sweep.Inputs) == 0 || c.sweep.Inputs[0].Only == nil || c.sweep.Inputs[0].Only(s)
}

// row is a shape as a row of a covering array.
func (k *Kernel) row(s Shape) []int {
	row := make([]int, len(k.Axes))
	for i, a := range k.Axes {
		row[i] = a.Size(s)
	}
	return row
}

// shape is a row as a shape.
func (k *Kernel) shape(row []int) Shape {
	s := Shape{}
	for i, a := range k.Axes {
		s[a] = row[i]
	}
	return s
}

// cost is what a case at a shape that the host accepts takes, in elements, operations and threads.
func (k *Kernel) cost(s Shape) int {
	n := k.most(s) + perThread*k.Grid.groups(s)*size(k.Grid.Of, s).Count()
	if k.Work.Operations != nil {
		n += k.Work.Operations.Size(s)
	}
	return n
}

// combine adds the combinations of a sweep, with the first family of inputs.
func (l *caseList) combine(s Sweep, first Input, set Set) {
	if l.of.Pipeline != nil {
		return
	}
	c := newCombinations(l.of.Kernel, s)
	l.combined = true
	l.add(Quick, c.pairs(), []Input{first})
	if set == Full && c != nil {
		l.add(Full, c.more(covering.New(c.own, 3), mostFullRows, ownPrice()), []Input{first})
	}
	l.combined = false
}

// Replaced reports whether cases of the same kernel bring together, with the same inputs, all classes of sizes that a
// combined case does.
func (c Case) Replaced(by []Case) bool {
	all := newCombinations(c.Kernel, c.Kernel.Sweep)
	if all == nil || !c.Combined {
		return false
	}
	strength := 2
	if c.Set == Full {
		strength = 3
	}
	counts := covering.New(all.own, strength)
	for _, other := range by {
		if other.Kernel.Name == c.Kernel.Name && other.Input.Name == c.Input.Name && other.Variant == c.Variant &&
			other.Math == c.Math && slices.Equal(other.Kernel.Axes, c.Kernel.Axes) {
			counts.Add(c.Kernel.row(other.Shape))
		}
	}
	return counts.Has(c.Kernel.row(c.Shape))
}

// Pairs says which pairs of classes of sizes the cases of a kernel bring together.
type Pairs struct {
	Kernel  string   `json:"kernel"`
	Have    int      `json:"have"`
	Of      int      `json:"of"`                // that a host can launch
	Missing []string `json:"missing,omitempty"` // such as "n 1 with rows 33…255"
}

// PairsIn are those of all kernels with two axes that cases are of.
func PairsIn(cases []Case) (list []Pairs) {
	of := map[string][]Case{}
	var kernels []*Kernel
	for _, c := range cases {
		if c.Pipeline != nil {
			continue
		}
		if of[c.Kernel.Name] == nil {
			kernels = append(kernels, c.Kernel)
		}
		of[c.Kernel.Name] = append(of[c.Kernel.Name], c)
	}
	for _, k := range kernels {
		if p := PairsOf(k, of[k.Name]); p.Of > 0 {
			list = append(list, p)
		}
	}
	return list
}

// PairsOf counts the pairs of a kernel that some cases have. A kernel with one axis, or a pipeline, has none.
func PairsOf(k *Kernel, cases []Case) Pairs {
	p := Pairs{Kernel: k.Name}
	c := newCombinations(k, k.Sweep)
	if c == nil {
		return p
	}
	counts := covering.New(c.own, 2)
	counts.Require(func(t covering.Tuple) bool {
		s := c.base.With(nil)
		for _, choice := range t {
			s[k.Axes[choice.Factor]] = c.own[choice.Factor].Classes[choice.Class].Values[0]
		}
		return c.possible(s)
	})
	for _, other := range cases {
		if other.Kernel.Name == k.Name && other.Pipeline == nil && other.end == nil && other.Input.Name != refused {
			counts.Add(k.row(other.Shape))
		}
	}
	p.Have, p.Of = counts.Count()
	for _, t := range counts.Missing() {
		p.Missing = append(p.Missing, counts.Describe(t))
	}
	return p
}

// String says in a line how many pairs there are, and the first that are missing.
func (p Pairs) String() string {
	const shown = 3
	text := fmt.Sprintf("%s: %d of %d pairs of sizes are judged together", p.Kernel, p.Have, p.Of)
	if len(p.Missing) == 0 {
		return text
	}
	text += "; not " + strings.Join(p.Missing[:min(shown, len(p.Missing))], ", ")
	if n := len(p.Missing) - shown; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// CaseAt is the case called name of a kernel that cases are of, with a family of inputs that one of them has. The sweep
// need not have the shape: a name says all that a case is. Names of pipelines, of ends and of settings are those of a
// sweep alone.
func CaseAt(cases []Case, name string) (c Case, found bool) {
	kernel, _, _ := strings.Cut(name, "/")
	i := strings.Index(name, "/input=")
	if i < 0 {
		return c, false
	}
	for _, c := range cases {
		if c.Kernel.Name != kernel || c.Pipeline != nil || c.end != nil || c.Input.Name == refused ||
			c.Input.recorded || len(c.Input.set) > 0 || !strings.HasSuffix(c.Name, name[i:]) {
			continue
		}
		at := c.Shape.With(nil) // with what a setting adds that the name does not say
		for _, part := range NameAxes(name[:i]) {
			if n, err := strconv.Atoi(part.Value); err == nil {
				at[Axis(part.Axis)] = n
			}
		}
		if c.Kernel.Point(at) == name[:i] && c.Kernel.holds(at) && (c.Input.Only == nil || c.Input.Only(at)) {
			moved := c.at(at, name[:i])
			moved.InTurn, moved.Combined = false, false
			return moved, true
		}
	}
	return c, false
}
