package suite

import "slices"

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
