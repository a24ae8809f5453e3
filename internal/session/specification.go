package session

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"metalconform/internal/budget"
	"metalconform/internal/checkout"
	"metalconform/internal/regular"
	"metalconform/suite"
	"metalconform/suite/kernels"
	"metalconform/suite/packs"
	"metalconform/suite/spec"

	"github.com/spf13/pflag"
)

// SpecUsage is the help of -spec.
const SpecUsage = "judge the kernels that `FILE`.star specifies instead of the catalogue's; repeatable"

// Specifications are the files of -spec, which is read as it is given: what they say takes the
// place of the catalogue.
type Specifications struct {
	Flag     string             // that names them; -spec if empty
	Checkout *checkout.Checkout // that has them
	Files    []string
	reads    [][]string // what each of them is made of, with its data
	Families []suite.Family
	packs    []*pack        // that stand beside the files
	found    bool           // no flag names them: the directory has them
	Limits   *spec.Limits   // of their definitions; nil for the usual ones
	Budget   *budget.Budget // that reading them takes from; nil: it is not bounded
}

// AddLimits defines the flag that raises limits.
func (s *Specifications) AddLimits(flags *pflag.FlagSet) {
	s.Limits = &spec.Limits{Budget: s.Budget}
	flags.Var(s.Limits, "definition-limit",
		"set a limit of a definition, as `NAME=N`; repeatable; put it before -spec if reading that "+
			"file needs it. conform help limits lists the names")
}

// ReplayFlags are those that give the same definitions.
func (s Specifications) ReplayFlags() (list []string) {
	if s.Limits != nil {
		for limit := range strings.FieldsSeq(s.Limits.String()) {
			list = append(list, "-definition-limit "+limit)
		}
	}
	if s.found {
		return list
	}
	for _, file := range s.Files {
		list = append(list, cmp.Or(s.Flag, "-spec")+" "+Quote(file))
	}
	for _, p := range s.packs {
		list = append(list, "-pack "+p.name)
	}
	return list
}

// limitsOrDefault are the limits that files are read with.
func (s *Specifications) limitsOrDefault() *spec.Limits {
	return cmp.Or(s.Limits, &spec.Limits{Budget: s.Budget})
}

// LaunchFiles are the files of -launch: specifications that need no oracle.
type LaunchFiles struct{ Specifications }

// Set reads one more file.
func (f *LaunchFiles) Set(file string) error { return f.add(file, f.limitsOrDefault().ReadLaunches) }

// String is the files, for help.
func (s *Specifications) String() string { return strings.Join(s.Files, ",") }

// Type names the value in help.
func (*Specifications) Type() string { return "FILE" }

// Set reads one more file. It may load those of its directory, and no others.
func (s *Specifications) Set(file string) error { return s.add(file, s.limitsOrDefault().Read) }

// add reads one more file with one of the readers of package spec.
func (s *Specifications) add(file string, read func(fs.FS, string) (suite.Family, error)) error {
	dir, name := filepath.Split(file)
	if dir == "" {
		dir = "."
	}
	at, err := s.Checkout.Path(dir)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(at)
	if err != nil {
		return err
	}
	var reads []string
	family, err := read(packs.Beside(recordingFS{root.FS(), func(name string) {
		if name = filepath.Join(dir, name); !slices.Contains(reads, name) {
			reads = append(reads, name)
		}
	}}), name)
	if err != nil {
		return err
	}
	s.Files, s.Families, s.reads = append(s.Files, file), append(s.Families, family), append(s.reads, reads)
	return nil
}

// Captured are the functions of the files, and of those that they load, which use the variable of a loop around them.
func (s Specifications) Captured() (list []suite.Reviewed, err error) {
	seen := map[string]bool{}
	for _, reads := range s.reads {
		for _, name := range reads {
			if seen[name] || filepath.Ext(name) != ".star" {
				continue
			}
			seen[name] = true
			at, err := s.Checkout.Path(name)
			if err != nil {
				return nil, err
			}
			text, err := regular.Read(at, regular.Source)
			if err != nil {
				return nil, err
			}
			captured, err := spec.Captured(name, text)
			if err != nil {
				return nil, err
			}
			for _, what := range captured {
				list = append(list, suite.Reviewed{What: what})
			}
		}
	}
	return list, nil
}

// Catalogue is what there is to judge.
func (s Specifications) Catalogue() []suite.Family { return s.catalogueOf(nil) }

// catalogueOf is the catalogue. Packs may lack kernels that are not wanted; nil wants all.
func (s Specifications) catalogueOf(wanted func(kernel string) bool) []suite.Family {
	if !s.Given() {
		return kernels.All()
	}
	families := slices.Clone(s.Families)
	for _, p := range s.packs {
		families = append(families, p.families(wanted)...)
	}
	return families
}

// Cases are those of a sweep of the catalogue, not to be written to.
func (s Specifications) Cases(set suite.Set) []suite.Case {
	if !s.Given() {
		return OwnCases()(set)
	}
	return suite.Cases(s.Catalogue(), set)
}

// OwnCases are the cases of our own kernels: what is declared is held against them several
// times in a command.
var OwnCases = sync.OnceValue(func() func(suite.Set) []suite.Case { return suite.Listed(kernels.All()) })

// Names are the kernels.
func (s Specifications) Names() []string {
	families := s.Families
	if !s.Given() {
		families = kernels.All()
	}
	var names []string
	for _, f := range families {
		for _, k := range f.Kernels {
			names = append(names, k.Name)
		}
	}
	for _, p := range s.packs {
		names = append(names, p.kernels()...)
	}
	return names
}

// Taken are the names of the kernels and pipelines.
func (s Specifications) Taken() []string {
	if !s.Given() {
		return namesOf(kernels.All())
	}
	return s.Names()
}

// Under are the kernels of the files in a directory, given without symbolic links, or below it.
func (s Specifications) Under(dir string) []string {
	var names []string
	for i, file := range s.Files {
		at, err := filepath.Abs(filepath.Dir(file))
		if err == nil {
			at, err = filepath.EvalSymlinks(at)
		}
		if rel, wrong := filepath.Rel(dir, at); err == nil && wrong == nil && filepath.IsLocal(rel) {
			for _, k := range s.Families[i].Kernels {
				names = append(names, k.Name)
			}
		}
	}
	return names
}

// Found reports whether a directory has the files, and no flag names them.
func (s Specifications) Found() bool { return s.found }

// Given reports whether kernels are judged by definitions that have no bounds.
func (s Specifications) Given() bool { return len(s.Files)+len(s.packs) > 0 }
