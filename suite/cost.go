package suite

import "slices"

// Work declares what a kernel's definition asks for, at any shape and however
// a kernel goes about it.
type Work struct {
	// Operations counts the arithmetic of the definition: an addition, a
	// subtraction, a multiplication and a division one each, so that a
	// multiply-add counts two and a sum of n terms n; a function such as exp,
	// rsqrt or sin one; a sigmoid or silu the exp, the sum and the quotient that
	// it is. What the definition needs several times it computes once. Signs,
	// comparisons, conversions, copies, indices and constants of the shape count
	// nothing.
	Operations Extent
	// Reads and Writes count the elements of a buffer that have to be read and
	// written, where that is not all of an input, or of an output all that is
	// not declared untouched. Elements that an index picks count as if no two
	// indices were equal.
	Reads, Writes map[string]Extent
}

// Cost is the least that a run of a kernel takes at one shape, over all its
// launches.
type Cost struct {
	Bytes      int // that cross device memory: each element to be read once, each to be written once
	Operations int // as [Work] counts them
	Elements   int // to be written
}

// Cost evaluates the kernel's Work at s. It panics if Operations is not
// declared.
func (k *Kernel) Cost(s Shape) Cost {
	c := Cost{Operations: k.Work.Operations.Size(s)}
	for _, a := range k.Args {
		if !a.Buffer() {
			continue
		}
		reads, writes := k.Work.of(a, s)
		c.Bytes += (reads + writes) * a.Type.Bytes()
		c.Elements += writes
	}
	return c
}

// of counts the elements of one buffer that have to be read and written.
func (w Work) of(a Arg, s Shape) (reads, writes int) {
	n := a.Count(s)
	if a.Untouched != nil {
		for _, r := range a.Untouched(s) {
			n -= r.End - r.First
		}
	}
	if a.Role != RoleOut {
		reads = n
	}
	if a.Writable() {
		writes = n
	}
	if e, ok := w.Reads[a.Name]; ok {
		reads = e.Size(s)
	}
	if e, ok := w.Writes[a.Name]; ok {
		writes = e.Size(s)
	}
	return reads, writes
}

// Largest is, of each kernel that has cases, the one that moves most bytes:
// the first of several. Pipelines and the shapes that a host refuses have none.
func Largest(cases []Case) []Case {
	var largest []Case
	at := map[*Kernel]int{}
	for _, c := range Measurable(cases) {
		i, seen := at[c.Kernel]
		switch {
		case !seen:
			at[c.Kernel] = len(largest)
			largest = append(largest, c)
		case c.Kernel.Cost(c.Shape).Bytes > largest[i].Kernel.Cost(largest[i].Shape).Bytes:
			largest[i] = c
		}
	}
	return largest
}

// Measurable are the cases that launch a kernel: neither those of pipelines nor
// those that launch nothing, nor the ends of larger launches.
func Measurable(cases []Case) []Case {
	var list []Case
	for _, c := range cases {
		if c.end == nil && c.Launching() {
			list = append(list, c)
		}
	}
	return list
}

// Launching reports whether the case launches a kernel.
func (c Case) Launching() bool {
	return c.Pipeline == nil && c.Input.Name != refused && len(c.LaunchSequence()) > 0
}

// Scaling is a comparison of ways to compute the same: their times as one axis grows and
// the others stay.
type Scaling struct {
	Name   string // of a figure's file
	Doc    string // what is compared, in one sentence
	Values []int  // of the axis, rising
	Lines  []ScalingLine
	Parts  bool // the lines are parts of one whole, and no alternatives
}

// ScalingLine is one way: a kernel, or several one after the other, whose times add up.
type ScalingLine struct {
	Name    string
	Kernels []string
	Axis    Axis
	Others  Shape // axes that a kernel does not have do not concern it
}

// Alone is a line for each kernel, all at the same shapes.
func Alone(axis Axis, others Shape, kernels ...string) []ScalingLine {
	var lines []ScalingLine
	for _, k := range kernels {
		lines = append(lines, ScalingLine{Name: k, Kernels: []string{k}, Axis: axis, Others: others})
	}
	return lines
}

// Cases are those of the line at a value of its axis, one of each kernel with the kernel's
// first inputs; none where a host would refuse the shape.
func (l ScalingLine) Cases(families []Family, value int) []Case {
	var cases []Case
	for _, name := range l.Kernels {
		for _, f := range families {
			for _, k := range f.Kernels {
				if k.Name != name {
					continue
				}
				whole, shape := l.Others.With(Shape{l.Axis: value}), Shape{}
				for _, a := range k.Axes {
					shape[a] = a.Size(whole)
				}
				if k.check(shape) != nil {
					return nil
				}
				k.Sweep = Sweep{Shapes: []Shape{shape}, Inputs: k.Sweep.Inputs[:1]}
				cases = append(cases, Cases([]Family{{Name: f.Name, Kernels: []Kernel{k}}}, Quick)[:1]...)
			}
		}
	}
	return cases
}

// Cases are those of all lines, by the values of the axis, each once.
func (s Scaling) Cases(families []Family) [][]Case {
	cases := make([][]Case, len(s.Values))
	for n, v := range s.Values {
		for _, l := range s.Lines {
			for _, c := range l.Cases(families, v) {
				if !slices.ContainsFunc(cases[n], func(other Case) bool { return other.Name == c.Name }) {
					cases[n] = append(cases[n], c)
				}
			}
		}
	}
	return cases
}
