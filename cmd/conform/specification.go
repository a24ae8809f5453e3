package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"metalconform/suite"
	"metalconform/suite/kernels"
	"metalconform/suite/packs"
	"metalconform/suite/spec"
)

const specUsage = "judge the kernels that `FILE`.star specifies instead of the catalogue's; repeatable"

// specifications are the files of -spec, which is read as it is given: what they say takes the
// place of the catalogue.
type specifications struct {
	files    []string
	families []suite.Family
	packs    []packs.Pack // that stand beside the files
}

// String is the files, for help.
func (s *specifications) String() string { return strings.Join(s.files, ",") }

// Type names the value in help.
func (*specifications) Type() string { return "FILE" }

// Set reads one more file. It may load those of its directory, and no others.
func (s *specifications) Set(file string) error {
	dir, name := filepath.Split(file)
	if dir == "" {
		dir = "."
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	family, err := spec.Read(root.FS(), name)
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

// cases are those of the full sweep of the catalogue, not to be written to.
func (s specifications) cases() []suite.Case {
	if !s.given() {
		return catalogueCases()
	}
	return suite.Cases(s.catalogue(), suite.Full)
}

// catalogueCases are the cases of our own kernels: what is declared is held against all of
// them several times in a command.
var catalogueCases = sync.OnceValue(func() []suite.Case { return suite.Cases(kernels.All(), suite.Full) })

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
