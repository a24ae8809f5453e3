// Package packs has specifications of the public kernels of other projects.
//
// What a kernel is called, what it takes at which index, how its buffers are laid out and how its host
// launches it are facts, read from the project at the commit that its pack names and written down here;
// what it has to compute is the textbook's definition, in definitions.star for what several projects have.
// Nothing is copied from a project.
//
// The rule of the layer: a pack is a directory of specifications in Starlark, the version that it holds for (VERSION),
// the mode of floating-point mathematics that its kernels are judged in (MATH), which is the one that the project
// builds them in, and, if there are kernels that no specification can be right for, which they are and why (LEFT, a
// line for each reason: patterns of names, a colon and the reason). LIMITS has the largest sizes at which the hosts
// launch kernels, where indices of the kernels end before memory does (a line for each reason: patterns of names, sizes
// of axes, a colon and the reason).
package packs

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"metalconform/metalrun"
	"metalconform/suite"
	"metalconform/suite/spec"
)

//go:embed *.star */*.star */VERSION */MATH */LEFT */LIMITS
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
	Version  string   // of the project that it holds for
	Kernels  []string // the names of the kernels that it specifies
	Families []suite.Family
	Left     []Omission
}

// Omission is kernels that a pack leaves out, by name or pattern, for one reason.
type Omission struct {
	Names []string
	Why   string
}

// Read reads the specifications of a pack's kernels with wanted names; nil wants all. Families without such a kernel
// are left out.
func Read(name string, wanted func(kernel string) bool) (Pack, error) {
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
	if p.Left, err = readLeft(path.Join(name, "LEFT")); err != nil {
		return p, err
	}
	limits, err := readLeft(path.Join(name, "LIMITS"))
	if err != nil {
		return p, err
	}
	list, err := fs.Glob(files, name+"/*.star")
	if err != nil {
		return p, err
	}
	for _, file := range list {
		family, names, err := spec.ReadNamed(files, file, wanted)
		if err != nil {
			return p, err
		}
		p.Kernels = append(p.Kernels, names...)
		if len(family.Kernels) == 0 {
			continue
		}
		for i := range family.Kernels {
			family.Kernels[i].Built = &built
			limit(&family.Kernels[i], limits)
		}
		p.Families = append(p.Families, family)
	}
	return p, nil
}

// limit gives a kernel the limits of those lines that have its name, of the axes that it has.
func limit(k *suite.Kernel, lines []Omission) {
	for _, line := range lines {
		if !line.has(k.Name) {
			continue
		}
		for _, word := range line.Names {
			axis, size, is := strings.Cut(word, "=")
			n, err := strconv.Atoi(size)
			if a := suite.Axis(axis); is && err == nil && slices.Contains(k.Axes, a) {
				k.Limits = suite.Shape{a: n}.With(k.Limits)
			}
		}
	}
}

// readLeft reads which kernels a pack leaves out; most packs have no such file.
func readLeft(name string) ([]Omission, error) {
	text, err := fs.ReadFile(files, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var list []Omission
	for line := range strings.Lines(string(text)) {
		names, why, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			return nil, fmt.Errorf("%s: %q has no reason", name, line)
		}
		o := Omission{strings.Fields(names), why}
		for _, pattern := range o.Names {
			if _, err := path.Match(pattern, ""); err != nil {
				return nil, fmt.Errorf("%s: %q: %w", name, pattern, err)
			}
		}
		list = append(list, o)
	}
	return list, err
}

// has reports whether one of the patterns is that of a name.
func (o Omission) has(name string) bool {
	return slices.ContainsFunc(o.Names, func(pattern string) bool {
		ok, err := path.Match(pattern, name)
		return ok && err == nil
	})
}

// Coverage is which kernels of a directory a pack covers, which it leaves out for a reason, and which it says nothing
// of; Absent are those of the pack that the directory has not.
type Coverage struct {
	Covered, Uncovered, Absent []string
	Left                       []Omission
}

// All is how many kernels the directory has.
func (c Coverage) All() int {
	n := len(c.Covered) + len(c.Uncovered)
	for _, o := range c.Left {
		n += len(o.Names)
	}
	return n
}

// Cover compares the pack with the entry points that there are.
func (p Pack) Cover(names []string) Coverage {
	var c Coverage
	left := make([][]string, len(p.Left))
	for _, name := range names {
		if slices.Contains(p.Kernels, name) {
			c.Covered = append(c.Covered, name)
		} else if i := slices.IndexFunc(p.Left, func(o Omission) bool { return o.has(name) }); i >= 0 {
			left[i] = append(left[i], name)
		} else {
			c.Uncovered = append(c.Uncovered, name)
		}
	}
	for i, list := range left {
		if len(list) > 0 {
			c.Left = append(c.Left, Omission{list, p.Left[i].Why})
		}
	}
	for _, name := range p.Kernels {
		if !slices.Contains(names, name) {
			c.Absent = append(c.Absent, name)
		}
	}
	return c
}
