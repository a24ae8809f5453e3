package conform

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"metalconform/suite"
	"metalconform/suite/spec"
)

// Kernel specifies an entry point.
type Kernel struct {
	Name string // the entry point's host name
	Doc  string // one sentence; may be empty
	Args []Arg  // in the order of their buffer indices

	// The launch: either whole threadgroups or threads, x first, and the threads of each
	// threadgroup. Missing dimensions count as 1.
	Threadgroups, Threads []Extent
	ThreadsPerThreadgroup []Extent
	ThreadgroupMemory     []Extent // bytes at [[threadgroup(i)]]

	// Check refuses points that the host must not launch; nil accepts all.
	Check func(Shape) error

	// The sweep. Base has a value for each axis; there every family of inputs is tried. Vary
	// changes one axis at a time, Cross takes all combinations, Shapes are points of their own, and
	// Full is what varies in the full sweep only. Check has to refuse the points of Refused.
	Base              Shape
	Vary, Cross, Full []Variation
	Shapes, Refused   []Shape
	Inputs            []Input // nil: the standard ones over all floating-point inputs

	// Oracle is the definition: an answer for each output by name.
	Oracle func(*Problem) Answers
	// Contract is what Bounds of the oracle go by.
	Contract Contract

	read *suite.Kernel // from a file: nothing above but Name and Doc
}

// Starlark are the kernels that a file of a directory specifies in Starlark.
func Starlark(dir fs.FS, name string) ([]Kernel, error) {
	family, err := spec.Read(dir, name)
	if err != nil {
		return nil, err
	}
	kernels := make([]Kernel, len(family.Kernels))
	for i := range kernels {
		k := &family.Kernels[i]
		kernels[i] = Kernel{Name: k.Name, Doc: k.Doc, Args: k.Args, read: k}
	}
	return kernels, nil
}

// kernel is the specification as the suite has it.
func (k Kernel) kernel() (suite.Kernel, error) {
	if k.read != nil {
		return *k.read, nil
	}
	switch {
	case k.Name == "":
		return suite.Kernel{}, errors.New("a kernel has no name")
	case k.Oracle == nil:
		return suite.Kernel{}, fmt.Errorf("kernel %s has no oracle", k.Name)
	case (len(k.Threadgroups) == 0) == (len(k.Threads) == 0) || len(k.ThreadsPerThreadgroup) == 0:
		return suite.Kernel{}, fmt.Errorf("kernel %s: want ThreadsPerThreadgroup, and either Threadgroups or Threads", k.Name)
	case !slices.ContainsFunc(k.Args, Arg.Writable):
		return suite.Kernel{}, fmt.Errorf("kernel %s has no output", k.Name)
	}
	for _, shape := range slices.Concat(k.Shapes, k.Refused) {
		for axis := range shape {
			if _, ok := k.Base[axis]; !ok {
				return suite.Kernel{}, fmt.Errorf("kernel %s: %s is not an axis of Base", k.Name, axis)
			}
		}
	}
	for _, v := range slices.Concat(k.Vary, k.Cross, k.Full) {
		if _, ok := k.Base[v.Axis]; !ok {
			return suite.Kernel{}, fmt.Errorf("kernel %s: %s is not an axis of Base", k.Name, v.Axis)
		}
	}
	return suite.Kernel{
		Name: k.Name, Doc: k.Doc, Axes: k.axes(), Args: k.Args,
		Grid:              suite.Grid{Threadgroups: k.Threadgroups, Threads: k.Threads, Of: k.ThreadsPerThreadgroup},
		ThreadgroupMemory: k.ThreadgroupMemory, Check: k.Check, Work: suite.Work{Operations: Fixed(0)},
		Sweep: k.sweep(), Contract: k.Contract, Oracle: k.Oracle,
	}, nil
}

// axes are those of Base in the order in which arguments have them, then the others.
func (k Kernel) axes() []Axis {
	var axes []Axis
	for _, a := range k.Args {
		for _, e := range a.Extents {
			if axis, ok := e.(Axis); ok && !slices.Contains(axes, axis) {
				axes = append(axes, axis)
			}
		}
	}
	for _, axis := range slices.Sorted(maps.Keys(k.Base)) {
		if !slices.Contains(axes, axis) {
			axes = append(axes, axis)
		}
	}
	return axes
}

func (k Kernel) sweep() suite.Sweep {
	s := suite.Sweep{Probes: []Shape{k.Base}, Shapes: suite.Around(k.Base, k.Vary...)[1:], Inputs: k.Inputs}
	if len(k.Cross) > 0 {
		s.Shapes = append(s.Shapes, suite.Cross(k.Base, k.Cross...)...)
	}
	for _, shape := range k.Shapes {
		s.Shapes = append(s.Shapes, k.Base.With(shape))
	}
	for _, shape := range k.Refused {
		s.Refused = append(s.Refused, k.Base.With(shape))
	}
	if len(k.Full) > 0 {
		s.Full = suite.Around(k.Base, k.Full...)[1:]
	}
	if s.Inputs == nil {
		var floats []string
		for _, a := range k.Args {
			if _, float := a.Type.Format(); float && a.Buffer() && a.Role != suite.RoleOut {
				floats = append(floats, a.Name)
			}
		}
		s.Inputs = Standard(nil, floats...)
	}
	s.Inputs = slices.Clone(s.Inputs) // the caller's
	for i, in := range s.Inputs {
		s.Inputs[i].Fills = maps.Clone(in.Fills)
		for name, fill := range in.Fills {
			if a, ok := suite.Args(k.Args).Find(name); ok && a.Type == F16 {
				s.Inputs[i].Fills[name] = suite.Within(fill, Half.Max())
			}
		}
	}
	return s
}
