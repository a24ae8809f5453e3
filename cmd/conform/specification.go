package main

import (
	"os"
	"path/filepath"
	"strings"

	"metalconform/suite"
	"metalconform/suite/kernels"
	"metalconform/suite/spec"
)

// specifications are the files of -spec, which is read as it is given: what they say takes the
// place of the catalogue.
type specifications struct {
	files    []string
	families []suite.Family
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
	if len(s.files) == 0 {
		return kernels.All()
	}
	return s.families
}

// given reports whether kernels are judged by definitions that have no bounds.
func (s specifications) given() bool { return len(s.files) > 0 }
