package suite

// Scaling is a comparison of kernels that compute the same: their times as one axis grows
// and the others stay.
type Scaling struct {
	Name    string // of a figure's file
	Doc     string // what is compared, in one sentence
	Kernels []string
	Axis    Axis
	Values  []int // of the axis, rising
	Others  Shape // the other axes
}

// Cases are those of the scaling: for each value one of each kernel, with the kernel's
// first inputs.
func (s Scaling) Cases(families []Family) [][]Case {
	cases := make([][]Case, len(s.Values))
	for _, name := range s.Kernels {
		for _, f := range families {
			for i := range f.Kernels {
				if f.Kernels[i].Name != name {
					continue
				}
				for n, v := range s.Values {
					k := f.Kernels[i]
					k.Sweep = Sweep{Shapes: []Shape{s.Others.With(Shape{s.Axis: v})}, Inputs: k.Sweep.Inputs[:1]}
					cases[n] = append(cases[n], Cases([]Family{{Name: f.Name, Kernels: []Kernel{k}}}, Quick)[:1]...)
				}
			}
		}
	}
	return cases
}
