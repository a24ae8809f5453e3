package explore

import (
	"fmt"
	"slices"

	"metalconform/internal/budget"
	"metalconform/metalrun"
	"metalconform/suite"
	"metalconform/suite/adhoc"
)

// Launches with inputs that mean nothing may not end. These bound what one threadgroup executes, and
// what all its threads execute together.
const (
	MaxSteps       = 1 << 24
	MaxThreadSteps = 1 << 27
)

// casesPerKernel are the cases of a kernel of the catalogue that are launched.
const casesPerKernel = 3

// Options are the choices of an exploration. They do not change while it is under way.
type Options struct {
	// Checked opens a simulator that reports findings.
	Checked func() metalrun.Runner
	// Accurate opens one that executes exactly, and says where values leave their range; nil if
	// nobody asks how accurate kernels are.
	Accurate func() metalrun.Runner

	Catalogue []suite.Family           // kernels with these names and arguments are launched in some of their cases
	Stated    []suite.Family           // kernels with these names are launched in all their cases
	Spec      *adhoc.Spec              // what is stated of the launches of the other kernels
	Selects   func(kernel string) bool // kernels that are launched; nil for all
	Seed      uint64                   // of the inputs of cases
	Budget    int64                    // work of all launches of a file
	Run       *budget.Budget           // that launches of all files take from; nil: they are not bounded
	Launches  bool                     // each launch is reported, not only what it shows
}

// Explorer launches the kernels of files.
type Explorer struct {
	Options
	cases  map[string][]suite.Case // of the catalogue, by kernel
	stated []suite.Case
}

// New prepares launches.
func New(opts Options) *Explorer {
	e := &Explorer{Options: opts, cases: map[string][]suite.Case{}}
	for _, c := range suite.Cases(opts.Catalogue, suite.Quick) {
		if c.Pipeline == nil {
			e.cases[c.Kernel.Name] = append(e.cases[c.Kernel.Name], c)
		}
	}
	e.stated = suite.Cases(opts.Stated, suite.Quick)
	return e
}

// Misstatement is a mistake in what is stated of launches: it contradicts the source.
type Misstatement struct{ text string }

func (m *Misstatement) Error() string { return m.text }

func misstatement(format string, args ...any) error {
	return &Misstatement{fmt.Sprintf(format, args...)}
}

// Unit is a well-formed file with its entry points.
type Unit struct {
	Program   *metalrun.Program
	Kernels   []metalrun.KernelInfo   // that are selected
	Generated map[string]adhoc.Kernel // those that are launched with generated inputs
}

// Unit prepares the entry points of a program. A statement that contradicts the source is an
// [adhoc.InvalidSpec] or a [Misstatement].
func (e *Explorer) Unit(p *metalrun.Program) (Unit, error) {
	uncatalogued, p, err := adhoc.Kernels(p, e.Spec)
	if err != nil {
		return Unit{}, err
	}
	u := Unit{Program: p, Generated: map[string]adhoc.Kernel{}}
	for _, s := range uncatalogued {
		if e.Selects != nil && !e.Selects(s.Info.Name) {
			continue
		}
		u.Kernels = append(u.Kernels, s.Info)
		stated, err := e.statedCases(s.Info)
		if err != nil {
			return Unit{}, err
		}
		if few, _ := e.catalogueCases(s.Info); few != nil || stated != nil {
			continue
		}
		if err := s.Mistake(); err != nil {
			return Unit{}, err
		}
		u.Generated[s.Info.Name] = s
	}
	return u, nil
}

// statedCases are the stated cases that launch a kernel. One that does not take the kernel's arguments
// is a misstatement.
func (e *Explorer) statedCases(info metalrun.KernelInfo) (list []suite.Case, err error) {
	for _, c := range e.stated {
		if c.Kernel.Name == info.Name {
			list = append(list, c)
		}
	}
	if len(list) > 0 {
		if k := list[0].Kernel; k.Build != nil {
			return nil, misstatement("-launch: %s has constants or macros: "+
				"state them with -constant and -D, and leave them out of the file", k.Name)
		} else if err := k.Takes(info); err != nil {
			return nil, misstatement("-launch: %v", err)
		}
	}
	return list, nil
}

// catalogueCases are the cases of the catalogue that launch a kernel. A kernel that is not the
// catalogue's has none. The error says why, if the kernel has the name of one that is.
func (e *Explorer) catalogueCases(info metalrun.KernelInfo) ([]suite.Case, error) {
	few := suite.Few(e.cases[info.Name], info.Name, casesPerKernel)
	if len(few) == 0 {
		return nil, nil
	}
	if err := few[0].Kernel.Takes(info); err != nil {
		return nil, err
	}
	if err := agrees(few[0].Kernel, info); err != nil {
		return nil, err
	}
	return few, nil
}

// agrees says which argument of a kernel holds other numbers than that of the catalogue's kernel of its name: somebody
// else's kernel may be called the same.
func agrees(k *suite.Kernel, info metalrun.KernelInfo) error {
	for n, a := range k.Args {
		i := slices.IndexFunc(info.Args, func(got metalrun.ArgInfo) bool {
			return got.Kind == metalrun.BufferArg && got.Index == k.Args.Binding(n)
		})
		if i < 0 || len(info.Args[i].Fields) != 1 || len(a.Fields) > 0 || a.Struct != "" {
			continue
		}
		got := info.Args[i].Fields[0]
		_, float := a.Type.Format()
		is := slices.Contains([]string{"half", "bfloat", "float"}, got.Type)
		if got.Size != a.Type.Bytes() && (float || is || !a.Buffer()) || float != is && !a.Buffer() {
			return fmt.Errorf("[[buffer(%d)]] is %s of %s, and %s of %s there", k.Args.Binding(n),
				info.Args[i].Name, got.Type, a.Name, a.Type)
		}
	}
	return nil
}

// Unlaunched are the kernels that cases are stated of and that no unit has.
func (e *Explorer) Unlaunched(units []Unit) (names []string) {
	for _, c := range e.stated {
		named := func(k metalrun.KernelInfo) bool { return k.Name == c.Kernel.Name }
		if !slices.ContainsFunc(units, func(u Unit) bool { return slices.ContainsFunc(u.Kernels, named) }) {
			names = append(names, c.Kernel.Name)
		}
	}
	return names
}
