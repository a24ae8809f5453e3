// Package packs has specifications of the public kernels of other projects.
//
// What a kernel is called, what it takes at which index, how its buffers are laid out and how its host
// launches it are facts, read from the project at the commit that its pack names and written down here;
// what it has to compute is the textbook's definition, in definitions.star for what several projects have.
// Nothing is copied from a project.
//
// The rule of the layer: a pack is a directory of specifications in Starlark, the version that it holds for (VERSION), and the mode of
// floating-point mathematics that its kernels are judged in (MATH), which is the one that the project builds them in.
package packs

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"metalconform/metalrun"
	"metalconform/suite"
	"metalconform/suite/spec"
)

//go:embed *.star */*.star */VERSION */MATH
var files embed.FS

// Names are the packs.
func Names() []string {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		panic(err) // it is embedded
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

// Pack is the specification of a project's kernels.
type Pack struct {
	Name     string
	Version  string // of the project that it holds for
	Families []suite.Family
}

// Read reads a pack.
func Read(name string) (Pack, error) {
	if !slices.Contains(Names(), name) {
		return Pack{}, fmt.Errorf("no pack is called %q: there are %s", name, strings.Join(Names(), ", "))
	}
	version, err := fs.ReadFile(files, path.Join(name, "VERSION"))
	if err != nil {
		return Pack{}, err
	}
	p := Pack{Name: name, Version: strings.TrimSpace(string(version))}
	mode, err := fs.ReadFile(files, path.Join(name, "MATH"))
	if err != nil {
		return p, err
	}
	built, err := metalrun.ParseMath(strings.TrimSpace(string(mode)))
	if err != nil {
		return p, fmt.Errorf("pack %s: %w", name, err)
	}
	list, err := fs.Glob(files, name+"/*.star")
	if err != nil {
		return p, err
	}
	for _, file := range list {
		family, err := spec.Read(files, file)
		if err != nil {
			return p, err
		}
		for i := range family.Kernels {
			family.Kernels[i].Built = &built
		}
		p.Families = append(p.Families, family)
	}
	return p, nil
}

// Kernels are the names of the kernels that the pack specifies.
func (p Pack) Kernels() []string {
	var names []string
	for _, f := range p.Families {
		for _, k := range f.Kernels {
			names = append(names, k.Name)
		}
	}
	return names
}

// Coverage is which kernels of a directory a pack covers, and which not; Absent are those of the pack that the directory has not.
type Coverage struct{ Covered, Uncovered, Absent []string }

// Cover compares the pack with the entry points that there are.
func (p Pack) Cover(names []string) Coverage {
	var c Coverage
	own := p.Kernels()
	for _, name := range names {
		if slices.Contains(own, name) {
			c.Covered = append(c.Covered, name)
		} else {
			c.Uncovered = append(c.Uncovered, name)
		}
	}
	for _, name := range own {
		if !slices.Contains(names, name) {
			c.Absent = append(c.Absent, name)
		}
	}
	return c
}
