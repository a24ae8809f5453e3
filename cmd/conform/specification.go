package main

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"metalconform/suite"
	"metalconform/suite/kernels"
	"metalconform/suite/packs"
	"metalconform/suite/spec"

	"github.com/spf13/pflag"
)

const specUsage = "judge the kernels that `FILE`.star specifies instead of the catalogue's; repeatable"

// specifications are the files of -spec, which is read as it is given: what they say takes the
// place of the catalogue.
type specifications struct {
	flag     string // that names them; -spec if empty
	files    []string
	read     []string // files that these are made of, with their data
	families []suite.Family
	packs    []packs.Pack // that stand beside the files
	limits   *spec.Limits // of their definitions; nil for the usual ones
}

// addLimits defines the flag that raises limits.
func (s *specifications) addLimits(flags *pflag.FlagSet) {
	s.limits = new(spec.Limits)
	flags.Var(s.limits, "definition-limit", "end a definition at more of what `NAME=N` names; repeatable, and ahead of -spec if the file itself takes more. The manual lists the names (conform help)")
}

// replayFlags are those that give the same definitions.
func (s specifications) replayFlags() (list []string) {
	if s.limits != nil {
		for limit := range strings.FieldsSeq(s.limits.String()) {
			list = append(list, "-definition-limit "+limit)
		}
	}
	for _, file := range s.files {
		list = append(list, cmp.Or(s.flag, "-spec")+" "+quote(file))
	}
	for _, p := range s.packs {
		list = append(list, "-pack "+p.Name)
	}
	return list
}

// within are the limits that files are read with.
func (s *specifications) within() *spec.Limits { return cmp.Or(s.limits, new(spec.Limits)) }

// launchFiles are the files of -launch: specifications that need no oracle.
type launchFiles struct{ specifications }

// Set reads one more file.
func (f *launchFiles) Set(file string) error { return f.add(file, f.within().ReadLaunches) }

// String is the files, for help.
func (s *specifications) String() string { return strings.Join(s.files, ",") }

// Type names the value in help.
func (*specifications) Type() string { return "FILE" }

// Set reads one more file. It may load those of its directory, and no others.
func (s *specifications) Set(file string) error { return s.add(file, s.within().Read) }

// add reads one more file with one of the readers of package spec.
func (s *specifications) add(file string, read func(fs.FS, string) (suite.Family, error)) error {
	dir, name := filepath.Split(file)
	if dir == "" {
		dir = "."
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	family, err := read(noting{root.FS(), func(name string) {
		if name = filepath.Join(dir, name); !slices.Contains(s.read, name) {
			s.read = append(s.read, name)
		}
	}}, name)
	if err != nil {
		return err
	}
	s.files, s.families = append(s.files, file), append(s.families, family)
	return nil
}

// catalogue is what there is to judge.
func (s specifications) catalogue() []suite.Family {
	if !s.given() {
		return kernels.All()
	}
	families := slices.Clone(s.families)
	for _, p := range s.packs {
		families = append(families, p.Families...)
	}
	return families
}

// cases are those of a sweep of the catalogue, not to be written to.
func (s specifications) cases(set suite.Set) []suite.Case {
	if !s.given() {
		return ownCases()(set)
	}
	return suite.Cases(s.catalogue(), set)
}

// ownCases are the cases of our own kernels: what is declared is held against them several
// times in a command.
var ownCases = sync.OnceValue(func() func(suite.Set) []suite.Case { return suite.Listed(kernels.All()) })

// names are the kernels.
func (s specifications) names() []string {
	var names []string
	for _, f := range s.catalogue() {
		for _, k := range f.Kernels {
			names = append(names, k.Name)
		}
	}
	return names
}

// under are the kernels of the files in a directory, given without symbolic links, or below it.
func (s specifications) under(dir string) []string {
	var names []string
	for i, file := range s.files {
		at, err := filepath.Abs(filepath.Dir(file))
		if err == nil {
			at, err = filepath.EvalSymlinks(at)
		}
		if rel, wrong := filepath.Rel(dir, at); err == nil && wrong == nil && filepath.IsLocal(rel) {
			for _, k := range s.families[i].Kernels {
				names = append(names, k.Name)
			}
		}
	}
	return names
}

// given reports whether kernels are judged by definitions that have no bounds.
func (s specifications) given() bool { return len(s.files)+len(s.packs) > 0 }
